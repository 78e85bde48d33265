//! Prints a Parallel program as one WGSL module with three kernels: `update` runs the living
//! particles, `scan` counts the dead slots and decides the births, `birth` fills the lowest dead
//! slots and lists the living.
//!
//! Arithmetic that WGSL leaves open is printed as functions of its own (`helpers`); constants
//! that WGSL cannot spell come from variables. The result has passed naga ([`check`]).

mod body;
pub mod check;
mod error;
mod functions;
mod helpers;
mod kernels;
mod literal;
pub mod manifest;
mod module;
mod names;
mod ops;
mod writer;

pub use error::WgslError;
pub use manifest::{Binding, Dispatch, Grid, Manifest, Resource};

use super::decisions::Decisions;
use super::layout::{Layout, Limits};
use super::usage::Usage;
use crate::ir::{Module, Profile, Program, Valid};
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

/// What all parts of the printer look at.
struct Context<'a> {
    program: &'a Program,
    usage: &'a Usage,
    decisions: &'a Decisions,
    layout: &'a Layout,
    names: &'a Names,
}

/// Prints program number `index` of a module.
///
/// # Errors
/// Where the program is no Parallel one, does not fit the limits, or holds an operation that WGSL
/// cannot compute exactly enough; and where naga refuses the text, which is a fault of the printer.
pub fn emit(module: &Valid<Module>, index: usize, limits: &Limits) -> Result<Wgsl, WgslError> {
    let Some(program) = module.programs.get(index) else {
        return Err(WgslError::NoProgram { index, count: module.programs.len() });
    };
    if program.profile != Profile::Parallel {
        return Err(WgslError::Exact { program: program.name.clone() });
    }
    let mut usage = Usage::of_particle_bodies(program);
    let decisions = Decisions::of_particle_bodies(program, &usage);
    usage.unfused = decisions.any_unfused();
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
    check::check(&source)?;

    let manifest = Manifest::new(program, usage, decisions, layout);
    Ok(Wgsl { source, manifest })
}
