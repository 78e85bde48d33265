//! How a step's time divides into kernels: each dispatched by itself, over the buffers of a full system.

use std::error::Error;

use pyrograph::compiler::emit::layout::Limits;
use pyrograph::compiler::emit::wgsl::{Grid, Resource};
use pyrograph::gpu::{GpuSystem, device};

use crate::timer::Timer;
use crate::{ROUNDS, STEPS};

/// Names of the kernels, and the median of their seconds. What they leave behind is no state of a
/// system; nothing else can be measured with it.
pub(crate) fn breakdown(
    timer: &Timer,
    system: &GpuSystem,
) -> Result<Vec<(&'static str, f64)>, Box<dyn Error>> {
    let device = &timer.device;
    let manifest = system.manifest();
    let limits: Limits = device::limits(device);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("kernels"),
        source: wgpu::ShaderSource::Wgsl(system.source().into()),
    });
    let buffer = |resource| system.buffer(resource).ok_or("a buffer is missing");
    let entries: Vec<_> = manifest
        .bindings
        .iter()
        .map(|binding| wgpu::BindGroupLayoutEntry {
            binding: binding.index,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match binding.resource {
                    Resource::Uniforms => wgpu::BufferBindingType::Uniform,
                    Resource::Tables | Resource::Texels => {
                        wgpu::BufferBindingType::Storage { read_only: true }
                    }
                    Resource::Control | Resource::Slots | Resource::Columns(_) => {
                        wgpu::BufferBindingType::Storage { read_only: false }
                    }
                },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    let group_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("kernels"),
        entries: &entries,
    });
    let mut bound = Vec::new();
    for binding in &manifest.bindings {
        bound.push(wgpu::BindGroupEntry {
            binding: binding.index,
            resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: buffer(binding.resource)?,
                offset: 0,
                size: wgpu::BufferSize::new(manifest.bytes(binding.resource)),
            }),
        });
    }
    let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("kernels"),
        layout: &group_layout,
        entries: &bound,
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("kernels"),
        bind_group_layouts: &[Some(&group_layout)],
        immediate_size: 0,
    });
    let grid = manifest.layout.grid(&limits);
    let mut found = Vec::new();
    for step in &manifest.step {
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(step.entry_point),
            layout: Some(&layout),
            module: &module,
            entry_point: Some(step.entry_point),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let groups = match step.grid {
            Grid::Chunks => grid,
            Grid::One => [1, 1],
        };
        let seconds = timer.median(ROUNDS, |encoder| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &bind_group, &[]);
            for _ in 0..STEPS {
                pass.dispatch_workgroups(groups[0], groups[1], 1);
            }
            Ok(())
        })?;
        found.push((step.entry_point, seconds / f64::from(STEPS)));
    }
    Ok(found)
}
