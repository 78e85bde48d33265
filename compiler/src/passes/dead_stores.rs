//! Removes stores that are overwritten on every path before anything can see them.
//!
//! A particle's columns are read by its own body, and after its end by everyone: so a store is seen
//! by loads behind it, by `Fail` (what has been stored stays) and by the end of the body. Registers
//! are the same. One walk from the end to the beginning.

use super::rewrite::{edit_bodies, retain_backwards};
use crate::ir::{Block, Body, Expr, Program, Stmt};

/// Runs the pass.
pub(super) fn remove_dead_stores(program: &mut Program) -> bool {
    edit_bodies(program, |program, _, body| {
        let nothing = Overwritten {
            columns: vec![false; program.columns.len()],
            registers: vec![false; program.registers.len()],
        };
        let mut walk = Walk { overwritten: nothing, changed: false };
        let mut block = std::mem::take(&mut body.block);
        walk.block(body, &mut block);
        body.block = block;
        walk.changed
    })
}

/// What is written before it is read, from a statement on.
#[derive(Clone)]
struct Overwritten {
    columns: Vec<bool>,
    registers: Vec<bool>,
}

struct Walk {
    overwritten: Overwritten,
    changed: bool,
}

impl Walk {
    fn block(&mut self, body: &Body, block: &mut Block) {
        let removed = retain_backwards(block, |statement| self.statement(body, statement));
        self.changed |= removed;
    }

    /// Gives whether the statement is needed.
    fn statement(&mut self, body: &Body, statement: &mut Stmt) -> bool {
        match statement {
            Stmt::Let(value) => match body.values[*value].expr {
                Expr::Load(column) => self.overwritten.columns[column.index()] = false,
                Expr::LoadRegister(register) => {
                    self.overwritten.registers[register.index()] = false;
                }
                _ => {}
            },
            Stmt::Store(column, _) => {
                let slot = &mut self.overwritten.columns[column.index()];
                return !std::mem::replace(slot, true);
            }
            Stmt::StoreRegister(register, _) => {
                let slot = &mut self.overwritten.registers[register.index()];
                return !std::mem::replace(slot, true);
            }
            Stmt::If { then, otherwise, .. } => {
                let after = self.overwritten.clone();
                self.block(body, then);
                let before_then = std::mem::replace(&mut self.overwritten, after);
                self.block(body, otherwise);
                self.overwritten.meet(&before_then);
            }
            Stmt::Fail(_) => {
                self.overwritten.columns.fill(false);
                self.overwritten.registers.fill(false);
            }
            Stmt::Draw { .. } | Stmt::Call { .. } | Stmt::Kill(_) => {}
        }
        true
    }
}

impl Overwritten {
    /// Keeps what both paths overwrite.
    fn meet(&mut self, other: &Self) {
        for (mine, other) in self.columns.iter_mut().zip(&other.columns) {
            *mine &= other;
        }
        for (mine, other) in self.registers.iter_mut().zip(&other.registers) {
            *mine &= other;
        }
    }
}
