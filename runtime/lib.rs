//! Runtime for particle graphs that are compiled to Rust and WGSL.
//!
//! # A first system
//!
//! [`include_particle_graph!`] compiles a graph file of the Babylon.js Node Particle Editor into a
//! module. Its `System` is a [`ParticleSystem`] that runs the graph's own code: no interpreter, no
//! column that the graph does not need, no allocation in a step.
//!
//! ```
//! pyrograph::include_particle_graph!(mod fountain = "fixtures/graphs/canonical/fountain.json");
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut random = pyrograph::Pcg::seed_from_u64(7);
//! let mut system = fountain::System::new();
//! system.start();
//! for _ in 0..60 {
//!     system.animate(1.0, &mut random)?;
//! }
//! let highest = system.particles().map(|particle| particle.position()[1]).fold(0.0, f32::max);
//! assert!(highest > 0.1);
//!
//! // Whatever a host may change counts from the next step on.
//! system.set_emit_rate(20.0);
//! system.set_emitter_position([0.0, 2.0, 0.0])?;
//!
//! // Back to where it was, bit for bit.
//! let snapshot = system.snapshot(&random);
//! let before = system.state_hash();
//! system.animate(1.0, &mut random)?;
//! assert_ne!(system.state_hash(), before);
//! system.restore(&snapshot, &mut random)?;
//! assert_eq!(system.state_hash(), before);
//! # Ok(())
//! # }
//! ```
//!
//! # What to look at next
//!
//! | to | see |
//! | --- | --- |
//! | step several systems of one file | the generated `Set`, [`SystemSet`] |
//! | keep all systems of a scene, advance and order them | [`scene::Scene`] |
//! | read particles without knowing the graph | [`ParticleState`]: columns by [`Field`] |
//! | change a constant of the graph while it runs | [`inputs`] |
//! | move the emitter by a function | [`ParticleSystem::animate_with`] |
//! | know when an effect is over | [`ParticleSystem::phase`] |
//! | go back, scrub, compare | [`Snapshot`], [`Timeline`], [`ParticleSystem::state_hash`] |
//! | use several threads | [`threads`] |
//! | compile a graph at run time | `compile` and `Interpreted` (feature `compiler`) |
//! | load the pictures that a graph names | `textures` (feature `textures`) |
//! | run on a GPU | `gpu` (feature `gpu`) |
//! | draw | `picture` (feature `picture`), `render` (feature `render`) |
//!
//! # Exact and Parallel
//!
//! A graph is compiled for one of two [profiles](Profile). Exact gives Babylon's numbers: f64
//! arithmetic, and random numbers drawn in Babylon's order from the [`Random`] source that the host
//! passes in. In Parallel the order of particles never matters: f32 arithmetic, random numbers hashed
//! from the instance's seed; it runs in SIMD, on threads and on GPUs.
//!
//! # Features
//!
//! | feature | what it brings |
//! | --- | --- |
//! | `macros` (default) | [`include_particle_graph!`] |
//! | `wgsl` | its option `wgsl`: kernels as constants, for other hosts |
//! | `compiler` | the compiler and its interpreter at run time |
//! | `rayon` | [`threads`] other than the calling one |
//! | `serde` | snapshots, random sources and inputs can be stored |
//! | `textures` | pictures from data URLs and files: PNG, JPEG, WebP |
//! | `http` | pictures of the web, from hosts that are named |
//! | `gpu` | Parallel systems on wgpu |
//! | `snippet` | graphs from a snippet server |
//! | `picture` | cameras, blend tables and particles as records, for any renderer |
//! | `render` | a renderer on wgpu |

mod driver;
pub mod emission;
pub mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod inputs;
#[cfg(feature = "compiler")]
pub mod interpreted;
pub mod lifecycle;
pub mod memory;
#[cfg(feature = "picture")]
pub mod picture;
pub mod program;
mod provider;
pub mod random;
#[cfg(feature = "render")]
pub mod render;
pub mod scene;
pub mod snapshot;
#[cfg(feature = "snippet")]
pub mod snippet;
pub mod state;
pub mod storage;
pub mod system;
pub mod system_set;
pub mod texels;
#[cfg(feature = "textures")]
pub mod textures;
pub mod threads;
pub mod timeline;

/// For generated code.
#[doc(hidden)]
pub mod interface;
/// For generated code.
#[doc(hidden)]
pub use multiversion;

pub use error::{InvalidEmitter, StepError};
pub use inputs::{InputError, InputFacts, InputHandle, InputType, InputValue};
#[cfg(feature = "compiler")]
pub use interpreted::Interpreted;
pub use lifecycle::Phase;
pub use program::{
    Camera, Column, EmissionFacts, Field, Frame, ParticleProgram, ParticleState, Profile,
    RenderFacts,
};
pub use provider::ProviderError;
#[cfg(feature = "compiler")]
pub use pyrograph_compiler::{self as compiler, Compiled, Options, compile};
#[cfg(feature = "macros")]
pub use pyrograph_macros::include_particle_graph;
pub use pyrograph_numeric as numeric;
pub use random::{Pcg, Random, Sine};
pub use snapshot::{RestoreError, Saved, Snapshot};
pub use system::{ParticleSystem, Revision};
pub use system_set::{Controls, Input, SystemSet};
pub use texels::{Texels, TextureFacts};
pub use timeline::{Timeline, TimelineError};

/// Keeps the README's program running.
#[cfg(all(doctest, feature = "macros"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// Keeps the programs of the book running.
#[cfg(all(doctest, feature = "macros", feature = "compiler", feature = "gpu", feature = "rayon"))]
mod book {
    #[doc = include_str!("../docs/doors.md")]
    struct Doors;
    #[doc = include_str!("../docs/hosting.md")]
    struct Hosting;
}
