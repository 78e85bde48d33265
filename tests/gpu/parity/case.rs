//! What runs on both: a system of a graph, and what a host does with it.

use std::path::Path;
use std::sync::Arc;

use pyrograph::{Camera, Texels, TextureFacts};
use pyrograph_compiler::ir::{Module, Profile, Valid};
use pyrograph_compiler::{Options, compile};
use serde_json::Value;

use crate::pair::noise;
use crate::{generator, picture};

/// One system and its run.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) module: Arc<Valid<Module>>,
    pub(crate) index: usize,
    pub(crate) script: Arc<Script>,
}

/// What a host does: a recording of a fixture, or of the generator.
pub(crate) struct Script {
    recording: Value,
    pub(crate) steps: usize,
    pub(crate) seed: u64,
}

/// Something that runs a script: either executor.
pub(crate) trait Host {
    fn start(&mut self);
    fn stop(&mut self);
    fn place(&mut self, matrix: [f64; 16]);
    fn see(&mut self, camera: Camera);
    /// One step; an error where an input has no value.
    fn step(&mut self, ratio: f64) -> Result<(), String>;
}

impl Script {
    /// Does everything up to and including these steps, counted from 0.
    pub(crate) fn play(
        &self,
        steps: std::ops::Range<usize>,
        host: &mut impl Host,
    ) -> Result<(), String> {
        let recording = &self.recording;
        for step in steps {
            if step == 0 {
                if let Some(emitter) = recording.get("emitter") {
                    let [x, y, z] = numbers(emitter);
                    let mut matrix = [0.0; 16];
                    (matrix[0], matrix[5], matrix[10], matrix[15]) = (1.0, 1.0, 1.0, 1.0);
                    matrix[12..15].copy_from_slice(&[x, y, z]);
                    host.place(matrix);
                }
                if let Some(camera) = recording.get("camera") {
                    host.see(Camera {
                        position: numbers(&camera["position"]),
                        view: numbers(&camera["view"]),
                        view_projection: numbers(&camera["viewProjection"]),
                    });
                }
                host.start();
            }
            if let Some(matrix) = recording["emitterSchedule"].get(step) {
                host.place(numbers(matrix));
            }
            if recording["stopAt"] == step + 1 {
                host.stop();
            }
            if recording["restartAt"] == step + 1 {
                host.start();
            }
            host.step(match recording["ratios"].as_array() {
                Some(ratios) => ratios[step % ratios.len()].as_f64().unwrap(),
                None => recording["ratio"].as_f64().unwrap_or(1.0),
            })?;
        }
        Ok(())
    }

    /// After how many steps states are compared.
    pub(crate) fn looks(&self) -> Vec<usize> {
        let looks = [self.steps / 20, self.steps / 3, self.steps];
        looks.into_iter().filter(|&step| step > 0).collect()
    }
}

/// The systems of all fixtures that Parallel accepts, as recorded, for so many steps.
pub(crate) fn fixtures(steps: usize) -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut cases = Vec::new();
    for name in ["graphs", "departures"].iter().flat_map(|folder| files(&root, folder)) {
        let graph = std::fs::read(root.join(&name)).unwrap();
        let recording = root.join("states").join(name.trim_start_matches("graphs/"));
        let recording = std::fs::read(recording)
            .map_or(Value::Null, |bytes| serde_json::from_slice(&bytes).unwrap());
        let Ok(compiled) = compile(&graph, &Options::new(Profile::Parallel)) else { continue };
        let script = Script { recording, steps, seed: 7 };
        cases.extend(systems(&name, compiled.module, script));
    }
    cases
}

/// The systems of a graph that nobody wrote.
pub(crate) fn generated(seed: u64) -> Vec<Case> {
    let generator::Case { graph, recording } = generator::case(seed);
    of_graph(&format!("seed {seed}"), &graph, recording, seed)
        .unwrap_or_else(|errors| panic!("seed {seed}: {errors}"))
}

/// The systems of a graph; what is wrong with it.
pub(crate) fn of_graph(
    name: &str,
    graph: &Value,
    recording: Value,
    seed: u64,
) -> Result<Vec<Case>, String> {
    let compiled = compile(graph.to_string().as_bytes(), &Options::new(Profile::Parallel))
        .map_err(|errors| format!("{errors:?}"))?;
    let steps = recording["steps"].as_u64().unwrap() as usize;
    Ok(systems(name, compiled.module, Script { recording, steps, seed }))
}

fn systems(name: &str, module: Valid<Module>, script: Script) -> Vec<Case> {
    let (module, script) = (Arc::new(module), Arc::new(script));
    let case = |index| Case {
        name: format!("{name} system {index}"),
        module: Arc::clone(&module),
        index,
        script: Arc::clone(&script),
    };
    (0..module.programs.len()).map(case).collect()
}

/// Paths of the graphs below a folder, in order.
fn files(root: &Path, folder: &str) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), vec![root.join(folder)]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// The picture of a texture: its own, or any.
pub(crate) fn pixels(texture: &TextureFacts<'_>) -> Texels {
    let own = picture::decode(texture.url, texture.flip);
    let own = own.and_then(|(width, height, bytes)| Texels::new(width, height, bytes));
    own.unwrap_or_else(|| noise(8, 8))
}

fn numbers<const N: usize>(list: &Value) -> [f64; N] {
    let list: Vec<f64> = list.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    list.try_into().unwrap()
}
