//! Checks a module against the rules of [`ir`](crate::ir); only what passes can be run or printed.

mod body;
mod names;

use std::fmt;
use std::ops::Deref;

use super::body::{BodyKind, Place};
use super::program::{Module, Program};
use super::types::Profile;

/// A module that has been validated. The only way to get one is [`validate`].
#[derive(Clone, Debug, PartialEq)]
pub struct Valid<T>(T);

impl<T> Valid<T> {
    /// The module, open to change again.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Valid<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// A broken rule. It is a fault of the compiler, never of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Name of the program.
    pub program: String,
    /// Body or function.
    pub body: String,
    /// The block that the statement comes from, where known.
    pub origin: Option<String>,
    /// The rule.
    pub rule: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid IR in {:?}, {}: {}", self.program, self.body, self.rule)?;
        if let Some(origin) = &self.origin {
            write!(f, " (from {origin})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}

/// Checks every rule.
///
/// # Errors
/// The first rule that is broken, which is a fault of the compiler.
pub fn validate(module: Module) -> Result<Valid<Module>, Box<Invalid>> {
    validate_or_return(module).map_err(|broken| Box::new(broken.1))
}

/// Like [`validate`], but a module that breaks a rule comes back with it.
pub(crate) fn validate_or_return(module: Module) -> Result<Valid<Module>, Box<(Module, Invalid)>> {
    match check(&module) {
        Ok(()) => Ok(Valid(module)),
        Err(invalid) => Err(Box::new((module, *invalid))),
    }
}

/// Like [`validate`], for a module that is still being worked on.
///
/// # Errors
/// The first rule that is broken.
pub fn check(module: &Module) -> Result<(), Box<Invalid>> {
    for program in &module.programs {
        names::check_names(program).map_err(|rule| {
            let (program, body) = (program.name.clone(), "declarations".into());
            Box::new(Invalid { program, body, origin: None, rule })
        })?;
        let callees = program.callees(|kind| is_parallel_particle(program, kind));
        for (handle, function) in program.functions.iter() {
            let place = Place::Function(handle);
            body::check(program, place, callees.contains(&handle), &function.body)?;
        }
        for (kind, body) in program.bodies() {
            let is_particle = is_parallel_particle(program, kind);
            body::check(program, Place::Body(kind), is_particle, body)?;
        }
    }
    Ok(())
}

fn is_parallel_particle(program: &Program, kind: BodyKind) -> bool {
    program.profile == Profile::Parallel && kind.is_particle()
}

#[cfg(test)]
mod tests;
