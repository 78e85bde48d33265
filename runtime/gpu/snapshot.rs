//! Particles copied from a GPU at one moment.

use std::sync::Arc;

use pyrograph_compiler::emit::layout::{Counter, FLAGS};
use pyrograph_compiler::emit::wgsl::{Manifest, Resource};
use pyrograph_compiler::ir::{self, Const, Storage};

use super::program::GpuProgram;
use super::read::Region;
use crate::program::{Field, ParticleState, RenderFacts};
use crate::texels::TextureFacts;

/// What the GPU counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    /// How many particles live.
    pub alive: u32,
    /// Id that the next birth is given.
    pub next_id: u32,
    /// Births of the last step.
    pub births: u32,
    /// Message of a failure that a particle reached in any step so far; the steps went on.
    pub failure: Option<String>,
}

impl Counters {
    /// Reads the words of the control buffer.
    pub(super) fn new(words: &[u32], manifest: &Manifest) -> Self {
        let get = |counter: Counter| words.get(counter.word()).copied().unwrap_or(0);
        let status = get(Counter::Status) as usize;
        let message = status.checked_sub(1).and_then(|index| manifest.messages.get(index));
        Self {
            alive: get(Counter::Alive),
            next_id: get(Counter::NextId),
            births: get(Counter::Births),
            failure: message.cloned(),
        }
    }
}

/// The state of a system, read back. Slots are those of the GPU.
#[derive(Clone, Debug)]
pub struct ReadState {
    module: Arc<ir::Valid<ir::Module>>,
    index: usize,
    manifest: Arc<Manifest>,
    counters: Counters,
    /// Words of the control buffer.
    control: Vec<u32>,
    /// Flags of the living, one bit a slot.
    flags: Vec<u32>,
    /// Words of each buffer of columns.
    columns: Vec<Vec<u32>>,
    /// One more than the highest slot with a particle.
    slots: u32,
}

impl ReadState {
    /// What has to be read for a snapshot, in the order that [`new`](Self::new) takes it.
    pub(super) fn regions(manifest: &Manifest) -> Vec<Region> {
        let layout = &manifest.layout;
        let slots = &layout.slots;
        let mut regions = vec![
            Region { resource: Resource::Control, first: 0, words: layout.control_words() },
            Region {
                resource: Resource::Slots,
                first: slots.alive,
                words: slots.groups - slots.alive,
            },
        ];
        let columns = layout.column_buffers.iter().zip(0..);
        regions.extend(columns.map(|(columns, buffer)| Region {
            resource: Resource::Columns(buffer),
            first: 0,
            words: columns.words,
        }));
        regions
    }

    pub(super) fn new(program: &GpuProgram, words: Vec<Vec<u32>>) -> Self {
        let manifest = Arc::clone(program.manifest());
        let mut words = words.into_iter();
        let control = words.next().unwrap_or_default();
        let counters = Counters::new(&control, &manifest);
        let flags = words.next().unwrap_or_default();
        let columns = words.collect();
        let last = flags.iter().zip(0u32..).filter(|(flags, _)| **flags != 0).last();
        let slots = last.map_or(0, |(flags, word)| word * FLAGS + FLAGS - flags.leading_zeros());
        let (module, index) = (Arc::clone(program.module()), program.index());
        Self { module, index, manifest, counters, control, flags, columns, slots }
    }

    /// What the GPU has counted.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// A column of a particle; `None` where there is no particle.
    pub fn get(&self, slot: u32, column: ir::Handle<ir::Column>) -> Option<Const> {
        if !self.is_alive(slot) {
            return None;
        }
        let definition = self.program().columns.get(column)?;
        if let Some(constant) = definition.constant {
            return Some(constant);
        }
        let bits = self.word(slot, column)?;
        Some(match definition.storage {
            Storage::F64 | Storage::F32 => Const::Float(f64::from(f32::from_bits(bits))),
            Storage::U32 | Storage::U16 | Storage::U8 => Const::Uint(bits),
        })
    }

    /// The word of a column that is no constant, as it lies in GPU memory.
    pub(super) fn word(&self, slot: u32, column: ir::Handle<ir::Column>) -> Option<u32> {
        let (buffer, word) = self.place(slot, column)?;
        self.columns.get(buffer)?.get(word).copied()
    }

    /// Changes a word of a column that is no constant.
    pub(super) fn set_word(&mut self, slot: u32, column: ir::Handle<ir::Column>, word: u32) {
        if let Some((buffer, index)) = self.place(slot, column)
            && let Some(place) =
                self.columns.get_mut(buffer).and_then(|buffer| buffer.get_mut(index))
        {
            *place = word;
        }
    }

    /// Buffer and word of a column's element.
    fn place(&self, slot: u32, column: ir::Handle<ir::Column>) -> Option<(usize, usize)> {
        let place = self.manifest.layout.column(column)?;
        let word = place.word as usize + slot as usize * place.stride as usize;
        Some((place.buffer as usize, word))
    }

    /// Columns that lie in GPU memory, in the order of the program.
    pub(super) fn stored(&self) -> impl Iterator<Item = ir::Handle<ir::Column>> {
        let columns = self.program().columns.iter().map(|(handle, _)| handle);
        columns.filter(|&handle| self.manifest.layout.column(handle).is_some())
    }

    pub(super) fn control(&self) -> &[u32] {
        &self.control
    }

    pub(super) fn flags(&self) -> &[u32] {
        &self.flags
    }

    /// The program whose state it is.
    pub fn program(&self) -> &ir::Program {
        &self.module.programs[self.index]
    }
}

impl ParticleState for ReadState {
    fn name(&self) -> &str {
        &self.program().name
    }

    fn capacity(&self) -> u32 {
        self.manifest.layout.capacity
    }

    fn render(&self) -> RenderFacts {
        (&self.program().render).into()
    }

    fn picture(&self) -> Option<TextureFacts<'_>> {
        crate::interpreted::drawn_picture(self.program())
    }

    fn alive(&self) -> u32 {
        self.counters.alive
    }

    fn slots(&self) -> u32 {
        self.slots
    }

    fn is_alive(&self, slot: u32) -> bool {
        let word = self.flags.get((slot / FLAGS) as usize);
        word.is_some_and(|word| word >> (slot % FLAGS) & 1 == 1)
    }

    fn value(&self, slot: u32, field: Field) -> Option<f64> {
        Some(match self.get(slot, self.program().field(field.into())?)? {
            Const::Float(value) => value,
            Const::Uint(value) => f64::from(value),
            Const::Bool(value) => f64::from(u8::from(value)),
        })
    }
}
