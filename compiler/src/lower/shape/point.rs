//! PointShapeBlock (spec section 9.5).

use crate::ir::ValueId;
use crate::lower::Context;

/// The emitter's origin.
pub(super) fn position(context: &mut Context<'_>) -> [ValueId; 3] {
    [context.body.float(0.0); 3]
}
