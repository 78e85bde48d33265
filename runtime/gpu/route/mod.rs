//! Chooses between a GPU and the CPU.

mod reason;

use std::sync::Arc;

use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::emit::wgsl::{self, WgslError};
use pyrograph_compiler::ir::{self, Module, Valid};

pub use reason::{Reason, RouteError};

use super::error::GpuError;
use super::system::GpuSystem;
use crate::error::{InvalidEmitter, StepError};
use crate::interpreted::Interpreted;
use crate::program::{Camera, ParticleProgram, ParticleState, Profile};
use crate::random::Random;
use crate::system::ParticleSystem;
use crate::texels::Texels;

/// What a host wants to run on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// A GPU where there is one that can run the program, else the CPU.
    #[default]
    Either,
    /// A GPU or nothing.
    Gpu,
    /// The CPU.
    Cpu,
}

/// One system on a GPU or on the CPU, whose program is `P` there: [`Interpreted`] or generated
/// code.
///
/// ```
/// use std::sync::Arc;
/// use pyrograph::gpu::{Policy, Simulation, default_device};
/// use pyrograph::{Options, Pcg, compile};
/// use pyrograph_compiler::ir::Profile;
///
/// let graph = include_bytes!("../../../fixtures/graphs/canonical/fountain.json");
/// let compiled = compile(graph, &Options::new(Profile::Parallel)).unwrap();
/// let module = Arc::new(compiled.module);
/// let device = default_device();
/// let mut fountain = Simulation::auto(&device, &module, 0, 7, Policy::Either).unwrap();
/// for reason in fountain.reasons() {
///     println!("not on a GPU: {reason}");
/// }
/// let mut random = Pcg::seed_from_u64(7);
/// fountain.start();
/// for _ in 0..60 {
///     fountain.animate(1.0, &mut random).unwrap();
/// }
/// let alive = fountain.look(|state| state.alive()).unwrap();
/// assert!(alive > 0);
/// ```
#[derive(Debug)]
pub struct Simulation<P = Interpreted> {
    executor: Executor<P>,
    reasons: Vec<Reason>,
}

/// What a simulation runs on.
#[derive(Debug)]
pub enum Executor<P> {
    /// A GPU.
    Gpu(Box<GpuSystem>),
    /// The CPU.
    Cpu(Box<ParticleSystem<P>>),
}

impl Simulation {
    /// System number `index` of a module, interpreted where it runs on the CPU. `device` is what
    /// [`default_device`](super::default_device) or the host has found; a software adapter counts.
    /// The profile is always the module's.
    ///
    /// # Errors
    /// The policy asks for a GPU that cannot be had, or there is no such system.
    pub fn auto(
        device: &Result<(wgpu::Device, wgpu::Queue), GpuError>,
        module: &Arc<Valid<Module>>,
        index: usize,
        seed: u64,
        policy: Policy,
    ) -> Result<Self, RouteError> {
        let count = module.programs.len();
        let cpu = Interpreted::all(module).into_iter().nth(index);
        let no_program = || RouteError::NoProgram(WgslError::NoProgram { index, count });
        Self::with_code(device, module, index, cpu.ok_or_else(no_program)?, seed, policy)
    }
}

impl<P: ParticleProgram> Simulation<P> {
    /// As [`auto`](Simulation::auto), with other code for the CPU. It must be that of the same
    /// graph.
    ///
    /// # Errors
    /// See [`auto`](Simulation::auto); it is also an error if the code has another profile.
    pub fn with_code(
        device: &Result<(wgpu::Device, wgpu::Queue), GpuError>,
        module: &Arc<Valid<Module>>,
        index: usize,
        code: P,
        seed: u64,
        policy: Policy,
    ) -> Result<Self, RouteError> {
        let count = module.programs.len();
        let no_program = || RouteError::NoProgram(WgslError::NoProgram { index, count });
        let program = module.programs.get(index).ok_or_else(no_program)?;
        let profile = match program.profile {
            ir::Profile::Exact => Profile::Exact,
            ir::Profile::Parallel => Profile::Parallel,
        };
        if code.profile() != profile {
            let (system, code) = (program.name.clone(), code.profile());
            return Err(RouteError::Profile { system, module: profile, code });
        }
        let reasons = if policy == Policy::Cpu {
            vec![Reason::Policy]
        } else {
            match on_gpu(device, module, index, seed) {
                Ok(system) => {
                    let executor = Executor::Gpu(Box::new(system));
                    return Ok(Self { executor, reasons: Vec::new() });
                }
                Err(errors) => errors.into_iter().map(Reason::Gpu).collect(),
            }
        };
        if policy == Policy::Gpu {
            return Err(RouteError::NoGpu(reasons));
        }
        let executor = Executor::Cpu(Box::new(ParticleSystem::from_program(code, seed)));
        Ok(Self { executor, reasons })
    }

