//! The words of this stage's errors; the messages that begin with `NodeParticle:` are the
//! contract's (spec section 11).

use indexmap::IndexSet;

use super::params::{self, NoKind};
use crate::diagnostic::{Code, Diagnostic, Place};
use crate::graph::catalog::{self, Role};
use crate::graph::js;
use crate::graph::source::{SourceBlock, SourceGraph};

/// Steps of a path that are printed before its middle is left out.
const PATH_SHOWN: usize = 24;

pub(super) fn no_proxy_output(
    source: &SourceGraph,
    block: &SourceBlock,
    output: &str,
) -> Diagnostic {
    let SourceBlock { class, .. } = block;
    let id = block.id_text();
    let message = format!("NodeParticle: {class} {id} does not expose output \"{output}\"");
    Diagnostic::new(Code::NoProxyOutput, message).at(source.output_place(block, output))
}

/// `path` holds every plumbing block of the route; `repeated` is one of them.
pub(super) fn plumbing_cycle(
    source: &SourceGraph,
    path: &IndexSet<usize>,
    repeated: usize,
) -> Diagnostic {
    let start = path.get_index_of(&repeated).unwrap_or(0);
    let ids = path.iter().skip(start).chain([&repeated]).map(|index| source.at(*index).id_text());
    let message =
        format!("NodeParticle: graph plumbing cycle {}", ids.collect::<Vec<_>>().join(" -> "));
    Diagnostic::new(Code::PlumbingCycle, message).at(source.place(source.at(repeated)))
}

pub(super) fn unsupported_role(
    source: &SourceGraph,
    block: &SourceBlock,
    role: Role,
) -> Diagnostic {
    let SourceBlock { class, .. } = block;
    let id = block.id_text();
    let message = format!("NodeParticle: {class} {id} does not support {role} connections");
    Diagnostic::new(Code::UnsupportedRole, message).at(source.place(block))
}

pub(super) fn invalid_entry_point(source: &SourceGraph, block: &SourceBlock) -> Diagnostic {
    let id = block.id_text();
    let message = format!("NodeParticle: ParticleTeleportOutBlock {id} has invalid entryPoint");
    Diagnostic::new(Code::InvalidEntryPoint, message).at(source.field_place(block, "entryPoint"))
}

pub(super) fn missing_entry_point(
    source: &SourceGraph,
    block: &SourceBlock,
    entry: f64,
) -> Diagnostic {
    let (id, entry) = (block.id_text(), js::number_to_string(entry));
    let message = format!(
        "NodeParticle: ParticleTeleportOutBlock {id} references missing entryPoint {entry}"
    );
    Diagnostic::new(Code::MissingEntryPoint, message).at(source.field_place(block, "entryPoint"))
}

pub(super) fn not_an_entry_point(
    source: &SourceGraph,
    block: &SourceBlock,
    entry: &SourceBlock,
) -> Diagnostic {
    let (id, entry_id) = (block.id_text(), entry.id_text());
    let message = format!(
        "NodeParticle: ParticleTeleportOutBlock {id} entryPoint {entry_id} is not ParticleTeleportInBlock"
    );
    Diagnostic::new(Code::NotAnEntryPoint, message)
        .at(source.field_place(block, "entryPoint"))
        .note("the entry point", source.place(entry))
}

pub(super) fn entry_point_unconnected(source: &SourceGraph, block: &SourceBlock) -> Diagnostic {
    let id = block.id_text();
    let message = format!("NodeParticle: ParticleTeleportInBlock {id} input is not connected");
    Diagnostic::new(Code::EntryPointUnconnected, message).at(source.place(block))
}

pub(super) fn proxy_unconnected(source: &SourceGraph, block: &SourceBlock) -> Diagnostic {
    let (class, id) = (&block.class, block.id_text());
    let message = format!("NodeParticle: {class} {id} input is not connected");
    Diagnostic::new(Code::ProxyUnconnected, message).at(source.place(block))
}

pub(super) fn particle_scope(source: &SourceGraph, block: &SourceBlock) -> Diagnostic {
    let id = block.id_text();
    let message = format!(
        "NodeParticle: ParticleLocalVariableBlock {id} Particle scope requires particle-only evaluation"
    );
    Diagnostic::new(Code::ParticleScope, message).at(source.field_place(block, "scope"))
}

