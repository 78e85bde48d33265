//! Products fused with sums or not, decisions fall alike; and how many decisions hold an operation
//! that WGSL rounds as it likes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fixtures::{graphs, module, play, recording, systems};
use pyrograph_compiler::emit::decisions::Decisions;
use pyrograph_compiler::emit::usage::Usage;
use pyrograph_compiler::interpret::{Instance, Uniforms};
use pyrograph_compiler::ir::{Const, Profile, Type, parse, validate};

/// Floats may differ by this share of their size, or of 1.
const BOUND: f64 = 5e-5;

/// Which slots live, all integers, and all floats.
#[derive(Debug, Default, PartialEq)]
struct State {
    decided: Vec<Option<u32>>,
    floats: Vec<f64>,
}

fn state(instance: &Instance, state: &mut State) {
    for slot in 0..instance.slots() {
        for (handle, column) in instance.program().columns.iter() {
            match instance.column(slot, handle) {
                Some(Const::Uint(value)) => state.decided.push(Some(value)),
                Some(Const::Float(value)) => state.floats.push(value),
                Some(Const::Bool(_)) => {}
                None if column.storage.ty() == Type::Float => {}
                None => state.decided.push(None),
            }
        }
    }
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= BOUND * a.abs().max(1.0)
}

#[test]
fn fused_products_decide_alike() {
    let (mut fixtures, mut changed, mut numbers) = (0, 0, 0);
    let mut failures = Vec::new();
    for (name, path) in graphs() {
        let Some(module) = module(&path, Profile::Parallel) else { continue };
        let recording = recording(&name);
        let steps = recording["steps"].as_u64().unwrap_or(60);
        let run = |fused: bool| {
            let mut systems = systems(&module, &recording, 7);
            for system in &mut systems {
                system.instance.set_fused(fused);
            }
            let mut states = Vec::new();
            let end = play(&mut systems, &recording, steps, &mut || 0.0, |_, systems| {
                let mut all = State::default();
                for system in systems {
                    state(&system.instance, &mut all);
                }
                states.push(all);
            });
            (end, states)
        };
        let ((end, apart), (other_end, fused)) = (run(false), run(true));
        fixtures += 1;
        changed += usize::from(apart != fused);
        if end != other_end {
            failures.push(format!("{name}: {end:?} and {other_end:?}"));
        }
        for (step, (apart, fused)) in apart.iter().zip(&fused).enumerate() {
            let mut floats = apart.floats.iter().zip(&fused.floats);
            numbers += apart.floats.len();
            if apart.decided != fused.decided {
                failures.push(format!("{name}, step {step}: decides otherwise"));
                break;
            }
            if let Some((a, b)) = floats.find(|&(&a, &b)| !close(a, b)) {
                failures.push(format!("{name}, step {step}: {a} and {b}"));
                break;
            }
        }
    }
    println!("{fixtures} fixtures, {changed} of them change with fusing, {numbers} numbers");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    // Something must have been fused.
    assert!(changed * 4 > fixtures, "{changed} of {fixtures} change");
}

/// A sum of a product that is fused differs in its last bits: where that decides a death, it is not
/// fused.
#[test]
fn only_products_that_decide_nothing_are_fused() {
    let text = "program \"\" parallel capacity 1 {
        column alive f32
        column free f32
        uniform delta = delta
        birth {
            store alive, 0.0
            store free, 0.0
        }
        update {
            %0 = mul @delta, @delta
            %1 = sub %0, 0.010000001
            store alive, %1
            %2 = load alive
            %3 = lt 0.0, %2
            kill %3
            %4 = mul @delta, 0.1
            %5 = sub %4, 0.010000001
            store free, %5
        }
    }";
    let module = Arc::new(validate(parse(text).unwrap()).unwrap());
    let run = |fused: bool| {
        let mut instance = Instance::new(Arc::clone(&module), 0).unwrap();
        instance.set_fused(fused);
        let uniforms = Uniforms { delta: 0.1, ..Uniforms::default() };
        instance.birth(1, &uniforms, &mut || 0.0).unwrap();
        instance.update(&uniforms, &mut || 0.0).unwrap();
        let column = |name: &str| {
            let column = instance.program().columns.find(|column| column.name == name).unwrap();
            instance.column(0, column)
        };
        (column("alive"), column("free"))
    };
    let (apart, fused) = (run(false), run(true));
    assert_eq!(apart.0, Some(Const::Float(0.0)));
    assert_eq!(apart.0, fused.0);
    assert_ne!(apart.1, fused.1);
}

#[test]
fn inexact_decisions_are_few() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let (mut fixtures, mut inexact, mut kills) = (0, 0, 0);
    for (_, path) in graphs() {
        let Some(module) = module(&path, Profile::Parallel) else { continue };
        fixtures += 1;
        let mut here = std::collections::BTreeSet::new();
        for program in &module.programs {
            let usage = Usage::of_particle_bodies(program);
            for decision in Decisions::of_particle_bodies(program, &usage).inexact {
                here.insert(format!("{:?} behind {}", decision.kind, decision.operation));
            }
        }
        inexact += usize::from(!here.is_empty());
        kills += usize::from(here.iter().any(|kind| kind.starts_with("Kill")));
        for kind in here {
            *kinds.entry(kind).or_default() += 1;
        }
    }
    println!("{inexact} of {fixtures} fixtures have inexact decisions, {kills} inexact deaths");
    println!("{kinds:#?}");
    // Births and deaths are exact on a GPU nearly everywhere.
    assert!(kills * 20 <= fixtures, "{kills} of {fixtures} fixtures have inexact deaths");
}
