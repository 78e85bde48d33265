//! The readable text of a normalized graph: blocks as they are reached, with fields and inputs.
//!
//! ```text
//! system: block 1 "Sparks"
//!
//! block 1 "Sparks" SystemBlock
//!   capacity = 100
//!   particle <- block 9 "Update position"
//!   emitRate = 40
//! ```
//!
//! Roots stand in file order, blocks as the walk from the roots met them, inputs as they are followed.

use std::fmt::{self, Display, Formatter};

use super::{Block, Graph, Input, InputSource, Literal, facts, js};

/// Displays a graph as a listing.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a>(pub &'a Graph);

impl Display for Listing<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let graph = self.0;
        for &root in &graph.roots {
            writeln!(f, "system: {}", title(graph.block(root)))?;
        }
        for index in graph.wires.node_indices() {
            let block = graph.block(index);
            writeln!(f, "\n{} {}", title(block), block.class.escape_debug())?;
            for (name, value) in facts::facts(&block.kind) {
                writeln!(f, "  {name} = {value}")?;
            }
            for input in block.evaluation_order() {
                let Input { name, source, .. } = &block.inputs[input];
                writeln!(f, "  {} {}", name.escape_debug(), source_text(graph, source))?;
            }
        }
        Ok(())
    }
}

/// `block 17 "Update position"`; the name is left out where there is none.
pub(super) fn title(block: &Block) -> String {
    let id = js::number_to_string(block.id);
    if block.name.is_empty() {
        format!("block {id}")
    } else {
        format!("block {id} {:?}", block.short_name())
    }
}

fn source_text(graph: &Graph, source: &InputSource) -> String {
    match source {
        InputSource::Wire(from, output) => {
            let from = graph.block(*from);
            // Most blocks have one output; its name tells nothing.
            let is_plain = output == "output" || output == "particle";
            let output = if is_plain { String::new() } else { format!(", {output:?}") };
            format!("<- {}{output}", title(from))
        }
        InputSource::Dangling => "<- nothing: the wire begins at no block".into(),
        InputSource::Literal(literal) => format!("= {}", literal_text(*literal)),
        InputSource::Unconnected => "is not connected".into(),
    }
}

/// `1.5`, `(0, 1, 0)`, `rgba(1, 0, 0, 1)`.
pub(super) fn literal_text(literal: Literal) -> String {
    let list = |numbers: &[f64]| {
        numbers.iter().map(|&number| js::number_to_string(number)).collect::<Vec<_>>().join(", ")
    };
    match literal {
        Literal::Number(number) => js::number_to_string(number),
        Literal::Vector2(numbers) => format!("({})", list(&numbers)),
        Literal::Vector3(numbers) => format!("({})", list(&numbers)),
        Literal::Color4(numbers) => format!("rgba({})", list(&numbers)),
    }
}
