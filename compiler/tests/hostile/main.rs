//! Files that were made to break the compiler, and a short run of the fuzzer.

#![expect(
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may end at the first surprise, and says which stage was slow"
)]

#[path = "../states/driver.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod driver;
mod fuzz;
mod graph;
mod long;
mod odd;
mod stages;

use std::panic::{AssertUnwindSafe, catch_unwind};

use fuzz::{Outcome, Seeds, case, check};

/// Always the same cases; `examples/fuzz.rs` runs others.
#[test]
fn fuzz() {
    const CASES: u64 = 700;
    let seeds = Seeds::load();
    let mut failures = Vec::new();
    let mut count = 0;
    for number in 0..CASES {
        let bytes = case(&seeds, number);
        match catch_unwind(AssertUnwindSafe(|| check(&bytes, number))) {
            Ok(Ok(outcome)) => count += usize::from(outcome == Outcome::Run),
            Ok(Err(problem)) => failures.push(format!("case {number}: {problem}")),
            Err(_) => failures.push(format!("case {number} panicked")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count > CASES as usize / 4, "only {count} cases could be run");
}
