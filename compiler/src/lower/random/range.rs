//! `randomRange` of shapes (spec section 5.7).

use super::hashed::{Key, hashed};
use crate::graph::BlockIndex;
use crate::ir::{BinaryOp, Profile, ValueId};
use crate::lower::value::Value;
use crate::lower::{Context, Error};

/// `min` without a draw where the bounds are equal, otherwise `random * (max - min) + min`: the
/// range of shapes (spec section 5.7).
pub(crate) fn range(
    context: &mut Context<'_>,
    index: BlockIndex,
    purpose: &str,
    min: ValueId,
    max: ValueId,
) -> Result<ValueId, Error> {
    let constants = context.as_number(min).zip(context.as_number(max));
    if constants.is_some_and(|(min, max)| min == max) {
        return Ok(min);
    }
    let known_different = constants.is_some();
    let in_range = |context: &mut Context<'_>, unit: ValueId| {
        let span = context.body.sub(max, min);
        let scaled = context.body.mul(unit, span);
        context.body.add(scaled, min)
    };
    match context.profile() {
        _ if known_different => {
            let unit = unit(context, index, purpose);
            Ok(in_range(context, unit))
        }
        Profile::Exact => {
            let equal = context.body.binary(BinaryOp::Eq, min, max);
            let value = context.either(
                equal,
                |_| Ok(Value::scalar(min)),
                |context| {
                    let unit = unit(context, index, purpose);
                    Ok(Value::scalar(in_range(context, unit)))
                },
            )?;
            Ok(context.number(&value))
        }
        Profile::Parallel => {
            let unit = unit(context, index, purpose);
            let value = in_range(context, unit);
            let equal = context.body.binary(BinaryOp::Eq, min, max);
            Ok(context.body.select(equal, min, value))
        }
    }
}

/// [`range`] for each component of a vector, in order.
pub(crate) fn range3(
    context: &mut Context<'_>,
    index: BlockIndex,
    purpose: &str,
    min: [ValueId; 3],
    max: [ValueId; 3],
) -> Result<[ValueId; 3], Error> {
    let mut local = min;
    for (axis, component) in local.iter_mut().enumerate() {
        *component = range(context, index, purpose, min[axis], max[axis])?;
    }
    Ok(local)
}

/// The next number in [0, 1): what `Math.random()` is to the contract.
pub(crate) fn unit(context: &mut Context<'_>, index: BlockIndex, purpose: &str) -> ValueId {
    let site = context.state.site(site_name(context, index, purpose), 1);
    match context.profile() {
        Profile::Exact => context.body.draw(site),
        Profile::Parallel => {
            let key = Key::Occurrence(context.state.next_occurrence());
            hashed(context, key, 0)
        }
    }
}

/// A number in [0, 1) that each particle draws once, where nothing needs to be kept for that: in
/// Parallel the same name gives a particle the same number at each reading.
pub(crate) fn unit_once(
    context: &mut Context<'_>,
    index: BlockIndex,
    name: &'static str,
) -> Option<ValueId> {
    if context.profile() != Profile::Parallel {
        return None;
    }
    context.state.site(site_name(context, index, name), 1);
    let key = Key::Once(context.state.once(name));
    Some(hashed(context, key, 0))
}

fn site_name(context: &Context<'_>, index: BlockIndex, purpose: &str) -> String {
    let block = context.block(index);
    let name = if block.name.is_empty() { &block.class } else { &block.name };
    format!("{name} {purpose}")
}
