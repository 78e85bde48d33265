//! `docs/diagnostics.md` is the code table.

use pyrograph_compiler::diagnostic::{Code, Severity};

use crate::{REPOSITORY, keep, root};

/// First letters of the numbers, and what they are about.
const FAMILIES: [(&str, &str); 6] = [
    ("P0", "Reading the file"),
    ("P1", "Records of the file"),
    ("G2", "The graph"),
    ("W3", "Warnings"),
    ("L4", "What a profile cannot express"),
    ("X9", "Faults of the compiler"),
];

const HEAD: &str = "# Diagnostics

Everything that the compiler says of a graph has a number, which keeps its meaning for ever. This page is
made of the compiler's table (`compiler/src/diagnostic/codes.rs`); `pyrograph check --explain CODE` prints
an entry. Texts in front of a place, such as `NodeParticle: …`, are the contract's, word for word
([differences.md](differences.md)).

An error stops the compilation, a warning does not. All findings of a file are told at once, up to 100 errors and
100 warnings.
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    page.push_str("\n| Code | | What it says |\n| :-- | :-- | :-- |\n");
    for &code in Code::ALL {
        let (number, severity) = (code.number(), severity(code).to_lowercase());
        let anchor = number.to_lowercase();
        let summary = code.summary().replace('|', "\\|");
        page.push_str(&format!("| [{number}](#{anchor}) | {severity} | {summary} |\n"));
    }
    for (family, heading) in FAMILIES {
        page.push_str(&format!("\n## {heading}\n"));
        let codes = Code::ALL.iter().filter(|code| code.number().starts_with(family));
        for &code in codes {
            page.push_str(&entry(code));
        }
    }
    page
}

fn severity(code: Code) -> &'static str {
    match code.severity() {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    }
}

fn entry(code: Code) -> String {
    let number = code.number();
    let mut text = format!("\n### {number}\n\n{}: {}.\n\n", severity(code), code.summary());
    text.push_str(code.explanation().trim_end());
    text.push_str(&format!("\n\nHelp: {}.\n", code.help()));
    let examples = format!("fixtures/errors/{number}");
    if root().join(&examples).is_dir() {
        text.push_str(&format!("\n[Files that show it]({REPOSITORY}/tree/main/{examples})\n"));
    }
    text
}

#[test]
fn the_index_is_the_table() {
    let page = page();
    for &code in Code::ALL {
        let heading = format!("\n### {}\n", code.number());
        assert!(page.contains(&heading), "{code} belongs to no family");
    }
    keep("docs/diagnostics.md", &page);
}
