//! Directions that several shapes share.

use crate::graph::BlockIndex;
use crate::ir::{UniformSource, ValueId};
use crate::lower::{Context, Error, random};

/// Whether both bounds are connected; one alone does not count.
pub(super) fn is_explicit(context: &Context<'_>, index: BlockIndex) -> bool {
    ["direction1", "direction2"].iter().all(|name| context.block(index).is_connected(name))
}

/// Each component between those of `direction1` and `direction2`.
pub(super) fn between(context: &mut Context<'_>, index: BlockIndex) -> Result<[ValueId; 3], Error> {
    let first = context.input(index, "direction1", &[0.0, 1.0, 0.0])?;
    let first = context.vector3(&first);
    let second = context.input(index, "direction2", &[0.0, 1.0, 0.0])?;
    let second = context.vector3(&second);
    random::range3(context, index, "direction", first, second)
}

/// From the emitter through the birth point, each component moved by a number between 0 and
/// `directionRandomizer`; of length 1 before and after that.
pub(super) fn outwards(
    context: &mut Context<'_>,
    index: BlockIndex,
) -> Result<[ValueId; 3], Error> {
    let randomizer = context.input(index, "directionRandomizer", &[0.0])?;
    let randomizer = context.number(&randomizer);
    let direction = from_emitter(context);
    let zero = context.body.float(0.0);
    let jitter = random::range3(context, index, "randomizer", [zero; 3], [randomizer; 3])?;
    let mut moved = direction;
    for (component, jitter) in moved.iter_mut().zip(jitter) {
        *component = context.body.add(*component, jitter);
    }
    Ok(context.normalize(moved))
}

/// The unit vector from the emitter to the birth point.
pub(super) fn from_emitter(context: &mut Context<'_>) -> [ValueId; 3] {
    let zero = context.body.float(0.0);
    let point = context.birth.point.unwrap_or([zero; 3]);
    let mut offset = point;
    for (axis, component) in (0..).zip(&mut offset) {
        let emitter = context.uniform(UniformSource::EmitterPosition(axis));
        *component = context.body.sub(*component, emitter);
    }
    context.normalize(offset)
}
