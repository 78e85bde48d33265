//! Pipelines that draw quads: all differ in their shader, what it reads, and how they blend.

use super::target::Target;
use crate::picture::{Blend, Factor};

/// What a pipeline is made from.
#[derive(Clone, Debug)]
pub(super) struct Recipe<'a> {
    pub(super) label: &'static str,
    /// Text of the shader, with the entry points `vertex` and `fragment`.
    pub(super) source: String,
    /// What it binds, from group 0 on.
    pub(super) groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    /// How a record lies in the vertex buffer; `None` where there are no records.
    pub(super) records: Option<wgpu::VertexBufferLayout<'static>>,
    pub(super) blend: &'a Blend,
    /// Whether quads are hidden behind what is nearer, where the target has depth.
    pub(super) tests_depth: bool,
}

impl Recipe<'_> {
    /// Makes the pipeline. Who calls looks for errors.
    pub(super) fn make(&self, device: &wgpu::Device, target: &Target) -> wgpu::RenderPipeline {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.label),
            source: wgpu::ShaderSource::Wgsl(self.source.as_str().into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.label),
            bind_group_layouts: self.groups,
            immediate_size: 0,
        });
        let compilation_options = wgpu::PipelineCompilationOptions::default();
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: compilation_options.clone(),
                buffers: self.records.as_ref().map_or(&[], |_| std::slice::from_ref(&self.records)),
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: target.depth.map(|depth| wgpu::DepthStencilState {
                format: depth.format,
                depth_write_enabled: Some(false),
                depth_compare: Some(match (self.tests_depth, depth.is_reversed) {
                    (false, _) => wgpu::CompareFunction::Always,
                    (true, false) => wgpu::CompareFunction::LessEqual,
                    (true, true) => wgpu::CompareFunction::GreaterEqual,
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
                    blend: Some(blend_state(self.blend)),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// A part of a record of words.
pub(super) const fn attribute(
    shader_location: u32,
    word: usize,
    format: wgpu::VertexFormat,
) -> wgpu::VertexAttribute {
    wgpu::VertexAttribute { format, offset: 4 * word as u64, shader_location }
}

/// Records of so many words, one an instance.
pub(super) fn records(
    words: usize,
    attributes: &'static [wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout {
        array_stride: 4 * words as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes,
    }
}

fn blend_state(blend: &Blend) -> wgpu::BlendState {
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
