//! What an instance remembers between steps, for hosts that save and restore it.

use super::Instance;
use crate::ir::{Column, Const, Handle, Profile};

/// The memory of an instance, without the pixels of textures.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// How many particles live.
    pub alive: usize,
    /// Id of the next birth.
    pub next_id: u64,
    /// Parallel: which slots hold a particle. Empty in Exact.
    pub live: Vec<bool>,
    /// Values of the registers, in order.
    pub registers: Vec<Const>,
    /// Numbers of the inputs, in order.
    pub inputs: Vec<Vec<f64>>,
    /// Elements of each column, in order; all of one length.
    pub columns: Vec<Vec<Const>>,
}

impl Instance {
    /// The elements of a column, up to the highest slot that was ever used; those of dead slots
    /// are what was left there. Empty for a handle of another program.
    pub fn elements(&self, column: Handle<Column>) -> &[Const] {
        self.columns.elements(column)
    }

    /// The values of all registers.
    pub fn registers(&self) -> &[Const] {
        &self.registers
    }

    /// Takes the place of everything that the instance remembers. Whoever made the memory has seen
    /// to it that numbers and types fit the program.
    pub fn set_memory(&mut self, memory: Memory) {
        let Memory { alive, next_id, live, registers, inputs, columns } = memory;
        self.alive = alive;
        self.next_id = next_id;
        self.live = if self.program().profile == Profile::Parallel { live } else { Vec::new() };
        self.registers = registers;
        self.inputs = inputs;
        self.columns.set_elements(columns);
    }
}
