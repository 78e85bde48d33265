//! What a host does to a [`Simulation`] and asks it: as of a system, wherever it runs.

use super::{Backend, Simulation};
use crate::error::{InvalidEmitter, StepError};
use crate::gpu::GpuError;
use crate::inputs::{InputError, InputHandle, InputType, InputValue};
use crate::lifecycle::Phase;
use crate::program::{Camera, ParticleProgram, ParticleState};
use crate::random::Random;
use crate::system_set::{Controls, Input};
use crate::texels::{Texels, TextureFacts};

/// The same for either system.
macro_rules! either {
    ($backend:expr, $system:ident => $value:expr) => {
        match $backend {
            Backend::Gpu($system) => $value,
            Backend::Cpu($system) => $value,
        }
    };
}

impl<P: ParticleProgram> Simulation<P> {
    /// Begins to emit; see [`ParticleSystem::start`](crate::ParticleSystem::start).
    pub fn start(&mut self) {
        either!(&mut self.backend, system => system.start());
    }

    /// Whether [`start`](Self::start) does anything.
    pub fn can_start(&self) -> bool {
        either!(&self.backend, system => system.can_start())
    }

    /// Sets whether [`start`](Self::start) does anything.
    pub fn set_can_start(&mut self, can_start: bool) {
        either!(&mut self.backend, system => system.set_can_start(can_start));
    }

    /// Ends emission. Live particles go on until they die.
    pub fn stop(&mut self) {
        either!(&mut self.backend, system => system.stop());
    }

    /// Whether particles are created: started and not stopped.
    pub fn is_started(&self) -> bool {
        either!(&self.backend, system => system.is_started())
    }

    /// Where the system is in its life. A stopped one on a GPU is waited for.
    ///
    /// # Errors
    /// The GPU was lost.
    pub fn phase(&mut self) -> Result<Phase, GpuError> {
        match &mut self.backend {
            Backend::Gpu(system) => system.phase(),
            Backend::Cpu(system) => Ok(system.phase()),
        }
    }

    /// Whether the host should let go of the system: it has [finished](Phase::Finished), and the
    /// graph says `disposeOnStop`. A stopped one on a GPU is waited for.
    ///
    /// # Errors
    /// The GPU was lost.
    pub fn should_dispose(&mut self) -> Result<bool, GpuError> {
        match &mut self.backend {
            Backend::Gpu(system) => system.should_dispose(),
            Backend::Cpu(system) => Ok(system.should_dispose()),
        }
    }

    /// Simulated time since the last start.
    pub fn time(&self) -> f64 {
        either!(&self.backend, system => system.time())
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
        match &mut self.backend {
            Backend::Gpu(system) => system.animate(ratio),
            Backend::Cpu(system) => system.animate(ratio, random).map_err(StepError::into),
        }
    }

    /// Makes the steps of pre-warming that are owed since the last start; the next
    /// [`animate`](Self::animate) would do so first.
    ///
    /// # Errors
    /// As [`animate`](Self::animate).
    pub fn pre_warm<R: Random + ?Sized>(&mut self, random: &mut R) -> Result<(), GpuError> {
        match &mut self.backend {
            Backend::Gpu(system) => {
                system.pre_warm()?;
                system.submit()
            }
            Backend::Cpu(system) => system.pre_warm(random).map_err(StepError::into),
        }
    }

    /// Shows the particles; from a GPU they are read back for that.
    ///
    /// # Errors
    /// The GPU was lost.
    pub fn look<T>(&mut self, see: impl FnOnce(&dyn ParticleState) -> T) -> Result<T, GpuError> {
        match &mut self.backend {
            Backend::Gpu(system) => Ok(see(&system.read_back()?)),
            Backend::Cpu(system) => Ok(see(system.program())),
        }
    }

    /// Removes all particles at once; emission goes on.
    pub fn clear(&mut self) {
        either!(&mut self.backend, system => system.clear());
    }

    /// Births a unit of time, where the graph does not compute the rate.
    pub fn emit_rate(&self) -> f64 {
        either!(&self.backend, system => system.emit_rate())
    }

    /// Sets [`emit_rate`](Self::emit_rate). Any number is allowed.
    pub fn set_emit_rate(&mut self, rate: f64) {
        either!(&mut self.backend, system => system.set_emit_rate(rate));
    }

