//! Graphs through interpreter and generated Rust: equal to each other bit for bit, and the canonical
//! ones to the states that Babylon.js reached.
#![expect(clippy::unwrap_used, reason = "a test may end at the first surprise")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options, compile};
use pyrograph::{
    Field, Interpreted, ParticleProgram, ParticleState, ParticleSystem, Random, Sine, state,
};
use serde_json::Value;

mod angles;
mod families;
#[expect(dead_code, reason = "other tests do to a system what the recording did")]
mod fixture;
mod inputs;
mod lifecycle;
mod mapping;
mod moving;
mod names;
mod rewind;
mod threads;

mod exact {
    pyrograph::include_particle_graph!(
        pub(crate) mod fountain = "fixtures/graphs/canonical/fountain.json", observe = state
    );
    pyrograph::include_particle_graph!(
        pub(crate) mod attractor = "fixtures/graphs/canonical/attractor.json", observe = state
    );
}

mod parallel {
    pyrograph::include_particle_graph!(
        pub(crate) mod fountain = "fixtures/graphs/canonical/fountain.json",
        profile = parallel, observe = state
    );
    pyrograph::include_particle_graph!(
        pub(crate) mod attractor = "fixtures/graphs/canonical/attractor.json",
        profile = parallel, observe = state
    );
}

const STEPS: u64 = 200;
const SEED: u64 = 11;

fn fixture(folder: &str, name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    fs::read(root.join(folder).join("canonical").join(format!("{name}.json"))).unwrap()
}

fn interpreted(name: &str, profile: Profile, seed: u64) -> ParticleSystem<Interpreted> {
    let compiled = compile(&fixture("graphs", name), &Options::new(profile)).unwrap();
    let program = Interpreted::all(&Arc::new(compiled.module)).pop().unwrap();
    ParticleSystem::from_program(program, seed)
}

/// Counts what is drawn, so that executors are held to the same draws.
struct Counted {
    source: Sine,
    drawn: u64,
}

impl Random for Counted {
    fn next(&mut self) -> f64 {
        self.drawn += 1;
        self.source.next()
    }
}

fn counted() -> Counted {
    Counted { source: Sine::new(), drawn: 0 }
}

/// Runs generated code and the interpreter side by side; gives the state after each step.
fn run_alike<P: ParticleProgram + Default>(name: &str, profile: Profile) -> Vec<String> {
    let mut reference = interpreted(name, profile, SEED);
    let mut generated = ParticleSystem::<P>::with_seed(SEED);
    let (mut drawn, mut expected) = (counted(), counted());
    generated.start();
    reference.start();
    let mut states = Vec::new();
    for step in 1..=STEPS {
        let place = format!("{name} step {step}");
        let outcome = generated.animate(1.0, &mut drawn);
        assert_eq!(outcome, reference.animate(1.0, &mut expected), "{place}");
        assert_eq!(drawn.drawn, expected.drawn, "{place}: draws");
        assert_same_slots(generated.program(), reference.program(), &place);
        assert_eq!(generated.state_hash(), reference.state_hash(), "{place}: hash");
        states.push(state::Json(&[generated.program()]).to_string());
    }
    states
}

/// Every field of every slot, bit for bit; all NaN are one.
fn assert_same_slots(a: &impl ParticleState, b: &impl ParticleState, place: &str) {
    assert_eq!(a.alive(), b.alive(), "{place}: alive");
    let axes = |field: fn(u8) -> Field, len: u8| (0..len).map(field);
    let fields: Vec<Field> = [Field::Id, Field::Age, Field::LifeTime, Field::Size, Field::Angle]
        .into_iter()
        .chain([Field::CellIndex])
        .chain(axes(Field::Position, 3))
        .chain(axes(Field::Direction, 3))
        .chain(axes(Field::Scale, 2))
        .chain(axes(Field::Color, 4))
        .collect();
    let bits = |value: Option<f64>| {
        value.map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() })
    };
    let slots = a.slots().max(b.slots());
    for slot in 0..slots {
        assert_eq!(a.is_alive(slot), b.is_alive(slot), "{place}: slot {slot}");
        if !a.is_alive(slot) {
            continue;
        }
        for &field in &fields {
            let (a, b) = (a.value(slot, field), b.value(slot, field));
            assert_eq!(bits(a), bits(b), "{place}: slot {slot} {field:?}: {a:?} {b:?}");
        }
    }
}

/// Ids and counts exact, numbers within 1e-6·max(1, |b|).
fn assert_recorded(name: &str, states: &[String]) {
    let recorded: Value = serde_json::from_slice(&fixture("states", name)).unwrap();
    let recorded = recorded["states"].as_array().unwrap();
    assert_eq!(recorded.len(), 4);
    for expected in recorded {
        let step = expected["step"].as_u64().unwrap() as usize;
        let found: Value = serde_json::from_str(&states[step - 1]).unwrap();
        let place = format!("{name} step {step}");
        assert_close(&found["systems"], &expected["systems"], 1e-6, &place);
    }
}

/// Ids and counts exact, numbers within `tolerance * max(1, |b|)`.
fn assert_close(a: &Value, b: &Value, tolerance: f64, place: &str) {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{place}");
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                assert_close(a, b, tolerance, &format!("{place}/{index}"));
            }
        }
        (Value::Object(a), Value::Object(b)) => {
            assert!(a.keys().eq(b.keys()), "{place}: {:?} {:?}", a.keys(), b.keys());
            for (key, b) in b {
                if key == "id" || key == "alive" {
                    assert_eq!(a[key], *b, "{place}/{key}");
                }
                assert_close(&a[key], b, tolerance, &format!("{place}/{key}"));
            }
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{place}: {a} {b}");
        }
        _ => assert_eq!(a, b, "{place}"),
    }
}

#[test]
fn exact_fountain_is_babylons() {
    assert_recorded("fountain", &run_alike::<exact::fountain::Program>("fountain", Profile::Exact));
}

#[test]
fn exact_attractor_is_babylons() {
    let states = run_alike::<exact::attractor::Program>("attractor", Profile::Exact);
    assert_recorded("attractor", &states);
}

#[test]
fn parallel_fountain_agrees() {
    run_alike::<parallel::fountain::Program>("fountain", Profile::Parallel);
}

#[test]
fn parallel_attractor_agrees() {
    run_alike::<parallel::attractor::Program>("attractor", Profile::Parallel);
}

#[test]
fn invalid_emitter_matrices_leave_all_alone() {
    let mut system = ParticleSystem::<exact::fountain::Program>::new();
    let mut random = Sine::new();
    system.start();
    for _ in 0..30 {
        system.animate(1.0, &mut random).unwrap();
    }
    system.set_emitter_position([1.0, 2.0, 3.0]).unwrap();
    let matrix = *system.emitter_matrix();
    let before = state::Json(&[system.program()]).to_string();
    let mut broken = matrix;
    broken[7] = f64::NAN;
    let error = system.set_emitter_matrix(broken).unwrap_err().to_string();
    let text = "NodeParticle: emitter provider must return a finite 16-element matrix";
    assert!(error.ends_with(text), "{error}");
    assert!(system.set_emitter_position([f64::INFINITY, 0.0, 0.0]).is_err());
    assert_eq!(*system.emitter_matrix(), matrix);
    assert_eq!(state::Json(&[system.program()]).to_string(), before);
}
