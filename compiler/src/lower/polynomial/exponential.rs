//! Exponentials of e and 2.

use super::formula::Formula;
use crate::ir::{BinaryOp, Function, Handle, Type, ValueId};
use crate::lower::state::State;

/// `2^f = 1 + f E(f)` to 2^-28.5 for |f| up to 1/2.
const EXPONENTIAL: [f32; 6] =
    [0.693_147_24, 0.240_226_52, 0.055_503_1, 0.009_617_691, 0.001_340_679_7, 0.000_155_950_75];

/// ln 2 in two parts. The first has 15 bits: its products with whole numbers up to 2^9 are exact.
pub(super) const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];

/// Exponents of 2 beyond which there is only 0 or infinity.
pub(super) const LOWEST: f32 = -152.0;
pub(super) const HIGHEST: f32 = 130.0;

/// `2^(whole + part)` for a whole number from [`LOWEST`] to [`HIGHEST`] and |part| up to about 1/2:
/// the power of 2 goes on in two halves, so that a subnormal result is rounded once.
pub(super) fn scaled_power(state: &mut State) -> Handle<Function> {
    state.function("scaled_power", |_| {
        let mut f = Formula::new("scaled_power", &[("whole", Type::Float), ("part", Type::Float)]);
        let [whole, part] = [0, 1].map(|index| f.argument(index));
        let tail = f.horner(part, &EXPONENTIAL);
        let tail = f.mul(part, tail);
        let power = f.plus(tail, 1.0);
        let whole = f.whole_bits(whole);
        let both = f.integer(BinaryOp::IAdd, whole, 2 * 127);
        let first = f.integer(BinaryOp::IShr, both, 1);
        let second = f.binary(BinaryOp::ISub, both, first);
        let [first, second] = [first, second].map(|exponent| two_to(&mut f, exponent));
        let power = f.mul(power, first);
        let power = f.mul(power, second);
        f.continuous(vec![power])
    })
}

/// `2^(biased - 127)`
fn two_to(f: &mut Formula, biased: ValueId) -> ValueId {
    let bits = f.integer(BinaryOp::IShl, biased, 23);
    f.of_bits(bits)
}

/// `Math.exp`: within 2 ulp.
pub(super) fn exponential(state: &mut State) -> Handle<Function> {
    let power = scaled_power(state);
    state.function("exponential", |_| {
        let mut f = Formula::new("exponential", &[("x", Type::Float)]);
        let x = f.argument(0);
        let held = f.held(x, -105.0, 90.0);
        let whole = f.times(held, std::f32::consts::LOG2_E);
        let whole = f.nearest(whole);
        let mut rest = held;
        for part in LN_2 {
            let product = f.times(whole, part);
            rest = f.sub(rest, product);
        }
        let part = f.times(rest, std::f32::consts::LOG2_E);
        let value = f.call1(power, vec![whole, part]);
        let is_nan = f.is_nan(x);
        let value = f.nan_where(is_nan, value);
        f.continuous(vec![value])
    })
}

/// `Math.pow(2, x)`: within 2 ulp.
pub(super) fn power_of_two(state: &mut State) -> Handle<Function> {
    let power = scaled_power(state);
    state.function("power_of_two", |_| {
        let mut f = Formula::new("power_of_two", &[("x", Type::Float)]);
        let x = f.argument(0);
        let held = f.held(x, LOWEST, HIGHEST);
        let whole = f.nearest(held);
        let part = f.sub(held, whole);
        let value = f.call1(power, vec![whole, part]);
        let is_nan = f.is_nan(x);
        let value = f.nan_where(is_nan, value);
        f.continuous(vec![value])
    })
}
