//! Who does what in a system: the contract's depth-first walk, without evaluating anything.
//!
//! Blocks are built in post-order, `particle` inputs first (spec section 7.2). Building one may
//! install creation slots, wrap a slot that another block installed, or append an update step. The
//! plan is the outcome: an ordered list of actions a slot, and the ordered update steps.

use indexmap::{IndexMap, IndexSet};

use crate::graph::kind::{Contextual, Kind, Mesh, Source};
use crate::graph::{BlockIndex, Graph, InputSource};

/// One of the eight creation slots, in the order in which a birth runs them (spec section 5.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    LifeTime,
    Position,
    Direction,
    EmitPower,
    Size,
    Angle,
    Color,
    ColorDead,
}

/// The slots in order.
pub(crate) const SLOTS: [Slot; 8] = [
    Slot::LifeTime,
    Slot::Position,
    Slot::Direction,
    Slot::EmitPower,
    Slot::Size,
    Slot::Angle,
    Slot::Color,
    Slot::ColorDead,
];

/// Something that a creation slot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// The slot's own step, by the block that installed it.
    Create(BlockIndex),
    /// Copies the colour before the dead colour is read (source InitialColor).
    CaptureColor,
    /// Copies the direction before the emission power is applied (source InitialDirection).
    CaptureDirection,
    /// Writes the first cell of a sprite sheet.
    StartSprite(BlockIndex),
}

/// What a root does at births and updates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The root.
    pub(crate) root: BlockIndex,
    /// Shapes write emitter-local directions, and positions through `finishLocalPosition`.
    pub(crate) is_local: bool,
    /// Actions of each of [`SLOTS`].
    pub(crate) slots: [Vec<Action>; 8],
    /// Update blocks in order.
    pub(crate) updates: Vec<BlockIndex>,
    /// The sprite sheet that each BasicSpriteUpdate block found when it was built.
    pub(crate) sheets: IndexMap<BlockIndex, BlockIndex>,
    /// The sprite sheet that was set up last.
    pub(crate) sheet: Option<BlockIndex>,
    /// A mesh gives directions: source InitialDirection is zero (spec sections 8.2 and 9.9).
    pub(crate) suppresses_direction: bool,
    /// Source ColorDead is read: births record the dead colour.
    pub(crate) records_dead_color: bool,
    /// Source LocalPositionUpdated is read: births record the local position.
    pub(crate) local_position: Option<BlockIndex>,
    /// Every block in the order in which it is built.
    pub(crate) order: IndexSet<BlockIndex>,
}

impl Plan {
    pub(crate) fn of(graph: &Graph, root: BlockIndex) -> Self {
        let is_local = graph.root_fields(root).is_local;
        let mut plan = Self { root, is_local, order: post_order(graph, root), ..Self::default() };
        for at in 0..plan.order.len() {
            plan.build(graph, plan.order[at]);
        }
        plan.capture_facing(graph);
        plan
    }

    /// Quads that do not face the camera face their particle's first direction: where a shape gives
    /// one, births record it as source InitialDirection would (S1P-017).
    fn capture_facing(&mut self, graph: &Graph) {
        let is_source = |&index: &BlockIndex| {
            let kind = &graph.block(index).kind;
            matches!(kind, Kind::Input(Source::Contextual(Contextual::InitialDirection)))
        };
        let is_flat = match &graph.block(self.root).kind {
            Kind::System(system) => !system.is_billboard_based,
            _ => false,
        };
        let has_direction = !self.slots[Slot::Direction as usize].is_empty();
        let is_free = !self.suppresses_direction && !self.order.iter().any(is_source);
        if is_flat && has_direction && is_free {
            self.slot(Slot::EmitPower).insert(0, Action::CaptureDirection);
        }
    }

    /// Whether births get a position from a shape.
    pub(crate) fn has_shape(&self) -> bool {
        !self.slots[Slot::Position as usize].is_empty()
    }

    fn slot(&mut self, slot: Slot) -> &mut Vec<Action> {
        &mut self.slots[slot as usize]
    }

    fn install(&mut self, slot: Slot, block: BlockIndex) {
        *self.slot(slot) = vec![Action::Create(block)];
    }

