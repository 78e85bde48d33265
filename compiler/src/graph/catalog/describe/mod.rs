//! Each block class in words and equations: the data of `docs/blocks.md`.
//!
//! Lowering says what blocks do; this says it to people. `compiler/tests/documents` holds the two
//! together where a machine can: ports, and the values of inputs that are left unconnected.

mod flow;
mod mix;
mod numbers;
mod plumbing;
mod shapes;
mod sources;
mod updates;

use crate::graph::Kind;

/// What people want to know of a class.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its name in files, without `BABYLON.`.
    pub class: &'static str,
    /// What it is for, in a sentence.
    pub purpose: &'static str,
    /// What it computes, a line each. `draw()` is a new random number from 0 to below 1, `range(a, b)`
    /// the draw of shapes: `a` without a draw where the two are equal, else `a + draw() * (b - a)`.
    pub equation: &'static [&'static str],
    /// Every input, and what it counts as where nothing is connected.
    pub inputs: &'static [(&'static str, Unconnected)],
    /// Serialized fields: name, what a missing one counts as, what it says.
    pub fields: &'static [(&'static str, &'static str, &'static str)],
    /// Where the contract has it: a section such as `9.4`, or a row of the ledger such as `S1P-001`.
    pub contract: &'static str,
    /// What else one has to know.
    pub notes: &'static [&'static str],
    /// What Babylon.js does otherwise.
    pub babylon: &'static [&'static str],
}

/// What an input counts as that has neither wire nor literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unconnected {
    /// These numbers: one is a number, two and three a vector, four a colour.
    Is(&'static [f64]),
    /// Nothing: the block does nothing then.
    Idle,
    /// Nothing: the step fails when it gets there.
    Fails,
    /// What the words say.
    Means(&'static str),
}

/// What most classes have not.
const NONE: Description = Description {
    class: "",
    purpose: "",
    equation: &[],
    inputs: &[],
    fields: &[],
    contract: "",
    notes: &[],
    babylon: &[],
};

const PARTICLE: (&str, Unconnected) = ("particle", Unconnected::Means("the flow begins here"));

/// Classes that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What they are called.
    pub heading: &'static str,
    /// What all of them do.
    pub purpose: &'static str,
    /// The classes.
    pub classes: &'static [Description],
}

macro_rules! classes {
    ($($heading:literal $purpose:literal { $($kind:pat => $description:path,)* })*) => {
        /// The classes whose blocks have a [`Kind`].
        pub const GROUPS: &[Group] = &[$(
            Group { heading: $heading, purpose: $purpose, classes: &[$($description),*] }
        ),*];

        /// The description of a kind's class. A new kind does not compile until it has one.
        pub fn of(kind: &Kind) -> &'static Description {
            match kind { $($($kind => &$description,)*)* }
        }
    };
}

classes! {
    "Systems and births" "Every graph begins with these." {
        Kind::System(_) => flow::SYSTEM,
        Kind::CreateParticle => flow::CREATE_PARTICLE,
        Kind::Trigger => flow::TRIGGER,
    }
    "Shapes" "Where particles are born, and which way they go. Numbers are in the emitter's space; its matrix then transforms positions and directions. In a local system directions stay in the emitter's space." {
        Kind::PointShape => shapes::POINT,
        Kind::BoxShape => shapes::BOX,
        Kind::SphereShape { .. } => shapes::SPHERE,
        Kind::ConeShape { .. } => shapes::CONE,
        Kind::CylinderShape => shapes::CYLINDER,
        Kind::MeshShape(_) => shapes::MESH,
        Kind::CustomShape => shapes::CUSTOM,
    }
    "Updates" "What each step does to each living particle, in the order of the flow. Before the first of them the age has advanced. `step` is the particle's time, shorter where its lifetime ends within the call; `delta` is the call's." {
        Kind::UpdatePosition => updates::POSITION,
        Kind::UpdateDirection => updates::DIRECTION,
        Kind::UpdateColor => updates::COLOR,
        Kind::UpdateSize => updates::SIZE,
        Kind::UpdateScale => updates::SCALE,
        Kind::UpdateAngle => updates::ANGLE,
        Kind::UpdateAge => updates::AGE,
        Kind::UpdateAttractor => updates::ATTRACTOR,
        Kind::UpdateFlowMap => updates::FLOW_MAP,
        Kind::UpdateNoise => updates::NOISE,
        Kind::BasicPositionUpdate => updates::BASIC_POSITION,
        Kind::BasicColorUpdate => updates::BASIC_COLOR,
        Kind::AlignAngle { .. } => updates::ALIGN_ANGLE,
        Kind::SetupSpriteSheet(_) => updates::SPRITE_SHEET,
        Kind::BasicSpriteUpdate => updates::BASIC_SPRITE,
        Kind::UpdateSpriteCellIndex => updates::CELL_INDEX,
    }
    "Sources" "What values begin with." {
        Kind::Input(_) => sources::INPUT,
        Kind::Random(_) => sources::RANDOM,
        Kind::TextureSource(_) => sources::TEXTURE,
        Kind::LocalVariable(_) => sources::LOCAL_VARIABLE,
    }
    "Arithmetic" "Functions of values." {
        Kind::Math(_) => numbers::MATH,
        Kind::NumberMath(_) => numbers::NUMBER_MATH,
        Kind::VectorMath(_) => numbers::VECTOR_MATH,
        Kind::Trigonometry(_) => numbers::TRIGONOMETRY,
        Kind::VectorLength => numbers::VECTOR_LENGTH,
        Kind::FloatToInt(_) => numbers::FLOAT_TO_INT,
        Kind::Converter => numbers::CONVERTER,
    }
    "Blends and choices" "Values between values." {
        Kind::Lerp => mix::LERP,
        Kind::NLerp => mix::NLERP,
        Kind::Clamp { .. } => mix::CLAMP,
        Kind::Step => mix::STEP,
        Kind::SmoothStep => mix::SMOOTH_STEP,
        Kind::Gradient => mix::GRADIENT,
        Kind::GradientValue { .. } => mix::GRADIENT_VALUE,
        Kind::Condition { .. } => mix::CONDITION,
    }
}

/// Classes that only route wires. None of them is left in a [`Graph`](crate::graph::Graph).
pub const PLUMBING: Group = Group {
    heading: "Plumbing",
    purpose: "Wires that go through these blocks become direct ones before anything is compiled.",
    classes: &[plumbing::TELEPORT_IN, plumbing::TELEPORT_OUT, plumbing::ELBOW, plumbing::DEBUG],
};
