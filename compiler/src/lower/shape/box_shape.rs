//! BoxShapeBlock (spec section 9.4).

use super::{store_direction, store_position};
use crate::graph::BlockIndex;
use crate::ir::ValueId;
use crate::lower::{Context, Error, random};

/// Each component between those of `minEmitBox` and `maxEmitBox`.
pub(crate) fn position(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    let min = context.input(index, "minEmitBox", &[-0.5; 3])?;
    let min = context.vector3(&min);
    let max = context.input(index, "maxEmitBox", &[0.5; 3])?;
    let max = context.vector3(&max);
    let local = between(context, index, "position", min, max)?;
    store_position(context, local);
    Ok(())
}

/// Each component between those of `direction1` and `direction2`.
pub(crate) fn direction(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    let first = context.input(index, "direction1", &[0.0, 1.0, 0.0])?;
    let first = context.vector3(&first);
    let second = context.input(index, "direction2", &[0.0, 1.0, 0.0])?;
    let second = context.vector3(&second);
    let local = between(context, index, "direction", first, second)?;
    store_direction(context, local);
    Ok(())
}

fn between(
    context: &mut Context<'_>,
    index: BlockIndex,
    purpose: &str,
    min: [ValueId; 3],
    max: [ValueId; 3],
) -> Result<[ValueId; 3], Error> {
    let mut local = min;
    for (axis, component) in local.iter_mut().enumerate() {
        *component = random::range(context, index, purpose, min[axis], max[axis])?;
    }
    Ok(local)
}
