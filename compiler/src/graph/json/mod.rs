//! JSON with positions: exactly what JavaScript's `JSON.parse` accepts, and where each value stands.
//!
//! `serde_json` cannot be used here: it refuses `1e400` (which is Infinity), lone surrogates and
//! depth over 128, and its values have no positions. A lone surrogate becomes U+FFFD, the one
//! place where two different texts read alike. Of a repeated key the last value holds, at the
//! place of the first. Reading is iterative and linear in the size of the text.

mod read;
mod scan;

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use indexmap::IndexMap;

pub use read::read;

/// Arrays and objects inside each other at most; deeper texts are refused.
pub const MAX_DEPTH: usize = 512;

/// Members of an object, in the order in which their keys first stand.
pub type Object = IndexMap<String, Node>;

/// A value and its bytes in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Its first byte, and the byte after its last.
    pub span: Range<usize>,
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, rounded to the nearest double; too large ones are infinite.
    Number(f64),
    /// A string without its escapes.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object.
    Object(Box<Object>),
}

/// Why a text is not JSON, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// What kind of mistake it is.
    pub kind: JsonErrorKind,
    /// The byte that cannot stand where it stands.
    pub offset: usize,
}

/// Kinds of mistakes in a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonErrorKind {
    /// Something else must stand here: what was expected, and what was found.
    Unexpected {
        /// In words.
        expected: &'static str,
        /// In words; quotes a character.
        found: String,
    },
    /// More than [`MAX_DEPTH`] arrays and objects inside each other.
    TooDeep,
}

impl Display for JsonErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::TooDeep => write!(f, "values are nested more than {MAX_DEPTH} levels deep"),
        }
    }
}

impl Display for JsonError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.offset)
    }
}

impl std::error::Error for JsonError {}

impl Node {
    /// The member of that name, if this is an object that has one.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Object(object) => object.get(key),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => None,
        }
    }

    /// The number, if this is one.
    pub fn as_number(&self) -> Option<f64> {
        if let Value::Number(number) = self.value { Some(number) } else { None }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = &self.value { Some(text) } else { None }
    }

    /// The elements, if this is an array.
    pub fn as_array(&self) -> Option<&[Node]> {
        if let Value::Array(nodes) = &self.value { Some(nodes) } else { None }
    }

    /// Whether this is exactly `true`.
    pub fn is_true(&self) -> bool {
        matches!(self.value, Value::Bool(true))
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }
}

impl Value {
    /// What the value is, for messages.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}
