//! Common subexpressions, and loads of what was loaded or stored before.
//!
//! The walk keeps what has been computed on the way to a statement (blocks forget what they added)
//! and what each column and register is known to hold. A load of a stored value is that value after
//! the storage's conversion. A store of what is there already goes.

use indexmap::IndexMap;

use super::rewrite::{Constants, Replaced, edit_bodies, rounded};
use crate::ir::{
    BinaryOp, Block, Body, Column, Const, Expr, Function, Handle, Precision, Program, Register,
    Stmt, Storage, UnaryOp, ValueId,
};

/// Runs the pass.
pub(super) fn eliminate_common(program: &mut Program) -> bool {
    edit_bodies(program, |program, place, body| {
        let before = body.clone();
        let mut walk = Walk {
            program,
            precision: place.precision(program),
            replaced: Replaced::new(body),
            constants: Constants::new(body),
            computed: IndexMap::new(),
            added: Vec::new(),
            memory: Memory {
                columns: vec![None; program.columns.len()],
                registers: vec![None; program.registers.len()],
                changes: Vec::new(),
            },
            body,
        };
        walk.share_free();
        let mut block = std::mem::take(&mut walk.body.block);
        walk.block(&mut block);
        walk.body.block = block;
        for result in &mut walk.body.results {
            *result = walk.replaced.get(*result);
        }
        *body != before
    })
}

/// Something that need not be computed twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Computed {
    Value(Expr),
    Call(Handle<Function>, Vec<ValueId>),
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    /// This value.
    Value(ValueId),
    /// This value after rounding to binary32.
    Rounded(ValueId),
    /// The low bits of this value.
    Masked(ValueId, u32),
}

/// What is known of the state at a statement.
#[derive(Debug)]
struct Memory {
    columns: Vec<Option<Known>>,
    registers: Vec<Option<ValueId>>,
    /// What was known before each change that was made in an open block, in order.
    changes: Vec<Change>,
}

/// A change of what is known, with what was known before.
#[derive(Clone, Copy, Debug)]
enum Change {
    Column(Handle<Column>, Option<Known>),
    Register(Handle<Register>, Option<ValueId>),
}

struct Walk<'a> {
    program: &'a Program,
    precision: Option<Precision>,
    body: &'a mut Body,
    replaced: Replaced,
    constants: Constants,
    computed: IndexMap<Computed, Vec<ValueId>>,
    /// Keys of `computed` in the order in which they were added.
    added: Vec<Computed>,
    memory: Memory,
}

