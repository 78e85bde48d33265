//! The graph in a server's answer: JSON in a member of JSON, and sometimes once more.

use pyrograph_compiler::graph::json::{Node, Value, read};

use super::error::SnippetError;

/// The text of the graph: `answer.jsonPayload` is JSON text, and its `nodeParticle` is the graph
/// or, again, its text.
pub(super) fn graph(answer: &str) -> Result<String, SnippetError> {
    let payload = member(answer, "answer", "jsonPayload")?;
    let Value::String(payload) = payload.value else {
        return Err(SnippetError::Member("jsonPayload"));
    };
    let graph = member(&payload, "jsonPayload", "nodeParticle")?;
    Ok(match graph.value {
        Value::String(text) => text,
        // As it is written, so that numbers and positions stay.
        Value::Object(_) => payload[graph.span].to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            return Err(SnippetError::Member("nodeParticle"));
        }
    })
}

fn member(text: &str, part: &'static str, name: &'static str) -> Result<Node, SnippetError> {
    let whole = read(text).map_err(|error| SnippetError::Json { part, error })?;
    whole.get(name).cloned().ok_or(SnippetError::Member(name))
}
