//! The buffers of one system, as its manifest asks for them.

use pyrograph_compiler::emit::layout::{Counter, WORD};
use pyrograph_compiler::emit::wgsl::{Manifest, Resource};
use pyrograph_compiler::ir::Program;
use wgpu::BufferUsages;

/// Vertices that an indirect draw uses for a particle: two triangles.
pub const VERTICES: u32 = 6;

/// Uniform blocks that can be submitted at once.
pub const RING: u32 = 64;

/// The buffers, in the order of [`Manifest::bindings`].
#[derive(Clone, Debug)]
pub struct Buffers {
    buffers: Vec<(Resource, wgpu::Buffer)>,
    /// Bytes from one uniform block to the next.
    stride: u32,
}

impl Buffers {
    /// Creates all buffers: no particle lives, tables are filled.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        program: &Program,
        manifest: &Manifest,
    ) -> Self {
        let stride = stride(device, manifest);
        let buffers: Vec<(Resource, wgpu::Buffer)> = manifest
            .bindings
            .iter()
            .map(|binding| {
                let size = match binding.resource {
                    Resource::Uniforms => u64::from(stride) * u64::from(RING),
                    Resource::Control
                    | Resource::Slots
                    | Resource::Columns(_)
                    | Resource::Tables => manifest.bytes(binding.resource),
                };
                let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some(label(binding.resource)),
                    size,
                    usage: usage(binding.resource),
                    mapped_at_creation: false,
                });
                (binding.resource, buffer)
            })
            .collect();
        let buffers = Self { buffers, stride };
        if let Some(control) = buffers.get(Resource::Control) {
            let offset = Counter::Vertices.word() as u64 * WORD;
            queue.write_buffer(control, offset, &VERTICES.to_le_bytes());
        }
        if let Some(tables) = buffers.get(Resource::Tables) {
            queue.write_buffer(tables, 0, &table_bytes(program, manifest));
        }
        buffers
    }

    /// A buffer, if the program has it.
    pub fn get(&self, resource: Resource) -> Option<&wgpu::Buffer> {
        self.buffers.iter().find(|(found, _)| *found == resource).map(|(_, buffer)| buffer)
    }

    /// Bytes from one uniform block to the next.
    pub fn stride(&self) -> u32 {
        self.stride
    }

    /// Layout and bind group of all buffers; uniforms have a dynamic offset.
    pub fn bind(
        &self,
        device: &wgpu::Device,
        manifest: &Manifest,
    ) -> (wgpu::BindGroupLayout, wgpu::BindGroup) {
        let entries: Vec<_> = manifest
            .bindings
            .iter()
            .map(|binding| wgpu::BindGroupLayoutEntry {
                binding: binding.index,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: binding_type(binding.resource),
                    has_dynamic_offset: binding.resource == Resource::Uniforms,
                    min_binding_size: wgpu::BufferSize::new(manifest.bytes(binding.resource)),
                },
                count: None,
            })
            .collect();
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("pyrograph"),
            entries: &entries,
        });
        let entries: Vec<_> = manifest
            .bindings
            .iter()
            .zip(&self.buffers)
            .map(|(binding, (_, buffer))| wgpu::BindGroupEntry {
                binding: binding.index,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer,
                    offset: 0,
                    size: wgpu::BufferSize::new(manifest.bytes(binding.resource)),
                }),
            })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("pyrograph"),
            layout: &layout,
            entries: &entries,
        });
        (layout, group)
    }
}

fn stride(device: &wgpu::Device, manifest: &Manifest) -> u32 {
    let alignment = device.limits().min_uniform_buffer_offset_alignment.max(1);
    manifest.layout.uniform_bytes.next_multiple_of(alignment)
}

fn label(resource: Resource) -> &'static str {
    match resource {
        Resource::Uniforms => "pyrograph uniforms",
        Resource::Control => "pyrograph control",
        Resource::Slots => "pyrograph slots",
        Resource::Columns(_) => "pyrograph columns",
        Resource::Tables => "pyrograph tables",
    }
}

fn usage(resource: Resource) -> BufferUsages {
    let kept = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    match resource {
        Resource::Uniforms => BufferUsages::UNIFORM | BufferUsages::COPY_DST,
        Resource::Control => kept | BufferUsages::INDIRECT,
        Resource::Slots | Resource::Columns(_) | Resource::Tables => kept,
    }
}

fn binding_type(resource: Resource) -> wgpu::BufferBindingType {
    match resource {
        Resource::Uniforms => wgpu::BufferBindingType::Uniform,
        Resource::Control | Resource::Slots | Resource::Columns(_) => {
            wgpu::BufferBindingType::Storage { read_only: false }
        }
        Resource::Tables => wgpu::BufferBindingType::Storage { read_only: true },
    }
}

/// All tables as f32, where the layout puts them.
fn table_bytes(program: &Program, manifest: &Manifest) -> Vec<u8> {
    manifest
        .layout
        .tables
        .iter()
        .flat_map(|&(table, ..)| &program.tables[table].values)
        .flat_map(|&value| (value as f32).to_le_bytes())
        .collect()
}
