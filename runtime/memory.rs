//! What a program remembers between steps, written and read back in one canonical form.
//!
//! The form holds living particles only, and no trace of how an executor keeps them: the interpreter
//! and generated code of one graph write the same bytes.

use crate::program::Column;
use crate::storage::Slots;

/// Takes the memory of a program: its slots first ([`dense`](Self::dense) or
/// [`sparse`](Self::sparse)), then registers, then columns, each in the order of the program.
pub struct Saver<'a> {
    write: &'a mut dyn FnMut(&[u8]),
    sizes: Sizes,
}

/// How many bytes the form of a program has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Of all registers.
    pub(crate) fixed: usize,
    /// Of each particle.
    pub(crate) slot: usize,
}

impl<'a> Saver<'a> {
    /// A saver that gives its bytes to `write`, piece by piece.
    pub fn new(write: &'a mut dyn FnMut(&[u8])) -> Self {
        Self { write, sizes: Sizes::default() }
    }

    pub(crate) fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// The particles of Exact: the first `alive` slots. Gives the slots whose columns are saved: one
    /// at least, because rates may read the first slot of an empty system.
    pub fn dense(&mut self, alive: u32, next_id: u32) -> Slots<'static> {
        let kept = alive.max(1);
        self.words(&[alive, kept, next_id]);
        Slots::dense(kept)
    }

    /// The particles of Parallel: the `alive` slots whose flag is not 0. Gives the slots whose
    /// columns are saved.
    pub fn sparse<'f>(&mut self, flags: &'f [u8], alive: u32, next_id: u32) -> Slots<'f> {
        let used = crate::storage::used(flags);
        self.words(&[alive, used, next_id]);
        let flags = &flags[..used as usize];
        self.bytes(flags.iter().map(|&flag| [u8::from(flag != 0)]));
        Slots::sparse(flags, alive)
    }

    /// A float register.
    pub fn float(&mut self, value: f64) {
        self.sizes.fixed += 8;
        (self.write)(&canonical(value).to_le_bytes());
    }

    /// An integer register.
    pub fn uint(&mut self, value: u32) {
        self.sizes.fixed += 4;
        self.words(&[value]);
    }

    /// A boolean register.
    pub fn bool(&mut self, value: bool) {
        self.sizes.fixed += 1;
        (self.write)(&[u8::from(value)]);
    }

    /// The elements of a column that are in these slots.
    pub fn column(&mut self, slots: &Slots<'_>, column: Column<'_>) {
        let slots = slots.clone();
        self.sizes.slot += column.element_bytes();
        match column {
            Column::F64(values) => self.bytes(slots.map(|i| canonical(values[i]).to_le_bytes())),
            Column::F32(values) => {
                self.bytes(slots.map(|i| canonical_f32(values[i]).to_le_bytes()));
            }
            Column::U32(values) => self.bytes(slots.map(|i| values[i].to_le_bytes())),
            Column::U16(values) => self.bytes(slots.map(|i| values[i].to_le_bytes())),
            Column::U8(values) => self.bytes(slots.map(|i| [values[i]])),
            Column::Constant(_) => {}
        }
    }

    fn words(&mut self, words: &[u32]) {
        self.bytes(words.iter().map(|word| word.to_le_bytes()));
    }

    /// Passes elements on, many at once.
    fn bytes<const N: usize>(&mut self, elements: impl Iterator<Item = [u8; N]>) {
        let mut buffer = [0u8; 1024];
        let mut used = 0;
        for element in elements {
            buffer[used..used + N].copy_from_slice(&element);
            used += N;
            if used + N > buffer.len() {
                (self.write)(&buffer[..used]);
                used = 0;
            }
        }
        (self.write)(&buffer[..used]);
    }
}

/// All NaN are one: which one an operation gives is no part of a program's meaning.
fn canonical(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}

fn canonical_f32(value: f32) -> f32 {
    if value.is_nan() { f32::NAN } else { value }
}

/// What the form begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// How many particles live.
    pub alive: u32,
    /// One more than the highest slot whose columns were saved.
    pub slots: u32,
    /// Id of the next birth.
    pub next_id: u32,
}

/// Gives back what a [`Saver`] took, in the same order. Whether the bytes fit the program was
/// checked before; what is missing all the same reads as 0.
#[derive(Debug)]
pub struct Loader<'a> {
    counts: Counts,
    /// One byte a slot below [`Counts::slots`]; none in Exact.
    flags: &'a [u8],
    rest: &'a [u8],
}

/// Bytes before the flags.
const HEAD: usize = 12;

