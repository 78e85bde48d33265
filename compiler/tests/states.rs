//! Every graph of `fixtures/graphs` run by the interpreter, compared with the states that the real
//! Babylon.js recorded (`fixtures/states`; its fields are described in `fixtures/oracle/README.md`).

#[path = "states/compare.rs"]
mod compare;
#[path = "states/driver.rs"]
mod driver;
#[path = "states/picture.rs"]
mod picture;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use driver::System;
use pyrograph_compiler::interpret::{Camera, Instance, Texels};
use pyrograph_compiler::ir::{Module, Profile, Valid, validate};
use pyrograph_compiler::lower_file;
use pyrograph_compiler::passes::{self, Observe};
use serde_json::Value;

#[test]
fn recorded_states() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let mut names = Vec::new();
    collect(&root.join("states"), &mut names);
    names.sort();
    assert!(names.len() > 300, "fixtures are missing");
    let mut failures = Vec::new();
    for path in &names {
        let name = path.strip_prefix(root.join("states")).expect("below it");
        if let Err(problem) = run(&root.join("graphs").join(name), path) {
            failures.push(format!("{}: {problem}", name.display()));
        }
    }
    println!("{} of {} fixtures agree", names.len() - failures.len(), names.len());
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}

/// Graphs that Babylon.js runs differently (`fixtures/departures`) run, but for the one that the
/// contract refuses.
#[test]
fn departures_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/departures");
    let mut graphs = Vec::new();
    collect(&folder, &mut graphs);
    graphs.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    assert!(!graphs.is_empty(), "fixtures are missing");
    for path in graphs {
        let result = simulate(&path);
        if path.ends_with("local_position_in_world.json") {
            let error = result.expect_err("only local systems have local positions");
            assert!(error.contains("LocalPositionUpdated requires SystemBlock.isLocal"), "{error}");
        } else {
            assert_eq!(result, Ok(()), "{}", path.display());
        }
    }
}

fn simulate(path: &Path) -> Result<(), String> {
    let module = Arc::new(compile(path)?);
    let mut random = sine();
    for index in 0..module.programs.len() {
        let mut system = System::new(Instance::new(module.clone(), index).expect("a program"));
        prepare(&mut system, &Value::Null);
        system.start(&mut random)?;
        for _ in 0..60 {
            system.animate(1.0, &mut random)?;
        }
    }
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn compile(path: &Path) -> Result<Valid<Module>, String> {
    let bytes = fs::read(path).expect("a graph");
    let lowered = lower_file(&bytes, Profile::Exact);
    let (module, _) = lowered.map_err(|found| format!("{found:?}"))?;
    validate(module).map_err(|invalid| invalid.to_string())
}

/// Runs one fixture as it is lowered, and optimized; the error names the first difference.
fn run(graph: &Path, states: &Path) -> Result<(), String> {
    let fixture: Value = serde_json::from_slice(&fs::read(states).expect("states")).expect("JSON");
    let module = compile(graph)?;
    let options = passes::Options { observe: Observe::State };
    let optimized = passes::run(module.clone().into_inner(), &options);
    let optimized = optimized.map_err(|error| error.to_string())?;
    play(module, &fixture)?;
    play(optimized, &fixture).map_err(|problem| format!("optimized, {problem}"))
}

fn play(module: Valid<Module>, fixture: &Value) -> Result<(), String> {
    let module = Arc::new(module);
    let mut systems: Vec<System> = (0..module.programs.len())
        .map(|index| System::new(Instance::new(module.clone(), index).expect("a program")))
        .collect();
    let mut random = sine();
    for system in &mut systems {
        prepare(system, fixture);
        system.start(&mut random)?;
    }
    let steps = fixture["steps"].as_u64().expect("steps");
    for step in 1..=steps {
        for system in &mut systems {
            if let Some(schedule) = fixture["emitterSchedule"].as_array() {
                system.uniforms.emitter_matrix = numbers(&schedule[step as usize - 1]);
            }
            if fixture["stopAt"] == step {
                system.stop();
            }
            if fixture["restartAt"] == step {
                system.start(&mut random)?;
            }
        }
        for system in &mut systems {
            system.animate(ratio(fixture, step), &mut random)?;
        }
        let recorded = fixture["states"].as_array().expect("states");
        if let Some(recorded) = recorded.iter().find(|state| state["step"] == step) {
            let tolerance = fixture["tolerance"].as_f64().unwrap_or(1e-4);
            compare::systems(&systems, recorded, tolerance)
                .map_err(|problem| format!("step {step}, {problem}"))?;
        }
    }
    Ok(())
}

/// The generator of the recordings (spec section 13.1).
fn sine() -> impl FnMut() -> f64 {
    let mut seed = 0.0;
    move || {
        seed += 1.0;
        let value = f64::sin(seed) * 10000.0;
        value - value.floor()
    }
}

/// What stands still during the run: emitter, camera, pictures.
fn prepare(system: &mut System, fixture: &Value) {
    if let Some(emitter) = fixture.get("emitter") {
        let [x, y, z] = numbers(emitter);
        system.uniforms.emitter_matrix[12..15].copy_from_slice(&[x, y, z]);
    }
    if let Some(camera) = fixture.get("camera") {
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

fn ratio(fixture: &Value, step: u64) -> f64 {
    match fixture["ratios"].as_array() {
        Some(ratios) => ratios[(step as usize - 1) % ratios.len()].as_f64().expect("a ratio"),
        None => fixture["ratio"].as_f64().unwrap_or(1.0),
    }
}

fn numbers<const N: usize>(list: &Value) -> [f64; N] {
    let list: Vec<f64> =
        list.as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
    list.try_into().expect("a list of that length")
}
