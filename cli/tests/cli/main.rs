//! Runs the real binary: flags, exit codes, pipes, and states against those recorded from
//! Babylon.js.
#![expect(clippy::unwrap_used, reason = "a test may end at the first surprise")]

mod build;
mod check;
mod docs;
mod fetch;
mod manners;
mod render;
mod sample;
mod simulate;
mod states;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The binary with some arguments, not started.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pyrograph"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the binary to its end.
fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Runs the binary with bytes on standard input.
fn feed(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A command that does not read all of it closes the pipe.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Standard output of a run that must succeed.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", errors(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// What a run that must fail with this exit code says.
fn refused(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", errors(&output));
    errors(&output)
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file of the fixtures.
fn fixture(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    root.join(path).to_str().unwrap().to_owned()
}

fn fountain() -> String {
    fixture("graphs/canonical/fountain.json")
}

/// An empty folder for a test of this name.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
