//! The buffers of one instance, as its manifest asks for them.

use pyrograph_compiler::emit::layout::{Counter, VERTICES};
use pyrograph_compiler::emit::wgsl::{Manifest, Resource};
use pyrograph_compiler::ir::Program;
use wgpu::BufferUsages;

use super::device::filled;
use super::error::GpuError;
use super::recording::RING;

/// The buffers, in the order of [`Manifest::bindings`].
#[derive(Clone, Debug)]
pub struct Buffers {
    buffers: Vec<(Resource, wgpu::Buffer)>,
    /// Bytes from one uniform block to the next.
    stride: u32,
}

impl Buffers {
    /// Creates all buffers: no particle lives. Tables are shared, because no kernel writes them.
    ///
    /// # Errors
    /// The device is lost. Who calls looks for other errors.
    pub fn new(
        device: &wgpu::Device,
        manifest: &Manifest,
        stride: u32,
        tables: Option<&wgpu::Buffer>,
    ) -> Result<Self, GpuError> {
        let mut buffers = Vec::with_capacity(manifest.bindings.len());
        for binding in &manifest.bindings {
            let resource = binding.resource;
            let buffer = match resource {
                Resource::Uniforms => create(device, resource, u64::from(stride) * u64::from(RING)),
                Resource::Control => {
                    let mut words = vec![0; manifest.layout.control_words() as usize];
                    words[Counter::Vertices.word()] = VERTICES;
                    filled(device, label(resource), usage(resource), bytemuck::cast_slice(&words))?
                }
                Resource::Slots | Resource::Columns(_) | Resource::Texels => {
                    create(device, resource, manifest.bytes(resource))
                }
                Resource::Tables => match tables {
                    Some(tables) => tables.clone(),
                    None => create(device, resource, manifest.bytes(resource)),
                },
            };
            buffers.push((resource, buffer));
        }
        Ok(Self { buffers, stride })
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
    ///
    /// # Errors
    /// The device is lost.
    pub fn set_texels(&mut self, device: &wgpu::Device, words: &[u32]) -> Result<(), GpuError> {
        let found = self.buffers.iter_mut().find(|(resource, _)| *resource == Resource::Texels);
        if let Some((resource, buffer)) = found {
            let bytes = bytemuck::cast_slice(words);
            *buffer = filled(device, label(*resource), usage(*resource), bytes)?;
        }
        Ok(())
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

/// The layout that [`Buffers::bind`] fills; uniforms have a dynamic offset.
pub fn group_layout(device: &wgpu::Device, manifest: &Manifest) -> wgpu::BindGroupLayout {
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

/// The buffer of all tables, for all instances; `None` where the program has none.
///
/// # Errors
/// The device is lost.
pub fn tables(
    device: &wgpu::Device,
    program: &Program,
    manifest: &Manifest,
) -> Result<Option<wgpu::Buffer>, GpuError> {
    let resource = Resource::Tables;
    if !manifest.bindings.iter().any(|binding| binding.resource == resource) {
        return Ok(None);
    }
    let mut bytes = table_bytes(program, manifest);
    bytes.resize(manifest.bytes(resource) as usize, 0);
    filled(device, label(resource), usage(resource), &bytes).map(Some)
}

/// Bytes from one uniform block to the next.
pub fn stride(device: &wgpu::Device, manifest: &Manifest) -> u32 {
    let alignment = device.limits().min_uniform_buffer_offset_alignment.max(1);
    manifest.layout.uniform_bytes.next_multiple_of(alignment)
}

fn create(device: &wgpu::Device, resource: Resource, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label(resource)),
        size,
        usage: usage(resource),
        mapped_at_creation: false,
    })
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
