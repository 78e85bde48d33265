//! Runs Parallel programs on a GPU through wgpu.
//!
//! A [`GpuProgram`] is compiled for a device; [`GpuSystem`]s are its instances. A system is driven
//! as [`ParticleSystem`](crate::ParticleSystem) is, but records its steps ([`recording`]) and has
//! them executed together ([`engine`]). Particles stay in GPU memory ([`buffers`]); nothing is read
//! back unless asked for.
//!
//! A frame of an application that has an encoder of its own:
//!
//! ```no_run
//! # use pyrograph::gpu::{GpuError, GpuSystem, default_device};
//! # fn main() -> Result<(), GpuError> {
//! let (device, queue) = default_device()?;
//! let graph = "…";
//! let mut sparks = GpuSystem::from_graph(&device, &queue, graph)?;
//! sparks.start();
//! let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
//! sparks.record(1.0)?;
//! sparks.encode(&mut encoder)?;
//! // … passes that draw from sparks.buffer(…) …
//! queue.submit([encoder.finish()]);
//! # Ok(())
//! # }
//! ```
//!
//! When a device is lost, the next call that needs it gives [`GpuError::Lost`]; systems that
//! [keep checkpoints](GpuSystem::keep_checkpoints) are [rebuilt](GpuSystem::rebuild) on another.

pub mod buffers;
mod controls;
pub mod device;
pub mod engine;
mod error;
mod image;
pub mod journal;
mod live;
mod program;
pub mod read;
mod recorder;
pub mod recording;
mod route;
mod saved;
mod snapshot;
mod succession;
mod system;
mod worker;

pub use device::default_device;
pub use error::GpuError;
pub use live::{Carried, Change, Live};
pub use program::{GpuProgram, SlowKernels};
pub use route::{Backend, Policy, Reason, RouteError, Simulation};
pub use saved::GpuSnapshot;
pub use snapshot::{Counters, ReadState};
pub use system::GpuSystem;
/// The version of wgpu whose types are meant here.
pub use wgpu;
