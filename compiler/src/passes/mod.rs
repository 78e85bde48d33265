//! Passes: from a module to a better one that means the same.
//!
//! [`STEPS`] is the list, in order. Every pass keeps every bit of what is observed, every draw and
//! every failure, and works on any valid program; so any part of the list, in any order and also
//! none of it, gives correct programs. Passes walk a body once or twice; only nesting costs stack.
//!
//! *Not in the list: moving uniform expressions of particle bodies to `prepare`.* It could be exact
//! (binary32 results by rounding after each operation), but `prepare` runs before the call advances
//! the time, so that what depends on time, nearly all of it, must stay. The rest is a product or two
//! a particle, which compilers hoist out of the loop and GPUs compute once a wave; each would cost a
//! uniform slot. What the contract evaluates once a call is in `prepare` from lowering on.

mod analysis;
mod constant_columns;
mod cse;
mod dce;
mod dead_columns;
mod dead_items;
mod dead_prepared;
mod dead_stores;
mod fold;
mod rewrite;
mod select;

use std::fmt;
use std::ops::ControlFlow;

use crate::ir::{Field, Invalid, Module, Program, RenderSpec, Valid, check, validate_or_return};

/// What a host may look at. Everything else may be eliminated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Observe {
    /// What renderers read.
    #[default]
    Render,
    /// All fields of the JSON state form.
    State,
}

impl Observe {
    /// Whether a field is looked at.
    pub fn sees(self, field: Field, render: &RenderSpec) -> bool {
        match (self, field) {
            (_, Field::InitialDirection(_)) => !render.is_billboard_based,
            (Self::State, _) => true,
            (Self::Render, Field::Age | Field::LifeTime | Field::Id) => false,
            // Stretched quads and quads that face no camera lie along it.
            (Self::Render, Field::Direction(_)) => {
                !render.is_billboard_based || [8.0, 9.0].contains(&render.billboard_mode)
            }
            (
                Self::Render,
                Field::Position(_)
                | Field::Size
                | Field::Angle
                | Field::Scale(_)
                | Field::Color(_)
                | Field::CellIndex,
            ) => true,
        }
    }
}

/// What passes may assume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What a host may look at.
    pub observe: Observe,
}

/// A place in the list.
#[derive(Clone, Copy)]
pub struct Step {
    /// Unique in the list; for `--dump-after`.
    pub name: &'static str,
    pass: fn(&mut Program, &Options) -> bool,
}

impl Step {
    /// Runs the pass on one program; gives whether it changed anything. The result is not validated.
    pub fn apply(&self, program: &mut Program, options: &Options) -> bool {
        (self.pass)(program, options)
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// All passes, in the order in which they run.
pub const STEPS: &[Step] = &[
    // First, because lowering leaves shapes and defaults as constants and lets this clean up.
    step("fold", |program, _| fold::fold(program)),
    // Behind folding, so that what is equal also looks equal.
    step("cse", |program, _| cse::eliminate_common(program)),
    // What loads were forwarded from is rounded and masked: often for nothing.
    step("fold-forwarded", |program, _| fold::fold(program)),
    // Before dead stores, for which a load that nobody uses is still a load.
    step("dce", |program, _| dce::remove_dead_code(program)),
    // Before constant columns: births store defaults that a block then overwrites.
    step("dead-stores", |program, _| dead_stores::remove_dead_stores(program)),
    step("constant-columns", |program, _| constant_columns::find_constant_columns(program)),
    // The loads of constant columns are constants now, and with them whole branches.
    step("fold-columns", |program, _| fold::fold(program)),
    // As late as possible: blocks are at their smallest.
    step("select", |program, _| select::convert_ifs(program)),
    // Blocks that were apart have come together.
    step("cse-selects", |program, _| cse::eliminate_common(program)),
    step("fold-selects", |program, _| fold::fold(program)),
    // Behind everything that makes loads go away. Removes dead code on its way.
    step("dead-columns", |program, options| {
        dead_columns::remove_dead_columns(program, options.observe)
    }),
    // Last: nothing is named any more that does not run.
    step("dead-items", |program, _| dead_items::remove_dead_items(program)),
];

const fn step(name: &'static str, pass: fn(&mut Program, &Options) -> bool) -> Step {
    Step { name, pass }
}

/// The compiler has made a module that breaks a rule. Not the fault of any graph.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The pass behind which it was found; `None`: lowering.
    pub after: Option<&'static str>,
    /// The broken rule.
    pub invalid: Box<Invalid>,
    /// Text form of the module.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = self.after.unwrap_or("lowering");
        write!(
            f,
            "the compiler has made an invalid program: after {after}, {}\n{}",
            self.invalid, self.text
        )
    }
}

impl std::error::Error for Fault {}

/// Runs all passes.
///
/// # Errors
/// A fault of the compiler.
pub fn run(module: Module, options: &Options) -> Result<Valid<Module>, Box<Fault>> {
    run_steps(module, options, STEPS, |_, _| ControlFlow::Continue(()))
}

/// Runs some passes; the callback sees the module behind each of them and may end the run there.
///
/// # Errors
/// A fault of the compiler.
pub fn run_steps(
    mut module: Module,
    options: &Options,
    steps: &[Step],
    mut after: impl FnMut(&Step, &Module) -> ControlFlow<()>,
) -> Result<Valid<Module>, Box<Fault>> {
    let fault = |after, invalid, module: &Module| {
        Box::new(Fault { after, invalid, text: module.to_string() })
    };
    let mut last = None;
    for step in steps {
        if cfg!(debug_assertions) {
            check(&module).map_err(|invalid| fault(last, invalid, &module))?;
        }
        for program in &mut module.programs {
            step.apply(program, options);
        }
        last = Some(step.name);
        if after(step, &module).is_break() {
            break;
        }
    }
    validate_or_return(module).map_err(|broken| {
        let (module, invalid) = *broken;
        fault(last, Box::new(invalid), &module)
    })
}
