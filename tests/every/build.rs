//! Lists the fixtures: one call of `every!` a graph and profile. The graphs themselves are compiled by
//! the macro; here only the names of their systems are asked for.
#![expect(clippy::unwrap_used, reason = "a build may end at the first surprise")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use pyrograph_compiler::emit::rust::module_names;
use pyrograph_compiler::ir::Profile;
use pyrograph_compiler::{Options, compile};

fn main() {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    let fixtures = manifest.join("../../fixtures");
    let graphs = fixtures.join("graphs");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", graphs.display());
    let refusals = fixtures.join("expected/refusals.txt");
    println!("cargo::rerun-if-changed={}", refusals.display());
    let refusals = fs::read_to_string(refusals).unwrap();
    let refused: Vec<&str> =
        refusals.lines().filter_map(|line| Some(line.split_once(": ")?.0)).collect();

    let mut names = Vec::new();
    collect(&graphs, &graphs, &mut names);
    names.sort();
    let is_kept = |name: &&String| !refused.contains(&name.as_str());
    let parallel: Vec<&String> = names.iter().filter(is_kept).collect();
    let all: Vec<&String> = names.iter().collect();
    for (profile, names) in [("exact", all), ("parallel", parallel)] {
        let mut text = format!("const COUNT: usize = {};\n", names.len());
        for name in names {
            let systems = systems(&graphs.join(format!("{name}.json"))).join(", ");
            let module = name.replace('/', "_");
            writeln!(
                text,
                "every! {{ {profile} {module} {name:?} \
                 \"../../fixtures/graphs/{name}.json\" [{systems}] }}"
            )
            .unwrap();
        }
        fs::write(out.join(format!("{profile}.rs")), text).unwrap();
    }
}

/// The names of all graphs, as `family/name`.
fn collect(root: &Path, folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, names);
        } else {
            let name = path.strip_prefix(root).unwrap().with_extension("");
            names.push(name.to_str().unwrap().to_owned());
        }
    }
}

/// The modules of a file's systems.
fn systems(path: &Path) -> Vec<String> {
    let compiled = compile(&fs::read(path).unwrap(), &Options::new(Profile::Exact));
    let compiled = compiled.map_err(|found| format!("{}: {found:?}", path.display()));
    module_names(&compiled.expect("fixtures compile").module)
}
