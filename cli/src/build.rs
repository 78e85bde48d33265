//! `pyrograph build`: compiles a graph and writes what one of the stages makes of it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use pyrograph::gpu::{GpuError, GpuProgram, SlowKernels, default_device};
use pyrograph_compiler::build::{RustError, rust_text};
use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::emit::rust::RustOptions;
use pyrograph_compiler::emit::wgsl::translate::{Language, translate};
use pyrograph_compiler::emit::wgsl::{self, Wgsl};
use pyrograph_compiler::graph::listing::Listing;
use pyrograph_compiler::graph::{self, dot::Dot};
use pyrograph_compiler::ir::{Module, Valid};
use pyrograph_compiler::{Options, adapt, lower_graph, passes, read_file};

use crate::Outcome;
use crate::args::{Execution, Observe, Profile};
use crate::failure::Failure;
use crate::input::{self, Graph};
use crate::output::{self, Output};
use crate::timings::Timings;

/// Compile a graph to Rust, WGSL or what the compiler sees in between
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pyrograph build sparks.json --emit rust -o sparks.rs
  pyrograph build sparks.json --emit wgsl --profile parallel -o sparks.wgsl
  pyrograph build sparks.json --emit opt | less
  pyrograph build sparks.json --dump-after cse
  pyrograph build sparks.json --emit dot | dot -Tsvg -o sparks.svg")]
pub(crate) struct Build {
    /// Graph file as the node particle editor saves it; `-` reads standard input
    graph: PathBuf,

    /// What to write
    #[arg(long, value_enum, required_unless_present = "dump_after")]
    emit: Option<Emit>,

    /// Write the intermediate representation as it is after this pass
    #[arg(long, value_name = "PASS", conflicts_with = "emit", value_parser = pass_names())]
    dump_after: Option<String>,

    #[command(flatten)]
    execution: Execution,

    /// What a host will look at: columns that nobody sees are removed
    #[arg(long, value_enum, default_value_t = Observe::Render)]
    observe: Observe,

    /// Keep the constant of this name open, so that hosts can change it while the system runs; may be
    /// given several times
    #[arg(long = "input", value_name = "NAME")]
    inputs: Vec<String>,

    /// Write here: a file, or a folder where there are several results (WGSL has one a system)
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Print to standard error how long each stage took; with kernels also what the driver of the
    /// fastest adapter takes to compile them
    #[arg(long)]
    timings: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// Text of the normalized graph
    Listing,
    /// Picture of the normalized graph, for Graphviz
    Dot,
    /// The intermediate representation as lowering makes it
    Ir,
    /// The intermediate representation after all passes
    Opt,
    /// A Rust module, as the macro includes it
    Rust,
    /// Compute kernels; needs `--profile parallel`, as all that follow
    Wgsl,
    /// What a host must know to run the kernels, as JSON
    Manifest,
    /// The kernels for Vulkan: a binary a system
    Spirv,
    /// The kernels for Metal
    Msl,
    /// The kernels for Direct3D
    Hlsl,
    /// The kernels for OpenGL ES: a text a kernel
    Glsl,
}

impl Emit {
    /// The language of kernels that WGSL is translated to.
    fn language(self) -> Option<Language> {
        Some(match self {
            Self::Spirv => Language::Spirv,
            Self::Msl => Language::Msl,
            Self::Hlsl => Language::Hlsl,
            Self::Glsl => Language::Glsl,
            Self::Listing
            | Self::Dot
            | Self::Ir
            | Self::Opt
            | Self::Rust
            | Self::Wgsl
            | Self::Manifest => return None,
        })
    }

    /// Whether it is made of kernels.
    fn is_of_kernels(self) -> bool {
        match self {
            Self::Wgsl | Self::Manifest | Self::Spirv | Self::Msl | Self::Hlsl | Self::Glsl => true,
            Self::Listing | Self::Dot | Self::Ir | Self::Opt | Self::Rust => false,
        }
    }
}

/// Ends of file names with their contents.
fn translated(kernels: &Wgsl, language: Language) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let files = translate(kernels, language).map_err(fault)?.into_iter().map(|file| {
        let kernel = file.entry_point.map(|name| format!("{name}.")).unwrap_or_default();
        (format!("{kernel}{}", language.extension()), file.bytes)
    });
    Ok(files.collect())
}

fn pass_names() -> PossibleValuesParser {
    PossibleValuesParser::new(passes::STEPS.iter().map(|step| step.name))
}

impl Build {
    /// Runs the subcommand.
    pub(crate) fn run(&self) -> Outcome {
        if self.emit.is_some_and(Emit::is_of_kernels) && self.execution.profile == Profile::Exact {
            return Err(Failure::Usage(
                "a GPU has no f64 and runs particles side by side: it needs `--profile parallel`"
                    .into(),
            ));
        }
        // The flags of simulate are taken, and have to make sense.
        self.execution.plan()?;
        let output = output::place(&self.output);
        input::check_paths(std::slice::from_ref(&self.graph), output)?;
        let graph = Graph::read(&self.graph)?;
        let mut run = Run { graph: &graph, timings: Timings::default(), driver: Vec::new() };
        let outputs = self.outputs(&mut run)?;
        if self.timings {
            run.timings.print(&run.driver);
        }
        output::deliver(&outputs, output)
    }

