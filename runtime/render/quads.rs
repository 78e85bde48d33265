//! What both renderers have: pipelines, the picture, and the uniform block.

use super::canvas::Canvas;
use super::error::RenderError;
use super::pipeline::{Recipe, attribute, records};
use super::shaders::{self, Source};
use super::target::Handedness;
use super::texture::Texture;
use super::uniform::{Drawing, WORDS};
use crate::gpu::device::guarded;
use crate::picture::{Atlas, Billboard, Blending, passes};
use crate::program::{Camera, RenderFacts};

/// What a system draws.
#[derive(Clone, Debug, Default)]
pub enum Picture {
    /// The graph names none, or it cannot be had: such a system is not drawn (spec section 11).
    #[default]
    Missing,
    /// It is being loaded; nothing is drawn until it has arrived.
    Awaited,
    /// This one.
    Here(Texture),
}

/// How a system is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Which table of blend factors.
    pub blending: Blending,
    /// Particles on the CPU are drawn from back to front instead of in the order of their slots.
    pub is_sorted: bool,
    /// Cells that the picture does not have are read beyond its edges, as Babylon does. Otherwise they
    /// are an error, as the contract wants it, where particles are on the CPU.
    pub takes_any_cell: bool,
}

/// Makes quads fade where they come near what is behind them.
#[derive(Clone, Debug)]
pub struct Softness {
    /// The depth of the scene: one sample a pixel, of the size of the target, seen by the same camera.
    /// It may be the pass's own attachment where that is read-only.
    pub scene_depth: wgpu::TextureView,
    /// Over which distance, in units of the world.
    pub distance: f32,
}

#[derive(Debug)]
pub(super) struct Quads {
    pub(super) canvas: Canvas,
    pub(super) facts: RenderFacts,
    pub(super) options: Options,
    texture: Option<Texture>,
    softness: Option<Softness>,
    block: wgpu::Buffer,
    written: Option<[f32; WORDS]>,
    /// Made when there is a picture.
    group: Option<wgpu::BindGroup>,
    /// One for each time that all quads are drawn.
    pipelines: Vec<wgpu::RenderPipeline>,
}

/// What a shader gets its particles from.
#[derive(Clone, Copy, Debug)]
pub(super) struct From<'a> {
    pub(super) source: Source<'a>,
    pub(super) columns: Option<&'a wgpu::BindGroupLayout>,
}

impl Quads {
    pub(super) fn new(
        canvas: &Canvas,
        facts: RenderFacts,
        picture: Picture,
        options: Options,
        from: From<'_>,
    ) -> Result<Self, RenderError> {
        let texture = match picture {
            Picture::Missing => return Err(RenderError::NoTexture),
            Picture::Awaited => None,
            Picture::Here(texture) => Some(texture),
        };
        let device = canvas.device();
        let block = guarded(device, "preparing to draw", || {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("pyrograph drawing"),
                size: 4 * WORDS as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?;
        let canvas = canvas.clone();
        let mut quads = Self {
            canvas,
            facts,
            options,
            texture,
            softness: None,
            block,
            written: None,
            group: None,
            pipelines: Vec::new(),
        };
        quads.make_pipelines(from)?;
        quads.bind()?;
        Ok(quads)
    }

    fn make_pipelines(&mut self, from: From<'_>) -> Result<(), RenderError> {
        let (mode, is_soft) = (self.facts.mode(), self.softness.is_some());
        let passes = passes(self.facts.blend_mode, self.options.blending).iter();
        let groups = [Some(self.canvas.group_layout(is_soft)), from.columns];
        let used = if from.columns.is_some() { 2 } else { 1 };
        let pipelines = passes.map(|pass| {
            self.canvas.pipeline(&Recipe {
                label: "pyrograph quads",
                source: shaders::source(from.source, mode, pass, is_soft),
                groups: &groups[..used],
                records: from.columns.is_none().then(|| record_layout(mode.has_direction())),
                blend: &pass.blend,
                tests_depth: true,
            })
        });
        self.pipelines = pipelines.collect::<Result<_, _>>()?;
        Ok(())
    }

    fn bind(&mut self) -> Result<(), RenderError> {
        self.group = None;
        let Some(texture) = &self.texture else { return Ok(()) };
        let device = self.canvas.device();
        let mut resources = vec![
            self.block.as_entire_binding(),
            wgpu::BindingResource::TextureView(&texture.view),
            wgpu::BindingResource::Sampler(self.canvas.sampler(texture.filter)),
        ];
        if let Some(softness) = &self.softness {
            resources.push(wgpu::BindingResource::TextureView(&softness.scene_depth));
        }
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let layout = self.canvas.group_layout(self.softness.is_some());
        let make = || {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("pyrograph quads"),
                layout,
                entries: &entries,
            })
        };
        self.group = Some(guarded(device, "binding a picture", make)?);
        Ok(())
    }

