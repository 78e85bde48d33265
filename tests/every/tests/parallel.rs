//! Every fixture that Parallel takes.

use pyrograph_every::every;

// Those that it refuses are listed in `fixtures/expected/refusals.txt`, which a test of the compiler
// holds to what it says.
include!(concat!(env!("OUT_DIR"), "/parallel.rs"));

#[test]
fn fixtures_are_there() {
    const { assert!(COUNT >= 436) };
}
