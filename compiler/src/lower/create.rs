//! CreateParticleBlock and the birth body (spec sections 5.6 and 9.2).

use super::context::Born;
use super::plan::{Action, Plan, SLOTS, Slot};
use super::state::State;
use super::value::{Property, Shape, Value};
use super::{Context, Error, shape};
use crate::graph::{BlockIndex, Graph};
use crate::ir::{BinaryOp, Body, BodyKind, Const, Expr, Field, Statement, Stmt, Value as IrValue};

/// Lowers the birth body; [`finish`] completes it once all columns are known.
pub(crate) fn body(
    graph: &Graph,
    state: &mut State,
    born: &mut Born,
    plan: &Plan,
) -> Result<Body, Error> {
    let mut context = Context::new(graph, state, born, BodyKind::Birth);
    let id = context.body.new_id();
    context.store_field(Field::Id, id);
    let zero = context.body.float(0.0);
    context.store_field(Field::Age, zero);
    for (slot, actions) in SLOTS.into_iter().zip(&plan.slots) {
        for &action in actions {
            run(&mut context, slot, action)?;
        }
    }
    Ok(context.body.finish(Vec::new()))
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
        Action::CaptureDirection => {
            for axis in 0..3 {
                let value = context.load_field(Field::Direction(axis));
                let column = context.state.initial_direction(usize::from(axis));
                context.store(column, value);
            }
            Ok(())
        }
        Action::StartSprite(block) => Err(Error::unsupported(block, context.block(block))),
    }
}

/// `lifeTime = input; emitPower = input`, the second kept for the direction.
fn life_time(context: &mut Context<'_>, block: BlockIndex) -> Result<(), Error> {
    let life_time = context.input(block, "lifeTime", &[1.0])?;
    let life_time = context.number(&life_time);
    context.store_field(Field::LifeTime, life_time);
    let power = context.input(block, "emitPower", &[1.0])?;
    context.emit_power = Some(context.number(&power));
    Ok(())
}

/// `direction *= emitPower`, and 0 where the power is 0.
fn emit_power(context: &mut Context<'_>) -> Result<(), Error> {
    let Some(power) = context.emit_power else { return Ok(()) };
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
    let one = context.body.float(1.0);
    let size = context.pick(&size, one, |variant| match variant.components.as_slice() {
        [number] => Some(*number),
        _ => None,
    });
    context.store_field(Field::Size, size);
    let scale = context.input(block, "scale", &[1.0, 1.0])?;
    let nan = context.body.float(f64::NAN);
    for (axis, property) in [(0, Property::X), (1, Property::Y)] {
        let value = context.pick(&scale, nan, |variant| match variant.shape {
            Shape::Scalar => variant.components.first().copied(),
            shape => {
                let at = shape.properties().iter().position(|&other| other == property);
                at.map(|at| variant.components[at])
            }
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

/// `color = input`, where that is truthy: any colour is, of numbers all but 0 and NaN.
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
fn falsy(context: &mut Context<'_>, value: &Value) -> Option<crate::ir::ValueId> {
    let possible =
        value.variants.iter().any(|variant| matches!(variant.shape, Shape::Null | Shape::Scalar));
    if !possible {
        return None;
    }
    // A vector counts as the number 1.
    let one = context.body.float(1.0);
    let zero = context.body.float(0.0);
    let number = context.pick(value, one, |variant| match variant.shape {
        Shape::Null => Some(zero),
        Shape::Scalar => variant.components.first().copied(),
        Shape::Vector2 | Shape::Vector3 | Shape::Color => None,
    });
    let nonzero = context.body.binary(BinaryOp::Ne, number, zero);
    let is_number = context.body.binary(BinaryOp::Eq, number, number);
    let truthy = context.body.binary(BinaryOp::And, nonzero, is_number);
    Some(context.body.unary(crate::ir::UnaryOp::Not, truthy))
}

/// `colorStep = (dead - color) / lifeTime`
fn color_dead(context: &mut Context<'_>, block: BlockIndex) -> Result<(), Error> {
    let dead = context.input(block, "colorDead", &[0.0; 4])?;
    let dead = context.color(&dead);
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

/// Gives every column that the body may leave unwritten a 0 at its start, so that nothing of the
/// slot's former particle remains.
pub(crate) fn finish(state: &mut State, mut body: Body) -> Body {
    let mut written = vec![false; state.columns.len()];
    for statement in &body.block {
        if let Stmt::Store(column, _) = statement.kind {
            written[column.index()] = true;
        }
    }
    let mut clears = Vec::new();
    for (column, found) in state.columns.iter() {
        if !written[column.index()] {
            let zero = Const::zero(found.storage.ty());
            let value = IrValue { expr: Expr::Const(zero), ty: zero.ty() };
            let zero = body.values.push(value);
            clears.push(Statement { kind: Stmt::Store(column, zero), origin: None });
        }
    }
    body.block.splice(0..0, clears);
    body
}
