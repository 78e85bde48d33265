//! What can go wrong, and the exit code that tells it.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// Why a subcommand did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is wrong or cannot be read; the text is ready for a terminal.
    Input(String),
    /// The flags ask for something that cannot be; the text says why.
    Usage(String),
    /// The machine lacks something; the text says what.
    Machine(String),
    /// Whoever read the output has had enough.
    Closed,
}

impl Failure {
    /// Writes the message and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (text, code) = match self {
            Self::Closed => return ExitCode::SUCCESS,
            Self::Input(text) => (text, 1),
            Self::Usage(text) => (format!("error: {text}\n\nFor more, try '--help'.\n"), 2),
            Self::Machine(text) => (format!("error: {text}\n"), 1),
        };
        // Nobody is left to tell where even this cannot be written.
        let _ = io::stderr().write_all(text.as_bytes());
        ExitCode::from(code)
    }

    /// A failure to write to `place`.
    pub(crate) fn writing(place: &str, error: &io::Error) -> Self {
        if error.kind() == ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::Machine(format!("cannot write {place}: {error}"))
    }
}
