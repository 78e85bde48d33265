//! A program whose system-domain bodies run on the host and whose particle-domain bodies are
//! recorded for a GPU. It lets [`ParticleSystem`](crate::ParticleSystem) drive both.

use std::sync::Arc;

use pyrograph_compiler::emit::layout::TEXTURE_HEAD;
use pyrograph_compiler::emit::wgsl::Manifest;
use pyrograph_compiler::ir::{Handle, Texture, UniformSource};

use super::journal::{Entry, Journal};
use super::program::GpuProgram;
use super::recording::Recording;
use crate::error::StepError;
use crate::inputs::{InputFacts, facts, find};
use crate::interpreted::Interpreted;
use crate::memory::{Loader, Saver};
use crate::program::{
    EmissionFacts, Field, Frame, ParticleProgram, ParticleState, Profile, RenderFacts,
};
use crate::random::Random;
use crate::texels::{Texels, TextureFacts};
use crate::threads::Executor;

/// Records steps. Its own state holds no particles.
#[derive(Debug)]
pub(super) struct Recorder {
    /// Runs `init`, `prepare` and `emit_rate`.
    host: Interpreted,
    /// Pixels of the program's textures.
    textures: Vec<Texels>,
    manifest: Arc<Manifest>,
    /// Where each uniform of a block comes from and its first byte.
    uniforms: Vec<(UniformSource, usize)>,
    /// The block being filled, as long as the distance between blocks.
    block: Vec<u8>,
    pub(super) recording: Recording,
    /// What was recorded since the newest checkpoint, where checkpoints are kept.
    pub(super) journal: Option<Journal>,
}

impl Recorder {
    pub(super) fn new(gpu: &GpuProgram) -> Self {
        let host = gpu.host();
        let manifest = Arc::clone(gpu.manifest());
        let program = host.instance().program();
        let source =
            |&(uniform, offset): &(_, u32)| (program.uniforms[uniform].source, offset as usize);
        let uniforms = manifest.layout.uniforms.iter().map(source).collect();
        let textures = vec![Texels::default(); program.textures.len()];
        Self {
            host,
            textures,
            manifest,
            uniforms,
            block: vec![0; gpu.stride() as usize],
            recording: Recording::default(),
            journal: None,
        }
    }

    /// Goes on for the same program on another device, with nothing recorded.
    pub(super) fn retarget(&mut self, gpu: &GpuProgram) {
        self.manifest = Arc::clone(gpu.manifest());
        self.block = vec![0; gpu.stride() as usize];
        self.recording.reset();
    }

    /// Records a step again that a journal kept.
    pub(super) fn repeat(gpu: &GpuProgram, recording: &mut Recording, block: &[u8]) {
        let mut padded = block.to_vec();
        padded.resize(gpu.stride() as usize, 0);
        recording.step(gpu.manifest(), &padded);
    }

    /// The textures that kernels read, as the layout has them.
    pub(super) fn texel_words(&self) -> Vec<u32> {
        let textures = &self.manifest.layout.textures;
        let textures = || textures.iter().filter_map(|texture| self.textures.get(texture.index()));
        let mut words = Vec::new();
        let mut first = textures().count() as u32 * TEXTURE_HEAD;
        for texels in textures() {
            words.extend([first, texels.width(), texels.height()]);
            first = first.saturating_add(texels.width().saturating_mul(texels.height()));
        }
        for texels in textures() {
            let bytes = texels.data().chunks_exact(4);
            words.extend(bytes.map(|texel| {
                texel.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
            }));
        }
        words
    }

    /// Whether kernels read textures.
    pub(super) fn has_texels(&self) -> bool {
        !self.manifest.layout.textures.is_empty()
    }

    /// Takes over the pixels of textures that have the same address.
    pub(super) fn take_textures(&mut self, old: &Self) {
        let known = old.textures();
        let wanted: Vec<Option<usize>> = self
            .textures()
            .iter()
            .map(|new| known.iter().position(|old| (old.url, old.flip) == (new.url, new.flip)))
            .collect();
        for (index, found) in wanted.into_iter().enumerate() {
            if let Some(texels) = found.and_then(|found| old.textures.get(found)) {
                self.set_texture(index, texels.clone());
            }
        }
    }

    /// Takes over the inputs of the same name that the host has changed.
    pub(super) fn take_inputs(&mut self, old: &Self) {
        for (index, facts) in facts(old).enumerate() {
            let numbers = old.input_numbers(index);
            if numbers != facts.initial
                && let Ok(index) = find(self, facts.name, numbers.len())
            {
                self.set_input_numbers(index, numbers);
            }
        }
    }

