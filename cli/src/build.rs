//! `pyrograph build`: compiles a graph and writes what one of the stages makes of it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use pyrograph_compiler::build::{RustError, rust_text};
use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::emit::rust::RustOptions;
use pyrograph_compiler::emit::wgsl::translate::{Language, translate};
use pyrograph_compiler::emit::wgsl::{self, Wgsl};
use pyrograph_compiler::graph::dot::Dot;
use pyrograph_compiler::graph::listing::Listing;
use pyrograph_compiler::{Options, lower_file, passes, read_file};

use crate::Outcome;
use crate::args::{Execution, Observe, Profile};
use crate::failure::Failure;
use crate::input::{self, Graph};
use crate::output::{self, Output};

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

    /// Write here: a file, or a folder where there are several results (WGSL has one a system)
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
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
        output::deliver(&self.outputs(&graph)?, output)
    }

    fn outputs(&self, graph: &Graph) -> Result<Vec<Output>, Failure> {
        match self.emit {
            Some(Emit::Listing | Emit::Dot) => self.graph_text(graph),
            Some(Emit::Ir) => {
                let lowered = lower_file(&graph.bytes, self.execution.profile.into());
                let (module, warnings) = lowered.map_err(|errors| graph.refused(&errors))?;
                graph.warn(&warnings);
                Ok(single(module.to_string()))
            }
            Some(Emit::Opt) => Ok(single(graph.compile(&self.options())?.module.to_string())),
            Some(Emit::Rust) => {
                // Pictures are looked for next to the graph, for standard input in the current folder.
                let base = self.graph.parent().unwrap_or(Path::new("."));
                let rust = RustOptions::default();
                let made = rust_text(&graph.bytes, base, &self.options(), &rust, false);
                let made = made.map_err(|error| match error {
                    RustError::Graph(errors) => graph.refused(&errors),
                    RustError::Kernels(error) => fault(error),
                    RustError::Emitter(error) => fault(error),
                })?;
                graph.warn(&made.warnings);
                Ok(single(made.text))
            }
            Some(
                emit @ (Emit::Wgsl
                | Emit::Manifest
                | Emit::Spirv
                | Emit::Msl
                | Emit::Hlsl
                | Emit::Glsl),
            ) => self.kernels(graph, emit),
            None => self.dump(graph),
        }
    }

    /// Everything that is made of kernels, one or more files a system.
    fn kernels(&self, graph: &Graph, emit: Emit) -> Result<Vec<Output>, Failure> {
        let limits = Limits::default();
        let module = graph.compile(&self.options())?.module;
        let mut outputs = Vec::new();
        for (index, program) in module.programs.iter().enumerate() {
            let kernels = wgsl::emit(&module, index, &limits).map_err(fault)?;
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
        Options { observe: self.observe.into(), ..Options::new(self.execution.profile.into()) }
    }

    fn graph_text(&self, graph: &Graph) -> Result<Vec<Output>, Failure> {
        let (normalized, warnings) =
            read_file(&graph.bytes).map_err(|errors| graph.refused(&errors))?;
        graph.warn(&warnings);
        Ok(single(if self.emit == Some(Emit::Dot) {
            Dot(&normalized).to_string()
        } else {
            Listing(&normalized).to_string()
        }))
    }

    /// The module after one of the passes.
    fn dump(&self, graph: &Graph) -> Result<Vec<Output>, Failure> {
        let options = self.options();
        let lowered = lower_file(&graph.bytes, options.profile);
        let (module, warnings) = lowered.map_err(|errors| graph.refused(&errors))?;
        graph.warn(&warnings);
        let is_last = |step: &passes::Step| self.dump_after.as_deref() == Some(step.name);
        let stop = |step: &passes::Step, _: &_| {
            if is_last(step) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let module = passes::run_steps(module, &options.passes(), passes::STEPS, stop);
        let module = module.map_err(|fault| graph.refused(&fault.into()))?;
        Ok(single(module.to_string()))
    }
}

fn single(text: String) -> Vec<Output> {
    vec![Output { name: String::new(), bytes: text.into_bytes() }]
}

/// An emitter refused a valid module.
fn fault(error: impl std::fmt::Display) -> Failure {
    Failure::Machine(error.to_string())
}
