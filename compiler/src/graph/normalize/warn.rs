//! What compiles but may not be what the author meant.

use super::Resolved;
use super::reach::Reached;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::graph::catalog;
use crate::graph::json::Value;
use crate::graph::source::{SourceBlock, SourceGraph};

/// Warnings in file order of the blocks that the roots reach.
pub(super) fn warnings(source: &SourceGraph, reached: &Reached) -> Diagnostics {
    let mut found = Diagnostics::new();
    for (id, place) in &source.replaced {
        let Some(block) = source.block(*id) else { continue };
        let id = block.id_text();
        let message = format!("id {id} is given to more than one block; this one is not used");
        let diagnostic = Diagnostic::new(Code::DuplicateId, message).at(place.clone());
        found.push(diagnostic.note("the one that is used", source.place(block)));
    }
    let mut order = reached.order.clone();
    order.sort_unstable();
    for index in order {
        let block = source.at(index);
        left_out(source, block, &mut found);
        fields(source, block, &mut found);
        drawing(source, index, reached, &mut found);
        inputs(source, block, &reached.sources[index], &mut found);
    }
    found
}

/// Systems that this one would start.
fn left_out(source: &SourceGraph, block: &SourceBlock, found: &mut Diagnostics) {
    let is_connected =
        |name: &str| block.input_index(name).filter(|index| block.inputs[*index].wire().is_some());
    if block.class == "SystemBlock" {
        for name in ["onStart", "onEnd"] {
            let Some(index) = is_connected(name) else { continue };
            let message = format!(
                "'{name}' starts nothing: the system behind it is compiled as one of its own and does not wait for this one"
            );
            let diagnostic = Diagnostic::new(Code::TriggerOnSystem, message);
            found.push(diagnostic.at(source.input_place(block, index)));
        }
    }
    if block.class == "ParticleTriggerBlock" && is_connected("system").is_some() {
        let message = "the trigger starts nothing: no particles of its system appear where the condition holds, and the condition is not checked";
        found.push(Diagnostic::new(Code::Trigger, message).at(source.place(block)));
    }
}

/// Fields that a reader of the file would expect to matter.
fn fields(source: &SourceGraph, block: &SourceBlock, found: &mut Diagnostics) {
    let value = |field: &str| block.fields.get(field).map(|node| &node.value);
    let mut warn = |field: &str, why: &str| {
        let message = format!("field '{field}' has no effect: {why}");
        let diagnostic = Diagnostic::new(Code::FieldWithoutEffect, message);
        found.push(diagnostic.at(source.field_place(block, field)));
    };
    if block.class == "SystemBlock" {
        if value("customShader").is_some_and(|value| *value != Value::Null) {
            warn("customShader", "particles are drawn with the renderer's own shaders");
        }
        if value("emitRate").is_some() {
            warn("emitRate", "the rate is what the input 'emitRate' gives");
        }
    }
    if block.class == "MeshShapeBlock" && block.is_true("worldSpace") {
        warn("worldSpace", "the emitter's matrix always places the mesh");
    }
}

/// Inputs that only drawing reads have one value for good.
fn drawing(source: &SourceGraph, index: usize, reached: &Reached, found: &mut Diagnostics) {
    let block = source.at(index);
    if block.class != "SystemBlock" {
        return;
    }
    for name in ["translationPivot", "textureMask"] {
        let Some(at) = block.input_index(name) else { continue };
        if !varies(source, &reached.sources[index][at], reached) {
            continue;
        }
        let message = format!(
            "input '{name}' has no effect: it is the same for the whole life of a system, and what \
             is connected varies"
        );
        let diagnostic = Diagnostic::new(Code::InputWithoutEffect, message);
        found.push(diagnostic.at(source.input_place(block, at)));
    }
}

/// Whether anything behind a wire is drawn at random, or belongs to a particle or moment.
fn varies(source: &SourceGraph, wire: &Resolved, reached: &Reached) -> bool {
    let mut seen = indexmap::IndexSet::new();
    let mut open = vec![wire];
    while let Some(wire) = open.pop() {
        let Resolved::Block(index, _) = wire else { continue };
        if !seen.insert(*index) {
            continue;
        }
        let block = source.at(*index);
        let is_set = |field: &str| block.number(field).is_some_and(|id| id != 0.0);
        match block.class.as_str() {
            "ParticleRandomBlock" | "ParticleLocalVariableBlock" | "ParticleGradientBlock" => {
                return true;
            }
            "ParticleInputBlock" if is_set("contextualValue") || is_set("systemSource") => {
                return true;
            }
            _ => open.extend(&reached.sources[*index]),
        }
    }
    false
}

/// Wires that lead into inputs which nobody reads.
fn inputs(
    source: &SourceGraph,
    block: &SourceBlock,
    sources: &[Resolved],
    found: &mut Diagnostics,
) {
    let Some(ports) = catalog::ports(&block.class) else { return };
    let mut names = indexmap::IndexSet::new();
    for (index, input) in block.inputs.iter().enumerate() {
        let name = input.name.as_str();
        let is_entry = block.class == "ParticleGradientBlock" && name.starts_with("value");
        let is_known = is_entry || ports.read.contains(&name) || ports.routed.contains(&name);
        let is_first = names.insert(name) || ports.routed.contains(&name);
        if sources[index] == Resolved::None || (is_known && is_first) {
            continue;
        }
        let message = if is_known {
            format!("a second input '{name}' has no effect: the first one holds")
        } else {
            format!("input '{name}' has no effect: {} does not read it", block.class)
        };
        let diagnostic = Diagnostic::new(Code::InputWithoutEffect, message);
        found.push(diagnostic.at(source.input_place(block, index)));
    }
}
