//! Draws on the processor.

use pyrograph::picture::raster::{Canvas, Quads, Sampling, Texture};
use pyrograph::picture::{Atlas, Billboards, Blending, Image};
use pyrograph::{Camera, RenderFacts};

use super::{Shown, Style};
use crate::failure::Failure;
use crate::host::Drawn;

/// A picture for each system that has one.
pub(crate) struct Brush {
    style: Style,
    /// In the order in which they are drawn.
    layers: Vec<Layer>,
}

struct Layer {
    /// Place of the system in the file.
    index: usize,
    texture: Texture,
    facts: RenderFacts,
    frames: u32,
    billboards: Billboards,
}

impl Brush {
    pub(crate) fn new(systems: &[Shown<'_>], style: &Style) -> Self {
        let sampling = if style.is_nearest { Sampling::Nearest } else { Sampling::Trilinear };
        let layer = |system: &Shown<'_>| {
            let (facts, picture) = (system.facts, &system.picture);
            Layer {
                index: system.index,
                texture: Texture::new(picture, sampling),
                facts,
                frames: Atlas::new(facts.sheet, picture.width(), picture.height()).frames(),
                billboards: Billboards::new(),
            }
        };
        Self { style: *style, layers: systems.iter().map(layer).collect() }
    }

    /// Draws the systems as they are. `drawn` gives the system of that place in the file, with its
    /// particles on the CPU.
    pub(crate) fn draw<'h>(
        &mut self,
        drawn: impl Fn(usize) -> Drawn<'h>,
        camera: &Camera,
    ) -> Result<Image, Failure> {
        let [width, height] = self.style.size;
        let mut canvas = Canvas::new(width, height, self.style.clear);
        for layer in &mut self.layers {
            let Drawn::Particles { state, emitter } = drawn(layer.index) else { continue };
            let packed = layer.billboards.pack(state, emitter, Some(layer.frames));
            packed.map_err(|error| Failure::Machine(error.to_string()))?;
            let quads = Quads {
                billboards: &layer.billboards,
                facts: layer.facts,
                texture: &layer.texture,
                blending: Blending::Exact,
            };
            canvas.draw(camera, &quads);
        }
        Ok(canvas.into_texels())
    }
}
