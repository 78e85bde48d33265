//! Reads graph files.

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use pyrograph_compiler::diagnostic::{Diagnostics, render};

use crate::failure::Failure;

/// A graph file that has been read.
#[derive(Debug)]
pub(crate) struct Graph {
    /// As the user wrote it.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Graph {
    /// Reads a file, or standard input where the path is `-`.
    pub(crate) fn read(path: &PathBuf) -> Result<Self, Failure> {
        let unreadable = |name: &str, error: &io::Error| {
            Failure::Input(format!("error: cannot read {name}: {error}\n"))
        };
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            let read = io::stdin().lock().read_to_end(&mut bytes);
            read.map_err(|error| unreadable("standard input", &error))?;
            return Ok(Self { name: "<stdin>".into(), bytes });
        }
        let name = path.display().to_string();
        let bytes = fs::read(path).map_err(|error| unreadable(&name, &error))?;
        Ok(Self { name, bytes })
    }

    /// Findings as text for the terminal on standard error.
    pub(crate) fn render(&self, diagnostics: &Diagnostics) -> String {
        let colors = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        render::text(diagnostics, &[&self.name], colors)
    }

    /// The failure of a file with errors.
    pub(crate) fn refused(&self, diagnostics: &Diagnostics) -> Failure {
        Failure::Input(self.render(diagnostics))
    }

    /// Writes warnings, if any, to standard error.
    pub(crate) fn warn(&self, warnings: &Diagnostics) {
        if !warnings.is_empty() {
            let _ = io::Write::write_all(&mut io::stderr(), self.render(warnings).as_bytes());
        }
    }
}
