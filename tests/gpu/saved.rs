//! GPU systems that go back to snapshots.

use std::num::NonZeroU32;

use pyrograph::gpu::{GpuError, GpuSnapshot, GpuSystem, default_device};
use pyrograph::{ParticleState, RestoreError};
use pyrograph_compiler::emit::layout::Limits;

use super::pair::{DEVICE, assert_same, module, noise};
use super::texts::{fountain, pictures};

/// What a host does before step `step`; nothing depends on what was before.
fn act(system: &mut GpuSystem, step: u32) {
    match step {
        3 => system.set_emitter_position([2.0, 0.5, -1.0]).unwrap(),
        12 => system.set_emit_rate(90.0),
        21 => system.stop(),
        24 => system.start(),
        _ => {}
    }
}

fn run(system: &mut GpuSystem, steps: std::ops::Range<u32>) {
    for step in steps {
        act(system, step);
        system.record(1.0).unwrap();
        if step % 3 != 1 {
            system.submit().unwrap();
        }
    }
}

fn system(text: &str) -> GpuSystem {
    let (device, queue) = &*DEVICE;
    let mut system = GpuSystem::new(device, queue, &module(text), 0, 5).unwrap();
    if system.textures().len() > 1 {
        system.set_texture(1, noise(6, 5)).unwrap();
    }
    system.start();
    system
}

#[test]
fn what_was_once_comes_again() {
    for text in [fountain(300, 400.0), fountain(4, 400.0), pictures()] {
        let mut system = system(&text);
        for at in [0, 1, 10, 20, 22, 30] {
            let begin = system.snapshot().unwrap();
            run(&mut system, 0..at);
            let snapshot = system.snapshot().unwrap();
            let then = system.read_back().unwrap();
            run(&mut system, at..40);
            let first = system.read_back().unwrap();
            let (order, time) = (system.draw_order().unwrap(), system.time());
            // Something that was never submitted, and more of the living than there were.
            system.record(3.0).unwrap();
            system.restore(&snapshot).unwrap();
            assert_same(&system.read_back().unwrap(), &then);
            assert_eq!(system.snapshot().unwrap(), snapshot);
            run(&mut system, at..40);
            assert_same(&system.read_back().unwrap(), &first);
            assert_eq!(system.draw_order().unwrap(), order);
            assert_eq!(system.time().to_bits(), time.to_bits());
            system.restore(&begin).unwrap();
        }
    }
}

#[test]
fn particles_that_are_gone_come_back_and_others_go() {
    let mut system = system(&fountain(300, 400.0));
    run(&mut system, 0..2);
    let few = system.snapshot().unwrap();
    run(&mut system, 2..12);
    let many = system.snapshot().unwrap();
    let count = |system: &mut GpuSystem| system.counters().unwrap().alive;
    let alive = count(&mut system);
    system.restore(&few).unwrap();
    assert!(count(&mut system) < alive);
    let order = system.draw_order().unwrap();
    let state = system.read_back().unwrap();
    assert!(order.iter().copied().eq((0..state.slots()).filter(|&slot| state.is_alive(slot))));
    system.clear();
    assert_eq!(count(&mut system), 0);
    system.restore(&many).unwrap();
    assert_eq!(count(&mut system), alive);
}

/// The same program, with its columns in other places, on another device.
#[test]
fn a_snapshot_goes_to_another_device_and_layout() {
    let text = fountain(1000, 900.0);
    let mut first = system(&text);
    run(&mut first, 0..14);
    let snapshot = first.snapshot().unwrap();
    let stored = serde_json::to_string(&snapshot).unwrap();
    let snapshot: GpuSnapshot = serde_json::from_str(&stored).unwrap();
    run(&mut first, 14..30);
    let (device, queue) = default_device().unwrap();
    let limits = Limits { storage_bytes: 3 * 1024 * 4, ..Limits::default() };
    // Another seed, which the snapshot replaces.
    let mut second =
        GpuSystem::with_limits(&device, &queue, &module(&text), 0, 9, &limits).unwrap();
    assert_ne!(second.manifest().layout.column_buffers, first.manifest().layout.column_buffers);
    second.restore(&snapshot).unwrap();
    run(&mut second, 14..30);
    assert_same(&second.read_back().unwrap(), &first.read_back().unwrap());
}

#[test]
fn checkpoints_begin_anew() {
    let mut system = system(&fountain(100, 100.0));
    run(&mut system, 0..8);
    let snapshot = system.snapshot().unwrap();
    run(&mut system, 8..20);
    let undisturbed = system.read_back().unwrap();
    system.keep_checkpoints(NonZeroU32::new(4).unwrap()).unwrap();
    run(&mut system, 20..23);
    system.restore(&snapshot).unwrap();
    assert_eq!(system.steps_since_checkpoint(), Some(0));
    run(&mut system, 8..20);
    let (device, queue) = default_device().unwrap();
    system.rebuild(&device, &queue).unwrap();
    assert_same(&system.read_back().unwrap(), &undisturbed);
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_changes() {
    let mut sparks = system(&fountain(300, 400.0));
    run(&mut sparks, 0..6);
    let snapshot = sparks.snapshot().unwrap();
    let mut other = system(&fountain(200, 400.0));
    run(&mut other, 0..9);
    let before = other.read_back().unwrap();
    let error = other.restore(&snapshot).unwrap_err();
    assert!(matches!(error, GpuError::Restore(RestoreError::Program { .. })), "{error}");
    assert_same(&other.read_back().unwrap(), &before);

    let before = sparks.read_back().unwrap();
    let changed = |path: &[&str], change: &dyn Fn(&mut serde_json::Value)| {
        let mut value = serde_json::to_value(&snapshot).unwrap();
        let place = path.iter().fold(&mut value, |value, key| &mut value[*key]);
        change(place);
        serde_json::from_value::<GpuSnapshot>(value).unwrap()
    };
    let word = |value: &mut serde_json::Value| value[1] = 77.into();
    let cut = |value: &mut serde_json::Value| {
        value.as_array_mut().unwrap().pop();
    };
    let longer = |value: &mut serde_json::Value| {
        value.as_array_mut().unwrap().extend((0..1000).map(|_| 1.into()));
    };
    for part in ["control", "flags", "columns"] {
        for change in [&word as &dyn Fn(&mut serde_json::Value), &cut, &longer] {
            let error = sparks.restore(&changed(&[part], change)).unwrap_err();
            assert!(error.to_string().contains("\"fountain\" is damaged"), "{part}: {error}");
        }
    }
    let old = changed(&["host", "version"], &|value| *value = "0.0.1".into());
    let error = sparks.restore(&old).unwrap_err();
    assert!(error.to_string().contains("is of pyrograph 0.0.1"), "{error}");
    assert_same(&sparks.read_back().unwrap(), &before);
}
