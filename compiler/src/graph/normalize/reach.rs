//! Follows wires from the roots: which blocks count, in which domains, with which sources.
//!
//! Spec section 9.31.4. A block is followed again when it gains a domain; its inputs are resolved
//! once, the first time.

use super::routes::Router;
use super::{Resolved, params, problems};
use crate::diagnostic::Diagnostics;
use crate::graph::Domains;
use crate::graph::catalog::{self, Role};
use crate::graph::kind::Scope;
use crate::graph::source::SourceGraph;

/// What the roots reach.
#[derive(Debug)]
pub(super) struct Reached {
    /// By block: the sources of its inputs; empty where no root leads.
    pub(super) sources: Vec<Vec<Resolved>>,
    /// By block: where it is reached from.
    pub(super) domains: Vec<Domains>,
    /// Blocks in the order in which they were first met.
    pub(super) order: Vec<usize>,
}

/// A block whose inputs are being followed.
struct Frame {
    block: usize,
    domains: Domains,
    /// Counts through the inputs twice: flow first, then the others.
    cursor: usize,
}

const PARTICLE: Domains = Domains { particle: true, system: false };
const SYSTEM: Domains = Domains { particle: false, system: true };

/// Follows all roots.
pub(super) fn reach(source: &SourceGraph, problems: &mut Diagnostics) -> Reached {
    let count = source.blocks().len();
    let reached = Reached {
        sources: vec![Vec::new(); count],
        domains: vec![Domains::default(); count],
        order: Vec::new(),
    };
    let mut walk =
        Walk { source, router: Router::new(source), reached, stack: Vec::new(), problems };
    for root in &source.roots {
        if let Some(index) = source.index_of(*root) {
            walk.visit(index, SYSTEM);
            walk.run();
        }
    }
    walk.reached
}

struct Walk<'a> {
    source: &'a SourceGraph,
    router: Router<'a>,
    reached: Reached,
    stack: Vec<Frame>,
    problems: &'a mut Diagnostics,
}

impl<'a> Walk<'a> {
    fn visit(&mut self, index: usize, incoming: Domains) {
        let before = self.reached.domains[index];
        let domains = Domains {
            particle: before.particle || incoming.particle,
            system: before.system || incoming.system,
        };
        if domains == before {
            return;
        }
        self.reached.domains[index] = domains;
        let block = self.source.at(index);
        let is_particle_local =
            block.class == "ParticleLocalVariableBlock" && params::scope(block) == Scope::Particle;
        if is_particle_local && domains.system && !before.system {
            self.problems.push(problems::particle_scope(self.source, block));
        }
        if before == Domains::default() {
            self.reached.order.push(index);
            self.reached.sources[index] = vec![Resolved::None; block.inputs.len()];
        }
        self.stack.push(Frame { block: index, domains, cursor: 0 });
    }

    fn run(&mut self) {
        while let Some(frame) = self.stack.last_mut() {
            let (index, domains, cursor) = (frame.block, frame.domains, frame.cursor);
            frame.cursor += 1;
            let block = self.source.at(index);
            let count = block.inputs.len();
            if cursor == 2 * count {
                self.stack.pop();
                continue;
            }
            let input = cursor % count;
            let name = block.inputs[input].name.as_str();
            let role = catalog::role(&block.class, name);
            if (role == Role::ParticleFlow) != (cursor < count)
                || catalog::is_left_out(&block.class, name)
            {
                continue;
            }
            let incoming = match (block.class.as_str(), role) {
                ("SystemBlock", Role::ParticleFlow) => PARTICLE,
                ("SystemBlock", _) => SYSTEM,
                _ => domains,
            };
            self.follow(index, input, role, incoming);
        }
    }

    fn follow(&mut self, index: usize, input: usize, role: Role, incoming: Domains) {
        let source: &'a SourceGraph = self.source;
        let Some((target, connection)) = source.at(index).inputs[input].wire() else { return };
        if self.reached.sources[index][input] == Resolved::None {
            let resolved =
                self.router.resolve((index, input), target, connection, role, self.problems);
            self.reached.sources[index][input] = resolved;
        }
        if let Resolved::Block(next, _) = self.reached.sources[index][input] {
            self.visit(next, incoming);
        }
    }
}
