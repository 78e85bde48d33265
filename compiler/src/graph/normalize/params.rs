//! Typed kinds: the serialized fields of each class, with the contract's defaults.

use super::geometry;
use crate::graph::json::Node;
use crate::graph::kind::{
    Contextual, Kind, Lock, MathOp, NumberOp, Rounding, Scope, Source, SpriteSheet, System,
    SystemSource, Test, TextureSource, TrigonometryOp, VectorOp,
};
use crate::graph::source::SourceBlock;
use crate::graph::{Literal, js};

/// Why a block has no kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NoKind {
    /// The class is not known, or is plumbing where none can be.
    Class,
    /// A contextual source that fails when the block is built.
    Contextual(f64),
    /// A contextual source that fails when its output is asked for.
    SilentContextual(f64),
    /// A system source.
    System(f64),
    /// An operation that its class does not have.
    Operation(f64),
}

/// Reads the fields of a block.
pub(super) fn kind(block: &SourceBlock) -> Result<Kind, NoKind> {
    let number = |field: &str, default: f64| block.number(field).unwrap_or(default);
    Ok(match block.class.as_str() {
        "SystemBlock" => Kind::System(system(block)),
        "CreateParticleBlock" => Kind::CreateParticle,
        "BoxShapeBlock" => Kind::BoxShape,
        "PointShapeBlock" => Kind::PointShape,
        "SphereShapeBlock" => Kind::SphereShape { hemispheric: block.is_true("isHemispheric") },
        "ConeShapeBlock" => {
            Kind::ConeShape { from_spawn_point_only: block.is_true("emitFromSpawnPointOnly") }
        }
        "CylinderShapeBlock" => Kind::CylinderShape,
        "MeshShapeBlock" => Kind::MeshShape(Box::new(geometry::mesh(block))),
        "CustomShapeBlock" => Kind::CustomShape,
        "ParticleInputBlock" => Kind::Input(source(block)?),
        "ParticleRandomBlock" => Kind::Random(lock(number("lockMode", 1.0))),
        "ParticleMathBlock" => Kind::Math(math(number("operation", 0.0))),
        "ParticleLerpBlock" => Kind::Lerp,
        "ParticleConverterBlock" => Kind::Converter,
        "ParticleGradientBlock" => Kind::Gradient,
        "ParticleGradientValueBlock" => Kind::GradientValue { reference: number("reference", 0.0) },
        "ParticleConditionBlock" => {
            Kind::Condition { test: test(number("test", 0.0)), epsilon: number("epsilon", 0.0) }
        }
        "ParticleFloatToIntBlock" => Kind::FloatToInt(rounding(number("operation", 0.0))),
        "ParticleVectorLengthBlock" => Kind::VectorLength,
        "ParticleTextureSourceBlock" => Kind::TextureSource(texture(block)),
        "SetupSpriteSheetBlock" => Kind::SetupSpriteSheet(sprite_sheet(block)),
        "BasicSpriteUpdateBlock" => Kind::BasicSpriteUpdate,
        "UpdatePositionBlock" => Kind::UpdatePosition,
        "UpdateColorBlock" => Kind::UpdateColor,
        "UpdateDirectionBlock" => Kind::UpdateDirection,
        "UpdateAngleBlock" => Kind::UpdateAngle,
        "UpdateSizeBlock" => Kind::UpdateSize,
        "UpdateAttractorBlock" => Kind::UpdateAttractor,
        "UpdateFlowMapBlock" => Kind::UpdateFlowMap,
        "UpdateNoiseBlock" => Kind::UpdateNoise,
        "ParticleLocalVariableBlock" => Kind::LocalVariable(scope(block)),
        "AlignAngleBlock" => {
            Kind::AlignAngle { alignment: number("alignment", std::f64::consts::FRAC_PI_2) }
        }
        "BasicColorUpdateBlock" => Kind::BasicColorUpdate,
        "BasicPositionUpdateBlock" => Kind::BasicPositionUpdate,
        "UpdateAgeBlock" => Kind::UpdateAge,
        "UpdateScaleBlock" => Kind::UpdateScale,
        "UpdateSpriteCellIndexBlock" => Kind::UpdateSpriteCellIndex,
        "ParticleClampBlock" => {
            Kind::Clamp { minimum: number("minimum", 0.0), maximum: number("maximum", 1.0) }
        }
        "ParticleStepBlock" => Kind::Step,
        "ParticleSmoothStepBlock" => Kind::SmoothStep,
        "ParticleNLerpBlock" => Kind::NLerp,
        "ParticleNumberMathBlock" => Kind::NumberMath(select(
            number("operation", 0.0),
            &[NumberOp::Modulo, NumberOp::Power],
        )?),
        "ParticleVectorMathBlock" => Kind::VectorMath(select(
            number("operation", 0.0),
            &[VectorOp::Dot, VectorOp::Distance],
        )?),
        "ParticleTrigonometryBlock" => {
            Kind::Trigonometry(select(number("operation", 0.0), TRIGONOMETRY)?)
        }
        "ParticleTriggerBlock" => Kind::Trigger,
        _ => return Err(NoKind::Class),
    })
}