/// A block that cannot be built; `None` if that shows only where its output is asked for.
pub(super) fn no_kind(
    source: &SourceGraph,
    block: &SourceBlock,
    reason: &NoKind,
    is_local: bool,
) -> Option<Diagnostic> {
    let class = &block.class;
    let value = params::describe(reason);
    let (code, message, field) = match reason {
        NoKind::SilentContextual(_) => return None,
        NoKind::Contextual(_) => (
            Code::UnsupportedContextual,
            format!("NodeParticle: unsupported contextual source {value}"),
            "contextualValue",
        ),
        NoKind::System(_) => (
            Code::UnsupportedSystemSource,
            format!("NodeParticle: unsupported system source {value}"),
            "systemSource",
        ),
        NoKind::Operation(_) => {
            (Code::UnsupportedOperation, format!("{class} has no operation {value}"), "operation")
        }
        NoKind::Class => {
            let (code, family) = if class.ends_with("ShapeBlock") && is_local {
                (Code::UnsupportedLocalShape, "local shape")
            } else if class.ends_with("ShapeBlock") {
                (Code::UnsupportedEmitter, "emitter block")
            } else if class.starts_with("Particle") {
                (Code::UnsupportedValue, "value block")
            } else {
                (Code::UnsupportedBasic, "Basic Properties block")
            };
            (code, format!("NodeParticle: unsupported {family} \"{class}\""), "")
        }
    };
    Some(Diagnostic::new(code, message).at(source.field_place(block, field)))
}

/// What is wrong with a wire that gives no value.
pub(super) enum Unresolved<'a> {
    /// The file has no such block.
    Missing(f64),
    /// The block has no such output for this consumer.
    NoOutput(&'a SourceBlock, &'a str),
    /// The block has a source that gives nothing.
    NoSource(&'a SourceBlock, &'a str),
    /// The block waits for this one: the blocks of the cycle, this one last.
    Cycle(&'a str, Vec<&'a SourceBlock>),
}

pub(super) fn unresolved(
    source: &SourceGraph,
    block: &SourceBlock,
    input: usize,
    reason: &Unresolved<'_>,
) -> Diagnostic {
    let name = &block.inputs[input].name;
    let message = format!("NodeParticle: unresolved connection {}.{name}", block.class);
    let code = match reason {
        Unresolved::Missing(_) => Code::DanglingWire,
        Unresolved::NoOutput(..) => Code::NoSuchOutput,
        Unresolved::NoSource(..) => Code::UnsupportedContextual,
        Unresolved::Cycle(..) => Code::ValueCycle,
    };
    let diagnostic = Diagnostic::new(code, message).at(source.input_place(block, input));
    match reason {
        Unresolved::Missing(id) => {
            let id = js::number_to_string(*id);
            diagnostic.help(format!(
                "the file has no block {id}; connect the input again, or remove its `targetBlockId`"
            ))
        }
        Unresolved::NoOutput(producer, output) => diagnostic
            .note(format!("gives no value named '{output}'"), source.place(producer))
            .help(outputs_help(producer)),
        Unresolved::NoSource(producer, output) => {
            diagnostic.note("gives nothing", source.output_place(producer, output))
        }
        Unresolved::Cycle(output, cycle) => {
            let producer = cycle.first().copied().unwrap_or(block);
            diagnostic
                .note("waits for this block", source.output_place(producer, output))
                .help(format!("break the cycle {}", cycle_path(cycle)))
        }
    }
}

fn outputs_help(producer: &SourceBlock) -> String {
    match catalog::ports(&producer.class) {
        Some(ports) if producer.class == "ParticleTextureSourceBlock" => {
            format!("'{}' is a picture: only inputs for pictures take it", ports.given[0])
        }
        Some(ports) if !ports.given.is_empty() => {
            format!("connect the input to one of: {}", ports.given.join(", "))
        }
        _ => format!(
            "{} gives particles, not values; only 'particle' inputs take them",
            producer.class
        ),
    }
}

