//! Builds [`Node`]s with a stack of its own, so that no text can exhaust the thread's stack.

use indexmap::IndexMap;

use super::scan::Scanner;
use super::{JsonError, JsonErrorKind, MAX_DEPTH, Node, Object, Value};

/// An array or object that is not closed yet.
struct Open {
    start: usize,
    /// The key that the next value of an object belongs to.
    key: String,
    content: Content,
}

enum Content {
    Array(Vec<Node>),
    Object(Object),
}

/// What may come next.
enum Next {
    /// A value.
    Value,
    /// A first element, or the end of the array.
    FirstElement,
    /// A key and a colon; the end of the object too, if it is the first.
    Key { first: bool },
    /// A finished value to put where it belongs.
    Place(Node),
}

/// Reads one JSON value with nothing but whitespace around it.
///
/// # Errors
/// The first place where the text is no JSON, or is nested too deeply.
pub fn read(text: &str) -> Result<Node, JsonError> {
    let mut scanner = Scanner::new(text);
    let mut open: Vec<Open> = Vec::new();
    let mut next = Next::Value;
    loop {
        scanner.skip_whitespace();
        next = match next {
            Next::Value => read_value(&mut scanner, &mut open)?,
            Next::FirstElement if scanner.peek() == Some(b']') => close(&mut scanner, &mut open)?,
            Next::FirstElement => Next::Value,
            Next::Key { first: true } if scanner.peek() == Some(b'}') => {
                close(&mut scanner, &mut open)?
            }
            Next::Key { .. } => read_key(&mut scanner, &mut open)?,
            Next::Place(node) => match open.last_mut() {
                None if scanner.peek().is_none() => return Ok(node),
                None => return Err(scanner.unexpected("the end of the file")),
                Some(parent) => {
                    place(parent, node);
                    after_element(&mut scanner, &mut open)?
                }
            },
        };
    }
}

/// Reads a scalar whole, or opens an array or object.
fn read_value(scanner: &mut Scanner<'_>, open: &mut Vec<Open>) -> Result<Next, JsonError> {
    let start = scanner.offset();
    let value = match scanner.peek() {
        Some(b'{') => {
            return push(
                scanner,
                open,
                Content::Object(IndexMap::new()),
                Next::Key { first: true },
            );
        }
        Some(b'[') => return push(scanner, open, Content::Array(Vec::new()), Next::FirstElement),
        Some(b'"') => Value::String(scanner.string()?),
        Some(b'-' | b'0'..=b'9') => Value::Number(scanner.number()?),
        Some(b't') if scanner.word("true") => Value::Bool(true),
        Some(b'f') if scanner.word("false") => Value::Bool(false),
        Some(b'n') if scanner.word("null") => Value::Null,
        _ => return Err(scanner.unexpected("a value")),
    };
    Ok(Next::Place(Node { value, span: start..scanner.offset() }))
}

fn push(
    scanner: &mut Scanner<'_>,
    open: &mut Vec<Open>,
    content: Content,
    next: Next,
) -> Result<Next, JsonError> {
    let start = scanner.offset();
    if open.len() == MAX_DEPTH {
        return Err(JsonError { kind: JsonErrorKind::TooDeep, offset: start });
    }
    scanner.advance();
    open.push(Open { start, key: String::new(), content });
    Ok(next)
}

fn read_key(scanner: &mut Scanner<'_>, open: &mut [Open]) -> Result<Next, JsonError> {
    if scanner.peek() != Some(b'"') {
        return Err(scanner.unexpected("a key in quotes"));
    }
    let key = scanner.string()?;
    scanner.skip_whitespace();
    if scanner.peek() != Some(b':') {
        return Err(scanner.unexpected("':' after a key"));
    }
    scanner.advance();
    if let Some(parent) = open.last_mut() {
        parent.key = key;
    }
    Ok(Next::Value)
}

fn place(parent: &mut Open, node: Node) {
    match &mut parent.content {
        Content::Array(nodes) => nodes.push(node),
        Content::Object(members) => {
            members.insert(std::mem::take(&mut parent.key), node);
        }
    }
}

/// A comma, or the end of the innermost array or object.
fn after_element(scanner: &mut Scanner<'_>, open: &mut Vec<Open>) -> Result<Next, JsonError> {
    let in_array = matches!(open.last(), Some(Open { content: Content::Array(_), .. }));
    match (scanner.peek(), in_array) {
        (Some(b','), true) => {
            scanner.advance();
            Ok(Next::Value)
        }
        (Some(b','), false) => {
            scanner.advance();
            Ok(Next::Key { first: false })
        }
        (Some(b']'), true) | (Some(b'}'), false) => close(scanner, open),
        (_, true) => Err(scanner.unexpected("',' or ']' after an element")),
        (_, false) => Err(scanner.unexpected("',' or '}' after a member")),
    }
}

fn close(scanner: &mut Scanner<'_>, open: &mut Vec<Open>) -> Result<Next, JsonError> {
    scanner.advance();
    let Some(Open { start, content, .. }) = open.pop() else {
        return Err(scanner.unexpected("a value"));
    };
    let value = match content {
        Content::Array(nodes) => Value::Array(nodes),
        Content::Object(members) => Value::Object(Box::new(members)),
    };
    Ok(Next::Place(Node { value, span: start..scanner.offset() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        read(text).unwrap().value
    }

    #[test]
    fn reads_what_javascript_reads() {
        assert_eq!(value(" 1e400 "), Value::Number(f64::INFINITY));
        assert_eq!(value("-0").describe(), "a number");
        assert_eq!(
            value(r#""\ud83d\ude00 \ud83d x \u00e9""#),
            Value::String("😀 \u{FFFD} x é".into())
        );
        assert_eq!(value(r#""\ud83d\u0041\udc00""#), Value::String("\u{FFFD}A\u{FFFD}".into()));
        let node = read(r#"{"a":1,"b":2,"a":[3,[]]}"#).unwrap();
        let Value::Object(object) = &node.value else { panic!() };
        assert_eq!(object.keys().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(node.get("a").unwrap().span, 17..23);
    }

    #[test]
    fn refuses_what_javascript_refuses() {
        for text in [
            "",
            " ",
            "{",
            "[",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "01",
            "1.",
            ".5",
            "+1",
            "-",
            "1e",
            "'a'",
            "\"\t\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"abc",
            "nul",
            "truefalse",
            "[1 2]",
            "1 2",
            "NaN",
            "]",
            "{]",
            "[}",
            "\u{a0}1",
            "{\"a\" 1}",
            "\"\\",
            "\"\\u",
            "/**/1",
            "Infinity",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn limits_depth() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(read(&nested(MAX_DEPTH + 1)).unwrap_err().kind, JsonErrorKind::TooDeep);
        assert_eq!(read(&"[".repeat(100_000)).unwrap_err().offset, MAX_DEPTH);
        assert!(read(&"{\"a\":".repeat(100_000)).is_err());
    }
}
