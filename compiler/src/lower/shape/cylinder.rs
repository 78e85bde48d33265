//! CylinderShapeBlock (spec section 9.8).

use std::f64::consts::{FRAC_PI_2, TAU};

use super::direction::from_emitter;
use super::sphere::sin_cos;
use crate::graph::BlockIndex;
use crate::ir::{BinaryOp, UnaryOp, ValueId};
use crate::lower::state::Prepared;
use crate::lower::{Context, Error, prepare, random};

/// At the height `range(-height/2, height/2)`, on a circle of the radius
/// `sqrt(range((1 - radiusRange)², 1)) * radius`, which fills it evenly.
pub(super) fn position(
    context: &mut Context<'_>,
    index: BlockIndex,
) -> Result<[ValueId; 3], Error> {
    let mut number = |name| {
        let value = context.input(index, name, &[1.0])?;
        Ok(context.number(&value))
    };
    let height = number("height")?;
    let radius_range = number("radiusRange")?;
    let radius = number("radius")?;
    let [zero, one, tau] = [0.0, 1.0, TAU].map(|number| context.body.float(number));
    let y = around_zero(context, index, "height", height)?;
    let angle = random::range(context, index, "azimuth", zero, tau)?;
    let inner = context.body.sub(one, radius_range);
    let inner = context.body.mul(inner, inner);
    let share = random::range(context, index, "radius", inner, one)?;
    let share = context.body.unary(UnaryOp::Sqrt, share);
    let distance = context.body.mul(share, radius);
    let (sine, cosine) = sin_cos(context, angle);
    let x = context.body.mul(distance, cosine);
    let z = context.body.mul(distance, sine);
    Ok([x, y, z])
}

/// Away from the axis: the birth point's azimuth in the emitter's space, turned by a random share
/// of `directionRandomizer`, with a random slope.
pub(super) fn direction(
    context: &mut Context<'_>,
    index: BlockIndex,
) -> Result<[ValueId; 3], Error> {
    let randomizer = context.input(index, "directionRandomizer", &[0.0])?;
    let randomizer = context.number(&randomizer);
    let outwards = from_emitter(context);
    let inverse: [ValueId; 9] = prepare::prepared_numbers(context, Prepared::InverseEmitter)?;
    let [x, _, z] = [0, 1, 2].map(|row| {
        let column = [inverse[row], inverse[3 + row], inverse[6 + row]];
        context.dot(&outwards, &column)
    });
    let y = around_zero(context, index, "slope", randomizer)?;
    let azimuth = context.trig2(BinaryOp::Atan2, x, z);
    let [min, max] = [-FRAC_PI_2, FRAC_PI_2].map(|number| context.body.float(number));
    let turn = random::range(context, index, "turn", min, max)?;
    let turn = context.body.mul(turn, randomizer);
    let azimuth = context.body.add(azimuth, turn);
    let (sine, cosine) = sin_cos(context, azimuth);
    Ok(context.normalize([sine, y, cosine]))
}

/// `range(-width/2, width/2)`
fn around_zero(
    context: &mut Context<'_>,
    index: BlockIndex,
    purpose: &str,
    width: ValueId,
) -> Result<ValueId, Error> {
    let two = context.body.float(2.0);
    let negated = context.body.unary(UnaryOp::Neg, width);
    let min = context.body.div(negated, two);
    let max = context.body.div(width, two);
    random::range(context, index, purpose, min, max)
}
