//! What `docs/` and the pages at the root say of the repository holds: paths and links lead somewhere,
//! excerpts are in the files that they are taken from, and pages that are made of the compiler's tables
//! are what the tables make. Run with `PYROGRAPH_BLESS=1` to write these anew.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may end at the first surprise")]

mod blocks;
mod dependencies;
mod descriptions;
mod diagnostics;
mod excerpts;
mod links;
mod paths;

use std::fs;
use std::path::{Path, PathBuf};

/// Where the files of the repository are that are no part of the book.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Compares a page with what it should be, or writes it.
fn keep(path: &str, text: &str) {
    if std::env::var_os("PYROGRAPH_BLESS").is_some_and(|value| value == "1") {
        fs::write(root().join(path), text).unwrap();
    }
    let found = fs::read_to_string(root().join(path)).unwrap_or_default();
    let line = found.lines().zip(text.lines()).position(|(a, b)| a != b);
    let line = line.unwrap_or(found.lines().count().min(text.lines().count())) + 1;
    let should = text.lines().nth(line - 1);
    assert!(found == text, "line {line} of {path} should be {should:?}; see PYROGRAPH_BLESS");
}
