//! A program compiled for a device, which instances share.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pyrograph_compiler::diagnostic::Diagnostics;
use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::emit::wgsl::{self, Manifest, Wgsl, WgslError};
use pyrograph_compiler::ir::{self, Module, Valid};
use pyrograph_compiler::{Compiled, Options, compile};

use super::buffers::{self, Buffers};
use super::device::{self, guarded};
use super::error::GpuError;
use super::system::GpuSystem;
use crate::interpreted::Interpreted;

/// One Parallel system of a module, compiled for a device: pipelines and tables, no particles.
/// Clones are the same program.
///
/// ```no_run
/// # fn main() -> Result<(), pyrograph::gpu::GpuError> {
/// # let graph = "";
/// let (device, queue) = pyrograph::gpu::default_device()?;
/// let programs = pyrograph::gpu::GpuProgram::from_graph(&device, &queue, graph)?;
/// // A hundred fountains, whose kernels were compiled once.
/// let fountains: Result<Vec<_>, _> = (0..100).map(|seed| programs[0].instance(seed)).collect();
/// # fountains?; Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct GpuProgram(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    device: wgpu::Device,
    queue: wgpu::Queue,
    module: Arc<Valid<Module>>,
    index: usize,
    manifest: Arc<Manifest>,
    source: String,
    /// Bytes from one uniform block to the next.
    stride: u32,
    group_layout: wgpu::BindGroupLayout,
    /// In the order of the manifest's step.
    kernels: Vec<wgpu::ComputePipeline>,
    tables: Option<wgpu::Buffer>,
    /// Runs the system-domain bodies; instances clone it.
    host: Interpreted,
    driver_time: Duration,
}

/// A warning: so large a module takes drivers long to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowKernels {
    /// Name of the system.
    pub system: String,
    /// Lines of its WGSL.
    pub lines: usize,
    /// What the driver took for it here; `None` where none has compiled it.
    pub time: Option<Duration>,
}

impl SlowKernels {
    /// Modules of more lines are worth the warning.
    pub const LINES: usize = 4_000;

    /// The warning for the kernels of a system, where they are large enough.
    pub fn of(system: &str, source: &str, time: Option<Duration>) -> Option<Self> {
        let lines = source.lines().count();
        (lines > Self::LINES).then(|| Self { system: system.to_owned(), lines, time })
    }
}

impl fmt::Display for SlowKernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (system, lines, limit) = (&self.system, self.lines, Self::LINES);
        write!(f, "system {system:?} has {lines} lines of WGSL, more than {limit}: ")?;
        match self.time {
            Some(time) => write!(
                f,
                "the driver took {:.1} s to compile them, and others may take longer",
                time.as_secs_f64()
            )?,
            None => f.write_str("drivers may take many seconds to compile them")?,
        }
        f.write_str("; a graph with fewer blocks compiles faster")
    }
}

