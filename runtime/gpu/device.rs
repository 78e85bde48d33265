//! A device for programs that have none of their own.

use pyrograph_compiler::emit::layout::Limits;

use super::error::GpuError;

/// Asks for the fastest adapter and a device with all that it can bind. The variables
/// `WGPU_BACKEND` and `WGPU_ADAPTER_NAME` of wgpu choose others.
///
/// # Errors
/// There is none; the message names a package that brings one.
pub fn default_device() -> Result<(wgpu::Device, wgpu::Queue), GpuError> {
    pollster::block_on(request())
}

async fn request() -> Result<(wgpu::Device, wgpu::Queue), GpuError> {
    let instance =
        wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..wgpu::RequestAdapterOptions::default()
    };
    let adapter = match wgpu::util::initialize_adapter_from_env(&instance, None).await {
        Ok(adapter) => adapter,
        Err(_) => instance.request_adapter(&options).await.map_err(|error| no_device(&error))?,
    };
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("pyrograph"),
        required_limits: adapter.limits(),
        ..wgpu::DeviceDescriptor::default()
    };
    adapter.request_device(&descriptor).await.map_err(|error| no_device(&error))
}

fn no_device(error: &dyn std::error::Error) -> GpuError {
    GpuError::NoDevice { reason: error.to_string() }
}

/// What a device can bind, as the compiler's layout asks it.
pub fn limits(device: &wgpu::Device) -> Limits {
    let limits = device.limits();
    Limits {
        storage_bytes: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size),
        uniform_bytes: limits.max_uniform_buffer_binding_size,
        storage_buffers: limits.max_storage_buffers_per_shader_stage,
        groups: limits.max_compute_workgroups_per_dimension,
    }
}

/// Runs something and turns what wgpu would report as an uncaptured error into a result.
pub(crate) fn guarded<T>(
    device: &wgpu::Device,
    doing: &'static str,
    work: impl FnOnce() -> T,
) -> Result<T, GpuError> {
    let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let internal = device.push_error_scope(wgpu::ErrorFilter::Internal);
    let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let value = work();
    let errors = [
        pollster::block_on(validation.pop()),
        pollster::block_on(internal.pop()),
        pollster::block_on(memory.pop()),
    ];
    match errors.into_iter().flatten().next() {
        Some(error) => Err(GpuError::Device { doing, reason: error.to_string() }),
        None => Ok(value),
    }
}

/// A buffer that holds these bytes from the start.
///
/// # Errors
/// The device is lost: nothing else makes a new buffer unreadable. Other errors go to whoever
/// guards the call.
pub(super) fn filled(
    device: &wgpu::Device,
    label: &'static str,
    usage: wgpu::BufferUsages,
    bytes: &[u8],
) -> Result<wgpu::Buffer, GpuError> {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes.len() as u64,
        usage,
        mapped_at_creation: true,
    });
    let lost = |_| GpuError::Lost { doing: "creating a buffer" };
    buffer.get_mapped_range_mut(..).map_err(lost)?.copy_from_slice(bytes);
    buffer.unmap();
    Ok(buffer)
}
