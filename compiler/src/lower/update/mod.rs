//! The update body: age, the death clamp, the update blocks in order, death (spec section 5.5).

mod assign;
mod attractor;

use super::context::Born;
use super::plan::Plan;
use super::state::State;
use super::{Context, Error};
use crate::graph::kind::Kind;
use crate::graph::{BlockIndex, Graph};
use crate::ir::{BinaryOp, Body, BodyKind, Const, Field, Profile, UniformSource};

/// Lowers the update body of a root.
pub(crate) fn body(
    graph: &Graph,
    state: &mut State,
    born: &mut Born,
    root: BlockIndex,
    plan: &Plan,
) -> Result<Body, Error> {
    let mut context = Context::new(graph, state, born, BodyKind::Update);
    context.at_block(root, advance);
    for &index in &plan.updates {
        context.at_block(index, |context| step(context, index))?;
    }
    context.at_block(root, |context| {
        let age = context.load_field(Field::Age);
        let life_time = context.load_field(Field::LifeTime);
        let over = context.body.binary(BinaryOp::Le, life_time, age);
        context.body.kill(over);
    });
    Ok(context.body.finish(Vec::new()))
}

/// Advances the age by the call's step, or to the lifetime where that is less; the particle's step
/// is shortened in proportion.
fn advance(context: &mut Context<'_>) {
    let delta = context.uniform(UniformSource::Delta);
    let before = context.load_field(Field::Age);
    let life_time = context.load_field(Field::LifeTime);
    let age = context.body.add(before, delta);
    // The contract computes with the stored age, which in f64 and f32 alike is the sum itself.
    let over = context.body.binary(BinaryOp::Lt, life_time, age);
    let passed = context.body.sub(age, before);
    let remaining = context.body.sub(life_time, before);
    let shortened = context.body.mul(remaining, delta);
    let shortened = context.body.div(shortened, passed);
    let step = context.body.select(over, shortened, delta);
    let age = context.body.select(over, life_time, age);
    context.store_field(Field::Age, age);
    context.step = Some(step);
    if context.profile() == Profile::Exact {
        let register = context.state.register("scaledStep".into(), Const::Float(0.0));
        context.store_register(register, step);
    }
}

/// One update block.
fn step(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    match &context.block(index).kind {
        Kind::UpdatePosition => assign::position(context, index),
        Kind::UpdateDirection => assign::direction(context, index),
        Kind::UpdateColor => assign::color(context, index),
        Kind::UpdateAngle => assign::angle(context, index),
        Kind::UpdateSize => assign::size(context, index),
        Kind::UpdateAttractor => attractor::attract(context, index),
        _ => Err(Error::unsupported(index, context.block(index))),
    }
}
