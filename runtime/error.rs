//! What can go wrong while a system runs: what, where, and what to do.

use std::borrow::Cow;
use std::fmt;

/// A step reached something that the graph cannot compute.
///
/// The system stays usable: what was done before the failure stays, what comes after it in the
/// order of the step was not begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepError {
    system: Cow<'static, str>,
    place: Cow<'static, str>,
    message: Cow<'static, str>,
}

impl StepError {
    /// An error of `system` (its name), at `place` (the block, in words; may be empty).
    pub fn new(
        system: impl Into<Cow<'static, str>>,
        place: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { system: system.into(), place: place.into(), message: message.into() }
    }

    /// Name of the system.
    pub fn system(&self) -> &str {
        &self.system
    }

    /// The block, in words; empty where unknown.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What happened.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "particle system {:?}", self.system)?;
        if !self.place.is_empty() {
            write!(f, ", {}", self.place)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for StepError {}

/// An emitter matrix or position that holds an infinity or NaN; the old one stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidEmitter {
    /// The first element that is not finite.
    pub element: usize,
}

impl fmt::Display for InvalidEmitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The contract's text comes last, whole (spec section 11).
        let element = self.element;
        write!(
            f,
            "element {element} is not finite: NodeParticle: emitter provider must return a finite \
             16-element matrix"
        )
    }
}

impl std::error::Error for InvalidEmitter {}
