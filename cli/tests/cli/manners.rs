//! Exit codes, pipes and files that no graph should be.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{command, errors, feed, folder, fountain, names, printed, refused, run};

const COMMANDS: [&str; 5] = ["simulate", "check", "build", "explain", "sample"];

/// Each subcommand that takes a graph, with what else it needs.
fn takers(graph: &str) -> [Vec<&str>; 4] {
    [
        vec!["simulate", graph],
        vec!["check", graph],
        vec!["build", graph, "--emit", "opt"],
        vec!["explain", graph],
    ]
}

#[test]
fn help_teaches() {
    for name in COMMANDS {
        let help = printed(&[name, "--help"]);
        assert!(help.contains("Examples:") && help.contains("pyrograph "), "{help}");
    }
    let help = printed(&["--help"]);
    for name in COMMANDS {
        assert!(help.contains(name), "{help}");
    }
    let simulate = printed(&["simulate", "--help"]);
    for default in
        ["[default: exact]", "[default: pcg:0]", "[default: interpreter]", "[default: 60]"]
    {
        assert!(simulate.contains(default), "{simulate}");
    }
    assert!(printed(&["--version"]).starts_with("pyrograph "));
}

#[test]
fn wrong_usage_is_exit_2() {
    refused(&[], 2);
    refused(&["simulate"], 2);
    refused(&["melt"], 2);
    refused(&["build", &fountain()], 2);
    refused(&["check"], 2);
}

#[test]
fn unreadable_files_are_exit_1() {
    let folder = folder("unreadable");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    fs::write(path("empty.json"), "").unwrap();
    fs::write(path("latin1.json"), b"{\"blocks\":[\"\xe4\"]}").unwrap();
    fs::write(path("list.json"), "[]").unwrap();
    for graph in ["missing.json", "empty.json", "latin1.json", "list.json", "."] {
        let graph = path(graph);
        for arguments in takers(&graph) {
            let output = run(&arguments);
            assert_eq!(output.status.code(), Some(1), "{arguments:?}");
            let said = errors(&output) + &String::from_utf8(output.stdout).unwrap();
            assert!(said.contains("error") && said.contains(&graph), "{arguments:?}: {said}");
            assert!(!said.contains("panicked"), "{said}");
        }
    }
}

#[test]
fn huge_systems_are_no_surprise() {
    let text = fs::read_to_string(fountain()).unwrap();
    let folder = folder("huge");
    let path = folder.join("huge.json").to_str().unwrap().to_owned();
    for capacity in ["2147483648", "4294967296", "1e300", "0", "0.5"] {
        let huge = text.replacen("\"capacity\":200", &format!("\"capacity\":{capacity}"), 1);
        assert_ne!(huge, text);
        fs::write(&path, huge).unwrap();
        for arguments in takers(&path) {
            let output = run(&arguments);
            let code = output.status.code();
            assert!(code == Some(0) || code == Some(1), "{arguments:?}: {}", errors(&output));
            assert!(!errors(&output).contains("panicked"), "{}", errors(&output));
        }
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let graph = fountain();
    let arguments = ["simulate", &graph, "--steps", "100000", "--every", "1"];
    let mut command = command(&arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"step\":1,"));
    // The reader is gone now.
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(errors(&output), "");
}

#[test]
fn nothing_half_written_stays() {
    let folder = folder("half");
    let missing = folder.join("missing/state.json");
    let graph = fountain();
    let said = refused(&["simulate", &graph, "-o", missing.to_str().unwrap()], 1);
    assert!(said.contains("cannot write"), "{said}");
    let said = refused(&["simulate", &graph, "-o", folder.to_str().unwrap()], 1);
    assert!(said.contains("it is a folder"), "{said}");
    assert!(names(&folder).is_empty());
    let file = folder.join("file").to_str().unwrap().to_owned();
    fs::write(&file, "kept").unwrap();
    let several = ["build", &graph, "--emit", "glsl", "--profile", "parallel", "-o", &file];
    let film =
        ["render", &graph, "--adapter", "raster", "--size", "8x8", "--frames", "2", "-o", &file];
    for arguments in [&several[..], &film] {
        let said = refused(arguments, 1);
        assert!(said.contains("it is no folder"), "{said}");
    }
    assert_eq!((names(&folder).len(), fs::read_to_string(&file).unwrap().as_str()), (1, "kept"));
}

