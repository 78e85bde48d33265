//! Constants as WGSL expressions that read back to the same bits.

use super::helpers::{Helper, Helpers};
use crate::ir::Const;

/// Name of the WGSL type.
pub(super) fn type_name(ty: crate::ir::Type) -> &'static str {
    match ty {
        crate::ir::Type::Float => "f32",
        crate::ir::Type::Uint => "u32",
        crate::ir::Type::Bool => "bool",
    }
}

/// A constant. Floats are rounded to f32 and printed with as many digits as it takes to read the
/// same number back; what has no literal in WGSL (infinities and NaN) is made from the bits in a
/// variable, because a constant expression of that value is an error.
pub(super) fn constant(constant: Const, helpers: &mut Helpers) -> String {
    match constant {
        Const::Float(value) => float(value as f32, helpers),
        Const::Uint(value) => format!("{value}u"),
        Const::Bool(value) => value.to_string(),
    }
}

fn float(value: f32, helpers: &mut Helpers) -> String {
    if value.is_nan() {
        helpers.use_helper(Helper::Nan);
        "bitcast<f32>(NAN_BITS)".into()
    } else if value.is_infinite() {
        helpers.use_helper(Helper::Infinity);
        let sign = if value < 0.0 { "-" } else { "" };
        format!("({sign}bitcast<f32>(INFINITY_BITS))")
    } else if value.is_sign_negative() {
        // A unary minus binds tighter than any operator; the parentheses are for readers and for
        // `a - -b`.
        format!("({value:?}f)")
    } else {
        format!("{value:?}f")
    }
}
