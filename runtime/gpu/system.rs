//! A particle system that lives on a GPU.

use std::sync::Arc;

use pyrograph_compiler::emit::layout::{Counter, Limits};
use pyrograph_compiler::emit::wgsl::{Manifest, Resource};
use pyrograph_compiler::ir::{Module, Valid};

use super::engine::Engine;
use super::error::GpuError;
use super::journal::Entry;
use super::program::GpuProgram;
use super::read::Region;
use super::recorder::Recorder;
use super::recording::Recording;
use super::snapshot::{Counters, ReadState};
use crate::error::InvalidEmitter;
use crate::program::{Camera, ParticleState, RenderFacts};
use crate::random::Random;
use crate::system::ParticleSystem;
use crate::texels::{Texels, TextureFacts};

/// An instance of a [`GpuProgram`].
///
/// Emission runs on the host in f64, as for every other program; updates and births are recorded.
/// [`animate`](Self::animate) submits one step at a time, [`submit`](Self::submit) all that
/// [`record`](Self::record) has recorded, [`encode`](Self::encode) leaves that to the caller.
/// A step costs one small upload, and nothing is read back.
#[derive(Debug)]
pub struct GpuSystem {
    pub(super) engine: Engine,
    pub(super) driver: ParticleSystem<Recorder>,
    /// The newest checkpoint, where they are kept; the journal goes on from there.
    pub(super) base: Option<ReadState>,
}

/// Parallel draws nothing from a stream.
pub(super) struct Nothing;

impl Random for Nothing {
    fn next(&mut self) -> f64 {
        0.0
    }
}

