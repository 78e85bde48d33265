//! A program whose system-domain bodies run on the host and whose particle-domain bodies are
//! recorded for a GPU. It lets [`ParticleSystem`](crate::ParticleSystem) drive both.

use std::sync::Arc;

use pyrograph_compiler::emit::wgsl::Manifest;
use pyrograph_compiler::ir::UniformSource;

use super::recording::Recording;
use crate::error::StepError;
use crate::interpreted::Interpreted;
use crate::program::{
    Camera, EmissionFacts, Field, Frame, ParticleProgram, ParticleState, Profile, RenderFacts,
};
use crate::random::Random;

/// Records steps. Its own state holds no particles.
#[derive(Debug)]
pub(super) struct Recorder {
    /// Runs `init`, `prepare` and `emit_rate`.
    host: Interpreted,
    manifest: Arc<Manifest>,
    /// Where each uniform of a block comes from and its first byte.
    uniforms: Vec<(UniformSource, usize)>,
    /// Workgroups of a kernel with one a chunk.
    chunks: [u32; 2],
    /// The block being filled, as long as the distance between blocks.
    block: Vec<u8>,
    pub(super) recording: Recording,
}

impl Recorder {
    pub(super) fn new(
        host: Interpreted,
        manifest: Arc<Manifest>,
        chunks: [u32; 2],
        stride: u32,
    ) -> Self {
        let program = host.instance().program();
        let source =
            |&(uniform, offset): &(_, u32)| (program.uniforms[uniform].source, offset as usize);
        let uniforms = manifest.layout.uniforms.iter().map(source).collect();
        let block = vec![0; stride as usize];
        Self { host, manifest, uniforms, chunks, block, recording: Recording::default() }
    }
}

/// Bits of a uniform, rounded to the precision of the kernels.
fn bits(source: UniformSource, frame: &Frame, prepared: &[f64]) -> u32 {
    let emitter = |element: usize| frame.emitter.get(element).copied().unwrap_or(0.0);
    let camera = |numbers: fn(&Camera) -> &[f64], element: u8| {
        let numbers = frame.camera.as_ref().map_or(&[][..], numbers);
        numbers.get(usize::from(element)).copied().unwrap_or(0.0)
    };
    let float = match source {
        UniformSource::Delta => frame.delta,
        UniformSource::Time => frame.time,
        UniformSource::EmitterPosition(axis) => emitter(12 + usize::from(axis)),
        UniformSource::EmitterMatrix(element) => emitter(usize::from(element)),
        UniformSource::Prepared(index) => prepared.get(index as usize).copied().unwrap_or(0.0),
        UniformSource::HasCamera => return u32::from(frame.camera.is_some()),
        UniformSource::CameraPosition(axis) => camera(|camera| &camera.position, axis),
        UniformSource::View(element) => camera(|camera| &camera.view, element),
        UniformSource::ViewProjection(element) => camera(|camera| &camera.view_projection, element),
        // Systems have no pixels yet.
        UniformSource::TextureWidth(_) | UniformSource::TextureHeight(_) => 0.0,
        UniformSource::Step => return frame.step,
        UniformSource::Seed => return frame.seed,
    };
    (float as f32).to_bits()
}

impl ParticleState for Recorder {
    fn name(&self) -> &str {
        self.host.name()
    }

    fn capacity(&self) -> u32 {
        self.host.capacity()
    }

    fn render(&self) -> RenderFacts {
        self.host.render()
    }

    fn alive(&self) -> u32 {
        self.host.alive()
    }

    fn slots(&self) -> u32 {
        self.host.slots()
    }

    fn is_alive(&self, slot: u32) -> bool {
        self.host.is_alive(slot)
    }

    fn value(&self, slot: u32, field: Field) -> Option<f64> {
        self.host.value(slot, field)
    }
}

impl ParticleProgram for Recorder {
    type Particles<'a> = ();

    fn ordinal(&self) -> u32 {
        self.host.ordinal()
    }

    fn profile(&self) -> Profile {
        self.host.profile()
    }

    fn emission(&self) -> EmissionFacts {
        self.host.emission()
    }

    fn init<R: Random + ?Sized>(
        &mut self,
        frame: &Frame,
        random: &mut R,
    ) -> Result<Option<f64>, StepError> {
        self.host.init(frame, random)
    }

    fn prepare<R: Random + ?Sized>(
        &mut self,
        frame: &Frame,
        random: &mut R,
    ) -> Result<(), StepError> {
        self.host.prepare(frame, random)
    }

    fn emit_rate<R: Random + ?Sized>(
        &mut self,
        frame: &Frame,
        random: &mut R,
    ) -> Result<Option<f64>, StepError> {
        self.host.emit_rate(frame, random)
    }

    /// Records the kernels of the whole step, with no births.
    fn update<R: Random + ?Sized>(&mut self, frame: &Frame, _: &mut R) -> Result<(), StepError> {
        self.block.fill(0);
        for &(source, offset) in &self.uniforms {
            let bits = bits(source, frame, self.host.instance().prepared());
            if let Some(word) = self.block.get_mut(offset..offset + 4) {
                word.copy_from_slice(&bits.to_le_bytes());
            }
        }
        self.recording.step(&self.manifest, self.chunks, &self.block);
        Ok(())
    }

    /// Asks the step just recorded for births.
    fn birth<R: Random + ?Sized>(
        &mut self,
        _: &Frame,
        count: u32,
        _: &mut R,
    ) -> Result<(), StepError> {
        self.recording.set_births(count, self.block.len());
        Ok(())
    }

    fn particles(&self) -> Self::Particles<'_> {}

    fn clear(&mut self) {
        self.recording.clear_particles(&self.manifest);
    }
}
