//! ParticleInputBlock: what a graph reads of the particle and of the system (spec section 8).

mod local_position;

pub(crate) use local_position::seed as seed_local_position;

use super::state::State;
use super::value::Value;
use super::{Context, Error, sprite};
use crate::graph::kind::{Contextual, Source, SystemSource};
use crate::graph::{BlockIndex, Literal};
use crate::ir::{BodyKind, Column, Const, Field, Handle, Profile, UniformSource, ValueId};

/// `output` of a ParticleInputBlock.
pub(crate) fn source(
    context: &mut Context<'_>,
    index: BlockIndex,
    source: Source,
) -> Result<Value, Error> {
    match source {
        Source::Constant(literal) => Ok(context.constants(literal.numbers())),
        Source::Open(literal) => Ok(input(context, index, literal)),
        Source::System(source) => Ok(system(context, source)),
        Source::Contextual(source) => contextual(context, source),
    }
}

/// A constant that hosts may change: its numbers are uniforms.
fn input(context: &mut Context<'_>, index: BlockIndex, literal: Literal) -> Value {
    let numbers = literal.numbers();
    let Some(&input) = context.state.input_blocks.get(&index) else {
        return context.constants(numbers);
    };
    let components = (0u8..).zip(numbers);
    let components =
        components.map(|(at, _)| context.uniform(UniformSource::Input(input, at))).collect();
    Value::of(components)
}

/// Sources of spec section 8.4, and the camera (S1P-014), which is at the origin where there is
/// none.
fn system(context: &mut Context<'_>, source: SystemSource) -> Value {
    let vector = |context: &mut Context<'_>, source: fn(u8) -> UniformSource| {
        Value::of((0..3).map(|axis| context.uniform(source(axis))).collect())
    };
    match source {
        SystemSource::Time => Value::scalar(context.uniform(UniformSource::Time)),
        SystemSource::Delta => Value::scalar(context.uniform(UniformSource::Delta)),
        SystemSource::Emitter => vector(context, UniformSource::EmitterPosition),
        SystemSource::CameraPosition => vector(context, UniformSource::CameraPosition),
    }
}

/// Sources of spec section 8.2, and those of sprite cells (S1P-013).
fn contextual(context: &mut Context<'_>, source: Contextual) -> Result<Value, Error> {
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
        Contextual::ColorStep => columns(context, 4, State::color_step),
        Contextual::ScaledColorStep => {
            let delta = context.uniform(UniformSource::Delta);
            let channels = (0..4).map(|channel| {
                let column = context.state.color_step(channel);
                let step = context.load(column);
                context.body.mul(step, delta)
            });
            Value::of(channels.collect())
        }
        Contextual::InitialColor => columns(context, 4, State::initial_color),
        Contextual::ColorDead => columns(context, 4, State::dead_color),
        // A mesh that gives directions leaves no initial direction.
        Contextual::InitialDirection if context.plan.suppresses_direction => {
            context.constants(&[0.0; 3])
        }
        Contextual::InitialDirection => columns(context, 3, State::initial_direction),
        Contextual::LocalPositionUpdated => local_position::advance(context)?,
        Contextual::SpriteCellIndex => Value::scalar(sprite::cell(context)),
        Contextual::SpriteCellStart => {
            let sheet = sprite::current(context);
            context.constants(&[sheet.map_or(0.0, |sheet| sheet.start)])
        }
        Contextual::SpriteCellEnd => {
            let sheet = sprite::current(context);
            context.constants(&[sheet.map_or(0.0, |sheet| sheet.end)])
        }
    })
}

fn columns(
    context: &mut Context<'_>,
    len: usize,
    column: fn(&mut State, usize) -> Handle<Column>,
) -> Value {
    let components = (0..len).map(|at| {
        let column = column(context.state, at);
        context.load(column)
    });
    Value::of(components.collect())
}

fn vector(context: &mut Context<'_>, len: u8, field: fn(u8) -> Field) -> Value {
    Value::of((0..len).map(|component| context.load_field(field(component))).collect())
}

/// Register of the step of the particle that was updated last.
pub(crate) const SCALED_STEP: &str = "scaledStep";

/// `_scaledStep` of spec section 5.5. Within an update it is that particle's. Elsewhere Exact reads
/// what the particle updated last left behind; in Parallel no particle is the last, and the call's
/// whole step stands for it.
pub(crate) fn step(context: &mut Context<'_>) -> ValueId {
    match (context.kind, context.step, context.profile()) {
        (BodyKind::Update, Some(step), _) => step,
        (_, _, Profile::Exact) => {
            let register = context.state.register(SCALED_STEP.into(), Const::Float(0.0));
            context.load_register(register)
        }
        (_, _, Profile::Parallel) => context.uniform(UniformSource::Delta),
    }
}
