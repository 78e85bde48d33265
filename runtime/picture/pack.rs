//! Particles as records, read from the columns of any program.

use super::atlas::FrameError;
use super::billboard::{Billboard, BillboardMode};
use crate::program::{Camera, Column, Field, ParticleProgram, ParticleState};
use crate::system::{ParticleSystem, Revision};

/// The living particles of a system as [`Billboard`] records, in the order in which they are drawn:
/// that of their slots, unless [`sort`](Self::sort) has changed it.
///
/// Memory grows to the largest number of particles that there has been; after that nothing is
/// allocated.
#[derive(Clone, Debug)]
pub struct Billboards {
    mode: BillboardMode,
    words: Vec<f32>,
    packed: Option<Revision>,
    /// The records before they were sorted, and their depths and places.
    unsorted: Vec<f32>,
    order: Vec<(f32, u32)>,
}

/// Slots that are read at a time: few enough that a batch of records stays in the fastest cache.
const BATCH: usize = 64;

impl Default for Billboards {
    fn default() -> Self {
        Self {
            mode: BillboardMode::All,
            words: Vec::new(),
            packed: None,
            unsorted: Vec::new(),
            order: Vec::new(),
        }
    }
}

impl Billboards {
    /// No records.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Packs the particles of a system if any of them may have changed since the last call, and gives
    /// whether that was so. `frames` is the number of cells of the picture, where it is known.
    ///
    /// # Errors
    /// A particle shows a cell beyond the last; there are no records then.
    pub fn sync<P: ParticleProgram>(
        &mut self,
        system: &ParticleSystem<P>,
        frames: Option<u32>,
    ) -> Result<bool, FrameError> {
        let revision = system.revision();
        if self.packed == Some(revision) {
            return Ok(false);
        }
        self.pack(system.program(), system.emitter_matrix(), frames)?;
        self.packed = Some(revision);
        Ok(true)
    }

    /// Packs all living particles. The emitter's matrix turns the directions of local systems whose
    /// quads stand across them.
    ///
    /// # Errors
    /// As [`sync`](Self::sync).
    pub fn pack<S: ParticleState + ?Sized>(
        &mut self,
        system: &S,
        emitter: &[f64; 16],
        frames: Option<u32>,
    ) -> Result<(), FrameError> {
        let facts = system.render();
        self.mode = facts.mode();
        self.packed = None;
        let stride = self.stride();
        self.words.clear();
        self.words.resize(system.alive() as usize * stride, 0.0);
        let frames = frames.filter(|_| facts.sheet.is_some());
        let local = facts.is_local.then_some(emitter);
        let mut slots = (0..system.slots()).filter(|&slot| system.is_alive(slot));
        for records in self.words.chunks_mut(BATCH * stride) {
            let mut batch = [0; BATCH];
            let mut count = 0;
            while count < records.len() / stride {
                let Some(slot) = slots.next() else { break };
                batch[count] = slot;
                count += 1;
            }
            let batch = Batch { system, slots: &batch[..count], stride };
            if let Err(error) = batch.write(records, self.mode, local, frames) {
                self.words.clear();
                return Err(error);
            }
        }
        Ok(())
    }

    /// Orders the records by their distance along the camera's line of sight, the farthest first;
    /// those at one distance keep their order.
    pub fn sort(&mut self, camera: &Camera) {
        let stride = self.stride();
        std::mem::swap(&mut self.words, &mut self.unsorted);
        let view = [2, 6, 10].map(|element| camera.view[element] as f32);
        let depths = self.unsorted.chunks_exact(stride).zip(0..).map(|(record, index)| {
            let position = record.iter().zip(view).map(|(position, axis)| position * axis);
            (position.sum::<f32>(), index)
        });
        self.order.clear();
        self.order.extend(depths);
        self.order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.words.clear();
        for &(_, index) in &self.order {
            let first = index as usize * stride;
            self.words.extend_from_slice(&self.unsorted[first..first + stride]);
        }
        // The slot order is gone.
        self.packed = None;
    }

    /// Number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len() / self.stride()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How the quads stand, which decides what a record has.
    #[must_use]
    pub fn mode(&self) -> BillboardMode {
        self.mode
    }

    /// Numbers of a record.
    #[must_use]
    pub fn stride(&self) -> usize {
        Billboard::words(self.mode)
    }

