//! Block classes with their serialized fields, typed.

use super::Literal;

/// What a block does: one variant a class, with the fields that its class serializes.
///
/// Spec sections 9.1 to 9.31; the classes after `LocalVariable` are those of the checklist's S1P
/// rows.
#[derive(Clone, Debug)]
pub enum Kind {
    /// `SystemBlock`
    System(System),
    /// `CreateParticleBlock`
    CreateParticle,
    /// `BoxShapeBlock`
    BoxShape,
    /// `PointShapeBlock`
    PointShape,
    /// `SphereShapeBlock`
    SphereShape {
        /// Upper half only.
        hemispheric: bool,
    },
    /// `ConeShapeBlock`
    ConeShape {
        /// Emit at the tip only.
        from_spawn_point_only: bool,
    },
    /// `CylinderShapeBlock`
    CylinderShape,
    /// `MeshShapeBlock`
    MeshShape(Box<Mesh>),
    /// `CustomShapeBlock`
    CustomShape,
    /// `ParticleInputBlock`
    Input(Source),
    /// `ParticleRandomBlock`
    Random(Lock),
    /// `ParticleMathBlock`
    Math(MathOp),
    /// `ParticleLerpBlock`
    Lerp,
    /// `ParticleConverterBlock`
    Converter,
    /// `ParticleGradientBlock`
    Gradient,
    /// `ParticleGradientValueBlock`
    GradientValue {
        /// Where the stop stands.
        reference: f64,
    },
    /// `ParticleConditionBlock`
    Condition {
        /// What is asked of left and right.
        test: Test,
        /// How far apart two numbers may be and still pass for equal.
        epsilon: f64,
    },
    /// `ParticleFloatToIntBlock`
    FloatToInt(Rounding),
    /// `ParticleVectorLengthBlock`
    VectorLength,
    /// `ParticleTextureSourceBlock`
    TextureSource(TextureSource),
    /// `SetupSpriteSheetBlock`
    SetupSpriteSheet(SpriteSheet),
    /// `BasicSpriteUpdateBlock`
    BasicSpriteUpdate,
    /// `UpdatePositionBlock`
    UpdatePosition,
    /// `UpdateColorBlock`
    UpdateColor,
    /// `UpdateDirectionBlock`
    UpdateDirection,
    /// `UpdateAngleBlock`
    UpdateAngle,
    /// `UpdateSizeBlock`
    UpdateSize,
    /// `UpdateAttractorBlock`
    UpdateAttractor,
    /// `UpdateFlowMapBlock`
    UpdateFlowMap,
    /// `UpdateNoiseBlock`
    UpdateNoise,
    /// `ParticleLocalVariableBlock`
    LocalVariable(Scope),
    /// `AlignAngleBlock`
    AlignAngle {
        /// Radians added to the direction's angle on screen.
        alignment: f64,
    },
    /// `BasicColorUpdateBlock`
    BasicColorUpdate,
    /// `BasicPositionUpdateBlock`
    BasicPositionUpdate,
    /// `UpdateAgeBlock`
    UpdateAge,
    /// `UpdateScaleBlock`
    UpdateScale,
    /// `UpdateSpriteCellIndexBlock`
    UpdateSpriteCellIndex,
    /// `ParticleClampBlock`; its bounds are the inputs `min` and `max`, and these where those give
    /// nothing.
    Clamp {
        /// Lower bound; 0 when absent.
        minimum: f64,
        /// Upper bound; 1 when absent.
        maximum: f64,
    },
    /// `ParticleStepBlock`
    Step,
    /// `ParticleSmoothStepBlock`
    SmoothStep,
    /// `ParticleNLerpBlock`
    NLerp,
    /// `ParticleNumberMathBlock`
    NumberMath(NumberOp),
    /// `ParticleVectorMathBlock`
    VectorMath(VectorOp),
    /// `ParticleTrigonometryBlock`
    Trigonometry(TrigonometryOp),
    /// `ParticleTriggerBlock`: passes its particle flow on; the trigger itself is not lowered yet.
    Trigger,
}

/// Fields of a `SystemBlock` (spec sections 7.1 and 9.1; the rest are S1P-015 to S1P-018).
#[derive(Clone, Debug)]
pub struct System {
    /// Number of slots as serialized, before any limit; 1000 when absent.
    pub capacity: f64,
    /// Positions are kept in the emitter's space.
    pub is_local: bool,
    /// Seconds (or the graph's unit) a call at ratio 1 advances; 0.0167 when absent.
    pub update_speed: f64,
    /// 0 OneOne, 1 Standard, 2 Add, 3 Multiply, 4 MultiplyAdd; absent where the file has none
    /// (S1P-018).
    pub blend_mode: Option<f64>,
    /// Births of a call, instead of the rate, where not negative; -1 when absent.
    pub manual_emit_count: f64,
    /// Milliseconds that a host waits before it starts the system.
    pub start_delay: f64,
    /// Calls made at start.
    pub pre_warm_cycles: f64,
    /// Ratio of those calls.
    pub pre_warm_step_offset: f64,
    /// Quads face the camera.
    pub is_billboard_based: bool,
    /// 7 all, 2 Y, 8 stretched, 9 stretched local.
    pub billboard_mode: f64,
    /// A host disposes of the system when it stops.
    pub dispose_on_stop: bool,
    /// A host does not start the system by itself.
    pub do_no_start: bool,
    /// Draw order among systems.
    pub rendering_group_id: f64,
}

