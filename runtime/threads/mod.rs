//! Runs a step of Parallel in pieces, on one thread or several.
//!
//! The slots are cut into pieces, each of which borrows its own part of every column. No particle
//! sees another, so neither the cuts nor the order in which pieces run show in the result.

#[cfg(feature = "rayon")]
mod pool;
#[cfg(feature = "rayon")]
mod rayon;
mod step;

#[cfg(feature = "rayon")]
pub use self::pool::{HotPool, PoolError};
#[cfg(feature = "rayon")]
pub use self::rayon::Rayon;
pub use self::step::{Births, Bodies, Counts, Part, step};

/// Where chunks of a step run.
pub trait Executor: Sync {
    /// Calls both, at the same time or one after the other, and returns when both have returned.
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B);

    /// How many slots one thread visits in one go at most, for a program that computes `operations`
    /// values a particle; chunks end at multiples of 64, and so may have a few slots more. At or above
    /// `slots` all run on the calling thread.
    fn chunk(&self, slots: usize, operations: usize) -> usize;
}

/// The calling thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inline;

impl Executor for Inline {
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        a();
        b();
    }

    fn chunk(&self, slots: usize, _operations: usize) -> usize {
        slots
    }
}

/// Chunk for this many threads: even shares, or all slots where the work is too little for the
/// price of sharing it.
#[cfg(feature = "rayon")]
fn shares(slots: usize, operations: usize, threads: usize, worth: usize) -> usize {
    let work = slots.saturating_mul(operations.max(1));
    if threads < 2 || work < worth {
        return slots;
    }
    let coarse = slots.div_ceil(threads * FEW);
    slots.div_ceil(threads * MANY).max(LEAST).min(coarse)
}

/// Chunks a thread, at least: they even out what else the machine does.
#[cfg(feature = "rayon")]
const FEW: usize = 2;
/// Chunks a thread, at most. Particles that were born together die together, so that all births of a step
/// may fall into few chunks; small ones let threads share them.
#[cfg(feature = "rayon")]
const MANY: usize = 32;
/// Slots of a chunk, where there are enough: some segments of a step.
#[cfg(feature = "rayon")]
const LEAST: usize = 4096;

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use super::shares;

    #[test]
    fn chunks_are_few_for_little_work_and_many_for_much() {
        let chunk = |slots| shares(slots, 100, 2, 1 << 20);
        assert_eq!(chunk(10_000), 10_000);
        assert_eq!(chunk(11_000), 2_750);
        assert_eq!(chunk(100_000), 4_096);
        assert_eq!(chunk(1_000_000), 15_625);
        assert_eq!(shares(1_000_000, 100, 1, 1), 1_000_000);
        assert_eq!(shares(10, usize::MAX, 2, 1), 3);
    }
}
