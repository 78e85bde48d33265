//! A particle system that lives on a GPU.

use std::sync::Arc;

use pyrograph_compiler::emit::layout::{Counter, Limits};
use pyrograph_compiler::emit::wgsl::{self, Manifest, Resource, WgslError};
use pyrograph_compiler::ir::{Module, Valid};

use super::buffers::RING;
use super::device;
use super::engine::{Engine, Region};
use super::error::GpuError;
use super::recorder::Recorder;
use super::snapshot::{Counters, Snapshot};
use crate::error::InvalidEmitter;
use crate::interpreted::Interpreted;
use crate::program::Camera;
use crate::random::Random;
use crate::system::ParticleSystem;
use crate::texels::{Texels, TextureFacts};

/// One Parallel system of a module, on a device.
///
/// Emission runs on the host in f64, as for every other program; updates and births are recorded
/// and submitted, [`animate`](Self::animate) one step at a time,
/// [`record`](Self::record) and [`submit`](Self::submit) many at once.
#[derive(Debug)]
pub struct GpuSystem {
    module: Arc<Valid<Module>>,
    index: usize,
    manifest: Arc<Manifest>,
    source: String,
    engine: Engine,
    driver: ParticleSystem<Recorder>,
}

/// Parallel draws nothing from a stream.
struct Nothing;

impl Random for Nothing {
    fn next(&mut self) -> f64 {
        0.0
    }
}

impl GpuSystem {
    /// System number `index` of a module, not started, its random numbers decided by `seed`.
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
        Self::with_limits(device, queue, module, index, seed, &device::limits(device))
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
        let wgsl = wgsl::emit(module, index, limits)?;
        let no_program = WgslError::NoProgram { index, count: module.programs.len() };
        let host = Interpreted::all(module).into_iter().nth(index).ok_or(no_program)?;
        let engine = Engine::new(device, queue, host.instance().program(), &wgsl)?;
        let manifest = Arc::new(wgsl.manifest);
        let chunks = manifest.layout.grid(limits);
        let stride = engine.buffers().stride();
        let recorder = Recorder::new(host, Arc::clone(&manifest), chunks, stride);
        let driver = ParticleSystem::from_program(recorder, seed);
        let (module, source) = (Arc::clone(module), wgsl.source);
        Ok(Self { module, index, manifest, source, engine, driver })
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
    /// before the first start. A full recording is submitted first.
    ///
    /// # Errors
    /// A system-domain body failed; the step is not recorded.
    pub fn record(&mut self, ratio: f64) -> Result<(), GpuError> {
        self.pre_warm()?;
        self.driver.animate(ratio, &mut Nothing)?;
        Ok(())
    }

    /// Records the steps of pre-warming that are owed since the last start; there is room for a step
    /// behind them.
    ///
    /// # Errors
    /// See [`record`](Self::record).
    pub fn pre_warm(&mut self) -> Result<(), GpuError> {
        self.make_room();
        while self.driver.pre_warm_once(&mut Nothing)? {
            self.make_room();
        }
        Ok(())
    }

    /// Submits a full recording.
    fn make_room(&mut self) {
        if self.driver.program().recording.steps() >= RING {
            self.submit();
        }
    }

    /// Submits what has been recorded.
    pub fn submit(&mut self) {
        let recording = &mut self.driver.program_mut().recording;
        self.engine.execute(recording);
        recording.reset();
    }

    /// Records one step and submits it.
    ///
    /// # Errors
    /// See [`record`](Self::record).
    pub fn animate(&mut self, ratio: f64) -> Result<(), GpuError> {
        self.record(ratio)?;
        self.submit();
        Ok(())
    }

    /// Submits, waits, and copies all particles to the host.
    ///
    /// # Errors
    /// The device has no memory for the copies, or is lost.
    pub fn read_back(&mut self) -> Result<Snapshot, GpuError> {
        self.submit();
        let words = self.engine.read(&Snapshot::regions(&self.manifest))?;
        let (module, manifest) = (Arc::clone(&self.module), Arc::clone(&self.manifest));
        Ok(Snapshot::new(module, self.index, manifest, words))
    }

    /// Submits, waits, and copies the counters only.
    ///
    /// # Errors
    /// See [`read_back`](Self::read_back).
    pub fn counters(&mut self) -> Result<Counters, GpuError> {
        self.submit();
        let words = Counter::ALL.len() as u32;
        let region = Region { resource: Resource::Control, first: 0, words };
        let words = self.engine.read(&[region])?;
        Ok(Counters::new(words.first().map_or(&[], Vec::as_slice), &self.manifest))
    }

    /// Submits, waits, and copies the list of living slots in draw order.
    ///
    /// # Errors
    /// See [`read_back`](Self::read_back).
    pub fn draw_order(&mut self) -> Result<Vec<u32>, GpuError> {
        let words = self.counters()?.alive;
        let first = self.manifest.layout.slots.list;
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
    /// All pictures together are more than the device binds.
    pub fn set_texture(&mut self, index: usize, texels: Texels) -> Result<(), GpuError> {
        self.submit();
        self.driver.set_texture(index, texels);
        self.engine.set_texels(&self.manifest, &self.driver.program().texel_words())
    }

    /// Where every number lies in the buffers.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The printed WGSL.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// A buffer for renderers to bind: columns, or the list of the living in
    /// [`Slots`](pyrograph_compiler::emit::layout::Slots); [`Resource::Control`] begins with the
    /// arguments of an indirect draw.
    pub fn buffer(&self, resource: Resource) -> Option<&wgpu::Buffer> {
        self.engine.buffers().get(resource)
    }
}