    /// Bits of a uniform, rounded to the precision of the kernels.
    fn bits(&self, source: UniformSource, frame: &Frame) -> u32 {
        let texels = |texture: Handle<Texture>| self.textures.get(texture.index());
        let float = match source {
            UniformSource::TextureWidth(texture) => {
                texels(texture).map_or(0.0, |texels| f64::from(texels.width()))
            }
            UniformSource::TextureHeight(texture) => {
                texels(texture).map_or(0.0, |texels| f64::from(texels.height()))
            }
            UniformSource::Delta => frame.delta,
            UniformSource::Time => frame.time,
            UniformSource::EmitterPosition(axis) => at(&frame.emitter, 12 + axis),
            UniformSource::EmitterMatrix(element) => at(&frame.emitter, element),
            UniformSource::Prepared(index) => {
                self.host.instance().prepared().get(index as usize).copied().unwrap_or(0.0)
            }
            UniformSource::Input(input, component) => {
                at(self.host.instance().input(input), component)
            }
            UniformSource::HasCamera => return u32::from(frame.camera.is_some()),
            UniformSource::CameraPosition(axis) => {
                frame.camera.as_ref().map_or(0.0, |camera| at(&camera.position, axis))
            }
            UniformSource::View(element) => {
                frame.camera.as_ref().map_or(0.0, |camera| at(&camera.view, element))
            }
            UniformSource::ViewProjection(element) => {
                frame.camera.as_ref().map_or(0.0, |camera| at(&camera.view_projection, element))
            }
            UniformSource::Step => return frame.step,
            UniformSource::Seed => return frame.seed,
        };
        (float as f32).to_bits()
    }
}

/// An element, 0 beyond the last.
fn at(numbers: &[f64], element: u8) -> f64 {
    numbers.get(usize::from(element)).copied().unwrap_or(0.0)
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

    fn picture(&self) -> Option<TextureFacts<'_>> {
        self.host.picture()
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

    /// Records the kernels of the whole step.
    fn advance<R: Random + ?Sized, E: Executor>(
        &mut self,
        frame: &Frame,
        births: u32,
        _: &mut R,
        _: &E,
    ) -> Result<(), StepError> {
        if let Some(number) = self.journal.as_mut().and_then(Journal::due) {
            self.recording.checkpoint(number);
        }
        self.block.fill(0);
        if let Some(word) = self.block.first_chunk_mut() {
            *word = births.to_le_bytes();
        }
        for &(source, offset) in &self.uniforms {
            let bits = self.bits(source, frame);
            if let Some(word) = self.block.get_mut(offset..offset + 4) {
                word.copy_from_slice(&bits.to_le_bytes());
            }
        }
        self.recording.step(&self.manifest, &self.block);
        if let Some(journal) = &mut self.journal {
            let block = self.block.get(..self.manifest.layout.uniform_bytes as usize);
            journal.push(Entry::Step(block.unwrap_or_default().to_vec()));
        }
        Ok(())
    }

    fn textures(&self) -> Vec<TextureFacts<'_>> {
        self.host.textures()
    }

    /// What is recorded already needs the old pixels: the host submits that first.
    fn set_texture(&mut self, index: usize, texels: Texels) {
        if let Some(slot) = self.textures.get_mut(index) {
            *slot = texels.clone();
        }
        self.host.set_texture(index, texels);
    }

    fn input(&self, index: usize) -> Option<InputFacts<'_>> {
        self.host.input(index)
    }

    fn input_numbers(&self, index: usize) -> &[f64] {
        self.host.input_numbers(index)
    }

    fn set_input_numbers(&mut self, index: usize, numbers: &[f64]) {
        self.host.set_input_numbers(index, numbers);
    }

    fn fingerprint(&self) -> u64 {
        self.host.fingerprint()
    }

    /// Saves what the host knows; particles are in GPU memory.
    fn save(&self, saver: &mut Saver<'_>) {
        self.host.save(saver);
    }

    fn load(&mut self, loader: &mut Loader<'_>) {
        self.host.load(loader);
    }

    fn particles(&self) -> Self::Particles<'_> {}

    fn clear(&mut self) {
        self.recording.clear_particles(&self.manifest);
        if let Some(journal) = &mut self.journal {
            journal.push(Entry::Clear);
        }
    }
}
