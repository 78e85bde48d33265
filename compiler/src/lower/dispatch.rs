//! Block class and output to the function that evaluates it: one exhaustive match.

use super::value::Value;
use super::{Context, Error, input, operation, random};
use crate::graph::BlockIndex;
use crate::graph::kind::Kind;

/// Evaluates an output of a value block.
pub(crate) fn value(
    context: &mut Context<'_>,
    index: BlockIndex,
    output: &str,
) -> Result<Value, Error> {
    let block = context.block(index);
    match &block.kind {
        Kind::Input(source) => input::source(context, index, *source),
        Kind::Random(lock) => random::random(context, index, *lock),
        Kind::Math(op) => operation::math(context, index, *op),
        Kind::Lerp => operation::lerp(context, index),
        Kind::Converter => operation::converter(context, index, output),
        Kind::Gradient => operation::gradient(context, index),
        Kind::System(_)
        | Kind::CreateParticle
        | Kind::BoxShape
        | Kind::PointShape
        | Kind::SphereShape { .. }
        | Kind::ConeShape { .. }
        | Kind::CylinderShape
        | Kind::MeshShape(_)
        | Kind::CustomShape
        | Kind::GradientValue { .. }
        | Kind::Condition { .. }
        | Kind::FloatToInt(_)
        | Kind::VectorLength
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
        | Kind::LocalVariable(_)
        | Kind::AlignAngle { .. }
        | Kind::BasicColorUpdate
        | Kind::BasicPositionUpdate
        | Kind::UpdateAge
        | Kind::UpdateScale
        | Kind::UpdateSpriteCellIndex
        | Kind::Clamp { .. }
        | Kind::Step
        | Kind::SmoothStep
        | Kind::NLerp
        | Kind::NumberMath(_)
        | Kind::VectorMath(_)
        | Kind::Trigonometry(_)
        | Kind::Trigger => Err(Error::unsupported(index, block)),
    }
}
