//! LocalPositionUpdated (spec section 8.3): a position in the emitter's space that moves with each
//! reading.

use super::step;
use crate::diagnostic::Code;
use crate::ir::{BinaryOp, BodyKind, Field, Profile, Storage, UnaryOp, ValueId};
use crate::lower::value::Value;
use crate::lower::{Context, Error, shape};

/// What a birth records before its local position is transformed.
pub(crate) fn seed(context: &mut Context<'_>, local: [ValueId; 3]) {
    let Some(block) = context.plan.local_position else { return };
    for (axis, value) in local.into_iter().enumerate() {
        let column = context.state.local_position(axis);
        context.store(column, value);
    }
    if context.block(block).domains.system {
        // Only system bodies can come before the first birth.
        let column = context.state.column("localPosition.valid", Storage::U8);
        let one = context.body.uint(1);
        context.store(column, one);
    }
}

/// `local += direction * step`, then `position = emitter * local`; gives the position. The step of a
/// particle of age 0 is 0.
pub(super) fn advance(context: &mut Context<'_>) -> Result<Value, Error> {
    if !context.plan.is_local {
        let message = "NodeParticle: LocalPositionUpdated requires SystemBlock.isLocal";
        return Err(context.error(Code::NotLocal, message));
    }
    context.mark_volatile();
    check(context)?;
    let zero = context.body.float(0.0);
    let step = if context.kind == BodyKind::Birth {
        zero
    } else {
        let age = context.load_field(Field::Age);
        let is_new = context.body.binary(BinaryOp::Eq, age, zero);
        let step = step(context);
        context.body.select(is_new, zero, step)
    };
    let local = [0u8, 1, 2].map(|axis| {
        let column = context.state.local_position(usize::from(axis));
        let local = context.load(column);
        let direction = context.load_field(Field::Direction(axis));
        let change = context.body.mul(direction, step);
        let local = context.body.add(local, change);
        context.store(column, local);
        // The contract transforms what the column gives back.
        context.body.unary(UnaryOp::RoundF32, local)
    });
    let world = shape::transform_point(context, local);
    for (axis, value) in (0..).zip(world) {
        context.store_field(Field::Position(axis), value);
    }
    Ok(Value::of(world.into()))
}

/// Fails where the slot has no local position yet: in a birth before its shape has placed it, in a
/// system body before the first birth, and always where there is no shape.
fn check(context: &mut Context<'_>) -> Result<(), Error> {
    const TOO_EARLY: &str =
        "NodeParticle: LocalPositionUpdated read before local shape position creation";
    let is_placed = context.birth.point.is_some();
    match context.kind {
        BodyKind::Birth if is_placed => {}
        BodyKind::Update if context.plan.has_shape() => {}
        BodyKind::Birth | BodyKind::Update => context.body.fail(TOO_EARLY),
        BodyKind::Init | BodyKind::Prepare | BodyKind::EmitRate => {
            if context.profile() == Profile::Exact && context.plan.has_shape() {
                let column = context.state.column("localPosition.valid", Storage::U8);
                let flag = context.load(column);
                let zero = context.body.uint(0);
                let missing = context.body.binary(BinaryOp::IEq, flag, zero);
                return context.only_if(missing, |context| {
                    context.body.fail(TOO_EARLY);
                    Ok(())
                });
            }
            context.body.fail(TOO_EARLY);
        }
    }
    Ok(())
}
