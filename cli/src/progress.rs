//! Says on a terminal how far a long run is: nothing in the first second, then one line that
//! changes and goes away at the end.

use std::io::{self, IsTerminal};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::input::note;

const FIRST: Duration = Duration::from_secs(1);
const NEXT: Duration = Duration::from_millis(200);

/// A run of known length. Dropping it takes the line away.
#[derive(Debug)]
pub(crate) struct Progress {
    shared: Arc<Shared>,
    /// `None` where nobody would see the line.
    watcher: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct State {
    done: u64,
    is_over: bool,
}

impl Progress {
    /// Begins to watch a run of `total` steps; does nothing where `is_shown` is false or standard
    /// error is no terminal.
    pub(crate) fn new(total: u64, is_shown: bool) -> Self {
        let shared = Arc::new(Shared::default());
        let watched = Arc::clone(&shared);
        let is_shown = is_shown && io::stderr().is_terminal();
        let watch = move || watched.watch(total);
        let watcher = is_shown.then(|| thread::Builder::new().spawn(watch).ok()).flatten();
        Self { shared, watcher }
    }

    /// Says that so many steps are done.
    pub(crate) fn set(&self, done: u64) {
        if self.watcher.is_some() {
            self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).done = done;
        }
    }
}

impl Shared {
    fn watch(&self, total: u64) {
        let mut wait = FIRST;
        let mut width = 0;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let waited = self.ended.wait_timeout_while(state, wait, |state| !state.is_over);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.is_over {
                break;
            }
            wait = NEXT;
            let line = format!("step {} of {total}", state.done);
            note(&format!("\r{line}"));
            width = line.len();
        }
        if width > 0 {
            note(&format!("\r{:width$}\r", ""));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let Some(watcher) = self.watcher.take() else { return };
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).is_over = true;
        self.shared.ended.notify_all();
        // A watcher that panicked has nothing to take away.
        let _ = watcher.join();
    }
}
