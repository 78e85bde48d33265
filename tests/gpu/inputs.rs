//! Inputs that a graph names, changed between recorded steps.

use std::fs;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use pyrograph::gpu::{GpuSystem, default_device};
use pyrograph::{Input, InputError, ParticleState};
use pyrograph_compiler::ir::{Module, Profile, Valid};
use pyrograph_compiler::{Options, compile, read_file};

use super::pair::{Agree, DEVICE, Pair, assert_same};

/// Columns that quotients, roots and polynomials of them go into.
const NEAR: Agree = Agree::BitsBut(&[
    "position.x",
    "position.y",
    "position.z",
    "direction.x",
    "direction.y",
    "direction.z",
    "size",
    "angle",
    "colorStep.r",
    "colorStep.g",
    "colorStep.b",
    "colorStep.a",
]);

fn opened() -> Arc<Valid<Module>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agree/inputs.json");
    let graph = fs::read(path).unwrap();
    let (read, _) = read_file(&graph).unwrap();
    let inputs = read.constant_names().into_iter().map(str::to_owned).collect();
    Arc::new(
        compile(&graph, &Options { inputs, ..Options::new(Profile::Parallel) }).unwrap().module,
    )
}

/// What a host does before a step. The last ones are read by the host only.
fn changes(step: usize) -> Vec<Input> {
    let wave = |period: usize| (step % period) as f64 / period as f64;
    let mut inputs = vec![
        Input::set("gravity", [wave(3), -2.0 * wave(5), 0.1]),
        Input::set("tint", [wave(4), wave(5), 1.0 - wave(6), 0.5]),
        Input::set("scale", [1.0 + wave(3), 0.3]),
        Input::set("life", 1.0 + wave(11)),
        Input::set("largest", 0.1 + wave(9)),
        Input::set("end", 3.0 * wave(10)),
        Input::set("spin", 6.0 * wave(17)),
        Input::set("radius", 1.0 + wave(5)),
        Input::set("most", 1.0 + wave(13)),
        Input::set("rate", 20.0 + 60.0 * wave(7)),
    ];
    if step == 0 {
        inputs.push(Input::set("stop", 6.0));
    }
    inputs
}

fn change(step: usize, mut apply: impl FnMut(&Input) -> Result<(), InputError>) {
    for input in changes(step) {
        match apply(&input) {
            // One system has not all of them.
            Ok(()) | Err(InputError::Unknown { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn changed_at_every_step_both_agree() {
    use pyrograph::Controls;
    let (device, queue) = &*DEVICE;
    let module = opened();
    for index in 0..2 {
        let gpu = GpuSystem::new(device, queue, &module, index, 3).unwrap();
        let mut pair = Pair::around(gpu, &module, index, 3);
        let mut most = 0;
        for step in 0..90 {
            change(step, |input| pair.gpu.apply(input));
            change(step, |input| pair.cpu.apply(input));
            pair.step(1.0);
            if step % 10 == 7 {
                most = most.max(pair.compare(NEAR).alive());
            }
        }
        assert!(most > 15, "{most}");
        let gravity = pair.gpu.input_handle::<[f64; 3]>("gravity").unwrap();
        assert_eq!(pair.gpu.input(gravity), pair.cpu.input(gravity));
        assert_eq!(pair.gpu.input(gravity), Ok([2.0 / 3.0, -2.0 * 0.8, 0.1]));
        pair.gpu.set_input(gravity, [1.0, 2.0, 3.0]).unwrap();
        assert_eq!(pair.gpu.input(gravity), Ok([1.0, 2.0, 3.0]));
        assert!(pair.gpu.input_handle::<f64>("gravity").is_err());
    }
}

/// Replay after a lost device sees what each step saw.
#[test]
fn rebuilt_systems_had_the_same_inputs() {
    let (device, queue) = &*DEVICE;
    let module = opened();
    let run = |system: &mut GpuSystem, steps: std::ops::Range<usize>| {
        for step in steps {
            change(step, |input| system.apply(input));
            system.animate(1.0).unwrap();
        }
    };
    let mut undisturbed = GpuSystem::new(device, queue, &module, 0, 5).unwrap();
    undisturbed.start();
    run(&mut undisturbed, 0..40);
    let (first, first_queue) = default_device().unwrap();
    let mut system = GpuSystem::new(&first, &first_queue, &module, 0, 5).unwrap();
    system.keep_checkpoints(NonZeroU32::new(8).unwrap()).unwrap();
    system.start();
    run(&mut system, 0..21);
    first.destroy();
    system.rebuild(device, queue).unwrap();
    run(&mut system, 21..40);
    assert_same(&system.read_back().unwrap(), &undisturbed.read_back().unwrap());
}