/// Every block of the cycle and the first one again; the middle of a long one is left out.
fn cycle_path(cycle: &[&SourceBlock]) -> String {
    let step = |block: &&SourceBlock| match block.name.as_str() {
        "" => format!("{} ({})", block.id_text(), block.class),
        name => format!("{} \"{name}\"", block.id_text()),
    };
    let mut steps: Vec<String> = if cycle.len() <= PATH_SHOWN {
        cycle.iter().map(step).collect()
    } else {
        let half = PATH_SHOWN / 2;
        let (head, tail) = (&cycle[..half], &cycle[cycle.len() - half..]);
        let omitted = format!("({} more)", cycle.len() - PATH_SHOWN);
        head.iter().map(step).chain([omitted]).chain(tail.iter().map(step)).collect()
    };
    steps.extend(cycle.first().map(step));
    steps.join(" -> ")
}

pub(super) fn not_a_gradient_value(
    source: &SourceGraph,
    block: &SourceBlock,
    input: usize,
    producer: &SourceBlock,
) -> Diagnostic {
    let name = &block.inputs[input].name;
    let message = format!(
        "input '{name}' of {} takes a ParticleGradientValueBlock, {} is a {}",
        quoted(block),
        quoted(producer),
        producer.class
    );
    Diagnostic::new(Code::NotAGradientValue, message)
        .at(source.input_place(block, input))
        .note("", source.place(producer))
}

pub(super) fn gradient_value_as_value(
    source: &SourceGraph,
    block: &SourceBlock,
    input: usize,
    producer: &SourceBlock,
) -> Diagnostic {
    let name = &block.inputs[input].name;
    // The one consumer for which the contract has words; the others compute with what is no number.
    let message = if block.class == "ParticleLocalVariableBlock" {
        let id = block.id_text();
        format!("NodeParticle: ParticleLocalVariableBlock {id} received an unsupported value")
    } else {
        format!(
            "input '{name}' of {} takes a value, {} gives a gradient entry",
            quoted(block),
            quoted(producer)
        )
    };
    Diagnostic::new(Code::GradientValueAsValue, message)
        .at(source.input_place(block, input))
        .note("", source.place(producer))
}

/// How a message speaks of a block: its name, or its class where it has none.
fn quoted(block: &SourceBlock) -> String {
    if block.name.is_empty() { block.class.clone() } else { format!("\"{}\"", block.name) }
}

pub(super) fn not_local(source: &SourceGraph, block: &SourceBlock, root: Place) -> Diagnostic {
    let message = "NodeParticle: LocalPositionUpdated requires SystemBlock.isLocal";
    Diagnostic::new(Code::NotLocal, message)
        .at(source.field_place(block, "contextualValue"))
        .note("the system", root)
}

pub(super) fn no_sprite_sheet(source: &SourceGraph, block: &SourceBlock) -> Diagnostic {
    let message = "NodeParticle: BasicSpriteUpdateBlock requires SetupSpriteSheetBlock";
    Diagnostic::new(Code::NoSpriteSheet, message).at(source.place(block))
}

pub(super) fn bad_capacity(source: &SourceGraph, block: &SourceBlock, capacity: f64) -> Diagnostic {
    let capacity = js::number_to_string(capacity);
    Diagnostic::new(Code::BadCapacity, format!("a system cannot have a capacity of {capacity}"))
        .at(source.field_place(block, "capacity"))
}

pub(super) fn long_pre_warm(
    source: &SourceGraph,
    block: &SourceBlock,
    cycles: f64,
    limit: f64,
) -> Diagnostic {
    let cycles = js::number_to_string(cycles);
    let message =
        format!("a system starts with {cycles} steps of pre-warming; {limit} are the most");
    Diagnostic::new(Code::LongPreWarm, message).at(source.field_place(block, "preWarmCycles"))
}

pub(super) fn too_many_systems(limit: usize, root: Place) -> Diagnostic {
    Diagnostic::new(Code::TooLarge, format!("this file has more than {limit} systems")).at(root)
}

pub(super) fn too_large(limit: usize, root: Place) -> Diagnostic {
    let message =
        format!("the systems of this file use more than {limit} blocks and inputs together");
    Diagnostic::new(Code::TooLarge, message).at(root)
}
