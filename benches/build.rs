//! Compiles each bench graph for four sizes and both profiles into `OUT_DIR`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use pyrograph_compiler::emit::rust::{RustOptions, text};
use pyrograph_compiler::ir::{Body, Expr, Module, Profile, Stmt, Storage};
use pyrograph_compiler::{Options, compile};

const WORKLOADS: [&str; 4] = ["fountain", "math", "attractor", "births"];
const SIZES: [(&str, usize); 4] =
    [("1k", 1_000), ("10k", 10_000), ("100k", 100_000), ("1m", 1_000_000)];
const PROFILES: [(&str, Profile); 2] = [("exact", Profile::Exact), ("parallel", Profile::Parallel)];

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    for workload in WORKLOADS {
        let path = format!("graphs/{workload}_10k.json");
        println!("cargo::rerun-if-changed={path}");
        let text = fs::read_to_string(&path)?;
        for (size, alive) in SIZES {
            let graph = resized(&text, alive).ok_or(format!("{path} has no rate or capacity"))?;
            fs::write(out.join(format!("{workload}_{size}.json")), &graph)?;
            for (name, profile) in PROFILES {
                let code = out.join(format!("{workload}_{size}_{name}.rs"));
                write_code(&graph, profile, &code)?;
            }
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// The graph with another number of particles: capacity and rate are multiplied.
fn resized(text: &str, alive: usize) -> Option<String> {
    let factor = alive as f64 / 10_000.0;
    let text = text.replace("\"capacity\":10000", &format!("\"capacity\":{alive}"));
    let key = "\"name\":\"emitRate\",\"valueType\":\"number\",\"value\":";
    let start = text.find(key)? + key.len();
    let end = start + text[start..].find(['}', ','])?;
    let rate: f64 = text[start..end].parse().ok()?;
    Some(format!("{}{}{}", &text[..start], rate * factor, &text[end..]))
}

fn write_code(graph: &str, profile: Profile, path: &Path) -> Result<(), Box<dyn Error>> {
    let options = Options { profile, ..Options::default() };
    let module = compile(graph.as_bytes(), &options)
        .map_err(|errors| format!("a bench graph does not compile: {errors:?}"))?
        .module;
    let code = text(&module, &RustOptions::default())?;
    let bytes = traffic(&module).ok_or("a bench graph has one system")?;
    let facts = format!(
        "/// Bytes that an update reads and writes of each particle.\npub const TRAFFIC: usize = {bytes};\n"
    );
    fs::write(path, format!("{facts}{code}"))?;
    Ok(())
}

/// Bytes of a particle that an update moves: each column that it loads, each column that it always
/// stores, and the flag, which is read and written.
fn traffic(module: &Module) -> Option<usize> {
    let [program] = module.programs.as_slice() else { return None };
    let update = &program.update;
    let moved = |wanted: &dyn Fn(&Body, usize) -> bool| -> usize {
        let columns = program.columns.iter().enumerate();
        columns
            .filter(|(index, (_, column))| column.constant.is_none() && wanted(update, *index))
            .map(|(_, (_, column))| bytes(column.storage))
            .sum()
    };
    let loads = |body: &Body, index: usize| {
        let is_load = |expr| matches!(expr, Expr::Load(column) if column.index() == index);
        body.values.iter().any(|(_, value)| is_load(value.expr))
    };
    let stores = |body: &Body, index: usize| {
        let is_store =
            |kind: &Stmt| matches!(kind, Stmt::Store(column, _) if column.index() == index);
        body.block.iter().any(|statement| is_store(&statement.kind))
    };
    Some(moved(&loads) + moved(&stores) + 2)
}

fn bytes(storage: Storage) -> usize {
    match storage {
        Storage::F64 => 8,
        Storage::F32 | Storage::U32 => 4,
        Storage::U16 => 2,
        Storage::U8 => 1,
    }
}
