//! One line of WGSL for each operation; operands are names or literals, so that no expression
//! needs parentheses.

use super::helpers::{Helper, Helpers};
use crate::ir::{BinaryOp, UnaryOp};

/// The expression of an operation on one operand; `None` for those that Parallel expands before.
pub(super) fn unary(op: UnaryOp, a: &str, helpers: &mut Helpers) -> Option<String> {
    Some(match op {
        UnaryOp::Neg => format!("-{a}"),
        UnaryOp::Abs => format!("abs({a})"),
        UnaryOp::Floor => format!("floor({a})"),
        UnaryOp::Ceil => format!("ceil({a})"),
        UnaryOp::Trunc => format!("trunc({a})"),
        UnaryOp::Round => helpers.call(Helper::Round, &[a]),
        UnaryOp::Sqrt => format!("sqrt({a})"),
        UnaryOp::Sin
        | UnaryOp::Cos
        | UnaryOp::Tan
        | UnaryOp::Asin
        | UnaryOp::Acos
        | UnaryOp::Atan
        | UnaryOp::Exp
        | UnaryOp::Ln => return None,
        // Already binary32.
        UnaryOp::RoundF32 => a.to_owned(),
        UnaryOp::ToUint => helpers.call(Helper::ToUint, &[a]),
        UnaryOp::FromUint => format!("f32({a})"),
        UnaryOp::FromInt => format!("f32(bitcast<i32>({a}))"),
        UnaryOp::FloatBits => helpers.call(Helper::FloatBits, &[a]),
        UnaryOp::BitsFloat => helpers.call(Helper::BitsFloat, &[a]),
        UnaryOp::Not => format!("!{a}"),
    })
}

/// The expression of an operation on two operands; `None` for those that Parallel expands before.
pub(super) fn binary(op: BinaryOp, a: &str, b: &str, helpers: &mut Helpers) -> Option<String> {
    Some(match op {
        BinaryOp::Add | BinaryOp::IAdd => format!("{a} + {b}"),
        BinaryOp::Sub | BinaryOp::ISub => format!("{a} - {b}"),
        BinaryOp::Mul | BinaryOp::IMul => format!("{a} * {b}"),
        // Within 2.5 ulp for divisors from 2^-126 to 2^126, anything beyond.
        BinaryOp::Div => format!("{a} / {b}"),
        BinaryOp::Rem => helpers.call(Helper::Rem, &[a, b]),
        BinaryOp::Min => helpers.call(Helper::Min, &[a, b]),
        BinaryOp::Max => helpers.call(Helper::Max, &[a, b]),
        BinaryOp::Pow | BinaryOp::Atan2 => return None,
        BinaryOp::Lt | BinaryOp::ILt => format!("{a} < {b}"),
        BinaryOp::Le => format!("{a} <= {b}"),
        BinaryOp::Eq | BinaryOp::IEq => format!("{a} == {b}"),
        // Compilers translate `!=` into a comparison that is false with NaN.
        BinaryOp::Ne => format!("!({a} == {b})"),
        // `&&` and `||` would branch; both operands are there already.
        BinaryOp::IAnd | BinaryOp::And => format!("{a} & {b}"),
        BinaryOp::IOr | BinaryOp::Or => format!("{a} | {b}"),
        BinaryOp::IXor => format!("{a} ^ {b}"),
        BinaryOp::Xor => format!("{a} != {b}"),
        // The caller keeps the distance below 32.
        BinaryOp::IShl => format!("{a} << {b}"),
        BinaryOp::IShr => format!("{a} >> {b}"),
    })
}
