//! Emitter shapes: where particles are born and which way they go (spec sections 9.3 to 9.9).

mod box_shape;

use super::{Context, Error};
use crate::graph::BlockIndex;
use crate::graph::kind::Kind;
use crate::ir::{Field, UniformSource, ValueId};

/// The `createPosition` slot of a shape block.
pub(crate) fn position(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    match &context.block(index).kind {
        Kind::BoxShape => box_shape::position(context, index),
        _ => Err(Error::unsupported(index, context.block(index))),
    }
}

/// The `createDirection` slot of a shape block.
pub(crate) fn direction(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    match &context.block(index).kind {
        Kind::BoxShape => box_shape::direction(context, index),
        _ => Err(Error::unsupported(index, context.block(index))),
    }
}

/// Writes a position given in the emitter's space: transformed by the emitter's matrix, with the
/// division by w.
pub(super) fn store_position(context: &mut Context<'_>, local: [ValueId; 3]) {
    let w = row(context, local, 3, true);
    let one = context.body.float(1.0);
    let factor = context.body.div(one, w);
    for axis in 0..3 {
        let value = row(context, local, axis, true);
        let value = context.body.mul(value, factor);
        context.store_field(Field::Position(axis), value);
    }
}

/// Writes a direction given in the emitter's space: transformed by the upper 3x3, not normalized.
pub(super) fn store_direction(context: &mut Context<'_>, local: [ValueId; 3]) {
    for axis in 0..3 {
        let value = row(context, local, axis, false);
        context.store_field(Field::Direction(axis), value);
    }
}

/// `x*m[r] + y*m[4+r] + z*m[8+r]`, and `+ m[12+r]` for points.
fn row(context: &mut Context<'_>, local: [ValueId; 3], row: u8, point: bool) -> ValueId {
    let products = [0u8, 4, 8].map(|column| {
        let element = context.uniform(UniformSource::EmitterMatrix(column + row));
        context.body.mul(local[usize::from(column / 4)], element)
    });
    let sum = context.body.add(products[0], products[1]);
    let sum = context.body.add(sum, products[2]);
    if point {
        let translation = context.uniform(UniformSource::EmitterMatrix(12 + row));
        context.body.add(sum, translation)
    } else {
        sum
    }
}
