//! Draws on the processor: the same quads, blend tables and sampling as on a GPU, in plain Rust.
//!
//! It is for machines without a GPU and as a second opinion about one; it is not fast. The same input
//! gives the same bytes on every machine.
//!
//! Pixels are 8 bits a channel, red, green, blue, alpha; as on a GPU, what a quad adds is limited to
//! 0 to 1 before it blends, and each result is rounded to 8 bits.

mod cover;
mod quad;
mod sprite;
#[cfg(test)]
mod tests;
mod texture;

use super::Image;
use super::atlas::Atlas;
use super::billboard::Billboard;
use super::blend::{Blend, Blending, Pass, passes};
use super::pack::Billboards;
use super::sprite2d::Layer;
use crate::program::{Camera, RenderFacts};

pub use texture::Texture;

/// A system as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Quads<'a> {
    /// Its particles.
    pub billboards: &'a Billboards,
    /// How they look.
    pub facts: RenderFacts,
    /// Their picture.
    pub texture: &'a Texture,
    /// How they blend.
    pub blending: Blending,
}

/// A picture that is being drawn, its first row at the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
}

impl Canvas {
    /// A picture of that size in pixels, in one colour: red, green, blue, alpha from 0 to 1. A side of
    /// more than 16384 pixels is cut to that.
    #[must_use]
    pub fn new(width: u32, height: u32, clear: [f64; 4]) -> Self {
        let (width, height) = (width.min(MAX_SIDE), height.min(MAX_SIDE));
        let pixel = clear.map(|channel| unorm(channel as f32));
        Self { width, height, pixels: vec![pixel; width as usize * height as usize] }
    }

    /// Pixels in a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Row after row, the first one at the top.
    #[must_use]
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The picture, to be stored or drawn in another.
    #[must_use]
    pub fn into_image(self) -> Image {
        let (width, height) = (self.width, self.height);
        Image::new(width, height, self.pixels.into_flattened()).unwrap_or_default()
    }

    /// Draws the quads of a system over what is there. A quad that has no place in the picture, for
    /// example because its size or direction is not a number, is left out.
    pub fn draw(&mut self, camera: &Camera, quads: &Quads<'_>) {
        let Some(view) = quad::View::new(camera, quads.billboards.mode(), &quads.facts) else {
            return;
        };
        let facts = &quads.facts;
        let image = quads.texture.image();
        let atlas = Atlas::new(facts.sheet, image.width(), image.height());
        let mask = facts.texture_mask.map(|channel| channel as f32);
        for &pass in passes(facts.blend_mode, quads.blending) {
            for billboard in quads.billboards.iter() {
                let Some(corners) = view.corners(&billboard) else { continue };
                let place = Place::new(&atlas, facts.sheet.is_some(), &billboard);
                let color = billboard.color;
                self.fill(&corners, &Ink { place, texture: quads.texture, mask, color, pass });
            }
        }
    }

    /// Draws the sprites of a layer over what is there, if it is visible.
    pub fn draw_layer(&mut self, layer: &Layer, texture: &Texture) {
        if !layer.presentation.visible {
            return;
        }
        let opacity = layer.presentation.opacity as f32;
        let (mask, pass) = ([1.0; 4], layer.pass());
        for sprite in layer.sprites() {
            let size = [self.width, self.height];
            let Some(corners) = sprite::corners(&sprite, &layer.presentation, size) else {
                continue;
            };
            let place = Place::between(sprite.uv_start, sprite.uv_end);
            let [red, green, blue, alpha] = sprite.color;
            let color = [red, green, blue, alpha * opacity];
            self.fill(&corners, &Ink { place, texture, mask, color, pass });
        }
    }

    fn fill(&mut self, corners: &[Corner; 4], ink: &Ink<'_>) {
        let (width, height) = (self.width, self.height);
        cover::quad(corners, [width, height], |[x, y], spot| {
            let index = y as usize * width as usize + x as usize;
            if let Some(pixel) = self.pixels.get_mut(index) {
                *pixel = blend(&ink.pass.blend, ink.color(spot), *pixel);
            }
        });
    }
}

/// The largest side of a picture that GPUs draw as well.
const MAX_SIDE: u32 = 16384;

/// A corner of a quad in clip space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Corner {
    /// x, y, z, w.
    clip: [f64; 4],
    /// Where in the quad it is, both coordinates 0 or 1.
    place: [f64; 2],
}

impl Corner {
    /// The corners if they are anywhere.
    fn finite(corners: [Self; 4]) -> Option<[Self; 4]> {
        let mut numbers = corners.iter().flat_map(|corner| corner.clip);
        numbers.all(f64::is_finite).then_some(corners)
    }
}

/// Corners going around a quad.
const PLACES: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// The part of the texture that a quad shows: where its place (0, 0) is, and how far it goes.
struct Place {
    origin: [f64; 2],
    extent: [f64; 2],
}

impl Place {
    fn new(atlas: &Atlas, is_sheet: bool, billboard: &Billboard) -> Self {
        let at = |place| atlas.uv(is_sheet, billboard.cell as u32, place);
        let (origin, end) = (at([0.0, 0.0]), at([1.0, 1.0]));
        Self { origin, extent: [end[0] - origin[0], end[1] - origin[1]] }
    }

    fn between(start: [f32; 2], end: [f32; 2]) -> Self {
        let extent = [0, 1].map(|axis| f64::from(end[axis]) - f64::from(start[axis]));
        Self { origin: start.map(f64::from), extent }
    }

    fn scaled(&self, place: [f64; 2]) -> [f64; 2] {
        [place[0] * self.extent[0], place[1] * self.extent[1]]
    }
}

/// What colours the pixels of a quad.
struct Ink<'a> {
    place: Place,
    texture: &'a Texture,
    mask: [f32; 4],
    color: [f32; 4],
    pass: Pass,
}

impl Ink<'_> {
    fn color(&self, spot: cover::Spot) -> [f32; 4] {
        let [u, v] = self.place.scaled(spot.place);
        let uv = [self.place.origin[0] + u, self.place.origin[1] + v];
        let steps = spot.steps.map(|step| self.place.scaled(step));
        let texel = self.texture.sample(uv, steps);
        let mut color: [f32; 4] = std::array::from_fn(|channel| {
            let mask = self.mask[channel];
            (texel[channel] * mask + 1.0 - mask) * self.color[channel]
        });
        if self.pass.fades_to_white {
            let alpha = self.color[3] * texel[3];
            for channel in &mut color[..3] {
                *channel = *channel * alpha + 1.0 - alpha;
            }
        }
        color
    }
}

fn blend(blend: &Blend, source: [f32; 4], pixel: [u8; 4]) -> [u8; 4] {
    // What is not a number adds nothing.
    let source = source.map(|channel| if channel > 0.0 { channel.min(1.0) } else { 0.0 });
    blend.apply(source, pixel.map(|channel| f32::from(channel) / 255.0)).map(unorm)
}

fn unorm(channel: f32) -> u8 {
    // A cast limits to what a byte holds.
    (channel * 255.0).round_ties_even() as u8
}
