//! A graph as the page needs it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pyrograph::picture::{Blending, Factor};
use pyrograph::render::{DrawManifest, DrawPass, Member};
use pyrograph_compiler::diagnostic::{BlockName, Diagnostics, render};
use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::emit::wgsl;
use pyrograph_compiler::explain::{Explanation, Reason, compile_explained};
use pyrograph_compiler::graph::parse::parse;
use pyrograph_compiler::graph::source::SourceGraph;
use pyrograph_compiler::ir::{Module, Valid};
use pyrograph_compiler::{Compiled, Options};
use serde_json::{Value, json};

/// What became of a text.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// The systems, and their kernels and manifests; `None` where there are errors.
    pub(super) systems: Option<(Arc<Valid<Module>>, Value)>,
    /// Errors and warnings, as `check --format json` has them.
    pub(super) findings: Value,
    /// The same, and whatever else kept kernels from being made, as text.
    pub(super) text: String,
    /// Blocks and wires of the file; `null` where it cannot be read.
    pub(super) graph: Value,
    /// What `explain` says; empty where there are errors.
    pub(super) explanation: String,
    /// What all of this took.
    pub(super) took: Duration,
}

impl Shown {
    /// Of a text that could not be read, for this reason.
    pub(super) fn none(reason: String) -> Self {
        Self {
            systems: None,
            findings: Value::Null,
            text: reason,
            graph: Value::Null,
            explanation: String::new(),
            took: Duration::ZERO,
        }
    }

    /// Compiles a text as Parallel; `name` is what messages call it.
    pub(super) fn of(name: &str, bytes: &[u8], options: &Options) -> Self {
        let started = Instant::now();
        let (source, compiled) = match parse(bytes) {
            Ok(source) => {
                let compiled = compile_explained(&source, options);
                (Some(source), compiled)
            }
            Err(errors) => (None, Err(errors)),
        };
        let (systems, findings, explained, fault) = match compiled {
            Ok((Compiled { module, warnings }, explained)) => {
                let (systems, fault) = match kernels(&module) {
                    Ok(systems) => (Some((Arc::new(module), systems)), None),
                    Err(fault) => (None, Some(fault)),
                };
                (systems, warnings, Some(explained), fault)
            }
            Err(errors) => (None, errors, None, None),
        };
        let mut text = written(name, &findings);
        if let Some(fault) = fault {
            text.push_str(&fault);
        }
        let findings = serde_json::from_str(&render::json(&findings, &[name]));
        Self {
            systems,
            findings: findings.unwrap_or(Value::Null),
            text,
            graph: source.map_or(Value::Null, |source| blocks(&source, explained.as_ref())),
            explanation: explained.map_or_else(String::new, |found| found.to_string()),
            took: started.elapsed(),
        }
    }
}

fn written(name: &str, findings: &Diagnostics) -> String {
    if findings.is_empty() { String::new() } else { render::text(findings, &[name], false) }
}

fn kernels(module: &Valid<Module>) -> Result<Value, String> {
    let system = |index: usize| {
        let made =
            wgsl::emit(module, index, &Limits::default()).map_err(|error| error.to_string())?;
        let program = &module.programs[index];
        let manifest = wgsl::to_json(program, &made.manifest);
        let manifest: Value = serde_json::from_str(&manifest).map_err(|error| error.to_string())?;
        let drawing = drawing(&DrawManifest::new(program, &made.manifest, Blending::Exact));
        Ok(json!({ "wgsl": made.source, "manifest": manifest, "drawing": drawing }))
    };
    (0..module.programs.len()).map(system).collect()
}

/// How a system is drawn, in the words of WebGPU.
fn drawing(manifest: &DrawManifest) -> Value {
    let factor = |factor| match factor {
        Factor::Zero => "zero",
        Factor::One => "one",
        Factor::SourceAlpha => "src-alpha",
        Factor::OneMinusSourceAlpha => "one-minus-src-alpha",
        Factor::Destination => "dst",
    };
    let component = |[source, destination]: [Factor; 2]| json!({ "srcFactor": factor(source), "dstFactor": factor(destination), "operation": "add" });
    let pass = |DrawPass { wgsl, blend }: &DrawPass| {
        let blend = json!({ "color": component(blend.color), "alpha": component(blend.alpha) });
        json!({ "wgsl": wgsl, "blend": blend })
    };
    let member = |&Member { name, word }: &Member| json!({ "name": name, "word": word });
    json!({
        "passes": manifest.passes.iter().map(pass).collect::<Vec<_>>(),
        "bindings": manifest.bindings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "block": manifest.block.as_slice(),
        "members": manifest.members.iter().map(member).collect::<Vec<_>>(),
    })
}

/// Blocks with their places in the text, and the wires between them.
fn blocks(source: &SourceGraph, explanation: Option<&Explanation>) -> Value {
    let reason = |name: &BlockName| {
        let dropped = explanation.map_or(&[][..], |explanation| &explanation.dropped);
        let (_, reason) = dropped.iter().find(|(dropped, _)| dropped == name)?;
        Some(match reason {
            Reason::Plumbing => "plumbing",
            Reason::Unreached => "unreached",
        })
    };
    let block = |block| {
        let place = source.place(block);
        json!({
            "id": block.id_text(),
            "name": block.name,
            "class": block.class,
            "line": place.line,
            "dropped": reason(&block.name()),
        })
    };
    let wires = source.blocks().flat_map(|block| {
        let to = block.id_text();
        let wires = block.inputs.iter().filter_map(|input| {
            let (from, output) = input.wire()?;
            let from = source.block(from)?.id_text();
            Some((from, output, &input.name))
        });
        wires.map(move |(from, output, input)| {
            json!({ "from": from, "output": output, "to": to, "input": input })
        })
    });
    json!({
        "blocks": source.blocks().map(block).collect::<Vec<_>>(),
        "wires": wires.collect::<Vec<_>>(),
    })
}
