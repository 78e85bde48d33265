//! The inverse functions: arc sine, arc cosine, arc tangent.

use std::f32::consts::{FRAC_PI_2, PI};

use super::formula::{Formula, INFINITY, SIGN};
use crate::ir::{BinaryOp, Function, Handle, Type, UnaryOp, ValueId};
use crate::lower::state::State;

/// `asin(s) = s + s³ A(s²)` to 2^-27.6 for s up to 1/2.
const ARC_SINE: [f32; 5] = [0.166_667_52, 0.074_952_886, 0.045_471_61, 0.024_172_95, 0.042_178_232];
/// `atan(t) = t + t³ T(t²)` to 2^-28.5 for t up to 1.
const ARC_TANGENT: [f32; 9] = [
    -0.333_333,
    0.199_985_49,
    -0.142_642_42,
    0.109_521_86,
    -0.084_034_51,
    0.057_957_61,
    -0.031_177_86,
    0.010_914_613,
    -0.001_793_623,
];

/// What binary32's π/2 and π lack.
const FRAC_PI_2_LOW: f32 = -4.371_139e-8;
const PI_LOW: f32 = -8.742_278e-8;

/// `(high - a) + low`
fn from_constant(f: &mut Formula, high: f32, low: f32, a: ValueId) -> ValueId {
    let rest = f.less_from(high, a);
    f.plus(rest, low)
}

/// `x + x³ P(x²)` where the square is given: of a root it is known exactly.
fn odd(f: &mut Formula, x: ValueId, square: ValueId, coefficients: &[f32]) -> ValueId {
    let tail = f.horner(square, coefficients);
    let tail = f.mul(square, tail);
    let tail = f.mul(x, tail);
    f.add(x, tail)
}

/// Whether |x| is above 1/2, and the arc sine of |x|, or else of `sqrt((1 - |x|) / 2)`: half of the
/// arc cosine.
fn half_arc(f: &mut Formula, x: ValueId) -> (ValueId, ValueId) {
    let magnitude = f.unary(UnaryOp::Abs, x);
    let half = f.number(0.5);
    let is_upper = f.is_below(half, magnitude);
    let rest = f.less_from(1.0, magnitude);
    let rest = f.times(rest, 0.5);
    let root = f.unary(UnaryOp::Sqrt, rest);
    let square = f.mul(x, x);
    let square = f.select(is_upper, rest, square);
    let side = f.select(is_upper, root, magnitude);
    (is_upper, odd(f, side, square, &ARC_SINE))
}

/// A function between -1 and 1; NaN outside.
fn inside(state: &mut State, name: &'static str, function: Handle<Function>) -> Handle<Function> {
    state.function(name, |_| {
        let mut f = Formula::new(name, &[("x", Type::Float)]);
        let x = f.argument(0);
        let value = f.call1(function, vec![x]);
        let bits = f.bits(x);
        let magnitude = f.integer(BinaryOp::IAnd, bits, !SIGN);
        let one = f.uint(1.0f32.to_bits());
        let is_outside = f.binary(BinaryOp::ILt, one, magnitude);
        let value = f.nan_where(is_outside, value);
        f.function(vec![value])
    })
}

/// `Math.asin`, with a square root above 1/2: within 2.5 ulp.
pub(super) fn arc_sine(state: &mut State) -> Handle<Function> {
    let inner = state.function("arc_sine_inside", |_| {
        let mut f = Formula::new("arc_sine_inside", &[("x", Type::Float)]);
        let x = f.argument(0);
        let (is_upper, half) = half_arc(&mut f, x);
        let whole = f.times(half, 2.0);
        let upper = from_constant(&mut f, FRAC_PI_2, FRAC_PI_2_LOW, whole);
        let value = f.select(is_upper, upper, half);
        let sign = f.sign_bit(x);
        let value = f.signed(value, sign);
        f.continuous(vec![value])
    });
    inside(state, "arc_sine", inner)
}

