//! Links lead to files that exist and to headings that these have; the book leaves out no page. What is
//! not in `docs/` is not in the book that mdBook makes of it: pages name it by its address.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{REPOSITORY, read, root};

/// README, CONTRIBUTING, CHANGELOG and all pages of the book, from the root.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(String::from).into();
    pages.extend(book().into_iter().map(|page| format!("docs/{page}")));
    pages
}

/// The Markdown files of `docs/`, in order.
fn book() -> BTreeSet<String> {
    let files = fs::read_dir(root().join("docs")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".md")).collect()
}

/// The lines of a page that are no code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// A line without what stands between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// Where the links of a page lead.
fn targets(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        let line = without_code(line);
        for link in line.split("](").skip(1) {
            found.push(link.split(')').next().unwrap().to_owned());
        }
    }
    found
}

/// The fragments under which a page's headings are found, as GitHub and mdBook make them.
fn fragments(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for heading in prose(text).filter(|line| line.starts_with('#')) {
        let heading = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        let is_kept = |next: &char| next.is_alphanumeric() || matches!(next, '-' | '_');
        let fragment: String = heading.chars().filter(is_kept).collect();
        let mut unique = fragment.clone();
        for number in 1.. {
            if found.insert(unique.clone()) {
                break;
            }
            unique = format!("{fragment}-{number}");
        }
    }
    found
}

/// The file of the repository at an address.
fn file(target: &str) -> Option<(&str, bool)> {
    let path = target.strip_prefix(REPOSITORY)?;
    let folder = path.strip_prefix("/tree/main/").map(|path| (path, true));
    folder.or_else(|| path.strip_prefix("/blob/main/").map(|path| (path, false)))
}

/// What is wrong with a link of a page.
fn problem(page: &str, target: &str) -> Option<String> {
    let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
    let path = match file(path) {
        Some((path, is_folder)) if root().join(path).is_dir() == is_folder => PathBuf::from(path),
        Some(_) => return Some(format!("{page}: {target} is none: folders are below `tree`")),
        None if path.contains("://") => return None,
        None if page.starts_with("docs/") && path.starts_with("../") => {
            return Some(format!("{page}: {target} is not in the book: name its address"));
        }
        None if path.is_empty() => page.into(),
        None => Path::new(page).parent().unwrap().join(path),
    };
    if !root().join(&path).exists() {
        return Some(format!("{page}: {target} leads nowhere"));
    }
    let path = path.to_str().unwrap();
    let is_missing = !fragment.is_empty() && !fragments(&read(path)).contains(fragment);
    is_missing.then(|| format!("{page}: {target} is no heading"))
}

#[test]
fn links_lead_somewhere() {
    let mut problems = Vec::new();
    let mut count = 0;
    for page in pages() {
        for target in targets(&read(&page)) {
            // A chapter that is not written yet.
            if page == "docs/SUMMARY.md" && target.is_empty() {
                continue;
            }
            count += 1;
            problems.extend(problem(&page, &target));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(count > 100, "only {count} links were found");
}

#[test]
fn wrong_links_are_found() {
    let page = "docs/start.md";
    assert!(problem(page, "command.md#simulate").is_none());
    let of = |path| problem(page, &format!("{REPOSITORY}/{path}"));
    assert!(of("blob/main/README.md#two-profiles").is_none());
    assert!(of("tree/main/fixtures/errors").is_none());
    assert!(of("blob/main/fixtures/errors").unwrap().ends_with("folders are below `tree`"));
    assert!(of("blob/main/README").unwrap().ends_with("leads nowhere"));
    assert!(of("blob/main/README.md#three").unwrap().ends_with("is no heading"));
    assert!(problem(page, "../README.md").unwrap().ends_with("name its address"));
    assert!(problem(page, "commands.md").unwrap().ends_with("leads nowhere"));
    assert!(problem(page, "command.md#simulates").unwrap().ends_with("is no heading"));
    let text =
        "# A\n[a](b.md) `[c](d.md)` ![e](f.png)\n```\n[g](h.md)\n# I\n```\n## A `b` c!\n# A\n";
    assert_eq!(targets(text), ["b.md", "f.png"]);
    assert_eq!(fragments(text), BTreeSet::from(["a", "a-1", "a-b-c"].map(String::from)));
}

#[test]
fn summary_lists_every_page_once() {
    let mut listed = targets(&read("docs/SUMMARY.md"));
    listed.retain(|target| !target.is_empty());
    listed.sort();
    let mut pages = book();
    pages.remove("SUMMARY.md");
    assert_eq!(listed, pages.into_iter().collect::<Vec<_>>());
}
