//! The data of the IR: bodies, the values that they define, and their statements.

use std::collections::BTreeSet;

use super::arena::{Arena, Handle};
use super::op::{BinaryOp, UnaryOp};
use super::program::{
    Column, DrawSite, Function, Origin, Program, Register, Table, Texture, Uniform,
};
use super::types::{Const, Precision, Type};

/// The columns that statements may write, those inside other statements too.
pub fn stored_columns(statements: &[Statement]) -> BTreeSet<Handle<Column>> {
    let (mut stored, mut open) = (BTreeSet::new(), vec![statements]);
    while let Some(block) = open.pop() {
        for statement in block {
            match &statement.kind {
                Stmt::Store(column, _) => {
                    stored.insert(*column);
                }
                Stmt::If { then, otherwise, .. } => open.extend([then.as_slice(), otherwise]),
                Stmt::Let(_)
                | Stmt::StoreRegister(..)
                | Stmt::Draw { .. }
                | Stmt::Call { .. }
                | Stmt::Kill(_)
                | Stmt::Fail(_) => {}
            }
        }
    }
    stored
}

/// Handle of a value of a body.
pub type ValueId = Handle<Value>;

/// Which body of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BodyKind {
    /// [`Program::init`]
    Init,
    /// [`Program::prepare`]
    Prepare,
    /// [`Program::emit_rate`]
    EmitRate,
    /// [`Program::birth`]
    Birth,
    /// [`Program::update`]
    Update,
}

/// Where a body stands in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// One of the five that the driver runs.
    Body(BodyKind),
    /// A function that bodies call.
    Function(Handle<Function>),
}

/// Statements with the values that they define.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// All values of the body.
    pub values: Arena<Value>,
    /// What runs.
    pub block: Block,
    /// Results: one for `init` and `emit_rate`, one a prepared uniform, any number for a function.
    pub results: Vec<ValueId>,
}

/// Statements that run in order.
pub type Block = Vec<Statement>;

/// A value: how it is computed, and its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// How it is computed.
    pub expr: Expr,
    /// Type of the result.
    pub ty: Type,
}

/// How a value is computed. Nothing here has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant. Needs no `Let`.
    Const(Const),
    /// A uniform. Needs no `Let`.
    Uniform(Handle<Uniform>),
    /// Parameter of a function, counted from 0. Needs no `Let`.
    Param(u32),
    /// The id that this birth is given (`birth` only). Needs no `Let`.
    NewId,
    /// The particle's column at the moment of the `Let`; in system bodies of Exact, slot 0's.
    Load(Handle<Column>),
    /// The register at the moment of the `Let`.
    LoadRegister(Handle<Register>),
    /// Element of a table; NaN beyond its end.
    Table(Handle<Table>, ValueId),
    /// One of the four bytes (0 red, 1 green, 2 blue, 3 alpha) of the texel in this column and row,
    /// not premultiplied. A `Uint`; 0 outside of the texture.
    Texel(Handle<Texture>, ValueId, ValueId, u8),
    /// An operation on one value.
    Unary(UnaryOp, ValueId),
    /// An operation on two values.
    Binary(BinaryOp, ValueId, ValueId),
    /// The second value where the first (a `Bool`) is true, the third where it is not.
    Select(ValueId, ValueId, ValueId),
    /// Defined by the statement that lists it as a result.
    Result,
}

