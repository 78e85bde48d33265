//! Draws on the processor.

use pyrograph::picture::raster::{Canvas, Quads, Texture};
use pyrograph::picture::{Billboards, Blending, Filter, Image};
use pyrograph::{Camera, RenderFacts};

use super::scene::{Shown, Style};
use crate::failure::Failure;
use crate::host::Drawn;

/// A picture for each system that has one.
#[derive(Debug)]
pub(crate) struct Brush {
    style: Style,
    /// In the order in which they are drawn.
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    /// Place of the system in the file.
    index: usize,
    texture: Texture,
    facts: RenderFacts,
    billboards: Billboards,
}

impl Brush {
    pub(crate) fn new(systems: &[Shown<'_>], style: &Style) -> Self {
        let filter = if style.is_nearest { Filter::Nearest } else { Filter::Smooth };
        let layer = |system: &Shown<'_>| {
            let (facts, picture) = (system.facts, &system.picture);
            Layer {
                index: system.index,
                texture: Texture::new(picture, filter),
                facts,
                billboards: Billboards::new(),
            }
        };
        Self { style: *style, layers: systems.iter().map(layer).collect() }
    }

    /// Changes size and ground; how pictures are read stays.
    pub(crate) fn set_style(&mut self, style: &Style) {
        self.style = *style;
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
            // As Babylon draws it, whatever cells there are.
            let packed = layer.billboards.pack(state, emitter, None);
            packed.map_err(|error| Failure::Machine(error.to_string()))?;
            let quads = Quads {
                billboards: &layer.billboards,
                facts: layer.facts,
                texture: &layer.texture,
                blending: Blending::Exact,
            };
            canvas.draw(camera, &quads);
        }
        Ok(canvas.into_image())
    }
}
