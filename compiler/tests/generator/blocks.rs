//! The blocks of a file, as JSON.

use serde_json::{Value, json};

use super::wire::{Shape, Wire};

/// What an input is given.
pub(crate) enum Port {
    Wire(Wire),
    /// A value of as many numbers.
    Literal(Vec<f64>),
    /// A block that gives no value, by its output.
    Flow(Flow),
}

/// Particles, or a texture: the output of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow {
    pub(crate) block: u64,
    pub(crate) output: &'static str,
}

impl From<Wire> for Port {
    fn from(wire: Wire) -> Self {
        Self::Wire(wire)
    }
}

impl From<Flow> for Port {
    fn from(flow: Flow) -> Self {
        Self::Flow(flow)
    }
}

impl From<f64> for Port {
    fn from(number: f64) -> Self {
        Self::Literal(vec![number])
    }
}

/// All blocks, in the order in which they were made.
#[derive(Default)]
pub(crate) struct Blocks {
    blocks: Vec<Value>,
}

impl Blocks {
    /// Adds a block and tells its id.
    pub(crate) fn add<const N: usize>(
        &mut self,
        class: &str,
        fields: Value,
        inputs: [(&str, Port); N],
    ) -> u64 {
        self.add_with(class, fields, inputs.into_iter().map(|(name, port)| (name.to_owned(), port)))
    }

    /// Adds a block with as many inputs as there are.
    pub(crate) fn add_with(
        &mut self,
        class: &str,
        fields: Value,
        inputs: impl IntoIterator<Item = (String, Port)>,
    ) -> u64 {
        let id = self.blocks.len() as u64;
        let inputs: Vec<Value> =
            inputs.into_iter().map(|(name, port)| input(&name, port)).collect();
        let mut block = json!({
            "customType": format!("BABYLON.{class}"),
            "id": id,
            "name": format!("{class} {id}"),
            "inputs": inputs,
        });
        if let (Some(block), Value::Object(fields)) = (block.as_object_mut(), fields) {
            block.extend(fields);
        }
        self.blocks.push(block);
        id
    }

    pub(crate) fn into_vec(self) -> Vec<Value> {
        self.blocks
    }
}

fn input(name: &str, port: Port) -> Value {
    let wired = |block: u64, output: &str| json!({"name": name, "targetBlockId": block, "targetConnectionName": output});
    match port {
        Port::Wire(wire) => wired(wire.block, wire.output),
        Port::Flow(flow) => wired(flow.block, flow.output),
        Port::Literal(numbers) => {
            json!({"name": name, "valueType": tag(&numbers), "value": value(&numbers)})
        }
    }
}

fn tag(numbers: &[f64]) -> &'static str {
    let shape = Shape::ALL.into_iter().find(|shape| shape.len() == numbers.len());
    shape.map_or("number", |shape| shape.serialized().1)
}

/// A number, or an array of more.
pub(crate) fn value(numbers: &[f64]) -> Value {
    if let [number] = numbers { json!(number) } else { json!(numbers) }
}