/// A statement and the block that it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it does.
    pub kind: Stmt,
    /// For comments and diagnostics; no stage decides anything by it.
    pub origin: Option<Handle<Origin>>,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// Computes the value, here and now.
    Let(ValueId),
    /// Writes the particle's column.
    Store(Handle<Column>, ValueId),
    /// Writes a register.
    StoreRegister(Handle<Register>, ValueId),
    /// Takes the next number of the random stream, in [0, 1) (Exact only).
    Draw {
        /// The number.
        result: ValueId,
        /// Where.
        site: Handle<DrawSite>,
    },
    /// Runs one of two blocks.
    If {
        /// A `Bool`.
        condition: ValueId,
        /// Runs where it is true.
        then: Block,
        /// Runs where it is false.
        otherwise: Block,
        /// Values that come out.
        results: Vec<Merge>,
    },
    /// Computes a function.
    Call {
        /// Which.
        function: Handle<Function>,
        /// One a parameter.
        arguments: Vec<ValueId>,
        /// One a result.
        results: Vec<ValueId>,
    },
    /// The particle dies at the end of this body where the condition holds (`update` only).
    Kill(ValueId),
    /// The step fails with this message where it is reached: a CPU step returns an error, a GPU step
    /// sets a status word and goes on.
    Fail(String),
}

/// A result of an `If`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merge {
    /// The value after the statement.
    pub result: ValueId,
    /// Its value where the condition held.
    pub then: ValueId,
    /// Its value where it did not.
    pub otherwise: ValueId,
}

impl BodyKind {
    /// Every kind.
    pub const ALL: [Self; 5] =
        [Self::Init, Self::Prepare, Self::EmitRate, Self::Birth, Self::Update];

    /// The word of the text form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Prepare => "prepare",
            Self::EmitRate => "emit_rate",
            Self::Birth => "birth",
            Self::Update => "update",
        }
    }

    /// Whether the body runs once a particle.
    pub fn is_particle(self) -> bool {
        match self {
            Self::Init | Self::Prepare | Self::EmitRate => false,
            Self::Birth | Self::Update => true,
        }
    }
}

impl Place {
    /// Precision of the body's floats; a function has that of whoever calls it.
    pub fn precision(self, program: &Program) -> Option<Precision> {
        match self {
            Self::Function(_) => None,
            Self::Body(kind) => Some(program.precision(kind)),
        }
    }

    /// How messages call it: `update`, `function mix`.
    pub fn name(self, program: &Program) -> String {
        match self {
            Self::Body(kind) => kind.name().to_owned(),
            Self::Function(function) => match program.functions.get(function) {
                Some(function) => format!("function {}", function.name),
                None => "a function out of range".to_owned(),
            },
        }
    }
}

impl Expr {
    /// Whether the value exists without a `Let`.
    pub fn is_free(self) -> bool {
        match self {
            Self::Const(_) | Self::Uniform(_) | Self::Param(_) | Self::NewId => true,
            Self::Load(_)
            | Self::LoadRegister(_)
            | Self::Table(..)
            | Self::Texel(..)
            | Self::Unary(..)
            | Self::Binary(..)
            | Self::Select(..)
            | Self::Result => false,
        }
    }

    /// Calls back with each operand.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ValueId)) {
        match *self {
            Self::Const(_)
            | Self::Uniform(_)
            | Self::Param(_)
            | Self::NewId
            | Self::Load(_)
            | Self::LoadRegister(_)
            | Self::Result => {}
            Self::Table(_, a) | Self::Unary(_, a) => visit(a),
            Self::Binary(_, a, b) | Self::Texel(_, a, b, _) => {
                visit(a);
                visit(b);
            }
            Self::Select(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
        }
    }

    /// Replaces each operand by what the callback makes of it.
    #[must_use]
    pub fn map_operands(self, mut map: impl FnMut(ValueId) -> ValueId) -> Self {
        match self {
            Self::Const(_)
            | Self::Uniform(_)
            | Self::Param(_)
            | Self::NewId
            | Self::Load(_)
            | Self::LoadRegister(_)
            | Self::Result => self,
            Self::Table(table, a) => Self::Table(table, map(a)),
            Self::Texel(texture, x, y, channel) => Self::Texel(texture, map(x), map(y), channel),
            Self::Unary(op, a) => Self::Unary(op, map(a)),
            Self::Binary(op, a, b) => Self::Binary(op, map(a), map(b)),
            Self::Select(a, b, c) => Self::Select(map(a), map(b), map(c)),
        }
    }
}