impl Walk<'_> {
    /// Values that need no `Let` and are the same become one.
    fn share_free(&mut self) {
        let mut known = IndexMap::new();
        for (value, found) in self.body.values.iter() {
            let expr = match found.expr {
                Expr::Const(constant) => Expr::Const(rounded(constant, self.precision)),
                expr => expr,
            };
            if expr.is_free() {
                self.replaced.set(value, *known.entry(expr).or_insert(value));
            }
        }
    }

    fn block(&mut self, block: &mut Block) {
        block.retain_mut(|statement| {
            self.replaced.apply(&mut statement.kind);
            self.statement(&mut statement.kind)
        });
    }

    /// Gives whether the statement is still needed.
    fn statement(&mut self, statement: &mut Stmt) -> bool {
        match statement {
            Stmt::Let(value) => self.define(*value),
            Stmt::Store(column, value) => {
                let holds = self.after_store(*column, *value);
                self.memory.set_column(*column, Some(holds)) != Some(holds)
            }
            Stmt::StoreRegister(register, value) => {
                self.memory.set_register(*register, Some(*value)) != Some(*value)
            }
            Stmt::Call { function, arguments, results } => {
                let key = Computed::Call(*function, arguments.clone());
                if let Some(same) = self.computed.get(&key) {
                    for (result, same) in results.iter().zip(same) {
                        self.replaced.set(*result, *same);
                    }
                    return false;
                }
                self.add(key, results.clone());
                true
            }
            Stmt::If { then, otherwise, results, .. } => {
                let before = self.memory.changes.len();
                self.inner(then);
                for merge in results.iter_mut() {
                    merge.then = self.replaced.get(merge.then);
                }
                let after = self.memory.undo(before);
                self.inner(otherwise);
                for merge in results.iter_mut() {
                    merge.otherwise = self.replaced.get(merge.otherwise);
                }
                self.memory.meet(before, &after);
                true
            }
            Stmt::Draw { .. } | Stmt::Kill(_) | Stmt::Fail(_) => true,
        }
    }

    fn define(&mut self, value: ValueId) -> bool {
        let mut expr = self.body.values[value].expr.map_operands(|value| self.replaced.get(value));
        match expr {
            Expr::Load(column) => match self.memory.columns[column.index()] {
                Some(Known::Value(same)) => {
                    self.replaced.set(value, same);
                    return false;
                }
                Some(Known::Rounded(stored)) => expr = Expr::Unary(UnaryOp::RoundF32, stored),
                Some(Known::Masked(stored, mask)) => {
                    let mask = self.constants.get(self.body, Const::Uint(mask));
                    expr = Expr::Binary(BinaryOp::IAnd, stored, mask);
                }
                None => {
                    self.memory.set_column(column, Some(Known::Value(value)));
                    self.body.values[value].expr = expr;
                    return true;
                }
            },
            Expr::LoadRegister(register) => {
                return match self.memory.registers[register.index()] {
                    Some(same) => {
                        self.replaced.set(value, same);
                        false
                    }
                    None => {
                        self.memory.set_register(register, Some(value));
                        true
                    }
                };
            }
            _ => {}
        }
        let key = Computed::Value(match expr {
            Expr::Binary(op, a, b) if op.is_commutative() && b < a => Expr::Binary(op, b, a),
            expr => expr,
        });
        if let Some(same) = self.computed.get(&key).and_then(|values| values.first()) {
            self.replaced.set(value, *same);
            return false;
        }
        self.body.values[value].expr = expr;
        self.add(key, vec![value]);
        true
    }

    /// What a column holds after a store.
    fn after_store(&mut self, column: Handle<Column>, value: ValueId) -> Known {
        let storage = self.program.columns[column].storage;
        if let Expr::Const(constant) = self.body.values[value].expr {
            let constant = storage.stored(rounded(constant, self.precision));
            return Known::Value(self.constants.get(self.body, constant));
        }
        match storage {
            Storage::F32 if self.precision == Some(Precision::F64) => Known::Rounded(value),
            Storage::U16 => Known::Masked(value, 0xffff),
            Storage::U8 => Known::Masked(value, 0xff),
            Storage::F32 | Storage::F64 | Storage::U32 => Known::Value(value),
        }
    }

    fn add(&mut self, key: Computed, values: Vec<ValueId>) {
        self.added.push(key.clone());
        self.computed.insert(key, values);
    }

    /// A block of an `If`: what it computes is not there behind it.
    fn inner(&mut self, block: &mut Block) {
        let outside = self.added.len();
        self.block(block);
        for key in self.added.drain(outside..) {
            self.computed.swap_remove(&key);
        }
    }
}

impl Memory {
    /// Gives what was known before.
    fn set_column(&mut self, column: Handle<Column>, known: Option<Known>) -> Option<Known> {
        let before = std::mem::replace(&mut self.columns[column.index()], known);
        if before != known {
            self.changes.push(Change::Column(column, before));
        }
        before
    }

    /// Gives what was known before.
    fn set_register(
        &mut self,
        register: Handle<Register>,
        known: Option<ValueId>,
    ) -> Option<ValueId> {
        let before = std::mem::replace(&mut self.registers[register.index()], known);
        if before != known {
            self.changes.push(Change::Register(register, before));
        }
        before
    }

    /// Takes back what was changed since there were so many changes; gives what was known after
    /// them, each slot once.
    fn undo(&mut self, before: usize) -> Vec<Change> {
        let mut after = Vec::new();
        for change in self.changes.split_off(before).into_iter().rev() {
            match change {
                Change::Column(column, known) => {
                    let last = std::mem::replace(&mut self.columns[column.index()], known);
                    after.push(Change::Column(column, last));
                }
                Change::Register(register, known) => {
                    let last = std::mem::replace(&mut self.registers[register.index()], known);
                    after.push(Change::Register(register, last));
                }
            }
        }
        after
    }

    /// Keeps what both paths know: the one that was taken back, and the one that followed it.
    fn meet(&mut self, before: usize, other: &[Change]) {
        let (mut columns, mut registers) = (IndexMap::new(), IndexMap::new());
        for change in other {
            // The last change of a slot stands first.
            match *change {
                Change::Column(column, known) => {
                    columns.entry(column).or_insert(known);
                }
                Change::Register(register, known) => {
                    registers.entry(register).or_insert(known);
                }
            }
        }
        // What only this path has changed, the other one knows as it was: the oldest change says it.
        for change in self.changes[before..].iter() {
            match *change {
                Change::Column(column, known) => {
                    columns.entry(column).or_insert(known);
                }
                Change::Register(register, known) => {
                    registers.entry(register).or_insert(known);
                }
            }
        }
        for (column, known) in columns {
            if self.columns[column.index()] != known {
                self.set_column(column, None);
            }
        }
        for (register, known) in registers {
            if self.registers[register.index()] != known {
                self.set_register(register, None);
            }
        }
    }
}
