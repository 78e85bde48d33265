//! Functions that vectorize, because they select where others branch.
//!
//! The `f64` ones give the bits of `pyrograph::numeric::exact` (the `libm` crate, after FreeBSD's
//! msun) where [`is_plain`] holds; the `f32` ones those of the polynomials that the compiler expands.

/// Sine and cosine of the reduced argument `x + y`.
#[inline(always)]
fn kernels(x: f64, y: f64, is_reduced: bool) -> (f64, f64) {
    let z = x * x;
    let w = z * z;
    let r = 0.008_333_333_333_322_49
        + z * (-1.984_126_982_985_795e-4 + z * 2.755_731_370_707_006_8e-6)
        + z * w * (-2.505_076_025_340_686_3e-8 + z * 1.589_690_995_211_55e-10);
    let v = z * x;
    const S1: f64 = -1.666_666_666_666_663_2e-1;
    let plain = x + v * (S1 + z * r);
    let corrected = x - ((z * (0.5 * y - v * r) - y) - v * S1);
    let sine = if is_reduced { corrected } else { plain };
    let r = z
        * (4.166_666_666_666_66e-2
            + z * (-1.388_888_888_887_411e-3 + z * 2.480_158_728_947_673e-5))
        + w * w
            * (-2.755_731_435_139_066_3e-7
                + z * (2.087_572_321_298_175e-9 + z * -1.135_964_755_778_819_5e-11));
    let half = 0.5 * z;
    let w = 1.0 - half;
    let cosine = w + (((1.0 - w) - half) + (z * r - x * y));
    (sine, cosine)
}

/// Upper half of the number without its sign.
#[inline(always)]
fn high(x: f64) -> u64 {
    (x.to_bits() >> 32) & 0x7fff_ffff
}

/// Whether [`sin_cos`] gives the bits of the library: the argument is below 9π/4, not near a multiple
/// of π/2, where the library reduces in more steps, and not so small that it takes a short cut.
#[inline(always)]
pub(super) fn is_plain(x: f64) -> bool {
    let high = high(x);
    let is_near = (high & 0xf_ffff) == 0x9_21fb || high == 0x4012_d97c;
    // Below π/4 nothing is reduced, so nothing is near.
    (high <= 0x3fe9_21fb || !is_near) && (0x3e50_0000..=0x401c_463b).contains(&high)
}

/// Sine and cosine where [`is_plain`] holds.
#[inline(always)]
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    // π/2 in two parts.
    const HIGH: f64 = 1.570_796_326_734_125_6;
    const LOW: f64 = 6.077_100_506_506_192e-11;
    let high = high(x);
    let is_reduced = high > 0x3fe9_21fb;
    let quarters = u64::from(is_reduced)
        + u64::from(high > 0x4002_d97c)
        + u64::from(high > 0x400f_6a7a)
        + u64::from(high > 0x4015_fdbc);
    // A small number of quarters as a float, by its bits: 64-bit integers do not convert in vectors.
    let count = f64::from_bits(quarters | 0x4330_0000_0000_0000) - 4_503_599_627_370_496.0;
    let count = count.copysign(x);
    let z = x - count * HIGH;
    let tail = count * LOW;
    let reduced = z - tail;
    let rest = (z - reduced) - tail;
    let (argument, rest) = if is_reduced { (reduced, rest) } else { (x, 0.0) };
    let (sine, cosine) = kernels(argument, rest, is_reduced);
    // Turned by that many quarters, in the direction of the sign.
    let is_odd = quarters & 1 == 1;
    let is_negative = x.to_bits() >> 63;
    let (a, b) = if is_odd { (cosine, sine) } else { (sine, cosine) };
    let turned = quarters >> 1 & 1;
    // sin: + cos(+1) - sin(2) - cos(3); backwards the odd ones change their sign.
    let flip_sine = turned ^ (is_negative & quarters & 1);
    let flip_cosine = (turned ^ (quarters & 1)) ^ (is_negative & quarters & 1);
    let flip = |value: f64, bit: u64| f64::from_bits(value.to_bits() ^ bit << 63);
    (flip(a, flip_sine), flip(b, flip_cosine))
}

/// Arc cosine of numbers in (-1, 1); bits of the library.
#[inline(always)]
pub(super) fn acos(x: f64) -> f64 {
    const HALF_PI: f64 = std::f64::consts::FRAC_PI_2;
    const LOW: f64 = 6.123_233_995_736_766e-17;
    let is_small = x.abs() < 0.5;
    let half = if x < 0.0 { (1.0 + x) * 0.5 } else { (1.0 - x) * 0.5 };
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
    let small = HALF_PI - (x - (LOW - x * r));
    let s = half.sqrt();
    let below = 2.0 * (HALF_PI - (s + (r * s - LOW)));
    let upper = f64::from_bits(s.to_bits() & 0xffff_ffff_0000_0000);
    let c = (half - upper * upper) / (s + upper);
    let above = 2.0 * (upper + (r * s + c));
    if is_small {
        small
    } else if x < 0.0 {
        below
    } else {
        above
    }
}

