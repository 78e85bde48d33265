//! Joins several files into one graph.
//!
//! Spec section 9.31.5: ids are given anew, file by file, before anything is joined, and the same
//! map is applied to wires and to entry points of teleports; ids that are alike in two files never
//! link them. An id stays what it is while no earlier file has it.

use indexmap::{IndexMap, IndexSet};

use super::json::Value;
use super::source::{IdKey, SourceBlock, SourceGraph, SourceInput};
use crate::diagnostic::Place;

/// Joins files in the given order; their diagnostics say which file they speak of by its position.
pub fn merge(sources: Vec<SourceGraph>) -> SourceGraph {
    let mut ids = Ids::new(&sources);
    let maps: Vec<Map> = sources.iter().map(|source| ids.map(source)).collect();
    let mut merged = SourceGraph::default();
    for (source, map) in sources.into_iter().zip(&maps) {
        let first_file = merged.lines.file_count();
        let base = merged.lines.append(&source.lines);
        let mut resolve =
            |id: f64| map.get(&IdKey::new(id)).copied().unwrap_or_else(|| ids.unused(id));
        let SourceGraph { blocks, roots, replaced, .. } = source;
        for (_, block) in blocks {
            let block = remap(block, base, &mut resolve);
            merged.blocks.insert(IdKey::new(block.id), block);
        }
        merged.roots.extend(roots.into_iter().map(&mut resolve));
        for (id, place) in replaced {
            let file = first_file + place.file;
            merged.replaced.push((resolve(id), Place { file, ..place }));
        }
    }
    merged
}

type Map = IndexMap<IdKey, f64>;

/// Gives out ids.
struct Ids {
    taken: IndexSet<IdKey>,
    next: f64,
}

impl Ids {
    /// New ids begin after the largest id that any file uses.
    fn new(sources: &[SourceGraph]) -> Self {
        let ids = sources.iter().flat_map(SourceGraph::blocks).map(|block| block.id);
        // Far below 2^53, where the next whole number would be the same one again.
        let countable = ids.filter(|id| id.abs() < 4_503_599_627_370_496.0);
        Self { taken: IndexSet::new(), next: countable.fold(0.0, f64::max).floor() + 1.0 }
    }

    fn map(&mut self, source: &SourceGraph) -> Map {
        let ids = source.blocks().map(|block| block.id);
        ids.map(|id| (IdKey::new(id), if self.take(id) { id } else { self.fresh() })).collect()
    }

    /// An id for a wire that leads nowhere: it must not lead into another file.
    fn unused(&mut self, id: f64) -> f64 {
        if self.taken.contains(&IdKey::new(id)) { self.fresh() } else { id }
    }

    fn take(&mut self, id: f64) -> bool {
        self.taken.insert(IdKey::new(id))
    }

    fn fresh(&mut self) -> f64 {
        while !self.take(self.next) {
            self.next += 1.0;
        }
        self.next
    }
}

fn remap(mut block: SourceBlock, base: usize, resolve: &mut impl FnMut(f64) -> f64) -> SourceBlock {
    let moved = |span: &std::ops::Range<usize>| span.start + base..span.end + base;
    block.id = resolve(block.id);
    block.span = moved(&block.span);
    for SourceInput { target, span, .. } in &mut block.inputs {
        *target = target.map(&mut *resolve);
        *span = moved(span);
    }
    for node in block.fields.values_mut() {
        node.span = moved(&node.span);
    }
    if let Some(node) = block.fields.get_mut("entryPoint")
        && let Value::Number(entry) = &mut node.value
        // Others are invalid in every file, and have to stay so.
        && entry.is_finite()
        && entry.fract() == 0.0
        && *entry >= 0.0
    {
        *entry = resolve(*entry);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::normalize::normalize;
    use crate::graph::parse::parse;

    fn file(entry: u32, size: f64) -> SourceGraph {
        let text = format!(
            r#"{{"blocks":[
            {{"customType":"BABYLON.SystemBlock","id":1,"inputs":[
                {{"name":"emitRate","targetBlockId":3,"targetConnectionName":"output"}},
                {{"name":"junk","targetBlockId":6,"targetConnectionName":"output"}}]}},
            {{"customType":"BABYLON.ParticleInputBlock","id":2,"value":{size}}},
            {{"customType":"BABYLON.ParticleTeleportOutBlock","id":3,"entryPoint":{entry}}},
            {{"customType":"BABYLON.ParticleTeleportInBlock","id":4,"inputs":[
                {{"name":"input","targetBlockId":2,"targetConnectionName":"output"}}]}}]}}"#
        );
        parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn keeps_files_apart() {
        let merged = merge(vec![file(4, 5.0), file(4, 7.0)]);
        assert_eq!(merged.roots, [1.0, 5.0]);
        let (graph, _) = normalize(&merged).unwrap();
        let rates: Vec<_> = graph
            .roots
            .iter()
            .map(|root| match &graph.block(*root).inputs[0].source {
                crate::graph::InputSource::Wire(block, _) => {
                    format!("{:?}", graph.block(*block).kind)
                }
                other => format!("{other:?}"),
            })
            .collect();
        assert!(rates[0].contains("5.0") && rates[1].contains("7.0"), "{rates:?}");
        assert!(graph.roots.iter().all(|root| {
            graph.block(*root).inputs[1].source == crate::graph::InputSource::Dangling
        }));
    }

    #[test]
    fn says_which_file() {
        let problems = normalize(&merge(vec![file(4, 1.0), file(9, 1.0)])).unwrap_err();
        let place = problems.iter().next().unwrap().place.clone().unwrap();
        assert_eq!((place.file, place.line), (1, 6));
    }
}
