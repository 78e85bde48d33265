//! `check`: what it finds and how it says so.

use serde_json::Value;

use crate::{errors, fixture, fountain, printed, refused, run};

#[test]
fn says_what_it_checked() {
    let graph = fountain();
    let text = printed(&["check", &graph]);
    assert_eq!(text, format!("{graph}: fine; checked 1 system, 60 blocks, profile exact\n"));
    let text = printed(&["check", &graph, "--profile", "parallel"]);
    assert!(text.ends_with("profile parallel\n"), "{text}");
}

#[test]
fn warnings_are_no_failure() {
    let graph = fixture("errors/W303/fields.json");
    let text = printed(&["check", &graph]);
    assert!(
        text.contains("warning[W303]") && text.contains(": 3 warnings; checked 1 system"),
        "{text}"
    );
}

#[test]
fn checks_all_files() {
    let (good, bad) = (fountain(), fixture("errors/G203/two_blocks.json"));
    let output = run(&["check", &bad, "missing.json", &good]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("error[G203]") && text.contains(&format!("{good}: fine")), "{text}");
    assert!(errors(&output).contains("cannot read missing.json"));
}

#[test]
fn prints_json() {
    let (good, bad) = (fountain(), fixture("errors/G203/two_blocks.json"));
    let output = run(&["check", &good, &bad, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["files"], serde_json::json!([good, bad]));
    assert_eq!(found["errors"], 1);
    assert_eq!(found["diagnostics"][0]["code"], "G203");
    assert_eq!(found["diagnostics"][0]["place"]["file"], 1);
    assert_eq!(found["checked"][0]["blocks"], 60);
    assert_eq!(found["checked"][1]["systems"], Value::Null);
}

#[test]
fn explains_codes() {
    let text = printed(&["check", "--explain", "g201"]);
    assert!(text.starts_with("error[G201]: ") && text.contains("\nhelp: "), "{text}");
    assert!(text.lines().count() > 4);
    let said = refused(&["check", "--explain", "G999"], 2);
    assert!(said.contains("G201") && said.contains("W305"), "{said}");
    refused(&["check", &fountain(), "--explain", "G201"], 2);
}

/// Each reason for which Parallel refuses a graph, and the refused fixture.
#[test]
fn explains_what_parallel_refuses() {
    let reasons = [
        ("errors/L401/rate_of_particle.json", "value that the whole system shares", 8),
        ("errors/L401/snapshot_of_particle.json", "whichever particle comes first", 5),
        ("errors/L401/lock_of_particle.json", "its bounds depend on a particle", 5),
        ("errors/L401/shapes_of_particle.json", "more than one shape", 5),
        ("errors/L401/before_first_call.json", "read before the first call", 4),
        ("departures/rate_of_particle.json", "value that the whole system shares", 8),
    ];
    for (file, reason, block) in reasons {
        let file = fixture(file);
        printed(&["check", &file]);
        let output = run(&["check", &file, "--profile", "parallel"]);
        assert_eq!(output.status.code(), Some(1), "{file}");
        let text = String::from_utf8_lossy(&output.stdout);
        for part in ["error[L401]", "has no Parallel form", reason, "help: compile for the Exact"] {
            assert!(text.contains(part), "{file}: {part} is missing in\n{text}");
        }
        assert!(text.contains(&format!("block {block} \"")), "{file}: {text}");
    }
}
