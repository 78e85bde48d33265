//! Writes small graphs and runs them.

use std::sync::Arc;

use pyrograph_compiler::graph::{normalize, parse};
use pyrograph_compiler::interpret::Instance;
use pyrograph_compiler::ir::{Field, Profile, validate};
use pyrograph_compiler::lower;
use serde_json::{Value, json};

use crate::driver::System;

/// What an input is connected to.
#[derive(Clone, Copy)]
pub(crate) enum Node {
    /// A block, by id.
    Block(u64),
    /// A literal.
    Number(f64),
    /// Nothing.
    None,
}

impl From<f64> for Node {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

/// A graph with one root, which has the id 1.
pub(crate) struct Graph {
    blocks: Vec<Value>,
    root: Value,
    rate: Node,
    flow: Node,
}

/// What came out of a run.
#[derive(Debug)]
pub(crate) struct Run {
    instance: Instance,
    pub(crate) alive: usize,
    /// Numbers that were drawn: 0.25, 0.75, then more.
    pub(crate) draws: Vec<f64>,
}

impl Graph {
    pub(crate) fn new() -> Self {
        Self { blocks: Vec::new(), root: json!({}), rate: Node::None, flow: Node::None }
    }

    pub(crate) fn block(&mut self, class: &str, fields: Value, inputs: &[(&str, Node)]) -> Node {
        let id = self.blocks.len() as u64 + 2;
        self.blocks.push(block(class, id, fields, inputs, "output"));
        Node::Block(id)
    }

    pub(crate) fn input(&mut self, fields: Value) -> Node {
        self.block("ParticleInputBlock", fields, &[])
    }

    pub(crate) fn math(&mut self, operation: u8, left: Node, right: Node) -> Node {
        let inputs = [("left", left), ("right", right)];
        self.block("ParticleMathBlock", json!({"operation": operation}), &inputs)
    }

    pub(crate) fn random(&mut self, lock: u8, min: Node, max: Node) -> Node {
        let inputs = [("min", min), ("max", max)];
        self.block("ParticleRandomBlock", json!({"lockMode": lock}), &inputs)
    }

    pub(crate) fn local(&mut self, scope: u8, input: Node) -> Node {
        self.block("ParticleLocalVariableBlock", json!({"scope": scope}), &[("input", input)])
    }

    /// A gradient of constants: numbers, or arrays of four.
    pub(crate) fn gradient(&mut self, gradient: Node, stops: &[(f64, Value)]) -> Node {
        let stops: Vec<(f64, Node)> = stops
            .iter()
            .map(|(reference, value)| {
                let ty = if value.is_array() { 128 } else { 2 };
                (*reference, self.input(json!({"type": ty, "value": value})))
            })
            .collect();
        self.gradient_of(gradient, &stops)
    }

    pub(crate) fn gradient_of(&mut self, gradient: Node, stops: &[(f64, Node)]) -> Node {
        let mut inputs = vec![("gradient".to_owned(), gradient)];
        for (at, &(reference, value)) in stops.iter().enumerate() {
            let fields = json!({"reference": reference});
            let stop = self.block("ParticleGradientValueBlock", fields, &[("value", value)]);
            inputs.push((format!("value{at}"), stop));
        }
        let inputs: Vec<(&str, Node)> =
            inputs.iter().map(|(name, node)| (name.as_str(), *node)).collect();
        self.block("ParticleGradientBlock", json!({}), &inputs)
    }

    pub(crate) fn create(&mut self, inputs: &[(&str, Node)]) {
        self.flow = self.block("CreateParticleBlock", json!({}), inputs);
    }

    pub(crate) fn shape(&mut self, class: &str, fields: Value) {
        self.flow = self.block(class, fields, &[("particle", self.flow)]);
    }

    pub(crate) fn update(&mut self, class: &str, input: &str, value: Node) {
        let value = match value {
            // Updates do nothing with literals.
            Node::Number(number) => self.input(json!({"value": number})),
            node => node,
        };
        self.update_from(class, input, value, "output");
    }

