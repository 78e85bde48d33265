//! The manifest as JSON, for hosts in any language; `docs/manifest.md` describes every member.

mod host;
mod number;

use serde::Serialize;

use super::manifest::{Manifest, Resource};
use crate::emit::layout::{CHUNK, Counter, VERTICES, WORD};
use crate::ir::{Program, RenderSpec, Storage, Type};
use host::Host;
use number::{Constant, Number};

/// Number of the format; it grows whenever a host would have to change.
const VERSION: u32 = 2;

/// All of it, in the order in which a host needs it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    pyrograph_manifest: u32,
    name: &'a str,
    ordinal: u32,
    capacity: u32,
    emission: Emission,
    render: Render<'a>,
    bindings: Vec<Binding>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<Input<'a>>,
    uniforms: Block,
    control: Vec<Word>,
    slots: Slots,
    columns: Vec<Column<'a>>,
    tables: Vec<Table<'a>>,
    textures: Vec<Texture<'a>>,
    limits: Needs,
    steps: Vec<Step>,
    messages: &'a [String],
    inexact: Vec<Inexact>,
    host: Host,
}

/// The facts of [`ir::Emission`](crate::ir::Emission).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Emission {
    rate: Number,
    update_speed: Number,
    target_stop: Number,
    manual_emit_count: Number,
    start_delay: Number,
    pre_warm_cycles: Number,
    pre_warm_step_offset: Number,
    do_no_start: bool,
    dispose_on_stop: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Render<'a> {
    blend_mode: Number,
    billboard_mode: Number,
    is_billboard_based: bool,
    is_local: bool,
    translation_pivot: [Number; 2],
    texture_mask: [Number; 4],
    rendering_group_id: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    sheet: Option<[Number; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<Picture<'a>>,
}

#[derive(Serialize)]
struct Picture<'a> {
    url: &'a str,
    flip: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Binding {
    binding: u32,
    resource: String,
    #[serde(rename = "type")]
    kind: &'static str,
    has_dynamic_offset: bool,
    bytes: u64,
}

#[derive(Serialize)]
struct Input<'a> {
    name: &'a str,
    block: &'a str,
    initial: Vec<Number>,
}

#[derive(Serialize)]
struct Block {
    bytes: u32,
    members: Vec<Member>,
}

#[derive(Serialize)]
struct Member {
    source: String,
    #[serde(rename = "type")]
    ty: &'static str,
    offset: u32,
}

#[derive(Serialize)]
struct Word {
    name: &'static str,
    word: usize,
    initial: u32,
}

#[derive(Serialize)]
struct Slots {
    alive: u32,
    groups: u32,
    list: u32,
}

#[derive(Serialize)]
struct Column<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    buffer: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stride: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constant: Option<Constant>,
}

#[derive(Serialize)]
struct Table<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<u32>,
    values: Vec<Number>,
}

#[derive(Serialize)]
struct Texture<'a> {
    name: &'a str,
    url: &'a str,
    flip: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<usize>,
}

/// What a device must be able to bind, by the names of WebGPU's limits.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Needs {
    max_storage_buffer_binding_size: u64,
    max_storage_buffers_per_shader_stage: usize,
    max_uniform_buffer_binding_size: u64,
    max_compute_workgroups_per_dimension: u32,
    max_compute_invocations_per_workgroup: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Step {
    entry_point: &'static str,
    workgroups: [u32; 3],
}

#[derive(Serialize)]
struct Inexact {
    decision: &'static str,
    operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<String>,
}

/// The manifest of a program's kernels, indented, with a line break at its end.
#[must_use]
pub fn to_json(program: &Program, manifest: &Manifest) -> String {
    // Blocks within blocks of system-domain bodies are followed on the stack.
    stacker::maybe_grow(STACK, STACK, || print(program, manifest))
}

/// What 500 conditions inside each other need, with room to spare.
const STACK: usize = 16 << 20;

fn print(program: &Program, manifest: &Manifest) -> String {
    let emission = &program.emission;
    let document = Document {
        pyrograph_manifest: VERSION,
        name: &program.name,
        ordinal: manifest.ordinal,
        capacity: manifest.layout.capacity,
        emission: Emission {
            rate: Number(emission.rate),
            update_speed: Number(emission.update_speed),
            target_stop: Number(emission.target_stop),
            manual_emit_count: Number(emission.manual_emit_count),
            start_delay: Number(emission.start_delay),
            pre_warm_cycles: Number(emission.pre_warm_cycles),
            pre_warm_step_offset: Number(emission.pre_warm_step_offset),
            do_no_start: emission.do_no_start,
            dispose_on_stop: emission.dispose_on_stop,
        },
        render: render(&program.render),
        bindings: bindings(manifest),
        inputs: inputs(program),
        uniforms: uniforms(program, manifest),
        control: control(),
        slots: slots(manifest),
        columns: columns(program, manifest),
        tables: tables(program, manifest),
        textures: textures(program, manifest),
        limits: needs(manifest),
        steps: steps(manifest),
        messages: &manifest.messages,
        inexact: inexact(program, manifest),
        host: Host::new(program),
    };
    // Names are strings and numbers are written as JSON can: nothing here can fail.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn render(spec: &RenderSpec) -> Render<'_> {
    Render {
        blend_mode: Number(spec.blend_mode),
        billboard_mode: Number(spec.billboard_mode),
        is_billboard_based: spec.is_billboard_based,
        is_local: spec.is_local,
        translation_pivot: spec.translation_pivot.map(Number),
        texture_mask: spec.texture_mask.map(Number),
        rendering_group_id: Number(spec.rendering_group_id),
        sheet: spec.sheet.map(|cell| cell.map(Number)),
        picture: spec
            .picture
            .as_ref()
            .map(|picture| Picture { url: &picture.url, flip: picture.flip }),
    }
}

