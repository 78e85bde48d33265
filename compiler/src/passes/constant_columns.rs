//! A column to which only one constant is ever stored becomes that constant.
//!
//! Birth stores every column, so each particle holds the constant from its first moment on. Only
//! system bodies of Exact could see something else, the zeros of slot 0 before the first birth: a
//! column that they load becomes a constant only if the constant is that zero.

use super::rewrite::{Constants, Replaced, canonical, edit_bodies, rounded};
use crate::ir::{Block, Body, Const, Expr, Program, Stmt};

/// What has been stored to a column.
#[derive(Clone, Copy, PartialEq)]
enum Stored {
    Nothing,
    One(Const),
    Various,
}

/// Runs the pass.
pub(super) fn find_constant_columns(program: &mut Program) -> bool {
    let mut stored = vec![Stored::Nothing; program.columns.len()];
    for (kind, body) in program.bodies() {
        let precision = Some(program.precision(kind));
        let mut blocks = vec![&body.block];
        while let Some(block) = blocks.pop() {
            for statement in block {
                match &statement.kind {
                    Stmt::Store(column, value) => {
                        let storage = program.columns[*column].storage;
                        let now = match body.values[*value].expr {
                            Expr::Const(constant) => {
                                Stored::One(canonical(storage.stored(rounded(constant, precision))))
                            }
                            _ => Stored::Various,
                        };
                        stored[column.index()].add(now);
                    }
                    Stmt::If { then, otherwise, .. } => blocks.extend([then, otherwise]),
                    Stmt::Let(_)
                    | Stmt::StoreRegister(..)
                    | Stmt::Draw { .. }
                    | Stmt::Call { .. }
                    | Stmt::Kill(_)
                    | Stmt::Fail(_) => {}
                }
            }
        }
        if !kind.is_particle() {
            for (_, value) in body.values.iter() {
                if let Expr::Load(column) = value.expr {
                    let zero = Const::zero(program.columns[column].storage.ty());
                    stored[column.index()].add(Stored::One(zero));
                }
            }
        }
    }
    let mut changed = false;
    let mut constants = Vec::with_capacity(stored.len());
    for ((_, column), stored) in program.columns.iter_mut().zip(stored) {
        if let (None, Stored::One(constant)) = (column.constant, stored) {
            column.constant = Some(constant);
            changed = true;
            constants.push(Some(constant));
        } else {
            constants.push(None);
        }
    }
    if changed {
        edit_bodies(program, |_, _, body| {
            replace(body, &constants);
            true
        });
    }
    changed
}

impl Stored {
    fn add(&mut self, other: Self) {
        *self = match *self {
            Self::Nothing => other,
            same if same == other => same,
            Self::One(_) | Self::Various => Self::Various,
        };
    }
}

/// Loads become the constants, stores go.
fn replace(body: &mut Body, columns: &[Option<Const>]) {
    let mut replaced = Replaced::new(body);
    let mut constants = Constants::new(body);
    let loads: Vec<_> = body.values.iter().map(|(value, found)| (value, found.expr)).collect();
    for (value, expr) in loads {
        if let Expr::Load(column) = expr
            && let Some(constant) = columns[column.index()]
        {
            let constant = constants.get(body, constant);
            replaced.set(value, constant);
        }
    }
    for (_, value) in body.values.iter_mut() {
        value.expr = value.expr.map_operands(|operand| replaced.get(operand));
    }
    for result in &mut body.results {
        *result = replaced.get(*result);
    }
    let mut block = std::mem::take(&mut body.block);
    replace_block(body, &mut block, &replaced, columns);
    body.block = block;
}

fn replace_block(body: &Body, block: &mut Block, replaced: &Replaced, columns: &[Option<Const>]) {
    block.retain_mut(|statement| {
        replaced.apply(&mut statement.kind);
        match &mut statement.kind {
            Stmt::Let(value) => match body.values[*value].expr {
                Expr::Load(column) => columns[column.index()].is_none(),
                _ => true,
            },
            Stmt::Store(column, _) => columns[column.index()].is_none(),
            Stmt::If { then, otherwise, results, .. } => {
                replace_block(body, then, replaced, columns);
                replace_block(body, otherwise, replaced, columns);
                for merge in results {
                    merge.then = replaced.get(merge.then);
                    merge.otherwise = replaced.get(merge.otherwise);
                }
                true
            }
            Stmt::StoreRegister(..)
            | Stmt::Draw { .. }
            | Stmt::Call { .. }
            | Stmt::Kill(_)
            | Stmt::Fail(_) => true,
        }
    });
}