    pub(crate) fn update_from(&mut self, class: &str, input: &str, value: Node, output: &str) {
        let id = self.blocks.len() as u64 + 2;
        let inputs = [("particle", self.flow), (input, value)];
        self.blocks.push(block(class, id, json!({}), &inputs, output));
        self.flow = Node::Block(id);
    }

    pub(crate) fn flow(&self) -> Node {
        self.flow
    }

    pub(crate) fn rate(&mut self, rate: f64) {
        self.rate = rate.into();
    }

    pub(crate) fn connect_rate(&mut self, rate: Node) {
        self.rate = rate;
    }

    pub(crate) fn root(&mut self, fields: Value) {
        self.root = fields;
    }

    pub(crate) fn take_over_root(&mut self, class: &str, inputs: &[(&str, Node)]) {
        self.blocks.push(block(class, 1, json!({}), inputs, "output"));
    }

    pub(crate) fn run(&self, profile: Profile, steps: usize) -> Result<Run, String> {
        self.run_at(profile, &vec![1.0; steps])
    }

    /// Runs one step a ratio.
    pub(crate) fn run_at(&self, profile: Profile, ratios: &[f64]) -> Result<Run, String> {
        self.drive(profile, ratios, false)
    }

    /// Runs a system that is stopped at once.
    pub(crate) fn run_stopped(&self, profile: Profile, steps: usize) -> Result<Run, String> {
        self.drive(profile, &vec![1.0; steps], true)
    }

    /// The file.
    pub(crate) fn text(&self) -> String {
        let inputs = [("particle", self.flow), ("emitRate", self.rate)];
        let mut blocks = vec![block("SystemBlock", 1, self.root.clone(), &inputs, "output")];
        blocks.extend(self.blocks.iter().cloned());
        json!({ "blocks": blocks }).to_string()
    }

    fn drive(&self, profile: Profile, ratios: &[f64], stopped: bool) -> Result<Run, String> {
        let source = parse::parse(self.text().as_bytes()).map_err(|found| format!("{found:?}"))?;
        let (graph, _) = normalize::normalize(&source).map_err(|found| format!("{found:?}"))?;
        let module = lower::lower(&graph, profile).map_err(|errors| {
            errors.into_iter().map(|error| error.message).collect::<Vec<_>>().join("\n")
        })?;
        let module = Arc::new(validate(module).map_err(|invalid| invalid.to_string())?);
        let mut system = System::new(Instance::new(module, 0).expect("a program"));
        let mut draws = Vec::new();
        let mut random = || {
            let count = draws.len() as f64;
            let number = (0.25 + 0.5 * count) % 1.0 + (count / 2.0).floor() / 64.0;
            draws.push(number);
            number
        };
        system.start(&mut random)?;
        if stopped {
            system.stop();
        }
        for &ratio in ratios {
            system.animate(ratio, &mut random)?;
        }
        let alive = system.instance.alive();
        Ok(Run { instance: system.instance, alive, draws })
    }
}

impl Run {
    /// A field of all particles, in the order of their slots.
    pub(crate) fn values(&self, field: Field) -> Vec<f64> {
        (0..self.instance.slots()).filter_map(|slot| self.instance.value(slot, field)).collect()
    }
}

fn block(class: &str, id: u64, fields: Value, inputs: &[(&str, Node)], output: &str) -> Value {
    let inputs: Vec<Value> = inputs
        .iter()
        .map(|&(name, node)| match node {
            Node::Block(target) => {
                let output = if name == "particle" { "output" } else { output };
                json!({"name": name, "targetBlockId": target, "targetConnectionName": output})
            }
            Node::Number(value) => json!({"name": name, "valueType": "number", "value": value}),
            Node::None => json!({"name": name}),
        })
        .collect();
    let mut block = json!({"customType": format!("BABYLON.{class}"), "id": id, "inputs": inputs});
    if let (Some(block), Some(fields)) = (block.as_object_mut(), fields.as_object()) {
        block.extend(fields.clone());
    }
    block
}
