//! Chunks as rayon jobs.

use super::{Executor, shares};

/// Shares chunks with the rayon pool that the calling thread belongs to, by default the global one.
///
/// The threads of such a pool sleep between steps, and waking them takes a while; see
/// [`HotPool`](super::HotPool).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rayon;

/// Operations from which on waking threads pays: measured, see `docs/threads.md`.
const WORTH: usize = 1 << 22;

impl Executor for Rayon {
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        rayon::join(a, b);
    }

    fn chunk(&self, slots: usize, operations: usize) -> usize {
        shares(slots, operations, rayon::current_num_threads(), WORTH)
    }
}
