//! `pyrograph build`: compiles a graph and writes what one of the stages makes of it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::emit::rust::{self, RustOptions};
use pyrograph_compiler::emit::wgsl;
use pyrograph_compiler::{Options, compile, lower_file};

use crate::Outcome;
use crate::args::Profile;
use crate::failure::Failure;
use crate::input::Graph;
use crate::output::{self, File};

/// Compile a graph to Rust, WGSL or the IR
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pyrograph build sparks.json --emit rust -o sparks.rs
  pyrograph build sparks.json --emit wgsl --profile parallel
  pyrograph build sparks.json --emit opt | less")]
pub(crate) struct Build {
    /// Graph file as the node particle editor saves it; `-` reads standard input
    graph: PathBuf,

    /// What to write
    #[arg(long, value_enum)]
    emit: Emit,

    /// Which meaning the graph has; WGSL needs parallel
    #[arg(long, value_enum, default_value_t = Profile::Exact)]
    profile: Profile,

    /// Write here: a file, or a folder where there are several results (WGSL has one a system)
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// The intermediate representation as lowering makes it
    Ir,
    /// The intermediate representation after all passes
    Opt,
    /// A Rust module, as the macro includes it
    Rust,
    /// Compute kernels
    Wgsl,
}

impl Build {
    /// Runs the subcommand.
    pub(crate) fn run(&self) -> Outcome {
        if self.emit == Emit::Wgsl && self.profile == Profile::Exact {
            return Err(Failure::Usage(
                "WGSL has no f64 and runs particles side by side: it needs `--profile parallel`"
                    .into(),
            ));
        }
        let graph = Graph::read(&self.graph)?;
        let files = self.files(&graph)?;
        output::deliver(&files, self.output.as_deref())
    }

    fn files(&self, graph: &Graph) -> Result<Vec<File>, Failure> {
        let refused = |errors| graph.refused(&errors);
        if self.emit == Emit::Ir {
            let (module, warnings) =
                lower_file(&graph.bytes, self.profile.into()).map_err(|errors| refused(errors))?;
            graph.warn(&warnings);
            return Ok(vec![File { name: String::new(), text: module.to_string() }]);
        }
        let options = Options::new(self.profile.into());
        let compiled = compile(&graph.bytes, &options).map_err(refused)?;
        graph.warn(&compiled.warnings);
        match self.emit {
            Emit::Ir | Emit::Opt => {
                Ok(vec![File { name: String::new(), text: compiled.module.to_string() }])
            }
            Emit::Rust => {
                let tokens = rust::emit(&compiled.module, &RustOptions::default());
                let text = rust::to_text(tokens).map_err(fault)?;
                Ok(vec![File { name: String::new(), text }])
            }
            Emit::Wgsl => (0..compiled.module.programs.len())
                .map(|index| {
                    let wgsl = wgsl::emit(&compiled.module, index, &Limits::default());
                    let name = format!("{index}.wgsl");
                    Ok(File { name, text: wgsl.map_err(fault)?.source })
                })
                .collect(),
        }
    }
}

/// An emitter refused a valid module.
fn fault(error: impl std::fmt::Display) -> Failure {
    Failure::Machine(error.to_string())
}
