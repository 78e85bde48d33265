//! Graphs that are edited while they run.

use std::num::NonZeroU32;

use pyrograph::gpu::{Change, GpuError, GpuSystem, Live, default_device};
use pyrograph::{Input, InputValue, Options, ParticleState};
use pyrograph_compiler::emit::wgsl::Resource;
use pyrograph_compiler::ir;
use pyrograph_compiler::passes::Observe;
use serde_json::Value;

use super::graph::Graph;
use super::pair::{DEVICE, noise};

pub(crate) fn graph(path: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/graphs/");
    std::fs::read_to_string(format!("{folder}{path}.json")).unwrap()
}

/// The fountain with a field of its system block changed, or the value of one of its inputs.
pub(crate) fn with(field: &str, value: impl Into<Value>) -> String {
    let mut file: Value = serde_json::from_str(&graph("canonical/fountain")).unwrap();
    let blocks = file["blocks"].as_array_mut().unwrap();
    let system = blocks.iter_mut().find(|it| it["customType"] == "BABYLON.SystemBlock").unwrap();
    let inputs = system["inputs"].as_array_mut().unwrap();
    match inputs.iter_mut().find(|input| input["name"] == field) {
        Some(input) => input["value"] = value.into(),
        None => system[field] = value.into(),
    }
    file.to_string()
}

fn ids(system: &mut GpuSystem) -> Vec<f64> {
    let snapshot = system.read_back().unwrap();
    let living = (0..snapshot.slots()).filter(|&slot| snapshot.is_alive(slot));
    living.filter_map(|slot| snapshot.value(slot, pyrograph::Field::Id)).collect()
}

/// The fountain after 120 steps.
fn running() -> Live {
    let (device, queue) = &*DEVICE;
    let mut live = Live::new(device, queue, &graph("canonical/fountain"), 3).unwrap();
    for _ in 0..120 {
        live.systems_mut()[0].record(1.0).unwrap();
    }
    live
}

#[test]
fn particles_live_on_with_their_ids() {
    let mut live = running();
    let before = live.systems_mut()[0].read_back().unwrap();
    let (old_ids, time) = (ids(&mut live.systems_mut()[0]), live.systems()[0].time());
    assert!(before.alive() > 40, "{}", before.alive());
    // Another rate changes no column: nothing but the numbers of the graph is new.
    live.edit(&with("emitRate", 0)).unwrap();
    let Change { edit, result } = live.wait().unwrap();
    let carried = result.unwrap();
    assert_eq!((edit, carried[0].particles, carried[0].dropped), (1, before.alive(), 0));
    let system = &mut live.systems_mut()[0];
    assert_eq!(ids(system), old_ids);
    assert_eq!(system.draw_order().unwrap().len(), old_ids.len());
    assert_eq!(system.time(), time);
    let after = system.read_back().unwrap();
    for (column, _) in after.program().columns.iter() {
        for slot in 0..after.slots() {
            assert_eq!(after.get(slot, column), before.get(slot, column));
        }
    }
    // They age and die as they would have, and ids go on where they were.
    let next_id = after.counters().next_id;
    system.animate(1.0).unwrap();
    assert!(ids(system).iter().all(|id| old_ids.contains(id)));
    live.edit(&graph("canonical/fountain")).unwrap();
    live.wait().unwrap().result.unwrap();
    let system = &mut live.systems_mut()[0];
    for _ in 0..20 {
        system.animate(1.0).unwrap();
    }
    let new = ids(system).into_iter().filter(|&id| id >= f64::from(next_id));
    assert_eq!(new.reduce(f64::min), Some(f64::from(next_id)));
}

/// Every particle, as the host would read it.
fn state(system: &mut GpuSystem) -> (u32, Vec<Option<f64>>) {
    let read = system.read_back().unwrap();
    let columns: Vec<_> = read.program().columns.iter().map(|(column, _)| column).collect();
    let slots =
        (0..read.slots()).flat_map(|slot| columns.iter().map(move |&column| (slot, column)));
    (
        read.alive(),
        slots.map(|(slot, column)| read.get(slot, column).map(|it| it.to_f64())).collect(),
    )
}

#[test]
fn a_restart_is_a_new_beginning_of_the_newest_good_program() {
    let (device, queue) = &*DEVICE;
    let edited = with("emitRate", 300);
    let mut live = running();
    live.edit(&edited).unwrap();
    live.wait().unwrap().result.unwrap();
    live.systems_mut()[0].set_emit_rate(1.0);
    live.restart(8).unwrap();
    let mut fresh = Live::new(device, queue, &edited, 8).unwrap();
    assert_eq!((live.systems()[0].time(), live.systems()[0].emit_rate()), (0.0, 300.0));
    for live in [&mut live, &mut fresh] {
        for _ in 0..30 {
            live.systems_mut()[0].record(1.0).unwrap();
        }
    }
    let [restarted, begun] = [&mut live, &mut fresh].map(|live| state(&mut live.systems_mut()[0]));
    assert!(restarted.0 > 100, "{}", restarted.0);
    assert_eq!(restarted, begun);
}

