//! Devices that are lost, and systems that go on with another.

use std::num::NonZeroU32;

use pyrograph::Texels;
use pyrograph::gpu::{GpuError, GpuProgram, GpuSystem, default_device};

use super::pair::{DEVICE, assert_same, module, noise};
use super::texts::{fountain, pictures};

const STEPS: u32 = 60;

/// What a host does before step `step`.
fn act(system: &mut GpuSystem, step: u32) {
    match step {
        0 => system.start(),
        17 | 33 => system.clear(),
        20 => {
            let mut matrix = [0.0; 16];
            (matrix[0], matrix[5], matrix[10], matrix[15], matrix[12]) = (1.0, 1.0, 1.0, 1.0, 4.0);
            system.set_emitter_matrix(matrix).unwrap();
        }
        26 | 41 => {
            let picture: Texels = noise(step, 5);
            if system.textures().len() > 1 {
                system.set_texture(1, picture).unwrap();
            }
        }
        _ => {}
    }
}

fn run(system: &mut GpuSystem, steps: std::ops::Range<u32>) -> Result<(), GpuError> {
    for step in steps {
        act(system, step);
        system.record(1.0)?;
        if step % 3 != 1 {
            system.submit()?;
        }
    }
    Ok(())
}

#[test]
fn a_rebuilt_system_is_what_it_would_have_been() {
    let (device, queue) = &*DEVICE;
    for text in [fountain(300, 400.0), pictures()] {
        let module = module(&text);
        let mut undisturbed = GpuSystem::new(device, queue, &module, 0, 5).unwrap();
        run(&mut undisturbed, 0..STEPS).unwrap();
        let undisturbed = undisturbed.read_back().unwrap();
        for lost_at in [0, 1, 9, 10, 11, 18, 27, 42, 59] {
            let (first, first_queue) = default_device().unwrap();
            let mut system = GpuSystem::new(&first, &first_queue, &module, 0, 5).unwrap();
            let every = NonZeroU32::new(10).unwrap();
            system.keep_checkpoints(every).unwrap();
            run(&mut system, 0..lost_at).unwrap();
            if lost_at % 2 == 0 {
                // All checkpoints arrive; otherwise some may be lost on their way.
                system.submit().unwrap();
                first.poll(wgpu::PollType::wait_indefinitely()).unwrap();
                system.submit().unwrap();
                let steps = system.steps_since_checkpoint().unwrap();
                assert!(steps <= 10, "{steps} steps after {lost_at}");
            }
            first.destroy();
            act(&mut system, lost_at);
            system.record(1.0).unwrap();
            let error = system.submit().unwrap_err();
            assert!(matches!(error, GpuError::Lost { .. }), "{error}");
            assert!(matches!(system.read_back().unwrap_err(), GpuError::Lost { .. }));

            // A device that is lost too changes nothing.
            let error = system.rebuild(&first, &first_queue).unwrap_err();
            assert!(matches!(error, GpuError::Lost { .. }), "{error}");
            system.rebuild(device, queue).unwrap();
            run(&mut system, lost_at + 1..STEPS).unwrap();
            assert_same(&system.read_back().unwrap(), &undisturbed);
        }
    }
}

#[test]
fn checkpoints_that_begin_anew_forget_the_old_ones() {
    let (device, queue) = &*DEVICE;
    let module = module(&fountain(100, 100.0));
    let mut undisturbed = GpuSystem::new(device, queue, &module, 0, 5).unwrap();
    run(&mut undisturbed, 0..16).unwrap();
    let mut system = GpuSystem::new(device, queue, &module, 0, 5).unwrap();
    assert_eq!(system.steps_since_checkpoint(), None);
    system.keep_checkpoints(NonZeroU32::MIN).unwrap();
    run(&mut system, 0..7).unwrap();
    system.keep_checkpoints(NonZeroU32::new(4).unwrap()).unwrap();
    assert_eq!(system.steps_since_checkpoint(), Some(0));
    run(&mut system, 7..16).unwrap();
    let (other, other_queue) = default_device().unwrap();
    system.rebuild(&other, &other_queue).unwrap();
    assert_same(&system.read_back().unwrap(), &undisturbed.read_back().unwrap());
}

/// A checkpoint in an encoder that nobody submits is none: later ones take its place, and what was
/// recorded does not pile up.
#[test]
fn dropped_encoders_keep_no_checkpoint_waiting() {
    let (device, queue) = &*DEVICE;
    let module = module(&fountain(100, 100.0));
    let mut system = GpuSystem::new(device, queue, &module, 0, 5).unwrap();
    system.keep_checkpoints(NonZeroU32::new(2).unwrap()).unwrap();
    system.start();
    let frame = |system: &mut GpuSystem, is_submitted: bool| {
        let mut encoder = device.create_command_encoder(&Default::default());
        system.record(1.0).unwrap();
        system.encode(&mut encoder).unwrap();
        if is_submitted {
            queue.submit([encoder.finish()]);
            device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        }
    };
    for step in 0..60 {
        frame(&mut system, step >= 20);
    }
    let steps = system.steps_since_checkpoint().unwrap();
    assert!(steps <= 4, "{steps}");
    // What ran is what a rebuilt system has.
    let before = system.read_back().unwrap();
    let (other, other_queue) = default_device().unwrap();
    system.rebuild(&other, &other_queue).unwrap();
    assert_same(&system.read_back().unwrap(), &before);
}

#[test]
fn instances_share_a_rebuilt_program() {
    let (device, queue) = &*DEVICE;
    let (first, first_queue) = default_device().unwrap();
    let module = module(&fountain(100, 100.0));
    let program = GpuProgram::new(&first, &first_queue, &module, 0).unwrap();
    let mut systems: Vec<_> = (0..3).map(|seed| program.instance(seed).unwrap()).collect();
    for system in &mut systems {
        system.keep_checkpoints(NonZeroU32::MIN).unwrap();
        run(system, 0..7).unwrap();
    }
    first.destroy();
    let program = program.on(device, queue).unwrap();
    for (system, seed) in systems.iter_mut().zip(0..) {
        system.rebuild_as(&program).unwrap();
        run(system, 7..20).unwrap();
        let mut undisturbed = program.instance(seed).unwrap();
        run(&mut undisturbed, 0..20).unwrap();
        assert_same(&system.read_back().unwrap(), &undisturbed.read_back().unwrap());
    }
}

#[test]
fn what_cannot_be_rebuilt_is_said() {
    let (device, queue) = &*DEVICE;
    let module = module(&fountain(10, 1.0));
    let mut system = GpuSystem::new(device, queue, &module, 0, 0).unwrap();
    let error = system.rebuild(device, queue).unwrap_err();
    assert!(error.to_string().contains("\"fountain\" keeps no checkpoints"), "{error}");
    system.keep_checkpoints(NonZeroU32::MIN).unwrap();
    let other = super::pair::module(&fountain(10, 1.0));
    let other = GpuProgram::new(device, queue, &other, 0).unwrap();
    let error = system.rebuild_as(&other).unwrap_err();
    assert!(error.to_string().contains("was not made from its program"), "{error}");
    let (lost, lost_queue) = default_device().unwrap();
    lost.destroy();
    let error = GpuProgram::new(&lost, &lost_queue, &module, 0).and_then(|it| it.instance(0));
    assert!(matches!(error.unwrap_err(), GpuError::Lost { .. }));
}
