//! What generated code keeps its columns in, and how it looks for free and dead slots.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::Range;

/// Distance in bytes by which the starts of neighbouring columns differ.
///
/// Large arrays begin at page borders; the same index of many of them would fall into one cache
/// set. With this distance twenty columns spread evenly over the 4096 bytes that sets repeat after.
const SKEW: usize = 192;

/// `N` numbers on the heap.
#[derive(Clone)]
pub struct Array<T, const N: usize> {
    /// The elements from `start` on; what is before only moves them.
    data: Box<[T]>,
    start: usize,
}

impl<T: Copy + Default, const N: usize> Array<T, N> {
    /// Zeros, for the column number `ordinal` of a program.
    #[must_use]
    pub fn new(ordinal: usize) -> Self {
        let start = (ordinal * SKEW % 4096) / size_of::<T>().max(1);
        Self { data: vec![T::default(); start + N].into_boxed_slice(), start }
    }

    /// The `N` elements.
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        &self.data[self.start..self.start + N]
    }

    /// The `N` elements.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data[self.start..self.start + N]
    }
}

/// Only the length: a program's columns are too long to read.
impl<T, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array<{N}>")
    }
}

/// The slots that hold particles, in ascending order.
#[derive(Clone, Debug)]
pub struct Slots<'a> {
    range: Range<usize>,
    /// Nonzero where a particle lives; without flags every slot does.
    flags: Option<&'a [u8]>,
    left: usize,
}

impl<'a> Slots<'a> {
    /// The first `alive` slots.
    #[must_use]
    pub fn dense(alive: u32) -> Self {
        let alive = alive as usize;
        Self { range: 0..alive, flags: None, left: alive }
    }

    /// Those slots whose flag is not 0, which are `alive`.
    #[must_use]
    pub fn sparse(flags: &'a [u8], alive: u32) -> Self {
        Self { range: 0..flags.len(), flags: Some(flags), left: alive as usize }
    }
}

impl Iterator for Slots<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if let Some(flags) = self.flags {
            self.range.start = first_nonzero(flags, self.range.start);
        }
        let slot = self.range.next()?;
        self.left = self.left.saturating_sub(1);
        Some(slot)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Slots<'_> {}
impl FusedIterator for Slots<'_> {}

/// Position of the first byte at or after `from` that is 0, or the number of bytes.
#[inline]
#[must_use]
pub fn first_zero(flags: &[u8], from: usize) -> usize {
    // Borrows reach only bytes behind a zero.
    find(flags, from, |byte| byte == 0, |word| word.wrapping_sub(LOW) & !word & HIGH)
}

/// Position of the first byte at or after `from` that is not 0, or the number of bytes.
#[inline]
#[must_use]
pub fn first_nonzero(flags: &[u8], from: usize) -> usize {
    find(flags, from, |byte| byte != 0, |word| word)
}

/// The lowest and the highest bit of each byte of a word.
const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// Position of the first wanted byte; words without one are skipped eight bytes at a time. The lowest bit
/// that `marks` sets is in the first wanted byte of its word.
#[inline(always)]
fn find(
    flags: &[u8],
    from: usize,
    is_wanted: impl Fn(u8) -> bool,
    marks: impl Fn(u64) -> u64,
) -> usize {
    let mut at = from;
    while let Some(word) = flags.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let marks = marks(u64::from_le_bytes(*word));
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = flags.get(at..).unwrap_or_default();
    rest.iter().position(|&byte| is_wanted(byte)).map_or(flags.len(), |found| at + found)
}

/// How many particles a birth computes at once: some vectors of the widest kind, little enough that
/// they stay in the fastest cache.
pub const BATCH: usize = 64;

/// Lanes of the widest vectors: fewer particles take no less time.
pub const LANES: usize = 16;

/// Finds free slots for newborn particles, the lowest first.
#[derive(Clone, Debug)]
pub struct FreeSlots {
    claimed: [u32; BATCH],
    next: usize,
}

impl Default for FreeSlots {
    fn default() -> Self {
        Self { claimed: [0; BATCH], next: 0 }
    }
}

