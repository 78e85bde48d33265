//! Draws a system whose particles are on the CPU.

use super::canvas::Canvas;
use super::error::RenderError;
use super::quads::{From, Options, Picture, Quads, Softness};
use super::shaders::Source;
use super::texture::Texture;
use crate::gpu::device::guarded;
use crate::picture::{Atlas, Billboards, FrameError};
use crate::program::{Camera, ParticleProgram, ParticleState};
use crate::system::ParticleSystem;

/// Draws one system. Particles are uploaded when they have changed, in one piece, whatever the blend
/// mode; MultiplyAdd draws them twice.
#[derive(Debug)]
pub struct Renderer {
    quads: Quads,
    billboards: Billboards,
    /// Grows with the particles, as far as the system's capacity.
    buffer: Option<wgpu::Buffer>,
    /// Records in the buffer.
    count: u32,
    /// For which camera the records were sorted.
    sorted: Option<Camera>,
}

const FROM: From<'static> = From { source: Source::Records, columns: None };

impl Renderer {
    /// A renderer for systems like this one.
    ///
    /// # Errors
    /// There is no picture ([`RenderError::NoTexture`]), or the device refuses the pipelines.
    pub fn new<P: ParticleProgram>(
        canvas: &Canvas,
        system: &ParticleSystem<P>,
        picture: Picture,
        options: Options,
    ) -> Result<Self, RenderError> {
        Self::of(canvas, system.program(), picture, options)
    }

    /// Like [`new`](Self::new), for particles without a driver.
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn of<S: ParticleState + ?Sized>(
        canvas: &Canvas,
        state: &S,
        picture: Picture,
        options: Options,
    ) -> Result<Self, RenderError> {
        Ok(Self {
            quads: Quads::new(canvas, state.render(), picture, options, FROM)?,
            billboards: Billboards::new(),
            buffer: None,
            count: 0,
            sorted: None,
        })
    }

    /// Gives the picture, or takes it away until another arrives. [`prepare`](Self::prepare) has to
    /// follow.
    ///
    /// # Errors
    /// The device is lost.
    pub fn set_picture(&mut self, texture: Option<Texture>) -> Result<(), RenderError> {
        // The particles have to be looked at again: the new picture may have fewer cells.
        self.forget();
        self.quads.set_picture(texture)
    }

    /// Makes quads fade near the scene, or not.
    ///
    /// # Errors
    /// The device refuses the pipelines, or is lost.
    pub fn set_softness(&mut self, softness: Option<Softness>) -> Result<(), RenderError> {
        self.quads.set_softness(softness, FROM)
    }

    /// Goes on with another target on the same device.
    ///
    /// # Errors
    /// The device refuses the pipelines, or is lost.
    pub fn set_canvas(&mut self, canvas: &Canvas) -> Result<(), RenderError> {
        self.quads.set_canvas(canvas, FROM)
    }

    /// Uploads what has changed since the last call, ahead of what is submitted next, and gives how
    /// many bytes that were. While the picture is awaited, nothing is uploaded.
    ///
    /// # Errors
    /// A particle shows a cell that the picture does not have; nothing is drawn then. Or the device is
    /// lost, or has no memory.
    pub fn prepare<P: ParticleProgram>(
        &mut self,
        system: &ParticleSystem<P>,
        camera: &Camera,
    ) -> Result<u64, RenderError> {
        let Some(atlas) = self.quads.atlas() else { return Ok(0) };
        let frames = self.frames(&atlas);
        let has_changed = self.billboards.sync(system, frames);
        self.upload(has_changed, system.emitter_matrix(), camera)
    }

    /// Like [`prepare`](Self::prepare), for particles without a driver: all of them are uploaded.
    /// `emitter` is the emitter's world matrix, column-major.
    ///
    /// # Errors
    /// See [`prepare`](Self::prepare).
    pub fn prepare_state<S: ParticleState + ?Sized>(
        &mut self,
        state: &S,
        emitter: &[f64; 16],
        camera: &Camera,
    ) -> Result<u64, RenderError> {
        let Some(atlas) = self.quads.atlas() else { return Ok(0) };
        let frames = self.frames(&atlas);
        let packed = self.billboards.pack(state, emitter, frames);
        self.upload(packed.map(|()| true), emitter, camera)
    }

    /// How many cells there are, if that matters.
    fn frames(&self, atlas: &Atlas) -> Option<u32> {
        (!self.quads.options.takes_any_cell).then(|| atlas.frames())
    }

    fn upload(
        &mut self,
        has_changed: Result<bool, FrameError>,
        emitter: &[f64; 16],
        camera: &Camera,
    ) -> Result<u64, RenderError> {
        let has_changed = match has_changed {
            Ok(has_changed) => has_changed,
            Err(error) => {
                self.forget();
                return Err(error.into());
            }
        };
        let is_unsorted = self.quads.options.is_sorted && self.sorted.as_ref() != Some(camera);
        let mut bytes = 0;
        if has_changed || is_unsorted {
            if self.quads.options.is_sorted {
                self.billboards.sort(camera);
                self.sorted = Some(*camera);
            }
            bytes += self.upload_records()?;
        }
        // Columns have nothing to say here.
        Ok(bytes + self.quads.prepare(camera, emitter, [0.0; 16])?)
    }

    fn upload_records(&mut self) -> Result<u64, RenderError> {
        let bytes: &[u8] = bytemuck::cast_slice(self.billboards.words());
        let size = bytes.len() as u64;
        self.count = 0;
        let (device, queue) = (self.quads.canvas.device(), self.quads.canvas.queue());
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < size) {
            let create = || {
                device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("pyrograph records"),
                    size: size.next_power_of_two(),
                    usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                })
            };
            self.buffer = None;
            self.buffer = Some(guarded(device, "making room for particles", create)?);
        }
        if let Some(buffer) = self.buffer.as_ref().filter(|_| size > 0) {
            let write = || queue.write_buffer(buffer, 0, bytes);
            guarded(device, "uploading particles", write)?;
        }
        self.count = self.billboards.len() as u32;
        Ok(size)
    }

    /// What was packed and uploaded is void.
    fn forget(&mut self) {
        self.billboards = Billboards::new();
        self.count = 0;
        self.sorted = None;
    }

    /// Records the draws into a pass whose attachments are those of the canvas's target. It sets
    /// pipelines, the vertex buffer of slot 0 and the bind group of index 0.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(buffer) = self.buffer.as_ref().filter(|_| self.count > 0) else { return };
        pass.set_vertex_buffer(0, buffer.slice(..));
        self.quads.draw(pass, |pass| pass.draw(0..6, 0..self.count));
    }
}
