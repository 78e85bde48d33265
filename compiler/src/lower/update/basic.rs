//! BasicPositionUpdateBlock, BasicColorUpdateBlock and AlignAngleBlock (S1P-004 to S1P-006).

use crate::ir::{BinaryOp, Field, UniformSource};
use crate::lower::{Context, Error, shape, source};

/// `position += direction * step`
pub(super) fn position(context: &mut Context<'_>) {
    let step = source::step(context);
    for axis in 0..3 {
        let direction = context.load_field(Field::Direction(axis));
        let change = context.body.mul(direction, step);
        let position = context.load_field(Field::Position(axis));
        let position = context.body.add(position, change);
        context.store_field(Field::Position(axis), position);
    }
}

/// `color += colorStep * delta`; an alpha below 0 becomes 0.
pub(super) fn color(context: &mut Context<'_>) {
    let delta = context.uniform(UniformSource::Delta);
    for channel in 0..4u8 {
        let column = context.state.color_step(usize::from(channel));
        let step = context.load(column);
        let change = context.body.mul(step, delta);
        let color = context.load_field(Field::Color(channel));
        let mut color = context.body.add(color, change);
        if channel == 3 {
            let zero = context.body.float(0.0);
            let below = context.body.binary(BinaryOp::Lt, color, zero);
            color = context.body.select(below, zero, color);
        }
        context.store_field(Field::Color(channel), color);
    }
}

/// `angle = atan2(y, x) + alignment` of the direction as the camera sees it; nothing without a
/// camera.
pub(super) fn align_angle(context: &mut Context<'_>, alignment: f64) -> Result<(), Error> {
    let has_camera = context.uniform(UniformSource::HasCamera);
    let none = context.body.uint(0);
    let is_missing = context.body.binary(BinaryOp::IEq, has_camera, none);
    let direction = [0, 1, 2].map(|axis| context.load_field(Field::Direction(axis)));
    let [x, y] = [0, 1].map(|row| shape::rotated(context, direction, row, UniformSource::View));
    let angle = context.trig2(BinaryOp::Atan2, y, x);
    let alignment = context.body.float(alignment);
    let angle = context.body.add(angle, alignment);
    let before = context.load_field(Field::Angle);
    let angle = context.body.select(is_missing, before, angle);
    context.store_field(Field::Angle, angle);
    Ok(())
}
