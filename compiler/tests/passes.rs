//! Passes on small texts: `fixtures/ir/<pass>/<name>.ir` holds a module before and, behind the line
//! `// after`, what the pass makes of it. With `PYROGRAPH_BLESS=1` the second half is rewritten.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it found")]

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pyrograph_compiler::ir::{Module, check, parse};
use pyrograph_compiler::passes::{Observe, Options, STEPS, Step, run, run_steps};

const AFTER: &str = "// after\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/ir")
}

fn step(name: &str) -> &'static Step {
    STEPS.iter().find(|step| step.name == name).unwrap_or_else(|| panic!("no pass is named {name}"))
}

fn parsed(text: &str) -> Module {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Fixtures in a stable order: pass, path, text.
fn fixtures() -> Vec<(String, PathBuf, String)> {
    let list = |path: &Path| {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let mut found = Vec::new();
    for pass in list(&folder()) {
        let name = pass.file_name().unwrap().to_str().unwrap().to_owned();
        for path in list(&pass) {
            let text = fs::read_to_string(&path).unwrap();
            found.push((name.clone(), path, text));
        }
    }
    found
}

#[test]
fn passes_do_what_the_fixtures_say() {
    let bless = std::env::var_os("PYROGRAPH_BLESS").is_some();
    let mut wrong = Vec::new();
    for (pass, path, text) in fixtures() {
        let (before, expected) = text.split_once(AFTER).unwrap_or((&text, ""));
        let observe =
            if before.contains("// observe: state\n") { Observe::State } else { Observe::Render };
        let options = Options { observe };
        let mut module = parsed(before);
        check(&module).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for program in &mut module.programs {
            step(&pass).apply(program, &options);
        }
        check(&module).unwrap_or_else(|error| panic!("{}: {error}\n{module}", path.display()));
        let found = module.to_string();
        assert_ne!(found, parsed(before).to_string(), "{} changes nothing", path.display());
        let mut again = module.clone();
        for program in &mut again.programs {
            step(&pass).apply(program, &options);
        }
        assert_eq!(again.to_string(), found, "{} once more changes more", path.display());
        if bless {
            fs::write(&path, format!("{before}{AFTER}{found}")).unwrap();
        } else if found != expected {
            wrong.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "other results than the fixtures say:\n{}", wrong.join("\n"));
}

#[test]
fn every_pass_has_a_fixture() {
    let passes: Vec<String> = fixtures().into_iter().map(|(pass, ..)| pass).collect();
    for step in STEPS {
        // `fold-forwarded` is `fold` at another place.
        let repeats = STEPS.iter().any(|other| step.name.starts_with(&format!("{}-", other.name)));
        assert!(repeats || passes.iter().any(|pass| pass == step.name), "no fixture for {step:?}");
    }
}

#[test]
fn names_are_unique_and_runs_can_be_watched_and_stopped() {
    for (index, step) in STEPS.iter().enumerate() {
        assert!(STEPS[..index].iter().all(|other| other.name != step.name), "{step:?} twice");
    }
    let module = parsed(&fixtures()[0].2);
    let mut seen = Vec::new();
    let result = run_steps(module.clone(), &Options::default(), STEPS, |step, module| {
        seen.push((step.name, module.to_string()));
        if step.name == "cse" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(seen.iter().map(|seen| seen.0).collect::<Vec<_>>(), ["fold", "cse"]);
    assert_eq!(result.unwrap().to_string(), seen[1].1);
    let untouched =
        run_steps(module.clone(), &Options::default(), &[], |_, _| ControlFlow::Break(()));
    assert_eq!(*untouched.unwrap(), module);
}

#[test]
fn faults_name_the_rule_and_show_the_text() {
    let module = parsed("program \"broken\" exact capacity 1 {\ncolumn age f64 is age\n}");
    let fault = run(module, &Options::default()).unwrap_err().to_string();
    assert!(
        fault.contains("after lowering, invalid IR in \"broken\", birth: birth leaves column age")
    );
    assert!(fault.contains("column age f64 is age\n"));
}

/// Runs all passes on a body of about this many statements.
fn timed(size: usize, line: impl Fn(usize) -> String) -> Duration {
    let mut text = String::from(
        "program \"\" exact capacity 1 {\ncolumn age f64 is age\ncolumn size f32 is size\nuniform d \
         = delta\nbirth {\nstore age, 0.0\nstore size, 0.0\n}\nupdate {\n%0 = load size\n",
    );
    for index in 1..size {
        text += &line(index);
    }
    text += &format!("store size, %{}\n}}\n}}\n", size - 1);
    let module = parsed(&text);
    let start = Instant::now();
    let options = Options { observe: Observe::State };
    run(module, &options).unwrap();
    start.elapsed()
}

#[test]
fn long_chains_take_neither_stack_nor_squared_time() {
    type Line = fn(usize) -> String;
    let chains: [(&str, Line); 4] = [
        ("sums", |index| format!("%{index} = add %{}, @d\n", index - 1)),
        ("same", |index| format!("%{index} = neg %{}\n", index - 1)),
        ("stores", |index| {
            let last = index - 1;
            format!("store age, %{last}\n%x{index} = load age\n%{index} = mul %x{index}, %{last}\n")
        }),
        ("branches", |index| {
            let last = index - 1;
            format!(
                "%c{index} = lt %{last}, {index}.5\n%{index} = if %c{index} {{\nstore age, \
                 %{last}\n%b{index} = sqrt %{last}\nyield %b{index}\n}} else {{\nyield %{last}\n}}\n"
            )
        }),
    ];
    for (name, line) in chains {
        let (short, long) = (timed(1_000, line), timed(10_000, line));
        let limit = short * 50 + Duration::from_millis(200);
        assert!(long < limit, "{name}: {short:?} for 1,000 statements, {long:?} for 10,000");
    }
}

#[test]
fn deep_nesting_is_bearable() {
    let depth = 300;
    let mut text = String::from(
        "program \"\" exact capacity 1 {\ncolumn age f64 is age\nbirth {\nstore age, 0.0\n}\nupdate \
         {\n%0 = load age\n",
    );
    for index in 0..depth {
        text += &format!("%c{index} = lt %0, {index}.5\n%n{index} = not %c{index}\n");
        text += &format!("if %n{index} {{\nstore age, {index}.0\n");
    }
    text += &"}\n".repeat(depth);
    text += "}\n}\n";
    run(parsed(&text), &Options::default()).unwrap();
}
