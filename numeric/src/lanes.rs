//! Functions of [`exact`](crate::exact) in a form that compilers compute for many numbers at once:
//! they select where the library branches.
//!
//! Each gives the library's bits for *plain* arguments, which nearly all are. For any other one it
//! adds to `odd`, a mask that stays 0 otherwise, and gives some number. A loop collects the mask, and
//! is run again with the library where the mask is not 0.
//!
//! The formulas are those of the `libm` crate (after FreeBSD's msun), in its order of operations.

use core::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4};

/// Sine. Plain: up to 1.6 million in size, and some millionths away from multiples of π/4 other than 0.
#[inline(always)]
#[must_use]
pub fn sin(x: f64, odd: &mut u64) -> f64 {
    let Angle { quarters, sine, cosine } = Angle::new(x, odd);
    let value = if quarters & 1 == 1 { cosine } else { sine };
    // Odd, so that the sign comes from outside.
    flip(value, (quarters >> 1 & 1) ^ (x.to_bits() >> 63))
}

/// Cosine. Plain is what is plain for [`sin`].
#[inline(always)]
#[must_use]
pub fn cos(x: f64, odd: &mut u64) -> f64 {
    let Angle { quarters, sine, cosine } = Angle::new(x, odd);
    let value = if quarters & 1 == 1 { sine } else { cosine };
    flip(value, (quarters ^ quarters >> 1) & 1)
}

/// Arc cosine. Plain: between -1 and 1, without the two.
#[inline(always)]
#[must_use]
pub fn acos(x: f64, odd: &mut u64) -> f64 {
    // The part of π/2 that its binary64 lacks.
    const LOW: f64 = 6.123_233_995_736_766e-17;
    let size = x.abs();
    let is_plain = size < 1.0;
    *odd |= u64::from(!is_plain);
    let is_small = size < 0.5;
    let half = (1.0 - size) * 0.5;
    let z = if is_small { x * x } else { half };
    let p = z
        * (1.666_666_666_666_666_6e-1
            + z * (-3.255_658_186_224_009e-1
                + z * (2.012_125_321_348_629_3e-1
                    + z * (-4.005_553_450_067_941e-2
                        + z * (7.915_349_942_898_145e-4 + z * 3.479_331_075_960_212e-5)))));
    let q = 1.0
        + z * (-2.403_394_911_734_414
            + z * (2.020_945_760_233_505_7
                + z * (-6.882_839_716_054_533e-1 + z * 7.703_815_055_590_194e-2)));
    let r = p / q;
    let small = FRAC_PI_2 - (x - (LOW - x * r));
    let s = half.sqrt();
    let below = 2.0 * (FRAC_PI_2 - (s + (r * s - LOW)));
    let upper = f64::from_bits(s.to_bits() & 0xffff_ffff_0000_0000);
    let rest = (half - upper * upper) / (s + upper);
    let above = 2.0 * (upper + (r * s + rest));
    let large = if x < 0.0 { below } else { above };
    if is_small { small } else { large }
}

/// An angle without its sign, reduced to what is left of the next multiple of π/2.
struct Angle {
    /// The multiple; only its lowest bits count.
    quarters: u64,
    sine: f64,
    cosine: f64,
}

