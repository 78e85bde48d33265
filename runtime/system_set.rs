//! Systems as hosts see them that do not know their programs: what can be done to one, and what is
//! stepped and saved together.

use crate::error::StepError;
use crate::inputs::{self, InputError, InputValue};
use crate::lifecycle::Phase;
use crate::program::{Camera, ParticleProgram, ParticleState};
use crate::random::Random;
use crate::snapshot::{RestoreError, Saved, Snapshot};
use crate::system::{ParticleSystem, Revision};

/// Something that a host does to a system between steps, as a value that can be logged.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Input {
    /// [`ParticleSystem::start`].
    Start,
    /// [`ParticleSystem::stop`].
    Stop,
    /// [`ParticleSystem::clear`].
    Clear,
    /// [`ParticleSystem::set_can_start`].
    CanStart(bool),
    /// [`ParticleSystem::set_emit_rate`].
    EmitRate(f64),
    /// [`ParticleSystem::set_update_speed`].
    UpdateSpeed(f64),
    /// [`ParticleSystem::set_target_stop`].
    TargetStop(f64),
    /// [`ParticleSystem::set_emitter_matrix`].
    Emitter([f64; 16]),
    /// [`ParticleSystem::set_camera`].
    Camera(Option<Camera>),
    /// [`ParticleSystem::set_input`].
    Set {
        /// The input's name in code.
        name: String,
        /// Its new numbers.
        value: InputValue,
    },
}

impl Input {
    /// Sets the input of that name: `Input::set("gravity", [0.0, -9.81, 0.0])`.
    pub fn set(name: impl Into<String>, value: impl Into<InputValue>) -> Self {
        Self::Set { name: name.into(), value: value.into() }
    }
}

/// A system whose program is not known: implemented by every [`ParticleSystem`].
pub trait Controls {
    /// Does what the input says.
    ///
    /// # Errors
    /// It is an emitter that is not finite, or sets an input that the system does not have or that
    /// has more or fewer numbers; nothing has changed.
    fn apply(&mut self, input: &Input) -> Result<(), InputError>;
    /// Whether the system has all that the input names.
    ///
    /// # Errors
    /// As [`apply`](Self::apply), for inputs of the graph.
    fn accepts(&self, input: &Input) -> Result<(), InputError>;
    /// See [`ParticleSystem::pre_warm`].
    ///
    /// # Errors
    /// As [`animate`](Self::animate).
    fn pre_warm(&mut self, random: &mut dyn Random) -> Result<(), StepError>;
    /// See [`ParticleSystem::animate`].
    ///
    /// # Errors
    /// The graph reached something that it cannot compute.
    fn animate(&mut self, ratio: f64, random: &mut dyn Random) -> Result<(), StepError>;
    /// The readable state.
    fn state(&self) -> &dyn ParticleState;
    /// See [`ParticleSystem::emitter_matrix`].
    fn emitter_matrix(&self) -> &[f64; 16];
    /// See [`ParticleSystem::revision`].
    fn revision(&self) -> Revision;
    /// See [`ParticleSystem::phase`].
    fn phase(&self) -> Phase;
    /// See [`ParticleSystem::should_dispose`].
    fn should_dispose(&self) -> bool;
    /// See [`ParticleSystem::save`].
    fn save(&self) -> Saved;
    /// Whether [`load`](Self::load) would take the state.
    ///
    /// # Errors
    /// As `load`.
    fn check(&self, saved: &Saved) -> Result<(), RestoreError>;
    /// See [`ParticleSystem::load`].
    ///
    /// # Errors
    /// The state is not of this program and version; nothing has changed.
    fn load(&mut self, saved: &Saved) -> Result<(), RestoreError>;
    /// See [`ParticleSystem::state_hash`].
    fn state_hash(&self) -> u64;
}

impl<P: ParticleProgram> Controls for ParticleSystem<P> {
    fn apply(&mut self, input: &Input) -> Result<(), InputError> {
        match input {
            Input::Start => self.start(),
            Input::Stop => self.stop(),
            Input::Clear => self.clear(),
            Input::CanStart(can_start) => self.set_can_start(*can_start),
            Input::EmitRate(rate) => self.set_emit_rate(*rate),
            Input::UpdateSpeed(speed) => self.set_update_speed(*speed),
            Input::TargetStop(time) => self.set_target_stop(*time),
            Input::Emitter(matrix) => self.set_emitter_matrix(*matrix)?,
            Input::Camera(camera) => self.set_camera(*camera),
            Input::Set { name, value } => {
                let numbers = value.numbers();
                let index = inputs::find(&self.program, name, numbers.len())?;
                self.program.set_input_numbers(index, numbers);
            }
        }
        Ok(())
    }

    fn pre_warm(&mut self, random: &mut dyn Random) -> Result<(), StepError> {
        Self::pre_warm(self, random)
    }

    fn animate(&mut self, ratio: f64, random: &mut dyn Random) -> Result<(), StepError> {
        Self::animate(self, ratio, random)
    }

    fn accepts(&self, input: &Input) -> Result<(), InputError> {
        match input {
            Input::Set { name, value } => {
                inputs::find(&self.program, name, value.numbers().len()).map(|_| ())
            }
            Input::Start
            | Input::Stop
            | Input::Clear
            | Input::CanStart(_)
            | Input::EmitRate(_)
            | Input::UpdateSpeed(_)
            | Input::TargetStop(_)
            | Input::Emitter(_)
            | Input::Camera(_) => Ok(()),
        }
    }

