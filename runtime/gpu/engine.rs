//! Executes recordings with wgpu: pipelines, one submission a recording, reading back.

use std::borrow::Cow;

use pyrograph_compiler::emit::layout::WORD;
use pyrograph_compiler::emit::wgsl::{Manifest, Resource, Wgsl};
use pyrograph_compiler::ir::Program;

use super::buffers::Buffers;
use super::device::guarded;
use super::error::GpuError;
use super::recording::{Command, Recording};

/// One system's pipelines and buffers on a device.
#[derive(Debug)]
pub struct Engine {
    device: wgpu::Device,
    queue: wgpu::Queue,
    buffers: Buffers,
    group_layout: wgpu::BindGroupLayout,
    bind_group: wgpu::BindGroup,
    /// In the order of the manifest's step.
    kernels: Vec<wgpu::ComputePipeline>,
}

/// Words to read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// From which buffer.
    pub resource: Resource,
    /// First word.
    pub first: u32,
    /// How many.
    pub words: u32,
}

impl Engine {
    /// Compiles the kernels and creates the buffers.
    ///
    /// # Errors
    /// The device refuses one of them.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        program: &Program,
        wgsl: &Wgsl,
    ) -> Result<Self, GpuError> {
        let manifest = &wgsl.manifest;
        guarded(device, "creating a particle system", || {
            let buffers = Buffers::new(device, queue, program, manifest);
            let group_layout = buffers.layout(device, manifest);
            let bind_group = buffers.bind(device, &group_layout, manifest);
            let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("pyrograph"),
                bind_group_layouts: &[Some(&group_layout)],
                immediate_size: 0,
            });
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("pyrograph"),
                source: wgpu::ShaderSource::Wgsl(Cow::Borrowed(&wgsl.source)),
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
            let kernels = manifest.step.iter().map(|step| kernel(step.entry_point)).collect();
            let (device, queue) = (device.clone(), queue.clone());
            Self { device, queue, buffers, group_layout, bind_group, kernels }
        })
    }

    /// The buffers.
    pub fn buffers(&self) -> &Buffers {
        &self.buffers
    }

    /// Replaces the pixels of all textures; see [`Buffers::set_texels`]. Work that has been
    /// submitted still reads the old ones.
    ///
    /// # Errors
    /// They are more than the device binds.
    pub fn set_texels(&mut self, manifest: &Manifest, words: &[u32]) -> Result<(), GpuError> {
        let mut buffers = self.buffers.clone();
        let (device, queue) = (&self.device, &self.queue);
        self.bind_group = guarded(device, "taking over a picture", || {
            buffers.set_texels(device, queue, words);
            buffers.bind(device, &self.group_layout, manifest)
        })?;
        self.buffers = buffers;
        Ok(())
    }

    /// Submits a recording of at most [`RING`](super::buffers::RING) steps.
    ///
    /// Uniform blocks are written once, before the kernels run; the queue orders that behind the
    /// kernels of earlier submissions.
    pub fn execute(&self, recording: &Recording) {
        if recording.commands().is_empty() {
            return;
        }
        if let Some(uniforms) = self.buffers.get(Resource::Uniforms)
            && recording.steps() > 0
        {
            self.queue.write_buffer(uniforms, 0, recording.blocks());
        }
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("pyrograph steps"),
        });
        let is_dispatch = |command: &Command| matches!(command, Command::Dispatch { .. });
        let runs = recording.commands().chunk_by(|a, b| is_dispatch(a) == is_dispatch(b));
        for run in runs {
            if run.first().is_some_and(is_dispatch) {
                self.dispatch(&mut encoder, run);
            } else {
                self.clear(&mut encoder, run);
            }
        }
        self.queue.submit([encoder.finish()]);
    }

    /// All dispatches of a run share a pass: wgpu orders what they read and write.
    fn dispatch(&self, encoder: &mut wgpu::CommandEncoder, run: &[Command]) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("pyrograph steps"),
            timestamp_writes: None,
        });
        let mut bound = None;
        for command in run {
            let Command::Dispatch { kernel, block, groups } = command else { continue };
            let Some(pipeline) = self.kernels.get(*kernel) else { continue };
            pass.set_pipeline(pipeline);
            if bound != Some(*block) {
                pass.set_bind_group(0, &self.bind_group, &[block * self.buffers.stride()]);
                bound = Some(*block);
            }
            pass.dispatch_workgroups(groups[0], groups[1], 1);
        }
    }

    fn clear(&self, encoder: &mut wgpu::CommandEncoder, run: &[Command]) {
        for command in run {
            let Command::Clear { resource, words } = command else { continue };
            let Some(buffer) = self.buffers.get(*resource) else { continue };
            if !words.is_empty() {
                let size = words.len() as u64 * WORD;
                encoder.clear_buffer(buffer, u64::from(words.start) * WORD, Some(size));
            }
        }
    }

    /// Waits for all submitted work and copies regions to the host.
    ///
    /// # Errors
    /// The device has no memory for the copies, or is lost.
    pub fn read(&self, regions: &[Region]) -> Result<Vec<Vec<u32>>, GpuError> {
        const DOING: &str = "reading particles back";
        let failed = |error: &dyn std::error::Error| GpuError::Device {
            doing: DOING,
            reason: error.to_string(),
        };
        let copies = guarded(&self.device, DOING, || {
            let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("pyrograph read back"),
            });
            let copy = |region: &Region| self.copy_out(&mut encoder, *region);
            let copies: Vec<Option<wgpu::Buffer>> = regions.iter().map(copy).collect();
            self.queue.submit([encoder.finish()]);
            for copy in copies.iter().flatten() {
                // A failure shows when the range is taken.
                copy.map_async(wgpu::MapMode::Read, .., |_| {});
            }
            copies
        })?;
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
        let words = |copy: Option<wgpu::Buffer>| {
            let Some(copy) = copy else { return Ok(Vec::new()) };
            let view = copy.get_mapped_range(..).map_err(|error| failed(&error))?;
            Ok(bytemuck::pod_collect_to_vec(&view))
        };
        copies.into_iter().map(words).collect()
    }

    /// A mappable copy of a region; `None` for an empty one.
    fn copy_out(&self, encoder: &mut wgpu::CommandEncoder, region: Region) -> Option<wgpu::Buffer> {
        let from = self.buffers.get(region.resource).filter(|_| region.words > 0)?;
        let size = u64::from(region.words) * WORD;
        let copy = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pyrograph read back"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        encoder.copy_buffer_to_buffer(from, u64::from(region.first) * WORD, &copy, 0, size);
        Some(copy)
    }
}
