//! Every code has a fixture that shows it, and every fixture shows what it always showed.
//!
//! `fixtures/errors/<code>/<name>.json` is a file, `<name>.txt` what a user reads about it. Run with
//! `PYROGRAPH_BLESS=1` to write the texts anew, then read the difference.
#![expect(clippy::unwrap_used, reason = "a test may end at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pyrograph_compiler::diagnostic::{Code, Diagnostics, render};
use pyrograph_compiler::graph::normalize::normalize;
use pyrograph_compiler::graph::parse::parse;
use pyrograph_compiler::ir::Profile;
use pyrograph_compiler::{Options, compile, lower_file};

/// Findings about a file, warnings of good files included.
///
/// What a profile cannot express shows when a file is lowered for it, and a wrong input when it is
/// asked for.
fn findings(name: &str, bytes: &[u8]) -> Diagnostics {
    if name.starts_with('L') {
        return lower_file(bytes, Profile::Parallel).unwrap_err();
    }
    if name.starts_with("G231") {
        let inputs = ["Gravitation", "Random size", "Gravity"].map(str::to_owned).into();
        return compile(bytes, &Options { inputs, ..Options::default() }).unwrap_err();
    }
    match parse(bytes).and_then(|source| normalize(&source)) {
        Ok((_, warnings)) => warnings,
        Err(problems) => problems,
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/errors")
}

/// Files by path below the root, without extension; those that are too large to keep are made.
fn fixtures() -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::from([("G229/many_systems".to_owned(), many_systems())]);
    for folder in fs::read_dir(root()).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "json") {
                files.insert(name(&path), fs::read(path).unwrap());
            }
        }
    }
    files
}

fn name(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap().with_extension("");
    path.components().map(|part| part.as_os_str().to_str().unwrap()).collect::<Vec<_>>().join("/")
}

/// 1000 systems that all use the same chain of 600 blocks.
fn many_systems() -> Vec<u8> {
    let block = |class: &str, id: usize, input: &str, target: usize| {
        format!(
            r#"{{"customType":"{class}","id":{id},"inputs":[{{"name":"{input}","targetBlockId":{target},"targetConnectionName":"output"}}]}}"#
        )
    };
    let chain = (1..=600).map(|id| block("ParticleVectorLengthBlock", id, "input", id + 1));
    let last = r#"{"customType":"ParticleInputBlock","id":601}"#.to_owned();
    let roots = (3000..4000).map(|id| block("SystemBlock", id, "emitRate", 1));
    let blocks: Vec<_> = chain.chain([last]).chain(roots).collect();
    format!(r#"{{"blocks":[{}]}}"#, blocks.join(",\n")).into_bytes()
}

#[test]
fn every_code_has_a_fixture() {
    // No file can show a fault of our own, or we would mend it.
    let shown = Code::ALL.iter().filter(|code| **code != Code::Internal);
    let codes: BTreeSet<_> = shown.map(|code| code.number().to_owned()).collect();
    let folders: BTreeSet<_> =
        fixtures().keys().map(|name| name.split('/').next().unwrap().to_owned()).collect();
    assert_eq!(codes, folders);
}

#[test]
fn fixtures_show_what_they_showed() {
    let bless = std::env::var_os("PYROGRAPH_BLESS").is_some_and(|value| value == "1");
    let mut differences = Vec::new();
    let mut texts = BTreeSet::new();
    for (name, bytes) in fixtures() {
        let found = findings(&name, &bytes);
        let (code, file) = name.split_once('/').unwrap();
        assert!(found.iter().any(|d| d.code.number() == code), "{name} does not show {code}");
        for diagnostic in &found {
            assert!(!diagnostic.message.ends_with('.'), "{name}: {diagnostic}");
            assert!(!diagnostic.help_text().ends_with('.'), "{name}: {}", diagnostic.help_text());
            let line = render::line(diagnostic, &["f"]);
            assert!(line.ends_with(&diagnostic.message) && !line.contains('\n'), "{line}");
        }
        let text = render::text(&found, &[&format!("{file}.json")], false);
        let path = root().join(&name).with_extension("txt");
        if bless {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &text).unwrap();
        } else if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            differences.push(format!("{name}:\n{text}"));
        }
        texts.insert(path);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    for folder in fs::read_dir(root()).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let known = path.extension().is_some_and(|extension| extension == "json");
            assert!(known || texts.contains(&path), "{} has no fixture", path.display());
        }
    }
}
