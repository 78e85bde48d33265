//! Values that are drawn once and kept: the locks of spec section 9.11.
//!
//! No value here depends on what its bounds become later, so all of it runs
//! [apart](Context::apart) from the value that is being evaluated.

use super::draw_value;
use super::hashed::Key;
use crate::graph::BlockIndex;
use crate::ir::{BinaryOp, BodyKind, Const, Profile, Storage};
use crate::lower::context::Shapes;
use crate::lower::keep::{Keep, staleness};
use crate::lower::value::Value;
use crate::lower::{Context, Error};

/// Lock 1: one value, and the id of the particle for which it was drawn.
pub(super) fn per_particle(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let prefix = prefix(context, index);
    let valid = context.state.register(format!("{prefix}.valid"), Const::Bool(false));
    let holder = context.state.register(format!("{prefix}.id"), Const::Uint(0));
    // A newborn's id is never the one read last, unless this very birth has read the block, or a
    // system body has read it for slot 0, whose id is 0 before anything is born there.
    let first = context.is_first_read(index) && context.kind == BodyKind::Birth;
    let is_new = first && !context.block(index).domains.system;
    context.apart(|context| {
        let id = context.load_id();
        let stale = if is_new {
            None
        } else {
            let valid = context.load_register(valid);
            let holder = context.load_register(holder);
            let same = context.body.binary(BinaryOp::IEq, id, holder);
            let known = context.body.binary(BinaryOp::And, valid, same);
            Some(context.not(known))
        };
        let draw = |context: &mut Context<'_>| draw_value(context, index, None);
        let (value, _) = Keep::Register(prefix).refresh(context, stale, draw, |context| {
            let yes = context.body.constant(Const::Bool(true));
            context.store_register(valid, yes);
            context.store_register(holder, id);
        })?;
        Ok(value)
    })
}

/// Lock 2: one value for the system.
pub(super) fn per_system(
    context: &mut Context<'_>,
    index: BlockIndex,
    key: Option<Key>,
) -> Result<Value, Error> {
    let prefix = prefix(context, index);
    let valid = context.state.register(format!("{prefix}.valid"), Const::Bool(false));
    context.apart(|context| {
        let known = context.load_register(valid);
        let stale = context.not(known);
        let draw = |context: &mut Context<'_>| draw_value(context, index, key);
        let (value, _) = Keep::Register(prefix).refresh(context, Some(stale), draw, |context| {
            let yes = context.body.constant(Const::Bool(true));
            context.store_register(valid, yes);
        })?;
        Ok(value)
    })
}

/// Lock 3: one value a particle, in columns. A birth clears the flag, so that a reused slot draws
/// again: this is what the contract's comparison of ids comes to, but for [`inherit`].
pub(super) fn once_per_particle(
    context: &mut Context<'_>,
    index: BlockIndex,
    key: Option<Key>,
) -> Result<Value, Error> {
    let prefix = prefix(context, index);
    let keep = Keep::Column(prefix.clone());
    if context.kind == BodyKind::Update
        && let Some(shapes) = context.state.born.get(&index).cloned()
    {
        return Ok(context.apart(|context| keep.load(context, &shapes)));
    }
    let valid = context.state.column(format!("{prefix}.valid"), Storage::U8);
    let first = context.is_first_read(index) && context.kind == BodyKind::Birth;
    let is_new = first && !context.state.system_draws.contains_key(&index);
    let (value, shapes) = context.apart(|context| {
        let stale = staleness(context, valid, is_new);
        let draw = |context: &mut Context<'_>| draw_value(context, index, key);
        keep.refresh(context, stale, draw, |context| {
            let one = context.body.uint(1);
            context.store(valid, one);
        })
    })?;
    if first {
        context.state.born.insert(index, shapes.clone());
    }
    if !context.kind.is_particle() {
        context.state.system_draws.insert(index, shapes.clone());
        remember(context, &prefix, &value, &shapes);
    }
    Ok(value)
}

fn prefix(context: &Context<'_>, index: BlockIndex) -> String {
    format!("random.{}", context.state.ordinal(index))
}

// --- Lock 3 in system bodies of Exact ----------------------------------------------------------

/// A system body draws for slot 0, whose id is 0 before the first birth. The first particle has that
/// id and that slot and so takes the value over: registers carry it there.
fn remember(context: &mut Context<'_>, prefix: &str, value: &Value, shapes: &Shapes) {
    if context.profile() == Profile::Exact {
        let valid = context.state.register(format!("{prefix}.system.valid"), Const::Bool(false));
        let yes = context.body.constant(Const::Bool(true));
        context.store_register(valid, yes);
        Keep::Register(format!("{prefix}.system")).store(context, value, shapes);
    }
}

/// What a birth does first for each block that a system body has drawn.
pub(crate) fn inherit(context: &mut Context<'_>) {
    for (index, shapes) in context.state.system_draws.clone() {
        let prefix = prefix(context, index);
        let drawn = context.state.register(format!("{prefix}.system.valid"), Const::Bool(false));
        let drawn = context.load_register(drawn);
        let (id, zero) = (context.body.new_id(), context.body.uint(0));
        let is_first = context.body.binary(BinaryOp::IEq, id, zero);
        let takes_over = context.body.binary(BinaryOp::And, is_first, drawn);
        let one = context.body.uint(1);
        let flag = context.body.select(takes_over, one, zero);
        let valid = context.state.column(format!("{prefix}.valid"), Storage::U8);
        context.store(valid, flag);
        let value = Keep::Register(format!("{prefix}.system")).load(context, &shapes);
        Keep::Column(prefix).store(context, &value, &shapes);
    }
}
