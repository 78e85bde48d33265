//! Checks one body: handles, types, dominance, and what its place allows.

use indexmap::IndexSet;

use super::Invalid;
use crate::ir::arena::Handle;
use crate::ir::body::{Block, Body, BodyKind, Expr, Place, Stmt, ValueId};
use crate::ir::program::{Column, Origin, Program, Register, UniformSource};
use crate::ir::types::{Profile, Type};

type Check<T = ()> = Result<T, Box<Invalid>>;

/// Checks one body. In Parallel `is_particle` holds for those that run once a particle, and for the
/// functions that these call.
pub(super) fn check(program: &Program, place: Place, is_particle: bool, body: &Body) -> Check {
    Checker {
        program,
        place,
        is_parallel_particle: is_particle,
        origin: None,
        defined: body.values.iter().map(|(_, value)| value.expr.is_free()).collect(),
        ever: vec![false; body.values.len()],
        stored: vec![false; program.columns.len()],
        added: Vec::new(),
        written: Vec::new(),
    }
    .check(body)
}

struct Checker<'a> {
    program: &'a Program,
    place: Place,
    is_parallel_particle: bool,
    origin: Option<Handle<Origin>>,
    /// Values that are defined on the path to here.
    defined: Vec<bool>,
    /// Those that a statement of an open block has defined, in order: they go when it ends.
    added: Vec<ValueId>,
    /// Values that have been defined anywhere.
    ever: Vec<bool>,
    /// Columns that have been stored on every path to here.
    stored: Vec<bool>,
    /// Those that a statement of an open block has stored first, in order.
    written: Vec<Handle<Column>>,
}

impl<'a> Checker<'a> {
    fn fail<T>(&self, rule: impl Into<String>) -> Check<T> {
        let origin = self.origin.and_then(|origin| self.program.origins.get(origin));
        Err(Box::new(Invalid {
            program: self.program.name.clone(),
            body: self.place.name(self.program),
            origin: origin.map(Origin::to_string),
            rule: rule.into(),
        }))
    }

    fn require(&self, holds: bool, rule: &str) -> Check {
        if holds { Ok(()) } else { self.fail(rule) }
    }

    fn is_function(&self) -> bool {
        matches!(self.place, Place::Function(_))
    }

    /// A body of Parallel that runs once a call, on the host: it sees no columns.
    fn is_parallel_system(&self) -> bool {
        self.program.profile == Profile::Parallel
            && matches!(self.place, Place::Body(kind) if !kind.is_particle())
    }

    fn is(&self, kind: BodyKind) -> bool {
        matches!(self.place, Place::Body(here) if here == kind)
    }

    fn check(mut self, body: &'a Body) -> Check {
        for (_, value) in body.values.iter() {
            self.check_free(value.expr, value.ty)?;
        }
        self.check_block(body, &body.block)?;
        self.origin = None;
        for &result in &body.results {
            self.use_value(body, result)?;
        }
        let types: Vec<Type> = body.results.iter().map(|&value| body.values[value].ty).collect();
        let fits = match self.place {
            Place::Body(BodyKind::Init | BodyKind::EmitRate) => types == [Type::Float],
            Place::Body(BodyKind::Prepare) => types.iter().all(|&ty| ty == Type::Float),
            Place::Body(BodyKind::Birth | BodyKind::Update) => types.is_empty(),
            Place::Function(_) => true,
        };
        self.require(fits, "results have the wrong number or type")?;
        if self.is(BodyKind::Birth) {
            for (handle, column) in self.program.columns.iter() {
                let written = column.constant.is_some() || self.stored[handle.index()];
                if !written {
                    return self.fail(format!("birth leaves column {} unwritten", column.name));
                }
            }
        }
        Ok(())
    }

    fn allow(&self, operation: &str, is_transcendental: bool) -> Check {
        if is_transcendental && self.is_parallel_particle {
            return self.fail(format!("{operation} in a particle body of Parallel"));
        }
        Ok(())
    }