impl GpuProgram {
    /// Compiles system number `index` of a module.
    ///
    /// # Errors
    /// The program is not Parallel or does not fit the device, or the device refuses it.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        module: &Arc<Valid<Module>>,
        index: usize,
    ) -> Result<Self, GpuError> {
        Self::with_limits(device, queue, module, index, &device::limits(device))
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
        limits: &Limits,
    ) -> Result<Self, GpuError> {
        let wgsl = wgsl::emit(module, index, limits)?;
        let no_program = WgslError::NoProgram { index, count: module.programs.len() };
        let host = Interpreted::all(module).into_iter().nth(index).ok_or(no_program)?;
        let Wgsl { source, manifest } = wgsl;
        let begin = Instant::now();
        let (tables, group_layout, kernels) = guarded(device, "compiling kernels", || {
            let tables = buffers::tables(device, host.instance().program(), &manifest)?;
            let group_layout = buffers::group_layout(device, &manifest);
            let kernels = compile_kernels(device, &group_layout, &manifest, &source);
            Ok::<_, GpuError>((tables, group_layout, kernels))
        })??;
        Ok(Self(Arc::new(Inner {
            stride: buffers::stride(device, &manifest),
            device: device.clone(),
            queue: queue.clone(),
            module: Arc::clone(module),
            index,
            manifest: Arc::new(manifest),
            source,
            group_layout,
            kernels,
            tables,
            host,
            driver_time: begin.elapsed(),
        })))
    }

    /// Compiles all systems of a graph file as Parallel, in file order.
    ///
    /// # Errors
    /// The graph has errors or no Parallel meaning ([`GpuError::Graph`]), or see
    /// [`new`](Self::new).
    pub fn from_graph(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        graph: &str,
    ) -> Result<Vec<Self>, GpuError> {
        let compiled = compile_graph(graph)?;
        let module = Arc::new(compiled.module);
        (0..module.programs.len()).map(|index| Self::new(device, queue, &module, index)).collect()
    }

    /// The same program for another device, or for the same one after it was lost.
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn on(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Self, GpuError> {
        Self::new(device, queue, &self.0.module, self.0.index)
    }

    /// A new instance, not started, its random numbers decided by `seed`. It lives on its own:
    /// others do not notice when it comes or goes.
    ///
    /// # Errors
    /// The device has no memory for the particles, or is lost.
    pub fn instance(&self, seed: u64) -> Result<GpuSystem, GpuError> {
        GpuSystem::of(self, seed)
    }

    /// How long the driver took to compile the kernels. Some go on when a kernel first runs.
    pub fn driver_time(&self) -> Duration {
        self.0.driver_time
    }

    /// A warning, where the kernels are large enough for it.
    pub fn slow_kernels(&self) -> Option<SlowKernels> {
        SlowKernels::of(&self.0.manifest.name, &self.0.source, Some(self.0.driver_time))
    }

    /// Whether this is the same program, on any device.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0.module, &other.0.module) && self.0.index == other.0.index
    }

    /// Where every number lies in the buffers.
    pub fn manifest(&self) -> &Arc<Manifest> {
        &self.0.manifest
    }

    /// The printed WGSL.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// The module that the program is part of.
    pub fn module(&self) -> &Arc<Valid<Module>> {
        &self.0.module
    }

    /// Number of the program in its module.
    pub fn index(&self) -> usize {
        self.0.index
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.0.device
    }

    /// The queue that submissions go to.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.0.queue
    }

    /// Bytes from one uniform block to the next.
    pub(super) fn stride(&self) -> u32 {
        self.0.stride
    }

    /// The pipelines, in the order of [`Manifest::step`], for those who dispatch or time them by themselves.
    pub fn kernels(&self) -> &[wgpu::ComputePipeline] {
        &self.0.kernels
    }

    /// A host for the system-domain bodies of a new instance.
    pub(super) fn host(&self) -> Interpreted {
        self.0.host.clone()
    }

    /// Buffers for a new instance.
    pub(super) fn buffers(&self) -> Result<Buffers, GpuError> {
        Buffers::new(&self.0.device, &self.0.manifest, self.0.stride, self.0.tables.as_ref())
    }

    pub(super) fn bind(&self, buffers: &Buffers) -> wgpu::BindGroup {
        buffers.bind(&self.0.device, &self.0.group_layout, &self.0.manifest)
    }
}

/// Compiles a graph file for GPUs. Its columns hold the whole state.
pub(super) fn compile_graph(graph: &str) -> Result<Compiled, Diagnostics> {
    compile(graph.as_bytes(), &Options::new(ir::Profile::Parallel))
}

fn compile_kernels(
    device: &wgpu::Device,
    group_layout: &wgpu::BindGroupLayout,
    manifest: &Manifest,
    source: &str,
) -> Vec<wgpu::ComputePipeline> {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("pyrograph"),
        bind_group_layouts: &[Some(group_layout)],
        immediate_size: 0,
    });
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("pyrograph"),
        source: wgpu::ShaderSource::Wgsl(Cow::Borrowed(source)),
    });
    let kernel = |entry_point| {
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry_point),
            layout: Some(&layout),
            module: &module,
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        })
    };
    manifest.step.iter().map(|step| kernel(step.entry_point)).collect()
}
