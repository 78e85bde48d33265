//! Sources of random numbers. Any generator of the `rand` family is one.

mod pcg;
mod sine;

pub use pcg::Pcg;
pub use sine::Sine;

/// A stream of random numbers.
///
/// Systems may share one source; each takes its numbers in turn. Implemented for every
/// [`rand_core::Rng`].
pub trait Random {
    /// The next number, in [0, 1).
    fn next(&mut self) -> f64;
}

impl<G: rand_core::Rng + ?Sized> Random for G {
    /// The upper 53 bits of the next 64.
    #[inline]
    fn next(&mut self) -> f64 {
        // 2^-53: the spacing of binary64 numbers below 1.
        const UNIT: f64 = 1.0 / 9_007_199_254_740_992.0;
        (self.next_u64() >> 11) as f64 * UNIT
    }
}
