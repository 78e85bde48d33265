//! The statements of one body: one `let` a value, one line a statement, blocks named in comments.
//!
//! Values are numbered in order of definition.

use std::collections::BTreeSet;

use super::columns::{MEMBERS, column_word, wide_record};
use super::error::WgslError;
use super::functions::{Results, results};
use super::helpers::{Helper, Helpers};
use super::literal;
use super::ops;
use super::records::Records;
use super::writer::Writer;
use super::{Context, literal::type_name};
use crate::emit::decisions::Place;
use crate::emit::layout::{Counter, WIDE};
use crate::ir::op::{eval_binary, eval_unary};
use crate::ir::{
    BinaryOp, Block, Body, BodyKind, Column, Const, Expr, Function, Handle, Merge, Origin,
    Precision, Statement, Stmt, Storage, Table, Texture, ValueId, stored_columns,
};

/// Prints one body.
pub(super) struct BodyPrinter<'a> {
    context: &'a Context<'a>,
    body: &'a Body,
    place: Place,
    writer: &'a mut Writer,
    helpers: &'a mut Helpers,
    /// Printed number of each value that has been defined.
    numbers: Vec<Option<usize>>,
    next: usize,
    /// The origin that the last comment named.
    origin: Option<Handle<Origin>>,
}

impl<'a> BodyPrinter<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        body: &'a Body,
        place: Place,
        writer: &'a mut Writer,
        helpers: &'a mut Helpers,
    ) -> Self {
        let numbers = vec![None; body.values.len()];
        Self { context, body, place, writer, helpers, numbers, next: 0, origin: None }
    }

    /// Prints all statements.
    pub(super) fn print(&mut self) -> Result<(), WgslError> {
        let body = self.body;
        self.block(&body.block)
    }

    /// Prints a body that runs on a particle that lives, or makes one: wide records are variables, which are
    /// loaded before everything else and stored after it. Other loads come first too: no compiler of shaders
    /// moves a load over a store to the same buffer, and memory is fastest while it has many loads to do.
    pub(super) fn print_on_particle(&mut self) -> Result<(), WgslError> {
        let body = self.body;
        let records = Records::of(body, self.context.layout);
        for (index, record) in records.touched(self.context.layout) {
            let columns: Vec<&str> = record
                .columns
                .iter()
                .map(|&column| self.context.program.columns[column].name.as_str())
                .collect();
            let buffer = self.context.names.buffer(record.buffer);
            // What a particle is born with is all stored.
            if self.place == Place::Body(BodyKind::Birth) || records.is_overwritten(index) {
                self.writer.line(format_args!("var record{index}: vec4<u32>; // {columns:?}"));
            } else {
                let words = wide_record(record.word, &buffer, "slot");
                self.writer.line(format_args!("var record{index} = {words}; // {columns:?}"));
            }
        }
        let mut stored = BTreeSet::new();
        let (mut early, mut rest) = (Vec::new(), Vec::new());
        for statement in &body.block {
            match self.loads(statement) {
                Some(column) if !stored.contains(&column) && !self.is_in_variable(column) => {
                    early.push(statement);
                }
                _ => rest.push(statement),
            }
            stored.extend(stored_columns(std::slice::from_ref(statement)));
        }
        for statement in early {
            self.statement(&statement.kind)?;
        }
        for statement in rest {
            self.comment(statement);
            self.statement(&statement.kind)?;
        }
        for (index, record) in records.touched(self.context.layout) {
            if records.is_stored(index) {
                let buffer = self.context.names.buffer(record.buffer);
                let words = wide_record(record.word, &buffer, "slot");
                self.writer.line(format_args!("{words} = record{index};"));
            }
        }
        Ok(())
    }

    /// Whether a column lies in a wide record.
    fn is_in_variable(&self, column: Handle<Column>) -> bool {
        self.context.layout.column(column).is_some_and(|place| place.stride == WIDE)
    }

    /// A column's word of this particle.
    fn word(&self, column: Handle<Column>) -> Option<String> {
        let layout = self.context.layout;
        let (index, which) = layout.in_record(column)?;
        let place = layout.column(column)?;
        if place.stride == WIDE {
            return Some(format!("record{index}.{}", MEMBERS[which as usize]));
        }
        Some(column_word(place, &self.context.names.buffer(place.buffer), "slot"))
    }

    /// The column that a statement loads.
    fn loads(&self, statement: &Statement) -> Option<Handle<Column>> {
        let Stmt::Let(value) = statement.kind else { return None };
        match self.body.values[value].expr {
            Expr::Load(column) => Some(column),
            _ => None,
        }
    }

    fn block(&mut self, block: &Block) -> Result<(), WgslError> {
        for statement in block {
            self.comment(statement);
            self.statement(&statement.kind)?;
        }
        Ok(())
    }

    /// Names the block that a statement comes from, where that changes.
    fn comment(&mut self, statement: &Statement) {
        if statement.origin == self.origin {
            return;
        }
        self.origin = statement.origin;
        match self.origin.and_then(|origin| self.context.program.origins.get(origin)) {
            // The debug form escapes whatever could end the comment.
            Some(from) => self.writer.line(format_args!("// {} {:?}", from.id, from.name)),
            None => self.writer.line(format_args!("// (no block)")),
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Result<(), WgslError> {
        match statement {
            Stmt::Let(value) => {
                let text = self.value(*value)?;
                let name = self.define(*value);
                match self.body.values[*value].expr {
                    Expr::Load(column) => {
                        let of = &self.context.program.columns[column].name;
                        self.writer.line(format_args!("let {name} = {text}; // {of:?}"));
                    }
                    _ => self.writer.line(format_args!("let {name} = {text};")),
                }
            }
            Stmt::Store(column, value) => self.store(*column, *value)?,
            Stmt::If { condition, then, otherwise, results } => {
                self.branch(*condition, then, otherwise, results)?;
            }
            Stmt::Call { function, arguments, results } => {
                self.call(*function, arguments, results);
            }
            Stmt::Kill(condition) => {
                let condition = self.operand(*condition);
                self.writer.line(format_args!("dies = dies | {condition};"));
            }
            Stmt::Fail(message) => {
                let index = self.context.usage.messages.get_index_of(message).unwrap_or(0);
                let status = Counter::Status.name();
                self.writer.line(format_args!("// Fails: {message:?}"));
                self.writer.line(format_args!("atomicMax(&control.{status}, {}u);", index + 1));
            }
            Stmt::StoreRegister(..) => return self.misplaced("a store to a register"),
            Stmt::Draw { .. } => return self.misplaced("a draw"),
        }
        Ok(())
    }

    fn store(&mut self, column: Handle<Column>, value: ValueId) -> Result<(), WgslError> {
        let Some(word) = self.word(column) else {
            return self.misplaced("a store to a constant column");
        };
        let value = self.operand(value);
        let definition = &self.context.program.columns[column];
        let bits = match definition.storage {
            Storage::F64 | Storage::F32 => format!("bitcast<u32>({value})"),
            Storage::U32 => value,
            Storage::U16 => format!("{value} & 0xffffu"),
            Storage::U8 => format!("{value} & 0xffu"),
        };
        self.writer.line(format_args!("{word} = {bits}; // {:?}", definition.name));
        Ok(())
    }

    fn branch(
        &mut self,
        condition: ValueId,
        then: &Block,
        otherwise: &Block,
        results: &[Merge],
    ) -> Result<(), WgslError> {
        let condition = self.operand(condition);
        let names: Vec<String> = results.iter().map(|merge| self.define(merge.result)).collect();
        for (name, merge) in names.iter().zip(results) {
            let ty = type_name(self.body.values[merge.result].ty);
            self.writer.line(format_args!("var {name}: {ty};"));
        }
        let origin = self.origin;
        self.writer.open(format_args!("if ({condition}) {{"));
        self.block(then)?;
        for (name, merge) in names.iter().zip(results) {
            let value = self.operand(merge.then);
            self.writer.line(format_args!("{name} = {value};"));
        }
        if !otherwise.is_empty() || !results.is_empty() {
            self.writer.turn(format_args!("}} else {{"));
            self.origin = origin;
            self.block(otherwise)?;
            for (name, merge) in names.iter().zip(results) {
                let value = self.operand(merge.otherwise);
                self.writer.line(format_args!("{name} = {value};"));
            }
        }
        self.writer.close(format_args!("}}"));
        Ok(())
    }

    fn call(&mut self, function: Handle<Function>, arguments: &[ValueId], defines: &[ValueId]) {
        let name = self.context.names.function(function);
        let arguments: Vec<String> = arguments.iter().map(|&value| self.operand(value)).collect();
        let call = format!("{name}({})", arguments.join(", "));
        match results(self.context.program, self.context.names, function) {
            Results::None => self.writer.line(format_args!("{call};")),
            Results::One(_) => {
                for &value in defines {
                    let value = self.define(value);
                    self.writer.line(format_args!("let {value} = {call};"));
                }
            }
            Results::Several(_) => {
                let all = format!("call{}", self.next);
                self.writer.line(format_args!("let {all} = {call};"));
                for (index, &value) in defines.iter().enumerate() {
                    let value = self.define(value);
                    self.writer.line(format_args!("let {value} = {all}.r{index};"));
                }
            }
        }
    }

    fn define(&mut self, value: ValueId) -> String {
        let number = self.next;
        self.next += 1;
        if let Some(slot) = self.numbers.get_mut(value.index()) {
            *slot = Some(number);
        }
        format!("v{number}")
    }

    /// A value where it is used: a name or a literal.
    pub(super) fn operand(&mut self, value: ValueId) -> String {
        match self.body.values[value].expr {
            Expr::Const(constant) => literal::constant(constant, self.helpers),
            Expr::Uniform(uniform) => format!("u.{}", self.context.names.uniform(uniform)),
            Expr::Param(index) => match self.place {
                Place::Function(function) => self.context.names.param(function, index).to_owned(),
                Place::Body(_) => "?".into(),
            },
            Expr::NewId => "new_id".into(),
            Expr::Load(_)
            | Expr::LoadRegister(_)
            | Expr::Table(..)
            | Expr::Texel(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select(..)
            | Expr::Result => match self.numbers.get(value.index()).copied().flatten() {
                Some(number) => format!("v{number}"),
                None => "?".into(),
            },
        }
    }

    /// The right side of a `let`.
    fn value(&mut self, value: ValueId) -> Result<String, WgslError> {
        let expr = self.body.values[value].expr;
        let text = self.expr(expr)?;
        let is_constant = self.constant(expr).is_some();
        if !is_constant && self.context.decisions.is_held(self.place, value) {
            return Ok(format!("bitcast<f32>(bitcast<u32>({text}) ^ u.zero)"));
        }
        Ok(text)
    }

    fn expr(&mut self, expr: Expr) -> Result<String, WgslError> {
        if let Some(constant) = self.constant(expr) {
            return Ok(literal::constant(constant, self.helpers));
        }
        match expr {
            Expr::Load(column) => self.load(column),
            Expr::Table(table, index) => Ok(self.table(table, index)),
            Expr::Unary(op, a) => {
                let a = self.operand(a);
                let text = ops::unary(op, &a, self.helpers);
                text.ok_or_else(|| self.unexpanded(op.name()))
            }
            Expr::Binary(op, a, b) => {
                let a = self.operand(a);
                let b = if is_shift(op) { self.distance(b) } else { self.operand(b) };
                let text = ops::binary(op, &a, &b, self.helpers);
                text.ok_or_else(|| self.unexpanded(op.name()))
            }
            Expr::Select(condition, a, b) => {
                let (condition, a, b) = (self.operand(condition), self.operand(a), self.operand(b));
                Ok(format!("select({b}, {a}, {condition})"))
            }
            Expr::Texel(texture, x, y, channel) => Ok(self.texel(texture, x, y, channel)),
            Expr::LoadRegister(_) => self.misplaced("a register"),
            Expr::Const(_) | Expr::Uniform(_) | Expr::Param(_) | Expr::NewId | Expr::Result => {
                self.misplaced("a let of a value that needs none")
            }
        }
    }

    /// The second operand of a shift, below 32.
    fn distance(&mut self, value: ValueId) -> String {
        match self.body.values[value].expr {
            Expr::Const(Const::Uint(distance)) => format!("{}u", distance & 31),
            _ => format!("({} & 31u)", self.operand(value)),
        }
    }

    /// The value of an operation on constants alone. In WGSL it would be a constant expression,
    /// where overflow and NaN are errors.
    fn constant(&self, expr: Expr) -> Option<Const> {
        let known = |value: ValueId| match self.body.values[value].expr {
            Expr::Const(constant) => Some(constant),
            _ => None,
        };
        match expr {
            Expr::Unary(op, a) if !op.is_transcendental() => {
                eval_unary(op, known(a)?, Precision::F32)
            }
            Expr::Binary(op, a, b) if !op.is_transcendental() => {
                eval_binary(op, known(a)?, known(b)?, Precision::F32)
            }
            Expr::Select(condition, a, b) => match known(condition)? {
                Const::Bool(true) => known(a),
                Const::Bool(false) => known(b),
                Const::Float(_) | Const::Uint(_) => None,
            },
            Expr::Const(_)
            | Expr::Uniform(_)
            | Expr::Param(_)
            | Expr::NewId
            | Expr::Load(_)
            | Expr::LoadRegister(_)
            | Expr::Table(..)
            | Expr::Texel(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Result => None,
        }
    }

    fn load(&self, column: Handle<Column>) -> Result<String, WgslError> {
        let Some(word) = self.word(column) else {
            return self.misplaced("a load of a constant column");
        };
        Ok(match self.context.program.columns[column].storage {
            Storage::F64 | Storage::F32 => format!("bitcast<f32>({word})"),
            // Stores keep the low bits only.
            Storage::U32 | Storage::U16 | Storage::U8 => word,
        })
    }

    fn table(&mut self, table: Handle<Table>, index: ValueId) -> String {
        let index = self.operand(index);
        let found = self.context.layout.tables.iter().find(|(of, ..)| *of == table);
        let (first, length) = found.map_or((0, 0), |&(_, first, length)| (first, length));
        let (first, length) = (format!("{first}u"), format!("{length}u"));
        self.helpers.call(Helper::ReadTable, &[&first, &length, &index])
    }

    fn texel(&mut self, texture: Handle<Texture>, x: ValueId, y: ValueId, channel: u8) -> String {
        let (x, y) = (self.operand(x), self.operand(y));
        let number = self.context.layout.textures.iter().position(|&of| of == texture);
        let (number, channel) = (format!("{}u", number.unwrap_or(0)), format!("{channel}u"));
        self.helpers.call(Helper::ReadTexel, &[&number, &x, &y, &channel])
    }

    fn place(&self) -> String {
        match self.place {
            Place::Body(kind) => kind.name().into(),
            Place::Function(function) => {
                format!("function {}", self.context.program.functions[function].name)
            }
        }
    }

    fn misplaced<T>(&self, what: &'static str) -> Result<T, WgslError> {
        Err(WgslError::Misplaced { place: self.place(), what })
    }

    fn unexpanded(&self, operation: &'static str) -> WgslError {
        WgslError::Unexpanded { place: self.place(), operation }
    }
}

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::IShl | BinaryOp::IShr)
}
