//! The natural logarithm, and what powers need of it.

use super::exponential::LN_2;
use super::formula::{Formula, INFINITY, SIGN};
use crate::ir::{BinaryOp, Function, Handle, Type, UnaryOp, ValueId};
use crate::lower::state::State;

/// `ln(1 + f) = f - f²/2 + f³ L(f)` to 2^-30.3 for 1 + f from √½ to √2.
const LOGARITHM: [f32; 9] = [
    0.333_333_13,
    -0.250_000_1,
    0.200_021_24,
    -0.166_680_05,
    0.142_194_52,
    -0.124_053_39,
    0.118_886_95,
    -0.116_775_23,
    0.067_477_435,
];

/// A positive number as `2^exponent * (1 + fraction)`, with 1 + fraction from √½ to √2.
pub(super) struct Split {
    pub(super) exponent: ValueId,
    pub(super) fraction: ValueId,
}

/// Takes the exponent from the bits; a subnormal number is multiplied by 2^23 first.
pub(super) fn split(f: &mut Formula, x: ValueId) -> Split {
    let least = f.number(f32::MIN_POSITIVE);
    let is_subnormal = f.is_below(x, least);
    let lifted = f.times(x, 8_388_608.0);
    let lifted = f.select(is_subnormal, lifted, x);
    let [lifted_bias, bias] = [150.0, 127.0].map(|bias| f.number(bias));
    let bias = f.select(is_subnormal, lifted_bias, bias);
    let bits = f.bits(lifted);
    // Steps to the next exponent where the mantissa reaches √2.
    let one = 1.0f32.to_bits();
    let stepped = f.integer(BinaryOp::IAdd, bits, one - std::f32::consts::FRAC_1_SQRT_2.to_bits());
    let biased = f.integer(BinaryOp::IShr, stepped, 23);
    let exponent = f.unary(UnaryOp::FromUint, biased);
    let exponent = f.sub(exponent, bias);
    let shifted = f.integer(BinaryOp::IShl, biased, 23);
    let mantissa = f.binary(BinaryOp::ISub, bits, shifted);
    let mantissa = f.integer(BinaryOp::IAdd, mantissa, one);
    let mantissa = f.of_bits(mantissa);
    let fraction = f.plus(mantissa, -1.0);
    Split { exponent, fraction }
}

/// `f³ L(f)`, of f and its square.
pub(super) fn tail(f: &mut Formula, fraction: ValueId, square: ValueId) -> ValueId {
    let tail = f.horner(fraction, &LOGARITHM);
    let cube = f.mul(square, fraction);
    f.mul(cube, tail)
}

/// `Math.log`: within 1.5 ulp.
pub(super) fn logarithm(state: &mut State) -> Handle<Function> {
    let positive = logarithm_of_positive(state);
    state.function("logarithm", |_| {
        let mut f = Formula::new("logarithm", &[("x", Type::Float)]);
        let x = f.argument(0);
        let value = f.call1(positive, vec![x]);
        let bits = f.bits(x);
        let is_infinite = f.integer(BinaryOp::IEq, bits, INFINITY);
        let value = f.select(is_infinite, x, value);
        // The signs of -0, of negative numbers and of -∞ lie above the bits of infinity.
        let infinity = f.uint(INFINITY);
        let is_outside = f.binary(BinaryOp::ILt, infinity, bits);
        let value = f.nan_where(is_outside, value);
        let magnitude = f.integer(BinaryOp::IAnd, bits, !SIGN);
        let is_zero = f.integer(BinaryOp::IEq, magnitude, 0);
        let lowest = f.number(f32::NEG_INFINITY);
        let value = f.select(is_zero, lowest, value);
        f.function(vec![value])
    })
}

fn logarithm_of_positive(state: &mut State) -> Handle<Function> {
    state.function("logarithm_of_positive", |_| {
        let mut f = Formula::new("logarithm_of_positive", &[("x", Type::Float)]);
        let x = f.argument(0);
        let Split { exponent, fraction } = split(&mut f, x);
        let square = f.mul(fraction, fraction);
        let tail = tail(&mut f, fraction, square);
        let low = f.times(exponent, LN_2[1]);
        let tail = f.add(tail, low);
        let half = f.times(square, 0.5);
        let tail = f.sub(tail, half);
        let sum = f.add(fraction, tail);
        let high = f.times(exponent, LN_2[0]);
        let value = f.add(sum, high);
        f.continuous(vec![value])
    })
}
