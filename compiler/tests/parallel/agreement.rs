//! Where each draw gives the same number, so that chance is out of it, Parallel computes in binary32
//! what Exact computes in binary64.

use std::collections::BTreeMap;
use std::path::Path;

use crate::driver::System;
use crate::fixtures::{graphs, module, play, recording, systems, with_function};
use pyrograph_compiler::ir::{Field, Profile};

/// Numbers may differ by this share of their size, or of 1.
const BOUND: f64 = 5e-5;
/// A particle whose age is that close to its lifetime may die a step apart.
const CLOSE: f64 = 1e-5;

const FIELDS: [Field; 16] = [
    Field::Age,
    Field::LifeTime,
    Field::Position(0),
    Field::Position(1),
    Field::Position(2),
    Field::Direction(0),
    Field::Direction(1),
    Field::Direction(2),
    Field::Size,
    Field::Angle,
    Field::Scale(0),
    Field::Scale(1),
    Field::Color(0),
    Field::Color(1),
    Field::Color(2),
    Field::CellIndex,
];

/// Fields of each living particle, by id.
type State = BTreeMap<u64, Vec<Option<f64>>>;

fn state(system: &System) -> State {
    let instance = &system.instance;
    let live = (0..instance.slots()).filter(|&slot| instance.is_alive(slot));
    live.map(|slot| {
        let id = instance.value(slot, Field::Id).unwrap_or(0.0) as u64;
        (id, FIELDS.iter().map(|&field| instance.value(slot, field)).collect())
    })
    .collect()
}

/// One run: the states after each step, whether anything was drawn, and how it ended.
struct Run {
    states: Vec<Vec<State>>,
    draws: usize,
    outcome: Result<(), String>,
}

/// Runs a fixture with draws that all give `bits` of 2^24.
fn run(name: &str, path: &Path, profile: Profile, bits: u32) -> Option<Run> {
    let mut module = module(path, profile)?;
    if profile == Profile::Parallel {
        module = with_function(&module, "draw_unit", |body, _| body.uint(bits));
    }
    let recording = recording(name);
    let steps = recording["steps"].as_u64().unwrap_or(60);
    let mut systems = systems(&module, &recording, 7);
    let (mut states, mut draws) = (Vec::new(), 0);
    let mut random = || {
        draws += 1;
        f64::from(bits) / f64::from(1 << 24)
    };
    let outcome = play(&mut systems, &recording, steps, &mut random, |_, systems| {
        states.push(systems.iter().map(state).collect());
    });
    Some(Run { states, draws, outcome })
}

/// What was seen of the differences.
#[derive(Debug, Default)]
struct Seen {
    runs: usize,
    without_draws: usize,
    particles: usize,
    largest: f64,
    largest_in: String,
    deaths_apart: usize,
    /// Fixtures in which such a death was seen.
    with_deaths_apart: Vec<String>,
}

#[test]
fn without_randomness_parallel_agrees_with_exact() {
    let mut seen = Seen::default();
    let mut failures = Vec::new();
    for (name, path) in graphs() {
        for bits in [3 << 21, 0xcc_cccd] {
            let Some(exact) = run(&name, &path, Profile::Exact, bits) else { continue };
            let Some(parallel) = run(&name, &path, Profile::Parallel, bits) else { continue };
            seen.runs += 1;
            seen.without_draws += usize::from(exact.draws == 0);
            if let Err(problem) = compare(&name, &exact, &parallel, &mut seen) {
                failures.push(format!("{name}: {problem}"));
            }
        }
    }
    println!("{seen:#?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(seen.runs > 800 && seen.particles > 10_000, "{seen:?}");
}

fn compare(name: &str, exact: &Run, parallel: &Run, seen: &mut Seen) -> Result<(), String> {
    if exact.outcome.is_ok() != parallel.outcome.is_ok() {
        return Err(format!("ends {:?} and {:?}", exact.outcome, parallel.outcome));
    }
    for (step, (exact, parallel)) in exact.states.iter().zip(&parallel.states).enumerate() {
        for (exact, parallel) in exact.iter().zip(parallel) {
            for (id, particle) in exact {
                seen.particles += 1;
                let Some(other) = parallel.get(id) else {
                    death_apart(name, seen, particle).map_err(|age| {
                        format!("step {step}, id {id} lives in Exact only, {age}")
                    })?;
                    continue;
                };
                for ((field, &a), &b) in FIELDS.iter().zip(particle).zip(other) {
                    let difference = difference(a, b);
                    if difference > BOUND {
                        return Err(format!("step {step}, id {id}, {field:?}: {a:?} and {b:?}"));
                    }
                    if difference > seen.largest {
                        seen.largest = difference;
                        seen.largest_in = format!("{name} {field:?}");
                    }
                }
            }
            for (id, particle) in parallel.iter().filter(|(id, _)| !exact.contains_key(id)) {
                death_apart(name, seen, particle)
                    .map_err(|age| format!("step {step}, id {id} lives in Parallel only, {age}"))?;
            }
        }
    }
    Ok(())
}

/// Counts a particle that lives on one side only, if its age says so.
fn death_apart(name: &str, seen: &mut Seen, particle: &[Option<f64>]) -> Result<(), String> {
    let (age, life_time) = (particle[0].unwrap_or(0.0), particle[1].unwrap_or(0.0));
    if life_time - age > CLOSE {
        return Err(format!("age {age} of {life_time}"));
    }
    seen.deaths_apart += 1;
    if seen.with_deaths_apart.last().is_none_or(|last| last != name) {
        seen.with_deaths_apart.push(name.to_owned());
    }
    Ok(())
}

/// As a share of the size, or of 1; columns that do not exist hold nothing.
fn difference(a: Option<f64>, b: Option<f64>) -> f64 {
    let (Some(a), Some(b)) = (a, b) else {
        return if a == b { 0.0 } else { f64::INFINITY };
    };
    // What binary32 cannot hold is infinite there.
    let same = a == b || (a.is_nan() && b.is_nan()) || f64::from(a as f32) == b;
    if same { 0.0 } else { (a - b).abs() / a.abs().max(1.0) }
}
