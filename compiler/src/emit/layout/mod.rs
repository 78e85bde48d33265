//! Where every number of a Parallel program lies in GPU memory. Computed once; the WGSL printer
//! declares it and the host fills and reads it, so that the two cannot drift apart.
//!
//! All storage is arrays of 32-bit words. Columns lie in [records](Record), by slot.

mod columns;
#[cfg(test)]
mod tests;

use std::fmt;

pub use columns::{ColumnBuffer, Place, Record, WIDE};

use super::usage::Usage;
use crate::ir::{Column, Handle, Program, Table, Texture, Uniform};

/// Slots that one workgroup handles, and invocations in it.
pub const CHUNK: u32 = 256;
/// Chunks of a group: what one workgroup scans.
pub const GROUP: u32 = 256;
/// Chunks whose living one workgroup lists.
pub const BLOCK: u32 = 4;
/// Counters of the living a group. Many die at the same time, and a counter takes one after the other.
pub const SHARES: u32 = 8;
/// Alive flags in a word.
pub const FLAGS: u32 = 32;
/// Regions begin at multiples of this many words, so that they can be bound on their own (256 is
/// the largest alignment that WebGPU's default limits ask for, in bytes).
const REGION: u32 = 64;
/// Words that describe a texture.
pub const TEXTURE_HEAD: u32 = 3;
/// Vertices that an indirect draw uses for a particle: two triangles.
pub const VERTICES: u32 = 6;
/// Bytes of a word.
pub const WORD: u64 = 4;

/// What a device can bind; the default is WebGPU's default limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest storage binding, in bytes.
    pub storage_bytes: u64,
    /// Largest uniform binding, in bytes.
    pub uniform_bytes: u64,
    /// Storage buffers that one shader stage may see.
    pub storage_buffers: u32,
    /// Workgroups in one dimension of a dispatch.
    pub groups: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            storage_bytes: 128 << 20,
            uniform_bytes: 64 << 10,
            storage_buffers: 8,
            groups: 65_535,
        }
    }
}

/// The layout of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of slots.
    pub capacity: u32,
    /// Number of chunks of [`CHUNK`] slots; the last may be part of one.
    pub chunks: u32,
    /// Number of groups of [`GROUP`] chunks; the last may be part of one.
    pub groups: u32,
    /// Number of blocks of [`BLOCK`] chunks; the last may be part of one.
    pub blocks: u32,
    /// Records of all columns that are not constant.
    pub records: Vec<Record>,
    /// Place of each column, in the order of [`Program::columns`]: its record, and which of the columns
    /// there it is. Constant columns have none.
    columns: Vec<Option<(usize, u32)>>,
    /// The buffers that records lie in; never empty.
    pub column_buffers: Vec<ColumnBuffer>,
    /// Regions of the buffer that tells which slots live.
    pub slots: Slots,
    /// Byte offset in a block of a word that stays 0, where one is needed.
    pub zero: Option<u32>,
    /// Uniforms with their byte offsets in a block, ascending.
    pub uniforms: Vec<(Handle<Uniform>, u32)>,
    /// Bytes of a uniform block.
    pub uniform_bytes: u32,
    /// Tables with their first words and their lengths, ascending.
    pub tables: Vec<(Handle<Table>, u32, u32)>,
    /// Words of all tables.
    pub table_words: u32,
    /// Textures that kernels read, ascending. Their buffer begins with [`TEXTURE_HEAD`] words for
    /// each: first word of its texels, width, height. A texel is a word, red in the low byte.
    pub textures: Vec<Handle<Texture>>,
}

/// Regions of the slot buffer, by first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// One bit a slot, set where a particle lives; slot k is bit k % 32 of word k / 32. The region
    /// is filled up to whole blocks with bits that stay 0.
    pub alive: u32,
    /// [`SHARES`] words a group of chunks, whose sum, modulo 2^32, is how many of its slots live: the first
    /// one of all groups, then the second one of all.
    pub groups: u32,
    /// One word for each word of flags of a chunk: slots of it that are filled in the present step.
    pub born: u32,
    /// One word for each of those, and one more: dead slots before it, before the step's births.
    pub dead: u32,
    /// Slots of the living, ascending: the draw order.
    pub list: u32,
    /// Words of the buffer.
    pub words: u32,
}

/// Words of the control buffer, in order. The first four are the arguments of an indirect draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// Vertices a particle; written by the host once.
    Vertices,
    /// How many particles live.
    Alive,
    /// First vertex of the draw: 0.
    FirstVertex,
    /// First instance of the draw: 0.
    FirstInstance,
    /// Id that the next birth is given.
    NextId,
    /// Births of the last step.
    Births,
    /// 0, or 1 + the index of the message of a `Fail` that was reached.
    Status,
}

impl Counter {
    /// All words.
    pub const ALL: [Self; 7] = [
        Self::Vertices,
        Self::Alive,
        Self::FirstVertex,
        Self::FirstInstance,
        Self::NextId,
        Self::Births,
        Self::Status,
    ];

    /// Name of the member in WGSL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertices => "vertices",
            Self::Alive => "alive",
            Self::FirstVertex => "first_vertex",
            Self::FirstInstance => "first_instance",
            Self::NextId => "next_id",
            Self::Births => "births",
            Self::Status => "status",
        }
    }

    /// Index in the control buffer.
    pub fn word(self) -> usize {
        self as usize
    }
}