/// Number of quarter turns next to an angle, and what is left of it.
#[inline(always)]
fn reduce(x: f32) -> (f32, u32) {
    let size = x.abs();
    // Periods of 710 are close to whole turns; beyond 2^39 there is nothing to compute.
    let large = size - (size * 0.001_408_450_7).floor() * 710.0;
    let size = if size > 102_943.0 { large } else { size };
    let size = if x.abs() >= 549_755_800_000.0 { 0.0 } else { size };
    let count = (size * std::f32::consts::FRAC_2_PI + 0.5).floor();
    let rest = size - count * 1.570_312_5;
    let rest = rest - count * 0.000_482_559_2;
    let rest = rest - count * 1.266_598_7e-6;
    let rest = rest - count * 9.920_936e-10;
    (rest, (count + 12_582_912.0).to_bits().wrapping_sub(1_262_485_504))
}

/// Sine and cosine of a reduced angle.
#[inline(always)]
fn quarter(x: f32) -> (f32, f32) {
    let z = x * x;
    let sine = x + x * z * ((z * -0.000_195_149_58 + 0.008_332_158) * z + -0.166_666_55);
    let fourth = (z * 2.443_278_6e-5 + -0.001_388_731_3) * z + 0.041_666_646;
    (sine, 1.0 - z * 0.5 + z * z * fourth)
}

/// Not a number, where the angle is none.
#[inline(always)]
fn of_finite(x: f32, value: f32) -> f32 {
    if x.to_bits() & 0x7fff_ffff < 0x7f80_0000 { value } else { f32::NAN }
}

#[inline(always)]
fn flip(value: f32, sign: u32) -> f32 {
    f32::from_bits(value.to_bits() ^ sign)
}

#[inline(always)]
pub(super) fn sine(x: f32) -> f32 {
    let (rest, count) = reduce(x);
    let (sine, cosine) = quarter(rest);
    let value = if count & 1 == 1 { cosine } else { sine };
    of_finite(x, flip(value, (count & 2) << 30 ^ (x.to_bits() & 0x8000_0000)))
}

#[inline(always)]
pub(super) fn cosine(x: f32) -> f32 {
    let (rest, count) = reduce(x);
    let (sine, cosine) = quarter(rest);
    let value = if count & 1 == 1 { sine } else { cosine };
    of_finite(x, flip(value, (count.wrapping_add(1) & 2) << 30))
}

/// Arc cosine of numbers in [-1, 1].
#[inline(always)]
pub(super) fn arc_cosine(x: f32) -> f32 {
    let size = x.abs();
    let is_large = size > 0.5;
    let half = (1.0 - size) * 0.5;
    let z = if is_large { half } else { x * x };
    let root = if is_large { half.sqrt() } else { size };
    let p = z * 0.042_178_232 + 0.024_172_95;
    let p = p * z + 0.045_471_61;
    let p = p * z + 0.074_952_886;
    let p = p * z + 0.166_667_52;
    let value = root + root * (z * p);
    let double = value * 2.0;
    let large = if x < 0.0 { std::f32::consts::PI - double + -8.742_278e-8 } else { double };
    let small =
        std::f32::consts::FRAC_PI_2 - flip(value, x.to_bits() & 0x8000_0000) + -4.371_139e-8;
    if is_large { large } else { small }
}

#[cfg(test)]
mod tests {
    use pyrograph::numeric::exact;
    use pyrograph::{Pcg, Random};

    use super::{acos, is_plain, sin_cos};

    #[test]
    fn the_library_s_bits_come_out() {
        let mut random = Pcg::seed_from_u64(3);
        let mut plain = 0;
        for _ in 0..1_000_000 {
            let x = (random.next() - 0.5) * 14.0;
            if is_plain(x) {
                let (sine, cosine) = sin_cos(x);
                assert_eq!(sine.to_bits(), exact::sin(x).to_bits(), "sin {x}");
                assert_eq!(cosine.to_bits(), exact::cos(x).to_bits(), "cos {x}");
                plain += 1;
            }
            let x = x / 7.0;
            assert_eq!(acos(x).to_bits(), exact::acos(x).to_bits(), "acos {x}");
        }
        assert!(plain > 990_000, "{plain}");
    }
}
