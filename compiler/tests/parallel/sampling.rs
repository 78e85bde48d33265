//! Samples of Exact and Parallel: instances that each have a seed of their own.

use std::path::Path;
use std::sync::Arc;

use crate::fixtures::{module, play, recording, systems};
use crate::moments::{Sample, compare};
use pyrograph_compiler::ir::{Block, Module, Profile, Stmt, Valid};
use pyrograph_numeric::mix;
use serde_json::Value;

/// SplitMix64, the stream of Exact here.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The particles of some instances after some steps.
pub(crate) fn sample(
    module: &Arc<Valid<Module>>,
    instances: u32,
    steps: u64,
    recording: &Value,
) -> Result<Sample, String> {
    let mut sample = Sample::default();
    for instance in 0..instances {
        let mut stream = Stream(u64::from(instance) << 32);
        let mut systems = systems(module, recording, mix(instance));
        play(&mut systems, recording, steps, &mut || stream.next(), |_, _| {})?;
        // The systems of a file share nothing but the stream.
        for system in &systems {
            sample.add(system);
        }
    }
    Ok(sample)
}

/// Whether the module draws in Exact.
fn draws(module: &Module) -> bool {
    fn any(block: &Block) -> bool {
        block.iter().any(|statement| match &statement.kind {
            Stmt::Draw { .. } => true,
            Stmt::If { then, otherwise, .. } => any(then) || any(otherwise),
            _ => false,
        })
    }
    module.programs.iter().any(|program| program.bodies().any(|(_, body)| any(&body.block)))
}

/// How far apart the samples of one fixture are.
pub(crate) struct Found {
    particles: usize,
    worst: (f64, String),
}

/// Compares Parallel with Exact on a fixture, run as it was recorded; `None` where nothing is drawn
/// or Parallel refuses.
pub(crate) fn fixture(
    name: &str,
    path: &Path,
    instances: u32,
    limit: f64,
) -> Result<Option<Found>, String> {
    let exact = module(path, Profile::Exact).unwrap();
    let Some(parallel) = module(path, Profile::Parallel).filter(|_| draws(&exact)) else {
        return Ok(None);
    };
    let recording = recording(name);
    let steps = recording["steps"].as_u64().unwrap_or(60);
    let of = |module| sample(module, instances, steps, &recording);
    let compared = of(&exact).and_then(|exact| {
        let parallel = of(&parallel)?;
        let worst = compare(&exact, &parallel, limit, f64::INFINITY)?;
        Ok(Found { particles: parallel.particles(), worst })
    });
    compared.map(Some).map_err(|problem| format!("{name}: {problem}"))
}

/// What was seen of all fixtures.
#[derive(Debug, Default)]
pub(crate) struct Agreement {
    pub(crate) fixtures: usize,
    pub(crate) particles: usize,
    /// Standard errors, and of what.
    pub(crate) worst: (f64, String),
}

impl Agreement {
    pub(crate) fn add(&mut self, name: &str, found: Found) {
        self.fixtures += 1;
        self.particles += found.particles;
        if found.worst.0 > self.worst.0 {
            self.worst = (found.worst.0, format!("{name}, {}", found.worst.1));
        }
    }
}
