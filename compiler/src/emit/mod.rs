//! Back ends: a valid module goes in, code of another language comes out.
//!
//! Emitters print what the IR says, statement by statement. They never look at a graph, never move
//! an evaluation, and take every identifier from [`names`].

pub mod decisions;
pub mod layout;
pub mod names;
#[cfg(feature = "rust")]
pub mod rust;
pub mod usage;
#[cfg(feature = "wgsl")]
pub mod wgsl;
