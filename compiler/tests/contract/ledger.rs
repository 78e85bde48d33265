//! `docs/ledger.md` is complete, and every test and file that it names is there.

use std::fs;

use crate::shorthand::root;

/// Rows that this stage of the work closes must name a test.
fn is_due(row: &str) -> bool {
    let (family, number) = row.split_once('-').unwrap();
    let number: u32 = number.parse().unwrap();
    match family {
        "S1" => match number {
            9 => false,
            1..=97 | 102..=112 | 114 => true,
            _ => false,
        },
        _ => matches!(number, 1 | 4..=16 | 18),
    }
}

/// Cells of all table rows below headings that fit.
fn rows(is_wanted: impl Fn(&str) -> bool) -> Vec<Vec<String>> {
    let page = fs::read_to_string(root().join("docs/ledger.md")).unwrap();
    let mut rows = Vec::new();
    for section in page.split("\n## ").filter(|section| is_wanted(section)) {
        // Two lines of each table are its head.
        let table = section.lines().filter(|line| line.starts_with('|')).skip(2);
        rows.extend(table.map(|line| {
            let cells = line.trim_matches('|').split('|');
            cells.map(|cell| cell.trim().to_owned()).collect()
        }));
    }
    rows
}

/// What a cell names between backticks.
fn references(cell: &str) -> Vec<&str> {
    let parts: Vec<&str> = cell.split('`').collect();
    assert!(parts.iter().step_by(2).all(|text| text.trim().is_empty()), "{cell}");
    parts.into_iter().skip(1).step_by(2).collect()
}

/// Fails where a named test or file is missing.
fn check(reference: &str, row: &str) {
    let path = match reference.split_once('/').unwrap() {
        ("contract", rest) => format!("compiler/tests/contract/{rest}"),
        (folder @ ("states" | "errors"), rest) => format!("fixtures/{folder}/{rest}"),
        _ => reference.to_owned(),
    };
    if let Some((file, test)) = path.split_once("::") {
        let text = fs::read_to_string(root().join(file)).unwrap_or_default();
        assert!(
            text.contains(&format!("#[test]\nfn {test}()"))
                || text.contains(&format!("    #[test]\n    fn {test}()")),
            "{row} names {reference}, which is no test"
        );
    } else if let Some(start) = path.strip_suffix('*') {
        let (folder, start) = start.rsplit_once('/').unwrap();
        let mut files = fs::read_dir(root().join(folder)).unwrap();
        let is_there = files.any(|file| {
            file.unwrap().file_name().to_str().is_some_and(|name| name.starts_with(start))
        });
        assert!(is_there, "{row} names {reference}, which fits no file");
    } else {
        assert!(root().join(&path).is_file(), "{row} names {reference}, which is no file");
    }
}

#[test]
fn rows_are_complete_and_name_what_exists() {
    let rows = rows(|section| !section.starts_with("Categories"));
    let ids: Vec<&str> = rows.iter().map(|cells| cells[0].as_str()).collect();
    let expected: Vec<String> = (1..=116)
        .map(|number| format!("S1-{number:03}"))
        .chain((1..=18).map(|number| format!("S1P-{number:03}")))
        .collect();
    assert_eq!(ids, expected);
    for cells in &rows {
        let [row, capability, tests, later] = cells.as_slice() else { panic!("{cells:?}") };
        assert!((1..=5).contains(&capability.split_whitespace().count()), "{row}: {capability}");
        let references = references(tests);
        for reference in &references {
            check(reference, row);
        }
        assert!(!references.is_empty() || !later.is_empty(), "{row} says nothing");
        assert!(!references.is_empty() || !is_due(row), "{row} is due and has no test");
    }
}

#[test]
fn categories_are_covered() {
    let rows = rows(|section| section.starts_with("Categories"));
    let categories: Vec<&str> =
        rows.iter().filter_map(|cells| Some(cells[0].split_once(':')?.0)).collect();
    let expected = [
        "Buffer and lifecycle",
        "Build",
        "Canonical",
        "Change",
        "Emitters",
        "Moving emitters",
        "Values",
        "Attractors",
        "Flow maps",
        "Noise",
        "Plumbing",
        "LocalVariable",
        "Baseline Sprite2D bridge",
        "Exact Sprite2D blend bridge",
        "Feature isolation",
        "Public declarations",
    ];
    let starts: Vec<&str> =
        categories.into_iter().filter(|category| !category.starts_with('…')).collect();
    assert_eq!(starts, expected);
    for cells in &rows {
        let references = references(&cells[1]);
        assert!(!references.is_empty(), "{cells:?}");
        for reference in references {
            check(reference, &cells[0]);
        }
    }
}

/// Words that promise a test without naming one do not pass.
#[test]
fn stale_references_are_found() {
    for reference in [
        "contract/ledger.rs::check",
        "contract/ledger.rs::no_such_test",
        "states/canonical/no_such*",
        "errors/G999/none.txt",
    ] {
        assert!(std::panic::catch_unwind(|| check(reference, "row")).is_err(), "{reference}");
    }
}
