//! Pictures on the GPU.

use super::canvas::Canvas;
use super::error::RenderError;
use crate::gpu::device::guarded;
use crate::picture::Image;

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

/// A picture on the GPU: RGBA bytes without conversion, repeated beyond its edges. Clones are the
/// same picture.
#[derive(Clone, Debug)]
pub struct Texture {
    pub(super) view: wgpu::TextureView,
    pub(super) filter: Filter,
    /// Width and height in texels.
    pub(super) size: [u32; 2],
}

impl Texture {
    /// Uploads a picture with all its levels of detail.
    ///
    /// # Errors
    /// The picture has no texels or more than the device takes, or the device is lost.
    pub fn new(canvas: &Canvas, image: &Image, filter: Filter) -> Result<Self, RenderError> {
        let (device, queue) = (canvas.device(), canvas.queue());
        let (width, height) = (image.width(), image.height());
        let levels = match filter {
            Filter::Smooth => width.max(height).max(1).ilog2() + 1,
            Filter::Nearest => 1,
        };
        let upload = || {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("pyrograph picture"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: levels,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            });
            let mut level = Level { width, height, bytes: image.data().to_vec() };
            for mip_level in 0..levels {
                if mip_level > 0 {
                    level = level.halved();
                }
                let to = wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() };
                queue.write_texture(to, &level.bytes, level.layout(), level.extent());
            }
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let view = guarded(device, "uploading a picture", upload)?;
        Ok(Self { view, filter, size: [width, height] })
    }

    /// Width and height in texels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }
}

/// One level of detail.
struct Level {
    width: u32,
    height: u32,
    bytes: Vec<u8>,
}

impl Level {
    fn layout(&self) -> wgpu::TexelCopyBufferLayout {
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * self.width),
            rows_per_image: None,
        }
    }

    fn extent(&self) -> wgpu::Extent3d {
        wgpu::Extent3d { width: self.width, height: self.height, depth_or_array_layers: 1 }
    }

    /// The next level: each texel is what lies under its middle, read between the four nearest texels,
    /// which is their mean where the sides are even.
    fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let columns = taps(self.width, width);
        let rows = taps(self.height, height);
        let mut bytes = Vec::with_capacity(4 * width as usize * height as usize);
        for &(top, bottom, down) in &rows {
            for &(left, right, across) in &columns {
                for channel in 0..4 {
                    let texel = |x: usize, y: usize| {
                        f32::from(self.bytes[4 * (y * self.width as usize + x) + channel])
                    };
                    let upper = mix(texel(left, top), texel(right, top), across);
                    let lower = mix(texel(left, bottom), texel(right, bottom), across);
                    bytes.push((mix(upper, lower, down) + 0.5) as u8);
                }
            }
        }
        Self { width, height, bytes }
    }
}

fn mix(a: f32, b: f32, amount: f32) -> f32 {
    a + (b - a) * amount
}

/// For each texel of a shorter row: the two texels of the longer one on both sides of its middle, and
/// how near the second is.
fn taps(from: u32, to: u32) -> Vec<(usize, usize, f32)> {
    let tap = |at: u32| {
        let middle = (at as f32 + 0.5) * from as f32 / to as f32 - 0.5;
        let first = middle.floor().max(0.0);
        let second = (first as usize + 1).min(from as usize - 1);
        (first as usize, second, middle - first)
    };
    (0..to).map(tap).collect()
}

#[cfg(test)]
mod tests {
    use super::Level;

    #[test]
    fn levels_are_means() {
        let level = |width, height, reds: &[u8]| Level {
            width,
            height,
            bytes: reds.iter().flat_map(|&red| [red, 0, 255, 7]).collect(),
        };
        let reds = |level: &Level| level.bytes.chunks(4).map(|texel| texel[0]).collect::<Vec<_>>();
        let next = level(4, 2, &[0, 100, 20, 40, 100, 200, 60, 81]).halved();
        assert_eq!((next.width, next.height), (2, 1));
        assert_eq!(reds(&next), [100, 50]);
        assert_eq!(next.bytes[1..4], [0, 255, 7]);
        assert_eq!(reds(&level(3, 1, &[9, 50, 90]).halved()), [50]);
        assert_eq!(reds(&level(1, 3, &[9, 50, 90]).halved()), [50]);
    }
}
