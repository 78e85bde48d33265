//! `pyrograph sample`: graphs for people who have none.

use std::path::PathBuf;

use clap::Args;

use crate::Outcome;
use crate::failure::Failure;
use crate::output::{self, Output};

/// Write a graph to try things with; without a name, list them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pyrograph sample
  pyrograph sample fountain -o fountain.json
  pyrograph sample fountain | pyrograph simulate -")]
pub(crate) struct Sample {
    /// Which graph
    name: Option<String>,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "PATH", requires = "name")]
    output: Option<PathBuf>,
}

/// Name, what it shows, the graph.
pub(crate) const SAMPLES: &[(&str, &str, &str)] = &[
    (
        "fountain",
        "a box of particles that rise and fade; a classic system made into a graph",
        include_str!("../samples/fountain.json"),
    ),
    ("attractor", "the same, drawn to a point", include_str!("../samples/attractor.json")),
    ("colors", "colours by age from a gradient", include_str!("../samples/colors.json")),
    (
        "sprites",
        "cells of a sprite sheet, one after the other",
        include_str!("../samples/sprites.json"),
    ),
    ("noise", "particles pushed about by a noise texture", include_str!("../samples/noise.json")),
    (
        "plumbing",
        "values through a teleport, an elbow and a debug block",
        include_str!("../samples/plumbing.json"),
    ),
    ("systems", "two systems in one file", include_str!("../samples/systems.json")),
];

impl Sample {
    /// Runs the subcommand.
    pub(crate) fn run(&self) -> Outcome {
        let Some(name) = &self.name else { return output::print(&list()) };
        let Some((_, _, text)) = SAMPLES.iter().find(|(known, ..)| known == name) else {
            return Err(Failure::Usage(format!(
                "no sample is called `{name}`; these are:\n{}",
                list()
            )));
        };
        let output = Output { name: String::new(), bytes: (*text).into() };
        output::deliver(&[output], output::place(&self.output))
    }
}

fn list() -> String {
    SAMPLES.iter().map(|(name, what, _)| format!("  {name:<10} {what}\n")).collect()
}
