//! Flags and formats of `simulate`.

use std::fs;

use serde_json::Value;

use crate::{errors, feed, fixture, folder, fountain, names, printed, refused, run};

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

#[test]
fn two_runs_are_equal() {
    let graph = fountain();
    let run = |random| printed(&["simulate", &graph, "--steps", "50", "--random", random]);
    assert_eq!(run("pcg:7"), run("pcg:7"));
    assert_ne!(run("pcg:7"), run("pcg:8"));
    assert_eq!(run("pcg:0"), printed(&["simulate", &graph, "--steps", "50"]));
    let parallel =
        |random| printed(&["simulate", &graph, "--profile", "parallel", "--random", random]);
    assert_eq!(parallel("pcg:7"), parallel("pcg:7"));
    assert_ne!(parallel("pcg:7"), parallel("pcg:8"));
}

#[test]
fn json_is_the_default_in_a_pipe() {
    let graph = fountain();
    let state = json(&["simulate", &graph, "--steps", "3"]);
    let system = &state["systems"][0];
    assert_eq!(system["name"], "fountain");
    assert_eq!(system["alive"], system["particles"].as_array().unwrap().len());
    assert!(state.get("step").is_none());
}

#[test]
fn a_series_names_its_steps() {
    let graph = fountain();
    let text = printed(&["simulate", &graph, "--steps", "10", "--every", "4"]);
    let steps: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["step"].clone())
        .collect();
    assert_eq!(steps, [4, 8]);
    let table = printed(&["simulate", &graph, "--steps", "4", "--every", "2", "--format", "table"]);
    assert!(table.starts_with("step 2\nfountain: ") && table.contains("\n\nstep 4\n"), "{table}");
    assert!(refused(&["simulate", &graph, "--every", "0"], 2).contains("--every"));
    let last = printed(&["simulate", &graph, "--steps", "4", "--every", "4"]);
    assert!(last.starts_with("{\"step\":4,") && last.lines().count() == 1, "{last}");
    let said = refused(&["simulate", &graph, "--steps", "4", "--every", "5"], 2);
    assert!(said.contains("`--every 5` would print nothing in 4 steps"), "{said}");
    let said = refused(&["simulate", &graph, "--steps", "1", "--every", "2"], 2);
    assert!(said.contains("nothing in 1 step:"), "{said}");
}

#[test]
fn csv_has_a_line_a_particle() {
    let graph = fixture("graphs/lifecycle/two_systems.json");
    let steps = ["--steps", "40"];
    let text = printed(&[&["simulate", &graph, "--format", "csv"], &steps[..]].concat());
    let state = json(&[&["simulate", &graph], &steps[..]].concat());
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[..6], ["step", "system", "name", "id", "age", "lifeTime"]);
    let mut expected = Vec::new();
    for (index, system) in state["systems"].as_array().unwrap().iter().enumerate() {
        for particle in system["particles"].as_array().unwrap() {
            expected.push((index.to_string(), particle.clone()));
        }
    }
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), expected.len());
    for (row, (system, particle)) in rows.iter().zip(&expected) {
        assert_eq!(row.len(), header.len());
        assert_eq!((row[0], row[1]), ("40", system.as_str()));
        assert_eq!(row[3], particle["id"].to_string());
        let y = header.iter().position(|heading| *heading == "position.y").unwrap();
        let value: f64 = row[y].parse().unwrap();
        assert_eq!(Some(value), particle["position"][1].as_f64());
    }
    let none = printed(&["simulate", &graph, "--steps", "0", "--format", "csv", "--every", "1"]);
    assert_eq!(none.lines().count(), 1, "{none}");
}

#[test]
fn the_table_has_a_line_a_particle() {
    let text = printed(&["simulate", &fountain(), "--steps", "30", "--format", "table"]);
    let mut lines = text.lines();
    let alive: usize = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    assert!(lines.next().unwrap().trim_start().starts_with("id "));
    assert!(alive > 0);
    assert_eq!(lines.count(), alive);
}

#[test]
fn the_emitter_moves_the_particles() {
    let graph = fountain();
    let at = |flags: &[&str]| {
        let run = [&["simulate", &graph, "--steps", "1", "--random", "sine"][..], flags].concat();
        let state = json(&run);
        [0, 1, 2]
            .map(|axis| state["systems"][0]["particles"][0]["position"][axis].as_f64().unwrap())
    };
    let base = at(&[]);
    let moved = at(&["--emitter", "-1,0,2"]);
    for (axis, offset) in [-1.0, 0.0, 2.0].into_iter().enumerate() {
        assert!((moved[axis] - base[axis] - offset).abs() < 1e-6, "{base:?} {moved:?}");
    }
    let matrix = "1,0,0,0,0,1,0,0,0,0,1,0,-1,0,2,1";
    assert_eq!(at(&["--emitter-matrix", matrix]), moved);
    assert_eq!(at(&["--emitter-matrix=1,0,0,0,0,1,0,0,0,0,1,0,-1,0,2,1"]), moved);
}

