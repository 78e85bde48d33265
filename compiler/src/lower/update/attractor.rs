//! UpdateAttractorBlock (spec section 9.23).

use crate::graph::BlockIndex;
use crate::ir::{BinaryOp, Field, UnaryOp};
use crate::lower::{Context, Error, source};

/// `direction += offset * (strength * step / ((|offset|² + 1) * |offset|))` with `offset =
/// attractor - position`; nothing where the two coincide.
pub(super) fn attract(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    let attractor = context.input(index, "attractor", &[0.0; 3])?;
    let attractor = context.vector3(&attractor);
    let strength = context.input(index, "strength", &[1.0])?;
    let strength = context.number(&strength);
    let offset = [0u8, 1, 2].map(|axis| {
        let position = context.load_field(Field::Position(axis));
        context.body.sub(attractor[usize::from(axis)], position)
    });
    let squares = offset.map(|offset| context.body.mul(offset, offset));
    let length_squared = context.body.add(squares[0], squares[1]);
    let length_squared = context.body.add(length_squared, squares[2]);

    let step = source::step(context);
    let force = context.body.mul(strength, step);
    let one = context.body.float(1.0);
    let softened = context.body.add(length_squared, one);
    let length = context.body.unary(UnaryOp::Sqrt, length_squared);
    let divisor = context.body.mul(softened, length);
    let scale = context.body.div(force, divisor);
    let zero = context.body.float(0.0);
    let apart = context.body.binary(BinaryOp::Ne, length_squared, zero);
    for (axis, offset) in (0u8..).zip(offset) {
        let direction = context.load_field(Field::Direction(axis));
        let change = context.body.mul(offset, scale);
        let changed = context.body.add(direction, change);
        let direction = context.body.select(apart, changed, direction);
        context.store_field(Field::Direction(axis), direction);
    }
    Ok(())
}
