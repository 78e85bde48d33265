//! Which columns lie together.
//!
//! Memory is read and written 32 bytes or more at a time. The update runs slots in order, and neighbours share
//! what is read; but the neighbours of a birth live already, and so a birth would touch as many places as there
//! are columns, for 4 bytes each. Four columns of a slot that lie together, in a record, are one place, and one
//! load and one store of 16 bytes.
//!
//! A record is moved as a whole. So columns share one only if the update treats them alike: reads and writes
//! them, writes them, reads them, or leaves them alone. What is left of a kind lies in twos and ones, except
//! that three take a fourth: one that the update only writes, to those that it writes anyway, or one that it
//! leaves alone, or nothing.

use std::collections::BTreeSet;

use crate::ir::{Column, Expr, Handle, Program, stored_columns};

/// Words of the widest record: those of a `vec4<u32>`.
pub const WIDE: u32 = 4;

/// A buffer of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnBuffer {
    /// Its words, never 0.
    pub words: u32,
    /// Whether its records have [`WIDE`] words: kernels see an array of `vec4<u32>` then, else of `u32`.
    pub is_wide: bool,
}

/// Columns of which the words of a slot follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Index into [`Layout::column_buffers`](super::Layout::column_buffers).
    pub buffer: u32,
    /// Word of the first column in slot 0.
    pub word: u32,
    /// Words from a slot to the next: [`WIDE`], 2 or 1. Those behind the columns are not used.
    pub stride: u32,
    /// At most `stride` columns, in order.
    pub columns: Vec<Handle<Column>>,
}

/// Where a column lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index into [`Layout::column_buffers`](super::Layout::column_buffers).
    pub buffer: u32,
    /// Word of slot 0.
    pub word: u32,
    /// Slot k is k times this many words after it.
    pub stride: u32,
}

/// Places all columns that are not constant in buffers of at most `room` words, each column with `length` words
/// for its slots. Where that takes more than `limit` buffers, the last of the wide records are taken apart,
/// as many as it needs; `Err` with the number of buffers if that is not enough.
pub(super) fn place(
    program: &Program,
    length: u32,
    room: u32,
    limit: u32,
) -> Result<(Vec<Record>, Vec<ColumnBuffer>), u32> {
    let groups = group(program);
    let is_wide = |group: &&Group| group.stride == WIDE;
    let widest = groups.iter().filter(is_wide).count();
    for wide in (0..=widest).rev() {
        let mut left = wide;
        let mut taken = Vec::new();
        for group in &groups {
            let fits = u64::from(length) * u64::from(group.stride) <= u64::from(room);
            let stays = fits && (group.stride != WIDE || left > 0);
            if stays {
                left -= usize::from(group.stride == WIDE);
                taken.push(group.clone());
            } else {
                taken.extend(group.columns.iter().map(|&column| Group::new(1, &[column])));
            }
        }
        let (records, buffers) = fill(taken, length, room);
        let needed = buffers.len() as u32;
        if needed <= limit {
            return Ok((records, buffers));
        }
        if wide == 0 {
            return Err(needed);
        }
    }
    Err(0)
}

/// Puts groups into the first buffer of their kind that has room.
fn fill(groups: Vec<Group>, length: u32, room: u32) -> (Vec<Record>, Vec<ColumnBuffer>) {
    let mut buffers: Vec<ColumnBuffer> = Vec::new();
    let mut records = Vec::new();
    for Group { stride, columns } in groups {
        let (words, is_wide) = (length * stride, stride == WIDE);
        let has_room =
            |buffer: &ColumnBuffer| buffer.is_wide == is_wide && room - buffer.words >= words;
        let index = buffers.iter().position(has_room).unwrap_or_else(|| {
            buffers.push(ColumnBuffer { words: 0, is_wide });
            buffers.len() - 1
        });
        let word = buffers[index].words;
        buffers[index].words += words;
        records.push(Record { buffer: index as u32, word, stride, columns });
    }
    (records, buffers)
}

#[derive(Clone, Debug)]
struct Group {
    stride: u32,
    columns: Vec<Handle<Column>>,
}

impl Group {
    fn new(stride: u32, columns: &[Handle<Column>]) -> Self {
        Self { stride, columns: columns.to_vec() }
    }
}

/// The records that columns should lie in, widest first.
fn group(program: &Program) -> Vec<Group> {
    let (loaded, stored) = accesses(program);
    let kind = |is_loaded: bool, is_stored: bool| -> Vec<Handle<Column>> {
        let columns = program.columns.iter();
        columns
            .filter(|(_, column)| column.constant.is_none())
            .map(|(handle, _)| handle)
            .filter(|handle| loaded.contains(handle) == is_loaded)
            .filter(|handle| stored.contains(handle) == is_stored)
            .collect()
    };
    let mut kept = kind(true, true);
    let mut written = kind(false, true);
    let mut read = kind(true, false);
    let mut idle = kind(false, false);
    let taken_by = |columns: &mut Vec<_>, others: &mut Vec<Handle<Column>>| {
        if columns.len() % 4 == 3 && !others.is_empty() {
            columns.push(others.remove(0));
        }
    };
    taken_by(&mut kept, &mut written);
    taken_by(&mut kept, &mut idle);
    taken_by(&mut written, &mut idle);
    taken_by(&mut read, &mut idle);
    let mut groups = Vec::new();
    for columns in [kept, written, read, idle] {
        for four in columns.chunks(4) {
            match four {
                [first, second] => groups.push(Group::new(2, &[*first, *second])),
                [one] => groups.push(Group::new(1, &[*one])),
                four => groups.push(Group::new(WIDE, four)),
            }
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.stride));
    groups
}

/// The columns that the update loads, and those that it stores.
fn accesses(program: &Program) -> (BTreeSet<Handle<Column>>, BTreeSet<Handle<Column>>) {
    let update = &program.update;
    let load = |expr| if let Expr::Load(column) = expr { Some(column) } else { None };
    let loaded = update.values.iter().filter_map(|(_, value)| load(value.expr)).collect();
    (loaded, stored_columns(&update.block))
}
