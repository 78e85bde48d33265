//! Whole recorded runs, with all that varies in them, as flags.

use std::fs;

use serde_json::Value;

use crate::{fixture, printed};

/// Runs a fixture as its state file says; every recorded state must come out.
fn agrees(name: &str) {
    let path = fixture(&format!("states/{name}.json"));
    let recorded: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let lines =
        printed(&arguments(name, &path, &recorded).iter().map(String::as_str).collect::<Vec<_>>());
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let tolerance = recorded["tolerance"].as_f64().unwrap();
    for state in recorded["states"].as_array().unwrap() {
        let step = state["step"].as_u64().unwrap() as usize;
        let found = &lines[step - 1];
        assert_eq!(found["step"], state["step"], "{name}");
        compare(&found["systems"], &state["systems"], tolerance, &format!("{name}, step {step}"));
    }
}

fn arguments(name: &str, path: &str, recorded: &Value) -> Vec<String> {
    let graph = fixture(&format!("graphs/{name}.json"));
    let text = |key: &str| recorded[key].to_string();
    let mut arguments: Vec<String> =
        ["simulate", &graph, "--format", "json", "--every", "1"].map(String::from).to_vec();
    let mut flag = |flag: &str, value: String| arguments.extend([flag.to_owned(), value]);
    flag("--steps", text("steps"));
    flag("--random", recorded["random"].as_str().unwrap().to_owned());
    if recorded["ratios"].is_array() {
        flag("--ratio", list(&recorded["ratios"]));
    } else {
        flag("--ratio", text("ratio"));
    }
    if recorded["emitter"].is_array() {
        flag("--emitter", list(&recorded["emitter"]));
    }
    if recorded["emitterSchedule"].is_array() {
        flag("--emitter-schedule", path.to_owned());
    }
    if let Some(camera) = recorded.get("camera") {
        flag("--view-matrix", list(&camera["view"]));
        flag("--view-projection", list(&camera["viewProjection"]));
    }
    for (key, name) in [("stopAt", "--stop-at"), ("restartAt", "--restart-at")] {
        if let Some(step) = recorded[key].as_u64() {
            flag(name, (step - 1).to_string());
        }
    }
    arguments
}

fn list(numbers: &Value) -> String {
    let numbers = numbers.as_array().unwrap().iter().map(Value::to_string);
    numbers.collect::<Vec<_>>().join(",")
}

/// Ids and counts exactly, numbers within the tolerance.
fn compare(found: &Value, expected: &Value, tolerance: f64, place: &str) {
    match (found, expected) {
        (Value::Number(found), Value::Number(expected)) => {
            let (a, b) = (found.as_f64().unwrap(), expected.as_f64().unwrap());
            assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{place}: {a} {b}");
        }
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{place}");
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                compare(found, expected, tolerance, &format!("{place}/{index}"));
            }
        }
        (Value::Object(found), Value::Object(expected)) => {
            for (key, expected) in expected {
                let exact = ["id", "alive", "cellIndex"].contains(&key.as_str());
                let tolerance = if exact { 0.0 } else { tolerance };
                compare(&found[key], expected, tolerance, &format!("{place}/{key}"));
            }
        }
        _ => assert_eq!(found, expected, "{place}"),
    }
}

#[test]
fn canonical_graphs_agree() {
    agrees("canonical/fountain");
    agrees("canonical/attractor");
}

#[test]
fn ratios_agree() {
    for name in ["ratio_half", "ratio_large", "ratio_zero", "ratios"] {
        agrees(&format!("lifecycle/{name}"));
    }
}

#[test]
fn stops_and_restarts_agree() {
    for name in [
        "stop",
        "stop_and_drain",
        "restart",
        "restart_running",
        "restart_after_target",
        "target_stop",
    ] {
        agrees(&format!("lifecycle/{name}"));
    }
}

#[test]
fn several_systems_agree() {
    for name in ["two_systems", "three_systems", "systems_share_blocks"] {
        agrees(&format!("lifecycle/{name}"));
    }
}

#[test]
fn emitters_agree() {
    for name in ["moving_box", "jumping_box", "stretched_box", "vector_box", "moving_sphere"] {
        agrees(&format!("emitter/{name}"));
    }
}

#[test]
fn manual_emission_and_pre_warming_agree() {
    for name in ["manual_emit_count", "manual_emit_over_capacity", "pre_warm", "pre_warm_offset"] {
        agrees(&format!("extra/{name}"));
    }
}

#[test]
fn cameras_and_textures_agree() {
    for name in [
        "extra/camera_position",
        "extra/align_angle",
        "update/flow_map",
        "update/flow_map_upright",
        "update/noise",
        "update/noise_upright",
    ] {
        agrees(name);
    }
}
