//! Compiles particle graphs: a graph file goes in, Rust or WGSL comes out.
//!
//! ```text
//! text ─► graph::parse ─► graph::normalize ─► lower ─► ir::Module ─► passes ─┬─► emit::rust
//!                                                                           ├─► emit::wgsl
//!                                                                           └─► interpret
//! ```

#[cfg(feature = "build")]
pub mod build;
mod compile;
pub mod diagnostic;
pub mod emit;
pub mod explain;
pub mod graph;
pub mod interpret;
pub mod ir;
pub mod lower;
pub mod passes;

pub use compile::{
    Compiled, MissingBlendMode, Options, adapt, compile, lower_file, lower_graph, read_file,
};
