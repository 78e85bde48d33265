//! Walks each system as the contract builds it and finds what would fail there.
//!
//! Spec sections 7.2 to 7.4: depth first, `particle` inputs first, each block once a system; a
//! block is built after everything behind its inputs. A block that is asked for an output before
//! it was built is part of a cycle.

use indexmap::{IndexMap, IndexSet};

use super::params::{self, NoKind};
use super::problems::{self, Unresolved};
use super::reach::Reached;
use super::{MAX_PRE_WARM, MAX_SYSTEMS, MAX_VISITS, Resolved};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::graph::catalog::{self, Role};
use crate::graph::kind::{Contextual, Kind, Source};
use crate::graph::source::{SourceBlock, SourceGraph};

/// What the walk learned.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// Kinds by block; every reached block has one if nothing was reported.
    pub(super) kinds: IndexMap<usize, Result<Kind, NoKind>>,
}

/// Walks all systems.
pub(super) fn check(
    source: &SourceGraph,
    reached: &Reached,
    problems: &mut Diagnostics,
) -> Checked {
    let progress = vec![Progress::default(); source.blocks().len()];
    let mut walk = Walk {
        source,
        reached,
        problems,
        checked: Checked::default(),
        said: IndexSet::new(),
        progress,
        root: 0,
        system: System::default(),
        stack: Vec::new(),
        visits: 0,
        count: 1,
    };
    // How often each stands among the roots: every time it becomes a system.
    let mut roots: IndexMap<usize, usize> = IndexMap::new();
    for (ordinal, root) in source.roots.iter().enumerate() {
        let Some(index) = source.index_of(*root) else { continue };
        if ordinal >= MAX_SYSTEMS {
            let place = source.place(source.at(index));
            walk.problems.push(problems::too_many_systems(MAX_SYSTEMS, place));
            return walk.checked;
        }
        *roots.entry(index).or_default() += 1;
    }
    for (ordinal, (root, count)) in roots.into_iter().enumerate() {
        if !walk.system(ordinal + 1, root, count) {
            break;
        }
    }
    walk.checked
}

/// How far a block is in the system whose ordinal stands beside it.
#[derive(Clone, Copy, Default)]
struct Progress {
    met: usize,
    built: usize,
    /// Position on the stack.
    depth: usize,
}

/// What blocks of a system leave for later ones.
#[derive(Default)]
struct System {
    ordinal: usize,
    is_local: bool,
    has_sprite_sheet: bool,
}

struct Frame {
    block: usize,
    /// Counts through the inputs twice: flow first, then the others.
    cursor: usize,
}

struct Walk<'a> {
    source: &'a SourceGraph,
    reached: &'a Reached,
    problems: &'a mut Diagnostics,
    checked: Checked,
    /// What was reported already: codes by block and input.
    said: IndexSet<(Code, usize, usize)>,
    progress: Vec<Progress>,
    root: usize,
    system: System,
    stack: Vec<Frame>,
    visits: usize,
    /// What a visit counts.
    count: usize,
}

impl<'a> Walk<'a> {
    /// Walks a system that stands among the roots that often; false if the file is too large to go
    /// on.
    fn system(&mut self, ordinal: usize, root: usize, count: usize) -> bool {
        self.count = count;
        let block = self.source.at(root);
        let is_local = block.is_true("isLocal");
        self.root = root;
        self.system = System { ordinal, is_local, has_sprite_sheet: false };
        let capacity = block.capacity();
        if !(capacity > -1.0 && capacity <= f64::from(u32::MAX)) {
            self.problems.push(problems::bad_capacity(self.source, block, capacity));
        }
        if let Some(cycles) = block.number("preWarmCycles").filter(|&cycles| cycles > MAX_PRE_WARM)
        {
            self.problems.push(problems::long_pre_warm(self.source, block, cycles, MAX_PRE_WARM));
        }
        self.meet(root);
        while let Some(frame) = self.stack.last_mut() {
            let (index, cursor) = (frame.block, frame.cursor);
            frame.cursor += 1;
            let block = self.source.at(index);
            let count = block.inputs.len();
            if cursor == 2 * count {
                self.build(index);
                self.progress[index].built = ordinal;
                self.stack.pop();
                continue;
            }
            let input = cursor % count;
            let role = catalog::role(&block.class, &block.inputs[input].name);
            if (role == Role::ParticleFlow) != (cursor < count) {
                continue;
            }
            if let Resolved::Block(next, _) = self.reached.sources[index][input] {
                self.meet(next);
            }
            if self.visits > MAX_VISITS {
                let place = self.source.place(self.source.at(root));
                self.problems.push(problems::too_large(MAX_VISITS, place));
                return false;
            }
        }
        true
    }

