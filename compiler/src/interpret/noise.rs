//! Quotients and roots as another executor may round them.

/// How quotients and roots of binary32 bodies deviate from the correctly rounded ones: by as much as
/// WGSL leaves open, 3 units of the last place for a quotient (of 2.5) and 5 for a root, which is
/// the inverse (2.5) of an inverse root (2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Each as large as may be.
    Up,
    /// Each as small as may be.
    Down,
    /// By chance; the number is the state of the generator.
    Random(u64),
}

/// Units of the last place by which a quotient is off at most.
pub(super) const QUOTIENT: u32 = 3;
/// Units of the last place by which a root is off at most.
pub(super) const ROOT: u32 = 5;

impl Noise {
    /// Another value within so many units of the last place. Zeros, infinities and NaN stay.
    pub(super) fn apply(&mut self, value: f64, units: u32) -> f64 {
        let value = value as f32;
        if value == 0.0 || !value.is_finite() {
            return f64::from(value);
        }
        let units = i64::from(units);
        let distance = match self {
            Self::Up => units,
            Self::Down => -units,
            Self::Random(state) => {
                // Knuth's generator; the high bits are the good ones.
                *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (*state >> 33) as i64 % (2 * units + 1) - units
            }
        };
        let next = if distance > 0 { f32::next_up } else { f32::next_down };
        f64::from((0..distance.abs()).fold(value, |value, _| next(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_move_within_bounds() {
        assert_eq!(Noise::Up.apply(1.0, 3), 1.0 + 3.0 * f64::from(f32::EPSILON));
        assert_eq!(Noise::Down.apply(-2.0, 1), -2.0 - 2.0 * f64::from(f32::EPSILON));
        for still in [0.0, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Noise::Up.apply(still, 5), still);
        }
        let mut noise = Noise::Random(1);
        let seen: std::collections::BTreeSet<i64> = (0..200)
            .map(|_| ((noise.apply(1.5, 3) - 1.5) / f64::from(f32::EPSILON)) as i64)
            .collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [-3, -2, -1, 0, 1, 2, 3]);
    }
}
