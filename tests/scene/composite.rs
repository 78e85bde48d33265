//! Draws layers pixel by pixel, from the words of the contract alone: a second opinion for renderers.

use pyrograph::picture::Image;
use pyrograph::picture::sprite2d::{Layer, Sprite};

/// A picture in progress.
pub(crate) struct Composition {
    width: usize,
    pixels: Vec<[f32; 4]>,
}

impl Composition {
    pub(crate) fn new(width: usize, height: usize, clear: [f32; 4]) -> Self {
        Self { width, pixels: vec![clear; width * height] }
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> [f32; 4] {
        self.pixels[y * self.width + x]
    }

    /// Pixels that are not of that colour.
    pub(crate) fn differing(&self, color: [f32; 4]) -> impl Iterator<Item = (usize, usize)> {
        let differing = self.pixels.iter().enumerate().filter(move |(_, pixel)| **pixel != color);
        differing.map(|(index, _)| (index % self.width, index / self.width))
    }

    /// Draws layers one after the other.
    pub(crate) fn draw<'a, I>(
        &mut self,
        layers: impl IntoIterator<Item = (I, &'a Layer, &'a Image)>,
    ) {
        for (_, layer, image) in layers {
            if !layer.presentation.visible {
                continue;
            }
            for sprite in layer.sprites() {
                for (index, pixel) in self.pixels.iter_mut().enumerate() {
                    let place = [index % self.width, index / self.width].map(|at| at as f64 + 0.5);
                    if let Some(texel) = texel(layer, &sprite, image, place) {
                        shade(layer, &sprite, texel, pixel);
                    }
                }
            }
        }
    }
}

/// The nearest texel of a sprite at a pixel; `None` beside it.
fn texel(layer: &Layer, sprite: &Sprite, image: &Image, [x, y]: [f64; 2]) -> Option<[f32; 4]> {
    let shown = &layer.presentation;
    let turn = |[x, y]: [f64; 2], angle: f64| {
        let (sin, cos) = angle.sin_cos();
        [x * cos - y * sin, x * sin + y * cos]
    };
    let view = shown.view;
    let [x, y] = turn([x / view.zoom, y / view.zoom], -view.rotation);
    let from =
        |value: f64, axis: usize| value + view.position_px[axis] - f64::from(sprite.position[axis]);
    let inside = turn([from(x, 0), from(y, 1)], -f64::from(sprite.rotation));
    let part = |axis: usize| inside[axis] / f64::from(sprite.size[axis]) + shown.pivot[axis];
    let part = [part(0), part(1)];
    if !part.iter().all(|part| (0.0..1.0).contains(part)) {
        return None;
    }
    let size = [image.width(), image.height()];
    let at = |axis: usize| {
        let (start, end) = (f64::from(sprite.uv_start[axis]), f64::from(sprite.uv_end[axis]));
        let texel = ((start + (end - start) * part[axis]) * f64::from(size[axis])).floor();
        texel.rem_euclid(f64::from(size[axis])) as u32
    };
    let (x, y) = (at(0), at(1));
    Some([0, 1, 2, 3].map(|channel| image.byte(x, y, channel) as f32 / 255.0))
}

/// Section 10.5: the fragment, and the blend.
fn shade(layer: &Layer, sprite: &Sprite, texel: [f32; 4], pixel: &mut [f32; 4]) {
    let opacity = [1.0, 1.0, 1.0, layer.presentation.opacity as f32];
    let mut color: [f32; 4] =
        std::array::from_fn(|channel| texel[channel] * sprite.color[channel] * opacity[channel]);
    let pass = layer.pass();
    if pass.fades_to_white {
        let alpha = color[3];
        color[..3].iter_mut().for_each(|channel| *channel = *channel * alpha + 1.0 - alpha);
    }
    *pixel = pass.blend.apply(color, *pixel).map(|channel| channel.clamp(0.0, 1.0));
}
