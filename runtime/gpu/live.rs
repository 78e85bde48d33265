//! Graphs that are edited while they run.

use std::sync::Arc;

use pyrograph_compiler::diagnostic::Diagnostics;
use pyrograph_compiler::ir::Profile;
use pyrograph_compiler::{Options, compile};

use super::error::GpuError;
use super::program::GpuProgram;
use super::system::GpuSystem;
use super::worker::{Job, Worker};

/// The systems of a graph that somebody edits, all on one device.
///
/// Each [`edit`](Self::edit) is answered at once with what is wrong with it. A good one is compiled
/// for the device on a thread of its own; while that takes time, newer edits take the place of those
/// that wait. [`poll`](Self::poll) changes over. Until then, and for as long as edits have
/// errors, the last good program runs.
///
/// ```no_run
/// # use pyrograph::gpu::{GpuError, Live, default_device};
/// # fn main() -> Result<(), GpuError> {
/// # let (graph, edited) = ("", "");
/// let (device, queue) = default_device()?;
/// let mut live = Live::new(&device, &queue, graph, 7)?;
/// // When the text changes:
/// if let Err(diagnostics) = live.edit(edited) {
///     eprintln!("{diagnostics}");
/// }
/// // In each frame:
/// if let Some(change) = live.poll() {
///     eprintln!("edit {} runs: {:?}", change.edit, change.result);
/// }
/// for system in live.systems_mut() {
///     system.animate(1.0)?;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Live {
    device: wgpu::Device,
    queue: wgpu::Queue,
    seed: u64,
    /// How all edits are compiled.
    options: Options,
    systems: Vec<GpuSystem>,
    worker: Worker,
    edits: u64,
    reached: u64,
}

/// An edit that has come to the GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Its number; the first [`Live::edit`] has number 1.
    pub edit: u64,
    /// What became of the particles, a system at a time, or why the last good program goes on.
    pub result: Result<Vec<Carried>, GpuError>,
}

/// What became of the particles of a system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// How many live on, with their ids.
    pub particles: u32,
    /// How many do not: the new capacity is too small, or columns are missing.
    pub dropped: u32,
    /// Columns that the new program keeps and the old one did not, by name and type. If there are
    /// any, no particle lives on.
    pub missing: Vec<String>,
}

impl Live {
    /// Compiles a graph and starts its systems. `seed` decides their random numbers. Columns hold the
    /// whole state.
    ///
    /// # Errors
    /// See [`GpuProgram::from_graph`]; there is no last good program yet.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        graph: &str,
        seed: u64,
    ) -> Result<Self, GpuError> {
        Self::with_options(device, queue, graph, seed, Options::new(Profile::Parallel))
    }

    /// Like [`new`](Self::new), with all edits compiled as the options say: what is observed, which
    /// [`inputs`](crate::inputs) stay open. The profile is Parallel whatever they say.
    ///
    /// # Errors
    /// See [`new`](Self::new); it is also an error if the graph has no constant of a name.
    pub fn with_options(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        graph: &str,
        seed: u64,
        options: Options,
    ) -> Result<Self, GpuError> {
        let options = Options { profile: Profile::Parallel, ..options };
        let worker = Worker::new().map_err(|error| GpuError::Device {
            doing: "starting a thread that compiles kernels",
            reason: error.to_string(),
        })?;
        let module = Arc::new(compile(graph.as_bytes(), &options)?.module);
        let system = |index| started(&GpuProgram::new(device, queue, &module, index)?, seed);
        let systems: Result<Vec<_>, GpuError> = (0..module.programs.len()).map(system).collect();
        let (device, queue) = (device.clone(), queue.clone());
        Ok(Self { device, queue, seed, options, systems: systems?, worker, edits: 0, reached: 0 })
    }

    /// Takes an edited graph and gives its warnings. What only the device can refuse comes with
    /// [`poll`](Self::poll).
    ///
    /// # Errors
    /// What is wrong with the graph. The last good program runs on.
    pub fn edit(&mut self, graph: &str) -> Result<Diagnostics, Diagnostics> {
        self.edits += 1;
        let compiled = compile(graph.as_bytes(), &self.options)?;
        self.worker.give(Job {
            edit: self.edits,
            module: Arc::new(compiled.module),
            device: self.device.clone(),
            queue: self.queue.clone(),
        });
        Ok(compiled.warnings)
    }

    /// Changes over to the newest edit that has been compiled since the last call, if there is one.
    ///
    /// System number k takes over the particles of the old system number k, with their ids, if that
    /// has all columns; see [`Carried`]. Time, emitter, camera, pictures of the same address and inputs
    /// that the host has changed stay; rates and other inputs are those of the graph. Particles pass
    /// through the host: this waits for the GPU.
    pub fn poll(&mut self) -> Option<Change> {
        let done = self.worker.take()?;
        let result = done.programs.and_then(|programs| self.change_over(&programs));
        self.reached += u64::from(result.is_ok());
        Some(Change { edit: done.edit, result })
    }

    /// As [`poll`](Self::poll), after waiting for all edits so far.
    pub fn wait(&mut self) -> Option<Change> {
        self.worker.wait();
        self.poll()
    }

    fn change_over(&mut self, programs: &[GpuProgram]) -> Result<Vec<Carried>, GpuError> {
        let mut systems = Vec::with_capacity(programs.len());
        let mut carried = Vec::with_capacity(programs.len());
        for (index, program) in programs.iter().enumerate() {
            let (system, report) = match self.systems.get_mut(index) {
                Some(old) => old.succeeded_by(program)?,
                None => (started(program, self.seed)?, Carried::default()),
            };
            systems.push(system);
            carried.push(report);
        }
        self.systems = systems;
        Ok(carried)
    }

    /// Begins anew with the last good program: no particles, time 0, random numbers that `seed` decides,
    /// and nothing of what the host has set. An edit that waits goes on from there.
    ///
    /// # Errors
    /// The device has no memory for the particles, or is lost; the old systems go on.
    pub fn restart(&mut self, seed: u64) -> Result<(), GpuError> {
        let systems = self.systems.iter().map(|system| started(system.program(), seed));
        self.systems = systems.collect::<Result<_, _>>()?;
        self.seed = seed;
        Ok(())
    }

    /// Goes on with another device, after the old one was lost. An edit that has not come to run
    /// never does, unless it is made again.
    ///
    /// # Errors
    /// See [`GpuSystem::rebuild`].
    pub fn rebuild(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), GpuError> {
        for system in &mut self.systems {
            system.rebuild(device, queue)?;
        }
        (self.device, self.queue) = (device.clone(), queue.clone());
        // They were for the old device, which may still be there.
        self.worker.forget();
        Ok(())
    }

    /// The systems of the last good program, in file order.
    pub fn systems(&self) -> &[GpuSystem] {
        &self.systems
    }

    /// The systems of the last good program, in file order.
    pub fn systems_mut(&mut self) -> &mut [GpuSystem] {
        &mut self.systems
    }

    /// How many edits there were.
    pub fn edits(&self) -> u64 {
        self.edits
    }

    /// How many of them came to run.
    pub fn reached(&self) -> u64 {
        self.reached
    }
}

fn started(program: &GpuProgram, seed: u64) -> Result<GpuSystem, GpuError> {
    let mut system = program.instance(seed)?;
    system.start();
    Ok(system)
}