/// Scope 0 is Particle, everything else is Loop.
pub(super) fn scope(block: &SourceBlock) -> Scope {
    if block.number("scope") == Some(0.0) { Scope::Particle } else { Scope::Loop }
}

fn system(block: &SourceBlock) -> System {
    let number = |field: &str, default: f64| block.number(field).unwrap_or(default);
    System {
        capacity: block.capacity(),
        is_local: block.is_true("isLocal"),
        update_speed: number("updateSpeed", 0.0167),
        blend_mode: block.number("blendMode"),
        manual_emit_count: number("manualEmitCount", -1.0),
        start_delay: number("startDelay", 0.0),
        pre_warm_cycles: number("preWarmCycles", 0.0),
        pre_warm_step_offset: number("preWarmStepOffset", 1.0),
        is_billboard_based: unless_false(block, "isBillboardBased"),
        billboard_mode: number("billBoardMode", 7.0),
        dispose_on_stop: block.is_true("disposeOnStop"),
        do_no_start: block.is_true("doNoStart"),
        rendering_group_id: number("renderingGroupId", 0.0),
    }
}

/// Contextual beats system beats constant.
fn source(block: &SourceBlock) -> Result<Source, NoKind> {
    let chosen = |field: &str| block.number(field).filter(|id| *id != 0.0);
    if let Some(id) = chosen("contextualValue") {
        return contextual(id).map(Source::Contextual);
    }
    if let Some(id) = chosen("systemSource") {
        let sources = [
            SystemSource::Time,
            SystemSource::Delta,
            SystemSource::Emitter,
            SystemSource::CameraPosition,
        ];
        return match select(id - 1.0, &sources) {
            Ok(source) => Ok(Source::System(source)),
            Err(_) => Err(NoKind::System(id)),
        };
    }
    let value = block.fields.get("value");
    let components = value.and_then(Node::as_array).unwrap_or_default();
    Ok(Source::Constant(match block.number("type") {
        Some(4.0) => Literal::Vector2(geometry::components(components, 0.0)),
        Some(8.0) => Literal::Vector3(geometry::components(components, 0.0)),
        Some(128.0) => Literal::Color4(geometry::components(components, 1.0)),
        _ => Literal::Number(value.and_then(Node::as_number).unwrap_or(0.0)),
    }))
}

fn contextual(id: f64) -> Result<Contextual, NoKind> {
    use Contextual as C;
    const SOURCES: &[(f64, Contextual)] = &[
        (1.0, C::Position),
        (2.0, C::Direction),
        (3.0, C::Age),
        (4.0, C::Lifetime),
        (5.0, C::Color),
        (6.0, C::ScaledDirection),
        (7.0, C::Scale),
        (8.0, C::AgeGradient),
        (9.0, C::Angle),
        (16.0, C::SpriteCellIndex),
        (17.0, C::SpriteCellStart),
        (18.0, C::SpriteCellEnd),
        (19.0, C::InitialColor),
        (20.0, C::ColorDead),
        (21.0, C::InitialDirection),
        (22.0, C::ColorStep),
        (23.0, C::ScaledColorStep),
        (24.0, C::LocalPositionUpdated),
        (25.0, C::Size),
        (32.0, C::DirectionScale),
    ];
    match SOURCES.iter().find(|(known, _)| *known == id) {
        Some((_, source)) => Ok(*source),
        // The contract's common factory takes these and installs nothing.
        None if id <= 6.0 => Err(NoKind::SilentContextual(id)),
        None => Err(NoKind::Contextual(id)),
    }
}