impl FreeSlots {
    /// Sets the flags of up to `wanted` free slots, [`BATCH`] at most, and gives them in ascending
    /// order; `None` where none is wanted or left. Flags are the same in each call.
    #[inline]
    pub fn claim(&mut self, flags: &mut [u8], wanted: u32) -> Option<&[u32]> {
        let wanted = (wanted as usize).min(BATCH);
        let mut count = 0;
        while count < wanted {
            let slot = first_zero(flags, self.next);
            let Some(flag) = flags.get_mut(slot) else { break };
            *flag = 1;
            self.claimed[count] = slot as u32;
            self.next = slot + 1;
            count += 1;
        }
        (count > 0).then(|| &self.claimed[..count])
    }
}

/// Copies the first values into the slots of a column, which ascend: one a slot.
#[inline]
pub fn scatter<T: Copy>(column: &mut [T], slots: &[u32], values: &[T]) {
    let (Some(&first), Some(&last)) = (slots.first(), slots.last()) else { return };
    let (first, last) = (first as usize, last as usize);
    if last - first < slots.len() {
        column[first..=last].copy_from_slice(&values[..slots.len()]);
    } else {
        for (&slot, &value) in slots.iter().zip(values) {
            column[slot as usize] = value;
        }
    }
}

/// How many flags are set. Flags are 0 or 1.
#[inline]
#[must_use]
pub fn count(flags: &[u8]) -> u32 {
    // Sums that a byte can hold, many a vector.
    flags.chunks(255).map(|chunk| u32::from(chunk.iter().sum::<u8>())).sum()
}

/// One more than the position of the last flag that is set.
#[inline]
#[must_use]
pub fn used(flags: &[u8]) -> u32 {
    flags.iter().rposition(|&flag| flag != 0).map_or(0, |last| last as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::{Array, BATCH, FreeSlots, Slots, count, first_nonzero, first_zero, scatter, used};

    #[test]
    fn searches_look_at_every_byte() {
        for length in 0..20 {
            for at in 0..length {
                let mut flags = vec![0u8; length];
                flags[at] = 1;
                assert_eq!(first_nonzero(&flags, 0), at);
                assert_eq!(first_nonzero(&flags, at + 1), length);
                assert_eq!(used(&flags), at as u32 + 1);
                for flag in &mut flags {
                    *flag ^= 1;
                }
                assert_eq!(first_zero(&flags, 0), at);
                assert_eq!(first_zero(&flags, at + 1), length);
                assert_eq!(count(&flags), length as u32 - 1);
            }
        }
    }

    #[test]
    fn slots_are_those_that_live() {
        let sparse = Slots::sparse(&[0, 1, 0, 0, 1, 0], 2);
        assert_eq!(sparse.len(), 2);
        assert_eq!(sparse.collect::<Vec<_>>(), [1, 4]);
        assert_eq!(Slots::dense(3).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn the_lowest_free_slots_are_claimed_until_none_is_left() {
        let mut flags = [1, 0, 0, 1, 0];
        let mut slots = FreeSlots::default();
        assert_eq!(slots.claim(&mut flags, 0), None);
        assert_eq!(slots.claim(&mut flags, 2), Some(&[1, 2][..]));
        assert_eq!(slots.claim(&mut flags, 9), Some(&[4][..]));
        assert_eq!(slots.claim(&mut flags, 9), None);
        assert_eq!(flags, [1; 5]);

        let mut flags = [0; BATCH + 1];
        let mut slots = FreeSlots::default();
        assert_eq!(slots.claim(&mut flags, 1000).map(<[u32]>::len), Some(BATCH));
        assert_eq!(slots.claim(&mut flags, 1000), Some(&[BATCH as u32][..]));
    }

    #[test]
    fn values_go_to_their_slots() {
        let mut column = [0; 6];
        scatter(&mut column, &[1, 2, 3], &[7, 8, 9, 10]);
        assert_eq!(column, [0, 7, 8, 9, 0, 0]);
        scatter(&mut column, &[0, 4], &[1, 2]);
        assert_eq!(column, [1, 7, 8, 9, 2, 0]);
        scatter(&mut column, &[], &[3]);
        assert_eq!(column, [1, 7, 8, 9, 2, 0]);
    }

    #[test]
    fn arrays_are_as_long_as_they_say() {
        let mut array = Array::<f64, 5>::new(30);
        array.as_mut_slice()[4] = 2.0;
        assert_eq!(array.as_slice(), [0.0, 0.0, 0.0, 0.0, 2.0]);
    }
}