impl<'a> Loader<'a> {
    /// Looks whether the bytes are the form of a program with this capacity and these sizes.
    pub(crate) fn new(
        bytes: &'a [u8],
        capacity: u32,
        is_sparse: bool,
        sizes: Sizes,
    ) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(HEAD)?;
        let word = |index: usize| {
            let bytes = head.get(4 * index..).and_then(<[u8]>::first_chunk)?;
            Some(u32::from_le_bytes(*bytes))
        };
        let counts = Counts { alive: word(0)?, slots: word(1)?, next_id: word(2)? };
        let Counts { alive, slots, .. } = counts;
        let flag_bytes = if is_sparse { slots as usize } else { 0 };
        let (flags, rest) = rest.split_at_checked(flag_bytes)?;
        let fits = if is_sparse {
            slots <= capacity
                && flags.iter().all(|&flag| flag <= 1)
                && crate::storage::count(flags) == alive
                && flags.last() != Some(&0)
        } else {
            alive <= capacity && slots == alive.max(1)
        };
        let saved = if is_sparse { alive } else { slots } as usize;
        let wanted = saved.checked_mul(sizes.slot)?.checked_add(sizes.fixed)?;
        (fits && rest.len() == wanted).then_some(Self { counts, flags, rest })
    }

    /// The counts.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The flags of Parallel; 0 behind the last particle. The slice is as long as the capacity.
    pub fn flags(&self, flags: &mut [u8]) {
        let known = flags.len().min(self.flags.len());
        flags[..known].copy_from_slice(&self.flags[..known]);
        flags[known..].fill(0);
    }

    /// The next float register.
    pub fn float(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }

    /// The next integer register.
    pub fn uint(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    /// The next boolean register.
    pub fn bool(&mut self) -> bool {
        let [byte] = self.take();
        byte != 0
    }

    /// The next column, which must be of this kind. Slots that were not saved keep their elements.
    pub fn f64(&mut self, column: &mut [f64]) {
        self.fill(column, f64::from_le_bytes);
    }

    /// See [`f64`](Self::f64).
    pub fn f32(&mut self, column: &mut [f32]) {
        self.fill(column, f32::from_le_bytes);
    }

    /// See [`f64`](Self::f64).
    pub fn u32(&mut self, column: &mut [u32]) {
        self.fill(column, u32::from_le_bytes);
    }

    /// See [`f64`](Self::f64).
    pub fn u16(&mut self, column: &mut [u16]) {
        self.fill(column, u16::from_le_bytes);
    }

    /// See [`f64`](Self::f64).
    pub fn u8(&mut self, column: &mut [u8]) {
        self.fill(column, |[byte]| byte);
    }

    fn fill<T, const N: usize>(&mut self, column: &mut [T], read: impl Fn([u8; N]) -> T) {
        let is_saved = |flags: &[u8], slot: usize| flags.get(slot).is_none_or(|&flag| flag != 0);
        for slot in 0..(self.counts.slots as usize).min(column.len()) {
            if is_saved(self.flags, slot) {
                column[slot] = read(self.take());
            }
        }
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((first, rest)) = self.rest.split_first_chunk() else { return [0; N] };
        self.rest = rest;
        *first
    }
}

#[cfg(test)]
mod tests {
    use super::{Loader, Saver, Sizes};
    use crate::program::Column;

    fn saved(save: impl FnOnce(&mut Saver<'_>)) -> (Vec<u8>, Sizes) {
        let mut bytes = Vec::new();
        let mut write = |piece: &[u8]| bytes.extend_from_slice(piece);
        let mut saver = Saver::new(&mut write);
        save(&mut saver);
        let sizes = saver.sizes();
        (bytes, sizes)
    }

    fn sparse() -> (Vec<u8>, Sizes) {
        saved(|saver| {
            let slots = saver.sparse(&[0, 1, 0, 1, 0, 0], 2, 9);
            saver.bool(true);
            saver.float(-f64::NAN);
            saver.column(&slots, Column::U16(&[1, 2, 3, 4, 5, 6]));
        })
    }

    #[test]
    fn the_living_come_back() {
        let (bytes, sizes) = sparse();
        let mut loader = Loader::new(&bytes, 6, true, sizes).unwrap();
        let mut flags = [1; 6];
        loader.flags(&mut flags);
        assert_eq!(flags, [0, 1, 0, 1, 0, 0]);
        assert_eq!((loader.counts().alive, loader.counts().slots), (2, 4));
        assert!(loader.bool() && loader.float().is_nan());
        let mut column = [9; 6];
        loader.u16(&mut column);
        assert_eq!(column, [9, 2, 9, 4, 9, 9]);
    }

    #[test]
    fn unused_capacity_and_dead_slots_leave_no_trace() {
        let other = saved(|saver| {
            let slots = saver.sparse(&[0, 1, 0, 1], 2, 9);
            saver.bool(true);
            saver.float(f64::NAN);
            saver.column(&slots, Column::U16(&[7, 2, 8, 4]));
        });
        assert_eq!(other, sparse());
    }

    #[test]
    fn other_bytes_are_refused() {
        let (bytes, sizes) = sparse();
        let fits = |bytes: &[u8]| Loader::new(bytes, 6, true, sizes).is_some();
        assert!(fits(&bytes) && Loader::new(&bytes, 3, true, sizes).is_none());
        assert!(Loader::new(&bytes, 6, false, sizes).is_none());
        for length in 0..bytes.len() {
            assert!(!fits(&bytes[..length]), "{length}");
        }
        // alive, slots, a flag.
        for at in [0, 4, 12] {
            let mut broken = bytes.clone();
            broken[at] ^= 1;
            assert!(!fits(&broken), "{at}");
        }
    }

    #[test]
    fn an_empty_dense_system_keeps_its_first_slot() {
        let (bytes, sizes) = saved(|saver| {
            let slots = saver.dense(0, 4);
            saver.column(&slots, Column::F32(&[1.5, 0.0]));
        });
        let mut loader = Loader::new(&bytes, 2, false, sizes).unwrap();
        let mut column = [0.0; 2];
        loader.f32(&mut column);
        assert_eq!((loader.counts().alive, column), (0, [1.5, 0.0]));
    }

    #[test]
    fn long_columns_are_whole() {
        let values: Vec<f64> = (0..1000).map(f64::from).collect();
        let (bytes, sizes) = saved(|saver| {
            let slots = saver.dense(1000, 0);
            saver.column(&slots, Column::F64(&values));
        });
        let mut found = vec![0.0; 1000];
        Loader::new(&bytes, 1000, false, sizes).unwrap().f64(&mut found);
        assert_eq!(found, values);
    }
}
