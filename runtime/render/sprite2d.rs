//! Draws the layers of a stage of sprites with wgpu.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::canvas::Canvas;
use super::error::RenderError;
use super::pipeline::{Recipe, attribute, records};
use super::shaders;
use super::texture::Texture;
use super::uniform;
use crate::gpu::device::guarded;
use crate::picture::sprite2d::{Layer, LayerId, Sprite, Stage, Target};
use crate::picture::{Filter, Image, Pass};
use crate::random::Random;

/// Numbers of the uniform block `Layer` of `shaders/sprite.wgsl`.
const WORDS: usize = 12;

/// What a [`Stage`] draws on: pipelines, pictures and records of its layers.
///
/// ```no_run
/// # use pyrograph::picture::Image;
/// # use pyrograph::picture::sprite2d::{Mapping, Options, Stage};
/// # use pyrograph::render::{Canvas, Filter, SpriteTarget};
/// # use pyrograph::{Interpreted, ParticleSystem, Pcg};
/// # fn show(
/// #     canvas: Canvas,
/// #     image: Image,
/// #     set: Vec<ParticleSystem<Interpreted>>,
/// #     mut pass: wgpu::RenderPass<'_>,
/// # ) -> Result<(), Box<dyn std::error::Error>> {
/// let mut stage = Stage::new(Pcg::seed_from_u64(7), SpriteTarget::new(&canvas, Filter::Smooth));
/// // A unit of the world is 100 pixels long, and its origin at (640, 500).
/// let mapping = Mapping { pixels_per_unit: 100.0, origin_px: [640.0, 500.0], invert_y: true };
/// let options = Options { mapping, ..Options::default() };
/// let fire = stage.register(set, &[Some(image)], &options, true).map_err(|refused| refused.reason)?;
///
/// // Each frame:
/// stage.bridges_mut(fire)[0].mapping.origin_px = [600.0, 500.0];
/// let failures = stage.advance(16.6);
/// stage.prepare(1280, 720)?;
/// stage.draw(&mut pass);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct SpriteTarget {
    canvas: Canvas,
    filter: Filter,
    layers: BTreeMap<LayerId, Drawn>,
    /// Of layers that show one image, the picture is uploaded once.
    textures: Vec<(Image, Texture)>,
}

#[derive(Debug)]
struct Drawn {
    pipeline: wgpu::RenderPipeline,
    texture: Texture,
    block: wgpu::Buffer,
    written: Option<[f32; WORDS]>,
    group: wgpu::BindGroup,
    /// Grows with the sprites, as far as the layer's capacity.
    buffer: Option<wgpu::Buffer>,
    count: u32,
}

impl SpriteTarget {
    /// Draws into passes with the attachments of a canvas. Depth is not tested, where there is any.
    #[must_use]
    pub fn new(canvas: &Canvas, filter: Filter) -> Self {
        Self { canvas: canvas.clone(), filter, layers: BTreeMap::new(), textures: Vec::new() }
    }

    fn texture(&mut self, image: &Image) -> Result<Texture, RenderError> {
        let is_same = |known: &Image| {
            let sizes = [known, image].map(|image| (image.width(), image.height()));
            Arc::ptr_eq(known.data(), image.data()) && sizes[0] == sizes[1]
        };
        if let Some((_, texture)) = self.textures.iter().find(|(known, _)| is_same(known)) {
            return Ok(texture.clone());
        }
        let texture = Texture::new(&self.canvas, image, self.filter)?;
        self.textures.push((image.clone(), texture.clone()));
        Ok(texture)
    }

    fn pipeline(&self, pass: &Pass) -> Result<wgpu::RenderPipeline, RenderError> {
        // See `Sprite`.
        const ATTRIBUTES: [wgpu::VertexAttribute; 4] = [
            attribute(0, 0, wgpu::VertexFormat::Float32x4),
            attribute(1, 4, wgpu::VertexFormat::Float32x4),
            attribute(2, 8, wgpu::VertexFormat::Float32),
            attribute(3, 9, wgpu::VertexFormat::Float32x4),
        ];
        self.canvas.pipeline(&Recipe {
            label: "pyrograph sprites",
            source: shaders::sprite_source(pass),
            groups: &[Some(self.canvas.group_layout(false))],
            records: Some(records(Sprite::WORDS, &ATTRIBUTES)),
            blend: &pass.blend,
            tests_depth: false,
        })
    }

