//! The head of a module: sizes, structures, bindings, places of the columns.

use super::Context;
use super::columns::{column_element, column_word};
use super::literal::type_name;
use super::manifest::{Resource, bindings};
use super::writer::Writer;
use crate::emit::layout::{BLOCK, CHUNK, Counter, FLAGS, GROUP, SHARES};
use crate::ir::Storage;

/// Prints everything that stands before the functions.
pub(super) fn print(context: &Context<'_>) -> String {
    let mut writer = Writer::default();
    sizes(context, &mut writer);
    structures(context, &mut writer);
    for binding in bindings(context.layout) {
        let place = format!("@group(0) @binding({})", binding.index);
        match binding.resource {
            Resource::Uniforms => {
                writer.line(format_args!("{place} var<uniform> u: Uniforms;"));
            }
            Resource::Control => {
                writer.line(format_args!("{place} var<storage, read_write> control: Control;"));
            }
            Resource::Slots => {
                writer.line(format_args!(
                    "{place} var<storage, read_write> slots: array<atomic<u32>>;"
                ));
            }
            Resource::Columns(buffer) => {
                let name = context.names.buffer(buffer);
                let element = column_element(context.layout, buffer);
                writer.line(format_args!(
                    "{place} var<storage, read_write> {name}: array<{element}>;"
                ));
            }
            Resource::Tables => {
                writer.line(format_args!("{place} var<storage, read> tables: array<u32>;"));
            }
            Resource::Texels => {
                writer.line(format_args!("{place} var<storage, read> texels: array<u32>;"));
            }
        }
    }
    columns(context, &mut writer);
    writer.finish()
}

fn sizes(context: &Context<'_>, writer: &mut Writer) {
    let layout = context.layout;
    writer.line(format_args!("// Particle system {:?}, made by Pyrograph.", context.program.name));
    writer.blank();
    writer.line(format_args!("const CAPACITY: u32 = {}u;", layout.capacity));
    writer.line(format_args!("// Chunks of {CHUNK} slots, one a workgroup."));
    writer.line(format_args!("const CHUNKS: u32 = {}u;", layout.chunks));
    writer.line(format_args!("// Blocks of {BLOCK} chunks, and groups of {GROUP}."));
    writer.line(format_args!("const BLOCKS: u32 = {}u;", layout.blocks));
    writer.line(format_args!("const GROUPS: u32 = {}u;", layout.groups));
    writer.line(format_args!(
        "// In `slots`: bits of the living, then the living of each group, in {SHARES} shares;"
    ));
    writer.line(format_args!(
        "// for each word of bits those that are born, and the dead before; the living."
    ));
    writer.line(format_args!("const WORDS: u32 = {}u;", layout.chunks * (CHUNK / FLAGS)));
    writer.line(format_args!("const LIVING: u32 = {}u;", layout.slots.groups));
    writer.line(format_args!("const BORN: u32 = {}u;", layout.slots.born));
    writer.line(format_args!("const DEAD: u32 = {}u;", layout.slots.dead));
    writer.line(format_args!("const LIST: u32 = {}u;", layout.slots.list));
    writer.blank();
}

fn structures(context: &Context<'_>, writer: &mut Writer) {
    writer.open(format_args!("struct Uniforms {{"));
    writer.line(format_args!("// How many particles the host asks for."));
    writer.line(format_args!("births: u32,"));
    if context.layout.zero.is_some() {
        writer.line(format_args!(
            "// Is 0, which no compiler knows: products mixed with it are not fused."
        ));
        writer.line(format_args!("zero: u32,"));
    }
    for &(uniform, _) in &context.layout.uniforms {
        let ty = type_name(context.program.uniforms[uniform].source.ty());
        writer.line(format_args!("{}: {ty},", context.names.uniform(uniform)));
    }
    writer.close(format_args!("}}"));
    writer.blank();
    writer.open(format_args!("struct Control {{"));
    for counter in Counter::ALL {
        let ty = match counter {
            Counter::Status => "atomic<u32>",
            Counter::Vertices
            | Counter::Alive
            | Counter::FirstVertex
            | Counter::FirstInstance
            | Counter::NextId
            | Counter::Births => "u32",
        };
        writer.line(format_args!("{}: {ty},", counter.name()));
    }
    writer.close(format_args!("}}"));
    writer.blank();
}

fn columns(context: &Context<'_>, writer: &mut Writer) {
    writer.blank();
    writer.line(format_args!("// Where a slot has its word of each column."));
    for (handle, column) in context.program.columns.iter() {
        if let Some(place) = context.layout.column(handle) {
            let word = column_word(place, &context.names.buffer(place.buffer), "slot");
            let kept = match column.storage {
                Storage::F64 | Storage::F32 => "f32",
                Storage::U32 => "u32",
                Storage::U16 => "u16",
                Storage::U8 => "u8",
            };
            // The debug form escapes whatever could end the comment.
            writer.line(format_args!("// {:?}: {word}, {kept}", column.name));
        }
    }
}
