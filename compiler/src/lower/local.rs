//! ParticleLocalVariableBlock (spec sections 9.31.6 and 9.31.7): the first value of a particle, or of
//! a started call, is what every reading gives.

use super::context::Shapes;
use super::keep::{Keep, staleness};
use super::state::Prepared;
use super::value::Value;
use super::{Context, Error, prepare};
use crate::graph::kind::{Kind, Scope};
use crate::graph::{BlockIndex, js};
use crate::ir::{BinaryOp, BodyKind, Const, Profile, Storage, UniformSource};

/// `output`, which is kept apart from what the input becomes later.
pub(crate) fn local_variable(
    context: &mut Context<'_>,
    index: BlockIndex,
    scope: Scope,
) -> Result<Value, Error> {
    match (scope, context.profile()) {
        (Scope::Particle, _) => context.apart(|context| of_particle(context, index)),
        (Scope::Loop, Profile::Exact) => context.apart(|context| of_call(context, index)),
        (Scope::Loop, Profile::Parallel) if context.kind == BodyKind::Prepare => {
            context.apart(|context| prepared_input(context, index))
        }
        (Scope::Loop, Profile::Parallel) => prepare::prepared(context, Prepared::Value(index)),
    }
}

/// Whether a block keeps its value for a call.
pub(crate) fn is_loop(context: &Context<'_>, index: BlockIndex) -> bool {
    matches!(context.block(index).kind, Kind::LocalVariable(Scope::Loop))
}

/// One value a particle. A birth clears the flag, which is what the contract's comparison of ids
/// comes to.
fn of_particle(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let prefix = prefix(context, index);
    let valid = context.state.column(format!("{prefix}.valid"), Storage::U8);
    let is_new = context.is_first_read(index) && context.kind == BodyKind::Birth;
    let stale = staleness(context, valid, is_new);
    let accept = |context: &mut Context<'_>| accepted(context, index);
    let (value, _) = Keep::Column(prefix).refresh(context, stale, accept, |context| {
        let one = context.body.uint(1);
        context.store(valid, one);
    })?;
    Ok(value)
}

/// One value a started call, whoever reads it first.
fn of_call(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let prefix = prefix(context, index);
    let epoch = context.state.register(format!("{prefix}.epoch"), Const::Uint(0));
    // Calls are counted from 1 here: 0 is no call.
    let step = context.uniform(UniformSource::Step);
    let one = context.body.uint(1);
    let call = context.body.binary(BinaryOp::IAdd, step, one);
    let last = context.load_register(epoch);
    let known = context.body.binary(BinaryOp::IEq, last, call);
    let stale = context.not(known);
    let accept = |context: &mut Context<'_>| accepted(context, index);
    let (value, _) = Keep::Register(prefix).refresh(context, Some(stale), accept, |context| {
        context.store_register(epoch, call);
    })?;
    Ok(value)
}

/// Parallel takes the value once, at the start of the call.
fn prepared_input(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    if context.block(index).domains.particle && context.reads_particle(index, &["input"]) {
        let why = "a value of the whole call would be that of whichever particle comes first";
        return Err(context.no_parallel_form(why));
    }
    accepted(context, index)
}

/// The input, which must keep the shape that the block has accepted first.
fn accepted(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let value = context.required(index, "input")?;
    let shapes: Shapes = value.shapes();
    if shapes.len() == 1 {
        return Ok(value);
    }
    if context.is_parallel_particle() {
        let why = "its value has more than one shape, and the first one to come decides";
        return Err(context.no_parallel_form(why));
    }
    let register =
        context.state.register(format!("{}.accepted", prefix(context, index)), Const::Uint(0));
    let tag = context.tag(&value);
    let before = context.load_register(register);
    let none = context.body.uint(0);
    let is_first = context.body.binary(BinaryOp::IEq, before, none);
    let is_same = context.body.binary(BinaryOp::IEq, before, tag);
    let fits = context.body.binary(BinaryOp::Or, is_first, is_same);
    let differs = context.not(fits);
    let id = js::number_to_string(context.block(index).id);
    context.only_if(differs, |context| {
        context
            .body
            .fail(format!("NodeParticle: ParticleLocalVariableBlock {id} changed value type"));
        Ok(())
    })?;
    context.store_register(register, tag);
    Ok(value)
}

fn prefix(context: &Context<'_>, index: BlockIndex) -> String {
    format!("local.{}", context.state.ordinal(index))
}