fn lock(mode: f64) -> Lock {
    let modes = [Lock::None, Lock::PerParticle, Lock::PerSystem, Lock::OncePerParticle];
    select(mode, &modes).unwrap_or(Lock::Never)
}

fn math(operation: f64) -> MathOp {
    use MathOp::{Add, Divide, Left, Max, Min, Multiply, Subtract};
    select(operation, &[Add, Subtract, Multiply, Divide, Max, Min]).unwrap_or(Left)
}

fn test(test: f64) -> Test {
    use Test::{
        And, Equal, GreaterOrEqual, GreaterThan, LessOrEqual, LessThan, Never, NotEqual, Or, Xor,
    };
    let tests = [Equal, NotEqual, LessThan, GreaterThan, LessOrEqual, GreaterOrEqual, Xor, Or, And];
    select(test, &tests).unwrap_or(Never)
}

fn rounding(operation: f64) -> Rounding {
    use Rounding::{Ceil, Floor, Round, Truncate};
    select(operation, &[Round, Ceil, Floor, Truncate]).unwrap_or(Round)
}

const TRIGONOMETRY: &[TrigonometryOp] = &[
    TrigonometryOp::Cos,
    TrigonometryOp::Sin,
    TrigonometryOp::Abs,
    TrigonometryOp::Exp,
    TrigonometryOp::Exp2,
    TrigonometryOp::Round,
    TrigonometryOp::Floor,
    TrigonometryOp::Ceiling,
    TrigonometryOp::Sqrt,
    TrigonometryOp::Log,
    TrigonometryOp::Tan,
    TrigonometryOp::ArcTan,
    TrigonometryOp::ArcCos,
    TrigonometryOp::ArcSin,
    TrigonometryOp::Sign,
    TrigonometryOp::Negate,
    TrigonometryOp::OneMinus,
    TrigonometryOp::Reciprocal,
    TrigonometryOp::ToDegrees,
    TrigonometryOp::ToRadians,
    TrigonometryOp::Fract,
];

/// The entry whose position a serialized number names.
fn select<T: Copy>(id: f64, entries: &[T]) -> Result<T, NoKind> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates; only whole numbers from 0 on pass"
    )]
    let index = id as usize;
    let exact = id >= 0.0 && id.fract() == 0.0;
    entries.get(index).filter(|_| exact).copied().ok_or(NoKind::Operation(id))
}

fn texture(block: &SourceBlock) -> TextureSource {
    let text = |field: &str| block.text(field).unwrap_or_default().to_owned();
    TextureSource {
        url: text("url"),
        data_url: text("textureDataUrl"),
        invert_y: unless_false(block, "invertY"),
    }
}

fn sprite_sheet(block: &SourceBlock) -> SpriteSheet {
    let number = |field: &str, default: f64| block.number(field).unwrap_or(default);
    SpriteSheet {
        start: number("start", 0.0),
        end: number("end", 0.0),
        repeat: unless_false(block, "loop"),
        change_speed: number("spriteCellChangeSpeed", 1.0),
        width: number("width", 0.0),
        height: number("height", 0.0),
        random_start: block.is_true("randomStartCell"),
    }
}

fn unless_false(block: &SourceBlock, field: &str) -> bool {
    use crate::graph::json::Value;
    !matches!(block.fields.get(field).map(|node| &node.value), Some(Value::Bool(false)))
}

/// How a message prints a number that a block carries.
pub(super) fn describe(reason: &NoKind) -> String {
    match reason {
        NoKind::Class => String::new(),
        NoKind::Contextual(id) | NoKind::SilentContextual(id) => {
            format!("0x{}", js::number_to_hex(*id))
        }
        NoKind::System(id) | NoKind::Operation(id) => js::number_to_string(*id),
    }
}
