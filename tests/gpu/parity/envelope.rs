//! What a GPU may come to where decisions are inexact: between the interpreter's runs with quotients
//! and roots off by what WGSL leaves open, and products fused or not.

use pyrograph_compiler::interpret::Noise;
use pyrograph_compiler::ir::Const;

use super::case::Case;
use super::compare::is_near;
use super::hosts::{Cpu, Deviation, State};

/// The deviations: all one way, which moves each border as far as it goes, and by chance.
const NOISES: [Noise; 4] = [Noise::Up, Noise::Down, Noise::Random(1), Noise::Random(2)];

/// States of all runs, at each look.
pub(crate) struct Envelope(Vec<Vec<State>>);

impl Envelope {
    pub(crate) fn new(case: &Case) -> Self {
        let deviations = NOISES
            .iter()
            .flat_map(|&noise| [false, true].map(|fused| Deviation { noise: Some(noise), fused }));
        Self(deviations.map(|deviation| run(case, deviation)).collect())
    }

    fn states(&self, look: usize) -> impl Iterator<Item = &State> {
        self.0.iter().filter_map(move |run| run.get(look))
    }

    /// Whether so many ids may have been given.
    pub(crate) fn has_next_id(&self, look: usize, next_id: u64) -> bool {
        let ids: Vec<u64> = self.states(look).map(|state| state.next_id).collect();
        ids.iter().min() <= Some(&next_id) && Some(&next_id) <= ids.iter().max()
    }

    /// Whether a particle may live, or not.
    pub(crate) fn has_life(&self, look: usize, id: u32, lives: bool) -> bool {
        self.states(look).any(|state| state.particles.contains_key(&id) == lives)
    }

    /// Whether a particle may be in a slot.
    pub(crate) fn has_slot(&self, look: usize, id: u32, slot: u32) -> bool {
        let particle = |state: &'_ State| state.particles.get(&id).map(|particle| particle.slot);
        self.states(look).any(|state| particle(state) == Some(slot))
    }

    /// Whether a column may have a value, `wanted` being that of the run without noise.
    pub(crate) fn has_value(
        &self,
        look: usize,
        (id, column): (u32, usize),
        value: Const,
        wanted: Option<Const>,
    ) -> bool {
        let particles = self.states(look).filter_map(|state| state.particles.get(&id));
        let mut all: Vec<f64> =
            particles.map(|particle| particle.columns[column].to_f64()).collect();
        all.extend(wanted.map(Const::to_f64));
        let value = value.to_f64();
        if value.is_nan() {
            return all.iter().any(|other| other.is_nan());
        }
        let (low, high) = all
            .iter()
            .filter(|other| !other.is_nan())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &other| {
                (low.min(other), high.max(other))
            });
        (low..=high).contains(&value) || is_near(value, low) || is_near(value, high)
    }
}

fn run(case: &Case, deviation: Deviation) -> Vec<State> {
    let mut host = Cpu::new(case, deviation);
    let mut begin = 0;
    let mut states = Vec::new();
    for look in case.script.looks() {
        if case.script.play(begin..look, &mut host).is_err() {
            break;
        }
        states.push(host.state());
        begin = look;
    }
    states
}