    fn state(&self) -> &dyn ParticleState {
        self.program()
    }

    fn emitter_matrix(&self) -> &[f64; 16] {
        Self::emitter_matrix(self)
    }

    fn revision(&self) -> Revision {
        Self::revision(self)
    }

    fn phase(&self) -> Phase {
        Self::phase(self)
    }

    fn should_dispose(&self) -> bool {
        Self::should_dispose(self)
    }

    fn save(&self) -> Saved {
        Self::save(self)
    }

    fn check(&self, saved: &Saved) -> Result<(), RestoreError> {
        self.open(saved).map(|_| ())
    }

    fn load(&mut self, saved: &Saved) -> Result<(), RestoreError> {
        Self::load(self, saved)
    }

    fn state_hash(&self) -> u64 {
        Self::state_hash(self)
    }
}

/// Systems that are stepped, saved and compared together, on one random source: one
/// [`ParticleSystem`], the `Set` of a compiled file, a vector of systems.
pub trait SystemSet {
    /// Steps all systems in order.
    ///
    /// # Errors
    /// That of the first system that fails; later ones were not stepped.
    fn animate<R: Random + ?Sized>(&mut self, ratio: f64, random: &mut R) -> Result<(), StepError>;

    /// System number `index`, counted from 0.
    fn system(&self, index: usize) -> Option<&dyn Controls>;

    /// System number `index`, counted from 0.
    fn system_mut(&mut self, index: usize) -> Option<&mut dyn Controls>;

    /// All systems.
    fn systems(&self) -> impl Iterator<Item = &dyn Controls> {
        (0..).map_while(|index| self.system(index))
    }

    /// Does what the input says to all systems; inputs of the graph are set where a system has them.
    ///
    /// # Errors
    /// It is an emitter that is not finite, or sets an input that no system has, or that has in some
    /// system more or fewer numbers; nothing has changed.
    fn apply_all(&mut self, input: &Input) -> Result<(), InputError> {
        let (mut unknown, mut is_accepted) = (None, false);
        for system in self.systems() {
            match system.accepts(input) {
                Ok(()) => is_accepted = true,
                Err(error @ InputError::Unknown { .. }) => unknown = Some(error),
                Err(error) => return Err(error),
            }
        }
        match unknown {
            Some(error) if !is_accepted => return Err(error),
            _ => {}
        }
        let mut index = 0;
        while let Some(system) = self.system_mut(index) {
            // Whoever lacks the input is passed over.
            if system.accepts(input).is_ok() {
                system.apply(input)?;
            }
            index += 1;
        }
        Ok(())
    }

    /// The state at this moment, with the random source's.
    fn snapshot<R: Random + Clone>(&self, random: &R) -> Snapshot<R> {
        Snapshot { systems: self.systems().map(Controls::save).collect(), random: random.clone() }
    }

    /// Goes back to a snapshot: every later step gives what it gave after the snapshot, if the host
    /// does the same again. Pictures stay as they are.
    ///
    /// # Errors
    /// The snapshot is not of these programs and this version; nothing has changed.
    fn restore<R: Random + Clone>(
        &mut self,
        snapshot: &Snapshot<R>,
        random: &mut R,
    ) -> Result<(), RestoreError> {
        let saved = snapshot.systems();
        let running = self.systems().count();
        if saved.len() != running {
            return Err(RestoreError::Count { saved: saved.len(), running });
        }
        for (saved, system) in saved.iter().zip(self.systems()) {
            system.check(saved)?;
        }
        for (index, saved) in saved.iter().enumerate() {
            if let Some(system) = self.system_mut(index) {
                system.load(saved)?;
            }
        }
        random.clone_from(snapshot.random());
        Ok(())
    }

    /// A number that is the same for equal states; see [`ParticleSystem::state_hash`].
    fn state_hash(&self) -> u64 {
        crate::snapshot::combine(self.systems().map(Controls::state_hash))
    }
}

impl<P: ParticleProgram> SystemSet for ParticleSystem<P> {
    fn animate<R: Random + ?Sized>(&mut self, ratio: f64, random: &mut R) -> Result<(), StepError> {
        Self::animate(self, ratio, random)
    }

    fn system(&self, index: usize) -> Option<&dyn Controls> {
        (index == 0).then_some(self as &dyn Controls)
    }

    fn system_mut(&mut self, index: usize) -> Option<&mut dyn Controls> {
        (index == 0).then_some(self as &mut dyn Controls)
    }
}

impl<P: ParticleProgram> SystemSet for Vec<ParticleSystem<P>> {
    fn animate<R: Random + ?Sized>(&mut self, ratio: f64, random: &mut R) -> Result<(), StepError> {
        for system in self.iter_mut() {
            system.pre_warm(random)?;
        }
        for system in self {
            system.animate(ratio, random)?;
        }
        Ok(())
    }

    fn system(&self, index: usize) -> Option<&dyn Controls> {
        self.get(index).map(|system| system as &dyn Controls)
    }

    fn system_mut(&mut self, index: usize) -> Option<&mut dyn Controls> {
        self.get_mut(index).map(|system| system as &mut dyn Controls)
    }
}
