//! Makes the [`Graph`] of a file in which nothing was wrong.

use super::check::Checked;
use super::reach::Reached;
use super::{Resolved, geometry};
use crate::graph::kind::Kind;
use crate::graph::source::{SourceGraph, SourceInput};
use crate::graph::{BareRoot, Block, BlockIndex, Graph, Input, InputSource, Literal};

/// Blocks stand in the order in which the walk from the roots first met them.
pub(super) fn assemble(source: &SourceGraph, reached: &Reached, mut checked: Checked) -> Graph {
    let mut graph = Graph { lines: source.lines.clone(), ..Graph::default() };
    let mut places = vec![None; source.blocks().len()];
    for index in &reached.order {
        let block = source.at(*index);
        // A source that gives nothing has no consumer here: its number does not matter.
        let kind = match checked.kinds.swap_remove(index) {
            Some(Ok(kind)) => kind,
            Some(Err(_)) | None => {
                Kind::Input(crate::graph::kind::Source::Constant(Literal::Number(0.0)))
            }
        };
        places[*index] = Some(graph.wires.add_node(Block {
            id: block.id,
            name: block.name.clone(),
            class: block.class.clone(),
            kind,
            inputs: Vec::new(),
            domains: reached.domains[*index],
            span: block.span.clone(),
            pointer: block.pointer.clone(),
        }));
    }
    for index in &reached.order {
        if let Some(consumer) = places[*index] {
            connect(&mut graph, source, reached, &places, *index, consumer);
        }
    }
    for root in &source.roots {
        let Some(index) = source.index_of(*root) else { continue };
        let Some(place) = places[index] else { continue };
        graph.roots.push(place);
        if !matches!(graph.block(place).kind, Kind::System(_)) {
            let block = source.at(index);
            let (capacity, is_local) = (block.capacity(), block.is_true("isLocal"));
            graph.bare_roots.insert(place, BareRoot { capacity, is_local });
        }
    }
    graph
}

fn connect(
    graph: &mut Graph,
    source: &SourceGraph,
    reached: &Reached,
    places: &[Option<BlockIndex>],
    index: usize,
    consumer: BlockIndex,
) {
    let block = source.at(index);
    let mut inputs = Vec::with_capacity(block.inputs.len());
    for ((position, input), resolved) in
        block.inputs.iter().enumerate().zip(&reached.sources[index])
    {
        let from = match resolved {
            Resolved::Block(producer, output) => match places[*producer] {
                Some(producer) => {
                    let position = u32::try_from(position).unwrap_or(u32::MAX);
                    graph.wires.add_edge(producer, consumer, position);
                    InputSource::Wire(producer, output.clone())
                }
                None => InputSource::Dangling,
            },
            Resolved::Dangling(_) | Resolved::Poisoned => InputSource::Dangling,
            Resolved::None => unwired(input),
        };
        inputs.push(Input {
            name: input.name.clone(),
            source: from,
            value_type: geometry::value_type(input),
            span: input.span.clone(),
        });
    }
    graph.wires[consumer].inputs = inputs;
}

/// A literal does not stand in for a wire that is left out.
fn unwired(input: &SourceInput) -> InputSource {
    match geometry::literal(input) {
        Some(literal) if input.wire().is_none() => InputSource::Literal(literal),
        _ => InputSource::Unconnected,
    }
}
