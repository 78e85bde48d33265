//! Compiler for particle graphs.

pub mod diagnostic;
pub mod graph;