impl Angle {
    #[inline(always)]
    fn new(x: f64, odd: &mut u64) -> Self {
        // π/2 in parts: 33 bits, 33 bits more, and what each of the two leaves.
        const FIRST: f64 = 1.570_796_326_734_125_6;
        const FIRST_REST: f64 = 6.077_100_506_506_192e-11;
        const SECOND: f64 = 6.077_100_506_303_966e-11;
        const SECOND_REST: f64 = 2.022_266_248_795_950_7e-21;
        // Adding it rounds to an integer, which then stands in the lowest bits.
        const INTEGER: f64 = 6_755_399_441_055_744.0;
        // A little below 9π/4 and 2^20 π/2, beyond which the library reduces in other ways.
        const SMALL: f64 = 7.0;
        const LARGE: f64 = 1.6e6;
        let size = x.abs();
        let is_small = size < SMALL;
        let shifted = size * FRAC_2_PI + INTEGER;
        let quarters = shifted.to_bits();
        let count = shifted - INTEGER;
        let high = size - count * FIRST;
        let low = count * FIRST_REST;
        let first = high - low;
        // Where more than 16 bits cancel, the next part of π/2 follows. The power of two below the size
        // has its exponent.
        let power = f64::from_bits(size.to_bits() & 0x7ff0_0000_0000_0000);
        let cancels = !is_small & (first.abs() < power * (1.0 / 65536.0));
        let by = count * SECOND;
        let second_high = high - by;
        let second_low = count * SECOND_REST - ((high - second_high) - by);
        let high = if cancels { second_high } else { high };
        let low = if cancels { second_low } else { low };
        let reduced = high - low;
        let rest = (high - reduced) - low;
        // Nearer to a multiple the library goes on to a third part of π/2; below 9π/4 it looks at the upper
        // half of the number to see whether it should, which says so up to 4.1e-7 of it away.
        let near = size * if is_small { 1.0 / 1_048_576.0 } else { 1.0 / 281_474_976_710_656.0 };
        // Up to there that half also decides which multiple is next: wrongly up to 7.6e-7 of the number away
        // from halfway.
        let halfway = FRAC_PI_4 - 8e-7 * if is_small { size } else { SMALL };
        let left = reduced.abs();
        let is_plain = (left >= near) & (left <= halfway) & (size <= LARGE);
        *odd |= u64::from(!is_plain);
        let z = reduced * reduced;
        Self {
            quarters,
            sine: sine(reduced, rest, z, count == 0.0),
            cosine: cosine(reduced, rest, z),
        }
    }
}

/// Sine of the reduced angle `x + y`, where `z` is the square of `x`; for a whole one `y` is 0.
#[inline(always)]
fn sine(x: f64, y: f64, z: f64, is_whole: bool) -> f64 {
    const FIRST: f64 = -1.666_666_666_666_663_2e-1;
    let w = z * z;
    let r = 0.008_333_333_333_322_49
        + z * (-1.984_126_982_985_795e-4 + z * 2.755_731_370_707_006_8e-6)
        + z * w * (-2.505_076_025_340_686_3e-8 + z * 1.589_690_995_211_55e-10);
    let v = z * x;
    let whole = x + v * (FIRST + z * r);
    let corrected = x - ((z * (0.5 * y - v * r) - y) - v * FIRST);
    if is_whole { whole } else { corrected }
}

/// Cosine of the reduced angle `x + y`, where `z` is the square of `x`.
#[inline(always)]
fn cosine(x: f64, y: f64, z: f64) -> f64 {
    let w = z * z;
    let r = z
        * (4.166_666_666_666_66e-2
            + z * (-1.388_888_888_887_411e-3 + z * 2.480_158_728_947_673e-5))
        + w * w
            * (-2.755_731_435_139_066_3e-7
                + z * (2.087_572_321_298_175e-9 + z * -1.135_964_755_778_819_5e-11));
    let half = 0.5 * z;
    let w = 1.0 - half;
    w + (((1.0 - w) - half) + (z * r - x * y))
}

/// Changes the sign where the bit is set.
#[inline(always)]
fn flip(value: f64, bit: u64) -> f64 {
    f64::from_bits(value.to_bits() ^ bit << 63)
}

#[cfg(test)]
mod tests {
    use core::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    use super::{acos, cos, sin};
    use crate::exact;

    /// Neighbours of a number, in steps of its last digit and wider ones, with both signs.
    fn around(x: f64) -> impl Iterator<Item = f64> {
        let steps = (-40..=40i64).flat_map(|step| (0..8).map(move |wider| step << (6 * wider)));
        let bits = x.abs().to_bits();
        steps
            .map(move |step| f64::from_bits(bits.wrapping_add_signed(step) & !(1 << 63)))
            .flat_map(|x| [x, -x])
    }

    /// 64 bits, each in its turn as good as random.
    struct Bits(u64);

    impl Iterator for Bits {
        type Item = u64;

        fn next(&mut self) -> Option<u64> {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            Some(x ^ x >> 31)
        }
    }

