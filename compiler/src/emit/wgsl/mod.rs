//! Prints a Parallel program as one WGSL module with three kernels: `update` runs the living
//! particles, `scan` counts the dead slots and decides the births, `birth` fills the lowest dead
//! slots and lists the living.
//!
//! Arithmetic that WGSL leaves open is printed as functions of its own (`helpers`); constants
//! that WGSL cannot spell come from variables. The result has passed naga ([`check`]).

mod body;
pub mod check;
mod columns;
mod document;
mod error;
mod functions;
mod helpers;
mod kernels;
mod literal;
pub mod manifest;
mod module;
mod names;
mod ops;
mod records;
#[cfg(feature = "translate")]
pub mod translate;
mod writer;

pub use columns::{column_element, column_word};
pub use document::to_json;
pub use error::WgslError;
pub use manifest::{Binding, Dispatch, Manifest, Resource};

use super::decisions::Decisions;
use super::layout::{Layout, Limits};
use super::usage::Usage;
use crate::ir::{Block, Module, Profile, Program, Stmt, Valid};
use helpers::Helpers;
use names::Names;

/// A program as WGSL, and what a host must know to run it.
#[derive(Clone, Debug, PartialEq)]
pub struct Wgsl {
    /// The text of the module.
    pub source: String,
    /// Bindings, sizes, offsets and the order of the kernels.
    pub manifest: Manifest,
}

/// WGSL promises 127 levels of braces; functions and branches within printed branches take a few.
const MAX_NESTING: usize = 100;

/// Naga takes time that grows with the square of a function's length, and drivers are no better.
const MAX_STATEMENTS: usize = 15_000;

/// What naga needs for that much nesting, with room to spare.
const NAGA_STACK: usize = 16 << 20;

/// What all parts of the printer look at.
struct Context<'a> {
    program: &'a Program,
    usage: &'a Usage,
    decisions: &'a Decisions,
    layout: &'a Layout,
    names: &'a Names,
}

/// Prints program number `index` of a module, and has naga validate the text.
///
/// # Errors
/// See [`print()`] and [`validate`].
pub fn emit(module: &Valid<Module>, index: usize, limits: &Limits) -> Result<Wgsl, WgslError> {
    let wgsl = print(module, index, limits)?;
    validate(&wgsl.source)?;
    Ok(wgsl)
}

/// Has naga validate a printed text, on a stack that is large enough: naga follows nested blocks.
///
/// # Errors
/// Naga refuses it, which is a fault of the printer.
pub fn validate(source: &str) -> Result<(), WgslError> {
    stacker::maybe_grow(NAGA_STACK, NAGA_STACK, || check::check(source))?;
    Ok(())
}

/// The part of [`emit`] before naga.
///
/// # Errors
/// Where the program is no Parallel one, does not fit the limits, or holds an operation that WGSL
/// cannot compute exactly enough.
pub fn print(module: &Valid<Module>, index: usize, limits: &Limits) -> Result<Wgsl, WgslError> {
    let Some(program) = module.programs.get(index) else {
        return Err(WgslError::NoProgram { index, count: module.programs.len() });
    };
    if program.profile != Profile::Parallel {
        return Err(WgslError::Exact { program: program.name.clone() });
    }
    check_size(program)?;
    let mut usage = Usage::of_particle_bodies(program);
    let decisions = Decisions::of_particle_bodies(program, &usage);
    usage.held = decisions.any_held();
    let layout = Layout::new(program, &usage, limits)
        .map_err(|error| WgslError::Layout { program: program.name.clone(), error })?;
    let names = Names::new(program, &layout);
    let context =
        Context { program, usage: &usage, decisions: &decisions, layout: &layout, names: &names };

    let mut helpers = Helpers::default();
    let functions = functions::print(&context, &mut helpers)?;
    let mut source = module::print(&context);
    source.push_str(&functions);
    source.push_str(kernels::TEXT);
    source.push_str(&helpers.print());

    let manifest = Manifest::new(program, index as u32, usage, decisions, layout, limits);
    Ok(Wgsl { source, manifest })
}

/// Refuses what no compiler of shaders would take.
fn check_size(program: &Program) -> Result<(), WgslError> {
    let bodies = program.bodies().filter(|(kind, _)| kind.is_particle()).map(|(_, body)| body);
    let functions = program.functions.iter().map(|(_, function)| &function.body);
    let mut open: Vec<(&Block, usize)> =
        bodies.chain(functions).map(|body| (&body.block, 0)).collect();
    let (mut deepest, mut statements) = (0, 0);
    while let Some((block, depth)) = open.pop() {
        deepest = deepest.max(depth);
        statements += block.len();
        for statement in block {
            if let Stmt::If { then, otherwise, .. } = &statement.kind {
                open.extend([(then, depth + 1), (otherwise, depth + 1)]);
            }
        }
    }
    for (what, found, limit) in [
        ("conditions inside each other", deepest, MAX_NESTING),
        ("statements", statements, MAX_STATEMENTS),
    ] {
        if found > limit {
            let program = program.name.clone();
            return Err(WgslError::TooLarge { program, what, found, limit });
        }
    }
    Ok(())
}
