//! The order of particles never matters: any partition of the slots, run in any order, gives the same
//! bits.

use crate::driver::System;
use crate::fixtures::{graphs, module, play, recording, systems};
use pyrograph_compiler::ir::{Const, Profile};

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

#[test]
fn any_partition_in_any_order_gives_the_same_bits() {
    let (mut fixtures, mut compared) = (0, 0);
    for (index, (name, path)) in graphs().into_iter().enumerate() {
        let Some(module) = module(&path, Profile::Parallel) else { continue };
        let recording = recording(&name);
        let steps = recording["steps"].as_u64().unwrap_or(60);
        let run = |seed: Option<u32>| {
            let mut systems = systems(&module, &recording, 7);
            for system in &mut systems {
                system.cut = seed.map(cut);
            }
            let mut states = Vec::new();
            let end = play(&mut systems, &recording, steps, &mut || 0.0, |step, systems| {
                if step % 7 == 0 || step == steps {
                    states.push(bits(systems));
                }
            });
            (end, states)
        };
        let (end, whole) = run(None);
        let (end_of_parts, parts) = run(Some(index as u32));
        assert_eq!(end.is_ok(), end_of_parts.is_ok(), "{name}");
        // A failure ends the update where it happens.
        if end.is_ok() {
            assert!(whole == parts, "{name} depends on the order");
            fixtures += 1;
            compared += whole.iter().flatten().flatten().count();
        }
    }
    println!("{fixtures} fixtures, {compared} numbers");
    assert!(fixtures > 400 && compared > 100_000, "{fixtures} fixtures, {compared} numbers");
}
