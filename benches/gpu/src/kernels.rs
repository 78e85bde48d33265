//! How a step's time divides into kernels: each timed by itself, over the buffers of a full system.

use std::error::Error;

use pyrograph::compiler::emit::wgsl::Resource;
use pyrograph::gpu::GpuSystem;

use crate::ROUNDS;
use crate::timer::Timer;

/// Names of the kernels, and the median of their seconds, each in a submission of its own, with the uniform
/// block of the last step.
pub(crate) fn breakdown(
    timer: &Timer,
    system: &GpuSystem,
) -> Result<Vec<(&'static str, f64)>, Box<dyn Error>> {
    let device = &timer.device;
    let manifest = system.manifest();
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
    let parts: Vec<_> = manifest
        .step
        .iter()
        .map(|step| {
            let (pipeline, [x, y], bind_group) =
                (kernel(step.entry_point), step.workgroups, &bind_group);
            move |encoder: &mut wgpu::CommandEncoder| {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, bind_group, &[]);
                pass.dispatch_workgroups(x, y, 1);
            }
        })
        .collect();
    let parts: Vec<&dyn Fn(&mut wgpu::CommandEncoder)> =
        parts.iter().map(|part| part as &dyn Fn(&mut wgpu::CommandEncoder)).collect();
    let seconds = timer.medians(ROUNDS, &parts)?;
    Ok(manifest.step.iter().map(|step| step.entry_point).zip(seconds).collect())
}
