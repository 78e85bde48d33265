//! Fixtures as hosts play them: what is done to the systems before each step.

use std::fs;
use std::path::Path;

use pyrograph::{Camera, Input};
use serde_json::Value;

/// A run of a graph: steps with their ratios, and what the host does before them.
pub(crate) struct Script {
    pub(crate) name: String,
    pub(crate) graph: Vec<u8>,
    pub(crate) steps: usize,
    fixture: Value,
}

impl Script {
    pub(crate) fn ratio(&self, step: usize) -> f64 {
        match self.fixture["ratios"].as_array() {
            Some(ratios) => ratios[step % ratios.len()].as_f64().unwrap(),
            None => self.fixture["ratio"].as_f64().unwrap_or(1.0),
        }
    }

    /// What the host does before this step, counted from 0, to all systems. Beyond the recorded steps
    /// the emitter goes its way again.
    pub(crate) fn inputs(&self, step: usize) -> Vec<Input> {
        let fixture = &self.fixture;
        let mut inputs = Vec::new();
        if step == 0 {
            if let Some(emitter) = fixture.get("emitter") {
                let [x, y, z] = numbers(emitter);
                let mut matrix = [0.0; 16];
                (matrix[0], matrix[5], matrix[10], matrix[15]) = (1.0, 1.0, 1.0, 1.0);
                matrix[12..15].copy_from_slice(&[x, y, z]);
                inputs.push(Input::Emitter(matrix));
            }
            if let Some(camera) = fixture.get("camera") {
                inputs.push(Input::Camera(Some(Camera {
                    position: numbers(&camera["position"]),
                    view: numbers(&camera["view"]),
                    view_projection: numbers(&camera["viewProjection"]),
                })));
            }
            inputs.push(Input::Start);
        }
        if let Some(schedule) = fixture["emitterSchedule"].as_array() {
            inputs.push(Input::Emitter(numbers(&schedule[step % schedule.len()])));
        }
        if fixture["stopAt"] == step + 1 {
            inputs.push(Input::Stop);
        }
        if fixture["restartAt"] == step + 1 {
            inputs.push(Input::Start);
        }
        inputs
    }

    /// The emitter's matrix at each step.
    pub(crate) fn moves(&self) -> Vec<[f64; 16]> {
        self.fixture["emitterSchedule"].as_array().unwrap().iter().map(numbers).collect()
    }

    /// Whether the emitter is elsewhere and turned otherwise at each step.
    pub(crate) fn turns(&self) -> bool {
        let moves = self.moves();
        let differ = |part: std::ops::Range<usize>| {
            moves.windows(2).all(|pair| pair[0][part.clone()] != pair[1][part.clone()])
        };
        moves.len() == self.steps && differ(0..12) && differ(12..15)
    }

    /// The state that was recorded after this step, counted from 0.
    pub(crate) fn recorded(&self, step: usize) -> Option<&Value> {
        let states = self.fixture["states"].as_array().unwrap();
        states.iter().find(|state| state["step"] == step + 1)
    }

    /// How far numbers may be from the recorded ones.
    pub(crate) fn tolerance(&self) -> f64 {
        self.fixture["tolerance"].as_f64().unwrap()
    }
}

/// The script of a fixture, `emitter/moving_cone.json`.
pub(crate) fn script(name: &str) -> Script {
    // Packages in other folders include this file.
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.map(|folder| folder.join("fixtures")).find(|root| root.is_dir()).unwrap();
    let fixture: Value =
        serde_json::from_slice(&fs::read(root.join("states").join(name)).unwrap()).unwrap();
    let graph = fs::read(root.join("graphs").join(name)).unwrap();
    let steps = fixture["steps"].as_u64().unwrap() as usize;
    Script { name: name.to_owned(), graph, steps, fixture }
}

fn numbers<const N: usize>(list: &Value) -> [f64; N] {
    let list: Vec<f64> = list.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    list.try_into().unwrap()
}
