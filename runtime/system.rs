//! Drives a program: start, stop, one step a call.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::driver::{Driver, translation};
use crate::error::{InvalidEmitter, StepError};
use crate::lifecycle::Phase;
use crate::program::{Camera, Frame, ParticleProgram};
use crate::random::Random;
use crate::texels::{Texels, TextureFacts};
use crate::threads::{Executor, Inline};

/// A particle system: a program and the state of its driver.
#[derive(Clone, Debug)]
pub struct ParticleSystem<P> {
    pub(crate) program: P,
    pub(crate) driver: Driver,
    /// Steps that a start makes at once, and their ratio.
    pre_warm: (u32, f64),
    dispose_on_stop: bool,
    pub(crate) revision: Revision,
}

/// A state of particles: systems at the same revision have the same particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Revision(u64);

impl Revision {
    /// One that no system has had.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
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
            driver: Driver::new(&facts, seed),
            // Steps are counted while their index is below the number.
            pre_warm: (facts.pre_warm_cycles.ceil() as u32, facts.pre_warm_step_offset),
            dispose_on_stop: facts.dispose_on_stop,
            revision: Revision::new(),
        }
    }

    /// Begins to emit, from time 0. Live particles and the fractional carry stay.
    ///
    /// Where the graph asks for pre-warming, its steps are made by [`pre_warm`](Self::pre_warm), or
    /// by the next [`animate`](Self::animate) before its own. Where the graph says `doNoStart`,
    /// nothing happens unless [`set_can_start`](Self::set_can_start) allows it.
    pub fn start(&mut self) {
        if self.driver.can_start {
            self.driver.emission.start();
            self.driver.owed = self.driver.owed.saturating_add(self.pre_warm.0);
        }
    }

    /// Whether [`start`](Self::start) does anything.
    pub fn can_start(&self) -> bool {
        self.driver.can_start
    }

    /// Sets whether [`start`](Self::start) does anything.
    pub fn set_can_start(&mut self, can_start: bool) {
        self.driver.can_start = can_start;
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
        if self.driver.owed == 0 {
            return Ok(false);
        }
        self.driver.owed -= 1;
        self.step(self.pre_warm.1, random, &Inline)?;
        Ok(true)
    }

    /// Ends emission. Live particles go on until they die.
    pub fn stop(&mut self) {
        self.driver.emission.stop();
    }

    /// Whether particles are created: started and not stopped.
    pub fn is_started(&self) -> bool {
        self.driver.emission.is_started()
    }

    /// Where the system is in its life.
    pub fn phase(&self) -> Phase {
        let emission = &self.driver.emission;
        match (emission.runs(), emission.is_started(), self.program.alive()) {
            (false, ..) => Phase::Idle,
            (_, true, _) => Phase::Emitting,
            (_, _, 0) => Phase::Finished,
            _ => Phase::Draining,
        }
    }

    /// Whether the host should let go of the system: it has [finished](Phase::Finished), and the
    /// graph says `disposeOnStop`.
    pub fn should_dispose(&self) -> bool {
        self.dispose_on_stop && self.phase() == Phase::Finished
    }

    /// Simulated time since the last start.
    pub fn time(&self) -> f64 {
        self.driver.emission.time()
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
        self.animate_on(ratio, random, &Inline)
    }

    /// Like [`animate`](Self::animate), with particles updated on the threads of an executor where
    /// the program is of Parallel. The result is the same for any executor.
    ///
    /// # Errors
    /// As [`animate`](Self::animate).
    pub fn animate_on<R: Random + ?Sized, E: Executor>(
        &mut self,
        ratio: f64,
        random: &mut R,
        executor: &E,
    ) -> Result<(), StepError> {
        if !self.driver.emission.runs() {
            return Ok(());
        }
        self.pre_warm(random)?;
        self.step(ratio, random, executor)
    }

    fn step<R: Random + ?Sized, E: Executor>(
        &mut self,
        ratio: f64,
        random: &mut R,
        executor: &E,
    ) -> Result<(), StepError> {
        let Self { program, driver, .. } = self;
        let mut frame = Frame {
            delta: driver.update_speed * ratio,
            time: driver.emission.time(),
            emitter: driver.emitter,
            step: driver.step,
            seed: driver.seed,
            camera: driver.camera,
        };
        driver.step = driver.step.wrapping_add(1);
        if !driver.is_initialized {
            if let Some(target_stop) = program.init(&frame, random)? {
                driver.target_stop = target_stop;
            }
            driver.is_initialized = true;
        }
        program.prepare(&frame, random)?;
        let rate = if driver.emission.is_manual() {
            0.0
        } else {
            program.emit_rate(&frame, random)?.unwrap_or(driver.emit_rate)
        };
        let requested = driver.emission.advance(rate, frame.delta, driver.target_stop);
        frame.time = driver.emission.time();
        if program.alive() > 0 || requested > 0 {
            self.revision = Revision::new();
        }
        program.advance(&frame, requested, random, executor)?;
        // Births by number come once; a system that ends with them needs no other stop.
        if self.dispose_on_stop && driver.emission.is_manual() {
            driver.emission.stop();
        }
        Ok(())
    }

    /// Births a unit of time, where the graph does not compute the rate.
    pub fn emit_rate(&self) -> f64 {
        self.driver.emit_rate
    }

    /// Sets [`emit_rate`](Self::emit_rate). Any number is allowed.
    pub fn set_emit_rate(&mut self, rate: f64) {
        self.driver.emit_rate = rate;
    }

    /// Time that a call at ratio 1 advances.
    pub fn update_speed(&self) -> f64 {
        self.driver.update_speed
    }

    /// Sets [`update_speed`](Self::update_speed). Any number is allowed; 0 freezes the particles.
    pub fn set_update_speed(&mut self, speed: f64) {
        self.driver.update_speed = speed;
    }

    /// Time after which the system stops by itself; 0 or NaN never. Where the graph computes it, the
    /// first started step sets it.
    pub fn target_stop(&self) -> f64 {
        self.driver.target_stop
    }

    /// Sets [`target_stop`](Self::target_stop). Any number is allowed.
    pub fn set_target_stop(&mut self, time: f64) {
        self.driver.target_stop = time;
    }

    /// World matrix of the emitter, column-major; elements 12 to 14 translate.
    pub fn emitter_matrix(&self) -> &[f64; 16] {
        &self.driver.emitter
    }

    /// Moves, turns or scales the emitter; it counts from the next step on.
    ///
    /// # Errors
    /// An element is not finite; the old matrix stays.
    pub fn set_emitter_matrix(&mut self, matrix: [f64; 16]) -> Result<(), InvalidEmitter> {
        if let Some(element) = matrix.iter().position(|element| !element.is_finite()) {
            return Err(InvalidEmitter { element });
        }
        self.driver.emitter = matrix;
        Ok(())
    }

    /// Puts the emitter at a place, unturned and unscaled.
    ///
    /// # Errors
    /// A coordinate is not finite; the old place stays.
    pub fn set_emitter_position(&mut self, position: [f64; 3]) -> Result<(), InvalidEmitter> {
        self.set_emitter_matrix(translation(position))
    }

    /// The camera that the graph reads.
    pub fn camera(&self) -> Option<&Camera> {
        self.driver.camera.as_ref()
    }

    /// Sets or removes the camera; it counts from the next step on. Without one, blocks that look at
    /// the camera do nothing.
    pub fn set_camera(&mut self, camera: Option<Camera>) {
        self.driver.camera = camera;
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
        let facts = program.emission();
        let driver = self.driver.succeeded_by(&facts);
        ParticleSystem { driver, ..ParticleSystem::from_program(program, 0) }
    }

    /// The program, for hosts that take out what it has recorded.
    #[cfg(feature = "gpu")]
    pub(crate) fn program_mut(&mut self) -> &mut P {
        &mut self.program
    }

    /// A mark of the particles as they are. While it stays, none has changed, so that nothing has to
    /// be drawn anew.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Removes all particles at once; emission goes on.
    pub fn clear(&mut self) {
        self.revision = Revision::new();
        self.program.clear();
    }
}
