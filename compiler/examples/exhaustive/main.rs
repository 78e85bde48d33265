//! What the tests of `tests/parallel` look at samples of, whole: its figures are those of
//! `docs/parallel.md`. Minutes to hours.
//!
//! ```text
//! cargo run --release -p pyrograph-compiler --no-default-features --example exhaustive -- \
//!     functions|pairs|fixtures [WORKERS]
//! ```
//!
//! `functions`: every number of binary32 where a polynomial does something. `pairs`: 2^28 pairs for
//! each function of two operands. `fixtures`: all that draw, 100 instances each, against Exact.
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
    let done = match (what.as_deref(), workers) {
        (Some("functions"), Some(workers)) => functions::numbers(workers),
        (Some("pairs"), Some(workers)) => functions::pairs(workers),
        (Some("fixtures"), Some(workers)) => fixtures_in_distribution(workers),
        _ => {
            eprintln!("usage: exhaustive functions|pairs|fixtures [WORKERS]");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
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
