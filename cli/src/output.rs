//! Writes results: to standard output, to a file, or to several files in a folder.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes to standard output; a reader that closes its end ends the command quietly.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Failure::writing("standard output", &error))
}

/// One result of a subcommand.
#[derive(Debug)]
pub(crate) struct File {
    /// Name in the folder, where there are several.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Writes results where the user wants them: `path` is a folder where there are several results,
/// otherwise a file; without it everything goes to standard output.
///
/// A file appears whole or not at all.
pub(crate) fn deliver(files: &[File], path: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = path else {
        return files.iter().try_for_each(|file| print(&file.text));
    };
    match files {
        [only] => write_whole(path, &only.text),
        several => {
            fs::create_dir_all(path)
                .map_err(|error| Failure::writing(&path.display().to_string(), &error))?;
            several.iter().try_for_each(|file| write_whole(&path.join(&file.name), &file.text))
        }
    }
}

fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let written = fs::write(&partial, text).and_then(|()| fs::rename(&partial, path));
    written.map_err(|error| {
        // What was begun must not stay; that it may not even exist is fine.
        let _ = fs::remove_file(&partial);
        Failure::writing(&path.display().to_string(), &error)
    })
}
