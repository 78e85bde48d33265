//! Emitters that a function moves.

use std::convert::Infallible;
use std::fmt;

use crate::error::{InvalidEmitter, StepError};
use crate::program::ParticleProgram;
use crate::random::Random;
use crate::system::ParticleSystem;

/// Why a step with a provider failed. Unless it is [`Step`](Self::Step), nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProviderError<E = Infallible> {
    /// The provider failed.
    Provider(E),
    /// The provider gave a matrix that is not finite.
    Emitter(InvalidEmitter),
    /// The step failed.
    Step(StepError),
}

impl<E: fmt::Display> fmt::Display for ProviderError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Provider(error) => error.fmt(f),
            Self::Emitter(error) => error.fmt(f),
            Self::Step(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for ProviderError<E> {}

impl<E> From<InvalidEmitter> for ProviderError<E> {
    fn from(error: InvalidEmitter) -> Self {
        Self::Emitter(error)
    }
}

impl<E> From<StepError> for ProviderError<E> {
    fn from(error: StepError) -> Self {
        Self::Step(error)
    }
}

impl<P: ParticleProgram> ParticleSystem<P> {
    /// Advances the system like [`animate`](Self::animate), with the emitter where the provider says.
    ///
    /// The provider is asked once a call, before anything else happens, and not before the first
    /// start; a stopped system asks it still. Its matrix takes the place of what
    /// [`set_emitter_matrix`](Self::set_emitter_matrix) has set, and stays (spec section 5.3).
    ///
    /// # Errors
    /// The provider failed or gave a matrix that is not finite: emitter, particles and time are as
    /// they were. Or the step failed, as in [`animate`](Self::animate).
    pub fn animate_with<E, F, R>(
        &mut self,
        ratio: f64,
        provider: &mut F,
        random: &mut R,
    ) -> Result<(), ProviderError<E>>
    where
        F: FnMut() -> Result<[f64; 16], E> + ?Sized,
        R: Random + ?Sized,
    {
        if !self.driver.emission.runs() {
            return Ok(());
        }
        let matrix = provider().map_err(ProviderError::Provider)?;
        self.set_emitter_matrix(matrix)?;
        Ok(self.animate(ratio, random)?)
    }
}
