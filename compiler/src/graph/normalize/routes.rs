//! Resolves a wire through teleports, elbows and debug blocks to the block that gives the value.
//!
//! Spec section 9.31.4, in its order of checks. A route that leads somewhere is remembered for
//! every block on it, and so is one that was reported, so that each mistake is reported once.

use indexmap::{IndexMap, IndexSet};

use super::{Resolved, problems};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Place};
use crate::graph::catalog::{self, Role};
use crate::graph::source::{SourceBlock, SourceGraph};

/// Resolves wires and remembers the routes.
pub(super) struct Router<'a> {
    source: &'a SourceGraph,
    /// Whether the file has plumbing at all. Without it the contract does not look for routes, and
    /// a wire from a TeleportIn is a wire from an unknown class.
    has_plumbing: bool,
    /// Where plumbing blocks lead, by role.
    known: IndexMap<(usize, Role), Resolved>,
    /// What was reported of which bytes.
    said: IndexSet<(Code, usize)>,
}

/// What one step along a route comes to.
enum Step<'a> {
    /// Further on, through these plumbing blocks.
    Through(Vec<usize>, f64, &'a str),
    /// The end.
    End(Resolved),
    /// A mistake.
    Failed(Box<Diagnostic>),
}

impl<'a> Router<'a> {
    pub(super) fn new(source: &'a SourceGraph) -> Self {
        let has_plumbing = source.blocks().any(|block| {
            catalog::is_proxy(&block.class) || block.class == "ParticleLocalVariableBlock"
        });
        Self { source, has_plumbing, known: IndexMap::new(), said: IndexSet::new() }
    }

    /// Follows the wire of a consumer's input to its end.
    pub(super) fn resolve(
        &mut self,
        consumer: (usize, usize),
        target: f64,
        connection: &'a str,
        role: Role,
        problems: &mut Diagnostics,
    ) -> Resolved {
        let mut path = IndexSet::new();
        let (mut target, mut connection) = (target, connection);
        let end = loop {
            match self.step(&path, target, connection, role) {
                Step::Through(blocks, next, output) => {
                    path.extend(blocks);
                    (target, connection) = (next, output);
                }
                Step::End(resolved) => break resolved,
                Step::Failed(diagnostic) => {
                    if self.is_new(&diagnostic) {
                        problems.push(diagnostic.note("needed here", self.place_of(consumer)));
                    }
                    break Resolved::Poisoned;
                }
            }
        };
        for block in path {
            self.known.insert((block, role), end.clone());
        }
        end
    }

    fn step(&self, path: &IndexSet<usize>, target: f64, output: &'a str, role: Role) -> Step<'a> {
        let Some(index) = self.source.index_of(target) else {
            return Step::End(Resolved::Dangling(target));
        };
        let block = self.source.at(index);
        let is_entry = block.class == "ParticleTeleportInBlock" && self.has_plumbing;
        let is_local = block.class == "ParticleLocalVariableBlock";
        if !(is_entry || is_local || catalog::is_proxy(&block.class)) {
            return Step::End(Resolved::Block(index, output.to_owned()));
        }
        if is_entry || output != "output" {
            return Step::fail(problems::no_proxy_output(self.source, block, output));
        }
        if let Some(known) = self.known.get(&(index, role)) {
            return Step::End(known.clone());
        }
        if path.contains(&index) {
            return Step::fail(problems::plumbing_cycle(self.source, path, index));
        }
        let values_only = is_local || block.class == "ParticleDebugBlock";
        if values_only && role != Role::Value {
            return Step::fail(problems::unsupported_role(self.source, block, role));
        }
        if block.class == "ParticleTeleportOutBlock" {
            return self.teleport(path, index, block);
        }
        match Self::wire_of_input(block) {
            None => Step::fail(problems::proxy_unconnected(self.source, block)),
            Some(_) if is_local => Step::End(Resolved::Block(index, output.to_owned())),
            Some((target, output)) => Step::Through(vec![index], target, output),
        }
    }

    fn teleport(&self, path: &IndexSet<usize>, index: usize, block: &SourceBlock) -> Step<'a> {
        let id = block.number("entryPoint");
        let Some(id) = id.filter(|id| id.is_finite() && id.fract() == 0.0 && *id >= 0.0) else {
            return Step::fail(problems::invalid_entry_point(self.source, block));
        };
        let Some(entry_index) = self.source.index_of(id) else {
            return Step::fail(problems::missing_entry_point(self.source, block, id));
        };
        let entry = self.source.at(entry_index);
        if entry.class != "ParticleTeleportInBlock" {
            return Step::fail(problems::not_an_entry_point(self.source, block, entry));
        }
        if path.contains(&entry_index) {
            let mut path = path.clone();
            path.insert(index);
            return Step::fail(problems::plumbing_cycle(self.source, &path, entry_index));
        }
        match Self::wire_of_input(entry) {
            None => Step::fail(problems::entry_point_unconnected(self.source, entry)),
            Some((target, output)) => Step::Through(vec![index, entry_index], target, output),
        }
    }

    fn wire_of_input(block: &SourceBlock) -> Option<(f64, &str)> {
        block.inputs[block.input_index("input")?].wire()
    }

    /// A wrong output is each consumer's own mistake; others are the plumbing's.
    fn is_new(&mut self, diagnostic: &Diagnostic) -> bool {
        let start = diagnostic.place.as_ref().map_or(0, |place| place.span.start);
        diagnostic.code == Code::NoProxyOutput || self.said.insert((diagnostic.code, start))
    }

    fn place_of(&self, (block, input): (usize, usize)) -> Place {
        self.source.input_place(self.source.at(block), input)
    }
}

impl Step<'_> {
    fn fail(diagnostic: Diagnostic) -> Self {
        Self::Failed(Box::new(diagnostic))
    }
}
