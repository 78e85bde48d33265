//! What all renderers of one kind of target share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::RenderError;
use super::target::Target;
use super::uniform;
use crate::gpu::device::guarded;
use crate::picture::{Billboard, Blend, Factor, Filter, Pass};

/// A device, a target, and the pipelines that draw on it; systems that are drawn alike share them.
/// Clones are the same canvas.
#[derive(Clone, Debug)]
pub struct Canvas(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    device: wgpu::Device,
    queue: wgpu::Queue,
    target: Target,
    smooth: wgpu::Sampler,
    nearest: wgpu::Sampler,
    /// What every shader has: without and with the scene's depth.
    groups: [wgpu::BindGroupLayout; 2],
    /// By shader text and blending.
    pipelines: Mutex<BTreeMap<Key, wgpu::RenderPipeline>>,
}

type Key = (String, [u8; 4]);

/// What a pipeline is made from.
#[derive(Clone, Debug)]
pub(super) struct Recipe<'a> {
    /// Text of the shader.
    pub(super) source: String,
    pub(super) pass: &'a Pass,
    pub(super) is_soft: bool,
    /// The buffers that columns are read from; `None` where particles are records.
    pub(super) columns: Option<&'a wgpu::BindGroupLayout>,
    pub(super) has_direction: bool,
}

