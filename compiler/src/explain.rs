//! What became of a file: blocks that are used and dropped, state and work of each particle, and
//! what the passes folded away.

mod cost;
mod print;

pub use cost::{Cost, Range};

use indexmap::{IndexMap, IndexSet};

use crate::compile::{Compiled, Options, adapt, lower_graph};
use crate::diagnostic::{BlockName, Diagnostics};
use crate::graph::catalog;
use crate::graph::normalize::normalize;
use crate::graph::parse::parse;
use crate::graph::source::SourceGraph;
use crate::graph::{Graph, js};
use crate::ir::{Block, BodyKind, Column, Origin, Profile, Program, Stmt};
use crate::passes;

/// All that [`explain`] finds out; displays as text.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Blocks of the file, whether any system uses them or not.
    pub block_count: usize,
    /// Blocks that no code can come from, in file order.
    pub dropped: Vec<(BlockName, Reason)>,
    /// The systems in file order.
    pub systems: Vec<System>,
    /// Findings that did not stop the compilation.
    pub warnings: Diagnostics,
}

/// Why a block is not in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It only routed wires, which are direct now.
    Plumbing,
    /// No system reaches it.
    Unreached,
}

/// One system.
#[derive(Clone, Debug)]
pub struct System {
    /// Its name; may be empty.
    pub name: String,
    /// Which meaning its bodies have.
    pub profile: Profile,
    /// Number of slots.
    pub capacity: u32,
    /// What a particle consists of; columns with a constant take no memory.
    pub columns: Vec<Column>,
    /// Names of columns that lowering made and passes removed.
    pub removed_columns: Vec<String>,
    /// The work of each body that lowering made, in the order in which a call runs them.
    pub bodies: Vec<Work>,
    /// Blocks that lowering made statements of.
    pub blocks: Vec<BlockWork>,
}

/// The work of a body.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Which body.
    pub kind: BodyKind,
    /// As lowering leaves it.
    pub lowered: Cost,
    /// As the passes leave it; `None` where nothing was left of it.
    pub optimized: Option<Cost>,
}

/// Statements that stand for a block, in all bodies of its system.
#[derive(Clone, Debug)]
pub struct BlockWork {
    /// The block.
    pub block: BlockName,
    /// As lowering leaves it.
    pub lowered: usize,
    /// As the passes leave it. Equal values of two blocks count for the first.
    pub optimized: usize,
}

/// Compiles the bytes of a graph file and says what became of it.
///
/// # Errors
/// As [`compile`](crate::compile()).
pub fn explain(bytes: &[u8], options: &Options) -> Result<Explanation, Diagnostics> {
    let (_, explanation) = compile_explained(&parse(bytes)?, options)?;
    Ok(explanation)
}

/// Compiles a graph file that was parsed, once for the programs and what became of it.
///
/// # Errors
/// As [`compile`](crate::compile()), but for what parsing finds.
pub fn compile_explained(
    source: &SourceGraph,
    options: &Options,
) -> Result<(Compiled, Explanation), Diagnostics> {
    let (mut graph, warnings) = normalize(source)?;
    adapt(&mut graph, options)?;
    let lowered = lower_graph(&graph, options.profile)?;
    let module = passes::run(lowered.clone(), &options.passes())?;
    let pairs = lowered.programs.iter().zip(&module.programs);
    let explanation = Explanation {
        block_count: source.blocks().len(),
        dropped: dropped(source, &graph),
        systems: pairs.map(|(before, after)| system(before, after)).collect(),
        warnings: warnings.clone(),
    };
    Ok((Compiled { module, warnings }, explanation))
}

impl System {
    /// Bytes that a particle takes in memory.
    pub fn bytes_per_particle(&self) -> usize {
        self.columns.iter().filter(|c| c.constant.is_none()).map(|c| c.storage.bytes()).sum()
    }
}

fn dropped(source: &SourceGraph, graph: &Graph) -> Vec<(BlockName, Reason)> {
    let mut used: Vec<String> =
        graph.wires.node_weights().map(|block| js::number_to_string(block.id)).collect();
    used.sort_unstable();
    let is_used = |id: f64| used.binary_search(&js::number_to_string(id)).is_ok();
    let dropped = source.blocks().filter(|block| !is_used(block.id));
    dropped
        .map(|block| {
            let is_plumbing =
                catalog::is_proxy(&block.class) || block.class == "ParticleTeleportInBlock";
            (block.name(), if is_plumbing { Reason::Plumbing } else { Reason::Unreached })
        })
        .collect()
}

fn system(before: &Program, after: &Program) -> System {
    let columns: Vec<Column> = after.columns.iter().map(|(_, column)| column.clone()).collect();
    let kept: IndexSet<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let is_removed = |column: &&Column| !kept.contains(column.name.as_str());
    let removed = before.columns.iter().map(|(_, column)| column).filter(is_removed);
    let removed_columns = removed.map(|column| column.name.clone()).collect();
    let bodies = before
        .bodies()
        .map(|(kind, body)| Work {
            kind,
            lowered: Cost::of(before, body),
            optimized: after
                .bodies()
                .find(|(found, _)| *found == kind)
                .map(|(_, body)| Cost::of(after, body)),
        })
        .collect();
    let (lowered, optimized) = (statements(before), statements(after));
    let blocks = before
        .origins
        .iter()
        .map(|(_, origin)| {
            let count = |counts: &IndexMap<Key<'_>, usize>| {
                counts.get(&key(origin)).copied().unwrap_or_default()
            };
            let (lowered, optimized) = (count(&lowered), count(&optimized));
            let Origin { id, name, class } = origin.clone();
            BlockWork { block: BlockName { id, name, class }, lowered, optimized }
        })
        .collect();
    System {
        name: after.name.clone(),
        profile: after.profile,
        capacity: after.capacity,
        columns,
        removed_columns,
        bodies,
        blocks,
    }
}

/// What tells one block of a program from another: passes number them anew.
type Key<'a> = (u64, &'a str, &'a str);

fn key(origin: &Origin) -> Key<'_> {
    (origin.id.to_bits(), &origin.name, &origin.class)
}

/// How many statements of a program come from each block.
fn statements(program: &Program) -> IndexMap<Key<'_>, usize> {
    let mut counts = IndexMap::new();
    let mut open: Vec<&Block> = program.bodies().map(|(_, body)| &body.block).collect();
    while let Some(block) = open.pop() {
        for statement in block {
            let found = statement.origin.and_then(|found| program.origins.get(found));
            if let Some(origin) = found {
                *counts.entry(key(origin)).or_default() += 1;
            }
            if let Stmt::If { then, otherwise, .. } = &statement.kind {
                open.extend([then, otherwise]);
            }
        }
    }
    counts
}
