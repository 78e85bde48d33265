//! ConeShapeBlock (spec section 9.7).

use std::f64::consts::{PI, TAU};

use super::sphere::{distance, sin_cos};
use crate::graph::BlockIndex;
use crate::ir::{BinaryOp, UnaryOp, ValueId};
use crate::lower::{Context, Error, random};

/// At the height `h = 1 - range(0, heightRange)²` (0.0001 at the spawn point) times that of the
/// cone, on a circle of the radius `(radius - range(0, radius * radiusRange)) * h`.
pub(super) fn position(
    context: &mut Context<'_>,
    index: BlockIndex,
    from_spawn_point_only: bool,
) -> Result<[ValueId; 3], Error> {
    let mut number = |name, default| {
        let value = context.input(index, name, &[default])?;
        Ok(context.number(&value))
    };
    let radius = number("radius", 1.0)?;
    let angle = number("angle", PI)?;
    let radius_range = number("radiusRange", 1.0)?;
    let height_range = number("heightRange", 1.0)?;
    let [zero, one, two, tau] = [0.0, 1.0, 2.0, TAU].map(|number| context.body.float(number));
    let factor = if from_spawn_point_only {
        context.body.float(0.0001)
    } else {
        let drawn = random::range(context, index, "height", zero, height_range)?;
        let squared = context.body.mul(drawn, drawn);
        context.body.sub(one, squared)
    };
    let distance = distance(context, index, radius, radius_range)?;
    let distance = context.body.mul(distance, factor);
    let azimuth = random::range(context, index, "azimuth", zero, tau)?;
    let (sine, cosine) = sin_cos(context, azimuth);
    let x = context.body.mul(distance, sine);
    let z = context.body.mul(distance, cosine);
    // A flat cone is only as flat as the half of its angle is exact.
    let half = match context.as_number(angle) {
        Some(angle) => context.body.float(angle / 2.0),
        None => context.body.div(angle, two),
    };
    let tangent = context.trig(UnaryOp::Tan, half);
    let height = context.body.div(radius, tangent);
    let is_open = context.body.binary(BinaryOp::Ne, angle, zero);
    let height = context.body.select(is_open, height, one);
    let y = context.body.mul(factor, height);
    Ok([x, y, z])
}
