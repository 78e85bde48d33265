//! Draws a system that lives on the GPU, from its columns in place.

use super::canvas::Canvas;
use super::columns::Columns;
use super::error::RenderError;
use super::quads::{From, Options, Picture, Quads, Softness};
use super::shaders::Source;
use super::texture::Texture;
use crate::gpu::GpuSystem;
use crate::gpu::device::guarded;
use crate::program::Camera;
use pyrograph_compiler::emit::wgsl::Resource;

/// Draws instances of one program. How many particles there are is known to the GPU alone: nothing is
/// read back, and what the CPU does is the same for any number. They are drawn in the order of their
/// slots.
#[derive(Debug)]
pub struct GpuRenderer {
    quads: Quads,
    columns: Columns,
    layout: wgpu::BindGroupLayout,
    bound: Option<Bound>,
}

/// The buffers of an instance.
#[derive(Debug)]
struct Bound {
    /// The arguments of the draw, then what is bound.
    buffers: Vec<wgpu::Buffer>,
    group: wgpu::BindGroup,
}

impl GpuRenderer {
    /// A renderer for instances of this system's program. The device must be the system's.
    ///
    /// # Errors
    /// There is no picture ([`RenderError::NoTexture`]), or the device refuses the pipelines.
    pub fn new(
        canvas: &Canvas,
        system: &GpuSystem,
        picture: Picture,
        options: Options,
    ) -> Result<Self, RenderError> {
        let program = system.program();
        let columns =
            Columns::new(&program.module().programs[program.index()], &system.manifest().layout);
        let layout = guarded(canvas.device(), "preparing to draw", || {
            columns.group_layout(canvas.device())
        })?;
        let from = from(&columns, &layout);
        let quads = Quads::new(canvas, system.render(), picture, options, from)?;
        Ok(Self { quads, columns, layout, bound: None })
    }

    /// Gives the picture, or takes it away until another arrives. [`prepare`](Self::prepare) has to
    /// follow.
    ///
    /// # Errors
    /// The device is lost.
    pub fn set_picture(&mut self, texture: Option<Texture>) -> Result<(), RenderError> {
        self.quads.set_picture(texture)
    }

    /// Makes quads fade near the scene, or not.
    ///
    /// # Errors
    /// The device refuses the pipelines, or is lost.
    pub fn set_softness(&mut self, softness: Option<Softness>) -> Result<(), RenderError> {
        self.quads.set_softness(softness, from(&self.columns, &self.layout))
    }

    /// Goes on with another target on the same device.
    ///
    /// # Errors
    /// The device refuses the pipelines, or is lost.
    pub fn set_canvas(&mut self, canvas: &Canvas) -> Result<(), RenderError> {
        self.quads.set_canvas(canvas, from(&self.columns, &self.layout))
    }

    /// Uploads the camera if it has changed, and gives how many bytes that took. The system's steps
    /// have to be submitted, or encoded, ahead of the pass.
    ///
    /// # Errors
    /// The device is lost.
    pub fn prepare(&mut self, system: &GpuSystem, camera: &Camera) -> Result<u64, RenderError> {
        self.bind(system)?;
        self.quads.prepare(camera, system.emitter_matrix(), self.columns.fixed)
    }

    fn bind(&mut self, system: &GpuSystem) -> Result<(), RenderError> {
        let resources =
            || [Resource::Control].into_iter().chain(self.columns.bindings.iter().copied());
        let buffers = || resources().filter_map(|resource| system.buffer(resource));
        let is_bound = |bound: &Bound| bound.buffers.iter().eq(buffers());
        if self.bound.as_ref().is_some_and(is_bound) {
            return Ok(());
        }
        let buffers: Vec<_> = buffers().cloned().collect();
        let bound = buffers.iter().skip(1);
        let entries: Vec<_> = (0..)
            .zip(bound)
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let device = self.quads.canvas.device();
        let group = guarded(device, "binding particles", || {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("pyrograph columns"),
                layout: &self.layout,
                entries: &entries,
            })
        })?;
        self.bound = Some(Bound { buffers, group });
        Ok(())
    }

    /// Records the draws into a pass whose attachments are those of the canvas's target. It sets
    /// pipelines and the bind groups of index 0 and 1.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(Bound { buffers, group }) = &self.bound else { return };
        let Some(control) = buffers.first() else { return };
        pass.set_bind_group(1, group, &[]);
        self.quads.draw(pass, |pass| pass.draw_indirect(control, 0));
    }
}

fn from<'a>(columns: &'a Columns, layout: &'a wgpu::BindGroupLayout) -> From<'a> {
    From { source: Source::Columns(&columns.text), columns: Some(layout) }
}
