//! Writes large graphs: one line of text a block, as cheap as can be.

use std::fmt::Write;

/// The text of a graph file, block by block.
pub(crate) struct Graph {
    text: String,
}

impl Graph {
    /// With a SystemBlock of id 1: its fields as JSON members, its inputs as [`block`](Self::block)
    /// takes them.
    pub(crate) fn new(fields: &str, inputs: &str) -> Self {
        let mut graph = Self { text: "{\"blocks\":[".to_owned() };
        graph.block("SystemBlock", 1, fields, inputs);
        graph
    }

    /// A system of particles with id 2 that live for 100 and are born at a rate of 60: one a step.
    /// The last block of their flow is `last`.
    pub(crate) fn flow(last: usize) -> Self {
        Self::new("", &format!("particle<{last}.output emitRate=60"))
    }

    /// Adds a block. Inputs are words: `name`, `name=1.5` or `name<id.output`.
    pub(crate) fn block(&mut self, class: &str, id: usize, fields: &str, inputs: &str) {
        let separator = if self.text.ends_with('[') { "" } else { ",\n" };
        let text = &mut self.text;
        let _ = write!(text, r#"{separator}{{"customType":"BABYLON.{class}","id":{id},"inputs":["#);
        for (at, input) in inputs.split_whitespace().enumerate() {
            let separator = if at > 0 { "," } else { "" };
            if let Some((name, source)) = input.split_once('<') {
                let (id, output) = source.split_once('.').expect("id.output");
                let _ = write!(
                    text,
                    r#"{separator}{{"name":"{name}","targetBlockId":{id},"targetConnectionName":"{output}"}}"#
                );
            } else if let Some((name, value)) = input.split_once('=') {
                let ty = if value.starts_with('[') { "BABYLON.Vector3" } else { "number" };
                let _ = write!(
                    text,
                    r#"{separator}{{"name":"{name}","valueType":"{ty}","value":{value}}}"#
                );
            } else {
                let _ = write!(text, r#"{separator}{{"name":"{input}"}}"#);
            }
        }
        let comma = if fields.is_empty() { "" } else { "," };
        let _ = write!(self.text, "]{comma}{fields}}}");
    }

    /// The CreateParticleBlock with id 2.
    pub(crate) fn create(&mut self, inputs: &str) {
        self.block("CreateParticleBlock", 2, "", &format!("lifeTime=100 {inputs}"));
    }

    /// A source with the number of a contextual value.
    pub(crate) fn contextual(&mut self, id: usize, source: u32) {
        self.block("ParticleInputBlock", id, &format!("\"contextualValue\":{source}"), "");
    }

    pub(crate) fn bytes(mut self) -> Vec<u8> {
        self.text.push_str("]}");
        self.text.into_bytes()
    }
}