    /// Why it does not run on a GPU: everything that stands against it. Empty if it does.
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// What it runs on.
    pub fn executor(&self) -> &Executor<P> {
        &self.executor
    }

    /// What it runs on.
    pub fn executor_mut(&mut self) -> &mut Executor<P> {
        &mut self.executor
    }

    /// Begins to emit; see [`ParticleSystem::start`].
    pub fn start(&mut self) {
        match &mut self.executor {
            Executor::Gpu(system) => system.start(),
            Executor::Cpu(system) => system.start(),
        }
    }

    /// Ends emission. Live particles go on until they die.
    pub fn stop(&mut self) {
        match &mut self.executor {
            Executor::Gpu(system) => system.stop(),
            Executor::Cpu(system) => system.stop(),
        }
    }

    /// Advances the system by its update speed times `ratio`. `random` is read in Exact only.
    ///
    /// # Errors
    /// The graph reached something that it cannot compute, or the GPU was lost.
    pub fn animate<R: Random + ?Sized>(
        &mut self,
        ratio: f64,
        random: &mut R,
    ) -> Result<(), GpuError> {
        match &mut self.executor {
            Executor::Gpu(system) => system.animate(ratio),
            Executor::Cpu(system) => system.animate(ratio, random).map_err(StepError::into),
        }
    }

    /// Shows the particles; from a GPU they are read back for that.
    ///
    /// # Errors
    /// The GPU was lost.
    pub fn look<T>(&mut self, see: impl FnOnce(&dyn ParticleState) -> T) -> Result<T, GpuError> {
        match &mut self.executor {
            Executor::Gpu(system) => Ok(see(&system.read_back()?)),
            Executor::Cpu(system) => Ok(see(system.program())),
        }
    }

    /// Removes all particles at once; emission goes on.
    pub fn clear(&mut self) {
        match &mut self.executor {
            Executor::Gpu(system) => system.clear(),
            Executor::Cpu(system) => system.clear(),
        }
    }

    /// Moves, turns or scales the emitter.
    ///
    /// # Errors
    /// An element is not finite; the old matrix stays.
    pub fn set_emitter_matrix(&mut self, matrix: [f64; 16]) -> Result<(), InvalidEmitter> {
        match &mut self.executor {
            Executor::Gpu(system) => system.set_emitter_matrix(matrix),
            Executor::Cpu(system) => system.set_emitter_matrix(matrix),
        }
    }

    /// Sets or removes the camera that the graph reads.
    pub fn set_camera(&mut self, camera: Option<Camera>) {
        match &mut self.executor {
            Executor::Gpu(system) => system.set_camera(camera),
            Executor::Cpu(system) => system.set_camera(camera),
        }
    }

    /// Gives the pixels of a picture; see [`ParticleSystem::set_texture`].
    ///
    /// # Errors
    /// The device does not bind that much, or is lost.
    pub fn set_texture(&mut self, index: usize, texels: Texels) -> Result<(), GpuError> {
        match &mut self.executor {
            Executor::Gpu(system) => system.set_texture(index, texels)?,
            Executor::Cpu(system) => system.set_texture(index, texels),
        }
        Ok(())
    }
}

/// All that stands against a GPU, if something does.
fn on_gpu(
    device: &Result<(wgpu::Device, wgpu::Queue), GpuError>,
    module: &Arc<Valid<Module>>,
    index: usize,
    seed: u64,
) -> Result<GpuSystem, Vec<GpuError>> {
    match device {
        Ok((device, queue)) => {
            GpuSystem::new(device, queue, module, index, seed).map_err(|error| vec![error])
        }
        Err(error) => {
            let mut errors = vec![error.clone()];
            // A device might not help.
            errors.extend(wgsl::emit(module, index, &Limits::default()).err().map(GpuError::from));
            Err(errors)
        }
    }
}
