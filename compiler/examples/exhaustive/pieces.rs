//! Work in pieces, on threads, with progress.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// Interpreting deep graphs takes some stack.
const STACK: usize = 16 << 20;

/// Calls back with every number below `count`, on so many threads at once.
///
/// # Errors
/// What the call with the smallest number said; none is made after an error.
pub(crate) fn for_each(
    name: &str,
    workers: usize,
    count: usize,
    work: impl Fn(usize) -> Result<(), String> + Sync,
) -> Result<(), String> {
    let start = Instant::now();
    let (next, problem) = (AtomicUsize::new(0), Mutex::new(None::<(usize, String)>));
    let run = || {
        loop {
            let at = next.fetch_add(1, Relaxed);
            if at >= count || problem.lock().unwrap().is_some() {
                break;
            }
            if at > 0 && at.is_multiple_of(count.div_ceil(8)) {
                println!("  {name}: {at} of {count} after {} s", start.elapsed().as_secs());
            }
            if let Err(text) = work(at) {
                let mut problem = problem.lock().unwrap();
                if problem.as_ref().is_none_or(|first| at < first.0) {
                    *problem = Some((at, text));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..workers.max(1) {
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, run).expect("a thread");
        }
    });
    problem.into_inner().unwrap().map_or(Ok(()), |(_, text)| Err(text))
}
