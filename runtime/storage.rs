//! Arrays for columns, placed so that they do not fight for cache sets.

use std::fmt;

/// Distance in bytes by which the starts of neighbouring columns differ.
///
/// Large arrays begin at page borders; the same index of many of them would fall into one cache
/// set. With this distance twenty columns spread evenly over the 4096 bytes that sets repeat after.
const SKEW: usize = 192;

/// A fixed number of elements.
#[derive(Clone)]
pub struct Array<T> {
    /// The elements from `start` on; what is before only moves them.
    data: Box<[T]>,
    start: usize,
}

impl<T: Copy + Default> Array<T> {
    /// `length` zeros, for the column number `ordinal` of a program.
    #[must_use]
    pub fn new(length: usize, ordinal: usize) -> Self {
        let start = (ordinal * SKEW % 4096) / size_of::<T>().max(1);
        Self { data: vec![T::default(); start + length].into_boxed_slice(), start }
    }

    /// The elements.
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        self.data.get(self.start..).unwrap_or_default()
    }

    /// The elements.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.data.get_mut(self.start..).unwrap_or_default()
    }
}

impl<T: fmt::Debug> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.data.iter().skip(self.start)).finish()
    }
}
