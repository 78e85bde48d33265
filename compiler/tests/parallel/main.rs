//! The Parallel profile keeps its promises: `docs/parallel.md` says which, and has the figures that
//! these tests print. `cargo test --release -- --ignored exhaustive` runs the long ones.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it found")]

mod agreement;
#[path = "../states/driver.rs"]
mod driver;
mod fixtures;
mod hash;
#[path = "../states/picture.rs"]
mod picture;
mod polynomial;
mod refusals;
