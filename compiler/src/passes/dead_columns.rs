//! Removes columns and registers that cannot make a difference to anything observed.
//!
//! What is observed is a compile option, [`Observe`](super::Observe). First the stores go, then the
//! code that only served them, and with it the last loads, then the columns.

use super::Observe;
use super::analysis::liveness::liveness;
use super::dce::remove_dead_code;
use super::dead_prepared::remove_dead_prepared;
use super::rewrite::{edit_bodies, retain};
use crate::ir::{Block, Body, Column, Expr, Handle, Program, Register, Stmt};

/// Runs the pass.
pub(super) fn remove_dead_columns(program: &mut Program, observe: Observe) -> bool {
    let render = program.render.clone();
    let is_observed =
        |column: &Column| column.field.is_some_and(|field| observe.sees(field, &render));
    let live = liveness(program, is_observed);
    let mut changed = edit_bodies(program, |_, _, body| {
        let mut changed = false;
        remove_stores(&mut body.block, &mut |statement| {
            let keep = match statement {
                Stmt::Store(column, _) => live.columns[column.index()],
                Stmt::StoreRegister(register, _) => live.registers[register.index()],
                _ => true,
            };
            changed |= !keep;
            keep
        });
        changed
    });
    changed |= remove_dead_code(program);
    changed |= remove_dead_prepared(program);
    let touched = touched(program);
    let keep_column =
        |handle: Handle<Column>, column: &Column| is_observed(column) || touched.0[handle.index()];
    let keep_register = |handle: Handle<Register>, _: &Register| touched.1[handle.index()];
    let columns = retain(&mut program.columns, keep_column);
    let registers = retain(&mut program.registers, keep_register);
    if columns.iter().all(Option::is_some) && registers.iter().all(Option::is_some) {
        return changed;
    }
    edit_bodies(program, |_, _, body| {
        rename(body, &columns, &registers);
        true
    })
}

fn remove_stores(block: &mut Block, keep: &mut impl FnMut(&Stmt) -> bool) {
    block.retain_mut(|statement| {
        if let Stmt::If { then, otherwise, .. } = &mut statement.kind {
            remove_stores(then, keep);
            remove_stores(otherwise, keep);
        }
        keep(&statement.kind)
    });
}

/// Which columns and registers the bodies name.
fn touched(program: &Program) -> (Vec<bool>, Vec<bool>) {
    let mut columns = vec![false; program.columns.len()];
    let mut registers = vec![false; program.registers.len()];
    for (_, body) in program.bodies() {
        for (_, value) in body.values.iter() {
            match value.expr {
                Expr::Load(column) => columns[column.index()] = true,
                Expr::LoadRegister(register) => registers[register.index()] = true,
                _ => {}
            }
        }
        let mut blocks = vec![&body.block];
        while let Some(block) = blocks.pop() {
            for statement in block {
                match &statement.kind {
                    Stmt::Store(column, _) => columns[column.index()] = true,
                    Stmt::StoreRegister(register, _) => registers[register.index()] = true,
                    Stmt::If { then, otherwise, .. } => blocks.extend([then, otherwise]),
                    Stmt::Let(_)
                    | Stmt::Draw { .. }
                    | Stmt::Call { .. }
                    | Stmt::Kill(_)
                    | Stmt::Fail(_) => {}
                }
            }
        }
    }
    (columns, registers)
}

fn rename(
    body: &mut Body,
    columns: &[Option<Handle<Column>>],
    registers: &[Option<Handle<Register>>],
) {
    for (_, value) in body.values.iter_mut() {
        match &mut value.expr {
            Expr::Load(column) => *column = columns[column.index()].unwrap_or(*column),
            Expr::LoadRegister(register) => {
                *register = registers[register.index()].unwrap_or(*register);
            }
            _ => {}
        }
    }
    let mut blocks = vec![&mut body.block];
    while let Some(block) = blocks.pop() {
        for statement in block {
            match &mut statement.kind {
                Stmt::Store(column, _) => *column = columns[column.index()].unwrap_or(*column),
                Stmt::StoreRegister(register, _) => {
                    *register = registers[register.index()].unwrap_or(*register);
                }
                Stmt::If { then, otherwise, .. } => blocks.extend([then, otherwise]),
                Stmt::Let(_)
                | Stmt::Draw { .. }
                | Stmt::Call { .. }
                | Stmt::Kill(_)
                | Stmt::Fail(_) => {}
            }
        }
    }
}
