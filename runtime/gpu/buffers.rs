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
                    | Resource::Tables
                    | Resource::Texels => manifest.bytes(binding.resource),
                };
                (binding.resource, create(device, binding.resource, size))
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

    /// Replaces the pixels of all textures by these words, which begin with what describes them.
    /// Bind groups made before keep the old ones.
    pub fn set_texels(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, words: &[u32]) {
        let found = self.buffers.iter_mut().find(|(resource, _)| *resource == Resource::Texels);
        if let Some((resource, buffer)) = found {
            *buffer = create(device, *resource, words.len() as u64 * WORD);
            queue.write_buffer(buffer, 0, bytemuck::cast_slice(words));
        }
    }

    /// The layout that [`bind`](Self::bind) fills; uniforms have a dynamic offset.
    pub fn layout(&self, device: &wgpu::Device, manifest: &Manifest) -> wgpu::BindGroupLayout {
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
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("pyrograph"),
            entries: &entries,
        })
    }

    /// The bind group of all buffers.
    pub fn bind(
        &self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        manifest: &Manifest,
    ) -> wgpu::BindGroup {
        let entries: Vec<_> = manifest
            .bindings
            .iter()
            .zip(&self.buffers)
            .map(|(binding, (_, buffer))| wgpu::BindGroupEntry {
                binding: binding.index,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer,
                    offset: 0,
                    size: match binding.resource {
                        Resource::Texels => None,
                        resource => wgpu::BufferSize::new(manifest.bytes(resource)),
                    },
                }),
            })
            .collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("pyrograph"),
            layout,
            entries: &entries,
        })
    }
}

fn create(device: &wgpu::Device, resource: Resource, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label(resource)),
        size,
        usage: usage(resource),
        mapped_at_creation: false,
    })
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
        Resource::Texels => "pyrograph texels",
    }
}

fn usage(resource: Resource) -> BufferUsages {
    let kept = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    match resource {
        Resource::Uniforms => BufferUsages::UNIFORM | BufferUsages::COPY_DST,
        Resource::Control => kept | BufferUsages::INDIRECT,
        Resource::Slots | Resource::Columns(_) | Resource::Tables | Resource::Texels => kept,
    }
}

fn binding_type(resource: Resource) -> wgpu::BufferBindingType {
    match resource {
        Resource::Uniforms => wgpu::BufferBindingType::Uniform,
        Resource::Control | Resource::Slots | Resource::Columns(_) => {
            wgpu::BufferBindingType::Storage { read_only: false }
        }
        Resource::Tables | Resource::Texels => wgpu::BufferBindingType::Storage { read_only: true },
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
