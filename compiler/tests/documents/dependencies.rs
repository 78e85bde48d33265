//! `docs/install.md` counts dependencies as cargo does.

use std::collections::BTreeSet;
use std::process::Command;

use crate::{keep, read, root};

/// The one target that the page counts for.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Crates of others that a package brings to a target with some flags.
fn crates(target: &str, package: &str, flags: &str) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--edges", "normal", "--prefix", "none"]);
    cargo.args(["--target", target, "--package", package]).args(flags.split_whitespace());
    let output = cargo.current_dir(root()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{package} {flags}: {said}");
    let tree = String::from_utf8(output.stdout).unwrap();
    // `name vVERSION`, and a path behind it for crates of this repository.
    let lines = tree.lines().filter(|line| !line.is_empty() && !line.contains("(/"));
    lines.map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[cfg(unix)]
#[test]
fn counts_are_cargos() {
    let page = read("docs/install.md");
    let mut rows = 0;
    let lines = page.lines().map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", package, flags, _, ""] = cells[..] else { return format!("{line}\n") };
        let Some(package) = package.strip_prefix('`') else { return format!("{line}\n") };
        rows += 1;
        let count = crates(TARGET, package.trim_matches('`'), flags.trim_matches('`')).len();
        let flags = if flags.is_empty() { String::new() } else { format!("{flags} ") };
        format!("| `{package} | {flags}| {count} |\n")
    });
    let text: String = lines.collect();
    assert!(rows > 5, "only {rows} rows");
    keep("docs/install.md", &text);
}

#[test]
fn wasm_needs_no_other_crates() {
    let [linux, wasm] = [TARGET, "wasm32-unknown-unknown"]
        .map(|target| crates(target, "pyrograph-compiler", "--all-features"));
    assert!(wasm.iter().any(|name| name.starts_with("psm ")), "{wasm:?}");
    assert!(wasm.is_subset(&linux), "{:?}", wasm.difference(&linux));
}
