//! Graph files that the page may open: those of one folder, or one file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Files of a folder that are listed.
const MAX_FILES: usize = 1000;
/// Folders inside each other that are looked into.
const MAX_DEPTH: usize = 8;

/// Where graphs come from.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    /// Without links, so that what is inside can be told.
    root: PathBuf,
    /// The one file that is shown, where no folder was named.
    only: Option<String>,
}

impl Folder {
    /// The folder that was named, or that of the file that was named.
    pub(super) fn open(place: &Path) -> Result<Self, Failure> {
        let found = fs::canonicalize(place).map_err(|error| Failure::reading(place, error))?;
        if found.is_dir() {
            return Ok(Self { root: found, only: None });
        }
        if !found.is_file() {
            return Err(Failure::reading(place, "it is neither a file nor a folder"));
        }
        let name = found.file_name().and_then(|name| name.to_str());
        let (Some(root), Some(name)) = (found.parent(), name) else {
            return Err(Failure::reading(place, "its name is not UTF-8"));
        };
        let only = Some(name.to_owned());
        Ok(Self { root: root.to_owned(), only })
    }

    /// The folder itself, which is watched: editors replace files when they save.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether folders inside the folder count.
    pub(super) fn is_deep(&self) -> bool {
        self.only.is_none()
    }

    /// Names of the graphs, with `/` between folders, in order.
    pub(super) fn names(&self) -> Vec<String> {
        if let Some(only) = &self.only {
            return vec![only.clone()];
        }
        let mut names = Vec::new();
        collect(&self.root, "", MAX_DEPTH, &mut names);
        names.sort();
        names
    }

    /// The file of that name; `None` unless it is one that may be opened.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        let is_listed = match &self.only {
            Some(only) => only == name,
            None => name.ends_with(".json"),
        };
        let path = fs::canonicalize(self.root.join(name)).ok()?;
        (is_listed && path.starts_with(&self.root) && path.is_file()).then_some(path)
    }
}

fn collect(folder: &Path, prefix: &str, depth: usize, names: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        // The type of a link is that of a link, so links are not followed.
        let Ok(kind) = entry.file_type() else { continue };
        if names.len() == MAX_FILES || name.starts_with('.') {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            collect(&entry.path(), &format!("{prefix}{name}/"), depth - 1, names);
        } else if kind.is_file() && name.ends_with(".json") {
            names.push(format!("{prefix}{name}"));
        }
    }
}
