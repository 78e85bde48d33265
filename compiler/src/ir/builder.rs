//! Appends to a body. Types are filled in here, and free values (constants, uniforms) are shared.

use indexmap::IndexMap;

use super::arena::Handle;
use super::body::{Block, Body, Expr, Merge, Statement, Stmt, Value, ValueId};
use super::op::{BinaryOp, UnaryOp};
use super::program::{Column, DrawSite, Function, Origin, Register, Table, Texture, Uniform};
use super::types::{Const, Type};

/// Builds one [`Body`] from its first statement to its last.
#[derive(Debug)]
pub struct BodyBuilder {
    body: Body,
    /// The blocks that are open, innermost last; never empty.
    open: Vec<Block>,
    free: IndexMap<Expr, ValueId>,
    origin: Option<Handle<Origin>>,
    statements: usize,
}

impl Default for BodyBuilder {
    fn default() -> Self {
        Self {
            body: Body::default(),
            open: vec![Block::new()],
            free: IndexMap::new(),
            origin: None,
            statements: 0,
        }
    }
}

impl BodyBuilder {
    /// Following statements come from this block. Gives back the origin that held before.
    pub fn set_origin(&mut self, origin: Option<Handle<Origin>>) -> Option<Handle<Origin>> {
        std::mem::replace(&mut self.origin, origin)
    }

    /// How many statements have been appended.
    pub fn statements(&self) -> usize {
        self.statements
    }

    /// Ends the body.
    pub fn finish(mut self, results: Vec<ValueId>) -> Body {
        self.body.block = self.open.pop().unwrap_or_default();
        self.body.results = results;
        self.body
    }

    /// Type of a value of this body.
    pub fn ty(&self, value: ValueId) -> Type {
        self.body.values[value].ty
    }

    /// The constant, if the value is one.
    pub fn as_constant(&self, value: ValueId) -> Option<Const> {
        match self.body.values[value].expr {
            Expr::Const(constant) => Some(constant),
            _ => None,
        }
    }

    fn free(&mut self, expr: Expr, ty: Type) -> ValueId {
        *self.free.entry(expr).or_insert_with(|| self.body.values.push(Value { expr, ty }))
    }

    /// A constant.
    pub fn constant(&mut self, constant: Const) -> ValueId {
        self.free(Expr::Const(constant), constant.ty())
    }

    /// A float constant.
    pub fn float(&mut self, value: f64) -> ValueId {
        self.constant(Const::Float(value))
    }

    /// An integer constant.
    pub fn uint(&mut self, value: u32) -> ValueId {
        self.constant(Const::Uint(value))
    }

    /// A uniform.
    pub fn uniform(&mut self, uniform: Handle<Uniform>, ty: Type) -> ValueId {
        self.free(Expr::Uniform(uniform), ty)
    }

    /// A parameter.
    pub fn param(&mut self, index: u32, ty: Type) -> ValueId {
        self.free(Expr::Param(index), ty)
    }

    /// The newborn's id.
    pub fn new_id(&mut self) -> ValueId {
        self.free(Expr::NewId, Type::Uint)
    }

    fn push(&mut self, kind: Stmt) {
        let origin = self.origin;
        self.statements += 1;
        if let Some(block) = self.open.last_mut() {
            block.push(Statement { kind, origin });
        }
    }

    fn define(&mut self, expr: Expr, ty: Type) -> ValueId {
        let value = self.body.values.push(Value { expr, ty });
        self.push(Stmt::Let(value));
        value
    }

    fn result(&mut self, ty: Type) -> ValueId {
        self.body.values.push(Value { expr: Expr::Result, ty })
    }

    /// Loads a column.
    pub fn load(&mut self, column: Handle<Column>, ty: Type) -> ValueId {
        self.define(Expr::Load(column), ty)
    }

    /// Loads a register.
    pub fn load_register(&mut self, register: Handle<Register>, ty: Type) -> ValueId {
        self.define(Expr::LoadRegister(register), ty)
    }

    /// Reads a table.
    pub fn table(&mut self, table: Handle<Table>, index: ValueId) -> ValueId {
        self.define(Expr::Table(table, index), Type::Float)
    }

    /// Reads a byte of a texture.
    pub fn texel(
        &mut self,
        texture: Handle<Texture>,
        x: ValueId,
        y: ValueId,
        channel: u8,
    ) -> ValueId {
        self.define(Expr::Texel(texture, x, y, channel), Type::Uint)
    }

    /// Applies an operation.
    pub fn unary(&mut self, op: UnaryOp, a: ValueId) -> ValueId {
        self.define(Expr::Unary(op, a), op.result())
    }

    /// Applies an operation.
    pub fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        self.define(Expr::Binary(op, a, b), op.result())
    }

    /// `a + b`
    pub fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::Add, a, b)
    }

    /// `a - b`
    pub fn sub(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::Sub, a, b)
    }

    /// `a * b`
    pub fn mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::Mul, a, b)
    }

    /// `a / b`
    pub fn div(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::Div, a, b)
    }

    /// `a` where the condition holds, `b` where it does not; both are computed already.
    pub fn select(&mut self, condition: ValueId, a: ValueId, b: ValueId) -> ValueId {
        let ty = self.ty(a);
        self.define(Expr::Select(condition, a, b), ty)
    }

    /// Writes a column.
    pub fn store(&mut self, column: Handle<Column>, value: ValueId) {
        self.push(Stmt::Store(column, value));
    }

    /// Writes a register.
    pub fn store_register(&mut self, register: Handle<Register>, value: ValueId) {
        self.push(Stmt::StoreRegister(register, value));
    }

    /// Takes a number from the random stream.
    pub fn draw(&mut self, site: Handle<DrawSite>) -> ValueId {
        let result = self.result(Type::Float);
        self.push(Stmt::Draw { result, site });
        result
    }

    /// Calls a function whose results have these types.
    pub fn call(
        &mut self,
        function: Handle<Function>,
        arguments: Vec<ValueId>,
        types: &[Type],
    ) -> Vec<ValueId> {
        let results: Vec<ValueId> = types.iter().map(|&ty| self.result(ty)).collect();
        self.push(Stmt::Call { function, arguments, results: results.clone() });
        results
    }

    /// The particle dies where the condition holds.
    pub fn kill(&mut self, condition: ValueId) {
        self.push(Stmt::Kill(condition));
    }

    /// The step fails.
    pub fn fail(&mut self, message: impl Into<String>) {
        self.push(Stmt::Fail(message.into()));
    }

    /// Following statements go into a new inner block, until [`close`](Self::close).
    pub fn open(&mut self) {
        self.open.push(Block::new());
    }

    /// Ends the innermost block.
    pub fn close(&mut self) -> Block {
        if self.open.len() > 1 { self.open.pop().unwrap_or_default() } else { Block::new() }
    }

    /// Appends an `If` over two closed blocks; gives one value for each pair of outcomes.
    pub fn branch(
        &mut self,
        condition: ValueId,
        then: Block,
        otherwise: Block,
        outcomes: &[(ValueId, ValueId)],
    ) -> Vec<ValueId> {
        let results: Vec<Merge> = outcomes
            .iter()
            .map(|&(then, otherwise)| {
                let ty = self.ty(then);
                Merge { result: self.result(ty), then, otherwise }
            })
            .collect();
        let values = results.iter().map(|merge| merge.result).collect();
        self.push(Stmt::If { condition, then, otherwise, results });
        values
    }
}
