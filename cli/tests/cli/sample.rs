//! `sample`: graphs that work.

use std::fs;

use crate::{feed, fixture, folder, printed, refused};

/// Samples and the fixtures that they are.
const SAMPLES: [(&str, &str); 7] = [
    ("fountain", "canonical/fountain"),
    ("attractor", "canonical/attractor"),
    ("colors", "gradient/colors"),
    ("sprites", "sprite/loop"),
    ("noise", "scenes/scene281"),
    ("plumbing", "scenes/scene305"),
    ("systems", "lifecycle/two_systems"),
];

#[test]
fn lists_them_all() {
    let list = printed(&["sample"]);
    let names: Vec<&str> =
        list.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(names, SAMPLES.map(|(name, _)| name));
    let said = refused(&["sample", "rain"], 2);
    assert!(said.contains("`rain`") && said.contains("fountain"), "{said}");
}

#[test]
fn samples_are_fixtures_and_run() {
    for (name, path) in SAMPLES {
        let text = printed(&["sample", name]);
        let fixture = fs::read_to_string(fixture(&format!("graphs/{path}.json"))).unwrap();
        assert_eq!(text, fixture, "{name}");
        let output = feed(&["simulate", "-", "--steps", "100"], text.as_bytes());
        let state = String::from_utf8(output.stdout).unwrap();
        assert!(state.contains("\"id\":"), "{name}: {state}");
    }
}

#[test]
fn writes_files() {
    let path = folder("sample").join("sparks.json");
    printed(&["sample", "colors", "-o", path.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(path).unwrap(), printed(&["sample", "colors"]));
    refused(&["sample", "-o", "x.json"], 2);
}