    fn make(&self, pass: &Pass, texture: Texture) -> Result<Drawn, RenderError> {
        let device = self.canvas.device();
        let make = || {
            let block = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("pyrograph layer"),
                // The bind group's layout is that of quads in space, whose block is longer.
                size: 4 * uniform::WORDS as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let resources = [
                block.as_entire_binding(),
                wgpu::BindingResource::TextureView(&texture.view),
                wgpu::BindingResource::Sampler(self.canvas.sampler(texture.filter)),
            ];
            let entries: Vec<_> = (0..)
                .zip(resources)
                .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
                .collect();
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("pyrograph sprites"),
                layout: self.canvas.group_layout(false),
                entries: &entries,
            });
            (block, group)
        };
        let pipeline = self.pipeline(pass)?;
        let (block, group) = guarded(device, "preparing to draw sprites", make)?;
        Ok(Drawn { pipeline, texture, block, written: None, group, buffer: None, count: 0 })
    }

    /// Uploads what has changed of a layer, and gives how many bytes that were.
    fn prepare(
        &mut self,
        id: LayerId,
        layer: &mut Layer,
        size: [u32; 2],
    ) -> Result<u64, RenderError> {
        let Some(drawn) = self.layers.get_mut(&id) else { return Ok(0) };
        let (device, queue) = (self.canvas.device(), self.canvas.queue());
        let mut bytes = 0;
        let block = block(layer, size);
        if drawn.written != Some(block) {
            let write = || queue.write_buffer(&drawn.block, 0, bytemuck::cast_slice(&block));
            guarded(device, "uploading a layer", write)?;
            drawn.written = Some(block);
            bytes += 4 * WORDS as u64;
        }
        let record = 4 * Sprite::WORDS as u64;
        let mut dirty = layer.dirty();
        let room = drawn.buffer.as_ref().map_or(0, wgpu::Buffer::size);
        if !dirty.is_empty() && room < u64::from(dirty.end) * record {
            let create = || {
                device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("pyrograph sprites"),
                    size: (u64::from(dirty.end) * record).next_power_of_two(),
                    usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                })
            };
            drawn.count = 0;
            drawn.buffer = None;
            drawn.buffer = Some(guarded(device, "making room for sprites", create)?);
            dirty.start = 0;
        }
        if let Some(buffer) = drawn.buffer.as_ref().filter(|_| !dirty.is_empty()) {
            let words = dirty.start as usize * Sprite::WORDS..dirty.end as usize * Sprite::WORDS;
            let records: &[u8] = bytemuck::cast_slice(&layer.words()[words]);
            let write = || queue.write_buffer(buffer, u64::from(dirty.start) * record, records);
            guarded(device, "uploading sprites", write)?;
            bytes += records.len() as u64;
        }
        layer.take_dirty();
        drawn.count = if layer.presentation.visible { layer.count() } else { 0 };
        Ok(bytes)
    }
}

impl Target for SpriteTarget {
    type Error = RenderError;

    fn attach(&mut self, id: LayerId, layer: &Layer, image: &Image) -> Result<(), RenderError> {
        let attached = self.texture(image).and_then(|texture| self.make(&layer.pass(), texture));
        match attached {
            Ok(drawn) => {
                self.layers.insert(id, drawn);
                Ok(())
            }
            Err(error) => {
                self.drop_textures();
                Err(error)
            }
        }
    }

    fn detach(&mut self, id: LayerId) {
        self.layers.remove(&id);
        self.drop_textures();
    }
}

impl SpriteTarget {
    /// Forgets pictures that no layer shows.
    fn drop_textures(&mut self) {
        let Self { layers, textures, .. } = self;
        textures
            .retain(|(_, texture)| layers.values().any(|drawn| drawn.texture.view == texture.view));
    }
}

/// The uniform block.
fn block(layer: &Layer, [width, height]: [u32; 2]) -> [f32; WORDS] {
    let shown = &layer.presentation;
    let (view, [x, y]) = (shown.view, shown.pivot);
    [
        view.position_px[0],
        view.position_px[1],
        view.zoom,
        view.rotation,
        f64::from(width),
        f64::from(height),
        x,
        y,
        1.0,
        1.0,
        1.0,
        shown.opacity,
    ]
    .map(|number| number as f32)
}

impl<R: Random> Stage<R, SpriteTarget> {
    /// Uploads what has changed since the last call, ahead of what is submitted next, for a picture of
    /// this size in pixels. Gives how many bytes that were: none where nothing has changed.
    ///
    /// # Errors
    /// The device is lost, or has no memory.
    pub fn prepare(&mut self, width: u32, height: u32) -> Result<u64, RenderError> {
        let mut uploaded = Ok(0);
        self.for_each_layer(|target, id, layer| {
            if let Ok(bytes) = uploaded {
                let prepared = target.prepare(id, layer, [width, height]);
                uploaded = prepared.map(|more| bytes + more);
            }
        });
        uploaded
    }

    /// Records the draws of all layers, in their order, into a pass whose attachments are those of the
    /// canvas's target. It sets pipelines, the vertex buffer of slot 0 and the bind group of index 0.
    /// Gives the number of draws.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) -> u32 {
        let mut draws = 0;
        for (id, ..) in self.draw_order() {
            let Some(drawn) = self.target().layers.get(&id) else { continue };
            let Some(buffer) = drawn.buffer.as_ref().filter(|_| drawn.count > 0) else { continue };
            pass.set_pipeline(&drawn.pipeline);
            pass.set_bind_group(0, &drawn.group, &[]);
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(0..6, 0..drawn.count);
            draws += 1;
        }
        draws
    }
}