#[test]
fn a_smaller_capacity_keeps_those_that_fit() {
    let mut live = running();
    let old = ids(&mut live.systems_mut()[0]);
    live.edit(&with("capacity", 33)).unwrap();
    let carried = live.wait().unwrap().result.unwrap();
    let dropped = old.len() as u32 - 33;
    assert_eq!((carried[0].particles, carried[0].dropped), (33, dropped));
    assert_eq!(ids(&mut live.systems_mut()[0]), old[..33]);
    // And a larger one keeps all.
    live.edit(&with("capacity", 5000)).unwrap();
    let carried = live.wait().unwrap().result.unwrap();
    assert_eq!((carried[0].particles, carried[0].dropped), (33, 0));
    assert_eq!(ids(&mut live.systems_mut()[0]), old[..33]);
}

#[test]
fn errors_leave_the_last_good_program() {
    let mut live = running();
    let source = live.systems()[0].source().to_owned();
    let errors = live.edit("{\"blocks\":").unwrap_err();
    assert!(errors.has_errors());
    assert_eq!(live.wait(), None);
    // The graph is sound, but no device has so much memory: only the device's limits refuse it.
    live.edit(&with("capacity", 4_000_000_000_u32)).unwrap();
    let change = live.wait().unwrap();
    assert_eq!(change.edit, 2);
    let error = change.result.unwrap_err();
    assert!(error.to_string().contains("lower the capacity"), "{error}");
    assert_eq!(live.systems()[0].source(), source);
    live.systems_mut()[0].animate(1.0).unwrap();
    assert!(!ids(&mut live.systems_mut()[0]).is_empty());
    assert_eq!((live.edits(), live.reached()), (2, 0));
}