impl Canvas {
    /// A canvas for render passes with these attachments.
    ///
    /// # Errors
    /// The device is lost.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: Target,
    ) -> Result<Self, RenderError> {
        let (device, queue) = (device.clone(), queue.clone());
        let inner = guarded(&device.clone(), "preparing to draw", || Inner {
            smooth: device.create_sampler(&sampler(&device, Filter::Smooth)),
            nearest: device.create_sampler(&sampler(&device, Filter::Nearest)),
            groups: [false, true].map(|is_soft| group_layout(&device, is_soft)),
            pipelines: Mutex::default(),
            device,
            queue,
            target,
        })?;
        Ok(Self(Arc::new(inner)))
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.0.device
    }

    /// The queue that uploads go to.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.0.queue
    }

    /// What is drawn into.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.0.target
    }

    pub(super) fn sampler(&self, filter: Filter) -> &wgpu::Sampler {
        match filter {
            Filter::Smooth => &self.0.smooth,
            Filter::Nearest => &self.0.nearest,
        }
    }

    pub(super) fn group_layout(&self, is_soft: bool) -> &wgpu::BindGroupLayout {
        &self.0.groups[usize::from(is_soft)]
    }

    /// The pipeline of a recipe, made the first time that it is asked for.
    pub(super) fn pipeline(
        &self,
        recipe: &Recipe<'_>,
    ) -> Result<wgpu::RenderPipeline, RenderError> {
        let Blend { color, alpha } = recipe.pass.blend;
        let factors = [color[0], color[1], alpha[0], alpha[1]].map(|factor| factor as u8);
        let key = (recipe.source.clone(), factors);
        // A pipeline is kept whole or not at all, whatever a thread that held the lock did.
        let mut pipelines = self.0.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = pipelines.get(&key) {
            return Ok(pipeline.clone());
        }
        let make = || self.make_pipeline(recipe);
        let pipeline = guarded(&self.0.device, "creating a render pipeline", make)?;
        pipelines.insert(key, pipeline.clone());
        Ok(pipeline)
    }

    fn make_pipeline(&self, recipe: &Recipe<'_>) -> wgpu::RenderPipeline {
        let Inner { device, target, .. } = &*self.0;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("pyrograph quads"),
            source: wgpu::ShaderSource::Wgsl(recipe.source.as_str().into()),
        });
        let groups = [Some(self.group_layout(recipe.is_soft)), recipe.columns];
        let used = if recipe.columns.is_some() { 2 } else { 1 };
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("pyrograph quads"),
            bind_group_layouts: &groups[..used],
            immediate_size: 0,
        });
        let record = record_layout(recipe.has_direction);
        let buffers: &[_] = if recipe.columns.is_some() { &[] } else { &[Some(record)] };
        let compilation_options = wgpu::PipelineCompilationOptions::default();
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("pyrograph quads"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: compilation_options.clone(),
                buffers,
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: target.depth.map(|depth| wgpu::DepthStencilState {
                format: depth.format,
                depth_write_enabled: Some(false),
                depth_compare: Some(if depth.is_reversed {
                    wgpu::CompareFunction::GreaterEqual
                } else {
                    wgpu::CompareFunction::LessEqual
                }),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: target.samples,
                ..wgpu::MultisampleState::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options,
                targets: &[Some(wgpu::ColorTargetState {
                    format: target.color,
                    blend: Some(blend_state(&recipe.pass.blend)),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

fn sampler(device: &wgpu::Device, filter: Filter) -> wgpu::SamplerDescriptor<'static> {
    // Mesa's software adapter blurs all pictures where it may read finer along one axis, also those
    // that are seen straight on. Babylon's pictures are nearer without.
    let is_software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
    let anisotropy = if is_software { 1 } else { 4 };
    let repeat = wgpu::AddressMode::Repeat;
    let (texels, levels, anisotropy_clamp) = match filter {
        Filter::Smooth => (wgpu::FilterMode::Linear, wgpu::MipmapFilterMode::Linear, anisotropy),
        Filter::Nearest => (wgpu::FilterMode::Nearest, wgpu::MipmapFilterMode::Nearest, 1),
    };
    wgpu::SamplerDescriptor {
        label: Some("pyrograph picture"),
        address_mode_u: repeat,
        address_mode_v: repeat,
        mag_filter: texels,
        min_filter: texels,
        mipmap_filter: levels,
        anisotropy_clamp,
        ..wgpu::SamplerDescriptor::default()
    }
}

fn group_layout(device: &wgpu::Device, is_soft: bool) -> wgpu::BindGroupLayout {
    let texture = |sample_type| wgpu::BindingType::Texture {
        sample_type,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let block = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: wgpu::BufferSize::new(4 * uniform::WORDS as u64),
    };
    let picture = texture(wgpu::TextureSampleType::Float { filterable: true });
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    let (both, fragment) = (wgpu::ShaderStages::VERTEX_FRAGMENT, wgpu::ShaderStages::FRAGMENT);
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty,
        count: None,
    };
    let entries = [
        entry(0, both, block),
        entry(1, fragment, picture),
        entry(2, fragment, sampler),
        entry(3, fragment, texture(wgpu::TextureSampleType::Depth)),
    ];
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("pyrograph quads"),
        entries: if is_soft { &entries } else { &entries[..3] },
    })
}

/// How a record lies in the vertex buffer; see [`Billboard`].
fn record_layout(has_direction: bool) -> wgpu::VertexBufferLayout<'static> {
    const fn attribute(
        shader_location: u32,
        word: usize,
        format: wgpu::VertexFormat,
    ) -> wgpu::VertexAttribute {
        wgpu::VertexAttribute { format, offset: 4 * word as u64, shader_location }
    }
    const ATTRIBUTES: [wgpu::VertexAttribute; 4] = [
        attribute(0, Billboard::POSITION, wgpu::VertexFormat::Float32x4),
        attribute(1, Billboard::SIZE, wgpu::VertexFormat::Float32x3),
        attribute(2, Billboard::COLOR, wgpu::VertexFormat::Float32x4),
        attribute(3, Billboard::DIRECTION, wgpu::VertexFormat::Float32x3),
    ];
    let (words, attributes) = if has_direction {
        (Billboard::WORDS_WITH_DIRECTION, &ATTRIBUTES[..])
    } else {
        (Billboard::WORDS, &ATTRIBUTES[..3])
    };
    wgpu::VertexBufferLayout {
        array_stride: 4 * words as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes,
    }
}

pub(super) fn blend_state(blend: &Blend) -> wgpu::BlendState {
    let component = |[source, destination]: [Factor; 2]| wgpu::BlendComponent {
        src_factor: factor(source),
        dst_factor: factor(destination),
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState { color: component(blend.color), alpha: component(blend.alpha) }
}

fn factor(factor: Factor) -> wgpu::BlendFactor {
    match factor {
        Factor::Zero => wgpu::BlendFactor::Zero,
        Factor::One => wgpu::BlendFactor::One,
        Factor::SourceAlpha => wgpu::BlendFactor::SrcAlpha,
        Factor::OneMinusSourceAlpha => wgpu::BlendFactor::OneMinusSrcAlpha,
        Factor::Destination => wgpu::BlendFactor::Dst,
    }
}
