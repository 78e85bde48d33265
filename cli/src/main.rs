//! The `pyrograph` command.
//!
//! One file a subcommand; [`failure`] maps what went wrong to exit codes (0 fine, 1 the input is
//! wrong, 2 usage).

mod args;
mod build;
mod failure;
mod input;
mod output;
mod simulate;
mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Compile particle graphs, and run them.
#[derive(Debug, Parser)]
#[command(name = "pyrograph", version, arg_required_else_help = true, max_term_width = 100)]
struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Build(build::Build),
    Simulate(simulate::Simulate),
}

fn main() -> ExitCode {
    let command = Command::parse();
    let result = match &command.action {
        Action::Build(build) => build.run(),
        Action::Simulate(simulate) => simulate.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// What a subcommand gives back.
type Outcome = Result<(), Failure>;
