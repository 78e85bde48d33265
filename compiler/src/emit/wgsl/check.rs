//! Parses and validates printed WGSL with naga. What naga refuses is a fault of the printer: the
//! error shows the line and the block that it came from.

use std::error::Error;
use std::fmt;

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

/// A module that naga has accepted, for its writers (SPIR-V, MSL, HLSL, GLSL).
#[derive(Debug)]
pub struct Checked {
    /// The module.
    pub module: naga::Module,
    /// What validation found out about it.
    pub info: ModuleInfo,
}

/// Why naga refused a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    /// What naga says.
    pub message: String,
    /// Line, counted from 1, and its text, where naga names one.
    pub line: Option<(u32, String)>,
    /// The comment that names the block of the line.
    pub block: Option<String>,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fault of the compiler: the printed WGSL is not valid: {}", self.message)?;
        if let Some((number, text)) = &self.line {
            write!(f, "\n  line {number}: {text}")?;
        }
        if let Some(block) = &self.block {
            write!(f, "\n  from block {block}")?;
        }
        Ok(())
    }
}

impl Error for CheckError {}

/// Parses and validates a module, with no extension allowed.
///
/// # Errors
/// What naga says, with the line.
pub fn check(source: &str) -> Result<Checked, CheckError> {
    let module = naga::front::wgsl::parse_str(source).map_err(|error| {
        let line = error.location(source).map(|location| location.line_number);
        at_line(source, line, error.message().to_owned())
    })?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let info = validator.validate(&module).map_err(|error| {
        // naga lists the function and, inside it, what is wrong: the smallest span says most.
        let spans = error.spans().map(|(span, _)| *span).filter(|span| span.is_defined());
        let smallest = spans.min_by_key(|span| span.to_range().map_or(0, |range| range.len()));
        let line = smallest.map(|span| span.location(source).line_number);
        at_line(source, line, chain(error.as_inner()))
    })?;
    Ok(Checked { module, info })
}

/// An error and its causes in one line.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        text.push_str(": ");
        text.push_str(&error.to_string());
        next = error.source();
    }
    text
}

fn at_line(source: &str, line: Option<u32>, message: String) -> CheckError {
    let lines: Vec<&str> = source.lines().collect();
    let index = line.map(|number| (number as usize).saturating_sub(1));
    let text = index.and_then(|index| lines.get(index)).map(|text| text.trim().to_owned());
    let block = index.and_then(|index| {
        let body = lines.get(..index)?.iter().rev().take_while(|line| !line.starts_with("fn "));
        let mut comments = body.filter_map(|line| line.trim_start().strip_prefix("// "));
        comments.find(|comment| comment.starts_with(|first: char| first.is_ascii_digit()))
    });
    CheckError { message, line: line.zip(text), block: block.map(str::to_owned) }
}
