//! Scenes of systems, and systems as sprites.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it found")]

mod composite;
mod errors;
mod gpu;
mod graph;
mod mapping;
mod pictures;
mod registry;
mod scene300;
mod scene301;
mod stage;
mod stage_target;
mod sync;
