//! `pyrograph explain`: what became of a graph.

use std::path::PathBuf;

use clap::Args;
use pyrograph_compiler::{Options, explain};

use crate::args::{Observe, Profile};
use crate::input::Graph;
use crate::{Outcome, output};

/// Tell what a graph costs: blocks, memory, work, and what was folded away
///
/// Counts are those of the intermediate representation before and after the passes; where the way
/// through a body matters, the cheapest and the dearest.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pyrograph explain sparks.json
  pyrograph explain sparks.json --profile parallel --observe state")]
pub(crate) struct Explain {
    /// Graph file as the node particle editor saves it; `-` reads standard input
    graph: PathBuf,

    /// Which meaning the graph has
    #[arg(long, value_enum, default_value_t = Profile::Exact)]
    profile: Profile,

    /// What a host will look at: columns that nobody sees are removed
    #[arg(long, value_enum, default_value_t = Observe::Render)]
    observe: Observe,
}

impl Explain {
    /// Runs the subcommand.
    pub(crate) fn run(&self) -> Outcome {
        let graph = Graph::read(&self.graph)?;
        let options = Options { observe: self.observe.into(), ..Options::new(self.profile.into()) };
        let explained = explain::explain(&graph.bytes, &options);
        let explanation = explained.map_err(|errors| graph.refused(&errors))?;
        graph.warn(&explanation.warnings);
        output::print(&explanation.to_string())
    }
}
