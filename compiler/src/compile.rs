//! The whole way from bytes to a module that can be run or printed.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::graph::{Graph, normalize, parse};
use crate::ir::{Module, Profile, Valid};
use crate::lower::{self, lower};
use crate::passes::{self, Observe};

/// What to compile for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which meaning the bodies have; Exact unless set.
    pub profile: Profile,
    /// Which columns stay although no body reads them; what renderers read unless set.
    pub observe: Observe,
}

impl Options {
    /// Options for a profile, observing the whole state.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self { profile, observe: Observe::State }
    }
}

/// A compiled file.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The programs, optimized.
    pub module: Valid<Module>,
    /// Findings that did not stop the compilation.
    pub warnings: Diagnostics,
}

/// Compiles the bytes of a graph file.
///
/// # Errors
/// Everything that is wrong with the file, as far as it can be told apart.
pub fn compile(bytes: &[u8], options: &Options) -> Result<Compiled, Diagnostics> {
    let (module, warnings) = lower_file(bytes, options.profile)?;
    let module =
        passes::run(module, &passes::Options { observe: options.observe }).map_err(fault)?;
    Ok(Compiled { module, warnings })
}

/// The first half of [`compile`]: the module as lowering leaves it.
///
/// # Errors
/// As [`compile`].
pub fn lower_file(bytes: &[u8], profile: Profile) -> Result<(Module, Diagnostics), Diagnostics> {
    let source = parse::parse(bytes)?;
    let (graph, warnings) = normalize::normalize(&source)?;
    let module = lower(&graph, profile).map_err(|errors| diagnose(&graph, &errors))?;
    Ok((module, warnings))
}

/// A fault of lowering or of a pass, which no file should be able to cause.
fn fault(error: impl std::fmt::Display) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(Diagnostic::new(Code::Internal, error.to_string()));
    diagnostics
}

fn diagnose(graph: &Graph, errors: &[lower::Error]) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    for error in errors {
        let mut diagnostic = Diagnostic::new(Code::NoForm, error.message.clone());
        if let Some(block) = error.block {
            let inputs = &graph.block(block).inputs;
            let input = error.input.as_ref();
            let input = input.and_then(|name| inputs.iter().position(|input| input.name == *name));
            let place =
                input.map_or_else(|| graph.place(block), |input| graph.input_place(block, input));
            diagnostic = diagnostic.at(place);
        }
        diagnostics.push(diagnostic);
    }
    diagnostics
}
