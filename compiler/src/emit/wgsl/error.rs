//! Why a program has no WGSL.

use std::fmt;

use super::check::CheckError;
use crate::emit::layout::LayoutError;

/// Why a program was not printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WgslError {
    /// The module has no such program.
    NoProgram {
        /// Asked for, counted from 0.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The program has the Exact profile.
    Exact {
        /// Its name.
        program: String,
    },
    /// The program does not fit the limits.
    Layout {
        /// Its name.
        program: String,
        /// What is too large.
        error: LayoutError,
    },
    /// The program is larger than compilers of shaders take.
    TooLarge {
        /// Its name.
        program: String,
        /// What there is too much of.
        what: &'static str,
        /// How much there is.
        found: usize,
        /// How much there may be.
        limit: usize,
    },
    /// A body holds an operation that Parallel expands into polynomials, which no valid module does.
    /// It is a fault of the compiler.
    Unexpanded {
        /// Body or function.
        place: String,
        /// The operation.
        operation: &'static str,
    },
    /// A body holds a statement or value that Parallel excludes there. It is a fault of the
    /// compiler.
    Misplaced {
        /// Body or function.
        place: String,
        /// What it is.
        what: &'static str,
    },
    /// naga refuses the text. It is a fault of the compiler.
    Check(Box<CheckError>),
}

impl fmt::Display for WgslError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProgram { index, count } => {
                write!(f, "there is no system {index}, the module holds {count}")
            }
            Self::Exact { program } => write!(
                f,
                "system {program:?} is compiled as exact, which runs in f64 with one random stream \
                 in the order of its particles; a GPU has neither, compile it as parallel"
            ),
            Self::Layout { program, error } => write!(f, "system {program:?}: {error}"),
            Self::TooLarge { program, what, found, limit } => write!(
                f,
                "system {program:?} has {found} {what}; shaders take no more than {limit}"
            ),
            Self::Unexpanded { place, operation } => write!(
                f,
                "fault of the compiler: {operation} in {place} was not expanded before printing WGSL"
            ),
            Self::Misplaced { place, what } => {
                write!(f, "fault of the compiler: {what} in {place} has no WGSL")
            }
            Self::Check(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WgslError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Layout { error, .. } => Some(error),
            Self::Check(error) => Some(error),
            Self::NoProgram { .. }
            | Self::Exact { .. }
            | Self::TooLarge { .. }
            | Self::Unexpanded { .. }
            | Self::Misplaced { .. } => None,
        }
    }
}

impl From<CheckError> for WgslError {
    fn from(error: CheckError) -> Self {
        Self::Check(Box::new(error))
    }
}
