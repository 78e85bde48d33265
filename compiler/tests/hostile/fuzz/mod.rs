//! A fuzzer of the whole compiler: graphs of `fixtures/graphs`, changed at random, go through all
//! stages ([`pipeline`]). Everything about a case follows from its number, so that a number is all
//! that a report must say.
//!
//! Two users: the test beside this folder runs a few thousand cases; `examples/fuzz.rs` runs as many
//! as one likes.

mod json;
mod mutate;
mod pipeline;
mod random;
mod run;
mod seeds;

pub(crate) use pipeline::{Outcome, check};
use random::Random;
pub(crate) use seeds::Seeds;

/// The bytes of a case.
pub(crate) fn case(seeds: &Seeds, number: u64) -> Vec<u8> {
    let mut random = Random::new(number);
    let mut graph = seeds.pick(&mut random).clone();
    if random.one_in(12) {
        for _ in 0..random.below(60) {
            mutate::grow(&mut graph, &mut random);
        }
    }
    for _ in 0..=random.below(5) {
        mutate::structure(&mut graph, seeds, &mut random);
    }
    let mut bytes = graph.to_string().into_bytes();
    if random.one_in(12) {
        for _ in 0..=random.below(4) {
            mutate::bytes(&mut bytes, &mut random);
        }
    }
    bytes
}