    fn check_free(&self, expr: Expr, ty: Type) -> Check {
        match expr {
            Expr::Const(constant) => self.require(constant.ty() == ty, "constant of another type"),
            Expr::Uniform(uniform) => {
                let Some(uniform) = self.program.uniforms.get(uniform) else {
                    return self.fail("uniform out of range");
                };
                if let UniformSource::Prepared(index) = uniform.source {
                    let count = self.program.prepare.as_ref().map_or(0, |body| body.results.len());
                    self.require((index as usize) < count, "prepared uniform without its result")?;
                    let early = self.is(BodyKind::Prepare) || self.is(BodyKind::Init);
                    self.require(!early, "prepared uniform read before it is prepared")?;
                }
                if let UniformSource::Input(input, component) = uniform.source {
                    let input = self.program.inputs.get(input);
                    let known =
                        input.is_some_and(|input| usize::from(component) < input.initial.len());
                    self.require(known, "number of an input out of range")?;
                }
                if let UniformSource::TextureWidth(texture)
                | UniformSource::TextureHeight(texture) = uniform.source
                {
                    let known = self.program.textures.get(texture).is_some();
                    self.require(known, "size of a texture out of range")?;
                }
                self.require(!self.is_function(), "uniform in a function")?;
                self.require(uniform.source.ty() == ty, "uniform of another type")
            }
            Expr::Param(index) => match self.place {
                Place::Function(function) => {
                    let param = self.program.functions[function].params.get(index as usize);
                    self.require(param.is_some_and(|param| param.1 == ty), "no such parameter")
                }
                Place::Body(_) => self.fail("parameter outside a function"),
            },
            Expr::NewId => {
                self.require(self.is(BodyKind::Birth), "new_id outside birth")?;
                self.require(ty == Type::Uint, "new_id of another type")
            }
            Expr::Load(_)
            | Expr::LoadRegister(_)
            | Expr::Table(..)
            | Expr::Texel(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select(..)
            | Expr::Result => Ok(()),
        }
    }

    fn use_value(&self, body: &Body, value: ValueId) -> Check<Type> {
        let Some(found) = body.values.get(value) else { return self.fail("value out of range") };
        self.require(self.defined[value.index()], "use that no definition dominates")?;
        Ok(found.ty)
    }

    fn use_as(&self, body: &Body, value: ValueId, ty: Type) -> Check {
        let found = self.use_value(body, value)?;
        self.require(found == ty, "operand of the wrong type")
    }

    fn define(&mut self, body: &Body, value: ValueId) -> Check {
        self.require(body.values.get(value).is_some(), "value out of range")?;
        let twice = self.ever[value.index()] || body.values[value].expr.is_free();
        self.require(!twice, "value defined twice")?;
        self.ever[value.index()] = true;
        self.defined[value.index()] = true;
        self.added.push(value);
        Ok(())
    }

    fn define_result(&mut self, body: &Body, value: ValueId, ty: Type) -> Check {
        self.define(body, value)?;
        let found = body.values[value];
        self.require(found.expr == Expr::Result, "statement result with an expression")?;
        self.require(found.ty == ty, "result of the wrong type")
    }

    fn column(&self, column: Handle<Column>) -> Check<&'a Column> {
        self.require(!self.is_function(), "column access in a function")?;
        match self.program.columns.get(column) {
            Some(column) => Ok(column),
            None => self.fail("column out of range"),
        }
    }

    fn register(&self, register: Handle<Register>) -> Check<Type> {
        self.require(!self.is_function(), "register access in a function")?;
        self.require(!self.is_parallel_particle, "register access in a particle body of Parallel")?;
        match self.program.registers.get(register) {
            Some(register) => Ok(register.initial.ty()),
            None => self.fail("register out of range"),
        }
    }

    fn check_block(&mut self, body: &'a Body, block: &'a Block) -> Check {
        for statement in block {
            self.origin = statement.origin;
            self.check_statement(body, &statement.kind)?;
        }
        Ok(())
    }

