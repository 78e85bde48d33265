//! What Parallel refuses, and why: a reviewed list. `PYROGRAPH_BLESS=1` writes it anew; read the
//! difference, and mind that fixtures may not be taken away to shorten it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use crate::fixtures::{below, graphs, root};
use pyrograph_compiler::ir::Profile;
use pyrograph_compiler::{lower_graph, read_file};

/// One fixture in so many may be refused.
const ONE_IN: usize = 20;

#[test]
fn few_fixtures_are_refused_and_for_known_reasons() {
    let (mut text, mut refused) = (String::new(), 0);
    let departures = below("departures");
    let departures =
        departures.into_iter().map(|(name, path)| (format!("departures/{name}"), path));
    let graphs: Vec<_> = graphs().into_iter().chain(departures).collect();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (name, path) in &graphs {
        let Ok((graph, _)) = read_file(&fs::read(path).unwrap()) else { continue };
        let Err(found) = lower_graph(&graph, Profile::Parallel) else { continue };
        if lower_graph(&graph, Profile::Exact).is_err() {
            // Not the profile's doing.
            continue;
        }
        refused += 1;
        for diagnostic in found.iter() {
            writeln!(text, "{name}: {}", diagnostic.message).unwrap();
            *reasons.entry(diagnostic.message.clone()).or_default() += 1;
        }
    }
    println!("{refused} of {} fixtures are refused: {reasons:#?}", graphs.len());
    assert!(refused * ONE_IN <= graphs.len(), "{refused} of {} are refused", graphs.len());
    let path = root().join("expected/refusals.txt");
    if std::env::var_os("PYROGRAPH_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&path).unwrap_or_default());
}
