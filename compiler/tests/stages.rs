//! One graph through all stages: what each makes of the fountain, as texts that reviews read.
//!
//! `fixtures/expected/fountain/` holds them; CONTRIBUTING.md walks through them. Run with
//! `PYROGRAPH_BLESS=1` to write them anew, then read the difference.
#![cfg(all(feature = "rust", feature = "wgsl"))]
#![expect(clippy::unwrap_used, reason = "a test may end at the first surprise")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::emit::{rust, wgsl};
use pyrograph_compiler::ir::Profile;
use pyrograph_compiler::{Options, compile, lower_file};

fn stages() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let bytes = fs::read(root.join("graphs/canonical/fountain.json")).unwrap();
    let mut texts = BTreeMap::new();
    for profile in [Profile::Exact, Profile::Parallel] {
        let name = profile.name();
        let (module, _) = lower_file(&bytes, profile).unwrap();
        texts.insert(format!("{name}.ir"), module.to_string());
        let module = compile(&bytes, &Options::new(profile)).unwrap().module;
        texts.insert(format!("{name}.opt.ir"), module.to_string());
        let text = rust::text(&module, &rust::RustOptions::default()).unwrap();
        texts.insert(format!("{name}.rs"), text);
        if profile == Profile::Parallel {
            let wgsl = wgsl::emit(&module, 0, &Limits::default()).unwrap();
            texts.insert(format!("{name}.wgsl"), wgsl.source);
        }
    }
    texts
}

#[test]
fn every_stage_makes_what_it_made() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/expected/fountain");
    let texts = stages();
    assert_eq!(texts, stages(), "compiling twice gives different texts");
    if std::env::var_os("PYROGRAPH_BLESS").is_some_and(|value| value == "1") {
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in &texts {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    for (name, text) in &texts {
        let expected = fs::read_to_string(folder.join(name)).unwrap_or_default();
        let line = expected.lines().zip(text.lines()).position(|(a, b)| a != b);
        assert!(expected == *text, "{name} differs, first in line {:?}", line.map(|line| line + 1));
    }
    let kept = fs::read_dir(&folder).unwrap().count();
    assert_eq!(kept, texts.len(), "{} holds files that no stage makes", folder.display());
}
