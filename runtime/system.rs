//! Drives a program: start, stop, one step a call.

use crate::emission::Emission;
use crate::error::{InvalidEmitter, StepError};
use crate::program::{Camera, Frame, ParticleProgram};
use crate::random::Random;
use crate::texels::{Texels, TextureFacts};

const IDENTITY: [f64; 16] =
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A particle system: a program and the state of its driver.
#[derive(Clone, Debug)]
pub struct ParticleSystem<P> {
    program: P,
    emission: Emission,
    emit_rate: f64,
    update_speed: f64,
    target_stop: f64,
    emitter: [f64; 16],
    camera: Option<Camera>,
    seed: u32,
    /// Started calls so far; never resets.
    step: u32,
    is_initialized: bool,
    /// Steps that a start makes at once, and their ratio.
    pre_warm: (u32, f64),
    /// Of these, those not made yet.
    owed: u32,
}

impl<P: ParticleProgram + Default> ParticleSystem<P> {
    /// A new instance with seed 0, not started.
    #[must_use]
    pub fn new() -> Self {
        Self::with_seed(0)
    }

    /// A new instance, not started. The seed decides the random numbers of Parallel; Exact draws
    /// from the source given to [`animate`](Self::animate).
    #[must_use]
    pub fn with_seed(seed: u64) -> Self {
        Self::from_program(P::default(), seed)
    }
}

impl<P: ParticleProgram + Default> Default for ParticleSystem<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: ParticleProgram> ParticleSystem<P> {
    /// An instance that runs this program; see [`with_seed`](Self::with_seed).
    #[must_use]
    pub fn from_program(program: P, seed: u64) -> Self {
        let facts = program.emission();
        let seed = pyrograph_numeric::system_seed(seed, program.ordinal());
        Self {
            program,
            emission: Emission::new(facts.manual_emit_count),
            emit_rate: facts.rate,
            update_speed: facts.update_speed,
            target_stop: facts.target_stop,
            emitter: IDENTITY,
            camera: None,
            seed,
            step: 0,
            is_initialized: false,
            // Steps are counted while their index is below the number.
            pre_warm: (facts.pre_warm_cycles.ceil() as u32, facts.pre_warm_step_offset),
            owed: 0,
        }
    }

    /// Begins to emit, from time 0. Live particles and the fractional carry stay.
    ///
    /// Where the graph asks for pre-warming, its steps are made by [`pre_warm`](Self::pre_warm), or
    /// by the next [`animate`](Self::animate) before its own.
    pub fn start(&mut self) {
        self.emission.start();
        self.owed = self.owed.saturating_add(self.pre_warm.0);
    }

    /// Makes the steps of pre-warming that are owed since the last start. Systems that share a
    /// random source are pre-warmed one after the other, before the first of them is animated.
    ///
    /// # Errors
    /// As [`animate`](Self::animate).
    pub fn pre_warm<R: Random + ?Sized>(&mut self, random: &mut R) -> Result<(), StepError> {
        while self.pre_warm_once(random)? {}
        Ok(())
    }

    /// Makes one of the steps that are owed, if any is.
    pub(crate) fn pre_warm_once<R: Random + ?Sized>(
        &mut self,
        random: &mut R,
    ) -> Result<bool, StepError> {
        if self.owed == 0 {
            return Ok(false);
        }
        self.owed -= 1;
        self.step(self.pre_warm.1, random)?;
        Ok(true)
    }

    /// Ends emission. Live particles go on until they die.
    pub fn stop(&mut self) {
        self.emission.stop();
    }

    /// Whether particles are created: started and not stopped.
    pub fn is_started(&self) -> bool {
        self.emission.is_started()
    }

    /// Simulated time since the last start.
    pub fn time(&self) -> f64 {
        self.emission.time()
    }

    /// Advances the system by its update speed times `ratio`; does nothing before the first start.
    ///
    /// # Errors
    /// The graph reached something that it cannot compute; see [`StepError`].
    pub fn animate<R: Random + ?Sized>(
        &mut self,
        ratio: f64,
        random: &mut R,
    ) -> Result<(), StepError> {
        if !self.emission.runs() {
            return Ok(());
        }
        self.pre_warm(random)?;
        self.step(ratio, random)
    }

