//! Powers: `2^(y log2(x))` with the logarithm and the product in two parts.

use super::exponential::{HIGHEST, LOWEST, scaled_power};
use super::formula::{Formula, INFINITY, SIGN};
use super::logarithm::{Split, split, tail};
use crate::ir::{BinaryOp, Function, Handle, Type, UnaryOp, ValueId};
use crate::lower::state::State;

/// 1 / ln 2: 12 bits, and the rest.
const LOG2_E: [f32; 2] = [1.442_382_8, 0.000_312_228_4];
/// The binary logarithms of 4/3 and 4/5: 12 digits behind the point, and the rest.
const FOUR_THIRDS: [f32; 2] = [0.414_794_92, 0.000_242_577_4];
const FOUR_FIFTHS: [f32; 2] = [-0.321_777_34, -0.000_150_751_13];

/// `Math.pow`: within 6 ulp; NaN where the exponent is NaN, or infinite with |x| = 1.
pub(super) fn power(state: &mut State) -> Handle<Function> {
    let positive = power_of_positive(state);
    state.function("power", |_| {
        let mut f = Formula::new("power", &[("x", Type::Float), ("y", Type::Float)]);
        let [x, y] = [0, 1].map(|index| f.argument(index));
        let magnitude = f.unary(UnaryOp::Abs, x);
        let value = f.call1(positive, vec![magnitude, y]);
        let extreme = extreme(&mut f, magnitude, y);
        let value = f.select(extreme.0, extreme.1, value);
        // Below 0 only whole exponents mean anything, and odd ones keep the sign.
        let sign = f.sign_bit(x);
        let is_negative = f.integer(BinaryOp::IEq, sign, SIGN);
        let is_whole = is_whole(&mut f, y);
        let half = f.times(y, 0.5);
        let is_even = self::is_whole(&mut f, half);
        let zero = f.uint(0);
        let kept = f.select(is_even, zero, sign);
        let kept = f.select(is_whole, kept, zero);
        let value = f.signed(value, kept);
        let bits = f.bits(magnitude);
        let below_infinity = f.integer(BinaryOp::ILt, bits, INFINITY);
        let is_nothing = f.integer(BinaryOp::IEq, bits, 0);
        let is_broken = f.unary(UnaryOp::Not, is_whole);
        let is_lost = f.binary(BinaryOp::And, is_negative, below_infinity);
        let is_lost = f.binary(BinaryOp::And, is_lost, is_broken);
        let something = f.unary(UnaryOp::Not, is_nothing);
        let is_lost = f.binary(BinaryOp::And, is_lost, something);
        let value = f.nan_where(is_lost, value);
        let x_is_nan = f.is_nan(x);
        let value = f.nan_where(x_is_nan, value);
        let exponent_is_zero = f.has_magnitude(y, 0);
        let one = f.number(1.0);
        let value = f.select(exponent_is_zero, one, value);
        let y_is_nan = f.is_nan(y);
        let value = f.nan_where(y_is_nan, value);
        f.function(vec![value])
    })
}

/// Whether a number has no fraction; true for infinities.
fn is_whole(f: &mut Formula, a: ValueId) -> ValueId {
    let floor = f.unary(UnaryOp::Floor, a);
    f.binary(BinaryOp::Eq, floor, a)
}

/// Whether the base is 0 or infinite or the exponent infinite, and the power then: NaN of 1, else
/// infinity or 0.
fn extreme(f: &mut Formula, magnitude: ValueId, y: ValueId) -> (ValueId, ValueId) {
    let is_zero = f.has_magnitude(magnitude, 0);
    let is_infinite = f.has_magnitude(magnitude, INFINITY);
    let is_endless = f.has_magnitude(y, INFINITY);
    let is_extreme = f.binary(BinaryOp::Or, is_zero, is_infinite);
    let is_extreme = f.binary(BinaryOp::Or, is_extreme, is_endless);
    let [zero, one, infinity] = [0.0, 1.0, f32::INFINITY].map(|number| f.number(number));
    let is_large = f.is_below(one, magnitude);
    let falls = f.is_below(y, zero);
    let grows = f.binary(BinaryOp::Xor, is_large, falls);
    let value = f.select(grows, infinity, zero);
    let is_one = f.binary(BinaryOp::Eq, magnitude, one);
    let value = f.nan_where(is_one, value);
    (is_extreme, value)
}

