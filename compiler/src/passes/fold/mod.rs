//! Constant folding and algebra, as far as not a bit changes.
//!
//! Constants are computed with the operations' one evaluation, in the body's precision. A function
//! has no precision of its own: there a constant is folded only if both precisions give the same.
//! The walk goes forward once; blocks of an `If` know what their condition is.

mod algebra;
mod facts;
mod integer;
mod logic;

use self::facts::Facts;
use super::rewrite::{Constants, Replaced, as_bool, edit_bodies, rounded};
use crate::ir::op::{eval_binary, eval_unary};
use crate::ir::{
    Block, Body, Const, Expr, Merge, Precision, Program, Statement, Stmt, Storage, ValueId,
};

/// Runs the pass.
pub(super) fn fold(program: &mut Program) -> bool {
    edit_bodies(program, |program, place, body| {
        let before = body.clone();
        let precision = place.precision(program);
        let replaced = Replaced::new(body);
        let constants = Constants::new(body);
        let facts = Facts::new(body);
        Folder { program, precision, body, replaced, constants, facts }.fold();
        *body != before
    })
}

/// What an expression turned out to be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Simple {
    Const(Const),
    Value(ValueId),
    Expr(Expr),
}

struct Folder<'a> {
    program: &'a Program,
    precision: Option<Precision>,
    body: &'a mut Body,
    replaced: Replaced,
    constants: Constants,
    facts: Facts,
}

