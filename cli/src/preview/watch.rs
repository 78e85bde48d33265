//! Tells the session when something in its folder was saved.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::session::Session;
use crate::failure::Failure;

/// An editor writes a file in several steps; what follows each other this closely is one save.
const QUIET: Duration = Duration::from_millis(40);
/// Where changes never end, they are told all the same.
const LONGEST: Duration = Duration::from_millis(400);

/// Watches until it is dropped; nothing where nothing is watched.
pub(super) fn start(session: &Arc<Session>) -> Result<Option<RecommendedWatcher>, Failure> {
    let Some(folder) = session.folder() else { return Ok(None) };
    let failed =
        |error| Failure::Machine(format!("cannot watch {}: {error}", folder.root().display()));
    let (changes, heard) = mpsc::channel();
    let tell = move |event: notify::Result<Event>| {
        if let Ok(event) = event
            && is_change(event.kind)
        {
            // Nobody is left to tell when the command ends.
            let _ = changes.send(event.paths);
        }
    };
    let mut watcher = notify::recommended_watcher(tell).map_err(failed)?;
    let depth =
        if folder.is_deep() { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
    watcher.watch(folder.root(), depth).map_err(failed)?;
    let session = Arc::clone(session);
    thread::spawn(move || listen(&heard, &session));
    Ok(Some(watcher))
}

/// Reading a file is an event too.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(_) => false,
        EventKind::Any
        | EventKind::Create(_)
        | EventKind::Modify(_)
        | EventKind::Remove(_)
        | EventKind::Other => true,
    }
}

/// Passes saves on until the watcher is dropped.
fn listen(heard: &Receiver<Vec<PathBuf>>, session: &Session) {
    while let Ok(first) = heard.recv() {
        let mut paths: BTreeSet<PathBuf> = first.into_iter().collect();
        let started = Instant::now();
        while started.elapsed() < LONGEST
            && let Ok(more) = heard.recv_timeout(QUIET)
        {
            paths.extend(more);
        }
        session.saved(paths.iter().map(PathBuf::as_path));
    }
}
