//! CustomShapeBlock (S1P-001): position and direction are what the graph gives, in the emitter's
//! space.

use crate::graph::BlockIndex;
use crate::ir::ValueId;
use crate::lower::{Context, Error};

/// `position = input`, the origin without one.
pub(super) fn position(
    context: &mut Context<'_>,
    index: BlockIndex,
) -> Result<[ValueId; 3], Error> {
    let position = context.input(index, "position", &[0.0; 3])?;
    Ok(context.vector3(&position))
}

/// `direction = input`, none without one.
pub(super) fn direction(
    context: &mut Context<'_>,
    index: BlockIndex,
) -> Result<[ValueId; 3], Error> {
    let direction = context.input(index, "direction", &[0.0; 3])?;
    Ok(context.vector3(&direction))
}
