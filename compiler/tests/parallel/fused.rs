//! Products fused with sums or not, decisions fall alike; and how many decisions hold an operation
//! that WGSL rounds as it likes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fixtures::{graphs, module, recording};
use crate::fusing::{Seen, run_both, run_both_of_seed};
use pyrograph_compiler::emit::decisions::Decisions;
use pyrograph_compiler::emit::usage::Usage;
use pyrograph_compiler::interpret::{Instance, Uniforms};
use pyrograph_compiler::ir::{Const, Profile, parse, validate};

#[test]
fn fused_products_decide_alike() {
    let mut seen = Seen::default();
    let mut failures = Vec::new();
    for (name, path) in graphs() {
        let Some(module) = module(&path, Profile::Parallel) else { continue };
        match run_both(&module, &recording(&name)) {
            Ok(found) => seen.add(&found),
            Err(problem) => failures.push(format!("{name}, {problem}")),
        }
    }
    println!("{seen:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    // Something must have been fused.
    assert!(seen.changed * 4 > seen.graphs && seen.graphs > 400, "{seen:?}");
}

/// Seeds whose graphs run here; `examples/exhaustive` runs as many as one likes.
const SEEDS: u64 = 150;

#[test]
fn fused_products_decide_alike_in_graphs_that_nobody_wrote() {
    let mut seen = Seen::default();
    let mut failures = Vec::new();
    for seed in 0..SEEDS {
        match run_both_of_seed(seed) {
            Ok(found) => seen.add(&found),
            Err(problem) => failures.push(format!("seed {seed}, {problem}")),
        }
    }
    println!("{seen:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(seen.changed * 2 > seen.graphs && seen.numbers > 100_000, "{seen:?}");
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
