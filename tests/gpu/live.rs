//! Graphs that are edited while they run.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use pyrograph::gpu::{Change, GpuError, GpuSystem, Live, default_device};
use pyrograph::{ParticleState, Pcg, Random};
use pyrograph_compiler::emit::wgsl::Resource;
use pyrograph_compiler::ir::Profile;
use pyrograph_compiler::{Options, compile};
use serde_json::Value;

use super::graph::Graph;
use super::pair::{DEVICE, allocated, noise};

fn graph(path: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/graphs/");
    std::fs::read_to_string(format!("{folder}{path}.json")).unwrap()
}

/// The fountain with a field of its system block changed, or the value of one of its inputs.
fn with(field: &str, value: impl Into<Value>) -> String {
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
    // Checkpoints are kept on.
    live.rebuild(device, queue).unwrap();
    assert_eq!(ids(&mut live.systems_mut()[0]), before);
}

/// What somebody might do to a graph: change numbers, break it, exchange it for another.
fn edited(random: &mut Pcg, graphs: &[String]) -> String {
    let mut pick = |end: usize| (random.next() * end as f64) as usize;
    match pick(8) {
        0 | 1 => with("emitRate", pick(300)),
        2 => with("capacity", 1 + pick(3000)),
        3 => {
            let text = &graphs[pick(graphs.len())];
            text.chars().take(pick(text.len())).collect()
        }
        4 => {
            let text = &graphs[pick(graphs.len())];
            text.replacen("targetBlockId\":", "targetBlockId\":9", 1 + pick(4))
        }
        5 => graphs[0].replace("BABYLON.UpdatePositionBlock", "BABYLON.UpdatePositionBlok"),
        _ => graphs[pick(graphs.len())].clone(),
    }
}

/// `PYROGRAPH_EDIT_SECONDS` sets how long it goes on; 2 unless set.
#[test]
fn two_hundred_edits_a_second() {
    const RATE: u32 = 200;
    let seconds = std::env::var("PYROGRAPH_EDIT_SECONDS").map_or(2, |it| it.parse().unwrap());
    let paths = ["canonical/fountain", "canonical/attractor", "scenes/scene262"];
    let graphs = paths.map(graph);
    let mut random = Pcg::seed_from_u64(1);
    let edits: Vec<String> = (0..RATE * seconds).map(|_| edited(&mut random, &graphs)).collect();
    let options = Options::new(Profile::Parallel);
    let (device, queue) = default_device().unwrap();
    queue.submit([]);
    let before = allocated(&device, &queue);
    let mut live = Live::new(&device, &queue, &graphs[0], 3).unwrap();
    let mut good = graphs[0].clone();
    let (mut refused, mut refused_by_gpu, mut frames, mut late) = (0, 0, 0, 0);
    let start = Instant::now();
    let (mut slowest, mut answering) = (Duration::ZERO, Duration::ZERO);
    for (text, edit) in edits.into_iter().zip(0..) {
        let began = Instant::now();
        match live.edit(&text) {
            Ok(warnings) => {
                assert!(!warnings.has_errors());
                good = text;
            }
            Err(errors) => {
                assert!(errors.has_errors() && !errors.to_string().is_empty());
                refused += 1;
            }
        }
        slowest = slowest.max(began.elapsed());
        answering += began.elapsed();
        // A frame after every third edit: 67 a second.
        if edit % 3 == 0 {
            if let Some(change) = live.poll()
                && change.result.is_err()
            {
                refused_by_gpu += 1;
            }
            for system in live.systems_mut() {
                let time = system.time();
                system.animate(1.0).unwrap();
                assert!(system.time() > time || !system.is_started());
            }
            frames += 1;
        }
        let due = start + Duration::from_secs(1) * (edit + 1) / RATE;
        match due.checked_duration_since(Instant::now()) {
            Some(left) => std::thread::sleep(left),
            None => late += 1,
        }
    }
    let took = start.elapsed();
    let change = live.wait();
    if let Some(change) = change {
        assert!(change.result.is_ok() || !live.systems().is_empty());
    }
    println!(
        "{} edits in {:.2} s, {refused} refused with diagnostics, {} reached the GPU, \
         {refused_by_gpu} refused there; {frames} frames; an answer took {:.1} ms on average and {:.1} ms at most, {late} edits were late",
        live.edits(),
        took.as_secs_f64(),
        live.reached(),
        answering.as_secs_f64() * 1e3 / live.edits() as f64,
        slowest.as_secs_f64() * 1e3,
    );
    // The newest good edit runs, and it is what its text says.
    let module = compile(good.as_bytes(), &options).unwrap().module;
    assert_eq!(live.systems().len(), module.programs.len());
    for (system, program) in live.systems_mut().iter_mut().zip(&module.programs) {
        assert_eq!(system.program().module().programs[system.program().index()], *program);
        system.animate(1.0).unwrap();
        system.counters().unwrap();
    }
    assert!(live.reached() > 1 && refused > 0);
    drop(live);
    assert_eq!(allocated(&device, &queue), before);
}
