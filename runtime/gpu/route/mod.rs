//! Chooses between a GPU and the CPU.

mod controls;
mod reason;

use std::sync::Arc;

use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::emit::wgsl::{self, WgslError};
use pyrograph_compiler::ir::{self, Module, Valid};

pub use reason::{Reason, RouteError};

use super::error::GpuError;
use super::system::GpuSystem;
use crate::interpreted::Interpreted;
use crate::program::{ParticleProgram, Profile};
use crate::system::ParticleSystem;

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
    backend: Backend<P>,
    reasons: Vec<Reason>,
}

/// What a simulation runs on.
#[derive(Debug)]
pub enum Backend<P> {
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
                    let backend = Backend::Gpu(Box::new(system));
                    return Ok(Self { backend, reasons: Vec::new() });
                }
                Err(errors) => errors.into_iter().map(Reason::Gpu).collect(),
            }
        };
        if policy == Policy::Gpu {
            return Err(RouteError::NoGpu(reasons));
        }
        let backend = Backend::Cpu(Box::new(ParticleSystem::from_program(code, seed)));
        Ok(Self { backend, reasons })
    }

    /// Why it does not run on a GPU: everything that stands against it. Empty if it does.
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// What it runs on.
    pub fn backend(&self) -> &Backend<P> {
        &self.backend
    }

    /// What it runs on.
    pub fn backend_mut(&mut self) -> &mut Backend<P> {
        &mut self.backend
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
