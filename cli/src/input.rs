//! Reads graph files, and says what is wrong with them.

use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use pyrograph_compiler::diagnostic::{Diagnostics, render};
use pyrograph_compiler::{Compiled, Options, compile};

use crate::failure::Failure;

/// Bytes of the largest graph that is read: devices never end.
const MAX_BYTES: u64 = 1 << 30;
/// Characters of a name that are printed.
const NAME_SHOWN: usize = 400;

/// A graph file that has been read.
#[derive(Debug)]
pub(crate) struct Graph {
    /// As the user wrote it.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Graph {
    /// Reads a file, or standard input where the path is `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = bytes(path)?;
        let is_standard = path == Path::new("-");
        let name = if is_standard { "<stdin>".into() } else { path.display().to_string() };
        Ok(Self { name, bytes })
    }

    /// Compiles the graph; warnings go to standard error.
    pub(crate) fn compile(&self, options: &Options) -> Result<Compiled, Failure> {
        let compiled = compile(&self.bytes, options).map_err(|errors| self.refused(&errors))?;
        self.warn(&compiled.warnings);
        Ok(compiled)
    }

    /// The failure of a file with errors.
    pub(crate) fn refused(&self, diagnostics: &Diagnostics) -> Failure {
        Failure::Input(render::text(diagnostics, &[&self.name], has_colors(&io::stderr())))
    }

    /// Writes warnings, if any, to standard error.
    pub(crate) fn warn(&self, warnings: &Diagnostics) {
        if !warnings.is_empty() {
            note(&render::text(warnings, &[&self.name], has_colors(&io::stderr())));
        }
    }
}

/// The bytes of a file, or of standard input where the path is `-`.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = if path == Path::new("-") {
        whole(io::stdin().lock(), MAX_BYTES)
    } else {
        File::open(path).and_then(|file| whole(file, MAX_BYTES))
    };
    match read {
        Err(error) if path.is_dir() => {
            Err(Failure::reading(path, format_args!("it is a folder ({error})")))
        }
        Err(error) => Err(Failure::reading(path, error)),
        Ok(bytes) => Ok(bytes),
    }
}

/// All bytes of a source; an error where there are `limit` or more.
pub(crate) fn whole(source: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(limit).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == limit {
        return Err(io::Error::new(
            ErrorKind::FileTooLarge,
            format!("it has {limit} bytes or more"),
        ));
    }
    Ok(bytes)
}

/// Only one of several paths can be standard input, and none of them the file that is written.
pub(crate) fn check_paths(paths: &[PathBuf], output: Option<&Path>) -> Result<(), Failure> {
    if paths.iter().filter(|path| path.as_path() == Path::new("-")).count() > 1 {
        return Err(Failure::Usage("standard input (`-`) can be read once only".into()));
    }
    let Some(place) = output.and_then(|output| fs::canonicalize(output).ok()) else {
        return Ok(());
    };
    let is_same = |path: &PathBuf| fs::canonicalize(path).is_ok_and(|path| path == place);
    if place.is_file() && paths.iter().any(is_same) {
        let place = shown(&place.display().to_string());
        return Err(Failure::Usage(format!("{place} is read, and the output would replace it")));
    }
    Ok(())
}

/// Whether text for a stream may be coloured.
pub(crate) fn has_colors(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    stream.is_terminal() && !refused
}

/// A name from a graph, or of a file, as messages and tables show it.
pub(crate) fn shown(name: &str) -> String {
    render::clean(name, NAME_SHOWN)
}

/// Writes a remark to standard error. Nobody is left to tell where it cannot be written.
pub(crate) fn note(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
