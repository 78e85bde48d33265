//! Runs graphs with products apart and with all products fused that may be.

use std::sync::Arc;

use crate::fixtures::{generated, play, systems};
use pyrograph_compiler::interpret::Instance;
use pyrograph_compiler::ir::{Const, Module, Type, Valid};
use serde_json::Value;

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

/// What was seen of the differences.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) graphs: usize,
    /// Graphs of which some bit differs.
    pub(crate) changed: usize,
    pub(crate) numbers: usize,
}

impl Seen {
    pub(crate) fn add(&mut self, other: &Self) {
        self.graphs += other.graphs;
        self.changed += other.changed;
        self.numbers += other.numbers;
    }
}

/// Whether both runs decide alike, and their numbers are close.
pub(crate) fn run_both(module: &Arc<Valid<Module>>, recording: &Value) -> Result<Seen, String> {
    let steps = recording["steps"].as_u64().unwrap_or(60);
    let run = |fused: bool| {
        let mut systems = systems(module, recording, 7);
        for system in &mut systems {
            system.instance.set_fused(fused);
        }
        let mut states = Vec::new();
        let end = play(&mut systems, recording, steps, &mut || 0.0, |_, systems| {
            let mut all = State::default();
            for system in systems {
                state(&system.instance, &mut all);
            }
            states.push(all);
        });
        (end, states)
    };
    let ((end, apart), (other_end, fused)) = (run(false), run(true));
    if end != other_end {
        return Err(format!("ends {end:?} and {other_end:?}"));
    }
    let mut seen = Seen { graphs: 1, changed: usize::from(apart != fused), numbers: 0 };
    for (step, (apart, fused)) in apart.iter().zip(&fused).enumerate() {
        seen.numbers += apart.floats.len();
        if apart.decided != fused.decided {
            return Err(format!("step {step}: decides otherwise"));
        }
        let mut floats = apart.floats.iter().zip(&fused.floats);
        if let Some((a, b)) = floats.find(|&(&a, &b)| !close(a, b)) {
            return Err(format!("step {step}: {a} and {b}"));
        }
    }
    Ok(seen)
}

/// The same for a graph of the generator.
pub(crate) fn run_both_of_seed(seed: u64) -> Result<Seen, String> {
    let (module, recording) = generated(seed);
    run_both(&module, &recording)
}
