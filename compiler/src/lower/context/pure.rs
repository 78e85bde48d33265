//! What evaluating a block would do, told from the graph before anything is lowered.

use indexmap::IndexMap;

use super::Context;
use crate::graph::kind::{Contextual, Kind, Lock, Scope, Source};
use crate::graph::{Block, BlockIndex, Graph, InputSource};
use crate::ir::{BodyKind, Profile};
use crate::lower::random;

impl Context<'_> {
    /// Whether the input may be evaluated where the contract would not: neither it nor anything
    /// behind it draws, stores or fails.
    pub(crate) fn is_pure_input(&mut self, index: BlockIndex, name: &str) -> bool {
        let mut known = std::mem::take(&mut self.pure);
        let test = |at, block: &_| self.is_pure(at, block);
        let pure = all_behind(self.graph, index, &[name], &mut known, &test);
        self.pure = known;
        pure
    }

    fn is_pure(&self, index: BlockIndex, block: &Block) -> Found {
        match &block.kind {
            Kind::Random(Lock::None) => Found::pass_if(self.profile() == Profile::Parallel),
            Kind::Random(Lock::Never) => Found::End,
            Kind::Random(_)
                if self.profile() == Profile::Parallel
                    && random::has_constant_bounds(self, index) =>
            {
                Found::End
            }
            // What every birth has drawn is only loaded.
            Kind::Random(Lock::OncePerParticle)
                if self.kind == BodyKind::Update && self.state.born.contains_key(&index) =>
            {
                Found::End
            }
            Kind::Random(Lock::PerParticle | Lock::PerSystem | Lock::OncePerParticle)
            | Kind::LocalVariable(_)
            | Kind::Input(Source::Contextual(Contextual::LocalPositionUpdated)) => Found::Refuse,
            Kind::Input(_)
            | Kind::Converter
            | Kind::Condition { .. }
            | Kind::FloatToInt(_)
            | Kind::Gradient
            | Kind::GradientValue { .. } => Found::Pass,
            // These fail where an input has nothing at all.
            Kind::Math(_)
            | Kind::NumberMath(_)
            | Kind::VectorMath(_)
            | Kind::Lerp
            | Kind::NLerp => Found::pass_if(has(block, &["left", "right"])),
            Kind::VectorLength | Kind::Trigonometry(_) => Found::pass_if(has(block, &["input"])),
            Kind::Clamp { .. } | Kind::Step | Kind::SmoothStep => {
                Found::pass_if(has(block, &["value"]))
            }
            // No value comes from these.
            Kind::System(_)
            | Kind::CreateParticle
            | Kind::BoxShape
            | Kind::PointShape
            | Kind::SphereShape { .. }
            | Kind::ConeShape { .. }
            | Kind::CylinderShape
            | Kind::MeshShape(_)
            | Kind::CustomShape
            | Kind::TextureSource(_)
            | Kind::SetupSpriteSheet(_)
            | Kind::BasicSpriteUpdate
            | Kind::UpdatePosition
            | Kind::UpdateColor
            | Kind::UpdateDirection
            | Kind::UpdateAngle
            | Kind::UpdateSize
            | Kind::UpdateAttractor
            | Kind::UpdateFlowMap
            | Kind::UpdateNoise
            | Kind::AlignAngle { .. }
            | Kind::BasicColorUpdate
            | Kind::BasicPositionUpdate
            | Kind::UpdateAge
            | Kind::UpdateScale
            | Kind::UpdateSpriteCellIndex
            | Kind::Trigger => Found::Refuse,
        }
    }

    /// Whether one of the inputs says something about a particle.
    pub(crate) fn reads_particle(&mut self, index: BlockIndex, names: &[&str]) -> bool {
        let known = &mut self.state.free_of_particles;
        !all_behind(self.graph, index, names, known, &|_, block| {
            Found::pass_if(!matches!(
                block.kind,
                Kind::Input(Source::Contextual(_))
                    | Kind::Random(Lock::PerParticle | Lock::OncePerParticle)
                    | Kind::LocalVariable(Scope::Particle)
            ))
        })
    }
}

/// Whether each of the inputs has a wire or a literal.
fn has(block: &Block, names: &[&str]) -> bool {
    names.iter().all(|name| {
        let source = block.input(name).map(|input| &input.source);
        matches!(source, Some(InputSource::Wire(..) | InputSource::Literal(_)))
    })
}

/// What a test says of a block.
enum Found {
    /// The block passes; those behind it are looked at.
    Pass,
    /// The block passes; those behind it do not matter.
    End,
    /// The block does not pass.
    Refuse,
}

impl Found {
    fn pass_if(condition: bool) -> Self {
        if condition { Self::Pass } else { Self::Refuse }
    }
}

/// Answers for blocks and all that stands behind them, which do not change while a body is lowered;
/// `None` while one is looked for.
pub(crate) type Known = IndexMap<BlockIndex, Option<bool>>;

/// Whether every block behind the inputs passes the test. Each block is looked at once, however
/// often this is asked.
fn all_behind(
    graph: &Graph,
    index: BlockIndex,
    names: &[&str],
    known: &mut Known,
    test: &dyn Fn(BlockIndex, &Block) -> Found,
) -> bool {
    let mut path = vec![(index, wires(graph.block(index), Some(names)))];
    while let Some((_, next)) = path.last_mut() {
        let Some(at) = next.pop() else {
            if let Some((at, _)) = path.pop()
                && !path.is_empty()
            {
                known.insert(at, Some(true));
            }
            continue;
        };
        let passes = match known.get(&at) {
            // Inputs that nobody reads may lead in circles: a block behind itself is refused.
            Some(&passes) => passes.unwrap_or(false),
            None => {
                let block = graph.block(at);
                let (passes, next) = match test(at, block) {
                    Found::Pass => (true, wires(block, None)),
                    Found::End => (true, Vec::new()),
                    Found::Refuse => (false, Vec::new()),
                };
                known.insert(at, None);
                path.push((at, next));
                passes
            }
        };
        if !passes {
            // Neither do those that read it. The first one is only asked for some of its inputs.
            known.extend(path.drain(1..).map(|(at, _)| (at, Some(false))));
            return false;
        }
    }
    true
}

/// What the inputs of a block are wired to, or those of these names.
fn wires(block: &Block, names: Option<&[&str]>) -> Vec<BlockIndex> {
    let chosen = block
        .inputs
        .iter()
        .filter(|input| names.is_none_or(|names| names.contains(&input.name.as_str())));
    let sources = chosen.filter_map(|input| match input.source {
        InputSource::Wire(from, _) => Some(from),
        InputSource::Dangling | InputSource::Literal(_) | InputSource::Unconnected => None,
    });
    sources.collect()
}
