//! What each operation computes. Used by constant folding and by the interpreter.

use pyrograph_numeric::{exact, f64 as js};

use super::{BinaryOp, UnaryOp};
use crate::ir::types::{Const, Precision};

/// Applies an operation to one constant; `None` where the operand has the wrong type.
///
/// In F32 the operands are rounded first and the result after, which gives the bits of binary32
/// arithmetic for every operation that F32 bodies may hold (binary64 has more than twice the
/// digits, so rounding twice does no harm).
pub fn eval_unary(op: UnaryOp, a: Const, precision: Precision) -> Option<Const> {
    let float = |apply: fn(f64) -> f64| match a {
        Const::Float(a) => Some(Const::Float(precision.round(apply(precision.round(a))))),
        Const::Uint(_) | Const::Bool(_) => None,
    };
    let convert = |apply: fn(u32) -> f64| match a {
        Const::Uint(a) => Some(Const::Float(precision.round(apply(a)))),
        Const::Float(_) | Const::Bool(_) => None,
    };
    match op {
        UnaryOp::Neg => float(|a| -a),
        UnaryOp::Abs => float(f64::abs),
        UnaryOp::Floor => float(f64::floor),
        UnaryOp::Ceil => float(f64::ceil),
        UnaryOp::Trunc => float(f64::trunc),
        UnaryOp::Round => float(js::round),
        UnaryOp::Sqrt => float(f64::sqrt),
        UnaryOp::Sin => float(exact::sin),
        UnaryOp::Cos => float(exact::cos),
        UnaryOp::Tan => float(exact::tan),
        UnaryOp::Asin => float(exact::asin),
        UnaryOp::Acos => float(exact::acos),
        UnaryOp::Atan => float(exact::atan),
        UnaryOp::Exp => float(exact::exp),
        UnaryOp::Ln => float(exact::ln),
        UnaryOp::RoundF32 => float(|a| Precision::F32.round(a)),
        UnaryOp::ToUint => match a {
            Const::Float(a) => Some(Const::Uint(js::to_uint(precision.round(a)))),
            Const::Uint(_) | Const::Bool(_) => None,
        },
        UnaryOp::FromUint => convert(f64::from),
        UnaryOp::FromInt => convert(|a| f64::from(a.cast_signed())),
        UnaryOp::FloatBits => match a {
            Const::Float(a) => Some(Const::Uint(js::float_bits(a))),
            Const::Uint(_) | Const::Bool(_) => None,
        },
        UnaryOp::BitsFloat => convert(js::bits_float),
        UnaryOp::Not => match a {
            Const::Bool(a) => Some(Const::Bool(!a)),
            Const::Float(_) | Const::Uint(_) => None,
        },
    }
}

/// Applies an operation to two constants; see [`eval_unary`].
pub fn eval_binary(op: BinaryOp, a: Const, b: Const, precision: Precision) -> Option<Const> {
    let floats = match (a, b) {
        (Const::Float(a), Const::Float(b)) => Some((precision.round(a), precision.round(b))),
        _ => None,
    };
    let uints = match (a, b) {
        (Const::Uint(a), Const::Uint(b)) => Some((a, b)),
        _ => None,
    };
    let bools = match (a, b) {
        (Const::Bool(a), Const::Bool(b)) => Some((a, b)),
        _ => None,
    };
    let float = |apply: fn(f64, f64) -> f64| {
        floats.map(|(a, b)| Const::Float(precision.round(apply(a, b))))
    };
    let compare = |apply: fn(f64, f64) -> bool| floats.map(|(a, b)| Const::Bool(apply(a, b)));
    let uint = |apply: fn(u32, u32) -> u32| uints.map(|(a, b)| Const::Uint(apply(a, b)));
    let logic = |apply: fn(bool, bool) -> bool| bools.map(|(a, b)| Const::Bool(apply(a, b)));
    match op {
        BinaryOp::Add => float(|a, b| a + b),
        BinaryOp::Sub => float(|a, b| a - b),
        BinaryOp::Mul => float(|a, b| a * b),
        BinaryOp::Div => float(|a, b| a / b),
        BinaryOp::Rem => float(js::rem),
        BinaryOp::Min => float(js::min),
        BinaryOp::Max => float(js::max),
        BinaryOp::Pow => float(exact::pow),
        BinaryOp::Atan2 => float(exact::atan2),
        BinaryOp::Lt => compare(|a, b| a < b),
        BinaryOp::Le => compare(|a, b| a <= b),
        BinaryOp::Eq => compare(|a, b| a == b),
        BinaryOp::Ne => compare(|a, b| a != b),
        BinaryOp::IAdd => uint(u32::wrapping_add),
        BinaryOp::ISub => uint(u32::wrapping_sub),
        BinaryOp::IMul => uint(u32::wrapping_mul),
        BinaryOp::IAnd => uint(|a, b| a & b),
        BinaryOp::IOr => uint(|a, b| a | b),
        BinaryOp::IXor => uint(|a, b| a ^ b),
        BinaryOp::IShl => uint(u32::wrapping_shl),
        BinaryOp::IShr => uint(u32::wrapping_shr),
        BinaryOp::IEq => uints.map(|(a, b)| Const::Bool(a == b)),
        BinaryOp::ILt => uints.map(|(a, b)| Const::Bool(a < b)),
        BinaryOp::And => logic(|a, b| a & b),
        BinaryOp::Or => logic(|a, b| a | b),
        BinaryOp::Xor => logic(|a, b| a ^ b),
    }
}
