//! Every example of the pages below prints what the page says. Run with `PYROGRAPH_BLESS=1` to write
//! the outputs anew, then read the difference.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::folder;

/// Pages whose `console` examples are run, each in an empty folder of its own. Examples that cannot be
/// run stand as `sh`, or on other pages.
const PAGES: &[&str] = &["command", "doors", "performance", "profiles", "stages", "start"];

#[test]
fn examples_print_what_the_pages_say() {
    for name in PAGES {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/{name}.md"));
        let text = fs::read_to_string(&page).unwrap();
        let found = with_outputs(&text, &folder(&format!("docs-{name}")));
        assert!(found.contains("\n$ pyrograph "), "{name} has no example");
        if std::env::var_os("PYROGRAPH_BLESS").is_some_and(|value| value == "1") {
            fs::write(page, found).unwrap();
        } else {
            assert!(found == text, "{name} differs; it should be:\n{found}");
        }
    }
}

/// The page, with what its examples print when they are run in a folder.
fn with_outputs(text: &str, folder: &Path) -> String {
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
            found.push_str(&format!("{line}\n{}", run(command, folder)));
        }
    }
    found
}

/// What a command line prints, run in a folder by a shell that finds the binary.
fn run(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_pyrograph")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{command} 2>&1")]).current_dir(folder).env("PATH", path);
    String::from_utf8(shell.output().unwrap().stdout).unwrap()
}
