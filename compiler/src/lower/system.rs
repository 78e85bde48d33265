//! One root becomes one program: its bodies and what the driver must know (spec sections 5, 9.1).

use super::plan::Plan;
use super::state::State;
use super::{Context, Error, clear, count, create, drawing, init, prepare, update};
use crate::emit::names::Names;
use crate::graph::kind::{Kind, Source};
use crate::graph::{BlockIndex, Graph, InputSource, Literal};
use crate::ir::{Body, BodyKind, Emission, Input, Profile, Program};

/// Lowers the system of one root.
pub(crate) fn program(
    graph: &Graph,
    root: BlockIndex,
    profile: Profile,
    code: &mut count::Code,
) -> Result<Program, Vec<Error>> {
    let plan = Plan::of(graph, root);
    count::check(graph, &plan).map_err(|error| vec![error])?;
    code.add_system(plan.order.len());
    let mut state = State::new(profile, plan.order.clone(), std::mem::take(code));
    name_inputs(graph, &mut state);
    // System bodies first: what they draw for slot 0, the first birth takes over. Births before
    // updates: what every birth has drawn, updates only load.
    let (target_stop, init) = init::body(graph, &plan, &mut state);
    let prepare = prepare::body(graph, &plan, &mut state);
    let emit_rate = emit_rate(graph, &plan, &mut state);
    let birth = create::body(graph, &plan, &mut state);
    let update = update::body(graph, &plan, &mut state);
    let render = drawing::render(graph, &plan, &mut state);
    if state.code.is_too_large() {
        state.errors.push(Error::too_many_statements(graph, root));
    }
    *code = std::mem::take(&mut state.code);
    if !state.errors.is_empty() {
        return Err(state.errors);
    }
    let State {
        columns,
        registers,
        inputs,
        uniforms,
        tables,
        textures,
        sites,
        functions,
        origins,
        ..
    } = state;
    let birth = clear::clear(&columns, birth);
    Ok(Program {
        name: graph.block(root).short_name(),
        profile,
        capacity: capacity(graph.root_fields(root).capacity),
        emission: emission(graph, root, target_stop),
        render,
        columns,
        registers,
        inputs,
        uniforms,
        tables,
        textures,
        sites,
        functions,
        origins,
        init,
        prepare,
        emit_rate,
        birth,
        update,
    })
}

/// The constants of the system that hosts may change, in file order, so that an edit elsewhere does
/// not rename them.
fn name_inputs(graph: &Graph, state: &mut State) {
    let mut open: Vec<(BlockIndex, &[f64])> = Vec::new();
    for index in graph.wires.node_indices() {
        if let Kind::Input(Source::Open(literal)) = &graph.block(index).kind
            && state.has_block(index)
        {
            open.push((index, literal.numbers()));
        }
    }
    open.sort_by_key(|&(index, _)| graph.block(index).span.start);
    let mut names = Names::default();
    for (index, numbers) in open {
        let block = graph.block(index).short_name();
        let (name, initial) = (names.unique(&block), numbers.to_vec());
        let input = state.inputs.push(Input { name, block, initial });
        state.input_blocks.insert(index, input);
    }
}

/// The driver's facts. A root that is no SystemBlock has the contract's defaults.
fn emission(graph: &Graph, root: BlockIndex, target_stop: f64) -> Emission {
    let Kind::System(system) = &graph.block(root).kind else { return Emission::default() };
    Emission {
        rate: constant_rate(graph, root),
        update_speed: system.update_speed,
        target_stop,
        manual_emit_count: system.manual_emit_count,
        start_delay: system.start_delay,
        pre_warm_cycles: system.pre_warm_cycles,
        pre_warm_step_offset: system.pre_warm_step_offset,
        do_no_start: system.do_no_start,
        dispose_on_stop: system.dispose_on_stop,
    }
}

/// Slots as typed arrays count them: truncated; what no array can have is none.
fn capacity(serialized: f64) -> u32 {
    let truncated = serialized.trunc();
    if truncated >= 1.0 { truncated.min(f64::from(u32::MAX)) as u32 } else { 0 }
}

/// The rate of an unconnected input: its literal, or 10.
fn constant_rate(graph: &Graph, root: BlockIndex) -> f64 {
    match graph.block(root).input("emitRate").map(|input| &input.source) {
        Some(InputSource::Literal(Literal::Number(rate))) => *rate,
        _ => 10.0,
    }
}

/// The body that evaluates a connected rate at each call. A rate that is no number leaves the
/// constant one, which the body then yields itself.
fn emit_rate(graph: &Graph, plan: &Plan, state: &mut State) -> Option<Body> {
    let root = plan.root;
    let is_system = matches!(graph.block(root).kind, Kind::System(_));
    if !is_system || !graph.block(root).is_connected("emitRate") {
        return None;
    }
    let mut context = Context::new(graph, plan, state, BodyKind::EmitRate);
    match context.at_block(root, |context| context.required(root, "emitRate")) {
        Ok(rate) => {
            let rate = context.number_or(&rate, constant_rate(graph, root));
            Some(context.finish(vec![rate]))
        }
        Err(error) => {
            context.state.errors.push(error);
            None
        }
    }
}