/// `Math.acos`, with a square root above 1/2: within 2.5 ulp.
pub(super) fn arc_cosine(state: &mut State) -> Handle<Function> {
    let inner = state.function("arc_cosine_inside", |_| {
        let mut f = Formula::new("arc_cosine_inside", &[("x", Type::Float)]);
        let x = f.argument(0);
        let (is_upper, half) = half_arc(&mut f, x);
        let whole = f.times(half, 2.0);
        let zero = f.number(0.0);
        let is_negative = f.is_below(x, zero);
        let obtuse = from_constant(&mut f, PI, PI_LOW, whole);
        let upper = f.select(is_negative, obtuse, whole);
        let sign = f.sign_bit(x);
        let lean = f.signed(half, sign);
        let lower = from_constant(&mut f, FRAC_PI_2, FRAC_PI_2_LOW, lean);
        let value = f.select(is_upper, upper, lower);
        f.continuous(vec![value])
    });
    inside(state, "arc_cosine", inner)
}

/// `Math.atan`, with a quotient above 1: within 2.5 ulp.
pub(super) fn arc_tangent(state: &mut State) -> Handle<Function> {
    state.function("arc_tangent", |_| {
        let mut f = Formula::new("arc_tangent", &[("x", Type::Float)]);
        let x = f.argument(0);
        let magnitude = f.unary(UnaryOp::Abs, x);
        let one = f.number(1.0);
        let is_upper = f.is_below(one, magnitude);
        let inverse = f.div(one, magnitude);
        let ratio = f.select(is_upper, inverse, magnitude);
        let square = f.mul(ratio, ratio);
        let lower = odd(&mut f, ratio, square, &ARC_TANGENT);
        let upper = from_constant(&mut f, FRAC_PI_2, FRAC_PI_2_LOW, lower);
        let value = f.select(is_upper, upper, lower);
        let sign = f.sign_bit(x);
        let value = f.signed(value, sign);
        f.continuous(vec![value])
    })
}

/// `Math.atan2`, with a quotient: within 3 ulp.
pub(super) fn arc_tangent2(state: &mut State) -> Handle<Function> {
    let upper_half = upper_half(state);
    state.function("arc_tangent2", |_| {
        let mut f = Formula::new("arc_tangent2", &[("y", Type::Float), ("x", Type::Float)]);
        let [y, x] = [0, 1].map(|index| f.argument(index));
        let magnitude = f.unary(UnaryOp::Abs, y);
        let value = f.call1(upper_half, vec![magnitude, x]);
        let sign = f.sign_bit(y);
        let value = f.signed(value, sign);
        let nan = [y, x].map(|side| f.is_nan(side));
        let is_nan = f.binary(BinaryOp::Or, nan[0], nan[1]);
        let value = f.nan_where(is_nan, value);
        f.function(vec![value])
    })
}

/// The angle of a point with `y >= 0`, between 0 and π.
fn upper_half(state: &mut State) -> Handle<Function> {
    state.function("upper_half_angle", |_| {
        let mut f = Formula::new("upper_half_angle", &[("y", Type::Float), ("x", Type::Float)]);
        let [y, x] = [0, 1].map(|index| f.argument(index));
        let width = f.unary(UnaryOp::Abs, x);
        let is_steep = f.is_below(width, y);
        let short = f.select(is_steep, width, y);
        let long = f.select(is_steep, y, width);
        // 0 of nothing, 1 of two infinities.
        let [zero, one] = [0.0, 1.0].map(|number| f.number(number));
        let is_origin = f.binary(BinaryOp::Eq, long, zero);
        let long = f.select(is_origin, one, long);
        let ratio = f.div(short, long);
        let is_infinite = f.has_magnitude(short, INFINITY);
        let ratio = f.select(is_infinite, one, ratio);
        let square = f.mul(ratio, ratio);
        let flat = odd(&mut f, ratio, square, &ARC_TANGENT);
        let steep = from_constant(&mut f, FRAC_PI_2, FRAC_PI_2_LOW, flat);
        let right = f.select(is_steep, steep, flat);
        let left = from_constant(&mut f, PI, PI_LOW, right);
        let sign = f.sign_bit(x);
        let is_left = f.integer(BinaryOp::IEq, sign, SIGN);
        let value = f.select(is_left, left, right);
        f.continuous(vec![value])
    })
}
