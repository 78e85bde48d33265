//! The generator keeps its promises: its graphs compile for both profiles without an error, have all
//! that fixtures have, and their numbers stay finite.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use crate::fixtures::{graphs, play, systems};
use crate::generator::case;
use pyrograph_compiler::diagnostic::Code;
use pyrograph_compiler::ir::{Const, Profile};
use pyrograph_compiler::{Options, compile};
use serde_json::Value;

const SEEDS: u64 = 200;

/// What the fields of a block choose among.
const CHOICES: [&str; 17] = [
    "operation",
    "test",
    "lockMode",
    "scope",
    "contextualValue",
    "systemSource",
    "type",
    "isLocal",
    "isHemispheric",
    "emitFromSpawnPointOnly",
    "loop",
    "randomStartCell",
    "useMeshNormalsForDirection",
    "useMeshColorForColor",
    "isBillboardBased",
    "billBoardMode",
    "invertY",
];

/// Classes, their wired inputs, and what their fields choose.
fn kinds(graph: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for block in graph["blocks"].as_array().unwrap() {
        let class = block["customType"].as_str().unwrap().trim_start_matches("BABYLON.");
        found.insert(class.to_owned());
        for choice in CHOICES.iter().filter(|choice| block.get(**choice).is_some()) {
            found.insert(format!("{class}.{choice} = {}", block[choice]));
        }
        for input in block["inputs"].as_array().unwrap() {
            if input["targetBlockId"].is_number() {
                let name = input["name"].as_str().unwrap().trim();
                found.insert(format!("{class}.{name}"));
            }
        }
    }
    found
}

#[test]
fn generated_graphs_have_all_that_fixtures_have() {
    let read = |path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let wanted = graphs().into_iter().flat_map(|(_, path)| kinds(&read(path)));
    let made: BTreeSet<String> = (0..SEEDS).flat_map(|seed| kinds(&case(seed).graph)).collect();
    let missing: Vec<String> = wanted.filter(|kind| !made.contains(kind)).collect();
    let missing: BTreeSet<&str> = missing.iter().map(String::as_str).collect();
    assert_eq!(missing.into_iter().collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn a_seed_gives_one_graph() {
    let texts: BTreeSet<String> = (0..SEEDS).map(|seed| case(seed).graph.to_string()).collect();
    assert_eq!(texts.len(), SEEDS as usize);
    assert!((0..SEEDS).all(|seed| texts.contains(&case(seed).graph.to_string())));
}

#[test]
fn generated_graphs_compile_and_stay_finite() {
    let (mut particles, mut blocks, mut largest) = (0, 0, 0.0f64);
    for seed in 0..SEEDS {
        let case = case(seed);
        blocks += case.graph["blocks"].as_array().unwrap().len();
        let text = case.graph.to_string();
        for profile in [Profile::Exact, Profile::Parallel] {
            let compiled = compile(text.as_bytes(), &Options::new(profile))
                .unwrap_or_else(|errors| panic!("seed {seed}, {profile:?}: {errors:?}"));
            for warning in compiled.warnings.iter() {
                let expected = [Code::Trigger, Code::FieldWithoutEffect];
                assert!(expected.contains(&warning.code), "seed {seed}: {warning:?}");
            }
            let module = Arc::new(compiled.module);
            let mut state = seed;
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 11) as f64 / (1u64 << 53) as f64
            };
            let mut all = systems(&module, &case.recording, seed as u32);
            let steps = case.recording["steps"].as_u64().unwrap();
            let end = play(&mut all, &case.recording, steps, &mut random, |step, systems| {
                for system in systems {
                    let instance = &system.instance;
                    for slot in (0..instance.slots()).filter(|&slot| instance.is_alive(slot)) {
                        particles += 1;
                        for (handle, column) in instance.program().columns.iter() {
                            if let Some(Const::Float(value)) = instance.column(slot, handle) {
                                let name = &column.name;
                                assert!(
                                    value.abs() < 1e4,
                                    "seed {seed}, step {step}: {name} is {value}"
                                );
                                largest = largest.max(value.abs());
                            }
                        }
                    }
                }
            });
            assert_eq!(end, Ok(()), "seed {seed}, {profile:?}");
        }
    }
    println!("{SEEDS} graphs, {blocks} blocks, {particles} particles and steps, up to {largest}");
    assert!(particles > 100_000 && blocks > 10_000, "{particles} particles, {blocks} blocks");
}
