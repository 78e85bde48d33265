//! The number rules of particle graphs, defined once.
//!
//! Graphs mean what JavaScript computes. The interpreter, constant folding and generated Rust call
//! these functions, so that the three cannot drift apart. The modules [`mod@f64`] and [`mod@f32`] hold the
//! same functions for the two precisions; in `f32` the results are what rounding the `f64` result
//! would give, which for all operations here is also what binary32 arithmetic gives.

pub mod lanes;
mod text;

pub use text::number_to_string;

macro_rules! rules {
    ($(#[$doc:meta])* $module:ident, $float:ty) => {
        $(#[$doc])*
        pub mod $module {
            /// `Math.min` of two numbers: NaN where either is, and -0 below 0.
            #[inline(always)]
            #[must_use]
            pub fn min(a: $float, b: $float) -> $float {
                if a < b || a.is_nan() {
                    a
                } else if a == b && a.is_sign_negative() {
                    a
                } else {
                    b
                }
            }

            /// `Math.max` of two numbers: NaN where either is, and 0 above -0.
            #[inline(always)]
            #[must_use]
            pub fn max(a: $float, b: $float) -> $float {
                if a > b || a.is_nan() {
                    a
                } else if a == b && a.is_sign_positive() {
                    a
                } else {
                    b
                }
            }

            /// The `%` operator: the remainder of truncated division, exact, with the sign of `a`.
            #[inline(always)]
            #[must_use]
            pub fn rem(a: $float, b: $float) -> $float {
                a % b
            }

            /// `Math.round`: ties go up; the sign of zero is kept.
            #[inline(always)]
            #[must_use]
            pub fn round(a: $float) -> $float {
                let floor = a.floor();
                let rounded = if a - floor >= 0.5 { floor + 1.0 } else { floor };
                rounded.copysign(a)
            }

            /// `>>> 0`, and the bits of `| 0`: truncation modulo 2^32; 0 for NaN and infinities.
            #[inline(always)]
            #[must_use]
            pub fn to_uint(a: $float) -> u32 {
                // Casts saturate: this range is where they agree with the modulus.
                if a > -2_147_483_649.0 && a < 2_147_483_648.0 {
                    return (a as i32) as u32;
                }
                super::wrap(f64::from(a))
            }

            /// The bits of the number rounded to binary32; the same for every NaN.
            #[inline(always)]
            #[must_use]
            pub fn float_bits(a: $float) -> u32 {
                if a.is_nan() { 0x7fc0_0000 } else { (a as f32).to_bits() }
            }

            /// The binary32 number of these bits.
            #[inline(always)]
            #[must_use]
            pub fn bits_float(bits: u32) -> $float {
                <$float>::from(<f32>::from_bits(bits))
            }
        }
    };
}

rules!(
    /// Rules for binary64 numbers.
    f64,
    f64
);
rules!(
    /// Rules for binary32 numbers.
    f32,
    f32
);

/// `ToUint32` for numbers beyond the 32-bit range.
#[cold]
fn wrap(a: f64) -> u32 {
    if !a.is_finite() {
        return 0;
    }
    let modulus = 4_294_967_296.0;
    let rest = libm::trunc(a) % modulus;
    (if rest < 0.0 { rest + modulus } else { rest }) as u32
}

/// Transcendental functions of Exact: one pure-Rust implementation, equal on every machine.
pub mod exact {
    pub use libm::{acos, asin, atan, atan2, cos, exp, log as ln, sin, tan};

    /// `Math.pow`: unlike C's, NaN where the exponent is NaN or where |base| is 1 and the exponent
    /// infinite.
    #[must_use]
    pub fn pow(base: f64, exponent: f64) -> f64 {
        if exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite()) {
            return f64::NAN;
        }
        libm::pow(base, exponent)
    }
}

/// Mixes 32 bits so that each input bit moves about half of the output bits.
///
/// The constants are those of Chris Wellons' search for low-bias two-multiply hashes.
#[inline(always)]
#[must_use]
pub const fn mix(value: u32) -> u32 {
    let mut x = value;
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// Folds an instance's 64-bit seed and the ordinal of a system in its file into the 32-bit seed
/// uniform of a Parallel program.
#[must_use]
pub const fn system_seed(seed: u64, system: u32) -> u32 {
    mix(mix(mix(seed as u32).wrapping_add((seed >> 32) as u32)).wrapping_add(system))
}

#[cfg(test)]
mod tests {
    use super::f64::{max, min, rem, round, to_uint};

    #[test]
    fn zero_signs_and_nan_follow_javascript() {
        assert!(min(0.0, -0.0).is_sign_negative() && min(-0.0, 0.0).is_sign_negative());
        assert!(max(0.0, -0.0).is_sign_positive() && max(-0.0, 0.0).is_sign_positive());
        assert!(min(f64::NAN, 1.0).is_nan() && min(1.0, f64::NAN).is_nan());
        assert!(max(f64::NAN, 1.0).is_nan() && max(1.0, f64::NAN).is_nan());
        assert!(rem(-4.0, 2.0).is_sign_negative());
    }

    #[test]
    fn rounding_follows_javascript() {
        for (from, to) in [(0.5, 1.0), (-0.5, -0.0), (2.5, 3.0), (-2.5, -2.0), (1.4, 1.0)] {
            assert_eq!(round(from).to_bits(), f64::to_bits(to), "{from}");
        }
        assert_eq!(round(0.499_999_999_999_999_94), 0.0);
        assert_eq!(round(4_503_599_627_370_497.0), 4_503_599_627_370_497.0);
        assert!(round(f64::NAN).is_nan());
        assert_eq!(round(f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn integer_conversion_wraps() {
        assert_eq!(to_uint(-1.5), u32::MAX);
        assert_eq!(to_uint(4_294_967_297.0), 1);
        assert_eq!(to_uint(-4_294_967_297.0), u32::MAX);
        assert_eq!(to_uint(1e39), 0);
        assert_eq!(to_uint(f64::NAN), 0);
        assert_eq!(to_uint(f64::NEG_INFINITY), 0);
        assert_eq!(to_uint(3_000_000_000.0), 3_000_000_000);
    }
}
