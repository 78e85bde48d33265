//! The Parallel profile keeps its promises: `docs/parallel.md` says which, and has the figures that
//! these tests print; `examples/exhaustive` runs what takes minutes.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::needless_range_loop,
    clippy::type_complexity,
    reason = "a test says what it found, and its loops over pairs read better with indices"
)]

mod agreement;
mod distribution;
#[path = "../states/driver.rs"]
mod driver;
mod fixtures;
mod fused;
mod fusing;
mod generated;
#[path = "../generator/mod.rs"]
mod generator;
#[path = "../lowering/graph.rs"]
#[expect(dead_code, reason = "other tests write more kinds of graphs")]
mod graph;
mod hash;
#[cfg(feature = "wgsl")]
mod kernels;
mod moments;
mod order;
#[path = "../states/picture.rs"]
mod picture;
mod polynomial;
#[path = "../generator/reduce.rs"]
mod reduce;
mod reduced;
mod refusals;
mod sampling;
mod updates;
