//! Identities of truth values and of `select`.

use super::{Folder, Simple};
use crate::ir::{BinaryOp, Const, Expr, UnaryOp, ValueId};

impl Folder<'_> {
    pub(super) fn logic(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Simple> {
        let bool = |value| Some(Simple::Const(Const::Bool(value)));
        if a == b {
            return match op {
                BinaryOp::And | BinaryOp::Or => Some(Simple::Value(a)),
                BinaryOp::Xor => bool(false),
                _ => None,
            };
        }
        let Some(Const::Bool(c)) = self.constant(b) else { return None };
        match (op, c) {
            (BinaryOp::And, true) | (BinaryOp::Or | BinaryOp::Xor, false) => Some(Simple::Value(a)),
            (BinaryOp::And, false) => bool(false),
            (BinaryOp::Or, true) => bool(true),
            (BinaryOp::Xor, true) => Some(Simple::Expr(Expr::Unary(UnaryOp::Not, a))),
            _ => None,
        }
    }

    pub(super) fn select(&self, condition: ValueId, a: ValueId, b: ValueId) -> Option<Simple> {
        let select = |a, b| Some(Simple::Expr(Expr::Select(condition, a, b)));
        if let Some(Const::Bool(condition)) = self.constant(condition) {
            return Some(Simple::Value(if condition { a } else { b }));
        }
        if a == b {
            return Some(Simple::Value(a));
        }
        if let Expr::Unary(UnaryOp::Not, inverse) = self.expr(condition) {
            return Some(Simple::Expr(Expr::Select(inverse, b, a)));
        }
        let side = |value| match self.constant(value) {
            Some(Const::Bool(value)) => Some(value),
            _ => None,
        };
        match (side(a), side(b)) {
            (Some(true), Some(false)) => return Some(Simple::Value(condition)),
            (Some(false), Some(true)) => {
                return Some(Simple::Expr(Expr::Unary(UnaryOp::Not, condition)));
            }
            (Some(true), None) => {
                return Some(Simple::Expr(Expr::Binary(BinaryOp::Or, condition, b)));
            }
            (None, Some(false)) => {
                return Some(Simple::Expr(Expr::Binary(BinaryOp::And, condition, a)));
            }
            _ => {}
        }
        match (self.expr(a), self.expr(b)) {
            (Expr::Select(same, x, _), _) if same == condition => select(x, b),
            (_, Expr::Select(same, _, y)) if same == condition => select(a, y),
            _ => None,
        }
    }
}
