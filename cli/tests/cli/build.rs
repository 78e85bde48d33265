//! `build` and `explain`: every stage can be looked at.

use std::fs;

use crate::{fixture, folder, fountain, names, printed, refused, run};

fn built(emit: &str) -> String {
    printed(&["build", &fountain(), "--emit", emit])
}

#[test]
fn shows_every_stage() {
    assert!(built("listing").starts_with("system: block 1 \"fountain\"\n"));
    assert!(built("dot").starts_with("digraph particles {\n"));
    assert!(built("ir").starts_with("program \"fountain\" exact capacity 200 {\n"));
    assert!(built("opt").len() < built("ir").len());
    assert!(built("rust").contains("pub mod fountain"));
    let wgsl = printed(&["build", &fountain(), "--emit", "wgsl", "--profile", "parallel"]);
    assert!(wgsl.contains("@compute"));
}

#[test]
fn dumps_behind_a_pass() {
    let graph = fountain();
    let (first, last) = (
        printed(&["build", &graph, "--dump-after", "fold"]),
        printed(&["build", &graph, "--dump-after", "dead-items"]),
    );
    assert!(first.starts_with("program ") && first.len() > last.len());
    assert!(first.len() < built("ir").len());
    let said = refused(&["build", &graph, "--dump-after", "magic"], 2);
    assert!(said.contains("fold") && said.contains("dead-items"), "{said}");
    refused(&["build", &graph, "--dump-after", "fold", "--emit", "ir"], 2);
}

#[test]
fn wgsl_needs_parallel() {
    let said = refused(&["build", &fountain(), "--emit", "wgsl"], 2);
    assert!(said.contains("--profile parallel"), "{said}");
    let flags = ["--profile", "parallel", "--random", "sine"];
    refused(&[&["build", &fountain(), "--emit", "wgsl"], &flags[..]].concat(), 2);
}

#[test]
fn several_results_go_to_a_folder() {
    let graph = fixture("graphs/lifecycle/systems_share_blocks.json");
    let folder = folder("kernels");
    let path = folder.join("wgsl");
    let flags = ["--emit", "wgsl", "--profile", "parallel", "-o", path.to_str().unwrap()];
    printed(&[&["build", &graph], &flags[..]].concat());
    assert_eq!(names(&path), ["0.wgsl", "1.wgsl"]);
    let one = folder.join("one.wgsl");
    let flags = ["--emit", "wgsl", "--profile", "parallel", "-o", one.to_str().unwrap()];
    printed(&[&["build", &fountain()], &flags[..]].concat());
    assert!(fs::read_to_string(one).unwrap().contains("@compute"));
}

#[test]
fn observed_state_keeps_columns() {
    let graph = fountain();
    let build = |observe| printed(&["build", &graph, "--emit", "opt", "--observe", observe]);
    assert!(build("state").contains("column id u32"));
    assert!(!build("render").contains("column id u32"));
    assert_eq!(build("render"), built("opt"));
}

#[test]
fn explains_what_became_of_a_graph() {
    let text = printed(&["explain", &fountain()]);
    assert!(text.starts_with("60 blocks, 60 used by 1 system\n"), "{text}");
    for part in ["a particle is ", " bytes in ", "birth lowered", "birth optimized", "folded away"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let plumbing = printed(&["explain", &fixture("graphs/plumbing/elbow_values.json")]);
    assert!(plumbing.contains("(plumbing: its wires are direct now)"), "{plumbing}");
}

#[test]
fn tells_how_long_stages_take() {
    for (emit, profile, stages) in [
        ("listing", "exact", &["parse and normalize", "compiler"][..]),
        ("opt", "exact", &["lowering", "passes"]),
        ("manifest", "parallel", &["passes", "WGSL", "validation by naga", "driver"]),
    ] {
        let flags = ["--emit", emit, "--profile", profile, "--timings"];
        let output = run(&[&["build", &fountain()], &flags[..]].concat());
        assert!(output.status.success(), "{output:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        for stage in stages {
            let line = told.lines().find(|line| line.starts_with(stage));
            let time = line.and_then(|line| line.strip_prefix(stage)?.trim().strip_suffix(" ms"));
            let time: f64 = time.unwrap_or_else(|| panic!("{stage}: {told}")).parse().unwrap();
            assert!(time > 0.0, "{told}");
        }
        // Without the flag nothing is told, and the result is the same.
        let plain = printed(&[&["build", &fountain()], &flags[..4]].concat());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), plain);
    }
}

#[test]
fn constants_stay_open() {
    let graph = fountain();
    let built = |emit, profile| {
        let flags = ["--input", "Gravity", "--input", "Value 1", "--profile", profile];
        printed(&[&["build", &graph, "--emit", emit], &flags[..]].concat())
    };
    let ir = built("opt", "exact");
    assert!(ir.contains("  input gravity \"Gravity\" = 0.0 -1.9 0.0\n"), "{ir}");
    assert!(ir.contains("  uniform input.gravity.y = input.2.1\n"), "{ir}");
    assert!(built("rust", "exact").contains("pub gravity: [f64; 3],"));
    assert!(built("wgsl", "parallel").contains("input_gravity_y: f32,"));
    let manifest: serde_json::Value = serde_json::from_str(&built("manifest", "parallel")).unwrap();
    let names: Vec<_> = manifest["inputs"].as_array().unwrap().iter().collect();
    // Both blocks of the name, numbered in file order.
    assert_eq!(names.len(), 3);
    assert_eq!((&names[0]["name"], &names[1]["name"]), (&"value_1".into(), &"value_1_2".into()));
    assert_eq!(names[2]["initial"], serde_json::json!([0, -1.9, 0]));
    let plain = printed(&["build", &graph, "--emit", "manifest", "--profile", "parallel"]);
    assert!(!plain.contains("\"inputs\""));
    let said = refused(&["build", &graph, "--emit", "ir", "--input", "Gravitation"], 1);
    assert!(said.contains("G231"), "{said}");
}
