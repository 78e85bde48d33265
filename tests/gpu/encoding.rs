//! What a step costs the host, and steps in the encoders of others.

use pyrograph::gpu::recording::{Command, RING, Recording};
use pyrograph::gpu::{GpuProgram, default_device};
use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::emit::wgsl;

use super::pair::{Agree, DEVICE, Pair, allocated, assert_same, module};
use super::texts::fountain;

/// The uploads of a recording, and the places that dispatches read.
fn traffic(recording: &Recording) -> (Vec<(u32, u32)>, Vec<u32>) {
    let mut uploads = Vec::new();
    let mut places = Vec::new();
    for command in recording.commands() {
        match command {
            Command::Upload { steps } => uploads.push((steps.start, steps.end)),
            Command::Dispatch { place, .. } => places.push(*place),
            Command::Clear { .. } | Command::Checkpoint { .. } => {}
        }
    }
    places.dedup();
    (uploads, places)
}

#[test]
fn recordings_need_no_adapter() {
    let manifest = wgsl::emit(&module(&fountain(1000, 1.0)), 0, &Limits::default());
    let manifest = manifest.unwrap().manifest;
    let mut recording = Recording::default();
    assert!(recording.is_empty());
    for step in 0..2 * RING + 1 {
        if step == 3 {
            recording.clear_particles(&manifest);
        }
        recording.step(&manifest, &[step as u8; 32]);
    }
    let (uploads, places) = traffic(&recording);
    // A block is never overwritten by the upload that its own kernels wait for.
    assert_eq!(uploads, [(0, RING), (RING, 2 * RING), (2 * RING, 2 * RING + 1)]);
    assert_eq!(places, (0..RING).chain(0..RING).chain([0]).collect::<Vec<_>>());
    assert_eq!(recording.blocks().len() as u32, 32 * recording.steps());
    let kernels = manifest.step.len();
    let clears = recording.commands().iter().position(|c| matches!(c, Command::Clear { .. }));
    assert_eq!(clears, Some(1 + 3 * kernels));
    recording.reset();
    assert_eq!(recording, Recording::default());
}

#[test]
fn a_steady_frame_is_one_small_upload_at_any_size() {
    let (device, queue) = default_device().unwrap();
    for capacity in [64, 100_000] {
        let module = module(&fountain(capacity, f64::from(capacity)));
        let program = GpuProgram::new(&device, &queue, &module, 0).unwrap();
        let mut system = program.instance(1).unwrap();
        system.start();
        for _ in 0..20 {
            system.animate(1.0).unwrap();
        }
        let before = allocated(&device, &queue);
        for _ in 0..20 {
            system.record(1.0).unwrap();
            let recording = system.recording();
            let kernels = program.manifest().step.len();
            let [Command::Upload { steps }, rest @ ..] = recording.commands() else {
                panic!("{recording:?}");
            };
            assert_eq!((steps.clone(), rest.len()), (0..1, kernels));
            assert!(rest.iter().all(|command| matches!(command, Command::Dispatch { .. })));
            assert!(recording.blocks().len() <= 256, "{} bytes", recording.blocks().len());
            system.submit().unwrap();
            // Nothing that a frame allocates outlives it.
            assert_eq!(allocated(&device, &queue), before);
        }
        assert!(system.counters().unwrap().alive > 0);
    }
}

#[test]
fn one_submission_takes_many_steps_of_many_systems() {
    let (device, queue) = &*DEVICE;
    let text = fountain(200, 300.0);
    let mut pair = Pair::new(&text, 9);
    let mut other = Pair::new(&fountain(70, 90.0), 4);
    let mut encoder = device.create_command_encoder(&Default::default());
    for step in 0..3 * RING {
        pair.step(1.0);
        other.step(0.5);
        // More steps than the ring holds, in one piece and in several.
        if step % 90 == 89 {
            other.gpu.encode(&mut encoder).unwrap();
            other.gpu.clear();
            other.cpu.clear();
        }
    }
    pair.gpu.encode(&mut encoder).unwrap();
    other.gpu.encode(&mut encoder).unwrap();
    assert!(pair.gpu.recording().is_empty());
    queue.submit([encoder.finish()]);
    pair.compare(Agree::BitsBut(&["speed"]));
    other.compare(Agree::BitsBut(&["speed"]));
}

#[test]
fn the_short_form_is_a_program_with_one_instance() {
    let (device, queue) = &*DEVICE;
    let graph = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/graphs/canonical/fountain.json"
    ));
    let graph = graph.unwrap();
    let mut short = pyrograph::gpu::GpuSystem::from_graph(device, queue, &graph).unwrap();
    let programs = GpuProgram::from_graph(device, queue, &graph).unwrap();
    let mut long = programs[0].instance(0).unwrap();
    assert_eq!(short.source(), programs[0].source());
    for system in [&mut short, &mut long] {
        system.start();
        for _ in 0..30 {
            system.record(1.0).unwrap();
        }
    }
    let (short, long) = (short.read_back().unwrap(), long.read_back().unwrap());
    assert!(short.counters().alive > 0);
    assert_same(&short, &long);
    let error = GpuProgram::from_graph(device, queue, "{").unwrap_err();
    assert!(error.to_string().contains("expected a key"), "{error}");
}
