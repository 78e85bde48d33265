//! Statements of random bodies: what is written again, overwritten, decided by a constant, or never read.

use pyrograph_compiler::ir::op::{BinaryOp, UnaryOp};
use pyrograph_compiler::ir::{
    Block, Body, BodyBuilder, BodyKind, Column, Expr, Field, Function, Handle, Profile, Program,
    Register, Type, Uniform, UniformSource, ValueId,
};

use super::generate::{Dice, constant};

/// Writes one body.
pub(crate) struct Generator<'a> {
    dice: &'a mut Dice,
    program: &'a Program,
    kind: Option<BodyKind>,
    params: &'a [(String, Type)],
    builder: BodyBuilder,
    /// Values that dominate this place.
    scope: Vec<ValueId>,
    /// Expressions that have been written, to be written again.
    written: Vec<(Expr, usize)>,
    /// Birth: columns that hold something on every path to here.
    stored: Vec<bool>,
}

impl<'a> Generator<'a> {
    pub(crate) fn new(
        dice: &'a mut Dice,
        program: &'a Program,
        kind: Option<BodyKind>,
        params: &'a [(String, Type)],
    ) -> Self {
        let stored = vec![kind != Some(BodyKind::Birth); program.columns.len()];
        let builder = BodyBuilder::default();
        Self { dice, program, kind, params, builder, scope: vec![], written: vec![], stored }
    }

    pub(crate) fn body(mut self, size: usize, results: usize, ty: Option<Type>) -> Body {
        if self.kind == Some(BodyKind::Birth) {
            for (handle, column) in self.program.columns.iter() {
                if column.constant.is_none()
                    && (column.field == Some(Field::Id) || self.dice.percent(50))
                {
                    self.store(handle);
                }
            }
        }
        self.statements(size, 0);
        if self.kind == Some(BodyKind::Birth) {
            for (handle, column) in self.program.columns.iter() {
                if column.constant.is_none() && !self.stored[handle.index()] {
                    self.store(handle);
                }
            }
        }
        let results = (0..results)
            .map(|_| {
                let any = self.dice.pick(&[Type::Float, Type::Uint, Type::Bool]);
                self.operand(ty.unwrap_or(any))
            })
            .collect();
        self.builder.finish(results)
    }

    fn is_particle(&self) -> bool {
        self.kind.is_some_and(BodyKind::is_particle)
    }

    fn is_exact(&self) -> bool {
        self.program.profile == Profile::Exact
    }

    fn has_columns(&self) -> bool {
        self.kind.is_some() && (self.is_particle() || self.is_exact())
    }

    fn has_registers(&self) -> bool {
        self.kind.is_some() && (!self.is_particle() || self.is_exact())
    }

    fn may_be_transcendental(&self) -> bool {
        self.is_exact() || (self.kind.is_some() && !self.is_particle())
    }

    fn statements(&mut self, size: usize, depth: usize) {
        let mut left = size;
        while left > 0 {
            if self.dice.percent(20) {
                let origin = Handle::from_index(self.dice.below(2));
                self.builder.set_origin(self.dice.percent(70).then_some(origin));
            }
            let cost = self.statement(left, depth);
            left = left.saturating_sub(cost);
        }
    }

    fn statement(&mut self, left: usize, depth: usize) -> usize {
        match self.dice.below(100) {
            0..12 if self.has_columns() => self.load(),
            12..26 if self.has_columns() => {
                let column = self.any_column();
                self.store(column);
                if self.dice.percent(25) {
                    let ty = self.program.columns[column].storage.ty();
                    let value = self.builder.load(column, ty);
                    self.scope.push(value);
                }
            }
            26..28 if self.has_columns() => self.overwrite(),
            28..31 if self.has_registers() => self.register(),
            31..34 if self.has_registers() && self.is_exact() => {
                let site = Handle::from_index(self.dice.below(2));
                let value = self.builder.draw(site);
                self.scope.push(value);
            }
            34..37 if !self.program.functions.is_empty() => self.call(),
            37..41 => self.select(),
            41..43 => {
                let index = self.dice.below(5) as u32;
                let index = if self.dice.percent(60) {
                    self.builder.uint(index)
                } else {
                    self.operand(Type::Uint)
                };
                let table = Handle::from_index(self.dice.below(2));
                let value = self.builder.table(table, index);
                self.scope.push(value);
            }
            43..45 if self.kind == Some(BodyKind::Update) => {
                let condition = self.operand(Type::Bool);
                self.builder.kill(condition);
            }
            45..46 if self.kind.is_some() && depth > 0 => {
                let message = format!("failure {}", self.dice.below(3));
                self.builder.fail(message);
            }
            46..56 if depth < 3 && left > 2 => return self.branch(left, depth),
            56..64 => self.again(),
            _ => self.operation(),
        }
        1
    }

