//! Every example of `docs/command.md` prints what the page says. Run with `PYROGRAPH_BLESS=1` to write
//! the outputs anew, then read the difference.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::folder;

#[test]
fn examples_print_what_the_page_says() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/command.md");
    let text = fs::read_to_string(&page).unwrap();
    let folder = folder("docs");
    let mut found = String::new();
    let mut is_example = false;
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        if !is_example || is_fence {
            found.push_str(&format!("{line}\n"));
        }
        if is_fence {
            is_example = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_example) {
            found.push_str(&format!("{line}\n{}", run(command, &folder)));
        }
    }
    if std::env::var_os("PYROGRAPH_BLESS").is_some_and(|value| value == "1") {
        fs::write(page, found).unwrap();
    } else {
        assert!(found == text, "the page differs; it should be:\n{found}");
    }
}

/// What a command line prints, run in a folder by a shell that finds the binary.
fn run(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_pyrograph")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{command} 2>&1")]).current_dir(folder).env("PATH", path);
    String::from_utf8(shell.output().unwrap().stdout).unwrap()
}
