//! Pictures on the GPU.

use super::canvas::Canvas;
use super::error::RenderError;
use crate::gpu::device::guarded;
use crate::picture::{Filter, Image};

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
        let levels = filter.levels(image);
        let upload = || {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("pyrograph picture"),
                size: extent(image),
                mip_level_count: levels.len() as u32,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            });
            for (mip_level, level) in (0..).zip(&levels) {
                let to = wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() };
                queue.write_texture(to, level.data(), layout(level), extent(level));
            }
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let view = guarded(device, "uploading a picture", upload)?;
        Ok(Self { view, filter, size: [image.width(), image.height()] })
    }

    /// Width and height in texels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }
}

fn extent(level: &Image) -> wgpu::Extent3d {
    wgpu::Extent3d { width: level.width(), height: level.height(), depth_or_array_layers: 1 }
}

fn layout(level: &Image) -> wgpu::TexelCopyBufferLayout {
    wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(4 * level.width()),
        rows_per_image: None,
    }
}
