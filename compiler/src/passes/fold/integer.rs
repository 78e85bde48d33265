//! Identities of wrapping integers.

use super::{Folder, Simple};
use crate::ir::{BinaryOp, Const, Expr, ValueId};

impl Folder<'_> {
    pub(super) fn integer(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Simple> {
        if a == b {
            match op {
                BinaryOp::IAnd | BinaryOp::IOr => return Some(Simple::Value(a)),
                BinaryOp::IXor | BinaryOp::ISub => return uint(0),
                BinaryOp::IEq => return Some(Simple::Const(Const::Bool(true))),
                BinaryOp::ILt => return Some(Simple::Const(Const::Bool(false))),
                _ => {}
            }
        }
        let Some(Const::Uint(c)) = self.constant(b) else { return None };
        let mask = self.facts.mask(self.body, a);
        match (op, c) {
            (BinaryOp::IAdd | BinaryOp::ISub | BinaryOp::IOr | BinaryOp::IXor, 0)
            | (BinaryOp::IMul, 1) => Some(Simple::Value(a)),
            (BinaryOp::IShl | BinaryOp::IShr, by) if by & 31 == 0 => Some(Simple::Value(a)),
            (BinaryOp::IMul, 0) => uint(0),
            (BinaryOp::IOr, u32::MAX) => uint(u32::MAX),
            (BinaryOp::IAnd, c) if mask & c == 0 => uint(0),
            (BinaryOp::IAnd, c) if mask & !c == 0 => Some(Simple::Value(a)),
            (BinaryOp::ILt, 0) => Some(Simple::Const(Const::Bool(false))),
            (BinaryOp::ILt, c) if mask < c => Some(Simple::Const(Const::Bool(true))),
            (BinaryOp::IEq, c) if mask & c != c => Some(Simple::Const(Const::Bool(false))),
            (BinaryOp::IAdd | BinaryOp::IAnd | BinaryOp::IOr | BinaryOp::IXor, c) => {
                self.twice(op, a, c)
            }
            _ => None,
        }
    }

    /// The same operation with constants twice is one with their combination.
    fn twice(&mut self, op: BinaryOp, a: ValueId, second: u32) -> Option<Simple> {
        let Expr::Binary(inner, x, first) = self.expr(a) else { return None };
        let Some(Const::Uint(first)) = self.constant(first) else { return None };
        if inner != op {
            return None;
        }
        let c = match op {
            BinaryOp::IAdd => first.wrapping_add(second),
            BinaryOp::IAnd => first & second,
            BinaryOp::IOr => first | second,
            BinaryOp::IXor => first ^ second,
            _ => return None,
        };
        let c = self.constants.get(self.body, Const::Uint(c));
        Some(Simple::Expr(Expr::Binary(op, x, c)))
    }
}

fn uint(value: u32) -> Option<Simple> {
    Some(Simple::Const(Const::Uint(value)))
}
