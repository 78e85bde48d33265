//! Keeps code within bounds: how many evaluations a particle can cost, counted before anything is
//! lowered, and how much code the systems of a file become together.
//!
//! A value that draws or stores is evaluated at each reading, so a chain of 40 blocks that each read
//! the one before twice costs 2^40. Everything else is evaluated once where it is read first.

use indexmap::IndexMap;

use super::Error;
use super::plan::Plan;
use crate::graph::catalog::{Role, role};
use crate::graph::kind::{Contextual, Kind, Lock, Source};
use crate::graph::{BlockIndex, Graph, InputSource};

/// Evaluations that a particle may need.
const MAX: usize = 1_000_000;

/// Statements that all systems of a file may become. A hundred thousand are more than any hand has
/// made; beyond this, what later stages make of them would fill a small machine.
pub(super) const MAX_STATEMENTS: usize = 500_000;

/// What the systems of a file have become so far.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// Evaluations that have been lowered.
    evaluations: usize,
    /// Evaluations that may be. A value without draws stands once in each branch that needs it, so
    /// nested conditions alone can multiply it.
    allowed: usize,
    /// Statements of the bodies that are finished.
    pub(super) statements: usize,
    /// Bytes of tables and pictures: each system has its own.
    data: usize,
}

/// Bytes that tables and pictures of all systems may have.
pub(super) const MAX_DATA: usize = 256 << 20;

impl Code {
    /// Another system, of so many blocks, is going to be lowered.
    pub(super) fn add_system(&mut self, blocks: usize) {
        self.allowed = self.allowed.max(100_000).saturating_add(16 * blocks);
    }

    /// Counts bytes of a table or a picture.
    pub(super) fn add_data(&mut self, bytes: usize) {
        self.data = self.data.saturating_add(bytes);
    }

    /// Whether there is more than a file may become.
    pub(super) fn is_too_large(&self) -> bool {
        self.statements > MAX_STATEMENTS || self.data > MAX_DATA
    }

    /// Counts an evaluation; false if it is one too many.
    pub(super) fn add_evaluation(&mut self) -> bool {
        self.evaluations += 1;
        self.evaluations <= self.allowed
    }
}

/// What one reading of a block costs.
#[derive(Clone, Copy)]
struct Cost {
    evaluations: usize,
    /// Whether the next reading costs it again.
    repeats: bool,
}

/// Refuses a system that needs more than [`MAX`] evaluations; the error names the block with which it
/// does.
pub(super) fn check(graph: &Graph, plan: &Plan) -> Result<(), Error> {
    let mut costs: IndexMap<BlockIndex, Cost> = IndexMap::new();
    let mut total = 0usize;
    // Blocks that feed others come first; only flow can lead in circles.
    for &index in &plan.order {
        let block = graph.block(index);
        let mut cost = Cost { evaluations: 1, repeats: false };
        for input in &block.inputs {
            let is_value = matches!(role(&block.class, &input.name), Role::Value | Role::Gradient);
            if let (InputSource::Wire(from, _), true) = (&input.source, is_value)
                && let Some(read) = costs.get(from)
            {
                let again = if read.repeats { read.evaluations } else { 1 };
                cost.evaluations = cost.evaluations.saturating_add(again);
                cost.repeats |= read.repeats;
            }
        }
        match &block.kind {
            Kind::Random(Lock::None)
            | Kind::Input(Source::Contextual(Contextual::LocalPositionUpdated)) => {
                cost.repeats = true;
            }
            Kind::Random(_) | Kind::LocalVariable(_) => cost.repeats = false,
            _ => {}
        }
        costs.insert(index, cost);
        if !cost.repeats {
            total = total.saturating_add(cost.evaluations);
        }
        if cost.evaluations > MAX || total > MAX {
            return Err(Error::too_many(graph, index));
        }
    }
    Ok(())
}
