//! Runtime for compiled particle graphs.
//!
//! Generated code (and the interpreter) implements [`ParticleProgram`]; [`ParticleSystem`] drives
//! it: start, stop, [`animate`](ParticleSystem::animate). Random numbers come from any
//! [`Random`] source that the caller passes in.

pub mod emission;
pub mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "compiler")]
pub mod interpreted;
pub mod program;
pub mod random;
pub mod state;
pub mod storage;
pub mod system;
pub mod texels;

/// For generated code.
#[doc(hidden)]
pub mod interface;
/// For generated code.
#[doc(hidden)]
pub use multiversion;

pub use error::{InvalidEmitter, StepError};
#[cfg(feature = "compiler")]
pub use interpreted::Interpreted;
pub use program::{
    Camera, Column, EmissionFacts, Field, Frame, ParticleProgram, ParticleState, Profile,
    RenderFacts,
};
#[cfg(feature = "compiler")]
pub use pyrograph_compiler::{self as compiler, Compiled, Options, compile};
#[cfg(feature = "macros")]
pub use pyrograph_macros::include_particle_graph;
pub use pyrograph_numeric as numeric;
pub use random::{Pcg, Random, Sine};
pub use system::ParticleSystem;
pub use texels::{Texels, TextureFacts};

/// Keeps the README's program running.
#[cfg(all(doctest, feature = "macros"))]
#[doc = include_str!("../README.md")]
struct Readme;
