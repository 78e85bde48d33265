//! The excerpts of `docs/stages.md` are what the files say that they are taken from.
//!
//! A comment before a piece of code tells the file, and the words of the first and the last line:
//! `<!-- PATH from WORDS to WORDS -->`. Without words the code is a shortened text of the file, where `…`
//! stands for what is left out.

use crate::{keep, read};

/// Whether a comment tells where the code behind it comes from, and what it tells.
fn told(line: &str) -> Option<&str> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->")
}

/// The lines of a file from the first one with some words to the next one with others, without the
/// blanks that all of them begin with.
fn between(file: &str, first: &str, last: &str) -> Option<String> {
    let lines: Vec<&str> = file.lines().collect();
    let start = lines.iter().position(|line| line.contains(first))?;
    let end = start + lines[start..].iter().position(|line| line.contains(last))?;
    let lines = &lines[start..=end];
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let common = lines.iter().filter(|line| !line.is_empty()).map(indent).min()?;
    Some(lines.iter().map(|line| format!("{}\n", line.get(common..).unwrap_or(""))).collect())
}

/// What a shortened text has that a file has not.
fn missing<'a>(excerpt: &'a str, file: &str) -> Option<&'a str> {
    let mut rest = file;
    excerpt.split('…').map(str::trim).find(|piece| match rest.split_once(piece) {
        Some((_, behind)) => {
            rest = behind;
            false
        }
        None => true,
    })
}

/// The excerpt that a comment asks for; `code` is what stands there now.
fn excerpt(comment: &str, code: &str) -> String {
    let Some((path, words)) = comment.split_once(" from ") else {
        let missing = missing(code, &read(comment));
        assert!(missing.is_none(), "{comment} has no {missing:?}");
        return code.to_owned();
    };
    let (first, last) = words.split_once(" to ").unwrap();
    let found = between(&read(path), first, last);
    found.unwrap_or_else(|| panic!("{path} has no lines from {first:?} to {last:?}"))
}

#[test]
fn excerpts_are_in_their_files() {
    let page = read("docs/stages.md");
    let (mut text, mut used) = (String::new(), Vec::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        text.push_str(&format!("{line}\n"));
        let is_command = line == "```console";
        let Some(comment) = told(line) else {
            assert!(!line.starts_with("```") || is_command, "from where is this code? {line}");
            if is_command {
                let rest = lines.by_ref().take_while(|line| *line != "```");
                text.extend(rest.map(|line| format!("{line}\n")));
                text.push_str("```\n");
            }
            continue;
        };
        let fence = lines.next().unwrap();
        assert!(fence.starts_with("```"), "no code follows {comment}");
        let code: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        text.push_str(&format!(
            "{fence}\n{}```\n",
            excerpt(comment, &format!("{}\n", code.join("\n")))
        ));
        used.push(comment.split(' ').next().unwrap());
    }
    for name in ["exact.ir", "exact.opt.ir", "exact.rs", "parallel.wgsl"] {
        assert!(used.iter().any(|path| path.ends_with(name)), "no excerpt of {name}");
    }
    keep("docs/stages.md", &text);
}

#[test]
fn false_excerpts_are_noticed() {
    let file = "a\n  b\n    c\n\n  d\ne b\n";
    assert_eq!(between(file, "b", "d").unwrap(), "b\n  c\n\nd\n");
    assert_eq!(between(file, "d", "c"), None);
    assert_eq!(missing("a\n  b\n…\nd", file), None);
    assert_eq!(missing("a\n  c", file), Some("a\n  c"));
    assert_eq!(missing("d … a", file), Some("a"));
}
