//! The columns of an instance. They grow with the highest slot that is used.

use crate::ir::{Column, Const, Handle, Program, Storage};

/// Slots of the largest system that is interpreted. A capacity of 2^32 - 1 promises particles that no
/// memory holds, and a rate may fill it in a few steps.
const MAX_SLOTS: usize = 1 << 24;

/// One list a column, all of one length.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    storages: Vec<Storage>,
    values: Vec<Vec<Const>>,
}

impl Columns {
    /// Slot 0 exists from the start, since system bodies of Exact read it: it holds zeros.
    pub(super) fn new(program: &Program) -> Self {
        let storages: Vec<Storage> =
            program.columns.iter().map(|(_, column)| column.storage).collect();
        let values = storages.iter().map(|storage| vec![Const::zero(storage.ty())]).collect();
        Self { storages, values }
    }

    /// Makes a slot usable. An error says why that cannot be.
    pub(super) fn reach(&mut self, slot: usize) -> Result<(), String> {
        if slot >= MAX_SLOTS {
            return Err(format!("the interpreter keeps at most {MAX_SLOTS} particles of a system"));
        }
        for (storage, values) in self.storages.iter().zip(&mut self.values) {
            if values.len() <= slot {
                let room = values.try_reserve(slot + 1 - values.len());
                room.map_err(|_| format!("no memory is left for particle {}", slot + 1))?;
                values.resize(slot + 1, Const::zero(storage.ty()));
            }
        }
        Ok(())
    }

    pub(super) fn load(&self, column: Handle<Column>, slot: usize) -> Const {
        self.values[column.index()][slot]
    }

    pub(super) fn store(&mut self, column: Handle<Column>, slot: usize, value: Const) {
        let index = column.index();
        self.values[index][slot] = self.storages[index].stored(value);
    }

    pub(super) fn elements(&self, column: Handle<Column>) -> &[Const] {
        self.values.get(column.index()).map_or(&[], Vec::as_slice)
    }

    pub(super) fn set_elements(&mut self, values: Vec<Vec<Const>>) {
        self.values = values;
    }

    /// Copies a particle to another slot.
    pub(super) fn copy(&mut self, from: usize, to: usize) {
        for values in &mut self.values {
            values[to] = values[from];
        }
    }
}