    /// All records, one after the other, for a buffer.
    #[must_use]
    pub fn words(&self) -> &[f32] {
        &self.words
    }

    /// The records.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Billboard> {
        self.words.chunks_exact(self.stride()).map(Billboard::from_words)
    }
}

/// Some living slots whose records are written together.
struct Batch<'a, S: ?Sized> {
    system: &'a S,
    slots: &'a [u32],
    stride: usize,
}

impl<S: ParticleState + ?Sized> Batch<'_, S> {
    fn write(
        &self,
        records: &mut [f32],
        mode: BillboardMode,
        local: Option<&[f64; 16]>,
        frames: Option<u32>,
    ) -> Result<(), FrameError> {
        for axis in 0..3 {
            let position = self.read(Field::Position(axis));
            self.put(records, Billboard::POSITION + usize::from(axis), &position);
        }
        self.put(records, Billboard::ANGLE, &self.read(Field::Angle));
        let size = self.read(Field::Size);
        for axis in 0..2 {
            let mut side = self.read(Field::Scale(axis));
            side.iter_mut().zip(size).for_each(|(scale, size)| *scale *= size);
            self.put(records, Billboard::SIZE + usize::from(axis), &side);
        }
        for channel in 0..4 {
            let color = self.read(Field::Color(channel));
            self.put(records, Billboard::COLOR + usize::from(channel), &color);
        }
        let cells = self.read(Field::CellIndex);
        if let Some(frames) = frames {
            let is_beyond = |cell: &&f64| **cell < 0.0 || **cell >= f64::from(frames);
            if let Some(&frame) = cells[..self.slots.len()].iter().find(is_beyond) {
                return Err(FrameError { frame, frames });
            }
        }
        self.put(records, Billboard::CELL, &cells);
        if mode.has_direction() {
            let direction = self.direction(mode, local);
            for (axis, values) in direction.iter().enumerate() {
                self.put(records, Billboard::DIRECTION + axis, values);
            }
        }
        Ok(())
    }

    /// What the quads lie along or across, as Babylon chooses it.
    fn direction(&self, mode: BillboardMode, local: Option<&[f64; 16]>) -> [[f64; BATCH]; 3] {
        let read = |field: fn(u8) -> Field| [0, 1, 2].map(|axis| self.read(field(axis)));
        if mode != BillboardMode::Directed {
            return read(Field::Direction);
        }
        let has_initial = self
            .slots
            .first()
            .is_some_and(|&slot| self.system.value(slot, Field::InitialDirection(0)).is_some());
        let [mut x, mut y, mut z] =
            read(if has_initial { Field::InitialDirection } else { Field::Direction });
        for ((x, y), z) in x.iter_mut().zip(&mut y).zip(&mut z) {
            if let Some(m) = local {
                [*x, *y, *z] = [0, 1, 2].map(|row| *x * m[row] + *y * m[4 + row] + *z * m[8 + row]);
            }
            // A quad across the y axis has no right side of its own.
            if *x == 0.0 && *z == 0.0 {
                *x = 0.001;
            }
        }
        [x, y, z]
    }

    /// A field of all slots of the batch; 0 where the program does not keep it.
    fn read(&self, field: Field) -> [f64; BATCH] {
        fn gather<T: Copy + Into<f64>>(from: &[T], slots: &[u32], to: &mut [f64; BATCH]) {
            for (to, &slot) in to.iter_mut().zip(slots) {
                *to = from.get(slot as usize).copied().map_or(0.0, Into::into);
            }
        }
        let (slots, mut values) = (self.slots, [0.0; BATCH]);
        match self.system.column(field) {
            Some(Column::F64(from)) => gather(from, slots, &mut values),
            Some(Column::F32(from)) => gather(from, slots, &mut values),
            Some(Column::U32(from)) => gather(from, slots, &mut values),
            Some(Column::U16(from)) => gather(from, slots, &mut values),
            Some(Column::U8(from)) => gather(from, slots, &mut values),
            Some(Column::Constant(value)) => values = [value; BATCH],
            None => {
                for (to, &slot) in values.iter_mut().zip(slots) {
                    *to = self.system.value(slot, field).unwrap_or(0.0);
                }
            }
        }
        values
    }

    fn put(&self, records: &mut [f32], at: usize, values: &[f64; BATCH]) {
        for (record, &value) in records.chunks_exact_mut(self.stride).zip(values) {
            record[at] = value as f32;
        }
    }
}
