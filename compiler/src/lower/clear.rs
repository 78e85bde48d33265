//! Gives birth bodies what they leave out: every column is written before anything reads it.

use crate::ir::{Arena, Block, Body, Column, Const, Expr, Statement, Stmt, Value};

/// Stores 0 at the start of a birth in each column that the body may load before it writes it, or
/// may leave unwritten: the contract leaves both unspecified, and nothing of the slot's former
/// particle may remain.
pub(super) fn clear(columns: &Arena<Column>, mut body: Body) -> Body {
    let mut written = vec![false; columns.len()];
    let mut needed = vec![false; columns.len()];
    scan(&body, &body.block, &mut written, &mut needed);
    let mut clears = Vec::new();
    for (column, found) in columns.iter() {
        if needed[column.index()] || !written[column.index()] {
            let zero = Const::zero(found.storage.ty());
            let value = Value { expr: Expr::Const(zero), ty: zero.ty() };
            let zero = body.values.push(value);
            clears.push(Statement { kind: Stmt::Store(column, zero), origin: None });
        }
    }
    body.block.splice(0..0, clears);
    body
}

/// Notes what is written on every path to the end of the block, and what is loaded before.
fn scan(body: &Body, block: &Block, written: &mut Vec<bool>, needed: &mut [bool]) {
    for statement in block {
        match &statement.kind {
            Stmt::Let(value) => {
                if let Expr::Load(column) = body.values[*value].expr {
                    needed[column.index()] |= !written[column.index()];
                }
            }
            Stmt::Store(column, _) => written[column.index()] = true,
            Stmt::If { then, otherwise, .. } => {
                let mut other = written.clone();
                scan(body, then, written, needed);
                scan(body, otherwise, &mut other, needed);
                for (written, other) in written.iter_mut().zip(other) {
                    *written &= other;
                }
            }
            Stmt::StoreRegister(..)
            | Stmt::Draw { .. }
            | Stmt::Call { .. }
            | Stmt::Kill(_)
            | Stmt::Fail(_) => {}
        }
    }
}
