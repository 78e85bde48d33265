//! GPU work as data: which kernels run with which uniform block. Knows nothing of wgpu.

use std::ops::Range;

use pyrograph_compiler::emit::wgsl::{Grid, Manifest, Resource};

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Runs a kernel.
    Dispatch {
        /// Index into [`Manifest::step`].
        kernel: usize,
        /// Number of the uniform block.
        block: u32,
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
}

/// Work that has not been submitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Uniform blocks, one a step, each padded to the same distance.
    blocks: Vec<u8>,
    steps: u32,
    commands: Vec<Command>,
}

impl Recording {
    /// Appends the kernels of a step. `block` is its uniform block, padded by the caller.
    pub fn step(&mut self, manifest: &Manifest, chunks: [u32; 2], block: &[u8]) {
        for (kernel, dispatch) in manifest.step.iter().enumerate() {
            let groups = match dispatch.grid {
                Grid::Chunks => chunks,
                Grid::One => [1, 1],
            };
            self.commands.push(Command::Dispatch { kernel, block: self.steps, groups });
        }
        self.blocks.extend_from_slice(block);
        self.steps += 1;
    }

    /// Changes the first word of the last block: how many births it asks for. Blocks are `stride`
    /// bytes apart.
    pub fn set_births(&mut self, births: u32, stride: usize) {
        let start = self.blocks.len().saturating_sub(stride);
        if let Some(word) = self.blocks.get_mut(start..start + 4) {
            word.copy_from_slice(&births.to_le_bytes());
        }
    }

    /// Appends the removal of all particles.
    pub fn clear_particles(&mut self, manifest: &Manifest) {
        use pyrograph_compiler::emit::layout::Counter;
        let slots = &manifest.layout.slots;
        self.commands
            .push(Command::Clear { resource: Resource::Slots, words: slots.alive..slots.counts });
        let alive = Counter::Alive.word() as u32;
        self.commands.push(Command::Clear { resource: Resource::Control, words: alive..alive + 1 });
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

    /// Forgets everything and keeps the memory.
    pub fn reset(&mut self) {
        self.blocks.clear();
        self.commands.clear();
        self.steps = 0;
    }
}
