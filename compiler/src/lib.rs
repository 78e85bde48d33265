//! Compiles particle graphs: a graph file goes in, Rust or WGSL comes out.
//!
//! ```text
//! text ─► graph::parse ─► graph::normalize ─► lower ─► ir::Module ─► passes ─┬─► emit::rust
//!                                                                           ├─► emit::wgsl
//!                                                                           └─► interpret
//! ```

pub mod diagnostic;
pub mod graph;
pub mod interpret;
pub mod ir;
pub mod lower;
