//! Numbers that JSON has no form for.

use serde::{Serialize, Serializer};

use crate::ir::Const;

/// A number; NaN and infinities are strings, as JavaScript's `Number` reads them.
#[derive(Clone, Copy)]
pub(super) struct Number(pub(super) f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            number if number.is_nan() => serializer.serialize_str("NaN"),
            f64::INFINITY => serializer.serialize_str("Infinity"),
            f64::NEG_INFINITY => serializer.serialize_str("-Infinity"),
            number if number.fract() == 0.0 && number.abs() < 1e15 && !is_negative_zero(number) => {
                serializer.serialize_i64(number as i64)
            }
            number => serializer.serialize_f64(number),
        }
    }
}

fn is_negative_zero(number: f64) -> bool {
    number == 0.0 && number.is_sign_negative()
}

/// A constant: a number, or true or false.
pub(super) struct Constant(pub(super) Const);

impl Serialize for Constant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Const::Float(number) => Number(number).serialize(serializer),
            Const::Uint(number) => serializer.serialize_u32(number),
            Const::Bool(value) => serializer.serialize_bool(value),
        }
    }
}
