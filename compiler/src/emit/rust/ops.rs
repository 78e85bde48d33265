//! How each operation is written. The rules that Rust's own operators do not follow are functions
//! of the numeric crate.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

use super::ident;
use crate::ir::types::{Const, Precision, Storage, Type};
use crate::ir::{BinaryOp, UnaryOp};

/// A value inside of an expression. As tokens it binds tightly.
#[derive(Clone)]
pub(super) struct Operand {
    /// The value where nothing around it binds: as an argument, at the right of `=`.
    pub(super) plain: TokenStream,
    /// Whether the value begins with a sign.
    pub(super) is_signed: bool,
}

impl ToTokens for Operand {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let plain = &self.plain;
        tokens.extend(if self.is_signed { quote!((#plain)) } else { plain.clone() });
    }
}

/// The float type of a precision.
pub(super) fn float(precision: Precision) -> Ident {
    ident(match precision {
        Precision::F64 => "f64",
        Precision::F32 => "f32",
    })
}

/// The Rust type of a value.
pub(super) fn scalar(ty: Type, precision: Precision) -> Ident {
    match ty {
        Type::Float => float(precision),
        Type::Uint => ident("u32"),
        Type::Bool => ident("bool"),
    }
}

/// The Rust type of a column's element.
pub(super) fn element(storage: Storage) -> Ident {
    ident(storage.name())
}

/// A constant. Negative numbers have a sign in front.
pub(super) fn constant(constant: Const, precision: Precision) -> TokenStream {
    match constant {
        Const::Float(value) => float_literal(value, precision),
        Const::Uint(value) => {
            let literal = Literal::u32_suffixed(value);
            quote!(#literal)
        }
        Const::Bool(value) => quote!(#value),
    }
}

/// A float that reads back to the same bits (all NaN are one).
pub(super) fn float_literal(value: f64, precision: Precision) -> TokenStream {
    let ty = float(precision);
    let value = precision.round(value);
    if value.is_nan() {
        return quote!(#ty::NAN);
    }
    if value.is_infinite() {
        return if value > 0.0 { quote!(#ty::INFINITY) } else { quote!(#ty::NEG_INFINITY) };
    }
    let digits = match precision {
        Precision::F64 => format!("{:?}", value.abs()),
        Precision::F32 => format!("{:?}", value.abs() as f32),
    };
    let sign = value.is_sign_negative().then(|| quote!(-));
    // Every text that `Debug` gives for a finite positive float is a literal.
    let literal: TokenStream = match format!("{digits}{ty}").parse::<Literal>() {
        Ok(literal) => quote!(#literal),
        Err(_) => {
            let literal = Literal::f64_suffixed(value.abs());
            quote!(#literal)
        }
    };
    quote!(#sign #literal)
}

/// An element converted for a store.
pub(super) fn store(storage: Storage, precision: Precision, value: &Operand) -> TokenStream {
    match (storage, precision) {
        (Storage::F64, Precision::F64)
        | (Storage::F32, Precision::F32)
        | (Storage::U32, Precision::F64 | Precision::F32) => value.plain.clone(),
        (Storage::F64, Precision::F32) => quote!(#value as f64),
        (Storage::F32, Precision::F64) => quote!(#value as f32),
        (Storage::U16, Precision::F64 | Precision::F32) => quote!(#value as u16),
        (Storage::U8, Precision::F64 | Precision::F32) => quote!(#value as u8),
    }
}

/// An element converted after a load.
pub(super) fn load(storage: Storage, precision: Precision, element: &TokenStream) -> TokenStream {
    match (storage, precision) {
        (Storage::F64, Precision::F64)
        | (Storage::F32, Precision::F32)
        | (Storage::U32, Precision::F64 | Precision::F32) => element.clone(),
        (Storage::F64, Precision::F32) => quote!(#element as f32),
        (Storage::F32, Precision::F64) => quote!(#element as f64),
        (Storage::U16 | Storage::U8, Precision::F64 | Precision::F32) => quote!(#element as u32),
    }
}

/// An operation on one operand.
pub(super) fn unary(
    op: UnaryOp,
    precision: Precision,
    runtime: &TokenStream,
    a: &Operand,
) -> TokenStream {
    let (ty, plain) = (float(precision), &a.plain);
    let exact = |name: &str| {
        let name = ident(name);
        quote!(#runtime::numeric::exact::#name(#plain))
    };
    match op {
        UnaryOp::Neg => quote!(-#a),
        UnaryOp::Abs => quote!(#a.abs()),
        UnaryOp::Floor => quote!(#a.floor()),
        UnaryOp::Ceil => quote!(#a.ceil()),
        UnaryOp::Trunc => quote!(#a.trunc()),
        UnaryOp::Round => quote!(#runtime::numeric::#ty::round(#plain)),
        UnaryOp::Sqrt => quote!(#a.sqrt()),
        UnaryOp::Sin => exact("sin"),
        UnaryOp::Cos => exact("cos"),
        UnaryOp::Tan => exact("tan"),
        UnaryOp::Asin => exact("asin"),
        UnaryOp::Acos => exact("acos"),
        UnaryOp::Atan => exact("atan"),
        UnaryOp::Exp => exact("exp"),
        UnaryOp::Ln => exact("ln"),
        UnaryOp::RoundF32 => match precision {
            Precision::F64 => quote!(#a as f32 as f64),
            Precision::F32 => plain.clone(),
        },
        UnaryOp::ToUint => quote!(#runtime::numeric::#ty::to_uint(#plain)),
        UnaryOp::FromUint => quote!(#a as #ty),
        UnaryOp::FromInt => quote!(#a.cast_signed() as #ty),
        UnaryOp::FloatBits => quote!(#runtime::numeric::#ty::float_bits(#plain)),
        UnaryOp::BitsFloat => quote!(#runtime::numeric::#ty::bits_float(#plain)),
        UnaryOp::Not => quote!(!#a),
    }
}

/// Name of the function that computes an operation in lanes; none where there is no such function.
pub(super) fn lane_function(op: UnaryOp) -> Option<Ident> {
    match op {
        UnaryOp::Sin => Some(ident("sin")),
        UnaryOp::Cos => Some(ident("cos")),
        UnaryOp::Acos => Some(ident("acos")),
        _ => None,
    }
}

/// An operation on two operands.
pub(super) fn binary(
    op: BinaryOp,
    precision: Precision,
    runtime: &TokenStream,
    a: &Operand,
    b: &Operand,
) -> TokenStream {
    let (ty, x, y) = (float(precision), &a.plain, &b.plain);
    match op {
        BinaryOp::Add => quote!(#a + #b),
        BinaryOp::Sub => quote!(#a - #b),
        BinaryOp::Mul => quote!(#a * #b),
        BinaryOp::Div => quote!(#a / #b),
        BinaryOp::Rem => quote!(#runtime::numeric::#ty::rem(#x, #y)),
        BinaryOp::Min => quote!(#runtime::numeric::#ty::min(#x, #y)),
        BinaryOp::Max => quote!(#runtime::numeric::#ty::max(#x, #y)),
        BinaryOp::Pow => quote!(#runtime::numeric::exact::pow(#x, #y)),
        BinaryOp::Atan2 => quote!(#runtime::numeric::exact::atan2(#x, #y)),
        BinaryOp::Lt | BinaryOp::ILt => quote!(#a < #b),
        BinaryOp::Le => quote!(#a <= #b),
        BinaryOp::Eq | BinaryOp::IEq => quote!(#a == #b),
        BinaryOp::Ne => quote!(#a != #b),
        BinaryOp::IAdd => quote!(#a.wrapping_add(#y)),
        BinaryOp::ISub => quote!(#a.wrapping_sub(#y)),
        BinaryOp::IMul => quote!(#a.wrapping_mul(#y)),
        BinaryOp::IAnd | BinaryOp::And => quote!(#a & #b),
        BinaryOp::IOr | BinaryOp::Or => quote!(#a | #b),
        BinaryOp::IXor | BinaryOp::Xor => quote!(#a ^ #b),
        BinaryOp::IShl => quote!(#a.wrapping_shl(#y)),
        BinaryOp::IShr => quote!(#a.wrapping_shr(#y)),
    }
}

/// Whether the operation is a call that keeps a loop from being vectorized, so that computing it
/// for particles that do not need it would cost more than the branch around it.
pub(super) fn is_costly_unary(op: UnaryOp) -> bool {
    op.is_transcendental() || op == UnaryOp::ToUint
}

/// See [`is_costly_unary`].
pub(super) fn is_costly_binary(op: BinaryOp) -> bool {
    op.is_transcendental() || op == BinaryOp::Rem
}

#[cfg(test)]
mod tests {
    use super::float_literal;
    use crate::ir::types::Precision;

    #[test]
    fn floats_read_back_exactly() {
        for (value, text) in [
            (0.1, "0.1f64"),
            (-0.0, "- 0.0f64"),
            (1e300, "1e300f64"),
            (5e-324, "5e-324f64"),
            (f64::INFINITY, "f64 :: INFINITY"),
            (f64::NAN, "f64 :: NAN"),
        ] {
            assert_eq!(float_literal(value, Precision::F64).to_string(), text);
        }
        assert_eq!(float_literal(0.1, Precision::F32).to_string(), "0.1f32");
        assert_eq!(float_literal(-1e300, Precision::F32).to_string(), "f32 :: NEG_INFINITY");
    }
}
