//! Identities of floats that hold for every operand: NaN, infinities and zeros of both signs.
//!
//! `x + 0` turns -0 into 0, `x * 0` makes NaN of NaN and infinities: what is known of the operand decides.
//! `x - x` and `x == x` (NaN) are missing on purpose.

use super::{Folder, Simple};
use crate::ir::{BinaryOp, Const, Expr, Precision, UnaryOp, ValueId};

impl Folder<'_> {
    /// Rules for an operation on something that is no constant.
    pub(super) fn unary(&self, op: UnaryOp, a: ValueId) -> Option<Simple> {
        let value = |value| Some(Simple::Value(value));
        let unary = |op, a| Some(Simple::Expr(Expr::Unary(op, a)));
        match (op, self.expr(a)) {
            (UnaryOp::Neg, Expr::Unary(UnaryOp::Neg, x)) => value(x),
            (UnaryOp::Abs, Expr::Unary(UnaryOp::Neg, x)) => unary(UnaryOp::Abs, x),
            (UnaryOp::Abs, Expr::Unary(UnaryOp::Abs, _)) => value(a),
            (UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::Round, _)
                if self.facts.is_integral(self.body, a) =>
            {
                value(a)
            }
            (UnaryOp::RoundF32, _) => {
                let is_single =
                    self.precision == Some(Precision::F32) || self.facts.is_single(self.body, a);
                if is_single { value(a) } else { None }
            }
            (UnaryOp::ToUint, Expr::Unary(UnaryOp::Trunc, x)) => unary(UnaryOp::ToUint, x),
            (UnaryOp::ToUint, Expr::Unary(UnaryOp::FromUint, x)) if self.is_exact_integer(x) => {
                value(x)
            }
            (UnaryOp::ToUint, Expr::Unary(UnaryOp::FromInt, x)) if self.is_exact_integer(x) => {
                value(x)
            }
            (UnaryOp::Not, definition) => match definition {
                Expr::Unary(UnaryOp::Not, x) => value(x),
                Expr::Binary(BinaryOp::Eq, x, y) => {
                    Some(Simple::Expr(Expr::Binary(BinaryOp::Ne, x, y)))
                }
                Expr::Binary(BinaryOp::Ne, x, y) => {
                    Some(Simple::Expr(Expr::Binary(BinaryOp::Eq, x, y)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a float of the body can hold the integer.
    fn is_exact_integer(&self, value: ValueId) -> bool {
        self.precision == Some(Precision::F64) || self.facts.mask(self.body, value) < 1 << 24
    }

    /// Rules for an operation with at most one constant, which stands second if it can.
    pub(super) fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Simple> {
        match op {
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Min
            | BinaryOp::Max
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Eq
            | BinaryOp::Ne => self.float(op, a, b),
            BinaryOp::Pow | BinaryOp::Atan2 => None,
            BinaryOp::IAdd
            | BinaryOp::ISub
            | BinaryOp::IMul
            | BinaryOp::IAnd
            | BinaryOp::IOr
            | BinaryOp::IXor
            | BinaryOp::IShl
            | BinaryOp::IShr
            | BinaryOp::IEq
            | BinaryOp::ILt => self.integer(op, a, b),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.logic(op, a, b),
        }
    }

    fn float(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Simple> {
        if let Some(simple) = self.with_nan(op, a, b) {
            return Some(simple);
        }
        let unary = |op, a| Some(Simple::Expr(Expr::Unary(op, a)));
        let binary = |op, a, b| Some(Simple::Expr(Expr::Binary(op, a, b)));
        if let Some(Const::Float(c)) = self.constant(b) {
            let same = match op {
                BinaryOp::Add => is(c, -0.0),
                BinaryOp::Sub => is(c, 0.0),
                BinaryOp::Mul | BinaryOp::Div => is(c, 1.0),
                _ => false,
            };
            // Random numbers from a range that begins at 0, or that holds one value.
            if same || (op == BinaryOp::Add && is(c, 0.0) && self.facts.is_positive(self.body, a)) {
                return Some(Simple::Value(a));
            }
            if op == BinaryOp::Mul && c == 0.0 && self.facts.is_small(self.body, a) {
                return Some(Simple::Const(Const::Float(c)));
            }
            if matches!(op, BinaryOp::Mul | BinaryOp::Div) && is(c, -1.0) {
                return unary(UnaryOp::Neg, a);
            }
            // Exact, and what GPUs do not round correctly is gone.
            if let (BinaryOp::Div, Some(factor)) = (op, inverse_of_power_of_two(c)) {
                let factor = self.constants.get(self.body, Const::Float(factor));
                return binary(BinaryOp::Mul, a, factor);
            }
        }
        match (op, self.expr(a), self.expr(b)) {
            (BinaryOp::Add, _, Expr::Unary(UnaryOp::Neg, y)) => binary(BinaryOp::Sub, a, y),
            (BinaryOp::Add, Expr::Unary(UnaryOp::Neg, x), _) => binary(BinaryOp::Sub, b, x),
            (BinaryOp::Sub, _, Expr::Unary(UnaryOp::Neg, y)) => binary(BinaryOp::Add, a, y),
            (
                BinaryOp::Mul | BinaryOp::Div,
                Expr::Unary(UnaryOp::Neg, x),
                Expr::Unary(UnaryOp::Neg, y),
            ) => binary(op, x, y),
            (BinaryOp::Min | BinaryOp::Max, _, _) if a == b => Some(Simple::Value(a)),
            (BinaryOp::Lt, _, _) if a == b => Some(Simple::Const(Const::Bool(false))),
            _ => None,
        }
    }

    /// NaN swallows whatever it meets.
    fn with_nan(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Simple> {
        let is_nan =
            |value| matches!(self.constant(value), Some(Const::Float(float)) if float.is_nan());
        if !is_nan(a) && !is_nan(b) {
            return None;
        }
        Some(Simple::Const(match op.result() {
            crate::ir::Type::Bool => Const::Bool(op == BinaryOp::Ne),
            _ => Const::Float(f64::NAN),
        }))
    }
}

/// Equality that tells 0 from -0.
fn is(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

/// The inverse, where multiplying by it gives the bits of the division in either precision.
fn inverse_of_power_of_two(value: f64) -> Option<f64> {
    let is_power = value.to_bits() & ((1 << 52) - 1) == 0;
    let in_range = (2f64.powi(-126)..=2f64.powi(126)).contains(&value.abs());
    (is_power && in_range).then(|| 1.0 / value)
}
