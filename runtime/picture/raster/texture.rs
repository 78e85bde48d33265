//! Reads pictures as GPUs do: repeated in both directions, and where they are drawn small, from
//! smaller versions of themselves.

use crate::texels::Texels;

/// How a picture is read between its texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// Mixed from the texels around and from two levels, at up to four places where it is drawn
    /// steeply: what Babylon does.
    #[default]
    Trilinear,
    /// The texel at the place, of the picture at full size.
    Nearest,
}

/// A picture with its smaller levels, each half as wide and high as the one before.
#[derive(Clone, Debug)]
pub struct Texture {
    levels: Vec<Level>,
    sampling: Sampling,
}

#[derive(Clone, Debug)]
struct Level {
    width: i64,
    height: i64,
    texels: Vec<[u8; 4]>,
}

/// Places at most that one pixel reads along the steeper direction.
const ANISOTROPY: f64 = 4.0;

impl Texture {
    /// The picture, its first row at v = 0.
    #[must_use]
    pub fn new(picture: &Texels, sampling: Sampling) -> Self {
        let (texels, _) = picture.data().as_chunks::<4>();
        let mut level = Level {
            width: i64::from(picture.width()),
            height: i64::from(picture.height()),
            texels: texels.to_vec(),
        };
        let mut levels = Vec::new();
        while sampling == Sampling::Trilinear && level.width.max(level.height) > 1 {
            let next = level.halved();
            levels.push(std::mem::replace(&mut level, next));
        }
        levels.push(level);
        Self { levels, sampling }
    }

    /// Texels in a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.levels.first().map_or(0, |level| level.width as u32)
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.levels.first().map_or(0, |level| level.height as u32)
    }

    /// The colour at a place, where `steps` are the ways to the next pixels: red, green, blue, alpha
    /// from 0 to 1. Nothing where there are no texels.
    pub(super) fn sample(&self, uv: [f64; 2], steps: [[f64; 2]; 2]) -> [f32; 4] {
        match self.sampling {
            Sampling::Nearest => self.levels.first().map_or([0.0; 4], |level| level.nearest(uv)),
            Sampling::Trilinear => self.filtered(uv, steps),
        }
    }

    /// Several places along the longer step, each from levels whose texels are as large as the
    /// distance between them.
    fn filtered(&self, uv: [f64; 2], steps: [[f64; 2]; 2]) -> [f32; 4] {
        let length = |[u, v]: [f64; 2]| {
            let [x, y] = [u * f64::from(self.width()), v * f64::from(self.height())];
            (x * x + y * y).sqrt()
        };
        let lengths = steps.map(length);
        let along = if lengths[0] >= lengths[1] { 0 } else { 1 };
        let (long, short) = (lengths[along], lengths[1 - along]);
        // NaN, of a quad that shows a single place, becomes 1.
        let steepness = (long / short).max(1.0).min(ANISOTROPY);
        let level = log2(long / steepness).max(0.0);
        let places = match std::env::var("P").as_deref() {
            Ok("r") => steepness.round(),
            Ok("n") => 1.0,
            _ => (steepness - 1e-3).ceil(),
        };
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
        let last = self.levels.len() - 1;
        let lower = (level as usize).min(last);
        let part = (level - lower as f64).min(1.0) as f32;
        let near = self.levels[lower].linear(uv);
        if part == 0.0 || lower == last {
            return near;
        }
        mix(near, self.levels[lower + 1].linear(uv), part)
    }
}

impl Level {
    /// The next smaller level: each texel is read in the middle of those that it replaces.
    fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let middle = |index: i64, count: i64| (index as f64 + 0.5) / count as f64;
        let texel = |(x, y)| {
            let color = self.linear([middle(x, width), middle(y, height)]);
            color.map(|channel| (channel * 255.0).round_ties_even() as u8)
        };
        Self { width, height, texels: places.map(texel).collect() }
    }

    fn nearest(&self, [u, v]: [f64; 2]) -> [f32; 4] {
        self.texel((u * self.width as f64).floor() as i64, (v * self.height as f64).floor() as i64)
    }

    /// The mixture of the four texels around a place.
    fn linear(&self, [u, v]: [f64; 2]) -> [f32; 4] {
        let [x, y] = [u * self.width as f64 - 0.5, v * self.height as f64 - 0.5];
        let (left, top) = (x.floor(), y.floor());
        let (column, row) = (left as i64, top as i64);
        let across =
            |row| mix(self.texel(column, row), self.texel(column + 1, row), (x - left) as f32);
        mix(across(row), across(row + 1), (y - top) as f32)
    }

    /// A texel of the picture, which goes on beyond its edges by repeating itself.
    fn texel(&self, x: i64, y: i64) -> [f32; 4] {
        if self.texels.is_empty() {
            return [0.0; 4];
        }
        let index = y.rem_euclid(self.height) * self.width + x.rem_euclid(self.width);
        self.texels[index as usize].map(|channel| f32::from(channel) / 255.0)
    }
}

fn mix(a: [f32; 4], b: [f32; 4], part: f32) -> [f32; 4] {
    std::array::from_fn(|channel| a[channel] + (b[channel] - a[channel]) * part)
}

/// The logarithm to base 2, equal on every machine.
fn log2(x: f64) -> f64 {
    crate::numeric::exact::ln(x) / std::f64::consts::LN_2
}