    fn build(&mut self, graph: &Graph, index: BlockIndex) {
        match &graph.block(index).kind {
            Kind::CreateParticle => {
                for slot in SLOTS {
                    if !matches!(slot, Slot::Position | Slot::Direction) {
                        self.install(slot, index);
                    }
                }
            }
            Kind::BoxShape
            | Kind::PointShape
            | Kind::SphereShape { .. }
            | Kind::ConeShape { .. }
            | Kind::CylinderShape
            | Kind::CustomShape => {
                self.install(Slot::Position, index);
                self.install(Slot::Direction, index);
            }
            Kind::MeshShape(mesh) => {
                if mesh.positions.is_some() && mesh.indices.is_some() {
                    self.install(Slot::Position, index);
                    self.install(Slot::Direction, index);
                    if mesh.gives_color() {
                        self.slot(Slot::Color).clear();
                    }
                    self.suppresses_direction |= mesh.gives_direction();
                }
            }
            Kind::Input(Source::Contextual(Contextual::InitialColor)) => {
                self.slot(Slot::ColorDead).insert(0, Action::CaptureColor);
            }
            Kind::Input(Source::Contextual(Contextual::InitialDirection)) => {
                self.slot(Slot::EmitPower).insert(0, Action::CaptureDirection);
            }
            Kind::Input(Source::Contextual(Contextual::ColorDead)) => {
                self.records_dead_color = true;
            }
            Kind::Input(Source::Contextual(Contextual::LocalPositionUpdated)) => {
                self.local_position = self.local_position.or(Some(index));
            }
            Kind::SetupSpriteSheet(_) => {
                self.sheet = Some(index);
                self.slot(Slot::ColorDead).push(Action::StartSprite(index));
            }
            Kind::BasicSpriteUpdate => {
                self.updates.push(index);
                if let Some(sheet) = self.sheet {
                    self.sheets.insert(index, sheet);
                }
            }
            Kind::UpdatePosition
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
            | Kind::UpdateSpriteCellIndex => self.updates.push(index),
            Kind::System(_)
            | Kind::Input(_)
            | Kind::Random(_)
            | Kind::Math(_)
            | Kind::Lerp
            | Kind::Converter
            | Kind::Gradient
            | Kind::GradientValue { .. }
            | Kind::Condition { .. }
            | Kind::FloatToInt(_)
            | Kind::VectorLength
            | Kind::TextureSource(_)
            | Kind::LocalVariable(_)
            | Kind::Clamp { .. }
            | Kind::Step
            | Kind::SmoothStep
            | Kind::NLerp
            | Kind::NumberMath(_)
            | Kind::VectorMath(_)
            | Kind::Trigonometry(_)
            | Kind::Trigger => {}
        }
    }
}

/// The reachable blocks in the order in which the contract builds them.
fn post_order(graph: &Graph, root: BlockIndex) -> IndexSet<BlockIndex> {
    let mut order = IndexSet::new();
    let mut built: IndexSet<BlockIndex> = IndexSet::from([root]);
    let mut stack = vec![(root, children(graph, root).into_iter())];
    while let Some((index, rest)) = stack.last_mut() {
        match rest.next() {
            Some(child) => {
                if built.insert(child) {
                    stack.push((child, children(graph, child).into_iter()));
                }
            }
            None => {
                order.insert(*index);
                stack.pop();
            }
        }
    }
    order
}

/// Blocks that feed a block: those of particle flow first, each group in serialized order.
fn children(graph: &Graph, index: BlockIndex) -> Vec<BlockIndex> {
    let block = graph.block(index);
    let wires = block.evaluation_order().filter_map(|at| match block.inputs[at].source {
        InputSource::Wire(from, _) => Some(from),
        InputSource::Dangling | InputSource::Literal(_) | InputSource::Unconnected => None,
    });
    wires.collect()
}

impl Mesh {
    /// Directions follow the mesh's normals.
    pub(crate) fn gives_direction(&self) -> bool {
        self.normals_for_direction && self.normals.is_some()
    }

    /// Birth colours follow the mesh's colours.
    pub(crate) fn gives_color(&self) -> bool {
        self.colors_for_color && self.colors.is_some()
    }
}