    /// Numbers spread evenly between -1 and 1.
    fn even(seed: u64) -> impl Iterator<Item = f64> {
        Bits(seed).map(|bits| (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    }

    /// Every kind of number: all exponents, all classes.
    fn any(seed: u64) -> impl Iterator<Item = f64> {
        Bits(seed).map(f64::from_bits)
    }

    /// Whether the angle was plain.
    fn check_angle(x: f64) -> bool {
        let (mut sine_odd, mut cosine_odd) = (0, 0);
        let (sine, cosine) = (sin(x, &mut sine_odd), cos(x, &mut cosine_odd));
        assert_eq!(sine_odd, cosine_odd, "{x:e}");
        if sine_odd == 0 {
            assert_eq!(sine.to_bits(), exact::sin(x).to_bits(), "sin {x:e}");
            assert_eq!(cosine.to_bits(), exact::cos(x).to_bits(), "cos {x:e}");
        }
        sine_odd == 0
    }

    /// Whether the cosine was plain.
    fn check_cosine(x: f64) -> bool {
        let mut odd = 0;
        let angle = acos(x, &mut odd);
        if odd == 0 {
            assert_eq!(angle.to_bits(), exact::acos(x).to_bits(), "acos {x:e}");
        }
        odd == 0
    }

    #[test]
    fn angles_have_the_bits_of_the_library() {
        let ranges = [
            (1e-9, 300_000),
            (1e-3, 300_000),
            (0.8, 299_990),
            (7.0, 299_990),
            (100.0, 299_990),
            (1e4, 299_990),
            (1.6e6, 299_990),
        ];
        for (seed, (range, least)) in ranges.into_iter().enumerate() {
            let plain = even(seed as u64).take(300_000).filter(|x| check_angle(x * range)).count();
            assert!(plain >= least, "{plain} below {range}");
        }
        any(1).take(300_000).for_each(|x| {
            check_angle(x);
        });
    }

    #[test]
    fn borders_of_angles_have_the_bits_of_the_library() {
        // Multiples of π/4, where the multiple of π/2 changes, or little is left.
        for count in (0..200).chain((1..2_000).map(|count| count * 1049)) {
            around(f64::from(count) * FRAC_PI_4).for_each(|x| {
                check_angle(x);
            });
        }
        // Upper halves that the library compares with.
        let uppers = [
            0x3e46_a09e,
            0x3e50_0000,
            0x3fe9_21fb,
            0x3ff9_21fb,
            0x4002_d97c,
            0x4009_21fb,
            0x400f_6a7a,
            0x4012_d97c,
            0x4015_fdbc,
            0x4019_21fb,
            0x401c_463b,
            0x4139_21fb,
        ];
        for upper in uppers {
            for lower in Bits(upper).take(20_000) {
                check_angle(f64::from_bits(upper << 32 | lower >> 32));
            }
            around(f64::from_bits(upper << 32)).for_each(|x| {
                check_angle(x);
            });
            around(f64::from_bits((upper + 1) << 32)).for_each(|x| {
                check_angle(x);
            });
        }
        // Where this module draws its own lines.
        for line in [0.785_394, 1.6e6] {
            around(line).for_each(|x| {
                check_angle(x);
            });
        }
        for power in -1074..=1023 {
            around(2f64.powi(power)).for_each(|x| {
                check_angle(x);
            });
        }
    }

    #[test]
    fn what_is_no_angle_is_odd() {
        for x in [f64::NAN, f64::INFINITY, 1.7e6, f64::MAX, FRAC_PI_2, FRAC_PI_4] {
            assert!(!check_angle(x) && !check_angle(-x), "{x}");
        }
        assert!(check_angle(0.0) && check_angle(-0.0) && check_angle(f64::from_bits(1)));
    }

    #[test]
    fn arc_cosines_have_the_bits_of_the_library() {
        for (seed, range) in [1e-20, 1e-3, 0.5, 1.0].into_iter().enumerate() {
            // The first of `even` may be -1 itself.
            let plain = even(seed as u64).take(300_000).filter(|x| check_cosine(x * range)).count();
            assert!(plain >= 299_999, "{plain} below {range}");
        }
        any(2).take(300_000).for_each(|x| {
            check_cosine(x);
        });
        for power in -1074..=0 {
            around(2f64.powi(power)).for_each(|x| {
                check_cosine(x);
            });
        }
        for x in [f64::NAN, f64::INFINITY, 1.0, 1.5] {
            assert!(!check_cosine(x) && !check_cosine(-x), "{x}");
        }
        assert!(check_cosine(0.0) && check_cosine(-0.0));
    }
}