#[test]
fn any_place_that_can_be_written_is() {
    let folder = folder("places");
    let expected = printed(&["sample", "noise"]);
    let write = |name: &str| {
        let place = folder.join(name);
        printed(&["sample", "noise", "-o", place.to_str().unwrap()]);
        assert_eq!(fs::read_to_string(&place).unwrap(), expected);
    };
    write("two\nlines.json");
    // As long as names get.
    write(&"n".repeat(255));
    let said = refused(&["sample", "noise", "-o", &"n".repeat(256)], 1);
    assert!(said.contains("cannot write"), "{said}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        // A link that leads to nothing yet stays a link.
        symlink("target.json", folder.join("link.json")).unwrap();
        write("link.json");
        assert!(folder.join("link.json").is_symlink() && folder.join("target.json").is_file());
        for (from, to) in [("one", "other"), ("other", "one")] {
            symlink(to, folder.join(from)).unwrap();
        }
        // Who could not read a file that is replaced, cannot read the new one.
        use std::os::unix::fs::PermissionsExt;
        let mode =
            || fs::metadata(folder.join("target.json")).unwrap().permissions().mode() & 0o777;
        fs::set_permissions(folder.join("target.json"), PermissionsExt::from_mode(0o600)).unwrap();
        write("target.json");
        assert_eq!(mode(), 0o600);
        let one = folder.join("one");
        let said = refused(&["sample", "noise", "-o", one.to_str().unwrap()], 1);
        assert!(said.contains("its links lead nowhere") && one.is_symlink(), "{said}");
    }
    assert!(!names(&folder).iter().any(|name| name.contains("partial")));
}

/// Two processes may have the same number, one after the other or in two containers: what the first
/// one left stands in nobody's way.
#[test]
fn what_a_killed_run_left_is_no_hindrance() {
    let folder = folder("killed");
    let pipe = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (graph, out) = (fountain(), pipe("out.json"));
    let arguments = ["simulate", "-", "--steps", "1", "-o", &out];
    let mut child = command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
    // It waits for its graph, and its number is known.
    let left = pipe(&format!("pyrograph-{}-0.partial", child.id()));
    fs::write(&left, "left").unwrap();
    let text = fs::read(graph).unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &text).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read_to_string(&left).unwrap(), "left");
    assert_eq!(names(&folder).len(), 2);
}

#[test]
fn numbers_below_zero_are_told_from_flags() {
    let graph = fountain();
    for flag in ["--steps", "--frames", "--fps", "--fov", "--near", "--far"] {
        let said = refused(&["render", &graph, "--out", "a.png", flag, "-1"], 2);
        assert!(said.contains("invalid value '-1'") && said.contains(flag), "{said}");
    }
    let said = refused(&["fetch", "A", "--timeout", "-1"], 2);
    assert!(said.contains("invalid value '-1' for '--timeout"), "{said}");
    refused(&["fetch", ""], 2);
}

#[test]
fn a_graph_is_not_replaced() {
    let folder = folder("own_graph");
    let graph = folder.join("graph.json").to_str().unwrap().to_owned();
    fs::copy(fountain(), &graph).unwrap();
    let schedule = folder.join("schedule.json").to_str().unwrap().to_owned();
    fs::write(&schedule, r#"{"emitterSchedule":[[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]]}"#).unwrap();
    let before = (fs::read(&graph).unwrap(), fs::read(&schedule).unwrap());
    for arguments in [
        vec!["simulate", &graph, "-o", &graph],
        vec!["simulate", &graph, "--emitter-schedule", &schedule, "-o", &schedule],
        vec!["build", &graph, "--emit", "rust", "-o", &graph],
    ] {
        let said = refused(&arguments, 2);
        assert!(said.contains("the output would replace it"), "{said}");
    }
    assert_eq!((fs::read(&graph).unwrap(), fs::read(&schedule).unwrap()), before);
}

#[test]
fn a_dash_is_standard_output_too() {
    let graph = fountain();
    for arguments in
        [vec!["simulate", &graph], vec!["build", &graph, "--emit", "opt"], vec!["sample", "noise"]]
    {
        let expected = printed(&arguments);
        assert_eq!(printed(&[&arguments[..], &["-o", "-"]].concat()), expected);
    }
}

#[test]
fn devices_are_written_to_and_not_replaced() {
    if cfg!(unix) {
        printed(&["simulate", &fountain(), "--steps", "1", "-o", "/dev/null"]);
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}

#[test]
fn colours_are_for_terminals() {
    let output = feed(&["simulate", "-"], b"{}");
    assert_eq!(output.status.code(), Some(1));
    let text = errors(&output);
    assert!(text.starts_with("error[P101]: ") && !text.contains('\x1b'), "{text}");
    assert!(text.contains("<stdin>:1:1"), "{text}");
}

#[test]
#[cfg(unix)]
fn an_interrupted_command_leaves_no_file() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let folder = folder(&format!("interrupted{signal}"));
        let path = folder.join("states.json");
        let series = ["simulate", &fountain(), "--steps", "100000000", "--every", "1", "-o"];
        let mut running = command(&series).arg(&path).spawn().unwrap();
        let started = Instant::now();
        while names(&folder).is_empty() {
            assert!(started.elapsed() < Duration::from_secs(60), "nothing is written");
            thread::sleep(Duration::from_millis(20));
        }
        let sent = Command::new("kill").args([signal, &running.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(running.wait().unwrap().code(), Some(code));
        assert!(names(&folder).is_empty(), "{signal}: {:?}", names(&folder));
    }
}
