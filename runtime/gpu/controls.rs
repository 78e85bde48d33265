//! What else a host does to a [`GpuSystem`] and asks it, as of every
//! [`ParticleSystem`](crate::ParticleSystem). Only what depends on the living asks the GPU.

use super::error::GpuError;
use super::system::{GpuSystem, Nothing};
use crate::error::InvalidEmitter;
use crate::inputs::{InputError, InputFacts, InputHandle, InputType, InputValue};
use crate::lifecycle::Phase;
use crate::program::Camera;
use crate::provider::ProviderError;
use crate::system_set::{Controls, Input};

impl GpuSystem {
    /// Where the system is in its life. Only of a stopped system the GPU is asked whether particles
    /// live: what has been recorded is submitted and waited for then.
    ///
    /// # Errors
    /// See [`read_back`](Self::read_back).
    pub fn phase(&mut self) -> Result<Phase, GpuError> {
        // The host knows of no particles.
        match self.driver.phase() {
            Phase::Finished if self.counters()?.alive > 0 => Ok(Phase::Draining),
            phase => Ok(phase),
        }
    }

    /// Whether the host should let go of the system: it has [finished](Phase::Finished), and the
    /// graph says `disposeOnStop`. Asks the GPU as [`phase`](Self::phase) does.
    ///
    /// # Errors
    /// See [`read_back`](Self::read_back).
    pub fn should_dispose(&mut self) -> Result<bool, GpuError> {
        Ok(self.driver.should_dispose() && self.phase()? == Phase::Finished)
    }

    /// Records one step, with the emitter where the provider says; see
    /// [`ParticleSystem::animate_with`](crate::ParticleSystem::animate_with).
    ///
    /// # Errors
    /// The provider failed or gave a matrix that is not finite, or a system-domain body failed; the
    /// step is not recorded.
    pub fn record_with<E, F>(
        &mut self,
        ratio: f64,
        provider: &mut F,
    ) -> Result<(), ProviderError<E>>
    where
        F: FnMut() -> Result<[f64; 16], E> + ?Sized,
    {
        self.driver.animate_with(ratio, provider, &mut Nothing)
    }

    /// Births a unit of time, where the graph does not compute the rate.
    pub fn emit_rate(&self) -> f64 {
        self.driver.emit_rate()
    }

    /// Time that a step at ratio 1 advances.
    pub fn update_speed(&self) -> f64 {
        self.driver.update_speed()
    }

    /// Time after which the system stops by itself; 0 or NaN never.
    pub fn target_stop(&self) -> f64 {
        self.driver.target_stop()
    }

    /// World matrix of the emitter, column-major; elements 12 to 14 translate.
    pub fn emitter_matrix(&self) -> &[f64; 16] {
        self.driver.emitter_matrix()
    }

    /// Puts the emitter at a place, unturned and unscaled.
    ///
    /// # Errors
    /// A coordinate is not finite; the old place stays.
    pub fn set_emitter_position(&mut self, position: [f64; 3]) -> Result<(), InvalidEmitter> {
        self.driver.set_emitter_position(position)
    }

    /// The camera that the graph reads.
    pub fn camera(&self) -> Option<&Camera> {
        self.driver.camera()
    }

    /// All inputs that the graph names and the compiler has kept open; see
    /// [`inputs`](crate::inputs).
    pub fn input_facts(&self) -> impl Iterator<Item = InputFacts<'_>> {
        self.driver.input_facts()
    }

    /// Looks an input up by its name in code.
    ///
    /// # Errors
    /// There is none, or it has another number of numbers than `T`.
    pub fn input_handle<T: InputType>(&self, name: &str) -> Result<InputHandle<T>, InputError> {
        self.driver.input_handle(name)
    }

    /// What an input is.
    ///
    /// # Errors
    /// The handle is of another program.
    pub fn input<T: InputType>(&self, input: InputHandle<T>) -> Result<T, InputError> {
        self.driver.input(input)
    }

    /// What an input is, by its name in code.
    ///
    /// # Errors
    /// There is none.
    pub fn input_value(&self, name: &str) -> Result<InputValue, InputError> {
        self.driver.input_value(name)
    }

    /// Changes an input; it counts from the next recorded step on. Any number is allowed.
    ///
    /// # Errors
    /// The handle is of another program; nothing has changed.
    pub fn set_input<T: InputType>(
        &mut self,
        input: InputHandle<T>,
        value: T,
    ) -> Result<(), InputError> {
        self.driver.set_input(input, value)
    }

    /// Does what the input says.
    ///
    /// # Errors
    /// See [`Controls::apply`](crate::Controls::apply).
    pub fn apply(&mut self, input: &Input) -> Result<(), InputError> {
        self.driver.apply(input)
    }
}
