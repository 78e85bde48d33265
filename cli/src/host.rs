//! What runs a system, seen alike whether it is the interpreter or a GPU.

mod gpu;

use std::path::Path;
use std::sync::Arc;

use pyrograph::gpu::{GpuSystem, default_device};
use pyrograph::{
    Camera, Controls, Input, InputError, InputFacts, InputValue, Interpreted, ParticleState,
    ParticleSystem, Random,
};
use pyrograph_compiler::ir::{Module, Valid};

use crate::failure::Failure;
use crate::textures;

pub(crate) use gpu::on_gpu;

/// A GPU, for simulating and drawing.
pub(crate) type Device = (pyrograph::gpu::wgpu::Device, pyrograph::gpu::wgpu::Queue);

/// The fastest adapter's device.
pub(crate) fn device() -> Result<Device, Failure> {
    default_device().map_err(|error| Failure::Machine(error.to_string()))
}

/// A system as renderers see it.
#[derive(Clone, Copy)]
pub(crate) enum Drawn<'h> {
    /// Particles on the CPU, and the emitter's matrix.
    Particles { state: &'h dyn ParticleState, emitter: &'h [f64; 16] },
    /// Particles that never leave the GPU.
    Gpu(&'h GpuSystem),
}

/// A running system.
pub(crate) trait Host {
    /// Moves the emitter. The matrix is finite.
    fn place(&mut self, matrix: [f64; 16]) -> Result<(), Failure>;
    /// Sets the camera.
    fn see(&mut self, camera: Option<Camera>);
    /// Changes the constants of a block's name, where the system has it.
    fn set(&mut self, block: &str, value: InputValue) -> Result<(), Failure>;
    /// Begins to emit.
    fn start(&mut self);
    /// Ends emission.
    fn stop(&mut self);
    /// Makes the steps that a start asks for.
    fn pre_warm(&mut self, random: &mut dyn Random) -> Result<(), Failure>;
    /// One step.
    fn animate(&mut self, ratio: f64, random: &mut dyn Random) -> Result<(), Failure>;
    /// Makes [`state`](Self::state) show the present.
    fn look(&mut self) -> Result<(), Failure>;
    /// The particles when they were looked at last.
    fn state(&self) -> &dyn ParticleState;
    /// Lets all steps be made that were asked for.
    fn settle(&mut self) -> Result<(), Failure>;
    /// How many particles live.
    fn alive(&mut self) -> Result<u32, Failure>;
    /// The system where it is; see [`settle`](Self::settle).
    fn drawn(&self) -> Drawn<'_>;
    /// The particles when they were looked at last, for renderers.
    fn particles(&self) -> Drawn<'_>;
}

/// All systems of a module, interpreted; pictures are looked for in a folder.
pub(crate) fn interpreted(
    module: &Arc<Valid<Module>>,
    seed: u64,
    pictures: &Path,
) -> Vec<ParticleSystem<Interpreted>> {
    let mut loader = textures::loader(pictures);
    let programs = Interpreted::all(module).into_iter();
    programs
        .map(|program| {
            let mut system = ParticleSystem::from_program(program, seed);
            let name = system.program().name().to_owned();
            for (index, texels) in textures::found(&name, &system.textures(), &mut loader) {
                system.set_texture(index, texels);
            }
            system
        })
        .collect()
}

/// What sets all inputs that come from blocks of this name.
fn named<'a>(
    inputs: impl Iterator<Item = InputFacts<'a>>,
    block: &str,
    value: InputValue,
) -> Vec<Input> {
    let named = inputs.filter(|facts| facts.block == block);
    named.map(|facts| Input::set(facts.name, value)).collect()
}

fn refused(error: &InputError) -> Failure {
    Failure::Usage(format!("--input: {error}"))
}

impl Host for ParticleSystem<Interpreted> {
    fn place(&mut self, matrix: [f64; 16]) -> Result<(), Failure> {
        self.set_emitter_matrix(matrix).map_err(|error| Failure::Machine(error.to_string()))
    }

    fn see(&mut self, camera: Option<Camera>) {
        self.set_camera(camera);
    }

    fn set(&mut self, block: &str, value: InputValue) -> Result<(), Failure> {
        let inputs = named(self.input_facts(), block, value);
        inputs.iter().try_for_each(|input| self.apply(input)).map_err(|error| refused(&error))
    }

    fn start(&mut self) {
        // Whoever simulates a system wants to see it.
        self.set_can_start(true);
        self.start();
    }

    fn stop(&mut self) {
        self.stop();
    }

    fn pre_warm(&mut self, random: &mut dyn Random) -> Result<(), Failure> {
        self.pre_warm(random).map_err(|error| Failure::Machine(error.to_string()))
    }

    fn animate(&mut self, ratio: f64, random: &mut dyn Random) -> Result<(), Failure> {
        self.animate(ratio, random).map_err(|error| Failure::Machine(error.to_string()))
    }

    fn look(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn state(&self) -> &dyn ParticleState {
        self.program()
    }

    fn settle(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn alive(&mut self) -> Result<u32, Failure> {
        Ok(self.program().alive())
    }

    fn drawn(&self) -> Drawn<'_> {
        Drawn::Particles { state: self.program(), emitter: self.emitter_matrix() }
    }

    fn particles(&self) -> Drawn<'_> {
        self.drawn()
    }
}