    fn load(&mut self) {
        let columns: Vec<(Handle<Column>, Type)> = self
            .program
            .columns
            .iter()
            .filter(|(handle, column)| column.constant.is_none() && self.stored[handle.index()])
            .map(|(handle, column)| (handle, column.storage.ty()))
            .collect();
        if !columns.is_empty() {
            let (column, ty) = self.dice.pick(&columns);
            let value = self.builder.load(column, ty);
            self.scope.push(value);
        }
    }

    fn store(&mut self, handle: Handle<Column>) {
        let column = &self.program.columns[handle];
        let ty = column.storage.ty();
        // Some columns only ever get one constant.
        let lazy = (handle.index() + self.program.capacity as usize).is_multiple_of(4);
        let value = if column.field == Some(Field::Id) {
            self.builder.new_id()
        } else if lazy {
            let constants = if ty == Type::Float { 0.1f64.to_bits() as u32 } else { 0x1_0102 };
            let zero = self.program.capacity.is_multiple_of(2);
            match (ty, zero) {
                (Type::Float, true) => self.builder.float(0.0),
                (Type::Float, false) => self.builder.float(0.1),
                (_, true) => self.builder.uint(0),
                (_, false) => self.builder.uint(constants),
            }
        } else {
            self.operand(ty)
        };
        self.builder.store(handle, value);
        if self.dice.percent(5) {
            self.builder.store(handle, value);
        }
        self.stored[handle.index()] = true;
    }

    fn any_column(&mut self) -> Handle<Column> {
        let columns: Vec<Handle<Column>> = self
            .program
            .columns
            .iter()
            .filter(|(_, column)| column.constant.is_none() && column.field != Some(Field::Id))
            .map(|(handle, _)| handle)
            .collect();
        self.dice.pick(&columns)
    }

    /// Two stores to the same place with something between them that may see the first.
    fn overwrite(&mut self) {
        let column = self.any_column();
        let registers = if self.has_registers() { self.program.registers.len() } else { 0 };
        let register = (registers > 0 && self.dice.percent(50))
            .then(|| Handle::<Register>::from_index(self.dice.below(registers)));
        let store = |generator: &mut Self| match register {
            Some(register) => {
                let value = generator.operand(generator.program.registers[register].initial.ty());
                generator.builder.store_register(register, value);
            }
            None => generator.store(column),
        };
        store(self);
        let condition = self.operand(Type::Bool);
        let scope = self.scope.len();
        self.builder.open();
        match self.dice.below(4) {
            0 => store(self),
            1 => {}
            2 => self.load(),
            _ => self.builder.fail("failure between"),
        }
        self.scope.truncate(scope);
        let then = self.builder.close();
        self.builder.open();
        let otherwise = self.builder.close();
        self.builder.branch(condition, then, otherwise, &[]);
        store(self);
    }

    fn register(&mut self) {
        let count = self.program.registers.len();
        if count == 0 {
            return self.operation();
        }
        let register = Handle::<Register>::from_index(self.dice.below(count));
        let ty = self.program.registers[register].initial.ty();
        if self.dice.percent(50) {
            let value = self.builder.load_register(register, ty);
            self.scope.push(value);
        } else {
            let value = self.operand(ty);
            self.builder.store_register(register, value);
        }
    }

    fn call(&mut self) {
        let function =
            Handle::<Function>::from_index(self.dice.below(self.program.functions.len()));
        let callee = &self.program.functions[function];
        let arguments: Vec<ValueId> =
            callee.params.iter().map(|(_, ty)| self.operand(*ty)).collect();
        let types: Vec<Type> =
            callee.body.results.iter().map(|&result| callee.body.values[result].ty).collect();
        for _ in 0..1 + usize::from(self.dice.percent(20)) {
            let results = self.builder.call(function, arguments.clone(), &types);
            self.scope.extend(results);
        }
    }

    fn select(&mut self) {
        let ty = self.dice.pick(&[Type::Float, Type::Float, Type::Uint, Type::Bool]);
        let condition = self.operand(Type::Bool);
        let (a, b) = (self.operand(ty), self.operand(ty));
        let value = self.builder.select(condition, a, b);
        self.scope.push(value);
    }

