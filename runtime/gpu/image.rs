//! Particles of one program as the words of another, by slot and by the names of columns.

use std::iter::repeat_n;

use pyrograph_compiler::emit::layout::{CHUNK, Counter, FLAGS, GROUP, VERTICES};
use pyrograph_compiler::emit::wgsl::Resource;
use pyrograph_compiler::ir::{Column, Const, Handle};

use super::program::GpuProgram;
use super::read::Region;
use super::snapshot::ReadState;
use crate::program::ParticleState;

/// What to write into the buffers of a new instance.
#[derive(Debug)]
pub(super) struct Image {
    /// The words of each region.
    pub(super) regions: Vec<(Region, Vec<u32>)>,
    /// Columns that the program keeps and the particles do not have. If there are any, no particle
    /// is in the image; ids go on counting.
    pub(super) missing: Vec<String>,
    /// Particles in the image.
    pub(super) particles: u32,
    /// Particles that are not in the image.
    pub(super) dropped: u32,
}

/// Where the elements of a column come from.
#[derive(Clone, Copy)]
enum Source {
    Column(Handle<Column>),
    Constant(u32),
}

impl Image {
    /// Particles stay in their slots, except where the new capacity is too small for that: then
    /// those that fit move to the first slots, in order.
    pub(super) fn new(snapshot: &ReadState, to: &GpuProgram) -> Self {
        let program = &to.module().programs[to.index()];
        let layout = &to.manifest().layout;
        let mut missing = Vec::new();
        let mut sources = vec![Source::Constant(0); program.columns.len()];
        for (handle, column) in program.columns.iter() {
            if layout.column(handle).is_some() {
                match source(snapshot, column) {
                    Some(source) => sources[handle.index()] = source,
                    None => missing.push(column.name.clone()),
                }
            }
        }
        let living = (0..snapshot.slots()).filter(|&slot| snapshot.is_alive(slot));
        // Old slots with their new ones.
        let slots: Vec<(u32, u32)> = if !missing.is_empty() {
            Vec::new()
        } else if snapshot.slots() <= layout.capacity {
            living.map(|slot| (slot, slot)).collect()
        } else {
            living.zip(0..layout.capacity).collect()
        };
        let used = slots.last().map_or(0, |&(_, slot)| slot + 1);

        let mut flags = vec![0; used.div_ceil(FLAGS) as usize];
        for &(_, slot) in &slots {
            flags[(slot / FLAGS) as usize] |= 1 << (slot % FLAGS);
        }
        let mut groups = vec![0; layout.groups as usize];
        for &(_, slot) in &slots {
            groups[(slot / (CHUNK * GROUP)) as usize] += 1;
        }
        let list = slots.iter().map(|&(_, slot)| slot).collect();
        let mut regions = vec![
            region(Resource::Control, 0, control(snapshot, to, slots.len() as u32)),
            region(Resource::Slots, layout.slots.alive, flags),
            region(Resource::Slots, layout.slots.groups, groups),
            region(Resource::Slots, layout.slots.list, list),
        ];
        for record in &layout.records {
            let stride = record.stride as usize;
            let mut words: Vec<u32> = repeat_n(0, used as usize * stride).collect();
            for (&column, which) in record.columns.iter().zip(0..) {
                let source = sources[column.index()];
                for &(old, new) in &slots {
                    words[new as usize * stride + which] = match source {
                        Source::Column(column) => snapshot.word(old, column).unwrap_or(0),
                        Source::Constant(word) => word,
                    };
                }
            }
            regions.push(region(Resource::Columns(record.buffer), record.word, words));
        }
        let particles = slots.len() as u32;
        Self { regions, missing, particles, dropped: snapshot.alive().saturating_sub(particles) }
    }
}

fn region(resource: Resource, first: u32, words: Vec<u32>) -> (Region, Vec<u32>) {
    (Region { resource, first, words: words.len() as u32 }, words)
}

/// The column of the same name and type.
fn source(snapshot: &ReadState, wanted: &Column) -> Option<Source> {
    let mut columns = snapshot.program().columns.iter();
    let (handle, column) = columns
        .find(|(_, column)| column.name == wanted.name && column.storage == wanted.storage)?;
    Some(match column.constant {
        None => Source::Column(handle),
        Some(constant) => Source::Constant(word(constant)),
    })
}

/// A constant as kernels keep it.
fn word(constant: Const) -> u32 {
    match constant {
        Const::Float(value) => (value as f32).to_bits(),
        Const::Uint(value) => value,
        Const::Bool(value) => u32::from(value),
    }
}

fn control(snapshot: &ReadState, to: &GpuProgram, alive: u32) -> Vec<u32> {
    let counters = snapshot.counters();
    let failure = counters.failure.as_ref();
    let status = failure
        .and_then(|failure| to.manifest().messages.iter().position(|message| message == failure));
    let value = |counter: &Counter| match counter {
        Counter::Vertices => VERTICES,
        Counter::Alive => alive,
        Counter::FirstVertex | Counter::FirstInstance => 0,
        Counter::NextId => counters.next_id,
        Counter::Births => counters.births,
        Counter::Status => status.map_or(0, |index| index as u32 + 1),
    };
    Counter::ALL.iter().map(value).collect()
}
