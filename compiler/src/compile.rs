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
    /// Which columns stay although no body reads them; those that renderers read unless set.
    pub observe: Observe,
    /// Names of the constants that hosts may change while systems run: of `ParticleInputBlock`s, as
    /// they are in the file. None unless set.
    pub inputs: Vec<String>,
    /// How a system is drawn whose record has no `blendMode`; as the contract says unless set.
    pub missing_blend_mode: MissingBlendMode,
}

/// What a record without `blendMode` means (S1P-018). Records that have one are not touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingBlendMode {
    /// Add (2), which the contract gives a new system.
    #[default]
    Contract,
    /// OneOne (0), which the block class of the editor has.
    Editor,
}

impl Options {
    /// Options for a profile, observing the whole state.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self { profile, observe: Observe::State, ..Self::default() }
    }

    /// What the passes may assume.
    #[must_use]
    pub fn passes(&self) -> passes::Options {
        passes::Options { observe: self.observe }
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
    let (mut graph, warnings) = read_file(bytes)?;
    adapt(&mut graph, options)?;
    let module = passes::run(lower_graph(&graph, options.profile)?, &options.passes())?;
    Ok(Compiled { module, warnings })
}

/// The first third of [`compile`]: the typed graph, and what is odd about it.
///
/// # Errors
/// Everything that is wrong with the file without regard to a profile.
pub fn read_file(bytes: &[u8]) -> Result<(Graph, Diagnostics), Diagnostics> {
    normalize::normalize(&parse::parse(bytes)?)
}

/// Changes a graph as the options ask, before it is lowered.
///
/// # Errors
/// There is no constant of a name in [`Options::inputs`].
pub fn adapt(graph: &mut Graph, options: &Options) -> Result<(), Diagnostics> {
    if options.missing_blend_mode == MissingBlendMode::Editor {
        graph.fill_blend_modes(0.0);
    }
    graph.open_inputs(&options.inputs)
}

/// The first two thirds of [`compile`]: the module as lowering leaves it.
///
/// # Errors
/// As [`compile`].
pub fn lower_file(bytes: &[u8], profile: Profile) -> Result<(Module, Diagnostics), Diagnostics> {
    let (graph, warnings) = read_file(bytes)?;
    Ok((lower_graph(&graph, profile)?, warnings))
}

/// Lowers a graph that has been read.
///
/// # Errors
/// What the graph asks for and the profile cannot express.
pub fn lower_graph(graph: &Graph, profile: Profile) -> Result<Module, Diagnostics> {
    lower(graph, profile).map_err(|errors| diagnose(graph, &errors))
}

/// The compiler broke one of its own rules, which no file should make it do.
impl From<Box<passes::Fault>> for Diagnostics {
    fn from(fault: Box<passes::Fault>) -> Self {
        Diagnostic::new(Code::Internal, fault.to_string()).into()
    }
}

fn diagnose(graph: &Graph, errors: &[lower::Error]) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    for error in errors {
        let mut diagnostic = Diagnostic::new(error.code, error.message.clone());
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
