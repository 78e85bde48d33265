//! SphereShapeBlock (spec section 9.6).

use std::f64::consts::TAU;

use crate::graph::BlockIndex;
use crate::ir::{UnaryOp, ValueId};
use crate::lower::{Context, Error, random};

/// At the distance `radius - range(0, radius * radiusRange)`, in the direction of the angles
/// `acos(2 * range(0, 1) - 1)` from the y axis and `range(0, 2π)` around it; y is not negative where
/// the block is hemispheric.
pub(super) fn position(
    context: &mut Context<'_>,
    index: BlockIndex,
    hemispheric: bool,
) -> Result<[ValueId; 3], Error> {
    let radius = context.input(index, "radius", &[1.0])?;
    let radius = context.number(&radius);
    let range = context.input(index, "radiusRange", &[1.0])?;
    let range = context.number(&range);
    let distance = distance(context, index, radius, range)?;
    let [zero, one, two, tau] = [0.0, 1.0, 2.0, TAU].map(|number| context.body.float(number));
    let v = random::range(context, index, "height", zero, one)?;
    let phi = random::range(context, index, "azimuth", zero, tau)?;
    let doubled = context.body.mul(two, v);
    let cosine = context.body.sub(doubled, one);
    let theta = context.trig(UnaryOp::Acos, cosine);
    let (sin_theta, cos_theta) = sin_cos(context, theta);
    let (sin_phi, cos_phi) = sin_cos(context, phi);
    let x = context.body.mul(distance, cos_phi);
    let x = context.body.mul(x, sin_theta);
    let y = context.body.mul(distance, cos_theta);
    let y = if hemispheric { context.body.unary(UnaryOp::Abs, y) } else { y };
    let z = context.body.mul(distance, sin_phi);
    let z = context.body.mul(z, sin_theta);
    Ok([x, y, z])
}

/// `radius - range(0, radius * radiusRange)`
pub(super) fn distance(
    context: &mut Context<'_>,
    index: BlockIndex,
    radius: ValueId,
    range: ValueId,
) -> Result<ValueId, Error> {
    let zero = context.body.float(0.0);
    let depth = context.body.mul(radius, range);
    let depth = random::range(context, index, "radius", zero, depth)?;
    Ok(context.body.sub(radius, depth))
}

/// Sine and cosine of an angle.
pub(super) fn sin_cos(context: &mut Context<'_>, angle: ValueId) -> (ValueId, ValueId) {
    (context.trig(UnaryOp::Sin, angle), context.trig(UnaryOp::Cos, angle))
}
