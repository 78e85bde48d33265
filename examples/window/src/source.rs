//! The graph's file, and whether it was saved.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::Fallible;

/// Bytes of the largest graph that is shown.
const MAX_GRAPH: u64 = 16 << 20;

/// An editor writes a file in several steps; what follows each other this closely is one save.
const QUIET: Duration = Duration::from_millis(40);
/// Where changes never end, they are told all the same.
const LONGEST: Duration = Duration::from_millis(400);

/// Where the text of a graph comes from.
pub(crate) struct Source {
    /// What messages call it.
    pub(crate) name: String,
    file: Option<Watched>,
}

/// A file, and what is heard of it.
struct Watched {
    path: PathBuf,
    folder: PathBuf,
    heard: Receiver<()>,
    /// The first and the last change of a save that may go on.
    changes: Option<[Instant; 2]>,
    /// Watches as long as it lives.
    _watcher: RecommendedWatcher,
}

impl Source {
    /// The graph inside this program.
    pub(crate) fn sample() -> Self {
        Self { name: "fountain".into(), file: None }
    }

    /// A file, which is watched from now on.
    pub(crate) fn open(path: &Path) -> Fallible<Self> {
        let cannot =
            |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", path.display());
        let path = fs::canonicalize(path).map_err(|error| cannot(&error))?;
        // Others, such as pipes, may never end.
        if !path.is_file() {
            return Err(cannot(&"it is not a file").into());
        }
        let (Some(name), Some(folder)) = (path.file_name(), path.parent()) else {
            return Err(cannot(&"it has no name").into());
        };
        let (name, folder) = (name.to_owned(), folder.to_owned());
        let (tell, heard) = mpsc::channel();
        let listener = move |event: notify::Result<Event>| {
            // Reading a file is an event too.
            if let Ok(event) = event
                && !matches!(event.kind, EventKind::Access(_))
                && event.paths.iter().any(|path| path.file_name() == Some(&name))
            {
                // Nobody listens to a file that is shown no more.
                let _ = tell.send(());
            }
        };
        let mut watcher = notify::recommended_watcher(listener)?;
        // The folder: editors replace files when they save.
        watcher.watch(&folder, RecursiveMode::NonRecursive)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = Watched { path, folder, heard, changes: None, _watcher: watcher };
        Ok(Self { name, file: Some(file) })
    }

    /// Where pictures are that the graph names by path.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.file.as_ref().map(|file| file.folder.as_path())
    }

    /// The text as it is now.
    pub(crate) fn read(&self) -> Fallible<Vec<u8>> {
        let Some(Watched { path, .. }) = &self.file else {
            return Ok(include_bytes!("../../../cli/samples/fountain.json").to_vec());
        };
        let cannot = |error| format!("cannot read {}: {error}", self.name);
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(cannot)?;
        file.take(MAX_GRAPH).read_to_end(&mut bytes).map_err(cannot)?;
        if bytes.len() as u64 == MAX_GRAPH {
            return Err(format!("{} has {MAX_GRAPH} bytes or more", self.name).into());
        }
        Ok(bytes)
    }

    /// Whether the file was saved since the last call.
    pub(crate) fn was_saved(&mut self) -> bool {
        let Some(file) = &mut self.file else { return false };
        let now = Instant::now();
        if file.heard.try_iter().count() > 0 {
            let first = file.changes.map_or(now, |[first, _]| first);
            file.changes = Some([first, now]);
        }
        let is_over = |[first, last]: [Instant; 2]| now - last >= QUIET || now - first >= LONGEST;
        file.changes.take_if(|changes| is_over(*changes)).is_some()
    }
}