    fn check_statement(&mut self, body: &'a Body, statement: &'a Stmt) -> Check {
        match statement {
            Stmt::Let(value) => {
                let Some(found) = body.values.get(*value) else {
                    return self.fail("value out of range");
                };
                self.check_expr(body, found.expr, found.ty)?;
                self.define(body, *value)
            }
            Stmt::Store(column, value) => {
                let found = self.column(*column)?;
                self.require(found.constant.is_none(), "store to a constant column")?;
                self.require(
                    !self.is_parallel_system(),
                    "system body of Parallel stores a column",
                )?;
                self.use_as(body, *value, found.storage.ty())?;
                if !std::mem::replace(&mut self.stored[column.index()], true) {
                    self.written.push(*column);
                }
                Ok(())
            }
            Stmt::StoreRegister(register, value) => {
                let ty = self.register(*register)?;
                self.use_as(body, *value, ty)
            }
            Stmt::Draw { result, site } => {
                let exact = self.program.profile == Profile::Exact && !self.is_function();
                self.require(exact, "draw outside a body of Exact")?;
                self.require(self.program.sites.get(*site).is_some(), "site out of range")?;
                self.define_result(body, *result, Type::Float)
            }
            Stmt::Call { function, arguments, results } => {
                let Some(callee) = self.program.functions.get(*function) else {
                    return self.fail("function out of range");
                };
                if let Place::Function(caller) = self.place {
                    self.require(*function < caller, "call of a later function")?;
                }
                let fits = callee.params.len() == arguments.len()
                    && callee.body.results.len() == results.len();
                self.require(fits, "call with the wrong number of operands")?;
                for (&argument, (_, ty)) in arguments.iter().zip(&callee.params) {
                    self.use_as(body, argument, *ty)?;
                }
                for (&result, &from) in results.iter().zip(&callee.body.results) {
                    self.define_result(body, result, callee.body.values[from].ty)?;
                }
                Ok(())
            }
            Stmt::Kill(condition) => {
                self.require(self.is(BodyKind::Update), "kill outside update")?;
                self.use_as(body, *condition, Type::Bool)
            }
            Stmt::Fail(_) => self.require(!self.is_function(), "fail in a function"),
            Stmt::If { condition, then, otherwise, results } => {
                self.use_as(body, *condition, Type::Bool)?;
                let (defined, written) = (self.added.len(), self.written.len());
                self.check_block(body, then)?;
                for merge in results {
                    let ty = body.values.get(merge.result).map(|value| value.ty);
                    self.require(ty == Some(self.use_value(body, merge.then)?), "merge of types")?;
                }
                self.forget_defined(defined);
                let written_then = self.forget_written(written);
                self.check_block(body, otherwise)?;
                for merge in results {
                    let ty = body.values.get(merge.result).map(|value| value.ty);
                    let found = self.use_value(body, merge.otherwise)?;
                    self.require(ty == Some(found), "merge of types")?;
                }
                self.forget_defined(defined);
                let written_otherwise: IndexSet<_> =
                    self.forget_written(written).into_iter().collect();
                for column in written_then {
                    if written_otherwise.contains(&column) {
                        self.stored[column.index()] = true;
                        self.written.push(column);
                    }
                }
                for merge in results {
                    let ty = body.values[merge.result].ty;
                    self.define_result(body, merge.result, ty)?;
                }
                Ok(())
            }
        }
    }

    /// What a block has defined is not there behind it.
    fn forget_defined(&mut self, before: usize) {
        for value in self.added.drain(before..) {
            self.defined[value.index()] = false;
        }
    }

    /// Gives the columns that a block has stored, as if they were not.
    fn forget_written(&mut self, before: usize) -> Vec<Handle<Column>> {
        let written = self.written.split_off(before);
        for column in &written {
            self.stored[column.index()] = false;
        }
        written
    }

    fn check_expr(&self, body: &Body, expr: Expr, ty: Type) -> Check {
        match expr {
            Expr::Const(_) | Expr::Uniform(_) | Expr::Param(_) | Expr::NewId => {
                self.fail("let of a free value")
            }
            Expr::Result => self.fail("let without an expression"),
            Expr::Load(column) => {
                let found = self.column(column)?;
                self.require(found.constant.is_none(), "load of a constant column")?;
                let ready = !self.is(BodyKind::Birth) || self.stored[column.index()];
                self.require(ready, "birth loads a column before it is stored")?;
                self.require(!self.is_parallel_system(), "system body of Parallel loads a column")?;
                self.require(found.storage.ty() == ty, "load of another type")
            }
            Expr::LoadRegister(register) => {
                let found = self.register(register)?;
                self.require(found == ty, "load of another type")
            }
            Expr::Table(table, index) => {
                self.require(self.program.tables.get(table).is_some(), "table out of range")?;
                self.use_as(body, index, Type::Uint)?;
                self.require(ty == Type::Float, "table element of another type")
            }
            Expr::Texel(texture, x, y, channel) => {
                self.require(!self.is_function(), "texel in a function")?;
                self.require(self.program.textures.get(texture).is_some(), "texture out of range")?;
                self.use_as(body, x, Type::Uint)?;
                self.use_as(body, y, Type::Uint)?;
                self.require(channel < 4, "texel of an unknown channel")?;
                self.require(ty == Type::Uint, "texel of another type")
            }
            Expr::Unary(op, a) => {
                self.allow(op.name(), op.is_transcendental())?;
                self.use_as(body, a, op.operands()[0])?;
                self.require(op.result() == ty, "operation of another type")
            }
            Expr::Binary(op, a, b) => {
                self.allow(op.name(), op.is_transcendental())?;
                let [first, second] = op.operands();
                self.use_as(body, a, first)?;
                self.use_as(body, b, second)?;
                self.require(op.result() == ty, "operation of another type")
            }
            Expr::Select(condition, a, b) => {
                self.use_as(body, condition, Type::Bool)?;
                self.use_as(body, a, ty)?;
                self.use_as(body, b, ty)
            }
        }
    }
}
