//! GPU work as data: which kernels run with which uniform block. Knows nothing of wgpu.

use std::ops::Range;

use pyrograph_compiler::emit::layout::Counter;
use pyrograph_compiler::emit::wgsl::{Manifest, Resource};

/// Uniform blocks that a buffer of them holds. Longer recordings fill it again on the way.
pub const RING: u32 = 64;

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Copies the blocks of these steps to the first places of the ring.
    Upload {
        /// Steps of the recording, at most [`RING`].
        steps: Range<u32>,
    },
    /// Runs a kernel.
    Dispatch {
        /// Index into [`Manifest::step`].
        kernel: usize,
        /// Place of the uniform block in the ring.
        place: u32,
        /// Workgroups in x and y.
        groups: [u32; 2],
    },
    /// Fills words with zeros.
    Clear {
        /// In which buffer.
        resource: Resource,
        /// Which words.
        words: Range<u32>,
    },
    /// Copies all particles for a checkpoint. The host is not waited for.
    Checkpoint {
        /// Its number.
        number: u64,
    },
}

/// Work that has not been encoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Uniform blocks, one a step, each padded to the same distance.
    blocks: Vec<u8>,
    steps: u32,
    commands: Vec<Command>,
    /// Index of the upload that the next step joins.
    upload: Option<usize>,
}

impl Recording {
    /// Appends the kernels of a step. `block` is its uniform block, padded by the caller.
    pub fn step(&mut self, manifest: &Manifest, block: &[u8]) {
        let place = self.reserve();
        for (kernel, dispatch) in manifest.step.iter().enumerate() {
            let groups = dispatch.workgroups;
            self.commands.push(Command::Dispatch { kernel, place, groups });
        }
        self.blocks.extend_from_slice(block);
        self.steps += 1;
    }

    /// Place of the next step's block: behind the last one, or in a ring that is filled again.
    fn reserve(&mut self) -> u32 {
        let step = self.steps;
        let upload = self.upload.and_then(|index| self.commands.get_mut(index));
        if let Some(Command::Upload { steps }) = upload
            && (steps.len() as u32) < RING
        {
            steps.end = step + 1;
            return step - steps.start;
        }
        self.upload = Some(self.commands.len());
        self.commands.push(Command::Upload { steps: step..step + 1 });
        0
    }

    /// Appends the removal of all particles.
    pub fn clear_particles(&mut self, manifest: &Manifest) {
        let slots = &manifest.layout.slots;
        self.commands
            .push(Command::Clear { resource: Resource::Slots, words: slots.alive..slots.born });
        let alive = Counter::Alive.word() as u32;
        self.commands.push(Command::Clear { resource: Resource::Control, words: alive..alive + 1 });
    }

    /// Appends a checkpoint.
    pub fn checkpoint(&mut self, number: u64) {
        self.commands.push(Command::Checkpoint { number });
    }

    /// Uniform blocks of all steps, in order.
    pub fn blocks(&self) -> &[u8] {
        &self.blocks
    }

    /// What to do, in order.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// Number of steps.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Forgets everything and keeps the memory.
    pub fn reset(&mut self) {
        self.blocks.clear();
        self.commands.clear();
        self.steps = 0;
        self.upload = None;
    }
}
