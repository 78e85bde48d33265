//! Scenes of systems, and systems as sprites.

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
