//! The update body: age, the death clamp, the update blocks in order, death (spec section 5.5).

mod assign;
mod attractor;
mod basic;
mod flow_map;
mod noise;

use super::plan::Plan;
use super::source::SCALED_STEP;
use super::state::State;
use super::{Context, Error, sprite};
use crate::graph::kind::Kind;
use crate::graph::{BlockIndex, Graph, InputSource};
use crate::ir::{BinaryOp, Body, BodyKind, Field, Handle, Texture, UniformSource};

/// Lowers the update body of a root. Errors are left in the state.
pub(crate) fn body(graph: &Graph, plan: &Plan, state: &mut State) -> Body {
    let mut context = Context::new(graph, plan, state, BodyKind::Update);
    context.at_block(plan.root, advance);
    for &index in &plan.updates {
        if let Err(error) = context.at_block(index, |context| step(context, index)) {
            context.state.errors.push(error);
        }
    }
    context.at_block(plan.root, |context| {
        let age = context.load_field(Field::Age);
        let life_time = context.load_field(Field::LifeTime);
        let over = context.body.binary(BinaryOp::Le, life_time, age);
        context.body.kill(over);
    });
    context.finish(Vec::new())
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
    // Births and system bodies read what the last particle leaves; they have been lowered before.
    if let Some(register) = context.state.known_register(SCALED_STEP) {
        context.store_register(register, step);
    }
}

/// One update block.
fn step(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    context.check_size(index)?;
    match &context.block(index).kind {
        Kind::UpdatePosition => assign::position(context, index),
        Kind::UpdateDirection => assign::direction(context, index),
        Kind::UpdateColor => assign::color(context, index),
        Kind::UpdateAngle => assign::angle(context, index),
        Kind::UpdateSize => assign::size(context, index),
        Kind::UpdateAge => assign::age(context, index),
        Kind::UpdateScale => assign::scale(context, index),
        Kind::UpdateSpriteCellIndex => sprite::assign(context, index),
        Kind::BasicSpriteUpdate => sprite::update(context, index),
        Kind::BasicPositionUpdate => {
            basic::position(context);
            Ok(())
        }
        Kind::BasicColorUpdate => {
            basic::color(context);
            Ok(())
        }
        Kind::AlignAngle { alignment } => basic::align_angle(context, *alignment),
        Kind::UpdateAttractor => attractor::attract(context, index),
        Kind::UpdateFlowMap => flow_map::flow(context, index),
        Kind::UpdateNoise => noise::noise(context, index),
        _ => Err(Error::unsupported(index, context.block(index))),
    }
}

/// The picture behind an input; `None` where there is none.
fn texture(context: &mut Context<'_>, index: BlockIndex, name: &str) -> Option<Handle<Texture>> {
    let Some(InputSource::Wire(from, _)) =
        context.block(index).input(name).map(|input| &input.source)
    else {
        return None;
    };
    match &context.block(*from).kind {
        Kind::TextureSource(source) => Some(context.state.texture(*from, source)),
        _ => None,
    }
}