    fn meet(&mut self, index: usize) {
        let progress = &mut self.progress[index];
        if progress.met != self.system.ordinal {
            progress.met = self.system.ordinal;
            progress.depth = self.stack.len();
            self.visits += self.count * (1 + self.source.at(index).inputs.len());
            self.stack.push(Frame { block: index, cursor: 0 });
        }
    }

    /// What the contract's evaluator of the block would refuse.
    fn build(&mut self, index: usize) {
        let block = self.source.at(index);
        let kind = self.checked.kinds.entry(index).or_insert_with(|| params::kind(block));
        let (mut is_local_position, mut needs_sheet) = (false, false);
        let diagnostic = match kind {
            Ok(kind) => {
                is_local_position = matches!(
                    kind,
                    Kind::Input(Source::Contextual(Contextual::LocalPositionUpdated))
                );
                needs_sheet = matches!(kind, Kind::BasicSpriteUpdate);
                self.system.has_sprite_sheet |= matches!(kind, Kind::SetupSpriteSheet(_));
                None
            }
            Err(reason) => problems::no_kind(self.source, block, reason, self.system.is_local),
        };
        if let Some(diagnostic) = diagnostic {
            return self.say(index, 0, diagnostic);
        }
        if is_local_position && !self.system.is_local {
            let root = self.source.place(self.source.at(self.root));
            self.say(index, 0, problems::not_local(self.source, block, root));
        }
        if needs_sheet && !self.system.has_sprite_sheet {
            self.say(index, 0, problems::no_sprite_sheet(self.source, block));
        }
        for input in asked_inputs(block) {
            self.ask(index, input);
        }
    }

    /// Asks for the value of a connected input.
    fn ask(&mut self, index: usize, input: usize) {
        let source = self.source;
        let block = source.at(index);
        let (producer_index, output) = match &self.reached.sources[index][input] {
            Resolved::None | Resolved::Poisoned => return,
            Resolved::Dangling(id) => {
                return self.unresolved(index, input, &Unresolved::Missing(*id));
            }
            Resolved::Block(producer, output) => (*producer, output.as_str()),
        };
        let producer = source.at(producer_index);
        let Some(ports) = catalog::ports(&producer.class) else { return };
        let role = catalog::role(&block.class, &block.inputs[input].name);
        let is_texture = producer.class == "ParticleTextureSourceBlock";
        if !ports.given.contains(&output) || (is_texture && role != Role::Texture) {
            return self.unresolved(index, input, &Unresolved::NoOutput(producer, output));
        }
        if self.progress[producer_index].built != self.system.ordinal {
            let start = self.progress[producer_index].depth;
            let cycle = self.stack[start..].iter().map(|frame| source.at(frame.block)).collect();
            return self.unresolved(index, input, &Unresolved::Cycle(output, cycle));
        }
        if let Some(Err(NoKind::SilentContextual(_))) = self.checked.kinds.get(&producer_index) {
            return self.unresolved(index, input, &Unresolved::NoSource(producer, output));
        }
        let is_entry = producer.class == "ParticleGradientValueBlock";
        if role == Role::Gradient && !is_entry {
            self.say(index, input, problems::not_a_gradient_value(source, block, input, producer));
        } else if role != Role::Gradient && is_entry {
            self.say(
                index,
                input,
                problems::gradient_value_as_value(source, block, input, producer),
            );
        }
    }

    fn unresolved(&mut self, index: usize, input: usize, reason: &Unresolved<'_>) {
        let block = self.source.at(index);
        self.say(index, input, problems::unresolved(self.source, block, input, reason));
    }

    /// Reports something once, however many systems share the block.
    fn say(&mut self, index: usize, input: usize, diagnostic: Diagnostic) {
        if self.said.insert((diagnostic.code, index, input)) {
            self.problems.push(diagnostic);
        }
    }
}

/// Positions of the inputs that the block's evaluator asks for, in its order.
fn asked_inputs(block: &SourceBlock) -> Vec<usize> {
    let Some(ports) = catalog::ports(&block.class) else { return Vec::new() };
    let has_geometry = || {
        let data = block.fields.get("cachedVertexData");
        let has = |key: &str| data.and_then(|data| data.get(key)?.as_array()).is_some();
        has("positions") && has("indices")
    };
    if block.class == "MeshShapeBlock" && !has_geometry() {
        return Vec::new();
    }
    let mut asked: Vec<usize> =
        ports.read.iter().filter_map(|name| block.input_index(name)).collect();
    if block.class == "ParticleGradientBlock" {
        // The first input of each name, as for every other lookup.
        let mut names = IndexSet::new();
        let entries = block.inputs.iter().enumerate().filter(|(_, input)| {
            input.name.starts_with("value") && names.insert(input.name.as_str())
        });
        asked.extend(entries.map(|(index, _)| index));
    }
    asked
}
