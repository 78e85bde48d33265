//! Reads a file's records exactly as the contract's section 6 says.
//!
//! The payload is the inner one (`{ "blocks": [...] }`), which is also what the editor saves.
//! Nothing is asked of classes, wires or fields here; what JavaScript would answer with a native
//! error (`inputs` that cannot be iterated, a name that is no string) is `P104`.

use std::ops::Range;

use super::js;
use super::json::{self, JsonError, JsonErrorKind, Node, Value};
use super::source::{SourceBlock, SourceGraph, SourceInput};
use crate::diagnostic::{BlockName, Code, Diagnostic, Diagnostics, Lines, Place};

/// Reads a file.
///
/// # Errors
///
/// Everything that is wrong with the text or, if that is JSON, with its records.
pub fn parse(bytes: &[u8]) -> Result<SourceGraph, Diagnostics> {
    let text = decode(bytes)?;
    let lines = Lines::new(text);
    let root = json::read(text).map_err(|error| syntax(error, &lines))?;
    let mut reader = Reader { graph: SourceGraph::new(lines), problems: Diagnostics::new() };
    let span = root.span.clone();
    reader.read_root(root);
    let Reader { graph, mut problems } = reader;
    if graph.roots.is_empty() && !problems.has_errors() {
        let message = "NodeParticle: graph has no SystemBlock";
        problems.push(Diagnostic::new(Code::NoSystem, message).at(graph.lines.place(span, "")));
    }
    if problems.has_errors() { Err(problems) } else { Ok(graph) }
}

fn decode(bytes: &[u8]) -> Result<&str, Diagnostics> {
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        let line = "the file begins with a byte order mark, which JSON does not allow";
        let place = Lines::default().place(0..bytes.len() - rest.len(), "");
        return Err(Diagnostic::new(Code::ByteOrderMark, line).at(place).into());
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let start = error.valid_up_to();
        let valid = std::str::from_utf8(&bytes[..start]).unwrap_or_default();
        let place = Lines::new(valid).place(start..bytes.len().min(start + 1), "");
        let mut diagnostic = Diagnostic::new(Code::NotUtf8, "the file is not UTF-8").at(place);
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            diagnostic = diagnostic.help("the file looks like UTF-16; save it as UTF-8");
        }
        diagnostic.into()
    })
}

fn syntax(error: JsonError, lines: &Lines) -> Diagnostics {
    let place = lines.place(error.offset..error.offset + 1, "");
    let code = match error.kind {
        JsonErrorKind::TooDeep => Code::TooDeep,
        JsonErrorKind::Unexpected { .. } => Code::Syntax,
    };
    Diagnostic::new(code, error.kind.to_string()).at(place).into()
}

/// Collects records and what is wrong with them.
struct Reader {
    graph: SourceGraph,
    problems: Diagnostics,
}

impl Reader {
    fn read_root(&mut self, mut root: Node) {
        let blocks = match &mut root.value {
            Value::Object(object) => object.swap_remove("blocks"),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => None,
        };
        let Some(Node { value: Value::Array(blocks), .. }) = blocks else {
            return self.no_blocks(&root, blocks.as_ref());
        };
        for (index, block) in blocks.into_iter().enumerate() {
            self.read_block(block, format!("/blocks/{index}"));
        }
    }

    fn no_blocks(&mut self, root: &Node, blocks: Option<&Node>) {
        let message = "NodeParticle: invalid source — expected a `blocks` array";
        let mut diagnostic = Diagnostic::new(Code::NoBlocks, message);
        if let Some(blocks) = blocks {
            let what = format!("`blocks` is {} here", blocks.value.describe());
            diagnostic =
                diagnostic.note(what, self.graph.lines.place(blocks.span.clone(), "/blocks"));
        } else if root.get("jsonPayload").is_some() || root.get("nodeParticle").is_some() {
            diagnostic = diagnostic.help(
                "this is an answer of the snippet server; give the graph inside `nodeParticle`",
            );
        }
        self.problems.push(diagnostic.at(self.graph.lines.place(root.span.clone(), "")));
    }

