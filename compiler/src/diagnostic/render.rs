//! Prints diagnostics: for a terminal, in one line for a macro, as JSON for an editor.
//!
//! The caller says how the files are called: one name, or several in the order of merging. Names and
//! messages come from files of strangers: characters that could steer a terminal are printed as
//! escapes, and nothing is printed without end.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{BlockName, Diagnostic, Diagnostics, Note, Place, Port, Severity};

/// Characters of a message that are printed.
const MESSAGE_SHOWN: usize = 4000;
/// Characters of a name that are printed.
const NAME_SHOWN: usize = 60;
/// Columns from which on the JSON pointer is printed too, as it is where no block can be named:
/// nobody counts to a column in a file without line breaks.
const COUNTABLE: usize = 200;

/// Several lines for each finding, a blank line between two.
pub fn text(diagnostics: &Diagnostics, files: &[&str], colors: bool) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        if !out.is_empty() {
            out.push('\n');
        }
        push_text(&mut out, diagnostic, files, colors);
    }
    if diagnostics.omitted_count() > 0 {
        let count = diagnostics.omitted_count();
        push_line(&mut out, &format!("\nand {count} more"));
    }
    out
}

fn push_text(out: &mut String, diagnostic: &Diagnostic, files: &[&str], colors: bool) {
    let (word, color) = match diagnostic.severity() {
        Severity::Error => ("error", "31"),
        Severity::Warning => ("warning", "33"),
    };
    let paint = |text: &str, color: &str| {
        if colors { format!("\x1b[1;{color}m{text}\x1b[0m") } else { text.to_owned() }
    };
    let head = paint(&format!("{word}[{}]", diagnostic.code), color);
    push_line(out, &format!("{head}: {}", clean(&diagnostic.message, MESSAGE_SHOWN)));
    if let Some(place) = &diagnostic.place {
        push_line(out, &format!("  {}", located(place, files)));
    }
    for Note { message, place } in &diagnostic.notes {
        let message = clean(message, MESSAGE_SHOWN);
        let colon = if message.is_empty() { "" } else { ": " };
        push_line(out, &format!("  {}{colon}{message}", located(place, files)));
    }
    let help = clean(diagnostic.help_text(), MESSAGE_SHOWN);
    push_line(out, &format!("  {}: {help}", paint("help", "36")));
}

/// One line that ends in the message: `file:line:column: block ...: message`.
pub fn line(diagnostic: &Diagnostic, files: &[&str]) -> String {
    let message = clean(&diagnostic.message, MESSAGE_SHOWN);
    let code = diagnostic.code;
    match &diagnostic.place {
        None => format!("{code} {}: {message}", clean(&files.join(", "), MESSAGE_SHOWN)),
        Some(place) => {
            let owner = owner(place);
            let colon = if owner.is_empty() { "" } else { ": " };
            format!("{code} {}: {owner}{colon}{message}", position(place, files))
        }
    }
}

/// One object: `{ "files", "errors", "warnings", "diagnostics": [...] }`.
pub fn json(diagnostics: &Diagnostics, files: &[&str]) -> String {
    let items: Vec<Value> = diagnostics.iter().map(item).collect();
    let object = json!({
        "files": files,
        "errors": diagnostics.error_count(),
        "warnings": diagnostics.warning_count(),
        "diagnostics": items,
    });
    format!("{object:#}\n")
}

fn item(diagnostic: &Diagnostic) -> Value {
    let severity = match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let note = |note: &Note| json!({ "message": note.message, "place": place_value(&note.place) });
    json!({
        "code": diagnostic.code.number(),
        "severity": severity,
        "message": diagnostic.message,
        "place": diagnostic.place.as_ref().map(place_value),
        "notes": diagnostic.notes.iter().map(note).collect::<Vec<_>>(),
        "help": diagnostic.help_text(),
    })
}

fn place_value(place: &Place) -> Value {
    let Place { file, span, line, column, pointer, block, port } = place;
    let block = block
        .as_ref()
        .map(|BlockName { id, name, class }| json!({ "id": id, "name": name, "class": class }));
    let (input, output) = match port {
        None => (None, None),
        Some(Port::Input(name)) => (Some(name), None),
        Some(Port::Output(name)) => (None, Some(name)),
    };
    json!({
        "file": file,
        "start": span.start,
        "end": span.end,
        "line": line,
        "column": column,
        "pointer": pointer,
        "block": block,
        "input": input,
        "output": output,
    })
}

