//! Arrays of particle state.

use pyrograph::{Column, Field};

/// What is kept of each particle.
pub(crate) trait Columns {
    /// Zeros for so many particles.
    fn new(capacity: usize) -> Self;
    /// A field of the first `slots` slots, where it is kept or constant.
    fn field(&self, field: Field, slots: usize) -> Option<Column<'_>>;
    /// Counts slots from that one on.
    fn look_from(&mut self, first: usize);
    /// Moves the particles of slots `from` to slots `to`: pairs `(to, from)`.
    fn relocate(&mut self, moves: &[(u32, u32)]);
}

/// An array whose start is moved, so that equal indices of many arrays use different cache sets; seen
/// from some element on.
#[derive(Clone)]
pub(super) struct Skewed<T> {
    data: Vec<T>,
    start: usize,
    first: usize,
}

impl<T: Copy + Default> Skewed<T> {
    pub(super) fn new(ordinal: usize, capacity: usize) -> Self {
        let start = (ordinal * 192 % 4096) / size_of::<T>();
        Self { data: vec![T::default(); start + capacity], start, first: start }
    }

    /// Makes that element the first.
    pub(super) fn look_from(&mut self, first: usize) {
        self.first = self.start + first;
    }
}

impl<T> std::ops::Deref for Skewed<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.data[self.first..]
    }
}

impl<T> std::ops::DerefMut for Skewed<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.data[self.first..]
    }
}

/// One column at a time: moves within a column are near each other.
pub(super) fn relocate<T: Copy>(column: &mut [T], moves: &[(u32, u32)]) {
    for &(to, from) in moves {
        column[to as usize] = column[from as usize];
    }
}

/// Defines a struct of columns and other state, with which [`Field`]s columns and constants are.
macro_rules! columns {
    (
        $name:ident { $($column:ident: $scalar:ty,)* }
        $(state { $($state:ident: $ty:ty,)* })?
        fields { $($field:pat => $kind:ident($from:ident),)* }
        constants { $($constant:pat => $value:expr,)* }
    ) => {
        /// What is kept of each particle.
        pub(crate) struct $name {
            $($column: $crate::bounds::columns::Skewed<$scalar>,)*
            $($($state: $ty,)*)?
        }

        impl $crate::bounds::Columns for $name {
            fn new(capacity: usize) -> Self {
                let mut ordinals = 0..;
                let mut next = || ordinals.next().unwrap_or_default();
                Self {
                    $($column: $crate::bounds::columns::Skewed::new(next(), capacity),)*
                    $($($state: <$ty>::default(),)*)?
                }
            }

            fn field(
                &self,
                field: pyrograph::Field,
                slots: usize,
            ) -> Option<pyrograph::Column<'_>> {
                use pyrograph::{Column, Field};
                Some(match field {
                    $($field => Column::$kind(&self.$from[..slots]),)*
                    $($constant => Column::Constant($value),)*
                    _ => return None,
                })
            }

            fn look_from(&mut self, first: usize) {
                $(self.$column.look_from(first);)*
            }

            fn relocate(&mut self, moves: &[(u32, u32)]) {
                $($crate::bounds::columns::relocate(&mut self.$column, moves);)*
            }
        }
    };
}
pub(super) use columns;
