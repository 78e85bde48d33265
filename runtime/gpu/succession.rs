//! Systems that go on elsewhere: on another device, or as instances of another program.

use std::num::NonZeroU32;

use super::engine::Engine;
use super::error::GpuError;
use super::image::Image;
use super::journal::{Entry, Journal};
use super::live::Carried;
use super::program::GpuProgram;
use super::recorder::Recorder;
use super::recording::{RING, Recording};
use super::system::GpuSystem;

impl GpuSystem {
    /// Keeps what [`rebuild`](Self::rebuild) needs from now on: all particles at this moment, which
    /// are waited for, a copy of them after every `every` steps, which is not, and the uniform
    /// blocks of the steps since the newest copy that has arrived.
    ///
    /// # Errors
    /// See [`read_back`](Self::read_back).
    pub fn keep_checkpoints(&mut self, every: NonZeroU32) -> Result<(), GpuError> {
        self.base = Some(self.read_back()?);
        // Their numbers are those of another journal.
        self.engine.forget_checkpoints();
        let recorder = self.driver.program_mut();
        let texels = recorder.has_texels().then(|| recorder.texel_words().as_slice().into());
        recorder.journal = Some(Journal::new(every, texels));
        Ok(())
    }

    /// How many steps [`rebuild`](Self::rebuild) would run again; `None` where no checkpoints are
    /// kept.
    pub fn steps_since_checkpoint(&self) -> Option<usize> {
        self.driver.program().journal.as_ref().map(Journal::steps)
    }

    /// Moves on to a checkpoint that has arrived.
    pub(super) fn keep_newest_checkpoint(&mut self) {
        if let Some((number, snapshot)) = self.engine.finished_checkpoint()
            && let Some(journal) = &mut self.driver.program_mut().journal
            && journal.forget_before(number)
        {
            self.base = Some(snapshot);
        }
    }

    /// Goes on with another device, after the old one was lost: the newest checkpoint is restored
    /// and all steps since then are run again, so that particles, ids and order are what they would
    /// have been. Steps that were recorded and not submitted are run too.
    ///
    /// # Errors
    /// No [checkpoints](Self::keep_checkpoints) were kept, or the device refuses the program; the
    /// system stays on the old one, and `rebuild` may be called again.
    pub fn rebuild(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), GpuError> {
        self.rebuild_as(&self.program().on(device, queue)?)
    }

    /// As [`rebuild`](Self::rebuild), sharing the pipelines of a program that
    /// [`GpuProgram::on`] has made of this one.
    ///
    /// # Errors
    /// See [`rebuild`](Self::rebuild); it is also an error if the program is another one.
    pub fn rebuild_as(&mut self, program: &GpuProgram) -> Result<(), GpuError> {
        self.keep_newest_checkpoint();
        let recorder = self.driver.program();
        let (Some(base), Some(journal)) = (&self.base, &recorder.journal) else {
            return Err(GpuError::NoCheckpoint { system: self.manifest().name.clone() });
        };
        if !program.is_same(self.program()) {
            return Err(GpuError::OtherProgram {
                system: self.manifest().name.clone(),
                other: program.manifest().name.clone(),
            });
        }
        let mut engine = Engine::new(program)?;
        if let Some(words) = journal.texels() {
            engine.set_texels(words)?;
        }
        engine.write(&Image::new(base, program).regions)?;
        let mut recording = Recording::default();
        for entry in journal.entries() {
            match entry {
                Entry::Step(block) => Recorder::repeat(program, &mut recording, block),
                Entry::Clear => recording.clear_particles(program.manifest()),
                Entry::Texels(_) | Entry::Checkpoint(_) => {}
            }
            let texels = if let Entry::Texels(words) = entry { Some(words) } else { None };
            if recording.steps() >= RING || texels.is_some() {
                engine.submit(&recording)?;
                recording.reset();
            }
            if let Some(words) = texels {
                engine.set_texels(words)?;
            }
        }
        engine.submit(&recording)?;
        self.engine = engine;
        self.driver.program_mut().retarget(program);
        Ok(())
    }

    /// An instance of another program that goes on where this one is.
    pub(super) fn succeeded_by(
        &mut self,
        program: &GpuProgram,
    ) -> Result<(Self, Carried), GpuError> {
        let mut engine = Engine::new(program)?;
        let image = Image::new(&self.read_back()?, program);
        engine.write(&image.regions)?;
        let mut recorder = Recorder::new(program);
        recorder.take_textures(self.driver.program());
        recorder.take_inputs(self.driver.program());
        if recorder.has_texels() {
            engine.set_texels(&recorder.texel_words())?;
        }
        let driver = self.driver.succeeded_by(recorder);
        let mut next = Self { engine, driver, base: None };
        if let Some(journal) = &self.driver.program().journal {
            next.keep_checkpoints(journal.every())?;
        }
        let Image { particles, missing, dropped, .. } = image;
        Ok((next, Carried { particles, dropped, missing }))
    }
}
