//! The `pyrograph` command.
//!
//! One file a subcommand; [`failure`] maps what went wrong to exit codes (0 fine, 1 the input is
//! wrong, 2 usage).

mod args;
mod build;
mod camera;
mod check;
mod csv;
mod explain;
mod failure;
mod fetch;
mod host;
mod input;
mod motion;
mod numbers;
mod output;
mod preview;
mod progress;
mod render;
mod report;
mod sample;
mod simulate;
mod table;
mod textures;
mod timings;

use std::process::ExitCode;
use std::thread;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Deeply nested graphs cost stack; what is not touched costs no memory.
const STACK: usize = 1 << 28;

/// Compile particle graphs, and run them.
#[derive(Debug, Parser)]
#[command(name = "pyrograph", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "Without a graph at hand:
  pyrograph sample fountain -o fountain.json
  pyrograph simulate fountain.json

Exit codes: 0 fine, 1 the graph or a file is wrong, 2 the flags are wrong.")]
struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Simulate(Box<simulate::Simulate>),
    Render(Box<render::Render>),
    Check(check::Check),
    Build(build::Build),
    Explain(explain::Explain),
    Sample(sample::Sample),
    Fetch(fetch::Fetch),
    Preview(preview::Preview),
}

/// What a subcommand gives back.
type Outcome = Result<(), Failure>;

fn main() -> ExitCode {
    let command = Command::parse();
    let work = move || match &command.action {
        Action::Simulate(simulate) => simulate.run(),
        Action::Render(render) => render.run(),
        Action::Check(check) => check.run(),
        Action::Build(build) => build.run(),
        Action::Explain(explain) => explain.run(),
        Action::Sample(sample) => sample.run(),
        Action::Fetch(fetch) => fetch.run(),
        Action::Preview(preview) => preview.run(),
    };
    let outcome = match thread::Builder::new().stack_size(STACK).spawn(work) {
        Ok(worker) => worker.join(),
        Err(error) => Ok(Err(Failure::Machine(format!("cannot start a thread: {error}")))),
    };
    match outcome {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.report(),
        // The panic has printed its message.
        Err(_) => ExitCode::from(101),
    }
}
