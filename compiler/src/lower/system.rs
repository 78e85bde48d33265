//! One root becomes one program: its bodies and what the driver must know (spec sections 5, 9.1).

use super::context::Born;
use super::plan::Plan;
use super::state::State;
use super::{Context, Error, create, update};
use crate::graph::kind::{Kind, System};
use crate::graph::{BlockIndex, Graph, InputSource, Literal};
use crate::ir::{Body, BodyKind, Const, Emission, Expr, Profile, Program, RenderSpec};

/// Lowers the system of one root.
pub(crate) fn program(graph: &Graph, root: BlockIndex, profile: Profile) -> Result<Program, Error> {
    let block = graph.block(root);
    let Kind::System(system) = &block.kind else {
        return Err(Error::unsupported(root, block));
    };
    let plan = Plan::of(graph, root);
    let mut state = State::new(profile, plan.order.clone());
    let mut born = Born::new();
    // Births first: what every birth has drawn, updates only load.
    let birth = create::body(graph, &mut state, &mut born, &plan)?;
    let update = update::body(graph, &mut state, &mut born, root, &plan)?;
    let emit_rate = emit_rate(graph, &mut state, &mut born, root)?;
    let (target_stop, init) = target_stop(graph, &mut state, &mut born, root)?;
    let birth = create::finish(&mut state, birth);
    let State { columns, registers, uniforms, tables, textures, sites, functions, origins, .. } =
        state;
    Ok(Program {
        name: block.name.clone(),
        profile,
        capacity: capacity(system),
        emission: Emission {
            rate: constant_rate(graph, root),
            update_speed: system.update_speed,
            target_stop,
            manual_emit_count: system.manual_emit_count,
            start_delay: system.start_delay,
            pre_warm_cycles: system.pre_warm_cycles,
            pre_warm_step_offset: system.pre_warm_step_offset,
        },
        render: RenderSpec {
            blend_mode: system.blend_mode,
            billboard_mode: system.billboard_mode,
            is_billboard_based: system.is_billboard_based,
        },
        columns,
        registers,
        uniforms,
        tables,
        textures,
        sites,
        functions,
        origins,
        init,
        prepare: None,
        emit_rate,
        birth,
        update,
    })
}

/// Slots as typed arrays count them: truncated; what no array can have is none.
fn capacity(system: &System) -> u32 {
    let truncated = system.capacity.trunc();
    if truncated >= 1.0 { truncated.min(f64::from(u32::MAX)) as u32 } else { 0 }
}

/// The rate of an unconnected input: its literal, or 10.
fn constant_rate(graph: &Graph, root: BlockIndex) -> f64 {
    match graph.block(root).input("emitRate").map(|input| &input.source) {
        Some(InputSource::Literal(Literal::Number(rate))) => *rate,
        _ => 10.0,
    }
}

/// The body that evaluates a connected rate at each call; its result is NaN-tagged by nothing: a
/// rate that is no number leaves the constant one, which the body then yields itself.
fn emit_rate(
    graph: &Graph,
    state: &mut State,
    born: &mut Born,
    root: BlockIndex,
) -> Result<Option<Body>, Error> {
    if !graph.block(root).is_connected("emitRate") {
        return Ok(None);
    }
    let mut context = Context::new(graph, state, born, BodyKind::EmitRate);
    let rate = context.at_block(root, |context| context.input(root, "emitRate", &[10.0]))?;
    let fallback = context.body.float(constant_rate(graph, root));
    let rate = context.pick(&rate, fallback, |variant| match variant.components.as_slice() {
        [number] => Some(*number),
        _ => None,
    });
    Ok(Some(context.body.finish(vec![rate])))
}

/// The stop duration: a constant where it is one, otherwise a body that runs once.
fn target_stop(
    graph: &Graph,
    state: &mut State,
    born: &mut Born,
    root: BlockIndex,
) -> Result<(f64, Option<Body>), Error> {
    let mut context = Context::new(graph, state, born, BodyKind::Init);
    let stop =
        context.at_block(root, |context| context.input(root, "targetStopDuration", &[0.0]))?;
    let zero = context.body.float(0.0);
    let stop = context.pick(&stop, zero, |variant| match variant.components.as_slice() {
        [number] => Some(*number),
        _ => None,
    });
    let body = context.body.finish(vec![stop]);
    match body.values[stop].expr {
        Expr::Const(Const::Float(stop)) => Ok((stop, None)),
        _ => Ok((0.0, Some(body))),
    }
}
