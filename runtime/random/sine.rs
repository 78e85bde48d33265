//! The source of the reference states.

use pyrograph_numeric::exact::sin;

use super::Random;

/// The fraction of `sin(k) * 10000` for k = 1, 2, 3, …: no good generator, but the one that
/// recorded Babylon.js states were made with (spec section 13.1).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sine {
    seed: f64,
}

impl Sine {
    /// The stream from its beginning.
    #[must_use]
    pub fn new() -> Self {
        Self { seed: 1.0 }
    }
}

impl Default for Sine {
    fn default() -> Self {
        Self::new()
    }
}

impl Random for Sine {
    fn next(&mut self) -> f64 {
        let value = sin(self.seed) * 10000.0;
        self.seed += 1.0;
        value - value.floor()
    }
}

#[cfg(test)]
mod tests {
    use super::{Random, Sine};

    #[test]
    fn starts_like_the_recorded_stream() {
        let mut random = Sine::new();
        for expected in [0.709_848_078_964_569_1, 0.974_268_256_817_595_1, 0.200_080_598_672_222_1]
        {
            let found = random.next();
            assert!((found - expected).abs() < 1e-11, "{found} {expected}");
        }
    }
}