fn bindings(manifest: &Manifest) -> Vec<Binding> {
    let bindings = manifest.bindings.iter().map(|binding| {
        let kind = match binding.resource {
            Resource::Uniforms => "uniform",
            Resource::Control | Resource::Slots | Resource::Columns(_) => "storage",
            Resource::Tables | Resource::Texels => "read-only-storage",
        };
        Binding {
            binding: binding.index,
            resource: binding.resource.to_string(),
            kind,
            has_dynamic_offset: binding.resource == Resource::Uniforms,
            bytes: manifest.bytes(binding.resource),
        }
    });
    bindings.collect()
}

fn inputs(program: &Program) -> Vec<Input<'_>> {
    let inputs = program.inputs.iter().map(|(_, input)| Input {
        name: &input.name,
        block: &input.block,
        initial: input.initial.iter().copied().map(Number).collect(),
    });
    inputs.collect()
}

fn uniforms(program: &Program, manifest: &Manifest) -> Block {
    let layout = &manifest.layout;
    let mut members = vec![Member { source: "births".into(), ty: "u32", offset: 0 }];
    let zero = layout.zero.map(|offset| Member { source: "zero".into(), ty: "u32", offset });
    members.extend(zero);
    members.extend(layout.uniforms.iter().map(|&(uniform, offset)| {
        let source = program.uniforms[uniform].source;
        Member { source: source.to_string(), ty: type_name(source.ty()), offset }
    }));
    Block { bytes: layout.uniform_bytes, members }
}

fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Float => "f32",
        Type::Uint | Type::Bool => "u32",
    }
}

fn control() -> Vec<Word> {
    let words = Counter::ALL.into_iter().map(|counter| Word {
        name: counter.name(),
        word: counter.word(),
        initial: if counter == Counter::Vertices { VERTICES } else { 0 },
    });
    words.collect()
}

fn slots(manifest: &Manifest) -> Slots {
    let slots = manifest.layout.slots;
    Slots { alive: slots.alive, groups: slots.groups, list: slots.list }
}

fn columns<'a>(program: &'a Program, manifest: &Manifest) -> Vec<Column<'a>> {
    let columns = program.columns.iter().map(|(handle, column)| {
        let place = manifest.layout.column(handle);
        Column {
            name: &column.name,
            ty: match column.storage {
                Storage::F64 | Storage::F32 => "f32",
                Storage::U32 | Storage::U16 | Storage::U8 => "u32",
            },
            field: column.field.map(|field| field.to_string()),
            buffer: place.map(|place| place.buffer),
            word: place.map(|place| place.word),
            stride: place.map(|place| place.stride),
            constant: column.constant.map(Constant),
        }
    });
    columns.collect()
}

/// All of them: system-domain bodies read tables, too.
fn tables<'a>(program: &'a Program, manifest: &Manifest) -> Vec<Table<'a>> {
    let tables = program.tables.iter().map(|(handle, table)| {
        let mut placed = manifest.layout.tables.iter();
        let word = placed.find(|(found, ..)| *found == handle).map(|&(_, word, _)| word);
        Table {
            name: &table.name,
            word,
            values: table.values.iter().copied().map(Number).collect(),
        }
    });
    tables.collect()
}

fn textures<'a>(program: &'a Program, manifest: &Manifest) -> Vec<Texture<'a>> {
    let textures = program.textures.iter().map(|(handle, texture)| Texture {
        name: &texture.name,
        url: &texture.url,
        flip: texture.flip,
        head: manifest.layout.textures.iter().position(|&read| read == handle),
    });
    textures.collect()
}

fn needs(manifest: &Manifest) -> Needs {
    let workgroups = manifest.step.iter().flat_map(|step| step.workgroups);
    let storage = manifest.bindings.iter().filter(|binding| binding.resource != Resource::Uniforms);
    let sizes = storage.clone().map(|binding| manifest.bytes(binding.resource));
    Needs {
        max_storage_buffer_binding_size: sizes.max().unwrap_or(WORD),
        max_storage_buffers_per_shader_stage: storage.count(),
        max_uniform_buffer_binding_size: u64::from(manifest.layout.uniform_bytes),
        max_compute_workgroups_per_dimension: workgroups.max().unwrap_or(0),
        max_compute_invocations_per_workgroup: CHUNK,
    }
}

fn steps(manifest: &Manifest) -> Vec<Step> {
    let steps = manifest.step.iter().map(|step| {
        let [x, y] = step.workgroups;
        Step { entry_point: step.entry_point, workgroups: [x, y, 1] }
    });
    steps.collect()
}

fn inexact(program: &Program, manifest: &Manifest) -> Vec<Inexact> {
    let decisions = manifest.inexact.iter().map(|decision| Inexact {
        decision: decision.kind.name(),
        operation: decision.operation,
        block: decision.origin.map(|origin| program.origins[origin].to_string()),
    });
    decisions.collect()
}