/// Why a program has no layout within some limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// One region of a buffer is larger than a binding.
    Region {
        /// What would lie there.
        what: &'static str,
        /// Bytes needed.
        needed: u64,
        /// Bytes that can be bound.
        limit: u64,
    },
    /// The columns need more buffers than a shader may see.
    Buffers {
        /// Buffers needed.
        needed: u32,
        /// Buffers that are left for columns.
        limit: u32,
    },
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Region { what, needed, limit } => write!(
                f,
                "{what} needs {needed} bytes in one binding and the device binds {limit}; lower \
                 the capacity"
            ),
            Self::Buffers { needed, limit } => write!(
                f,
                "the particle columns fill {needed} storage buffers and {limit} are left for them; \
                 lower the capacity"
            ),
        }
    }
}

impl std::error::Error for LayoutError {}

impl Layout {
    /// Lays out what the particle bodies of a program use.
    ///
    /// # Errors
    /// Where the capacity is beyond the limits.
    pub fn new(program: &Program, usage: &Usage, limits: &Limits) -> Result<Self, LayoutError> {
        let capacity = program.capacity;
        let region = |what, words: u64, limit: u64| {
            let needed = words * WORD;
            if needed > limit {
                return Err(LayoutError::Region { what, needed, limit });
            }
            // Every limit of a device lies far below 2^32 words.
            u32::try_from(words).map_err(|_| LayoutError::Region { what, needed, limit })
        };

        let chunks = capacity.div_ceil(CHUNK);
        let groups = chunks.div_ceil(GROUP);
        let blocks = chunks.div_ceil(BLOCK);
        let flags = chunks * (CHUNK / FLAGS);
        let first_group = blocks * BLOCK * (CHUNK / FLAGS);
        let born = first_group + groups * SHARES;
        let dead = born + flags;
        let list = (dead + flags + 1).next_multiple_of(REGION);
        let slot_words = u64::from(list) + u64::from(capacity).max(1);
        let words = region("the list of living particles", slot_words, limits.storage_bytes)?;
        let slots = Slots { alive: 0, groups: first_group, born, dead, list, words };

        let mut tables = Vec::new();
        let mut table_words = 0;
        for &table in &usage.tables {
            let length = program.tables[table].values.len() as u64;
            let end = u64::from(table_words) + length;
            let end = region("the tables", end, limits.storage_bytes)?;
            tables.push((table, table_words, end - table_words));
            table_words = end;
        }

        // The first word of a block is the number of births that are asked for.
        let zero = usage.held.then_some(4);
        let head = 1 + u32::from(usage.held);
        let uniforms: Vec<_> =
            usage.uniforms.iter().zip(head..).map(|(&uniform, k)| (uniform, k * 4)).collect();
        let members = u64::from(head) + uniforms.len() as u64;
        let block = region("the uniform block", members.next_multiple_of(4), limits.uniform_bytes)?;

        let stride = u64::from(capacity.max(1)).next_multiple_of(u64::from(REGION));
        let stride = region("one particle column", stride, limits.storage_bytes)?;
        let room = u32::try_from(limits.storage_bytes / WORD).unwrap_or(u32::MAX);
        let textures: Vec<Handle<Texture>> = usage.textures.iter().copied().collect();
        let others = 2 + u32::from(!tables.is_empty()) + u32::from(!textures.is_empty());
        let limit = limits.storage_buffers.saturating_sub(others);
        let (records, mut column_buffers) = columns::place(program, stride, room, limit)
            .map_err(|needed| LayoutError::Buffers { needed, limit })?;
        if column_buffers.is_empty() {
            // A buffer cannot be empty, even where a program keeps nothing.
            column_buffers.push(ColumnBuffer { words: REGION, is_wide: false });
        }
        let mut columns = vec![None; program.columns.len()];
        for (index, record) in records.iter().enumerate() {
            for (&column, which) in record.columns.iter().zip(0..) {
                columns[column.index()] = Some((index, which));
            }
        }
        Ok(Self {
            capacity,
            chunks,
            groups,
            blocks,
            records,
            columns,
            column_buffers,
            slots,
            zero,
            uniforms,
            uniform_bytes: block * 4,
            tables,
            table_words,
            textures,
        })
    }

    /// Place of a column, unless it is a constant.
    pub fn column(&self, column: Handle<Column>) -> Option<Place> {
        let (record, which) = self.in_record(column)?;
        let Record { buffer, word, stride, .. } = *self.records.get(record)?;
        Some(Place { buffer, word: word + which, stride })
    }

    /// The record of a column, and which of the columns there it is, unless it is a constant.
    pub fn in_record(&self, column: Handle<Column>) -> Option<(usize, u32)> {
        self.columns.get(column.index()).copied().flatten()
    }

    /// Words of the control buffer.
    pub fn control_words(&self) -> u32 {
        Counter::ALL.len() as u32
    }

    /// Workgroups in x and y for a kernel with one workgroup a chunk. The product may exceed the
    /// number of chunks; kernels ignore the rest.
    pub fn grid(&self, limits: &Limits) -> [u32; 2] {
        grid(self.chunks, limits)
    }

    /// Workgroups in x and y for a kernel with one workgroup a block of chunks, likewise.
    pub fn block_grid(&self, limits: &Limits) -> [u32; 2] {
        grid(self.blocks, limits)
    }

    /// Workgroups in x and y for a kernel with one workgroup a group of chunks, likewise.
    pub fn group_grid(&self, limits: &Limits) -> [u32; 2] {
        grid(self.groups, limits)
    }
}

fn grid(count: u32, limits: &Limits) -> [u32; 2] {
    let rows = count.div_ceil(limits.groups.max(1));
    if rows == 0 { [0, 0] } else { [count.div_ceil(rows), rows] }
}