/// `file:line:column  block 17 "Name" (Class), input 'position'`
fn located(place: &Place, files: &[&str]) -> String {
    let mut text = position(place, files);
    let owner = owner(place);
    if !owner.is_empty() {
        let _ = write!(text, "  {owner}");
    }
    text
}

fn position(place: &Place, files: &[&str]) -> String {
    let Place { line, column, pointer, block, .. } = place;
    let needs_pointer = *column > COUNTABLE || block.is_none();
    let pointer = if needs_pointer && !pointer.is_empty() {
        format!(" ({})", clean(pointer, NAME_SHOWN))
    } else {
        String::new()
    };
    let file = clean(files.get(place.file).copied().unwrap_or("-"), MESSAGE_SHOWN);
    format!("{file}:{line}:{column}{pointer}")
}

fn owner(place: &Place) -> String {
    let mut text = String::new();
    if let Some(BlockName { id, name, class }) = &place.block {
        let _ = write!(text, "block {}", crate::graph::js::number_to_string(*id));
        if !name.is_empty() {
            let _ = write!(text, " \"{}\"", clean(name, NAME_SHOWN));
        }
        if !class.is_empty() {
            let _ = write!(text, " ({})", clean(class, NAME_SHOWN));
        }
        match &place.port {
            None => {}
            Some(Port::Input(name)) => {
                let _ = write!(text, ", input '{}'", clean(name, NAME_SHOWN));
            }
            Some(Port::Output(name)) => {
                let _ = write!(text, ", output '{}'", clean(name, NAME_SHOWN));
            }
        }
    }
    text
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Text of strangers for a terminal: escapes what would steer it, and cuts off what comes after
/// `shown` characters.
pub fn clean(text: &str, shown: usize) -> String {
    let mut out = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == shown {
            out.push('…');
            break;
        }
        let turns_text = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || turns_text {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Lines};

    fn example() -> Diagnostic {
        let place = |start: usize| Lines::default().place(start..start + 1, "/blocks/0");
        let name = |name: &str| BlockName { id: 17.0, name: name.into(), class: "Class".into() };
        Diagnostic::new(Code::NoSuchOutput, "message")
            .at(place(4).block(name("A\u{1b}[2J")).port(Port::Input("x".into())))
            .note("there", place(300).block(name("")).port(Port::Output("y".into())))
    }

    #[test]
    fn prints_text() {
        let expected = "error[G202]: message\n  \
            f:1:5  block 17 \"A\\u{1b}[2J\" (Class), input 'x'\n  \
            f:1:301 (/blocks/0)  block 17 (Class), output 'y': there\n  \
            help: connect the input to an output that the block has\n";
        assert_eq!(text(&example().into(), &["f"], false), expected);
        assert!(
            text(&example().into(), &["f"], true).starts_with("\x1b[1;31merror[G202]\x1b[0m: ")
        );
    }

    #[test]
    fn names_of_files_are_cleaned() {
        let printed = text(&example().into(), &["\u{1b}]0;f\u{7}\u{202e}"], false);
        assert!(printed.contains("\n  \\u{1b}]0;f\\u{7}\\u{202e}:1:5  block 17"), "{printed}");
        assert_eq!(clean("abc", 2), "ab…");
    }

    #[test]
    fn prints_one_line() {
        assert_eq!(
            line(&example(), &["f"]),
            "G202 f:1:5: block 17 \"A\\u{1b}[2J\" (Class), input 'x': message"
        );
    }

    #[test]
    fn prints_json() {
        let value: Value = serde_json::from_str(&json(&example().into(), &["f"])).unwrap();
        assert_eq!(value["errors"], 1);
        assert_eq!(value["diagnostics"][0]["place"]["input"], "x");
        assert_eq!(value["diagnostics"][0]["notes"][0]["place"]["pointer"], "/blocks/0");
    }

    #[test]
    fn counts_what_is_not_kept() {
        let mut many = Diagnostics::new();
        for _ in 0..103 {
            many.push(example());
        }
        assert!(text(&many, &["f"], false).ends_with("\n\nand 3 more\n"));
    }
}
