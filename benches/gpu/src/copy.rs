//! What the memory of the device can do: a kernel that copies a large buffer.

use std::error::Error;

use crate::ROUNDS;
use crate::timer::Timer;

/// Bytes copied: far more than any cache.
const BYTES: u64 = 1 << 30;
const GROUP: u32 = 256;

const KERNEL: &str = "
@group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> target_: array<vec4<u32>>;

@compute @workgroup_size(256)
fn copy(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = (group.x + group.y * groups.x) * 256u + lane;
    target_[index] = source[index];
}
";

/// Bytes a second, read and written ones together.
pub(crate) fn bandwidth(timer: &Timer) -> Result<f64, Box<dyn Error>> {
    let device = &timer.device;
    let bytes = BYTES.min(device.limits().max_storage_buffer_binding_size);
    let buffer = || {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("copied"),
            size: bytes,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    };
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("copy"),
        source: wgpu::ShaderSource::Wgsl(KERNEL.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("copy"),
        layout: None,
        module: &module,
        entry_point: Some("copy"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let (source, target) = (buffer(), buffer());
    let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("copy"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: source.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: target.as_entire_binding() },
        ],
    });
    let groups = (bytes / 16) as u32 / GROUP;
    let rows = groups.div_ceil(32_768).max(1);
    let seconds = timer.median(ROUNDS, |encoder| {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(groups / rows, rows, 1);
        Ok(())
    })?;
    Ok(2.0 * bytes as f64 / seconds)
}