impl GpuSystem {
    /// System number `index` of a module, not started, its random numbers decided by `seed`: a
    /// [`GpuProgram`] with one instance.
    ///
    /// # Errors
    /// The program is not Parallel or does not fit the device, or the device refuses it.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        module: &Arc<Valid<Module>>,
        index: usize,
        seed: u64,
    ) -> Result<Self, GpuError> {
        GpuProgram::new(device, queue, module, index)?.instance(seed)
    }

    /// Like [`new`](Self::new), within limits that are tighter than the device's.
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn with_limits(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        module: &Arc<Valid<Module>>,
        index: usize,
        seed: u64,
        limits: &Limits,
    ) -> Result<Self, GpuError> {
        GpuProgram::with_limits(device, queue, module, index, limits)?.instance(seed)
    }

    /// The first system of a graph file, compiled as Parallel, with seed 0.
    /// [`GpuProgram::from_graph`] gives all of them.
    ///
    /// # Errors
    /// The graph has errors or no Parallel meaning ([`GpuError::Graph`]), or see
    /// [`new`](Self::new).
    pub fn from_graph(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        graph: &str,
    ) -> Result<Self, GpuError> {
        let compiled = super::program::compile_graph(graph)?;
        Self::new(device, queue, &Arc::new(compiled.module), 0, 0)
    }

    /// An instance of a program.
    pub(super) fn of(program: &GpuProgram, seed: u64) -> Result<Self, GpuError> {
        let engine = Engine::new(program)?;
        let driver = ParticleSystem::from_program(Recorder::new(program), seed);
        Ok(Self { engine, driver, base: None })
    }

    /// The program, for more instances of it.
    pub fn program(&self) -> &GpuProgram {
        self.engine.program()
    }

    /// Begins to emit, from time 0. Live particles and the fractional carry stay. Where the graph
    /// asks for pre-warming, the next step is recorded behind the steps of that.
    pub fn start(&mut self) {
        self.driver.start();
    }

    /// Whether [`start`](Self::start) does anything.
    pub fn can_start(&self) -> bool {
        self.driver.can_start()
    }

    /// Sets whether [`start`](Self::start) does anything: at first unless the graph says `doNoStart`.
    pub fn set_can_start(&mut self, can_start: bool) {
        self.driver.set_can_start(can_start);
    }

    /// Ends emission. Live particles go on until they die.
    pub fn stop(&mut self) {
        self.driver.stop();
    }

    /// Whether particles are created: started and not stopped.
    pub fn is_started(&self) -> bool {
        self.driver.is_started()
    }

    /// Simulated time since the last start.
    pub fn time(&self) -> f64 {
        self.driver.time()
    }

    /// Records one step: the system advances by its update speed times `ratio`. Does nothing
    /// before the first start. What is recorded waits for [`submit`](Self::submit) or
    /// [`encode`](Self::encode), however long it gets.
    ///
    /// # Errors
    /// A system-domain body failed; the step is not recorded.
    pub fn record(&mut self, ratio: f64) -> Result<(), GpuError> {
        self.driver.animate(ratio, &mut Nothing)?;
        Ok(())
    }

    /// Records the steps of pre-warming that are owed since the last start;
    /// [`record`](Self::record) would do so first.
    ///
    /// # Errors
    /// See [`record`](Self::record).
    pub fn pre_warm(&mut self) -> Result<(), GpuError> {
        self.driver.pre_warm(&mut Nothing)?;
        Ok(())
    }

    /// What has been recorded and neither submitted nor encoded.
    pub fn recording(&self) -> &Recording {
        &self.driver.program().recording
    }

    /// Submits what has been recorded.
    ///
    /// # Errors
    /// The device is lost, or has no memory for the uniform blocks. The recording stays.
    pub fn submit(&mut self) -> Result<(), GpuError> {
        self.keep_newest_checkpoint();
        let recording = &mut self.driver.program_mut().recording;
        self.engine.submit(recording)?;
        recording.reset();
        Ok(())
    }

    /// Appends what has been recorded to an encoder of the caller's, who submits it, to the queue
    /// that the system was made with, and in the order in which it was encoded.
    ///
    /// # Errors
    /// See [`submit`](Self::submit).
    pub fn encode(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), GpuError> {
        self.keep_newest_checkpoint();
        let recording = &mut self.driver.program_mut().recording;
        self.engine.encode(encoder, recording)?;
        recording.reset();
        Ok(())
    }

    /// Records one step and submits it.
    ///
    /// # Errors
    /// See [`record`](Self::record).
    pub fn animate(&mut self, ratio: f64) -> Result<(), GpuError> {
        self.record(ratio)?;
        self.submit()
    }

    /// Submits, waits, and copies all particles to the host.
    ///
    /// # Errors
    /// The device has no memory for the copies, or is lost.
    pub fn read_back(&mut self) -> Result<ReadState, GpuError> {
        self.submit()?;
        let words = self.engine.read(&ReadState::regions(self.manifest()))?;
        Ok(ReadState::new(self.program(), words))
    }

    /// Submits, waits, and copies the counters only.
    ///
    /// # Errors
    /// See [`read_back`](Self::read_back).
    pub fn counters(&mut self) -> Result<Counters, GpuError> {
        self.submit()?;
        let words = Counter::ALL.len() as u32;
        let region = Region { resource: Resource::Control, first: 0, words };
        let words = self.engine.read(&[region])?;
        Ok(Counters::new(words.first().map_or(&[], Vec::as_slice), self.manifest()))
    }

    /// Submits, waits, and copies the list of living slots in draw order.
    ///
    /// # Errors
    /// See [`read_back`](Self::read_back).
    pub fn draw_order(&mut self) -> Result<Vec<u32>, GpuError> {
        let words = self.counters()?.alive;
        let first = self.manifest().layout.slots.list;
        let read = self.engine.read(&[Region { resource: Resource::Slots, first, words }])?;
        Ok(read.into_iter().next().unwrap_or_default())
    }

    /// Removes all particles at once; emission goes on.
    pub fn clear(&mut self) {
        self.driver.clear();
    }

    /// Sets births a unit of time, where the graph does not compute the rate.
    pub fn set_emit_rate(&mut self, rate: f64) {
        self.driver.set_emit_rate(rate);
    }

    /// Sets the time that a step at ratio 1 advances.
    pub fn set_update_speed(&mut self, speed: f64) {
        self.driver.set_update_speed(speed);
    }

    /// Sets the time after which the system stops by itself; 0 or NaN never.
    pub fn set_target_stop(&mut self, time: f64) {
        self.driver.set_target_stop(time);
    }

    /// Moves, turns or scales the emitter; it counts from the next recorded step on.
    ///
    /// # Errors
    /// An element is not finite; the old matrix stays.
    pub fn set_emitter_matrix(&mut self, matrix: [f64; 16]) -> Result<(), InvalidEmitter> {
        self.driver.set_emitter_matrix(matrix)
    }

    /// What a renderer must know.
    pub fn render(&self) -> RenderFacts {
        self.driver.program().render()
    }

    /// Where the picture that is drawn is found; `None` where the graph has none.
    pub fn picture(&self) -> Option<TextureFacts<'_>> {
        self.driver.program().picture()
    }

    /// Sets or removes the camera that the graph reads; it counts from the next recorded step on.
    pub fn set_camera(&mut self, camera: Option<Camera>) {
        self.driver.set_camera(camera);
    }

    /// The pictures that the graph reads. Until the host gives their pixels they have no size.
    pub fn textures(&self) -> Vec<TextureFacts<'_>> {
        self.driver.textures()
    }

    /// Gives the pixels of the picture number `index` of [`textures`](Self::textures) to the steps
    /// that are recorded from now on.
    ///
    /// # Errors
    /// All pictures together are more than the device binds, or it is lost.
    pub fn set_texture(&mut self, index: usize, texels: Texels) -> Result<(), GpuError> {
        self.submit()?;
        self.driver.set_texture(index, texels);
        let recorder = self.driver.program_mut();
        let words = recorder.texel_words();
        if let Some(journal) = &mut recorder.journal {
            journal.push(Entry::Texels(words.as_slice().into()));
        }
        self.engine.set_texels(&words)
    }

    /// Where every number lies in the buffers.
    pub fn manifest(&self) -> &Manifest {
        self.program().manifest()
    }

    /// The printed WGSL.
    pub fn source(&self) -> &str {
        self.program().source()
    }

    /// A buffer for renderers to bind: columns, or the list of the living in
    /// [`Slots`](pyrograph_compiler::emit::layout::Slots); [`Resource::Control`] begins with the
    /// arguments of an indirect draw.
    pub fn buffer(&self, resource: Resource) -> Option<&wgpu::Buffer> {
        self.engine.buffers().get(resource)
    }
    /// What the [kernels](GpuProgram::kernels) bind as group 0; uniforms take a dynamic offset. Another one takes
    /// its place when pictures change.
    pub fn bind_group(&self) -> &wgpu::BindGroup {
        self.engine.bind_group()
    }
}
