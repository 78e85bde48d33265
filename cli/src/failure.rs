//! What can go wrong, and the exit code that tells it.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::input::shown;

/// Why a subcommand did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is wrong or cannot be read; the text is ready for a terminal.
    Input(String),
    /// The flags ask for something that cannot be; the text says why.
    Usage(String),
    /// The machine lacks something; the text says what.
    Machine(String),
    /// The output says what is wrong.
    Told,
    /// Whoever read the output has had enough.
    Closed,
}

impl Failure {
    /// Writes the message and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (text, code) = match self {
            Self::Closed => return ExitCode::SUCCESS,
            Self::Told => return ExitCode::from(1),
            Self::Input(text) => (text, 1),
            Self::Usage(text) => {
                (format!("error: {text}\n\nFor more information, try '--help'.\n"), 2)
            }
            Self::Machine(text) => (format!("error: {text}\n"), 1),
        };
        // Nobody is left to tell where even this cannot be written.
        let _ = io::stderr().write_all(text.as_bytes());
        ExitCode::from(code)
    }

    /// Says in which step of a simulation it happened.
    pub(crate) fn in_step(self, step: u64) -> Self {
        match self {
            Self::Machine(text) => Self::Machine(format!("step {step}: {text}")),
            Self::Input(_) | Self::Usage(_) | Self::Told | Self::Closed => self,
        }
    }

    /// A failure to write to `place`.
    pub(crate) fn writing(place: &str, error: &io::Error) -> Self {
        if error.kind() == ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::Machine(format!("cannot write {}: {error}", shown(place)))
    }

    /// A file that cannot be read or is not what it should be.
    pub(crate) fn reading(place: &Path, reason: impl std::fmt::Display) -> Self {
        let place = shown(&place.display().to_string());
        Self::Input(format!("error: cannot read {place}: {reason}\n"))
    }
}