/// Columns are what decides: a particle without one that the new program keeps would have no value.
#[test]
fn particles_without_all_columns_do_not_live_on() {
    let text = |angle: &str| {
        let mut graph = Graph::flow(5);
        graph.create("size=1");
        graph.block("UpdateAngleBlock", 5, "", &format!("particle<2.output angle<{angle}.output"));
        graph.contextual(6, 3);
        graph.block("ParticleLocalVariableBlock", 7, r#""scope":0"#, "input<6.output");
        String::from_utf8(graph.bytes()).unwrap()
    };
    let (device, queue) = &*DEVICE;
    let mut live = Live::new(device, queue, &text("6"), 0).unwrap();
    for _ in 0..10 {
        live.systems_mut()[0].animate(1.0).unwrap();
    }
    live.edit(&text("7")).unwrap();
    let carried = live.wait().unwrap().result.unwrap();
    assert_eq!((carried[0].particles, carried[0].dropped), (0, 10));
    assert!(!carried[0].missing.is_empty(), "{carried:?}");
    // No id is given twice.
    live.systems_mut()[0].animate(1.0).unwrap();
    assert_eq!(ids(&mut live.systems_mut()[0]), [10.0]);
    // The way back needs no column that is not there.
    live.edit(&text("6")).unwrap();
    let carried = live.wait().unwrap().result.unwrap();
    assert_eq!((carried[0].particles, carried[0].missing.len()), (1, 0));
}

#[test]
fn systems_come_and_go_with_edits() {
    let text = |systems: usize| {
        let mut graph = Graph::flow(2);
        graph.create("size=1");
        for id in 0..systems - 1 {
            graph.block(
                "SystemBlock",
                10 + 2 * id,
                "",
                &format!("particle<{}.output", 11 + 2 * id),
            );
            graph.block("CreateParticleBlock", 11 + 2 * id, "", "");
        }
        String::from_utf8(graph.bytes()).unwrap()
    };
    let (device, queue) = &*DEVICE;
    let mut live = Live::new(device, queue, &text(2), 0).unwrap();
    for systems in [1, 3] {
        for system in live.systems_mut() {
            system.animate(1.0).unwrap();
        }
        live.edit(&text(systems)).unwrap();
        assert_eq!(live.wait().unwrap().result.unwrap().len(), systems);
        assert_eq!(live.systems().len(), systems);
        assert!(live.systems().iter().all(GpuSystem::is_started));
    }
    assert_eq!(ids(&mut live.systems_mut()[0]), [0.0, 1.0]);
}

#[test]
fn pictures_of_the_same_address_stay() {
    let (device, queue) = &*DEVICE;
    let text = graph("update/flow_map");
    let mut live = Live::new(device, queue, &text, 0).unwrap();
    let size = |live: &Live| live.systems()[0].buffer(Resource::Texels).map(wgpu::Buffer::size);
    live.systems_mut()[0].set_texture(0, noise(16, 8)).unwrap();
    let before = size(&live);
    assert!(before >= Some(16 * 8 * 4), "{before:?}");
    live.edit(&text).unwrap();
    live.wait().unwrap().result.unwrap();
    assert_eq!(size(&live), before);
}

#[test]
fn edits_go_on_after_a_device_is_lost() {
    let (first, first_queue) = default_device().unwrap();
    let mut live = Live::new(&first, &first_queue, &graph("canonical/fountain"), 3).unwrap();
    live.systems_mut()[0].keep_checkpoints(NonZeroU32::MIN).unwrap();
    for _ in 0..60 {
        live.systems_mut()[0].animate(1.0).unwrap();
    }
    let before = ids(&mut live.systems_mut()[0]);
    first.destroy();
    live.edit(&with("capacity", 300)).unwrap();
    let error = live.wait().unwrap().result.unwrap_err();
    assert!(matches!(error, GpuError::Lost { .. }), "{error}");
    let (device, queue) = &*DEVICE;
    live.rebuild(device, queue).unwrap();
    live.edit(&with("capacity", 300)).unwrap();
    live.wait().unwrap().result.unwrap();
    assert_eq!(ids(&mut live.systems_mut()[0]), before);
    // Checkpoints are kept on. An edit for the device before, compiled or not, is no longer wanted.
    live.edit(&with("capacity", 200)).unwrap();
    live.rebuild(device, queue).unwrap();
    assert_eq!(live.wait(), None);
    assert_eq!(ids(&mut live.systems_mut()[0]), before);
    live.edit(&with("capacity", 250)).unwrap();
    live.wait().unwrap().result.unwrap();
    assert_eq!(ids(&mut live.systems_mut()[0]), before);
}

/// Previews want no columns that nothing reads.
#[test]
fn options_hold_for_the_graph_and_its_edits() {
    let (device, queue) = &*DEVICE;
    let text = graph("change/color");
    // The profile is not for them to say.
    let options = Options { observe: Observe::Render, ..Options::new(ir::Profile::Exact) };
    let mut live = Live::with_options(device, queue, &text, 3, options).unwrap();
    let columns = |live: &Live| {
        let records = &live.systems()[0].manifest().layout.records;
        records.iter().map(|record| record.columns.len()).sum::<usize>()
    };
    let (few, all) = (columns(&live), columns(&Live::new(device, queue, &text, 3).unwrap()));
    assert!(0 < few && few < all, "{few} of {all}");
    live.edit(&text).unwrap();
    live.wait().unwrap().result.unwrap();
    assert_eq!(columns(&live), few);
}

/// What the host has set stays, what the graph says comes with the graph.
#[test]
fn inputs_that_the_host_has_changed_stay() {
    let (device, queue) = &*DEVICE;
    let fountain = graph("canonical/fountain");
    let inputs = ["Gravity", "Max Lifetime"].map(str::to_owned).to_vec();
    let options = Options { inputs, ..Options::new(ir::Profile::Parallel) };
    let mut live = Live::with_options(device, queue, &fountain, 3, options).unwrap();
    let system = &mut live.systems_mut()[0];
    system.apply(&Input::set("gravity", [1.0, 2.0, 3.0])).unwrap();
    system.animate(1.0).unwrap();
    let value = |value: f64| fountain.replace("\"value\":0.8}", &format!("\"value\":{value}}}"));
    assert_ne!(value(2.5), fountain);
    let other = value(2.5).replace("-1.9", "-5");
    live.edit(&other).unwrap();
    live.wait().unwrap().result.unwrap();
    let system = &mut live.systems_mut()[0];
    assert_eq!(system.input_value("gravity"), Ok(InputValue::Vector3([1.0, 2.0, 3.0])));
    assert_eq!(system.input_value("max_lifetime"), Ok(InputValue::Number(2.5)));
    // Without a constant of the name there is nothing to keep open.
    let errors = live.edit(&fountain.replace("\"Gravity\"", "\"Pull\"")).unwrap_err();
    assert!(errors.to_string().contains("no constant of the graph is named \"Gravity\""));
    live.systems_mut()[0].animate(1.0).unwrap();
}