    pub(super) fn set_picture(&mut self, texture: Option<Texture>) -> Result<(), RenderError> {
        self.texture = texture;
        self.bind()
    }

    pub(super) fn set_softness(
        &mut self,
        softness: Option<Softness>,
        from: From<'_>,
    ) -> Result<(), RenderError> {
        let changes = self.softness.is_some() != softness.is_some();
        self.softness = softness;
        if changes {
            self.make_pipelines(from)?;
        }
        self.bind()
    }

    pub(super) fn set_canvas(
        &mut self,
        canvas: &Canvas,
        from: From<'_>,
    ) -> Result<(), RenderError> {
        self.canvas = canvas.clone();
        self.make_pipelines(from)?;
        self.bind()
    }

    /// The cells of the picture; `None` while there is no picture.
    pub(super) fn atlas(&self) -> Option<Atlas> {
        let [width, height] = self.texture.as_ref()?.size;
        Some(Atlas::new(self.facts.sheet, width, height))
    }

    /// Uploads the uniform block if it has changed, and gives how many bytes that took.
    pub(super) fn prepare(
        &mut self,
        camera: &Camera,
        emitter: &[f64; 16],
        fixed: [f32; 16],
    ) -> Result<u64, RenderError> {
        let Some(atlas) = self.atlas() else { return Ok(0) };
        let mirrored;
        let camera = match self.canvas.target().handedness {
            Handedness::Left => camera,
            Handedness::Right => {
                mirrored = camera.mirrored();
                &mirrored
            }
        };
        let softness = self.softness.as_ref().map_or(0.0, |softness| softness.distance);
        let words = Drawing { camera, facts: &self.facts, atlas, softness, emitter, fixed }.words();
        let bits = |words: &[f32; WORDS]| words.map(f32::to_bits);
        if self.written.as_ref().map(bits) == Some(bits(&words)) {
            return Ok(0);
        }
        let (device, queue) = (self.canvas.device(), self.canvas.queue());
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        let write = || queue.write_buffer(&self.block, 0, bytes);
        guarded(device, "uploading a camera", write)?;
        self.written = Some(words);
        Ok(bytes.len() as u64)
    }

    /// Calls `draw` once for each pass, with everything bound but the particles; not at all while
    /// there is no picture.
    pub(super) fn draw<'p>(
        &self,
        pass: &mut wgpu::RenderPass<'p>,
        mut draw: impl FnMut(&mut wgpu::RenderPass<'p>),
    ) {
        let Some(group) = self.group.as_ref().filter(|_| self.written.is_some()) else { return };
        pass.set_bind_group(0, group, &[]);
        for pipeline in &self.pipelines {
            pass.set_pipeline(pipeline);
            draw(pass);
        }
    }
}

/// How a record lies in the vertex buffer; see [`Billboard`].
fn record_layout(has_direction: bool) -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 4] = [
        attribute(0, Billboard::POSITION, wgpu::VertexFormat::Float32x4),
        attribute(1, Billboard::SIZE, wgpu::VertexFormat::Float32x3),
        attribute(2, Billboard::COLOR, wgpu::VertexFormat::Float32x4),
        attribute(3, Billboard::DIRECTION, wgpu::VertexFormat::Float32x3),
    ];
    if has_direction {
        records(Billboard::WORDS_WITH_DIRECTION, &ATTRIBUTES)
    } else {
        records(Billboard::WORDS, &ATTRIBUTES[..3])
    }
}
