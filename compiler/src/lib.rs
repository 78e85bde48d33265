//! Compiles particle graphs: a graph file goes in, Rust or WGSL comes out.
//!
//! ```text
//! text ─► graph::parse ─► graph::normalize ─► lower ─► ir::Module ─► passes ─┬─► emit::rust
//!                                                                           ├─► emit::wgsl
//!                                                                           └─► interpret
//! ```
//!
//! [`compile`](compile()) goes the whole way, the modules are its stages. Programs are hosted by the crate
//! `pyrograph`, which has a macro in front of all this.
//!
//! # Features
//!
//! | feature | what it brings |
//! | --- | --- |
//! | `rust` (default) | [`emit`]`::rust`: programs as Rust |
//! | `wgsl` (default) | [`emit`]`::wgsl`: programs as kernels, checked by naga |
//! | `build` | `build`: graphs in build scripts |
//! | `translate` | kernels as SPIR-V, MSL, HLSL and GLSL |
//!
//! Without any of them graphs are read, checked, lowered, optimized and interpreted.

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
