//! The order of particles never matters: any partition of the slots, run in any order, gives the same
//! bits.

use std::sync::Arc;

use crate::driver::System;
use crate::fixtures::{generated, graphs, module, play, recording, systems};
use pyrograph_compiler::ir::{Const, Module, Profile, Valid};
use serde_json::Value;

/// Every column of every slot that lives, as bits.
fn bits(systems: &[System]) -> Vec<Vec<Option<u64>>> {
    let of = |value: Const| match value {
        Const::Float(value) if value.is_nan() => u64::MAX,
        Const::Float(value) => value.to_bits(),
        Const::Uint(value) => value.into(),
        Const::Bool(value) => value.into(),
    };
    let mut all = Vec::new();
    for system in systems {
        let instance = &system.instance;
        for slot in 0..instance.slots() {
            let columns = instance.program().columns.iter();
            all.push(columns.map(|(column, _)| instance.column(slot, column).map(of)).collect());
        }
    }
    all
}

/// Cuts slots at random and shuffles the parts.
fn cut(seed: u32) -> crate::driver::Cut {
    let mut state = seed;
    let mut next = move |below: usize| {
        state = pyrograph_numeric::mix(state.wrapping_add(0x9e37_79b9));
        state as usize % below.max(1)
    };
    Box::new(move |slots| {
        let mut parts = Vec::new();
        let (mut from, longest) = (0, 1 + next(slots + 1));
        while from < slots {
            let to = slots.min(from + 1 + next(longest));
            parts.push(from..to);
            from = to;
        }
        for at in (1..parts.len()).rev() {
            parts.swap(at, next(at + 1));
        }
        parts
    })
}

/// Graphs of the generator that run beside the fixtures.
const SEEDS: u64 = 100;

#[test]
fn any_partition_in_any_order_gives_the_same_bits() {
    let (mut compared, mut runs) = (0, 0);
    let mut run_both = |name: &str, module: &Arc<Valid<Module>>, recording: &Value| {
        let steps = recording["steps"].as_u64().unwrap_or(60);
        let run = |seed: Option<u32>| {
            let mut systems = systems(module, recording, 7);
            for system in &mut systems {
                system.cut = seed.map(cut);
            }
            let mut states = Vec::new();
            let end = play(&mut systems, recording, steps, &mut || 0.0, |step, systems| {
                if step % 7 == 0 || step == steps {
                    states.push(bits(systems));
                }
            });
            (end, states)
        };
        runs += 1;
        let ((end, whole), (end_of_parts, parts)) = (run(None), run(Some(runs)));
        assert_eq!(end.is_ok(), end_of_parts.is_ok(), "{name}");
        // A failure ends the update where it happens.
        if end.is_ok() {
            assert!(whole == parts, "{name} depends on the order");
            compared += whole.iter().flatten().flatten().count();
        }
        usize::from(end.is_ok())
    };
    let mut fixtures = 0;
    for (name, path) in graphs() {
        let Some(module) = module(&path, Profile::Parallel) else { continue };
        fixtures += run_both(&name, &module, &recording(&name));
    }
    let mut others = 0;
    for seed in 0..SEEDS {
        let (module, recording) = generated(seed);
        others += run_both(&format!("seed {seed}"), &module, &recording);
    }
    println!("{fixtures} fixtures, {others} generated graphs, {compared} numbers");
    assert!(fixtures > 400 && compared > 100_000, "{fixtures} fixtures, {compared} numbers");
    assert_eq!(others as u64, SEEDS);
}

#[test]
fn one_seed_repeats_and_two_differ() {
    let mut differ = 0;
    for seed in 0..SEEDS {
        let (module, recording) = generated(seed);
        let steps = recording["steps"].as_u64().unwrap_or(60);
        let [first, again, other] = [7, 7, 8].map(|seed| {
            let mut systems = systems(&module, &recording, seed);
            play(&mut systems, &recording, steps, &mut || 0.0, |_, _| {}).unwrap();
            bits(&systems)
        });
        assert!(first == again, "seed {seed} does not repeat");
        differ += usize::from(first != other);
    }
    println!("{differ} of {SEEDS} graphs differ with the seed of the instance");
    assert!(differ as u64 * 10 > SEEDS * 8, "{differ}");
}
