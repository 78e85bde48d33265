//! Draws with wgpu.

use pyrograph::Camera;
use pyrograph::gpu::GpuSystem;
use pyrograph::gpu::wgpu::RenderPass;
use pyrograph::picture::Image;
use pyrograph::render::{
    Canvas, Filter, GpuRenderer, Offscreen, Options, Picture, RenderError, Renderer, Target,
    Texture,
};

use super::scene::{Shown, Style};
use crate::failure::Failure;
use crate::host::{Device, Drawn};

/// A target, and a renderer for each system that has a picture.
pub(crate) struct Brush {
    offscreen: Offscreen,
    clear: [f64; 4],
    /// In the order in which they are drawn, with the places of their systems in the file.
    layers: Vec<(usize, Layer)>,
}

enum Layer {
    Records(Box<Renderer>),
    Columns(Box<GpuRenderer>),
}

impl Brush {
    pub(crate) fn new(
        (device, queue): &Device,
        systems: &[Shown<'_>],
        style: &Style,
    ) -> Result<Self, Failure> {
        let canvas = Canvas::new(device, queue, Target::default());
        let canvas = canvas.map_err(failure)?;
        let [width, height] = style.size;
        let offscreen = Offscreen::new(&canvas, width, height).map_err(failure)?;
        let filter = if style.is_nearest { Filter::Nearest } else { Filter::Smooth };
        let mut layers = Vec::new();
        for system in systems {
            let texture = Texture::new(&canvas, &system.picture, filter).map_err(failure)?;
            let picture = Picture::Here(texture);
            // As Babylon draws it, whatever cells there are.
            let options = Options { takes_any_cell: true, ..Options::default() };
            let layer = match system.drawn {
                Drawn::Particles { state, .. } => Renderer::of(&canvas, state, picture, options)
                    .map(|renderer| Layer::Records(Box::new(renderer))),
                Drawn::Gpu(system) => GpuRenderer::new(&canvas, system, picture, options)
                    .map(|renderer| Layer::Columns(Box::new(renderer))),
            };
            layers.push((system.index, layer.map_err(failure)?));
        }
        Ok(Self { offscreen, clear: style.clear, layers })
    }

    /// Draws the systems as they are. `drawn` gives the system of that place in the file.
    pub(crate) fn draw<'h>(
        &mut self,
        drawn: impl Fn(usize) -> Drawn<'h>,
        camera: &Camera,
    ) -> Result<Image, Failure> {
        for (index, layer) in &mut self.layers {
            match (layer, drawn(*index)) {
                (Layer::Records(renderer), Drawn::Particles { state, emitter }) => {
                    renderer.prepare_state(state, emitter, camera).map_err(failure)?;
                }
                (Layer::Columns(renderer), Drawn::Gpu(system)) => {
                    prepare(renderer, system, camera)?;
                }
                // A system stays where it is.
                (Layer::Records(_), Drawn::Gpu(_))
                | (Layer::Columns(_), Drawn::Particles { .. }) => {}
            }
        }
        let draw = |pass: &mut RenderPass<'_>| {
            for (_, layer) in &self.layers {
                match layer {
                    Layer::Records(renderer) => renderer.draw(pass),
                    Layer::Columns(renderer) => renderer.draw(pass),
                }
            }
        };
        self.offscreen.draw(self.clear, draw).map_err(failure)
    }
}

fn prepare(renderer: &mut GpuRenderer, system: &GpuSystem, camera: &Camera) -> Result<(), Failure> {
    renderer.prepare(system, camera).map(|_| ()).map_err(failure)
}

fn failure(error: RenderError) -> Failure {
    Failure::Machine(error.to_string())
}
