//! States of GPU systems: to go back to, and to store.

use pyrograph_compiler::emit::layout::FLAGS;
use pyrograph_compiler::emit::wgsl::Resource;
use pyrograph_compiler::ir;
use twox_hash::XxHash64;

use super::error::GpuError;
use super::image::Image;
use super::journal::Journal;
use super::program::GpuProgram;
use super::snapshot::ReadState;
use super::system::GpuSystem;
use crate::program::ParticleState;
use crate::snapshot::{RestoreError, Saved};

/// The state of a [`GpuSystem`] at one moment: all that its later steps depend on, but for the pixels
/// of pictures and what the host does.
///
/// It does not depend on how the columns lie in buffers, and so goes to any device that runs the same
/// program. With the feature `serde` it can be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GpuSnapshot {
    /// Of the program; what the host knows and computes.
    host: Saved,
    /// Words of the control buffer.
    control: Vec<u32>,
    /// Flags of the living, one bit a slot.
    flags: Vec<u32>,
    /// Columns that are no constants, one after the other: a word for each of the living.
    columns: Vec<u32>,
    /// Of all words, so that changed ones are noticed.
    hash: u64,
}

impl GpuSnapshot {
    fn new(host: Saved, state: &ReadState) -> Self {
        let living: Vec<u32> = living(state).collect();
        let columns = state.stored();
        let word = |column| living.iter().map(move |&slot| state.word(slot, column).unwrap_or(0));
        let columns = columns.flat_map(word).collect();
        let flags = state.flags().iter().take(state.slots().div_ceil(FLAGS) as usize);
        let (control, flags) = (state.control().to_vec(), flags.copied().collect());
        let mut snapshot = Self { host, control, flags, columns, hash: 0 };
        snapshot.hash = snapshot.hash_of_words();
        snapshot
    }

    /// How many bytes the state takes.
    pub fn size(&self) -> usize {
        let words = self.control.len() + self.flags.len() + self.columns.len();
        self.host.size() + 4 * words
    }

    fn hash_of_words(&self) -> u64 {
        let parts = [&self.control, &self.flags, &self.columns];
        crate::snapshot::combine(parts.into_iter().map(|words| {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            XxHash64::oneshot(0, &bytes)
        }))
    }

    /// The state, as the buffers of a program have it; `None` if the words do not fit it.
    fn open(&self, program: &GpuProgram) -> Option<ReadState> {
        let layout = &program.manifest().layout;
        let fits = self.control.len() == layout.control_words() as usize
            && self.flags.len() <= layout.capacity.div_ceil(FLAGS) as usize
            && self.hash == self.hash_of_words();
        if !fits {
            return None;
        }
        let mut words = vec![self.control.clone(), self.flags.clone()];
        words.extend(layout.column_buffers.iter().map(|buffer| vec![0; buffer.words as usize]));
        let mut state = ReadState::new(program, words);
        let living: Vec<u32> = living(&state).collect();
        let columns: Vec<ir::Handle<ir::Column>> = state.stored().collect();
        let is_whole = state.slots() <= layout.capacity
            && state.alive() as usize == living.len()
            && self.columns.len() == columns.len() * living.len();
        if !is_whole {
            return None;
        }
        let mut words = self.columns.iter();
        for column in columns {
            for (&slot, &word) in living.iter().zip(&mut words) {
                state.set_word(slot, column, word);
            }
        }
        Some(state)
    }
}

fn living(state: &ReadState) -> impl Iterator<Item = u32> {
    (0..state.slots()).filter(|&slot| state.is_alive(slot))
}

impl GpuSystem {
    /// Submits, waits, and copies the state at this moment to the host.
    ///
    /// # Errors
    /// See [`read_back`](Self::read_back).
    pub fn snapshot(&mut self) -> Result<GpuSnapshot, GpuError> {
        let state = self.read_back()?;
        Ok(GpuSnapshot::new(self.driver.save(), &state))
    }

    /// Goes back to a snapshot: every later step gives what it gave after the snapshot, if the host
    /// does the same again. Pictures stay as they are; what was recorded and not submitted is dropped.
    /// Nothing is waited for, unless [checkpoints](Self::keep_checkpoints) are kept: they begin anew.
    /// Buffers stay, so that renderers see what was restored; steps that are encoded and not submitted
    /// go on from there.
    ///
    /// # Errors
    /// The snapshot is not of this program and version, or damaged ([`GpuError::Restore`]): nothing
    /// has changed. Or the device has no memory for the copies, or is lost: then particles may be,
    /// too.
    pub fn restore(&mut self, snapshot: &GpuSnapshot) -> Result<(), GpuError> {
        let opened = self.driver.open(&snapshot.host)?;
        let damaged = || RestoreError::Damaged { system: self.manifest().name.clone() };
        let state = snapshot.open(self.program()).ok_or_else(damaged)?;
        let mut regions = Image::new(&state, self.program()).regions;
        let slots = &self.manifest().layout.slots;
        // An image is for new buffers. Here flags of other slots may be set, and any share of a sum.
        let whole = [slots.alive..slots.groups, slots.groups..slots.born];
        for (region, words) in &mut regions {
            let mut whole = whole.iter().filter(|_| region.resource == Resource::Slots);
            if let Some(range) = whole.find(|range| range.start == region.first) {
                region.words = range.len() as u32;
                words.resize(range.len(), 0);
            }
        }
        self.engine.write(&regions)?;
        opened.commit(&mut self.driver);
        let recorder = self.driver.program_mut();
        recorder.recording.reset();
        let every = recorder.journal.take().as_ref().map(Journal::every);
        self.base = None;
        every.map_or(Ok(()), |every| self.keep_checkpoints(every))
    }
}