impl Folder<'_> {
    fn fold(mut self) {
        let block = std::mem::take(&mut self.body.block);
        let mut out = Block::with_capacity(block.len());
        self.block(block, &mut out);
        self.body.block = out;
        for result in &mut self.body.results {
            *result = self.replaced.get(*result);
        }
    }

    fn block(&mut self, block: Block, out: &mut Block) {
        for mut statement in block {
            self.replaced.apply(&mut statement.kind);
            match &mut statement.kind {
                Stmt::Let(value) => {
                    if !self.define(*value) {
                        continue;
                    }
                }
                Stmt::Store(column, value) => {
                    let storage = self.program.columns[*column].storage;
                    *value = self.before_store(storage, *value);
                }
                Stmt::Kill(condition) => {
                    if as_bool(self.body, *condition) == Some(false) {
                        continue;
                    }
                }
                Stmt::If { .. } => {
                    self.branch(statement, out);
                    continue;
                }
                Stmt::Draw { result, .. } => self.facts.draw(*result),
                Stmt::StoreRegister(..) | Stmt::Call { .. } | Stmt::Fail(_) => {}
            }
            out.push(statement);
        }
    }

    /// Simplifies the value of a `Let`; gives whether the `Let` is still needed.
    fn define(&mut self, value: ValueId) -> bool {
        let mut expr = self.body.values[value].expr.map_operands(|value| self.replaced.get(value));
        // Each rule makes the expression simpler; the bound only guards against a pair of rules
        // that undo each other.
        for _ in 0..8 {
            match self.simplify(expr) {
                None => break,
                Some(Simple::Expr(next)) => expr = next,
                Some(Simple::Value(same)) => {
                    self.replaced.set(value, same);
                    return false;
                }
                Some(Simple::Const(constant)) => {
                    let constant = self.constants.get(self.body, constant);
                    self.replaced.set(value, constant);
                    return false;
                }
            }
        }
        self.body.values[value].expr = expr;
        self.facts.learn(self.program, self.body, value);
        true
    }

    /// One step; `None` where the expression is as simple as it gets.
    fn simplify(&mut self, expr: Expr) -> Option<Simple> {
        match expr {
            Expr::Unary(op, a) => match self.constant(a) {
                Some(a) => self.both(|precision| eval_unary(op, a, precision)).map(Simple::Const),
                None => self.unary(op, a),
            },
            Expr::Binary(op, a, b) => match (self.constant(a), self.constant(b)) {
                (Some(a), Some(b)) => {
                    self.both(|precision| eval_binary(op, a, b, precision)).map(Simple::Const)
                }
                (Some(_), None) if op.is_commutative() => {
                    Some(Simple::Expr(Expr::Binary(op, b, a)))
                }
                _ => self.binary(op, a, b),
            },
            Expr::Select(condition, a, b) => self.select(condition, a, b),
            Expr::Table(table, index) => {
                let values = &self.program.tables[table].values;
                let index = match self.constant(index) {
                    Some(Const::Uint(index)) => index as usize,
                    _ if values.is_empty() => 0,
                    _ => return None,
                };
                let element = values.get(index).copied().unwrap_or(f64::NAN);
                Some(Simple::Const(rounded(Const::Float(element), self.precision)))
            }
            Expr::Const(_)
            | Expr::Uniform(_)
            | Expr::Param(_)
            | Expr::NewId
            | Expr::Load(_)
            | Expr::LoadRegister(_)
            | Expr::Texel(..)
            | Expr::Result => None,
        }
    }

    /// A computed constant, if it does not depend on a precision that is not known.
    fn both(&self, compute: impl Fn(Precision) -> Option<Const>) -> Option<Const> {
        if let Some(precision) = self.precision {
            return compute(precision);
        }
        let wide = compute(Precision::F64)?;
        let narrow = rounded(compute(Precision::F32)?, None);
        (rounded(wide, Some(Precision::F32)) == narrow).then_some(wide)
    }

    /// The constant that a value is, as the body reads it.
    fn constant(&self, value: ValueId) -> Option<Const> {
        match self.body.values[value].expr {
            Expr::Const(constant) => Some(rounded(constant, self.precision)),
            _ => None,
        }
    }

    /// How a value is computed.
    fn expr(&self, value: ValueId) -> Expr {
        self.body.values[value].expr
    }

    /// What may be stored instead, since the store converts anyway.
    fn before_store(&self, storage: Storage, value: ValueId) -> ValueId {
        let kept = match storage {
            Storage::U16 => 0xffff,
            Storage::U8 => 0xff,
            Storage::F64 | Storage::F32 | Storage::U32 => u32::MAX,
        };
        match self.expr(value) {
            Expr::Unary(crate::ir::UnaryOp::RoundF32, a) if storage == Storage::F32 => a,
            Expr::Binary(crate::ir::BinaryOp::IAnd, a, mask) => match self.constant(mask) {
                Some(Const::Uint(mask)) if mask & kept == kept => a,
                _ => value,
            },
            _ => value,
        }
    }

    /// Folds an `If` whose condition has been replaced already.
    fn branch(&mut self, statement: Statement, out: &mut Block) {
        let Statement {
            kind: Stmt::If { mut condition, mut then, mut otherwise, mut results },
            origin,
        } = statement
        else {
            return;
        };
        if let Expr::Unary(crate::ir::UnaryOp::Not, inverse) = self.expr(condition) {
            condition = inverse;
            std::mem::swap(&mut then, &mut otherwise);
            for merge in &mut results {
                std::mem::swap(&mut merge.then, &mut merge.otherwise);
            }
        }
        if let Some(taken) = as_bool(self.body, condition) {
            self.block(if taken { then } else { otherwise }, out);
            for merge in results {
                let from = if taken { merge.then } else { merge.otherwise };
                self.replaced.set(merge.result, self.replaced.get(from));
            }
            return;
        }
        let then = self.arm(condition, true, then, &mut results);
        let otherwise = self.arm(condition, false, otherwise, &mut results);
        results.retain(|merge| {
            let same = if merge.then == merge.otherwise {
                merge.then
            } else if as_bool(self.body, merge.then) == Some(true)
                && as_bool(self.body, merge.otherwise) == Some(false)
            {
                condition
            } else {
                self.facts.merge(self.body, *merge);
                return true;
            };
            self.replaced.set(merge.result, same);
            false
        });
        let kind = Stmt::If { condition, then, otherwise, results };
        out.push(Statement { kind, origin });
    }

    /// Folds a block in which the condition is known.
    fn arm(
        &mut self,
        condition: ValueId,
        holds: bool,
        block: Block,
        results: &mut [Merge],
    ) -> Block {
        let known = self.constants.get(self.body, Const::Bool(holds));
        let before = self.replaced.set(condition, known);
        let mut out = Block::with_capacity(block.len());
        self.block(block, &mut out);
        for merge in results {
            let side = if holds { &mut merge.then } else { &mut merge.otherwise };
            *side = self.replaced.get(*side);
        }
        self.replaced.set(condition, before);
        out
    }
}
