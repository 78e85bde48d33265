//! The graphs that cases start from.

use std::fs;
use std::path::{Path, PathBuf};

use super::json::Json;
use super::random::Random;

/// What only the editor reads: dropped, so that changes hit what matters.
const NOISE: [&str; 8] = [
    "visibleOnFrame",
    "isExposedOnFrame",
    "exposedPortPosition",
    "outputs",
    "inputName",
    "groupInInspector",
    "displayInInspector",
    "editorData",
];

/// Longer ones are read once, not half a million times.
const MOST_BYTES: usize = 12_000;

/// Graphs as trees, in the order of their paths.
pub(crate) struct Seeds {
    graphs: Vec<Json>,
}

impl Seeds {
    /// Reads all graphs below `fixtures/graphs`.
    pub(crate) fn load() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/graphs");
        let mut paths = Vec::new();
        collect(&root, &mut paths);
        paths.sort();
        let graphs: Vec<Json> = paths.iter().filter_map(|path| read(path)).collect();
        assert!(graphs.len() > 200, "fixtures are missing");
        Self { graphs }
    }

    pub(crate) fn pick(&self, random: &mut Random) -> &Json {
        random.pick(&self.graphs)
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
}

fn read(path: &Path) -> Option<Json> {
    let value: serde_json::Value =
        serde_json::from_slice(&fs::read(path).expect("a graph")).expect("JSON");
    let blocks = Json::from(value.get("blocks")?);
    let mut graph = Json::map([("blocks", blocks)]);
    graph.visit(&mut |value| NOISE.iter().for_each(|noise| value.remove(noise)));
    (graph.to_string().len() <= MOST_BYTES).then_some(graph)
}
