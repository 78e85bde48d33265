//! Sine, cosine and tangent.

use super::formula::{Formula, INFINITY, SIGN};
use crate::ir::{BinaryOp, Function, Handle, Type, UnaryOp, ValueId};
use crate::lower::state::State;

/// `sin(r) = r + r³ S(r²)` to 2^-27.9 for |r| up to π/4.
const SINE: [f32; 3] = [-0.166_666_55, 0.008_332_158, -0.000_195_149_58];
/// `cos(r) = 1 - r²/2 + r⁴ C(r²)` to 2^-33.
const COSINE: [f32; 3] = [0.041_666_646, -0.001_388_731_3, 2.443_278_6e-5];

/// π/2 in four parts. The first three have 8 bits, so that their products with numbers up to 2^16
/// are exact; with the fourth the sum is within 5e-17.
const HALF_PI: [f32; 4] = [1.570_312_5, 0.000_482_559_2, 1.266_598_7e-6, 9.920_936e-10];

/// 2^16 quarter turns: up to here the remainder is exact but for rounding.
const NEAR: f32 = 102_943.0;
/// From here on numbers are 65,536 apart and mean no angle.
const FAR: f32 = (1u64 << 39) as f32;

/// `|x| = r + quadrant * π/2` with r between -π/4 and π/4: Cody and Waite's subtraction of the parts
/// of π/2.
///
/// Beyond [`NEAR`] multiples of 710 go first, which is 113 turns to 6e-5: the angle is then off by
/// |x| * 2^-22 at most, where x itself is known to |x| * 2^-24. From [`FAR`] on it counts as 0.
fn reduce_angle(state: &mut State) -> Handle<Function> {
    state.function("reduce_angle", |_| {
        let mut f = Formula::new("reduce_angle", &[("x", Type::Float)]);
        let x = f.argument(0);
        let magnitude = f.unary(UnaryOp::Abs, x);
        let [near, far, zero] = [NEAR, FAR, 0.0].map(|bound| f.number(bound));
        let turns = f.times(magnitude, 1.0 / 710.0);
        let turns = f.unary(UnaryOp::Floor, turns);
        let turns = f.times(turns, 710.0);
        let rest = f.sub(magnitude, turns);
        let is_beyond = f.is_below(near, magnitude);
        let angle = f.select(is_beyond, rest, magnitude);
        let is_far = f.binary(BinaryOp::Le, far, magnitude);
        let angle = f.select(is_far, zero, angle);
        let quarters = f.times(angle, std::f32::consts::FRAC_2_PI);
        let quarters = f.nearest(quarters);
        let mut rest = angle;
        for part in HALF_PI {
            let product = f.times(quarters, part);
            rest = f.sub(rest, product);
        }
        let quadrant = f.whole_bits(quarters);
        f.continuous(vec![rest, quadrant])
    })
}

/// An angle's remainder as sine and cosine, and its quadrant.
struct Reduced {
    sine: ValueId,
    cosine: ValueId,
    quadrant: ValueId,
    /// Whether sine and cosine change places.
    is_odd: ValueId,
}

fn reduced(f: &mut Formula, reduce: Handle<Function>, x: ValueId) -> Reduced {
    let results = f.call(reduce, vec![x], &[Type::Float, Type::Uint]);
    let (r, quadrant) = (results[0], results[1]);
    let square = f.mul(r, r);
    let cube = f.mul(r, square);
    let sine = f.horner(square, &SINE);
    let sine = f.mul(cube, sine);
    let sine = f.add(r, sine);
    let half = f.times(square, 0.5);
    let near = f.less_from(1.0, half);
    let fourth = f.mul(square, square);
    let cosine = f.horner(square, &COSINE);
    let cosine = f.mul(fourth, cosine);
    let cosine = f.add(near, cosine);
    let odd = f.integer(BinaryOp::IAnd, quadrant, 1);
    let is_odd = f.integer(BinaryOp::IEq, odd, 1);
    Reduced { sine, cosine, quadrant, is_odd }
}

/// NaN for NaN and infinities.
fn of_finite(f: &mut Formula, x: ValueId, value: ValueId) -> ValueId {
    let bits = f.bits(x);
    let magnitude = f.integer(BinaryOp::IAnd, bits, !SIGN);
    let is_finite = f.integer(BinaryOp::ILt, magnitude, INFINITY);
    let nan = f.number(f32::NAN);
    f.select(is_finite, value, nan)
}

/// `Math.sin`: within 2.5 ulp or 1e-7 for |x| up to 102,943; see [`reduce_angle`] for beyond.
pub(super) fn sine(state: &mut State) -> Handle<Function> {
    let reduce = reduce_angle(state);
    state.function("sine", |_| {
        let mut f = Formula::new("sine", &[("x", Type::Float)]);
        let x = f.argument(0);
        let Reduced { sine, cosine, quadrant, is_odd } = reduced(&mut f, reduce, x);
        let value = f.select(is_odd, cosine, sine);
        let half = f.integer(BinaryOp::IAnd, quadrant, 2);
        let half = f.integer(BinaryOp::IShl, half, 30);
        let sign = f.sign_bit(x);
        let sign = f.binary(BinaryOp::IXor, half, sign);
        let value = f.signed(value, sign);
        let value = of_finite(&mut f, x, value);
        f.continuous(vec![value])
    })
}

/// `Math.cos`: within 2.5 ulp or 1e-7 for |x| up to 102,943; see [`reduce_angle`] for beyond.
pub(super) fn cosine(state: &mut State) -> Handle<Function> {
    let reduce = reduce_angle(state);
    state.function("cosine", |_| {
        let mut f = Formula::new("cosine", &[("x", Type::Float)]);
        let x = f.argument(0);
        let Reduced { sine, cosine, quadrant, is_odd } = reduced(&mut f, reduce, x);
        let value = f.select(is_odd, sine, cosine);
        let next = f.integer(BinaryOp::IAdd, quadrant, 1);
        let half = f.integer(BinaryOp::IAnd, next, 2);
        let sign = f.integer(BinaryOp::IShl, half, 30);
        let value = f.signed(value, sign);
        let value = of_finite(&mut f, x, value);
        f.continuous(vec![value])
    })
}

/// `Math.tan`, the quotient of sine and cosine: within 4 ulp for |x| up to 2π; beyond, the angle is
/// off as [`reduce_angle`] says.
pub(super) fn tangent(state: &mut State) -> Handle<Function> {
    let reduce = reduce_angle(state);
    state.function("tangent", |_| {
        let mut f = Formula::new("tangent", &[("x", Type::Float)]);
        let x = f.argument(0);
        let Reduced { sine, cosine, quadrant, is_odd } = reduced(&mut f, reduce, x);
        let upper = f.select(is_odd, cosine, sine);
        let lower = f.select(is_odd, sine, cosine);
        let value = f.div(upper, lower);
        let odd = f.integer(BinaryOp::IShl, quadrant, 31);
        let sign = f.sign_bit(x);
        let sign = f.binary(BinaryOp::IXor, odd, sign);
        let value = f.signed(value, sign);
        let value = of_finite(&mut f, x, value);
        f.continuous(vec![value])
    })
}
