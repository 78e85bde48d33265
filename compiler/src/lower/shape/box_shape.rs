//! BoxShapeBlock (spec section 9.4).

use crate::graph::BlockIndex;
use crate::ir::ValueId;
use crate::lower::{Context, Error, random};

/// Each component between those of `minEmitBox` and `maxEmitBox`.
pub(super) fn position(
    context: &mut Context<'_>,
    index: BlockIndex,
) -> Result<[ValueId; 3], Error> {
    let min = context.input(index, "minEmitBox", &[-0.5; 3])?;
    let min = context.vector3(&min);
    let max = context.input(index, "maxEmitBox", &[0.5; 3])?;
    let max = context.vector3(&max);
    random::range3(context, index, "position", min, max)
}
