//! Nanoseconds that a live particle costs in a step: generated code beside a hand-written bound, the
//! interpreter and the peers, all in one run. `README.md` says what is measured, and how.
#![expect(clippy::print_stdout, reason = "a bench prints its tables")]

mod agreement;
mod bounds;
mod contest;
#[allow(
    missing_docs,
    unreachable_pub,
    unused_imports,
    dead_code,
    clippy::all,
    reason = "generated code has items that no bench uses"
)]
mod generated;
mod peers;
mod tables;
mod triad;
mod workloads;

use std::process::ExitCode;

use clap::Parser;

use workloads::{Size, Workload};

/// Of random sources and instances.
const SEED: u64 = 7;

/// Times generated code, its bounds, the interpreter, Babylon.js and Babylon Lite.
#[derive(Parser)]
#[command(
    version,
    after_help = "\
Without flags all workloads run with 10,000 particles against everybody.

Peers need Node and their packages: `npm ci` in fixtures/oracle and in benches/peers."
)]
struct Args {
    /// Only this workload; may be given several times
    #[arg(short, long, value_enum)]
    workload: Vec<Workload>,

    /// Measure generated code at this number of particles, and the memory beside it; may be given
    /// several times
    #[arg(short, long, value_enum)]
    size: Vec<Size>,

    /// Rounds of each contestant, of which the fastest counts
    #[arg(short, long, default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Threads that share a step of Parallel where sizes are measured
    #[arg(short, long, default_value_t = 2)]
    threads: usize,

    /// Leave out Babylon.js and Babylon Lite
    #[arg(long)]
    no_peers: bool,

    /// Leave out the interpreter
    #[arg(long)]
    no_interpreter: bool,

    /// Only hold the bounds against generated code
    #[arg(long, conflicts_with = "size")]
    check: bool,
}

fn main() -> ExitCode {
    let mut args = Args::parse();
    if args.workload.is_empty() {
        args.workload = Workload::ALL.to_vec();
    }
    let done = if args.check {
        args.workload.iter().try_for_each(|workload| workload.check())
    } else if args.size.is_empty() {
        tables::contest(&args)
    } else {
        tables::sizes(&args)
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("{message}");
            ExitCode::FAILURE
        }
    }
}