    fn read_block(&mut self, node: Node, pointer: String) {
        let Node { value, span } = node;
        let mut fields = match value {
            Value::Object(fields) => *fields,
            Value::Null => return self.bad_record("a block is null", span, pointer, None),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                return self.no_id("undefined", span, pointer);
            }
        };
        let Some(id) = fields.get("id").and_then(Node::as_number) else {
            return self.no_id(&js::to_text(fields.get("name")), span, pointer);
        };
        let name = match fields.shift_remove("name") {
            Some(node) if !node.is_null() => js::to_text(Some(&node)),
            _ => String::new(),
        };
        let class = fields.shift_remove("customType");
        let mut owner = BlockName { id, name, class: String::new() };
        let Some(class) = self.read_class(class, &pointer, &owner) else { return };
        owner.class = class;
        let inputs = fields.shift_remove("inputs");
        let Some(inputs) = self.read_inputs(inputs, &pointer, &owner) else { return };
        let BlockName { id, name, class } = owner;
        self.graph.insert(SourceBlock { id, class, name, inputs, fields, span, pointer });
    }

    /// A missing or falsy type is the empty class.
    fn read_class(&mut self, node: Option<Node>, block: &str, owner: &BlockName) -> Option<String> {
        let Some(Node { value, span }) = node else { return Some(String::new()) };
        match value {
            Value::String(text) => Some(match text.strip_prefix("BABYLON.") {
                Some(class) => class.to_owned(),
                None => text,
            }),
            Value::Null | Value::Bool(false) => Some(String::new()),
            Value::Number(0.0) => Some(String::new()),
            Value::Bool(true) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                self.bad_record(
                    "`customType` is not a string",
                    span,
                    format!("{block}/customType"),
                    Some(owner),
                );
                None
            }
        }
    }

    fn read_inputs(
        &mut self,
        node: Option<Node>,
        block: &str,
        owner: &BlockName,
    ) -> Option<Vec<SourceInput>> {
        let Some(Node { value, span }) = node else { return Some(Vec::new()) };
        let nodes = match value {
            Value::Array(nodes) => nodes,
            // JavaScript iterates over the characters of a string; none of them has a member.
            Value::Null | Value::String(_) => return Some(Vec::new()),
            Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
                let pointer = format!("{block}/inputs");
                self.bad_record("`inputs` is not an array", span, pointer, Some(owner));
                return None;
            }
        };
        let inputs = nodes.into_iter().enumerate();
        // All inputs are read before the first bad one decides, so that each is reported.
        let inputs: Vec<Option<SourceInput>> = inputs
            .map(|(n, node)| self.read_input(node, || format!("{block}/inputs/{n}"), owner))
            .collect();
        inputs.into_iter().collect()
    }

    fn read_input(
        &mut self,
        node: Node,
        pointer: impl Fn() -> String,
        owner: &BlockName,
    ) -> Option<SourceInput> {
        let Node { value, span } = node;
        let mut members = match value {
            Value::Object(members) => *members,
            Value::Null => {
                self.bad_record("an input is null", span, pointer(), Some(owner));
                return None;
            }
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                return Some(SourceInput { span, ..SourceInput::default() });
            }
        };
        let name = match members.get("name").map(|node| (&node.value, &node.span)) {
            None | Some((Value::Null, _)) => String::new(),
            Some((Value::String(name), _)) => js::trim(name).to_owned(),
            Some((_, span)) => {
                let pointer = format!("{}/name", pointer());
                let message = "an input's `name` is not a string";
                self.bad_record(message, span.clone(), pointer, Some(owner));
                return None;
            }
        };
        let text = |key: &str| members.get(key).and_then(Node::as_str);
        Some(SourceInput {
            name,
            target: members.get("targetBlockId").and_then(Node::as_number),
            connection: text("targetConnectionName").map(|text| js::trim(text).to_owned()),
            value_type: text("valueType").map(str::to_owned),
            value: members.swap_remove("value"),
            span,
        })
    }

    fn no_id(&mut self, name: &str, span: Range<usize>, pointer: String) {
        let message = format!("NodeParticle: block missing numeric id (name={name})");
        let place = self.graph.lines.place(span, pointer);
        self.problems.push(Diagnostic::new(Code::NoId, message).at(place));
    }

    fn bad_record(
        &mut self,
        message: &str,
        span: Range<usize>,
        pointer: String,
        owner: Option<&BlockName>,
    ) {
        let place = Place { block: owner.cloned(), ..self.graph.lines.place(span, pointer) };
        self.problems.push(Diagnostic::new(Code::BadRecord, message).at(place));
    }
}
