//! Back ends: each prints a validated module for one target and decides nothing about its meaning.

pub mod decisions;
pub mod layout;
pub mod usage;
#[cfg(feature = "wgsl")]
pub mod wgsl;
