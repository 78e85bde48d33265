//! Threads that are awake when a step comes.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

use super::{Executor, shares};

/// Threads that look for chunks all the time while steps come in quick succession, so that nobody waits
/// for them to wake up. Where no step comes for a while they sleep, and the next one wakes
/// them.
///
/// The thread that makes the pool is one of its threads from then on, for rayon's functions too, and
/// the one to step systems: from others it works, but is not quick. A thread makes one pool at most.
/// More threads than cores are slower than one.
///
/// Safe code cannot lend a part of a column to a thread that lives longer than the step, so the
/// lending is left to rayon; this type keeps its threads awake.
#[derive(Debug)]
pub struct HotPool {
    pool: ThreadPool,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// How long threads stay awake without work.
    patience: Duration,
    /// Counts steps, so that threads see that there was one.
    steps: AtomicUsize,
    /// How many threads sleep.
    sleeping: AtomicUsize,
    is_over: AtomicBool,
    lock: Mutex<()>,
    awake: Condvar,
}

/// No pool could be made.
#[derive(Debug)]
pub struct PoolError(rayon::ThreadPoolBuildError);

impl fmt::Display for PoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the threads cannot be started ({}): make one pool a thread, outside of rayon's own",
            self.0
        )
    }
}

impl std::error::Error for PoolError {}

/// Operations from which on sharing a step pays: measured, see `docs/threads.md`.
const WORTH: usize = 1 << 20;

impl HotPool {
    /// A pool of so many threads, the calling one among them; 0 counts as 1. They stay awake for a
    /// fifth of a millisecond.
    ///
    /// # Errors
    /// The calling thread belongs to a pool already, or the system gives no more threads.
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        Self::with_patience(threads, Duration::from_micros(200))
    }

    /// Like [`new`](Self::new), with threads that stay awake for so long without work. Each then
    /// keeps a core busy, whether there is work or not.
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn with_patience(threads: usize, patience: Duration) -> Result<Self, PoolError> {
        let threads = threads.max(1);
        let builder = ThreadPoolBuilder::new().num_threads(threads).use_current_thread();
        let pool = builder.build().map_err(PoolError)?;
        let shared = Arc::new(Shared {
            patience,
            steps: AtomicUsize::new(0),
            sleeping: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            lock: Mutex::new(()),
            awake: Condvar::new(),
        });
        // Every thread has its own watch, which no other can take from it: above all not this one.
        let (watched, caller) = (Arc::clone(&shared), pool.current_thread_index());
        pool.spawn_broadcast(move |context| {
            if Some(context.index()) != caller {
                watched.watch();
            }
        });
        // The first look for work takes memory, which steps must not.
        pool.install(rayon::yield_now);
        Ok(Self { pool, shared })
    }

    /// How many threads work on a step.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }
}

impl Drop for HotPool {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        self.shared.wake();
    }
}

impl Shared {
    /// What a thread does for all of its life: the chunks that others offer.
    fn watch(&self) {
        let mut seen = self.steps.load(Ordering::SeqCst);
        let mut since = Instant::now();
        let mut looks = 0u32;
        while !self.is_over.load(Ordering::Relaxed) {
            if rayon::yield_now() == Some(Yield::Executed) {
                since = Instant::now();
                continue;
            }
            looks = looks.wrapping_add(1);
            if !looks.is_multiple_of(64) {
                std::hint::spin_loop();
                continue;
            }
            // Where there are more threads than cores, the one with the work must get one.
            std::thread::yield_now();
            if since.elapsed() >= self.patience {
                self.sleep(&mut seen);
                since = Instant::now();
            }
        }
    }

    /// Sleeps until a step comes, unless one has come since `seen`.
    fn sleep(&self, seen: &mut usize) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleeping.fetch_add(1, Ordering::SeqCst);
        while self.steps.load(Ordering::SeqCst) == *seen && !self.is_over.load(Ordering::SeqCst) {
            guard = self.awake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleeping.fetch_sub(1, Ordering::SeqCst);
        *seen = self.steps.load(Ordering::SeqCst);
    }

    fn wake(&self) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.awake.notify_all();
    }
}

impl Executor for HotPool {
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        self.pool.join(a, b);
    }

    fn chunk(&self, slots: usize, operations: usize) -> usize {
        let chunk = shares(slots, operations, self.threads(), WORTH);
        if chunk < slots {
            self.shared.steps.fetch_add(1, Ordering::SeqCst);
            // Either the sleeper sees the new count, or this sees the sleeper.
            if self.shared.sleeping.load(Ordering::SeqCst) > 0 {
                self.shared.wake();
            }
        }
        chunk
    }
}