    fn step<R: Random + ?Sized>(&mut self, ratio: f64, random: &mut R) -> Result<(), StepError> {
        let mut frame = Frame {
            delta: self.update_speed * ratio,
            time: self.emission.time(),
            emitter: self.emitter,
            step: self.step,
            seed: self.seed,
            camera: self.camera,
        };
        self.step = self.step.wrapping_add(1);
        if !self.is_initialized {
            if let Some(target_stop) = self.program.init(&frame, random)? {
                self.target_stop = target_stop;
            }
            self.is_initialized = true;
        }
        self.program.prepare(&frame, random)?;
        let rate = if self.emission.is_manual() {
            0.0
        } else {
            self.program.emit_rate(&frame, random)?.unwrap_or(self.emit_rate)
        };
        let requested = self.emission.advance(rate, frame.delta, self.target_stop);
        frame.time = self.emission.time();
        self.program.update(&frame, random)?;
        if requested > 0 {
            self.program.birth(&frame, requested, random)?;
        }
        Ok(())
    }

    /// Births a unit of time, where the graph does not compute the rate.
    pub fn emit_rate(&self) -> f64 {
        self.emit_rate
    }

    /// Sets [`emit_rate`](Self::emit_rate). Any number is allowed.
    pub fn set_emit_rate(&mut self, rate: f64) {
        self.emit_rate = rate;
    }

    /// Time that a call at ratio 1 advances.
    pub fn update_speed(&self) -> f64 {
        self.update_speed
    }

    /// Sets [`update_speed`](Self::update_speed). Any number is allowed; 0 freezes the particles.
    pub fn set_update_speed(&mut self, speed: f64) {
        self.update_speed = speed;
    }

    /// World matrix of the emitter, column-major; elements 12 to 14 translate.
    pub fn emitter_matrix(&self) -> &[f64; 16] {
        &self.emitter
    }

    /// Moves, turns or scales the emitter; it counts from the next step on.
    ///
    /// # Errors
    /// An element is not finite; the old matrix stays.
    pub fn set_emitter_matrix(&mut self, matrix: [f64; 16]) -> Result<(), InvalidEmitter> {
        if let Some(element) = matrix.iter().position(|element| !element.is_finite()) {
            return Err(InvalidEmitter { element });
        }
        self.emitter = matrix;
        Ok(())
    }

    /// Puts the emitter at a place, unturned and unscaled.
    ///
    /// # Errors
    /// A coordinate is not finite; the old place stays.
    pub fn set_emitter_position(&mut self, position: [f64; 3]) -> Result<(), InvalidEmitter> {
        let mut matrix = IDENTITY;
        matrix[12..15].copy_from_slice(&position);
        self.set_emitter_matrix(matrix)
    }

    /// The camera that the graph reads.
    pub fn camera(&self) -> Option<&Camera> {
        self.camera.as_ref()
    }

    /// Sets or removes the camera; it counts from the next step on. Without one, blocks that look at
    /// the camera do nothing.
    pub fn set_camera(&mut self, camera: Option<Camera>) {
        self.camera = camera;
    }

    /// The pictures that the graph reads. Until the host gives their pixels they have no size.
    pub fn textures(&self) -> Vec<TextureFacts<'_>> {
        self.program.textures()
    }

    /// Gives the pixels of the picture number `index` of [`textures`](Self::textures).
    pub fn set_texture(&mut self, index: usize, texels: Texels) {
        self.program.set_texture(index, texels);
    }

    /// Typed view of all live particles.
    pub fn particles(&self) -> P::Particles<'_> {
        self.program.particles()
    }

    /// The program, with the state of all particles.
    pub fn program(&self) -> &P {
        &self.program
    }

    /// A driver of another program that goes on where this one is. Rates and times are those of the
    /// new program, which has not been initialized.
    #[cfg(feature = "gpu")]
    pub(crate) fn succeeded_by<Q: ParticleProgram>(&self, program: Q) -> ParticleSystem<Q> {
        let manual_emit_count = program.emission().manual_emit_count;
        ParticleSystem {
            emission: self.emission.succeeded_by(manual_emit_count),
            emitter: self.emitter,
            camera: self.camera,
            seed: self.seed,
            step: self.step,
            owed: self.owed,
            ..ParticleSystem::from_program(program, 0)
        }
    }

    /// The program, for hosts that take out what it has recorded.
    #[cfg(feature = "gpu")]
    pub(crate) fn program_mut(&mut self) -> &mut P {
        &mut self.program
    }

    /// Removes all particles at once; emission goes on.
    pub fn clear(&mut self) {
        self.program.clear();
    }
}
