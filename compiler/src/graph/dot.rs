//! A normalized graph as a picture: the text that Graphviz draws.
//!
//! Blocks are boxes with their class, name and constants; particle flow is drawn bold, and blocks
//! that only systems read (rates and the like) are drawn dashed.

use std::fmt::{self, Display, Formatter, Write};

use super::listing::{literal_text, title};
use super::{Block, Graph, InputSource, catalog, facts};
use crate::graph::catalog::Role;
use crate::graph::kind::Kind;

/// Displays a graph in Graphviz's language.
#[derive(Clone, Copy, Debug)]
pub struct Dot<'a>(pub &'a Graph);

impl Display for Dot<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let graph = self.0;
        f.write_str(concat!(
            "digraph particles {\n",
            "  rankdir = LR\n",
            "  node [shape = box, fontname = \"sans-serif\", fontsize = 10]\n",
            "  edge [fontname = \"sans-serif\", fontsize = 9]\n",
        ))?;
        for index in graph.wires.node_indices() {
            let block = graph.block(index);
            let style = if graph.roots.contains(&index) {
                ", style = bold"
            } else if block.domains.particle {
                ""
            } else {
                ", style = dashed"
            };
            writeln!(f, "  n{} [label = {}{style}]", index.index(), quoted(&label(block)))?;
        }
        for index in graph.wires.node_indices() {
            let block = graph.block(index);
            for input in block.evaluation_order() {
                let input = &block.inputs[input];
                let InputSource::Wire(from, output) = &input.source else { continue };
                let role = catalog::role(&block.class, &input.name);
                let style = if role == Role::ParticleFlow { ", style = bold" } else { "" };
                let text = if output == "output" || output == "particle" {
                    input.name.clone()
                } else {
                    format!("{output} → {}", input.name)
                };
                let (from, to) = (from.index(), index.index());
                writeln!(f, "  n{from} -> n{to} [label = {}{style}]", quoted(&text))?;
            }
        }
        f.write_str("}\n")
    }
}

/// Lines of a box: class, name, the fields of small blocks, constant inputs.
fn label(block: &Block) -> String {
    let mut text = format!("{}\n{}", block.class, title(block));
    // A system's many fields stand in the listing.
    if !matches!(block.kind, Kind::System(_)) {
        for (name, value) in facts::facts(&block.kind) {
            let _ = write!(text, "\n{name} = {value}");
        }
    }
    for input in &block.inputs {
        if let InputSource::Literal(literal) = input.source {
            let _ = write!(text, "\n{} = {}", input.name, literal_text(literal));
        }
    }
    text
}

/// A quoted string of Graphviz's language, which has escapes for quotes and line breaks only.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::Dot;
    use crate::graph::listing::Listing;
    use crate::read_file;

    const GRAPH: &[u8] = br#"{"blocks":[
        {"customType":"BABYLON.SystemBlock","id":1,"name":"A \"b\"","capacity":10,"inputs":[
            {"name":"particle","targetBlockId":2,"targetConnectionName":"particle"},
            {"name":"emitRate","targetBlockId":4,"targetConnectionName":"x"}]},
        {"customType":"BABYLON.BoxShapeBlock","id":2,"name":"Box","inputs":[
            {"name":"particle","targetBlockId":3,"targetConnectionName":"particle"},
            {"name":"direction1","value":[0,1,0.5],"valueType":"BABYLON.Vector3"}]},
        {"customType":"BABYLON.CreateParticleBlock","id":3,"inputs":[]},
        {"customType":"BABYLON.ParticleConverterBlock","id":4,"name":"Pick","inputs":[
            {"name":"xyz","targetBlockId":5,"targetConnectionName":"output"}]},
        {"customType":"BABYLON.ParticleInputBlock","id":5,"systemSource":3,"inputs":[]},
        {"customType":"BABYLON.ParticleInputBlock","id":6,"inputs":[]}]}"#;

    #[test]
    fn draws_what_is_reached() {
        let (graph, _) = read_file(GRAPH).unwrap();
        let text = Dot(&graph).to_string();
        assert!(
            text.contains(r#"[label = "SystemBlock\nblock 1 \"A \\\"b\\\"\"", style = bold]"#),
            "{text}"
        );
        assert!(text.contains(r#"direction1 = (0, 1, 0.5)"]"#), "{text}");
        assert!(text.contains(r#"[label = "x → emitRate"]"#), "{text}");
        assert!(text.contains(r#"[label = "particle", style = bold]"#), "{text}");
        assert_eq!(text.matches("style = dashed").count(), 2, "{text}");
        assert!(!text.contains("block 6"), "{text}");
    }

    #[test]
    fn lists_what_is_reached() {
        let (graph, _) = read_file(GRAPH).unwrap();
        let text = Listing(&graph).to_string();
        let expected =
            "\nblock 2 \"Box\" BoxShapeBlock\n  particle <- block 3\n  direction1 = (0, 1, 0.5)\n";
        assert!(text.starts_with("system: block 1 \"A \\\"b\\\"\"\n\nblock 1 "), "{text}");
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("  emitRate <- block 4 \"Pick\", \"x\"\n"), "{text}");
        assert!(text.contains("  reads = Emitter\n"), "{text}");
        assert!(!text.contains("block 6"), "{text}");
    }
}
