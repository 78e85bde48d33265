//! Systems whose particles live on a GPU.

use std::path::Path;
use std::sync::Arc;

use pyrograph::gpu::recording::RING;
use pyrograph::gpu::{GpuError, GpuSystem, ReadState};
use pyrograph::{Camera, InputValue, ParticleState, Random};
use pyrograph_compiler::ir::{Module, Valid};

use super::{Device, Drawn, Host, named, refused};
use crate::failure::Failure;
use crate::input::note;
use crate::textures;

/// A system with what was read back last.
pub(crate) struct OnGpu {
    system: GpuSystem,
    snapshot: ReadState,
}

/// All systems of a module, on a device; pictures are looked for in a folder.
pub(crate) fn on_gpu(
    module: &Arc<Valid<Module>>,
    seed: u64,
    pictures: &Path,
    (device, queue): &Device,
) -> Result<Vec<OnGpu>, Failure> {
    let mut loader = textures::loader(pictures);
    let host = |index| {
        let system = GpuSystem::new(device, queue, module, index, seed);
        let mut system = system.map_err(|error| failure(&error))?;
        if let Some(slow) = system.program().slow_kernels() {
            note(&format!("warning: {slow}\n"));
        }
        let name = &module.programs[index].name;
        for (index, texels) in textures::found(name, &system.textures(), &mut loader) {
            system.set_texture(index, texels).map_err(|error| failure(&error))?;
        }
        let snapshot = system.read_back().map_err(|error| failure(&error))?;
        Ok(OnGpu { system, snapshot })
    };
    (0..module.programs.len()).map(host).collect()
}

impl Host for OnGpu {
    fn place(&mut self, matrix: [f64; 16]) -> Result<(), Failure> {
        let placed = self.system.set_emitter_matrix(matrix);
        placed.map_err(|error| Failure::Machine(error.to_string()))
    }

    fn see(&mut self, camera: Option<Camera>) {
        self.system.set_camera(camera);
    }

    fn set(&mut self, block: &str, value: InputValue) -> Result<(), Failure> {
        let inputs = named(self.system.input_facts(), block, value);
        let applied = inputs.iter().try_for_each(|input| self.system.apply(input));
        applied.map_err(|error| refused(&error))
    }

    fn start(&mut self) {
        self.system.set_can_start(true);
        self.system.start();
    }

    fn stop(&mut self) {
        self.system.stop();
    }

    fn pre_warm(&mut self, _: &mut dyn Random) -> Result<(), Failure> {
        self.system.pre_warm().map_err(|error| failure(&error))
    }

    /// Steps are recorded, and run together when somebody looks or there are many.
    fn animate(&mut self, ratio: f64, _: &mut dyn Random) -> Result<(), Failure> {
        self.system.record(ratio).map_err(|error| failure(&error))?;
        if self.system.recording().steps() >= RING {
            self.system.submit().map_err(|error| failure(&error))?;
        }
        Ok(())
    }

    fn look(&mut self) -> Result<(), Failure> {
        self.snapshot = self.system.read_back().map_err(|error| failure(&error))?;
        match &self.snapshot.counters().failure {
            None => Ok(()),
            Some(message) => {
                let name = self.snapshot.name();
                Err(Failure::Machine(format!("particle system {name:?}: {message}")))
            }
        }
    }

    fn state(&self) -> &dyn ParticleState {
        &self.snapshot
    }

    fn settle(&mut self) -> Result<(), Failure> {
        self.system.submit().map_err(|error| failure(&error))
    }

    fn alive(&mut self) -> Result<u32, Failure> {
        Ok(self.system.counters().map_err(|error| failure(&error))?.alive)
    }

    fn drawn(&self) -> Drawn<'_> {
        Drawn::Gpu(&self.system)
    }

    fn particles(&self) -> Drawn<'_> {
        Drawn::Particles { state: &self.snapshot, emitter: self.system.emitter_matrix() }
    }
}

fn failure(error: &GpuError) -> Failure {
    Failure::Machine(error.to_string())
}
