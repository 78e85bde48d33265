//! What must not matter does not: the order of blocks in a file, and when it is compiled.

use std::fs;

use pyrograph_compiler::diagnostic::render;
use pyrograph_compiler::explain::explain;
use pyrograph_compiler::graph::dot::Dot;
use pyrograph_compiler::graph::listing::Listing;
use pyrograph_compiler::ir::Profile;
use pyrograph_compiler::passes::Observe;
use pyrograph_compiler::{Options, compile, lower_file, read_file};
use serde_json::Value;

use crate::shorthand::{files, root};

const PROFILES: [Profile; 2] = [Profile::Exact, Profile::Parallel];

/// All graphs of the fixtures, by path.
fn graphs() -> Vec<(String, Vec<u8>)> {
    let folders = ["fixtures/graphs", "fixtures/departures", "fixtures/errors"];
    let mut graphs = Vec::new();
    for path in folders.into_iter().flat_map(files) {
        if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            graphs.push((name, fs::read(path).unwrap()));
        }
    }
    assert!(graphs.len() > 400, "fixtures are missing");
    graphs
}

/// The same file with its blocks in another order; the systems keep their order among themselves.
/// `None` where ids repeat: there the order means something.
fn shuffled(bytes: &[u8], seed: u64) -> Option<Vec<u8>> {
    let mut file: Value = serde_json::from_slice(bytes).ok()?;
    let blocks = file.get_mut("blocks")?.as_array_mut()?;
    let mut ids: Vec<f64> = blocks.iter().filter_map(|block| block["id"].as_f64()).collect();
    ids.sort_by(f64::total_cmp);
    if ids.len() < blocks.len() || ids.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    let is_system = |block: &Value| block["customType"] == "BABYLON.SystemBlock";
    let systems: Vec<Value> = blocks.iter().filter(|block| is_system(block)).cloned().collect();
    let mut state = seed;
    for last in (1..blocks.len()).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        blocks.swap(last, (state >> 33) as usize % (last + 1));
    }
    let places = blocks.iter_mut().filter(|block| is_system(block));
    for (place, system) in places.zip(systems) {
        *place = system;
    }
    Some(file.to_string().into_bytes())
}

/// What comes of a file: text of the IR, or messages without their places.
fn meaning(bytes: &[u8], profile: Profile) -> Result<String, Vec<String>> {
    match lower_file(bytes, profile) {
        Ok((module, warnings)) => {
            let mut messages: Vec<_> = warnings.iter().map(|found| &found.message).collect();
            messages.sort();
            Ok(format!("{module}\n{messages:?}"))
        }
        Err(found) => Err(found.iter().map(|found| found.message.clone()).collect()),
    }
}

#[test]
fn the_order_of_blocks_means_nothing() {
    let mut count = 0;
    for (seed, (name, bytes)) in (1..).zip(graphs()) {
        let Some(other) = shuffled(&bytes, seed) else { continue };
        count += 1;
        for profile in PROFILES {
            let (before, after) = (meaning(&bytes, profile), meaning(&other, profile));
            assert!(before == after, "{name}, {profile:?}: other blocks first");
        }
        let picture = |bytes: &[u8]| {
            read_file(bytes)
                .ok()
                .map(|(graph, _)| (Listing(&graph).to_string(), Dot(&graph).to_string()))
        };
        assert!(picture(&bytes) == picture(&other), "{name}: other pictures");
    }
    assert!(count > 390, "only {count} graphs could be shuffled");
}

/// Every text that the compiler makes of a file without a GPU.
fn texts(bytes: &[u8]) -> Vec<String> {
    let mut texts = Vec::new();
    if let Ok((graph, warnings)) = read_file(bytes) {
        texts.push(Listing(&graph).to_string());
        texts.push(Dot(&graph).to_string());
        texts.push(render::text(&warnings, &["f"], true));
    }
    for (profile, observe) in PROFILES.into_iter().zip([Observe::State, Observe::Render]) {
        texts.extend(lower_file(bytes, profile).ok().map(|(module, _)| module.to_string()));
        let options = Options { profile, observe, ..Options::default() };
        match compile(bytes, &options) {
            Ok(compiled) => {
                texts.push(compiled.module.to_string());
                if observe == Observe::State {
                    texts.push(explain(bytes, &options).unwrap().to_string());
                }
                #[cfg(feature = "rust")]
                texts.push(rust(&compiled.module));
            }
            Err(found) => {
                texts.push(render::text(&found, &["f"], false));
                texts.push(render::json(&found, &["f"]));
            }
        }
    }
    texts
}

#[cfg(feature = "rust")]
fn rust(module: &pyrograph_compiler::ir::Valid<pyrograph_compiler::ir::Module>) -> String {
    use pyrograph_compiler::emit::rust::{RustOptions, emit};
    emit(module, &RustOptions::default()).to_string()
}

#[test]
fn compiling_twice_gives_the_same_bytes() {
    for (name, bytes) in graphs() {
        assert!(texts(&bytes) == texts(&bytes), "{name}: other texts the second time");
    }
}
