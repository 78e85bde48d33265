//! Block class and output to the function that evaluates it: one exhaustive match.

use super::value::Value;
use super::{Context, Error, condition, converter, gradient, local, math, mix, random, source};
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
        Kind::Input(source) => source::source(context, index, *source),
        Kind::Random(lock) => random::random(context, index, *lock),
        Kind::Math(op) => math::math(context, index, *op),
        Kind::Lerp => mix::lerp(context, index),
        Kind::Converter => converter::converter(context, index, output),
        Kind::Gradient => gradient::gradient(context, index),
        Kind::GradientValue { .. } => Ok(gradient::stop_as_value(context)),
        Kind::Condition { test, epsilon } => condition::condition(context, index, *test, *epsilon),
        Kind::FloatToInt(rounding) => math::float_to_int(context, index, *rounding),
        Kind::VectorLength => math::vector_length(context, index),
        Kind::LocalVariable(scope) => local::local_variable(context, index, *scope),
        Kind::Clamp { minimum, maximum } => mix::clamp(context, index, *minimum, *maximum),
        Kind::Step => mix::step(context, index),
        Kind::SmoothStep => mix::smooth_step(context, index),
        Kind::NLerp => mix::nlerp(context, index),
        Kind::NumberMath(op) => math::number_math(context, index, *op),
        Kind::VectorMath(op) => math::vector_math(context, index, *op),
        Kind::Trigonometry(op) => math::trigonometry(context, index, *op),
        // Flow and pictures: nobody can ask these for a value.
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
        | Kind::Trigger => Err(Error::unsupported(index, block)),
    }
}
