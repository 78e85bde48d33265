//! What a person has set, and what is shown in return.

use std::f64::consts::TAU;
use std::path::PathBuf;

use pyrograph::compiler::ir::Profile;
use pyrograph::picture::ArcRotate;

use crate::orbit;

/// Radius of the circle of a moving emitter, and steps of a turn.
const CIRCLE: (f64, f64) = (1.5, 180.0);

/// What a person has set.
pub(crate) struct Settings {
    pub(crate) is_playing: bool,
    /// Emits no more.
    pub(crate) is_stopped: bool,
    /// How fast time goes by; 1 is 60 steps a second.
    pub(crate) speed: f64,
    pub(crate) seed: u64,
    /// Births a unit of time; `None` is what the graph says.
    pub(crate) rate: Option<f64>,
    pub(crate) emitter: [f64; 3],
    pub(crate) is_moving: bool,
    /// Red, green, blue.
    pub(crate) background: [u8; 3],
    pub(crate) profile: Profile,
    /// What is drawn instead of the graph's own pictures.
    pub(crate) picture: Option<PathBuf>,
    pub(crate) orbit: ArcRotate,
}

/// What is known of the running effect.
#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) step: u64,
    pub(crate) alive: u32,
    /// Of a step.
    pub(crate) milliseconds: Option<f64>,
    /// Of a particle.
    pub(crate) bytes: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            is_playing: true,
            is_stopped: false,
            speed: 1.0,
            seed: 0,
            rate: None,
            emitter: [0.0; 3],
            is_moving: false,
            background: [22, 24, 29],
            profile: Profile::Parallel,
            picture: None,
            orbit: orbit::start(),
        }
    }
}

impl Settings {
    /// The emitter's matrix in a step.
    pub(crate) fn emitter_at(&self, step: u64) -> [f64; 16] {
        let [mut x, y, mut z] = self.emitter;
        if self.is_moving {
            let (radius, steps) = CIRCLE;
            let turn = TAU * step as f64 / steps;
            x += radius * turn.cos();
            z += radius * turn.sin();
        }
        [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
    }
}