    fn branch(&mut self, left: usize, depth: usize) -> usize {
        let condition = self.operand(Type::Bool);
        let types: Vec<Type> = (0..self.dice.below(3))
            .map(|_| self.dice.pick(&[Type::Float, Type::Float, Type::Uint, Type::Bool]))
            .collect();
        let size = 1 + self.dice.below(left.min(12));
        let stored = self.stored.clone();
        let (then, a) = self.arm(size, depth, &types);
        let stored_then = std::mem::replace(&mut self.stored, stored);
        let (otherwise, b) = if self.dice.percent(70) {
            self.arm(size / 2, depth, &types)
        } else {
            self.arm(0, depth, &types)
        };
        for (stored, then) in self.stored.iter_mut().zip(stored_then) {
            *stored &= then;
        }
        let outcomes: Vec<(ValueId, ValueId)> = a.into_iter().zip(b).collect();
        let results = self.builder.branch(condition, then, otherwise, &outcomes);
        self.scope.extend(results);
        size
    }

    fn arm(&mut self, size: usize, depth: usize, types: &[Type]) -> (Block, Vec<ValueId>) {
        let scope = self.scope.len();
        let written = self.written.len();
        self.builder.open();
        self.statements(size, depth + 1);
        let values = types.iter().map(|&ty| self.operand(ty)).collect();
        let block = self.builder.close();
        self.scope.truncate(scope);
        self.written.truncate(written);
        (block, values)
    }

    /// Writes an expression once more.
    fn again(&mut self) {
        if self.written.is_empty() {
            return self.operation();
        }
        let (expr, _) = self.dice.pick(&self.written);
        let value = match expr {
            Expr::Unary(op, a) => self.builder.unary(op, a),
            Expr::Binary(op, a, b) if op.is_commutative() => self.builder.binary(op, b, a),
            Expr::Binary(op, a, b) => self.builder.binary(op, a, b),
            _ => return,
        };
        self.scope.push(value);
    }

    fn operation(&mut self) {
        let expr = if self.dice.percent(35) {
            let op = self.dice.pick(UnaryOp::ALL);
            if op.is_transcendental() && !self.may_be_transcendental() {
                return;
            }
            Expr::Unary(op, self.operand(op.operands()[0]))
        } else {
            let op = self.dice.pick(BinaryOp::ALL);
            if op.is_transcendental() && !self.may_be_transcendental() {
                return;
            }
            let a = self.operand(op.operands()[0]);
            // The same operand twice is where many identities are.
            let same = self.dice.percent(8) && op.operands()[0] == op.operands()[1];
            let b = if same { a } else { self.operand(op.operands()[1]) };
            Expr::Binary(op, a, b)
        };
        let value = match expr {
            Expr::Unary(op, a) => self.builder.unary(op, a),
            Expr::Binary(op, a, b) => self.builder.binary(op, a, b),
            _ => return,
        };
        self.written.push((expr, self.scope.len()));
        self.scope.push(value);
    }

    fn operand(&mut self, ty: Type) -> ValueId {
        let fitting: Vec<ValueId> =
            self.scope.iter().copied().filter(|&value| self.builder.ty(value) == ty).collect();
        if !fitting.is_empty() && self.dice.percent(70) {
            // Near values more often, so that chains grow.
            let near = fitting.len().saturating_sub(4);
            return if self.dice.percent(50) {
                self.dice.pick(&fitting[near..])
            } else {
                self.dice.pick(&fitting)
            };
        }
        if self.kind.is_none() {
            let params: Vec<u32> = (0u32..)
                .zip(self.params)
                .filter(|(_, param)| param.1 == ty)
                .map(|(index, _)| index)
                .collect();
            if !params.is_empty() && self.dice.percent(60) {
                return self.builder.param(self.dice.pick(&params), ty);
            }
        } else if self.dice.percent(30) {
            let early = matches!(self.kind, Some(BodyKind::Init | BodyKind::Prepare));
            let uniforms: Vec<Handle<Uniform>> = self
                .program
                .uniforms
                .iter()
                .filter(|(_, uniform)| uniform.source.ty() == ty)
                .filter(|(_, uniform)| {
                    !(early && matches!(uniform.source, UniformSource::Prepared(_)))
                })
                .map(|(handle, _)| handle)
                .collect();
            if !uniforms.is_empty() {
                let uniform = self.dice.pick(&uniforms);
                return self.builder.uniform(uniform, ty);
            }
        }
        if ty == Type::Uint && self.kind == Some(BodyKind::Birth) && self.dice.percent(20) {
            return self.builder.new_id();
        }
        if ty == Type::Bool && self.dice.percent(70) {
            // Constant conditions shall not be the rule.
            let op = self.dice.pick(&[BinaryOp::Lt, BinaryOp::Le, BinaryOp::Ne, BinaryOp::ILt]);
            let a = self.operand(op.operands()[0]);
            let b = self.operand(op.operands()[1]);
            let value = self.builder.binary(op, a, b);
            self.scope.push(value);
            return value;
        }
        let constant = constant(self.dice, ty);
        self.builder.constant(constant)
    }
}
