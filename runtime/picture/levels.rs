//! How pictures are read, and the smaller versions of them that are read where they are drawn small.

use super::Image;

/// How texels are read between their middles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// Between texels and between levels of detail, up to 4 times as fine along one axis as along the
    /// other: as Babylon reads pictures that are loaded.
    #[default]
    Smooth,
    /// The nearest texel of the finest level.
    Nearest,
}

impl Filter {
    /// The levels of detail of a picture that it reads: the picture, then each half as wide and high
    /// as the one before, down to one texel.
    #[must_use]
    pub fn levels(self, image: &Image) -> Vec<Image> {
        let mut levels = vec![image.clone()];
        while let (Self::Smooth, Some(last)) = (self, levels.last()) {
            if last.width().max(last.height()) <= 1 {
                break;
            }
            levels.push(halved(last));
        }
        levels
    }
}

/// The next level: each texel is what lies under its middle, read between the four nearest texels,
/// which is their mean where the sides are even.
fn halved(image: &Image) -> Image {
    let (width, height) = ((image.width() / 2).max(1), (image.height() / 2).max(1));
    let columns = taps(image.width(), width);
    let rows = taps(image.height(), height);
    let mut bytes = Vec::with_capacity(4 * width as usize * height as usize);
    for &(top, bottom, down) in &rows {
        for &(left, right, across) in &columns {
            for channel in 0..4 {
                let texel = |x: u32, y: u32| image.byte(x, y, channel) as f32;
                let upper = mix(texel(left, top), texel(right, top), across);
                let lower = mix(texel(left, bottom), texel(right, bottom), across);
                bytes.push((mix(upper, lower, down) + 0.5) as u8);
            }
        }
    }
    Image::new(width, height, bytes).unwrap_or_default()
}

fn mix(a: f32, b: f32, amount: f32) -> f32 {
    a + (b - a) * amount
}

/// For each texel of a shorter row: the two texels of the longer one on both sides of its middle, and
/// how near the second is.
fn taps(from: u32, to: u32) -> Vec<(u32, u32, f32)> {
    let tap = |at: u32| {
        let middle = (at as f32 + 0.5) * from as f32 / to as f32 - 0.5;
        let first = middle.floor().max(0.0);
        let second = (first as u32 + 1).min(from.saturating_sub(1));
        (first as u32, second, middle - first)
    };
    (0..to).map(tap).collect()
}

#[cfg(test)]
mod tests {
    use super::{Filter, Image};

    #[test]
    fn levels_are_means() {
        let levels = |width, height, reds: &[u8]| {
            let bytes: Vec<u8> = reds.iter().flat_map(|&red| [red, 0, 255, 7]).collect();
            Filter::Smooth.levels(&Image::new(width, height, bytes).unwrap())
        };
        let reds = |image: &Image| -> Vec<u32> {
            (0..image.width()).map(|x| image.byte(x, 0, 0)).collect()
        };
        let chain = levels(4, 2, &[0, 100, 20, 40, 100, 200, 60, 81]);
        let sizes: Vec<_> = chain.iter().map(|level| (level.width(), level.height())).collect();
        assert_eq!(sizes, [(4, 2), (2, 1), (1, 1)]);
        assert_eq!((reds(&chain[1]), reds(&chain[2])), (vec![100, 50], vec![75]));
        assert_eq!(chain[1].data()[1..4], [0, 255, 7]);
        assert_eq!(reds(&levels(3, 1, &[9, 50, 90])[1]), [50]);
        assert_eq!(reds(&levels(1, 3, &[9, 50, 90])[1]), [50]);
        assert_eq!(Filter::Nearest.levels(&chain[0]).len(), 1);
        assert_eq!(Filter::Smooth.levels(&Image::default()).len(), 1);
    }
}
