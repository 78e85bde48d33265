//! What the tests of `tests/parallel` look at samples of, whole: its figures are those of
//! `docs/parallel.md`. Minutes to hours.
//!
//! ```text
//! cargo run --release -p pyrograph-compiler --no-default-features --example exhaustive -- \
//!     functions|pairs|fixtures|graphs [WORKERS] [COUNT]
//! ```
//!
//! `functions`: every number of binary32 where a polynomial does something. `pairs`: 2^28 pairs for
//! each function of two operands. `fixtures`: all that draw, 100 instances each, against Exact.
//! `graphs`: so many graphs of `tests/generator` (2,000) with products fused or not.
//! Exit status 1: something is outside of its bounds.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "the tests that it shares code with")]

#[path = "../../tests/parallel/polynomial/cases.rs"]
mod cases;
#[path = "../../tests/states/driver.rs"]
mod driver;
#[path = "../../tests/parallel/fixtures.rs"]
#[expect(dead_code, reason = "tests change functions")]
mod fixtures;
mod functions;
#[path = "../../tests/parallel/fusing.rs"]
mod fusing;
#[path = "../../tests/generator/mod.rs"]
mod generator;
#[path = "../../tests/parallel/polynomial/lanes.rs"]
mod lanes;
#[path = "../../tests/parallel/moments.rs"]
#[expect(dead_code, reason = "tests ask for variances")]
mod moments;
#[path = "../../tests/states/picture.rs"]
mod picture;
mod pieces;
#[path = "../../tests/parallel/sampling.rs"]
mod sampling;

use std::process::ExitCode;
use std::sync::Mutex;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = arguments.next().map_or(Some(cores), |number| number.parse().ok());
    let count = arguments.next().map_or(Some(2_000), |number| number.parse().ok());
    let (Some(workers), Some(count)) = (workers, count) else { return usage() };
    let done = match what.as_deref() {
        Some("functions") => functions::numbers(workers),
        Some("pairs") => functions::pairs(workers),
        Some("fixtures") => fixtures_in_distribution(workers),
        Some("graphs") => graphs_decide_alike(workers, count),
        _ => return usage(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: exhaustive functions|pairs|fixtures|graphs [WORKERS] [COUNT]");
    ExitCode::from(2)
}

/// Instances of each fixture, and standard errors that a figure may deviate: there are 60,000.
const INSTANCES: u32 = 100;
const LIMIT: f64 = 7.0;

/// Whether each fixture that draws has the distribution of Exact.
fn fixtures_in_distribution(workers: usize) -> Result<(), String> {
    let (graphs, all) = (fixtures::graphs(), Mutex::new(sampling::Agreement::default()));
    pieces::for_each("fixtures", workers, graphs.len(), |at| {
        let (name, path) = &graphs[at];
        if let Some(found) = sampling::fixture(name, path, INSTANCES, LIMIT)? {
            all.lock().unwrap().add(name, found);
        }
        Ok(())
    })?;
    println!("{:?}", all.into_inner().unwrap());
    Ok(())
}

/// Whether so many graphs decide alike with products fused or not.
fn graphs_decide_alike(workers: usize, count: usize) -> Result<(), String> {
    let all = Mutex::new(fusing::Seen::default());
    let problems = Mutex::new(0);
    pieces::for_each("graphs", workers, count, |at| {
        match fusing::run_both_of_seed(at as u64) {
            Ok(seen) => all.lock().unwrap().add(&seen),
            Err(problem) => {
                println!("seed {at}, {problem}");
                *problems.lock().unwrap() += 1;
            }
        }
        Ok(())
    })?;
    println!("{:?}", all.into_inner().unwrap());
    match problems.into_inner().unwrap() {
        0 => Ok(()),
        problems => Err(format!("{problems} graphs differ")),
    }
}