#[test]
fn wrong_motion_is_refused() {
    let graph = fountain();
    let folder = folder("motion");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let schedule = |path: &str| refused(&["simulate", &graph, "--emitter-schedule", path], 1);
    assert!(schedule(&file("none.json", "{}")).contains("no array `emitterSchedule`"));
    assert!(schedule(&file("empty.json", r#"{"emitterSchedule":[]}"#)).contains("no entry"));
    let short = file("short.json", r#"{"emitterSchedule":[[1,2]]}"#);
    assert!(schedule(&short).contains("entry 0 of `emitterSchedule` is not 16 numbers"));
    assert!(schedule(&file("text.json", "x")).contains("cannot read"));
    assert!(refused(&["simulate", &graph, "--emitter", "1,2"], 2).contains("give 3 numbers"));
    assert!(refused(&["simulate", &graph, "--emitter", "1,2,inf"], 2).contains("finite"));
    let both = ["simulate", &graph, "--emitter", "0,0,0", "--emitter-schedule", &short];
    assert!(refused(&both, 2).contains("cannot be used with"));
    assert!(refused(&["simulate", &graph, "--ratio", "1,x"], 2).contains("finite"));
}

#[test]
fn impossible_combinations_are_usage_errors() {
    let graph = fountain();
    let run = |flags: &[&str]| refused(&[&["simulate", graph.as_str()], flags].concat(), 2);
    assert!(run(&["--backend", "gpu"]).contains("--profile parallel"));
    assert!(run(&["--profile", "parallel", "--random", "sine"]).contains("no order"));
    assert!(run(&["--random", "pcg:-1"]).contains("whole number"));
    assert!(run(&["--random", "mersenne"]).contains("give `sine`"));
    assert!(run(&["--format", "xml"]).contains("possible values: json, table, csv"));
    assert!(run(&["--steps", "-1"]).contains("--steps"));
}

#[test]
fn the_gpu_does_what_the_interpreter_does() {
    let graph = fixture("graphs/lifecycle/stop.json");
    let run = |backend| {
        json(&[
            "simulate",
            &graph,
            "--profile",
            "parallel",
            "--backend",
            backend,
            "--random",
            "pcg:3",
            "--steps",
            "60",
            "--stop-at",
            "40",
        ])
    };
    let (cpu, gpu) = (run("interpreter"), run("gpu"));
    let ids = |state: &Value| -> Vec<Value> {
        let particles = state["systems"][0]["particles"].as_array().unwrap();
        particles.iter().map(|particle| particle["id"].clone()).collect()
    };
    assert!(!ids(&cpu).is_empty());
    assert_eq!(ids(&cpu), ids(&gpu));
}

#[test]
fn the_gpu_reads_pictures_too() {
    let graph = fixture("graphs/update/noise.json");
    let positions = |backend| -> Vec<f64> {
        let flags = ["--profile", "parallel", "--backend", backend, "--steps", "30"];
        let state = json(&[&["simulate", graph.as_str()], &flags[..]].concat());
        let particles = state["systems"][0]["particles"].as_array().unwrap().iter();
        let axes = particles.flat_map(|particle| particle["position"].as_array().unwrap().clone());
        axes.map(|axis| axis.as_f64().unwrap()).collect()
    };
    let (cpu, gpu) = (positions("interpreter"), positions("gpu"));
    assert!(!cpu.is_empty() && cpu.len() == gpu.len());
    // Without the picture they are apart by some hundredths.
    assert!(cpu.iter().zip(&gpu).all(|(a, b)| (a - b).abs() < 1e-3), "{cpu:?} {gpu:?}");
}

#[test]
fn reads_standard_input_and_writes_files() {
    let bytes = fs::read(fountain()).unwrap();
    let piped = feed(&["simulate", "-", "--steps", "20"], &bytes);
    let expected = printed(&["simulate", &fountain(), "--steps", "20"]);
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), expected);
    let folder = folder("output");
    let path = folder.join("state.json");
    fs::write(&path, "old").unwrap();
    let printed =
        printed(&["simulate", &fountain(), "--steps", "20", "-o", path.to_str().unwrap()]);
    assert_eq!(printed, "");
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    assert_eq!(names(&folder), ["state.json"]);
}

#[test]
fn textures_come_from_files_too() {
    let graph = fixture("graphs/update/noise.json");
    let mut file: Value = serde_json::from_slice(&fs::read(&graph).unwrap()).unwrap();
    let block = file["blocks"].as_array_mut().unwrap().iter_mut();
    let block = block.into_iter().find(|block| block["name"] == "Noise").unwrap();
    let data = block["textureDataUrl"].take();
    block["url"] = "pictures/noise.png".into();
    let encoded = data.as_str().unwrap().split_once(',').unwrap().1;
    let folder = folder("textures");
    let moved = folder.join("graph.json").to_str().unwrap().to_owned();
    fs::write(&moved, file.to_string()).unwrap();
    let expected = printed(&["simulate", &graph, "--steps", "30"]);

    let output = run(&["simulate", &moved, "--steps", "30"]);
    assert!(output.status.success());
    let said = errors(&output);
    assert!(said.starts_with("warning: blocks") && said.contains("pictures/noise.png"), "{said}");
    assert_ne!(String::from_utf8(output.stdout).unwrap(), expected);

    fs::create_dir_all(folder.join("pictures")).unwrap();
    fs::write(folder.join("pictures/noise.png"), decode(encoded)).unwrap();
    assert_eq!(printed(&["simulate", &moved, "--steps", "30"]), expected);
    let elsewhere = crate::folder("textures_elsewhere");
    let base = elsewhere.to_str().unwrap();
    let output = run(&["simulate", &moved, "--steps", "30", "--texture-base", base]);
    assert!(errors(&output).contains(base));
    fs::create_dir_all(elsewhere.join("pictures")).unwrap();
    fs::write(elsewhere.join("pictures/noise.png"), "no picture").unwrap();
    let output = run(&["simulate", &moved, "--steps", "30", "--texture-base", base]);
    assert!(errors(&output).contains("no PNG, JPEG or WebP picture"), "{}", errors(&output));
}

#[test]
fn names_of_pictures_are_from_strangers() {
    let graph = fixture("graphs/update/noise.json");
    let mut file: Value = serde_json::from_slice(&fs::read(&graph).unwrap()).unwrap();
    let folder = folder("strange_pictures");
    let path = folder.join("graph.json").to_str().unwrap().to_owned();
    let mut said = |url: &str| {
        let mut blocks = file["blocks"].as_array_mut().unwrap().iter_mut();
        let block = blocks.find(|block| block["name"] == "Noise").unwrap();
        block["textureDataUrl"].take();
        block["url"] = url.into();
        fs::write(&path, file.to_string()).unwrap();
        let output = run(&["simulate", &path, "--steps", "1"]);
        assert!(output.status.success());
        errors(&output)
    };
    let steering = said("\u{1b}]0;x\u{7}\u{202e}.png");
    assert!(steering.contains("\\u{1b}]0;x\\u{7}\\u{202e}.png: "), "{steering}");
    assert!(!steering.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{steering}");
    let endless = said(&"x".repeat(1 << 20));
    assert!(endless.contains('…') && endless.len() < 1000, "{}", endless.len());
    // Like a pipe, which would never end.
    assert!(said(".").contains("it is no ordinary file"));
}

fn decode(base64: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<u32> =
        base64.chars().filter_map(|c| DIGITS.find(c).map(|digit| digit as u32)).collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let bits = group.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - group.len()));
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}

#[test]
fn start_delays_are_told() {
    let text = fs::read_to_string(fountain()).unwrap();
    let delayed = text.replacen("\"startDelay\":0", "\"startDelay\":250", 1);
    assert_ne!(delayed, text);
    let output = feed(&["simulate", "-", "--steps", "3"], delayed.as_bytes());
    assert!(errors(&output).contains("wait 250 ms"), "{}", errors(&output));
    let expected = printed(&["simulate", &fountain(), "--steps", "3"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn systems_that_do_not_start_are_started() {
    let text = fs::read_to_string(fountain()).unwrap();
    let idle = text.replacen("\"doNoStart\":false", "\"doNoStart\":true", 1);
    assert_ne!(idle, text);
    let output = feed(&["simulate", "-", "--steps", "3"], idle.as_bytes());
    assert!(errors(&output).contains("not to start it"), "{}", errors(&output));
    let expected = printed(&["simulate", &fountain(), "--steps", "3"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn constants_take_other_values() {
    let graph = fountain();
    let highest = |flags: &[&str]| {
        let state = json(&[&["simulate", &graph, "--steps", "40"], flags].concat());
        let particles = state["systems"][0]["particles"].as_array().unwrap().clone();
        let heights = particles.iter().map(|particle| particle["position"][1].as_f64().unwrap());
        heights.fold(f64::NEG_INFINITY, f64::max)
    };
    let parallel = ["--profile", "parallel"];
    let gpu = ["--profile", "parallel", "--backend", "gpu"];
    for profile in [&[][..], &parallel, &gpu] {
        let set = |value| highest(&[profile, &["--input", value]].concat());
        assert_eq!(set("Gravity=0,-1.9,0"), highest(profile), "{profile:?}");
        assert!(set("Gravity=0,20,0") > highest(profile) + 1.0, "{profile:?}");
    }
    // One that only new particles read, beside another.
    let both = highest(&["--input", "Gravity=0,0,0", "--input", "Max Lifetime=0.41"]);
    assert!(both < highest(&["--input", "Gravity=0,0,0"]), "{both}");

    let said = refused(&["simulate", &graph, "--input", "Gravitation=1"], 1);
    assert!(said.contains("G231") && said.contains("\"Gravity\""), "{said}");
    let said = refused(&["simulate", &graph, "--input", "Gravity=1"], 2);
    assert!(said.contains("input \"gravity\" has 3 numbers, and 1 was given"), "{said}");
    let said = refused(&["simulate", &graph, "--input", "Gravity"], 2);
    assert!(said.contains("Gravity=0,-9.81,0"), "{said}");
}
