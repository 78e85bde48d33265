//! The graphs of `fixtures/graphs` and how their recordings were made.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::driver::System;
use crate::generator;
use crate::picture;
use pyrograph_compiler::interpret::{Camera, Instance, Texels};
use pyrograph_compiler::ir::{BodyBuilder, Module, Profile, Program, Valid, ValueId, validate};
use pyrograph_compiler::{Options, compile};
use serde_json::Value;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// Names and paths of all graphs, in order.
pub(crate) fn graphs() -> Vec<(String, PathBuf)> {
    let named = below("graphs");
    assert!(named.len() > 300, "fixtures are missing");
    named
}

/// The graphs of a folder of fixtures.
pub(crate) fn below(folder: &str) -> Vec<(String, PathBuf)> {
    let folder = root().join(folder);
    let mut open = vec![folder.clone()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                found.push(path);
            }
        }
    }
    let name = |path: &Path| {
        let name = path.strip_prefix(&folder).unwrap().with_extension("");
        name.components()
            .map(|part| part.as_os_str().to_str().unwrap())
            .collect::<Vec<_>>()
            .join("/")
    };
    let mut named: Vec<_> = found.into_iter().map(|path| (name(&path), path)).collect();
    named.sort();
    named
}

/// How the recording of a fixture was made; nothing where there is none.
pub(crate) fn recording(name: &str) -> Value {
    let path = root().join("states").join(format!("{name}.json"));
    fs::read(path).map_or(Value::Null, |bytes| serde_json::from_slice(&bytes).unwrap())
}

/// A compiled fixture; `None` where the profile refuses it.
pub(crate) fn module(path: &Path, profile: Profile) -> Option<Arc<Valid<Module>>> {
    let compiled = compile(&fs::read(path).unwrap(), &Options::new(profile)).ok()?;
    Some(Arc::new(compiled.module))
}

/// A graph of the generator, compiled as Parallel, and how it runs.
pub(crate) fn generated(seed: u64) -> (Arc<Valid<Module>>, Value) {
    let case = generator::case(seed);
    let text = case.graph.to_string();
    let compiled = compile(text.as_bytes(), &Options::new(Profile::Parallel))
        .unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}"));
    (Arc::new(compiled.module), case.recording)
}

/// The module of Parallel with something else in the place of a function with one result:
/// `draw_unit` gives the 24 bits of each draw, `draw_key` what they have in common for all particles.
pub(crate) fn with_function(
    module: &Valid<Module>,
    name: &str,
    write: impl Fn(&mut BodyBuilder, &Program) -> ValueId,
) -> Arc<Valid<Module>> {
    let mut module = (**module).clone();
    for program in &mut module.programs {
        let Some(found) = program.functions.find(|function| function.name == name) else {
            continue;
        };
        let mut body = BodyBuilder::default();
        let bits = write(&mut body, program);
        program.functions[found].body = body.finish(vec![bits]);
    }
    Arc::new(validate(module).unwrap())
}

/// The systems of a module, each as the recording has it.
pub(crate) fn systems(module: &Arc<Valid<Module>>, recording: &Value, seed: u32) -> Vec<System> {
    let systems = (0..module.programs.len()).map(|index| {
        let mut system = System::new(Instance::new(Arc::clone(module), index).unwrap());
        prepare(&mut system, recording);
        system.uniforms.seed = seed.wrapping_add(index as u32);
        system
    });
    systems.collect()
}

/// What stands still during the run: emitter, camera, pictures.
fn prepare(system: &mut System, recording: &Value) {
    if let Some(emitter) = recording.get("emitter") {
        system.uniforms.emitter_matrix[12..15].copy_from_slice(&numbers::<3>(emitter));
    }
    if let Some(camera) = recording.get("camera") {
        system.uniforms.camera = Some(Camera {
            position: numbers(&camera["position"]),
            view: numbers(&camera["view"]),
            view_projection: numbers(&camera["viewProjection"]),
        });
    }
    let textures: Vec<_> = system
        .instance
        .program()
        .textures
        .iter()
        .map(|(handle, texture)| {
            let picture = picture::decode(&texture.url, texture.flip);
            (handle, picture.and_then(|(width, height, bytes)| Texels::new(width, height, bytes)))
        })
        .collect();
    for (handle, texels) in textures {
        system.instance.set_texture(handle, texels);
    }
}

/// Runs the systems as the recording says, in Parallel without drawing; looks at them after each
/// step.
pub(crate) fn play(
    systems: &mut [System],
    recording: &Value,
    steps: u64,
    random: &mut dyn FnMut() -> f64,
    mut look: impl FnMut(u64, &[System]),
) -> Result<(), String> {
    for system in &mut *systems {
        system.start(random)?;
    }
    for step in 1..=steps {
        for system in &mut *systems {
            if let Some(schedule) = recording["emitterSchedule"].as_array()
                && let Some(matrix) = schedule.get(step as usize - 1)
            {
                system.uniforms.emitter_matrix = numbers(matrix);
            }
            if recording["stopAt"] == step {
                system.stop();
            }
            if recording["restartAt"] == step {
                system.start(random)?;
            }
        }
        let ratio = match recording["ratios"].as_array() {
            Some(ratios) => ratios[(step as usize - 1) % ratios.len()].as_f64().unwrap(),
            None => recording["ratio"].as_f64().unwrap_or(1.0),
        };
        for system in &mut *systems {
            system.animate(ratio, random)?;
        }
        look(step, systems);
    }
    Ok(())
}

fn numbers<const N: usize>(list: &Value) -> [f64; N] {
    let list: Vec<f64> = list.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    list.try_into().unwrap()
}
