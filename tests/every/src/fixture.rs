//! A fixture: a graph, and what the recording of its states did while it ran.

use std::fs;
use std::path::{Path, PathBuf};

use pyrograph::{Camera, Random, StepError, Texels};
use serde_json::Value;

use crate::picture;
use crate::systems::Systems;

/// One file of `fixtures/graphs` with its recording in `fixtures/states`, whose fields
/// `fixtures/oracle/README.md` describes.
pub struct Fixture {
    graph: PathBuf,
    steps: usize,
    ratios: Vec<f64>,
    emitter: Option<[f64; 16]>,
    /// The emitter's matrix in each step.
    schedule: Vec<[f64; 16]>,
    camera: Option<Camera>,
    stop_at: Option<usize>,
    restart_at: Option<usize>,
    has_particles: bool,
}

impl Fixture {
    pub(crate) fn read(name: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
        let states = fs::read(root.join("states").join(format!("{name}.json"))).unwrap();
        let states: Value = serde_json::from_slice(&states).unwrap();
        let number = |key: &str| states.get(key).map(|value| value.as_u64().unwrap() as usize);
        let ratios = match states.get("ratios") {
            Some(ratios) => list(ratios),
            None => vec![states["ratio"].as_f64().unwrap_or(1.0)],
        };
        let emitter = states.get("emitter").map(|place| {
            let mut matrix = [0.0; 16];
            for diagonal in [0, 5, 10, 15] {
                matrix[diagonal] = 1.0;
            }
            matrix[12..15].copy_from_slice(&list(place));
            matrix
        });
        let schedule = states
            .get("emitterSchedule")
            .map(|schedule| schedule.as_array().unwrap().iter().map(numbers).collect());
        let camera = states.get("camera").map(|camera| Camera {
            position: numbers(&camera["position"]),
            view: numbers(&camera["view"]),
            view_projection: numbers(&camera["viewProjection"]),
        });
        let has_particles = |state: &Value| {
            let systems = state["systems"].as_array().unwrap();
            systems.iter().any(|system| system["alive"].as_u64().unwrap() > 0)
        };
        Self {
            graph: root.join("graphs").join(format!("{name}.json")),
            steps: number("steps").unwrap(),
            ratios,
            emitter,
            schedule: schedule.unwrap_or_default(),
            camera,
            stop_at: number("stopAt"),
            restart_at: number("restartAt"),
            has_particles: states["states"].as_array().unwrap().iter().any(has_particles),
        }
    }

    pub(crate) fn graph(&self) -> Vec<u8> {
        fs::read(&self.graph).unwrap()
    }

    /// Steps that were recorded.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// Whether any recorded state has any.
    pub(crate) fn has_particles(&self) -> bool {
        self.has_particles
    }

    /// Sets what stands still during the run: emitter, camera, pictures.
    pub(crate) fn furnish(&self, systems: &mut dyn Systems) {
        let picture = |url: &str, flip: bool| {
            let (width, height, bytes) = picture::decode(url, flip)?;
            Texels::new(width, height, bytes)
        };
        systems.visit(&mut |system| {
            if let Some(matrix) = self.emitter {
                system.place(matrix);
            }
            if let Some(camera) = self.camera {
                system.look_from(camera);
            }
            system.fill(&picture);
        });
    }

    /// Makes a step, counted from 0. Beyond the recorded ones the emitter goes its way again.
    pub(crate) fn step(
        &self,
        step: usize,
        systems: &mut dyn Systems,
        random: &mut dyn Random,
    ) -> Result<(), StepError> {
        systems.visit(&mut |system| {
            if let Some(matrix) = self.schedule.get(step % self.schedule.len().max(1)) {
                system.place(*matrix);
            }
            if self.stop_at == Some(step + 1) {
                system.stop_one();
            }
            if self.restart_at == Some(step + 1) {
                system.start_one();
            }
        });
        systems.step(self.ratios[step % self.ratios.len()], random)
    }
}

fn list(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    list(value).try_into().unwrap()
}
