//! A JSON text that need not be one: numbers are kept as texts, keys may repeat.

use std::fmt::{self, Display, Formatter};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    /// A number or word, as it is printed.
    Raw(String),
    /// A string.
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Json {
    pub(crate) fn raw(value: impl Display) -> Self {
        Self::Raw(value.to_string())
    }

    pub(crate) fn text(value: impl Into<String>) -> Self {
        Self::Text(value.into())
    }

    /// A map with these members.
    pub(crate) fn map<const N: usize>(members: [(&str, Json); N]) -> Self {
        Self::Map(members.map(|(key, value)| (key.to_owned(), value)).into())
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        let Self::Map(members) = self else { return None };
        members.iter().find(|member| member.0 == key).map(|member| &member.1)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        let Self::Map(members) = self else { return None };
        members.iter_mut().find(|member| member.0 == key).map(|member| &mut member.1)
    }

    /// Replaces a member or appends it.
    pub(crate) fn set(&mut self, key: &str, value: Json) {
        if let Some(place) = self.get_mut(key) {
            *place = value;
        } else if let Self::Map(members) = self {
            members.push((key.to_owned(), value));
        }
    }

    pub(crate) fn remove(&mut self, key: &str) {
        if let Self::Map(members) = self {
            members.retain(|member| member.0 != key);
        }
    }

    pub(crate) fn list_mut(&mut self) -> Option<&mut Vec<Json>> {
        match self {
            Self::List(items) => Some(items),
            Self::Raw(_) | Self::Text(_) | Self::Map(_) => None,
        }
    }

    /// Calls back with this value and all inside it.
    pub(crate) fn visit(&mut self, visit: &mut impl FnMut(&mut Json)) {
        visit(self);
        match self {
            Self::Raw(_) | Self::Text(_) => {}
            Self::List(items) => items.iter_mut().for_each(|item| item.visit(visit)),
            Self::Map(members) => members.iter_mut().for_each(|member| member.1.visit(visit)),
        }
    }
}

impl From<&serde_json::Value> for Json {
    fn from(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::String(text) => Self::Text(text.clone()),
            serde_json::Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            serde_json::Value::Object(members) => {
                Self::Map(members.iter().map(|(key, value)| (key.clone(), value.into())).collect())
            }
            other => Self::Raw(other.to_string()),
        }
    }
}

impl Display for Json {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        match self {
            Self::Raw(text) => f.write_str(text),
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::List(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    let separator = if at > 0 { "," } else { "" };
                    write!(f, "{separator}{item}")?;
                }
                f.write_str("]")
            }
            Self::Map(members) => {
                f.write_str("{")?;
                for (at, (key, value)) in members.iter().enumerate() {
                    let separator = if at > 0 { "," } else { "" };
                    write!(f, "{separator}{}:{value}", quoted(key))?;
                }
                f.write_str("}")
            }
        }
    }
}