/// What a `ParticleInputBlock` reads (spec sections 8.2, 8.4, 8.5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// A property of the particle.
    Contextual(Contextual),
    /// A property of the system.
    System(SystemSource),
    /// A constant.
    Constant(Literal),
    /// A constant that hosts may change while the system runs.
    Open(Literal),
}

/// Contextual particle sources with their serialized ids (spec section 8.2, S1P-013).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contextual {
    /// `0x01`
    Position,
    /// `0x02`
    Direction,
    /// `0x03`
    Age,
    /// `0x04`
    Lifetime,
    /// `0x05`
    Color,
    /// `0x06`: direction times the particle's step.
    ScaledDirection,
    /// `0x07`
    Scale,
    /// `0x08`: age over lifetime.
    AgeGradient,
    /// `0x09`
    Angle,
    /// `0x10`
    SpriteCellIndex,
    /// `0x11`
    SpriteCellStart,
    /// `0x12`
    SpriteCellEnd,
    /// `0x13`
    InitialColor,
    /// `0x14`
    ColorDead,
    /// `0x15`
    InitialDirection,
    /// `0x16`
    ColorStep,
    /// `0x17`: colour step times the call's step.
    ScaledColorStep,
    /// `0x18`
    LocalPositionUpdated,
    /// `0x19`
    Size,
    /// `0x20`: the particle's step.
    DirectionScale,
}

/// System sources with their serialized ids (spec section 8.4, S1P-014).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemSource {
    /// `1`
    Time,
    /// `2`
    Delta,
    /// `3`
    Emitter,
    /// `4`
    CameraPosition,
}

/// When a Random block draws again (spec section 9.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// 0: at every read.
    None,
    /// 1: when the particle read last is another one.
    PerParticle,
    /// 2: once.
    PerSystem,
    /// 3: once a particle.
    OncePerParticle,
    /// Any other number: never draws and yields 0.
    Never,
}

/// Operations of a Math block (spec section 9.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum MathOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Max,
    Min,
    /// An unknown operation yields its left component.
    Left,
}

/// Tests of a Condition block (spec section 9.17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Test {
    Equal,
    NotEqual,
    LessThan,
    GreaterThan,
    LessOrEqual,
    GreaterOrEqual,
    Xor,
    Or,
    And,
    /// An unknown test selects the false branch.
    Never,
}

/// Operations of a FloatToInt block (spec section 9.18); unknown ones are `Round`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Rounding {
    Round,
    Ceil,
    Floor,
    Truncate,
}

/// Scope of a LocalVariable block (spec section 9.31.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// 0: one snapshot a particle.
    Particle,
    /// Anything else: one snapshot a started animation call.
    Loop,
}

/// Operations of a NumberMath block (S1P-010).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum NumberOp {
    Modulo,
    Power,
}

/// Operations of a VectorMath block (S1P-012).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum VectorOp {
    Dot,
    Distance,
}

/// Operations of a Trigonometry block, in the order of their serialized ids (S1P-011).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TrigonometryOp {
    Cos,
    Sin,
    Abs,
    Exp,
    Exp2,
    Round,
    Floor,
    Ceiling,
    Sqrt,
    Log,
    Tan,
    ArcTan,
    ArcCos,
    ArcSin,
    Sign,
    Negate,
    OneMinus,
    Reciprocal,
    ToDegrees,
    ToRadians,
    Fract,
}

/// Fields of a TextureSource block (spec section 9.20).
#[derive(Clone, Debug)]
pub struct TextureSource {
    /// Serialized `url`; empty when absent or not a string.
    pub url: String,
    /// Serialized `textureDataUrl`; empty when absent or not a string.
    pub data_url: String,
    /// Serialized `invertY`; true when absent.
    pub invert_y: bool,
}

/// Fields of a SetupSpriteSheet block (spec section 9.21).
#[derive(Clone, Copy, Debug)]
pub struct SpriteSheet {
    /// First cell.
    pub start: f64,
    /// Last cell.
    pub end: f64,
    /// Start over when the lifetime is passed.
    pub repeat: bool,
    /// Cells a lifetime.
    pub change_speed: f64,
    /// Cell width in texels.
    pub width: f64,
    /// Cell height in texels.
    pub height: f64,
    /// Each particle starts at a random cell.
    pub random_start: bool,
}

/// Cached geometry of a MeshShape block (spec section 9.9). Entries are what JavaScript's
/// arithmetic makes of them: null is 0, text is NaN.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Three numbers a vertex; `None` where the file has none, and then nothing is installed.
    pub positions: Option<Vec<f64>>,
    /// Three numbers a triangle.
    pub indices: Option<Vec<f64>>,
    /// Three numbers a vertex.
    pub normals: Option<Vec<f64>>,
    /// Four numbers a vertex.
    pub colors: Option<Vec<f64>>,
    /// Directions follow the normals.
    pub normals_for_direction: bool,
    /// Birth colours follow the vertex colours.
    pub colors_for_color: bool,
}
