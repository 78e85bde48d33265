//! Runs the update of Parallel on several threads.
//!
//! The slots are cut into chunks, each of which borrows its own part of every column. No particle
//! sees another, so neither the cuts nor the order in which chunks run show in the result.

#[cfg(feature = "rayon")]
mod pool;
#[cfg(feature = "rayon")]
mod rayon;

#[cfg(feature = "rayon")]
pub use self::pool::{HotPool, PoolError};
#[cfg(feature = "rayon")]
pub use self::rayon::Rayon;

/// Chunks begin at multiples of this many slots, so that vectors of all instruction sets fit in.
const ALIGNMENT: usize = 64;

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

/// What a chunk of an update touches: for generated code.
pub trait Split: Sized + Send {
    /// The slots before `slot`, and the others.
    fn split(self, slot: usize) -> (Self, Self);
}

/// Updates `slots` slots, in chunks: for generated code.
pub fn for_each_chunk<E: Executor, S: Split>(
    executor: &E,
    slots: usize,
    operations: usize,
    part: S,
    update: &(impl Fn(usize, S) + Sync),
) {
    let chunk = executor.chunk(slots, operations).max(1);
    halve(executor, slots, chunk, part, update);
}

fn halve<E: Executor, S: Split>(
    executor: &E,
    slots: usize,
    chunk: usize,
    part: S,
    update: &(impl Fn(usize, S) + Sync),
) {
    // Half of the chunks, so that all but the last are of one size.
    let chunks = slots.div_ceil(chunk);
    let middle = (chunks / 2 * chunk).next_multiple_of(ALIGNMENT);
    if chunks < 2 || middle >= slots {
        update(slots, part);
        return;
    }
    let (low, high) = part.split(middle);
    executor.join(
        || halve(executor, middle, chunk, low, update),
        || halve(executor, slots - middle, chunk, high, update),
    );
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

#[cfg(test)]
mod tests {
    use super::{ALIGNMENT, Executor, Split, for_each_chunk};
    use std::sync::Mutex;

    impl Split for &mut [u32] {
        fn split(self, slot: usize) -> (Self, Self) {
            self.split_at_mut(slot)
        }
    }

    struct Chunked(usize);

    impl Executor for Chunked {
        fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
            b();
            a();
        }

        fn chunk(&self, _slots: usize, operations: usize) -> usize {
            assert_eq!(operations, 3);
            self.0
        }
    }

    #[test]
    fn every_slot_is_in_one_chunk() {
        for slots in [0, 1, 63, 64, 65, 1000, 4096] {
            for chunk in [0, 1, 64, 100, 512, 5000] {
                let mut values = vec![0u32; slots];
                let sizes = Mutex::new(Vec::new());
                for_each_chunk(&Chunked(chunk), slots, 3, &mut values[..], &|count, part| {
                    assert_eq!(part.len(), count);
                    part.iter_mut().for_each(|value| *value += 1);
                    sizes.lock().unwrap().push(count);
                });
                assert!(values.iter().all(|&value| value == 1));
                let largest = sizes.into_inner().unwrap().into_iter().max().unwrap();
                assert!(largest <= chunk.max(1).next_multiple_of(ALIGNMENT).min(slots) + ALIGNMENT);
            }
        }
    }
}