    fn outputs(&self, run: &mut Run<'_>) -> Result<Vec<Output>, Failure> {
        match self.emit {
            Some(Emit::Listing) => Ok(single(Listing(&run.read(&self.options())?).to_string())),
            Some(Emit::Dot) => Ok(single(Dot(&run.read(&self.options())?).to_string())),
            Some(Emit::Ir) => Ok(single(run.lower(&self.options())?.to_string())),
            Some(Emit::Opt) => Ok(single(run.compile(&self.options())?.to_string())),
            Some(Emit::Rust) => {
                // Pictures are looked for next to the graph, for standard input in the current folder.
                let base = self.graph.parent().unwrap_or(Path::new("."));
                let (bytes, rust) = (&run.graph.bytes, RustOptions::default());
                let made = run.timings.stage("graph to Rust", || {
                    rust_text(bytes, base, &self.options(), &rust, false)
                });
                let made = made.map_err(|error| match error {
                    RustError::Graph(errors) => run.graph.refused(&errors),
                    RustError::Kernels(error) => fault(error),
                    RustError::Emitter(error) => fault(error),
                })?;
                run.graph.warn(&made.warnings);
                Ok(single(made.text))
            }
            Some(
                emit @ (Emit::Wgsl
                | Emit::Manifest
                | Emit::Spirv
                | Emit::Msl
                | Emit::Hlsl
                | Emit::Glsl),
            ) => self.kernels(run, emit),
            None => self.dump(run),
        }
    }

    /// Everything that is made of kernels, one or more files a system.
    fn kernels(&self, run: &mut Run<'_>, emit: Emit) -> Result<Vec<Output>, Failure> {
        let limits = Limits::default();
        let module = Arc::new(run.compile(&self.options())?);
        if self.timings {
            run.driver = driver_times(&module);
        }
        let mut outputs = Vec::new();
        for (index, program) in module.programs.iter().enumerate() {
            let kernels = run.timings.stage("WGSL", || wgsl::print(&module, index, &limits));
            let kernels = kernels.map_err(fault)?;
            let valid = run.timings.stage("validation by naga", || wgsl::validate(&kernels.source));
            valid.map_err(fault)?;
            let time = run.driver.get(index).copied();
            if let Some(slow) = SlowKernels::of(&program.name, &kernels.source, time) {
                input::note(&format!("warning: {slow}\n"));
            }
            let files = match emit.language() {
                Some(language) => translated(&kernels, language)?,
                None if emit == Emit::Manifest => {
                    let text = wgsl::to_json(program, &kernels.manifest);
                    vec![("json".into(), text.into_bytes())]
                }
                None => vec![("wgsl".into(), kernels.source.into_bytes())],
            };
            let named = |(end, bytes)| Output { name: format!("{index}.{end}"), bytes };
            outputs.extend(files.into_iter().map(named));
        }
        Ok(outputs)
    }

    fn options(&self) -> Options {
        Options {
            observe: self.observe.into(),
            inputs: self.inputs.clone(),
            ..Options::new(self.execution.profile.into())
        }
    }

    /// The module after one of the passes.
    fn dump(&self, run: &mut Run<'_>) -> Result<Vec<Output>, Failure> {
        let options = self.options();
        let module = run.lower(&options)?;
        let is_last = |step: &passes::Step| self.dump_after.as_deref() == Some(step.name);
        let stop = |step: &passes::Step, _: &_| {
            if is_last(step) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let module = run
            .timings
            .stage("passes", || passes::run_steps(module, &options.passes(), passes::STEPS, stop));
        let module = module.map_err(|fault| run.graph.refused(&fault.into()))?;
        Ok(single(module.to_string()))
    }
}

/// A graph on its way, with what the way takes. Warnings go to standard error.
struct Run<'a> {
    graph: &'a Graph,
    timings: Timings,
    /// What the driver took for the kernels of each system, where it was asked.
    driver: Vec<Duration>,
}

impl Run<'_> {
    fn read(&mut self, options: &Options) -> Result<graph::Graph, Failure> {
        let read = self.timings.stage("parse and normalize", || read_file(&self.graph.bytes));
        let (mut normalized, warnings) = read.map_err(|errors| self.graph.refused(&errors))?;
        self.graph.warn(&warnings);
        adapt(&mut normalized, options).map_err(|errors| self.graph.refused(&errors))?;
        Ok(normalized)
    }

    fn lower(&mut self, options: &Options) -> Result<Module, Failure> {
        let normalized = self.read(options)?;
        let lower = || lower_graph(&normalized, options.profile);
        self.timings.stage("lowering", lower).map_err(|errors| self.graph.refused(&errors))
    }

    fn compile(&mut self, options: &Options) -> Result<Valid<Module>, Failure> {
        let module = self.lower(options)?;
        let module = self.timings.stage("passes", || passes::run(module, &options.passes()));
        module.map_err(|fault| self.graph.refused(&fault.into()))
    }
}

/// What the driver of the fastest adapter takes for the kernels of each system; nothing but a remark
/// where there is no adapter, or it cannot run them.
fn driver_times(module: &Arc<Valid<Module>>) -> Vec<Duration> {
    let times = || -> Result<Vec<Duration>, GpuError> {
        let (device, queue) = default_device()?;
        let program = |index| GpuProgram::new(&device, &queue, module, index);
        (0..module.programs.len()).map(|index| Ok(program(index)?.driver_time())).collect()
    };
    times().unwrap_or_else(|error| {
        input::note(&format!("no time of a driver: {error}\n"));
        Vec::new()
    })
}

fn single(text: String) -> Vec<Output> {
    vec![Output { name: String::new(), bytes: text.into_bytes() }]
}

/// An emitter refused a valid module.
fn fault(error: impl std::fmt::Display) -> Failure {
    Failure::Machine(error.to_string())
}
