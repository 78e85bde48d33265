//! Pictures without a window.

use std::time::Duration;

use super::canvas::Canvas;
use super::error::RenderError;
use crate::gpu::GpuError;
use crate::gpu::device::guarded;
use crate::picture::Image;

/// Attachments of a canvas's target that nothing shows, and the way to read what was drawn.
#[derive(Debug)]
pub struct Offscreen {
    canvas: Canvas,
    size: wgpu::Extent3d,
    color: wgpu::Texture,
    /// Where several samples a pixel are drawn, before they become one.
    samples: Option<wgpu::TextureView>,
    depth: Option<wgpu::TextureView>,
}

/// How long another thread may take to tell that the copy has arrived.
const READ_LIMIT: Duration = Duration::from_secs(10);

const DOING: &str = "drawing a picture";

impl Offscreen {
    /// Attachments of this size in pixels. The target's format must be `Rgba8Unorm` or
    /// `Rgba8UnormSrgb`.
    ///
    /// # Errors
    /// The format is another one, or the device has no textures of this size or no memory for them.
    pub fn new(canvas: &Canvas, width: u32, height: u32) -> Result<Self, RenderError> {
        let target = canvas.target();
        if target.color.remove_srgb_suffix() != wgpu::TextureFormat::Rgba8Unorm {
            let reason = format!("{:?} has no RGBA bytes; use Rgba8Unorm", target.color);
            return Err(GpuError::Device { doing: DOING, reason }.into());
        }
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let texture = |format, sample_count, usage| {
            canvas.device().create_texture(&wgpu::TextureDescriptor {
                label: Some("pyrograph offscreen"),
                size,
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })
        };
        let view =
            |texture: wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let none = wgpu::TextureUsages::empty();
        guarded(canvas.device(), DOING, || Self {
            canvas: canvas.clone(),
            size,
            color: texture(target.color, 1, wgpu::TextureUsages::COPY_SRC),
            samples: (target.samples > 1)
                .then(|| view(texture(target.color, target.samples, none))),
            depth: target.depth.map(|depth| view(texture(depth.format, target.samples, none))),
        })
        .map_err(RenderError::from)
    }

    /// Clears to a colour (red, green, blue, alpha) and to the farthest depth, lets `draw` record its
    /// draws, waits, and gives the picture, the upper row first.
    ///
    /// # Errors
    /// What was recorded is not valid, or the device is lost.
    pub fn draw(
        &self,
        clear: [f64; 4],
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) -> Result<Image, RenderError> {
        let (device, queue) = (self.canvas.device(), self.canvas.queue());
        let wgpu::Extent3d { width, height, .. } = self.size;
        let stride = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let copy = guarded(device, DOING, || {
            let mut encoder =
                device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            self.encode(&mut encoder, clear, draw);
            let copy = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("pyrograph picture"),
                size: u64::from(stride) * u64::from(height),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            });
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(stride),
                rows_per_image: None,
            };
            let to = wgpu::TexelCopyBufferInfo { buffer: &copy, layout };
            encoder.copy_texture_to_buffer(self.color.as_image_copy(), to, self.size);
            queue.submit([encoder.finish()]);
            copy
        })?;
        let lost = || RenderError::from(GpuError::Lost { doing: DOING });
        let (sender, arrived) = std::sync::mpsc::channel();
        guarded(device, DOING, || {
            copy.map_async(wgpu::MapMode::Read, .., move |result| {
                // Nobody waits any more where the receiver is gone.
                let _ = sender.send(result);
            });
            device.poll(wgpu::PollType::wait_indefinitely())
        })?
        .map_err(|_| lost())?;
        // The poll of another thread may have found the copy first, and be about to say so.
        arrived.recv_timeout(READ_LIMIT).map_err(|_| lost())?.map_err(|_| lost())?;
        let mapped = copy.get_mapped_range(..).map_err(|_| lost())?;
        let rows = mapped.chunks_exact(stride as usize);
        let pixels: Vec<u8> = rows.flat_map(|row| &row[..4 * width as usize]).copied().collect();
        drop(mapped);
        Image::new(width, height, pixels).ok_or_else(lost)
    }

    fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        clear: [f64; 4],
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let [r, g, b, a] = clear;
        let color = self.color.create_view(&wgpu::TextureViewDescriptor::default());
        let (view, resolve_target) = match &self.samples {
            Some(samples) => (samples, Some(&color)),
            None => (&color, None),
        };
        let is_reversed = self.canvas.target().depth.is_some_and(|depth| depth.is_reversed);
        let farthest = if is_reversed { 0.0 } else { 1.0 };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("pyrograph picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: self.depth.as_ref().map(|view| {
                wgpu::RenderPassDepthStencilAttachment {
                    view,
                    depth_ops: Some(wgpu::Operations {
                        load: wgpu::LoadOp::Clear(farthest),
                        store: wgpu::StoreOp::Discard,
                    }),
                    stencil_ops: None,
                }
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        draw(&mut pass);
    }
}
