//! ParticleInputBlock: what a graph reads of the particle and of the system (spec section 8).

use super::value::Value;
use super::{Context, Error};
use crate::graph::BlockIndex;
use crate::graph::kind::{Contextual, Source, SystemSource};
use crate::ir::{BodyKind, Const, Field, Profile, UniformSource, ValueId};

/// `output` of a ParticleInputBlock.
pub(crate) fn source(
    context: &mut Context<'_>,
    index: BlockIndex,
    source: Source,
) -> Result<Value, Error> {
    match source {
        Source::Constant(literal) => Ok(context.constants(literal.numbers())),
        Source::System(source) => system(context, index, source),
        Source::Contextual(source) => contextual(context, index, source),
    }
}

/// Sources of spec section 8.4.
fn system(
    context: &mut Context<'_>,
    index: BlockIndex,
    source: SystemSource,
) -> Result<Value, Error> {
    match source {
        SystemSource::Time => Ok(Value::scalar(context.uniform(UniformSource::Time))),
        SystemSource::Delta => Ok(Value::scalar(context.uniform(UniformSource::Delta))),
        SystemSource::Emitter => {
            let axes = (0..3).map(|axis| context.uniform(UniformSource::EmitterPosition(axis)));
            Ok(Value::of(axes.collect()))
        }
        SystemSource::CameraPosition => Err(Error::unsupported(index, context.block(index))),
    }
}

/// Sources of spec section 8.2.
fn contextual(
    context: &mut Context<'_>,
    index: BlockIndex,
    source: Contextual,
) -> Result<Value, Error> {
    Ok(match source {
        Contextual::Position => vector(context, 3, Field::Position),
        Contextual::Direction => vector(context, 3, Field::Direction),
        Contextual::Color => vector(context, 4, Field::Color),
        Contextual::Scale => vector(context, 2, Field::Scale),
        Contextual::Age => Value::scalar(context.load_field(Field::Age)),
        Contextual::Lifetime => Value::scalar(context.load_field(Field::LifeTime)),
        Contextual::Angle => Value::scalar(context.load_field(Field::Angle)),
        Contextual::Size => Value::scalar(context.load_field(Field::Size)),
        Contextual::AgeGradient => {
            let age = context.load_field(Field::Age);
            let life_time = context.load_field(Field::LifeTime);
            Value::scalar(context.body.div(age, life_time))
        }
        Contextual::ScaledDirection => {
            let step = step(context);
            let direction = (0..3).map(|axis| {
                let direction = context.load_field(Field::Direction(axis));
                context.body.mul(direction, step)
            });
            Value::of(direction.collect())
        }
        Contextual::DirectionScale => Value::scalar(step(context)),
        Contextual::ColorStep => {
            let channels = (0..4).map(|channel| {
                let column = context.state.color_step(channel);
                context.load(column)
            });
            Value::of(channels.collect())
        }
        Contextual::ScaledColorStep => {
            let delta = context.uniform(UniformSource::Delta);
            let channels = (0..4).map(|channel| {
                let column = context.state.color_step(channel);
                let step = context.load(column);
                context.body.mul(step, delta)
            });
            Value::of(channels.collect())
        }
        Contextual::InitialColor
        | Contextual::ColorDead
        | Contextual::InitialDirection
        | Contextual::LocalPositionUpdated
        | Contextual::SpriteCellIndex
        | Contextual::SpriteCellStart
        | Contextual::SpriteCellEnd => {
            return Err(Error::unsupported(index, context.block(index)));
        }
    })
}

fn vector(context: &mut Context<'_>, len: u8, field: fn(u8) -> Field) -> Value {
    Value::of((0..len).map(|component| context.load_field(field(component))).collect())
}

/// `_scaledStep` of spec section 5.5. Within an update it is that particle's. Elsewhere Exact reads
/// what the particle updated last left behind; in Parallel no particle is the last, and the call's
/// whole step stands for it.
pub(crate) fn step(context: &mut Context<'_>) -> ValueId {
    match (context.kind, context.step, context.profile()) {
        (BodyKind::Update, Some(step), _) => step,
        (_, _, Profile::Exact) => {
            let register = context.state.register("scaledStep".into(), Const::Float(0.0));
            context.load_register(register)
        }
        (_, _, Profile::Parallel) => context.uniform(UniformSource::Delta),
    }
}
