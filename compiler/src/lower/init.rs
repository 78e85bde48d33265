//! The `init` body: inputs that the contract evaluates once, while it builds (spec sections 9.1 and
//! 9.25), in the order in which it builds their blocks.

use super::plan::Plan;
use super::state::State;
use super::{Context, Error};
use crate::graph::kind::Kind;
use crate::graph::{BlockIndex, Graph};
use crate::ir::{Body, BodyKind, Const, Handle, Register};

/// Lowers the target stop duration and the strengths of noise. Constants need no body: the stop
/// duration is then in the first result, the strengths in the state.
pub(crate) fn body(graph: &Graph, plan: &Plan, state: &mut State) -> (f64, Option<Body>) {
    let mut context = Context::new(graph, plan, state, BodyKind::Init);
    let mut keeps = false;
    for &index in &plan.updates {
        if matches!(context.block(index).kind, Kind::UpdateNoise) {
            match context.at_block(index, |context| strength(context, index)) {
                Ok(kept) => keeps |= kept,
                Err(error) => context.state.errors.push(error),
            }
        }
    }
    if !matches!(graph.block(plan.root).kind, Kind::System(_)) {
        // Such a root has the contract's default, whatever inputs it has.
        let never = context.body.float(0.0);
        return (0.0, keeps.then(|| context.finish(vec![never])));
    }
    let stop = context
        .at_block(plan.root, |context| context.input(plan.root, "targetStopDuration", &[0.0]));
    let stop = match stop {
        Ok(stop) => context.number_or(&stop, 0.0),
        Err(error) => {
            context.state.errors.push(error);
            return (0.0, None);
        }
    };
    match context.as_number(stop) {
        Some(stop) if !keeps => (stop, None),
        _ => (0.0, Some(context.finish(vec![stop]))),
    }
}

/// Evaluates the strength of a noise block; true where registers keep it.
fn strength(context: &mut Context<'_>, index: BlockIndex) -> Result<bool, Error> {
    let strength = context.input(index, "strength", &[100.0; 3])?;
    let strength = context.vector3(&strength);
    if let [Some(x), Some(y), Some(z)] = strength.map(|value| context.as_number(value)) {
        context.state.strengths.insert(index, [x, y, z]);
        return Ok(false);
    }
    for (register, value) in strength_registers(context.state, index).into_iter().zip(strength) {
        context.store_register(register, value);
    }
    Ok(true)
}

/// Where the strength of a noise block is kept that is no constant.
pub(crate) fn strength_registers(state: &mut State, index: BlockIndex) -> [Handle<Register>; 3] {
    let prefix = format!("noise.{}.strength", state.ordinal(index));
    ["x", "y", "z"].map(|axis| state.register(format!("{prefix}.{axis}"), Const::Float(0.0)))
}
