//! Runs Parallel programs on a GPU through wgpu.
//!
//! [`GpuSystem`] drives a system as [`ParticleSystem`](crate::ParticleSystem) does, but records its
//! steps ([`recording`]) and has them executed together ([`engine`]). Particles stay in GPU memory
//! ([`buffers`]); nothing is read back unless asked for.

pub mod buffers;
pub mod device;
pub mod engine;
mod error;
mod recorder;
pub mod recording;
mod snapshot;
mod system;

pub use device::default_device;
pub use error::GpuError;
pub use snapshot::{Counters, Snapshot};
pub use system::GpuSystem;
