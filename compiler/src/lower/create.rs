//! CreateParticleBlock and the birth body (spec sections 5.6 and 9.2).

use super::plan::{Action, Plan, SLOTS, Slot};
use super::state::State;
use super::value::{Property, Shape, Value};
use super::{Context, Error, random, shape, sprite};
use crate::graph::{BlockIndex, Graph};
use crate::ir::{BinaryOp, Body, BodyKind, Field, ValueId};

/// Lowers the birth body; [`clear`](super::clear) completes it once all columns are known. Errors
/// are left in the state.
pub(crate) fn body(graph: &Graph, plan: &Plan, state: &mut State) -> Body {
    let mut context = Context::new(graph, plan, state, BodyKind::Birth);
    let id = context.body.new_id();
    context.store_field(Field::Id, id);
    let zero = context.body.float(0.0);
    context.store_field(Field::Age, zero);
    random::exact::inherit(&mut context);
    for (slot, actions) in SLOTS.into_iter().zip(&plan.slots) {
        for &action in actions {
            if let Err(error) = run(&mut context, slot, action) {
                context.state.errors.push(error);
            }
        }
    }
    context.finish(Vec::new())
}

fn run(context: &mut Context<'_>, slot: Slot, action: Action) -> Result<(), Error> {
    match action {
        Action::Create(block) => context.at_block(block, |context| match slot {
            Slot::LifeTime => life_time(context, block),
            Slot::Position => shape::position(context, block),
            Slot::Direction => shape::direction(context, block),
            Slot::EmitPower => emit_power(context),
            Slot::Size => size(context, block),
            Slot::Angle => angle(context, block),
            Slot::Color => color(context, block),
            Slot::ColorDead => color_dead(context, block),
        }),
        Action::CaptureColor => {
            for channel in 0..4 {
                let value = context.load_field(Field::Color(channel));
                let column = context.state.initial_color(usize::from(channel));
                context.store(column, value);
            }
            Ok(())
        }
        Action::CaptureDirection if context.plan.suppresses_direction => Ok(()),
        Action::CaptureDirection => {
            for axis in 0..3 {
                let value = context.load_field(Field::Direction(axis));
                let column = context.state.initial_direction(usize::from(axis));
                context.store(column, value);
            }
            Ok(())
        }
        Action::StartSprite(block) => {
            context.at_block(block, |context| sprite::birth(context, block));
            Ok(())
        }
    }
}

/// `lifeTime = input; emitPower = input`, the second kept for the direction.
fn life_time(context: &mut Context<'_>, block: BlockIndex) -> Result<(), Error> {
    let life_time = context.input(block, "lifeTime", &[1.0])?;
    let life_time = context.number(&life_time);
    context.store_field(Field::LifeTime, life_time);
    let power = context.input(block, "emitPower", &[1.0])?;
    context.birth.emit_power = Some(context.number(&power));
    Ok(())
}

/// `direction *= emitPower`, and 0 where the power is 0.
fn emit_power(context: &mut Context<'_>) -> Result<(), Error> {
    let Some(power) = context.birth.emit_power else { return Ok(()) };
    let zero = context.body.float(0.0);
    let off = context.body.binary(BinaryOp::Eq, power, zero);
    for axis in 0..3 {
        let direction = context.load_field(Field::Direction(axis));
        let scaled = context.body.mul(direction, power);
        let scaled = context.body.select(off, zero, scaled);
        context.store_field(Field::Direction(axis), scaled);
    }
    Ok(())
}

/// `size = number, or 1`; `scale = (x, y)` of a vector, or a number for both.
fn size(context: &mut Context<'_>, block: BlockIndex) -> Result<(), Error> {
    let size = context.input(block, "size", &[1.0])?;
    let size = context.number_or(&size, 1.0);
    context.store_field(Field::Size, size);
    let scale = context.input(block, "scale", &[1.0, 1.0])?;
    let nan = context.body.float(f64::NAN);
    for (axis, property) in [(0, Property::X), (1, Property::Y)] {
        let value = context.pick(&scale, nan, |variant| match variant.shape {
            Shape::Scalar => variant.components.first().copied(),
            Shape::Vector2 | Shape::Vector3 | Shape::Color => variant.property(property),
        });
        context.store_field(Field::Scale(axis), value);
    }
    Ok(())
}

/// `angle = input`
fn angle(context: &mut Context<'_>, block: BlockIndex) -> Result<(), Error> {
    let angle = context.input(block, "angle", &[0.0])?;
    let angle = context.number(&angle);
    context.store_field(Field::Angle, angle);
    Ok(())
}

/// `color = input`, where that is truthy: any colour is, of numbers all but 0 and NaN. Where it is
/// not, the colour is what nobody has written.
fn color(context: &mut Context<'_>, block: BlockIndex) -> Result<(), Error> {
    let color = context.input(block, "color", &[1.0; 4])?;
    let channels = context.color(&color);
    let falsy = falsy(context, &color);
    for (channel, value) in (0..).zip(channels) {
        let value = match falsy {
            Some(falsy) => {
                let zero = context.body.float(0.0);
                context.body.select(falsy, zero, value)
            }
            None => value,
        };
        context.store_field(Field::Color(channel), value);
    }
    Ok(())
}

/// Whether the value is falsy at this moment; `None` where it cannot be.
fn falsy(context: &mut Context<'_>, value: &Value) -> Option<ValueId> {
    value.variant(Shape::Scalar)?;
    // A vector counts as the number 1.
    let number = context.number_or(value, 1.0);
    let truthy = context.truthy(number);
    Some(context.not(truthy))
}

/// `colorStep = (dead - color) / lifeTime`, the dead colour kept where source ColorDead reads it.
fn color_dead(context: &mut Context<'_>, block: BlockIndex) -> Result<(), Error> {
    let dead = context.input(block, "colorDead", &[0.0; 4])?;
    let dead = context.color(&dead);
    if context.plan.records_dead_color {
        for (channel, &value) in dead.iter().enumerate() {
            let column = context.state.dead_color(channel);
            context.store(column, value);
        }
    }
    let life_time = context.load_field(Field::LifeTime);
    for (channel, dead) in (0u8..).zip(dead) {
        let color = context.load_field(Field::Color(channel));
        let change = context.body.sub(dead, color);
        let step = context.body.div(change, life_time);
        let column = context.state.color_step(usize::from(channel));
        context.store(column, step);
    }
    Ok(())
}
