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

    /// The largest number of slots that are updated in one go, for a program that computes
    /// `operations` values a particle. At or above `slots` all run on the calling thread.
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
    if threads < 2 || work < worth { slots } else { slots.div_ceil(threads * SHARES) }
}

/// Chunks a thread: more even out what else the machine does, fewer cost less.
#[cfg(feature = "rayon")]
const SHARES: usize = 2;