    /// Time that a step at ratio 1 advances.
    pub fn update_speed(&self) -> f64 {
        either!(&self.backend, system => system.update_speed())
    }

    /// Sets [`update_speed`](Self::update_speed). Any number is allowed; 0 freezes the particles.
    pub fn set_update_speed(&mut self, speed: f64) {
        either!(&mut self.backend, system => system.set_update_speed(speed));
    }

    /// Time after which the system stops by itself; 0 or NaN never.
    pub fn target_stop(&self) -> f64 {
        either!(&self.backend, system => system.target_stop())
    }

    /// Sets [`target_stop`](Self::target_stop). Any number is allowed.
    pub fn set_target_stop(&mut self, time: f64) {
        either!(&mut self.backend, system => system.set_target_stop(time));
    }

    /// World matrix of the emitter, column-major; elements 12 to 14 translate.
    pub fn emitter_matrix(&self) -> &[f64; 16] {
        either!(&self.backend, system => system.emitter_matrix())
    }

    /// Moves, turns or scales the emitter.
    ///
    /// # Errors
    /// An element is not finite; the old matrix stays.
    pub fn set_emitter_matrix(&mut self, matrix: [f64; 16]) -> Result<(), InvalidEmitter> {
        either!(&mut self.backend, system => system.set_emitter_matrix(matrix))
    }

    /// Puts the emitter at a place, unturned and unscaled.
    ///
    /// # Errors
    /// A coordinate is not finite; the old place stays.
    pub fn set_emitter_position(&mut self, position: [f64; 3]) -> Result<(), InvalidEmitter> {
        either!(&mut self.backend, system => system.set_emitter_position(position))
    }

    /// The camera that the graph reads.
    pub fn camera(&self) -> Option<&Camera> {
        either!(&self.backend, system => system.camera())
    }

    /// Sets or removes the camera that the graph reads.
    pub fn set_camera(&mut self, camera: Option<Camera>) {
        either!(&mut self.backend, system => system.set_camera(camera));
    }

    /// The pictures that the graph reads. Until the host gives their pixels they have no size.
    pub fn textures(&self) -> Vec<TextureFacts<'_>> {
        either!(&self.backend, system => system.textures())
    }

    /// Gives the pixels of a picture; see
    /// [`ParticleSystem::set_texture`](crate::ParticleSystem::set_texture).
    ///
    /// # Errors
    /// The device does not bind that much, or is lost.
    pub fn set_texture(&mut self, index: usize, texels: Texels) -> Result<(), GpuError> {
        match &mut self.backend {
            Backend::Gpu(system) => system.set_texture(index, texels)?,
            Backend::Cpu(system) => system.set_texture(index, texels),
        }
        Ok(())
    }

    /// Looks an input of the graph up by its name in code; see [`inputs`](crate::inputs).
    ///
    /// # Errors
    /// There is none, or it has another number of numbers than `T`.
    pub fn input_handle<T: InputType>(&self, name: &str) -> Result<InputHandle<T>, InputError> {
        either!(&self.backend, system => system.input_handle(name))
    }

    /// What an input is.
    ///
    /// # Errors
    /// The handle is of another program.
    pub fn input<T: InputType>(&self, input: InputHandle<T>) -> Result<T, InputError> {
        either!(&self.backend, system => system.input(input))
    }

    /// What an input is, by its name in code.
    ///
    /// # Errors
    /// There is none.
    pub fn input_value(&self, name: &str) -> Result<InputValue, InputError> {
        either!(&self.backend, system => system.input_value(name))
    }

    /// Changes an input; it counts from the next step on. Any number is allowed.
    ///
    /// # Errors
    /// The handle is of another program; nothing has changed.
    pub fn set_input<T: InputType>(
        &mut self,
        input: InputHandle<T>,
        value: T,
    ) -> Result<(), InputError> {
        either!(&mut self.backend, system => system.set_input(input, value))
    }

    /// Does what the input says.
    ///
    /// # Errors
    /// See [`Controls::apply`].
    pub fn apply(&mut self, input: &Input) -> Result<(), InputError> {
        either!(&mut self.backend, system => system.apply(input))
    }
}
