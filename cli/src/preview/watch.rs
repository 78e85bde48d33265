//! Tells the session when something in its folder was saved.

use std::sync::Arc;
use std::time::Duration;

use notify_debouncer_mini::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};

use super::session::Session;
use crate::failure::Failure;

/// An editor writes a file in several steps; they are one save.
const QUIET: Duration = Duration::from_millis(40);

/// Watches until it is dropped; nothing where nothing is watched.
pub(super) fn start(
    session: &Arc<Session>,
) -> Result<Option<Debouncer<RecommendedWatcher>>, Failure> {
    let Some(folder) = session.folder() else { return Ok(None) };
    let failed =
        |error| Failure::Machine(format!("cannot watch {}: {error}", folder.root().display()));
    let saved = Arc::clone(session);
    let tell = move |events: DebounceEventResult| {
        if let Ok(events) = events {
            saved.saved(events.iter().map(|event| event.path.as_path()));
        }
    };
    let mut watcher = new_debouncer(QUIET, tell).map_err(failed)?;
    watcher.watcher().watch(folder.root(), RecursiveMode::Recursive).map_err(failed)?;
    Ok(Some(watcher))
}
