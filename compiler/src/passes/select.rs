//! If-conversion: an `If` whose blocks only compute, and cheaply, becomes straight code with selects.
//!
//! SIMD lanes and GPU invocations then stay together, and a CPU has no branch to mispredict. Both
//! blocks run afterwards, so together they may cost at most [`LIMIT`]; inner `If`s are converted
//! first and count.

use super::rewrite::edit_bodies;
use crate::ir::{BinaryOp, Block, Body, Expr, Program, Stmt, UnaryOp};

/// Cost of both blocks together above which an `If` stays: about what a mispredicted branch costs.
const LIMIT: u32 = 16;

/// Runs the pass.
pub(super) fn convert_ifs(program: &mut Program) -> bool {
    edit_bodies(program, |_, _, body| {
        let mut block = std::mem::take(&mut body.block);
        let changed = convert(body, &mut block);
        body.block = block;
        changed
    })
}

fn convert(body: &mut Body, block: &mut Block) -> bool {
    let mut changed = false;
    let mut out = Block::with_capacity(block.len());
    for mut statement in block.drain(..) {
        if let Stmt::If { condition, then, otherwise, results } = &mut statement.kind {
            changed |= convert(body, then);
            changed |= convert(body, otherwise);
            let cost = cost(body, then).zip(cost(body, otherwise));
            if cost.is_some_and(|(then, otherwise)| then.saturating_add(otherwise) <= LIMIT) {
                changed = true;
                out.append(then);
                out.append(otherwise);
                for merge in results {
                    let select = Expr::Select(*condition, merge.then, merge.otherwise);
                    body.values[merge.result].expr = select;
                    let (kind, origin) = (Stmt::Let(merge.result), statement.origin);
                    out.push(crate::ir::Statement { kind, origin });
                }
                continue;
            }
        }
        out.push(statement);
    }
    *block = out;
    changed
}

/// Cost of a block that only computes; `None` if it does anything else or something expensive.
fn cost(body: &Body, block: &Block) -> Option<u32> {
    let mut sum = 0u32;
    for statement in block {
        let Stmt::Let(value) = statement.kind else { return None };
        sum = sum.saturating_add(match body.values[value].expr {
            Expr::Unary(op, _) if op.is_transcendental() => return None,
            Expr::Binary(op, ..) if op.is_transcendental() => return None,
            Expr::Unary(UnaryOp::Sqrt, _) | Expr::Binary(BinaryOp::Div, ..) => 4,
            // A loop on most targets.
            Expr::Binary(BinaryOp::Rem, ..) => 8,
            Expr::Table(..) | Expr::Texel(..) => 2,
            Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select(..)
            | Expr::Load(_)
            | Expr::LoadRegister(_) => 1,
            Expr::Const(_) | Expr::Uniform(_) | Expr::Param(_) | Expr::NewId | Expr::Result => 0,
        });
    }
    Some(sum)
}
