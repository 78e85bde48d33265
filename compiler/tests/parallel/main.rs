//! The Parallel profile keeps its promises: `docs/parallel.md` says which, and has the figures that
//! these tests print. `cargo test --release -- --ignored exhaustive` runs the long ones.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it found")]

mod agreement;
mod distribution;
#[path = "../states/driver.rs"]
mod driver;
mod fixtures;
mod fused;
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
mod refusals;