/// A power of a positive finite number; the exponent is finite.
///
/// Numbers are parted into their upper 12 bits and the rest, so that the products of upper parts are
/// exact and fusing changes nothing but last bits of the rests.
fn power_of_positive(state: &mut State) -> Handle<Function> {
    let power = scaled_power(state);
    state.function("power_of_positive", |_| {
        let mut f = Formula::new("power_of_positive", &[("x", Type::Float), ("y", Type::Float)]);
        let [x, y] = [0, 1].map(|index| f.argument(index));
        let Narrow { exponent, low: constant, fraction } = narrow(&mut f, x);
        let (high, low) = natural(&mut f, fraction);
        // log2 = exponent + constant + (high + low) / ln 2
        let upper = f.times(high, LOG2_E[0]);
        let rest = f.times(high, LOG2_E[1]);
        let lower = f.times(low, std::f32::consts::LOG2_E);
        let rest = f.add(rest, lower);
        let rest = f.add(rest, constant);
        let sum = f.add(exponent, upper);
        let lost = f.sub(sum, exponent);
        let lost = f.sub(upper, lost);
        let rest = f.add(lost, rest);
        let high = f.upper(sum);
        let low = f.sub(sum, high);
        let low = f.add(low, rest);
        // y times that
        let y_high = f.upper(y);
        let y_low = f.sub(y, y_high);
        let upper = f.mul(y_high, high);
        let first = f.mul(y_low, high);
        let second = f.mul(y, low);
        let rest = f.add(first, second);
        let product = f.add(upper, rest);
        let held = f.held(product, LOWEST, HIGHEST);
        let whole = f.nearest(held);
        let part = f.sub(upper, whole);
        let part = f.add(part, rest);
        let is_held = f.binary(BinaryOp::Ne, held, product);
        let zero = f.number(0.0);
        let part = f.select(is_held, zero, part);
        let value = f.call1(power, vec![whole, part]);
        f.continuous(vec![value])
    })
}

/// A positive number as `2^(exponent + low) * (1 + fraction)` with |fraction| up to 0.19.
struct Narrow {
    exponent: ValueId,
    low: ValueId,
    fraction: ValueId,
}

/// Takes out 4/3 or 4/5 too where that brings the number closer to 1. It is exact: the fraction loses
/// two bits in front and gains two behind.
fn narrow(f: &mut Formula, x: ValueId) -> Narrow {
    let Split { exponent, fraction } = split(f, x);
    let [above, below] = [0.189_207_1, -0.159_103_58].map(|bound| f.number(bound));
    let is_above = f.is_below(above, fraction);
    let is_below = f.is_below(fraction, below);
    let quarter = f.times(fraction, 0.25);
    let quarter = f.plus(quarter, 0.25);
    let negative = f.unary(UnaryOp::Neg, quarter);
    let zero = f.number(0.0);
    let pick = |f: &mut Formula, high: ValueId, low: ValueId| {
        let low = f.select(is_below, low, zero);
        f.select(is_above, high, low)
    };
    let change = pick(f, negative, quarter);
    let [part, low] = [0, 1].map(|index| {
        let [high, low] = [FOUR_THIRDS, FOUR_FIFTHS].map(|parts| f.number(parts[index]));
        pick(f, high, low)
    });
    let fraction = f.add(fraction, change);
    let exponent = f.add(exponent, part);
    Narrow { exponent, low, fraction }
}

/// `ln(1 + f)` in two parts, the first of 12 bits.
fn natural(f: &mut Formula, fraction: ValueId) -> (ValueId, ValueId) {
    let square = f.mul(fraction, fraction);
    let tail = tail(f, fraction, square);
    // f²/2 = upper²/2 + rest (f + upper)/2, the first exact.
    let upper = f.upper(fraction);
    let rest = f.sub(fraction, upper);
    let half = f.times(upper, 0.5);
    let half = f.mul(half, upper);
    let both = f.add(fraction, upper);
    let small = f.mul(rest, both);
    let small = f.times(small, 0.5);
    let sum = f.sub(fraction, half);
    let lost = f.sub(fraction, sum);
    let lost = f.sub(lost, half);
    let lost = f.sub(lost, small);
    let lost = f.add(lost, tail);
    let whole = f.add(sum, lost);
    let high = f.upper(whole);
    let low = f.sub(sum, high);
    (high, f.add(low, lost))
}
