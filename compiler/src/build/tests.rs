use std::fs;
use std::path::{Path, PathBuf};

use super::{Graphs, Options, RustOptions, rust_text};

/// A crate's folder with these files, and what is written for a pattern.
struct Crate {
    folder: PathBuf,
    said: String,
}

impl Crate {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Self {
        let folder =
            std::env::temp_dir().join(format!("pyrograph-build-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for (path, bytes) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        Self { folder, said: String::new() }
    }

    fn write(&mut self, graphs: &Graphs) -> Result<(), String> {
        let out = self.folder.join("out");
        let written = graphs.write_files(&self.folder, &out, &mut self.said);
        written.map_err(|error| error.to_string())
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.join(path)).unwrap()
    }

    fn reruns(&self) -> Vec<String> {
        let lines =
            self.said.lines().filter_map(|line| line.strip_prefix("cargo::rerun-if-changed="));
        let inside =
            |line| Path::new(line).strip_prefix(&self.folder).unwrap().display().to_string();
        lines.map(inside).collect()
    }
}

impl Drop for Crate {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn fixture(path: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(path)).unwrap()
}

#[test]
fn each_graph_becomes_a_file_of_the_index() {
    let (fountain, attractor) =
        (fixture("graphs/canonical/fountain.json"), fixture("graphs/canonical/attractor.json"));
    let mut made = Crate::new(
        "index",
        &[
            ("graphs/Big fountain.json", &fountain),
            ("graphs/more/big_fountain.json", &attractor),
            ("graphs/notes.txt", b"not a graph"),
        ],
    );
    made.write(&Graphs::new("graphs/**/*.json")).unwrap();
    let index = made.read("out/pyrograph.rs");
    let modules: Vec<&str> =
        index.lines().filter_map(|line| line.strip_prefix("pub mod ")).collect();
    assert_eq!(modules, ["big_fountain {", "big_fountain_2 {"]);
    assert!(index.contains("The particle systems of `graphs/more/big_fountain.json`."), "{index}");
    let text = rust_text(&fountain, &made.folder, &Options::default(), &RustOptions::default());
    assert_eq!(made.read("out/pyrograph/big_fountain.rs"), text.unwrap().text);
    assert_eq!(
        made.reruns(),
        ["graphs", "graphs/Big fountain.json", "graphs/more/big_fountain.json"]
    );
}

#[test]
fn graphs_of_several_patterns_come_once() {
    let mut made = Crate::new("twice", &[("a.json", &fixture("graphs/canonical/fountain.json"))]);
    made.write(&Graphs::new("*.json").and("a.json").and("./a.*")).unwrap();
    assert_eq!(made.read("out/pyrograph.rs").matches("pub mod ").count(), 1);
}

#[test]
fn findings_of_all_graphs_are_told_at_once() {
    let broken = fixture("errors/G201/missing_block.json");
    let mut made = Crate::new("broken", &[("a.json", &broken), ("b.json", b"[")]);
    let error = made.write(&Graphs::new("a.json").and("b.json")).unwrap_err();
    assert!(error.contains("error[G201]") && error.contains("a.json:19:9  block 17"), "{error}");
    assert!(error.contains("error[P003]") && error.contains("b.json:1:"), "{error}");
    // Cargo looks at them again when they change.
    assert_eq!(made.reruns(), ["a.json", "b.json", "a.json", "b.json"]);
}

#[test]
fn patterns_that_name_nothing_are_errors() {
    let mut made = Crate::new("nothing", &[("a.txt", b"")]);
    let error = made.write(&Graphs::new("*.json")).unwrap_err();
    assert!(error.starts_with("\"*.json\" names no file"), "{error}");
    assert!(made.write(&Graphs::new("[")).unwrap_err().contains("the pattern \"[\""));
}

#[test]
fn pictures_become_part_of_the_code() {
    let text = String::from_utf8(fixture("graphs/update/flow_map.json")).unwrap();
    let start = text.find("data:image").unwrap();
    let end = start + text[start..].find('"').unwrap();
    let graph = text.replace(&text[start..end], "pictures/flow.png");
    let mut made = Crate::new("pictures", &[("graphs/flow.json", graph.as_bytes())]);
    made.write(&Graphs::new("graphs/flow.json")).unwrap();
    assert!(!made.read("out/pyrograph/flow.rs").contains("include_bytes"));
    fs::create_dir(made.folder.join("graphs/pictures")).unwrap();
    fs::write(made.folder.join("graphs/pictures/flow.png"), b"a picture").unwrap();
    made.folder = fs::canonicalize(&made.folder).unwrap();
    made.said.clear();
    made.write(&Graphs::new("graphs/flow.json")).unwrap();
    assert!(made.read("out/pyrograph/flow.rs").contains("graphs/pictures/flow.png"));
    assert!(made.reruns().contains(&"graphs/pictures/flow.png".to_owned()), "{}", made.said);
}
