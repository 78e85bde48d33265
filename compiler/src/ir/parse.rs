//! Reads the text form. (In work.)

use super::program::Module;

/// Why a text is no module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// Reads the text form of a module.
///
/// # Errors
/// The first line that is not understood.
pub fn parse(_text: &str) -> Result<Module, ParseError> {
    Err(ParseError { line: 1, message: "not yet".into() })
}
