//! The default source.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::Random;

/// A small, fast generator with the same stream on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pcg(Pcg64Mcg);

impl Pcg {
    /// The stream of this seed.
    #[must_use]
    pub fn seed_from_u64(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }
}

impl Random for Pcg {
    #[inline]
    fn next(&mut self) -> f64 {
        Random::next(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Pcg, Random};

    #[test]
    fn numbers_stay_in_range_and_spread() {
        let mut random = Pcg::seed_from_u64(7);
        let numbers: Vec<f64> = (0..1000).map(|_| random.next()).collect();
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        let mean = numbers.iter().sum::<f64>() / 1000.0;
        assert!((0.45..0.55).contains(&mean), "{mean}");
    }
}
