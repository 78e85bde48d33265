//! Graphs that nobody wrote: a seed decides a whole file of the node particle editor and how it is
//! run. They are valid by type, compile for both profiles without an error, and keep to numbers that
//! stay finite and tame, so that executors can be held against each other.
//!
//! - Each value carries its shape and the range of its components ([`wire`]): where a block wants a
//!   narrower range (no division by 0, no logarithm of less than 0) the value is bounded first.
//! - A property that an update computes freely depends on properties of lower rank only, others
//!   change by a step at a time ([`update`]): two executors that differ in a last bit stay close.
//! - What a value depends on is tracked too ([`wire::Scope`]): rates and what a whole system shares
//!   never read a particle.
//!
//! Users include the folder by `#[path]`: its only crate is `serde_json`.

mod arithmetic;
mod birth;
mod blocks;
mod choice;
mod function;
mod maker;
#[path = "../hostile/fuzz/random.rs"]
#[expect(dead_code, reason = "the fuzzer needs more")]
mod random;
mod run;
mod source;
mod system;
mod texture;
mod update;
mod wire;

use random::Random;
use serde_json::Value;

/// A file, and how it is run.
pub(crate) struct Case {
    /// The file.
    pub(crate) graph: Value,
    /// What a recording of a fixture has: steps, ratios, emitter, camera, stop and restart.
    pub(crate) recording: Value,
}

/// The case of a seed.
pub(crate) fn case(seed: u64) -> Case {
    // Neighbouring seeds shall have nothing in common.
    let mut random = Random::new(seed.wrapping_mul(0xd134_2543_de82_ef95));
    let recording = run::recording(&mut random);
    Case { graph: system::file(random), recording }
}
