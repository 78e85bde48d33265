//! The graphs of the fixtures, compiled as Parallel.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyrograph::gpu::GpuSystem;
use pyrograph_compiler::ir::{Module, Profile, Valid};
use pyrograph_compiler::{Options, compile};

use super::pair::{Agree, DEVICE, Pair, noise};

/// Folders of graphs with their stride: each kernel costs a software adapter about 0.1 s, so only
/// some of many similar graphs run.
const FOLDERS: [(&str, usize); 11] = [
    ("canonical", 1),
    ("change", 2),
    ("condition", 4),
    ("emitter", 5),
    ("generated", 10),
    ("gradient", 2),
    ("lifecycle", 4),
    ("random", 2),
    ("scenes", 2),
    ("shape", 4),
    ("update", 3),
];

/// How many graphs have a Parallel form at least: a test of none would be green.
const ENOUGH: usize = 25;

fn graphs(folder: &str, stride: usize) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/graphs").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files.into_iter().step_by(stride).collect()
}

/// Long enough for deaths and reused slots.
fn steps(folder: &str) -> u32 {
    if folder == "canonical" { 200 } else { 40 }
}

/// `None` where the graph has no Parallel form.
fn parallel(file: &Path) -> Option<Arc<Valid<Module>>> {
    let bytes = std::fs::read(file).unwrap();
    let options = Options::new(Profile::Parallel);
    compile(&bytes, &options).ok().map(|compiled| Arc::new(compiled.module))
}

#[test]
fn fixtures_agree_with_the_interpreter() {
    let (device, queue) = &*DEVICE;
    let mut ran = 0;
    for (folder, stride) in FOLDERS {
        for file in graphs(folder, stride) {
            let Some(module) = parallel(&file) else { continue };
            println!("{}", file.display());
            for index in 0..module.programs.len() {
                let gpu = GpuSystem::new(device, queue, &module, index, 7);
                let gpu = gpu.unwrap_or_else(|error| panic!("{error}"));
                let mut pair = Pair::around(gpu, &module, index, 7);
                for texture in 0..pair.cpu.textures().len() {
                    pair.set_texture(texture, noise(8, 8));
                }
                for _ in 0..steps(folder) {
                    pair.step(1.0);
                }
                pair.compare(Agree::Nearly);
            }
            ran += 1;
        }
    }
    assert!(ran >= ENOUGH, "only {ran} graphs have a Parallel form");
}
