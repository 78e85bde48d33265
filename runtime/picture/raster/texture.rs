//! Reads pictures as GPUs do: repeated in both directions, and where they are drawn small, from their
//! smaller levels.

use super::super::{Filter, Image};
use crate::numeric::exact::ln;

/// A picture that can be read at any place and any size.
#[derive(Clone, Debug)]
pub struct Texture {
    levels: Vec<Image>,
    filter: Filter,
}

/// Places at most that one pixel reads along the longer of its sides.
const ANISOTROPY: f64 = 4.0;

impl Texture {
    /// The picture with the levels of detail that the filter reads.
    #[must_use]
    pub fn new(image: &Image, filter: Filter) -> Self {
        Self { levels: filter.levels(image), filter }
    }

    /// The picture itself.
    #[must_use]
    pub fn image(&self) -> &Image {
        // There is always one level.
        &self.levels[0]
    }

    /// The colour at a place, where `steps` are the ways to the next pixels: red, green, blue, alpha
    /// from 0 to 1. Nothing where there are no texels.
    pub(super) fn sample(&self, uv: [f64; 2], steps: [[f64; 2]; 2]) -> [f32; 4] {
        match self.filter {
            Filter::Nearest => nearest(self.image(), uv),
            Filter::Smooth => self.smooth(uv, steps),
        }
    }

    /// Places along the longer step, so many that each is read from levels whose texels are about as
    /// large as the shorter step.
    fn smooth(&self, uv: [f64; 2], steps: [[f64; 2]; 2]) -> [f32; 4] {
        let (width, height) = (self.image().width(), self.image().height());
        let lengths = steps.map(|[u, v]| {
            let [x, y] = [u * f64::from(width), v * f64::from(height)];
            (x * x + y * y).sqrt()
        });
        let along = usize::from(lengths[1] > lengths[0]);
        let (long, short) = (lengths[along], lengths[1 - along]);
        // Both are 0 where a quad shows a single place.
        let ratio = if long > short { (long / short).min(ANISOTROPY) } else { 1.0 };
        let level = (ln(long / ratio) / std::f64::consts::LN_2).max(0.0);
        // Sides that are equal but for rounding need one place.
        let places = (ratio - 1.0 / 256.0).ceil();
        let mut sum = [0.0; 4];
        for place in 0..places as u32 {
            let part = (f64::from(place) + 0.5) / places - 0.5;
            let uv = std::array::from_fn(|axis| uv[axis] + steps[along][axis] * part);
            let color = self.between_levels(uv, level);
            sum.iter_mut().zip(color).for_each(|(sum, channel)| *sum += channel);
        }
        sum.map(|channel| channel / places as f32)
    }

    fn between_levels(&self, uv: [f64; 2], level: f64) -> [f32; 4] {
        let lower = level.min(self.levels.len() as f64) as usize;
        let part = (level - lower as f64) as f32;
        match self.levels.get(lower..) {
            Some([near, far, ..]) => mix(linear(near, uv), linear(far, uv), part),
            Some([near]) => linear(near, uv),
            _ => self.levels.last().map_or([0.0; 4], |last| linear(last, uv)),
        }
    }
}

fn nearest(image: &Image, [u, v]: [f64; 2]) -> [f32; 4] {
    let at = |part: f64, side: u32| (part * f64::from(side)).floor();
    texel(image, at(u, image.width()), at(v, image.height()))
}

/// The mixture of the four texels around a place.
fn linear(image: &Image, [u, v]: [f64; 2]) -> [f32; 4] {
    let [x, y] = [u * f64::from(image.width()) - 0.5, v * f64::from(image.height()) - 0.5];
    let (column, row) = (x.floor(), y.floor());
    let across =
        |row| mix(texel(image, column, row), texel(image, column + 1.0, row), (x - column) as f32);
    mix(across(row), across(row + 1.0), (y - row) as f32)
}

/// A texel of the picture, which goes on beyond its edges by repeating itself.
fn texel(image: &Image, column: f64, row: f64) -> [f32; 4] {
    let wrap = |at: f64, side: u32| at.rem_euclid(f64::from(side)) as u32;
    let (x, y) = (wrap(column, image.width()), wrap(row, image.height()));
    [0, 1, 2, 3].map(|channel| image.byte(x, y, channel) as f32 / 255.0)
}

fn mix(a: [f32; 4], b: [f32; 4], part: f32) -> [f32; 4] {
    std::array::from_fn(|channel| a[channel] + (b[channel] - a[channel]) * part)
}
