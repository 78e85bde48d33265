//! What the compiler has to say about a user's file: which code, what is wrong, where, what to do.
//!
//! Diagnostics stay structured until a renderer prints them ([`render`]). Where the contract has a
//! text for a failure, that text is the message, word for word.

mod codes;
mod place;
pub mod render;

pub use codes::{Code, Severity};
pub use place::{BlockName, Lines, Place, Port};

/// Diagnostics of one severity that a collector keeps; the others are only counted.
pub const KEPT: usize = 100;

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Its entry in the code table, which decides the severity.
    pub code: Code,
    /// What is wrong. Never ends in a period.
    pub message: String,
    /// Where; `None` when it is the file as a whole.
    pub place: Option<Place>,
    /// Other places involved, such as the other end of a wire.
    pub notes: Vec<Note>,
    /// What to change; the code's own help where this is `None`.
    pub help: Option<String>,
}

/// Another place involved in a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// What is to see there; may be empty.
    pub message: String,
    /// Where.
    pub place: Place,
}

/// Findings in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl Diagnostic {
    /// A finding about the file as a whole.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), place: None, notes: Vec::new(), help: None }
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn note(mut self, message: impl Into<String>, place: Place) -> Self {
        self.notes.push(Note { message: message.into(), place });
        self
    }

    /// Says what to change, instead of the code's general help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The help that a renderer prints.
    pub fn help_text(&self) -> &str {
        self.help.as_deref().unwrap_or_else(|| self.code.help())
    }
}

impl Diagnostics {
    /// An empty collector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding; over [`KEPT`] of its severity it is counted only.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity() {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count <= KEPT {
            self.kept.push(diagnostic);
        }
    }

    /// Appends the findings of a later stage.
    pub fn append(&mut self, later: Self) {
        let Self { kept, errors, warnings } = later;
        let (errors, warnings) = (self.errors + errors, self.warnings + warnings);
        for diagnostic in kept {
            self.push(diagnostic);
        }
        (self.errors, self.warnings) = (errors, warnings);
    }

    /// The findings that were kept, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.kept.iter()
    }

    /// How many errors there were, kept or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// How many warnings there were, kept or not.
    pub fn warning_count(&self) -> usize {
        self.warnings
    }

    /// How many findings were counted only.
    pub fn omitted_count(&self) -> usize {
        self.errors + self.warnings - self.kept.len()
    }

    /// Whether anything stops the compilation.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        let mut diagnostics = Self::new();
        diagnostics.push(diagnostic);
        diagnostics
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// One message a line, as the contract words them.
impl std::fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (n, diagnostic) in self.kept.iter().enumerate() {
            if n > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
