//! What keeps a snippet from becoming a graph.

use std::fmt::{self, Display, Formatter};

use pyrograph_compiler::diagnostic::Diagnostics;
use pyrograph_compiler::graph::json::JsonError;

/// Why there is no graph.
#[derive(Debug)]
#[non_exhaustive]
pub enum SnippetError {
    /// The server answered, but not with success: an HTTP status.
    Status(u16),
    /// The server sends the request elsewhere, to an address on another server or too often.
    Redirect(String),
    /// No whole answer came: the address is none, nobody answers there, it takes too long, or the
    /// answer is too long.
    Transfer {
        /// What was asked.
        address: String,
        /// What the client says.
        reason: String,
    },
    /// A part of the answer is not JSON.
    Json {
        /// `answer`, or the member that should hold JSON.
        part: &'static str,
        /// What is wrong with it.
        error: JsonError,
    },
    /// The answer is JSON, but lacks this member.
    Member(&'static str),
    /// The graph is wrong.
    Graph(Diagnostics),
}

impl Display for SnippetError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            // The contract fixes this text (section 11).
            Self::Status(status) => write!(f, "NodeParticle: snippet fetch failed ({status})"),
            Self::Redirect(to) => write!(
                f,
                "the snippet server sends the request to {to:?}, which is not followed: name the \
                 server that has the snippet"
            ),
            Self::Transfer { address, reason } => write!(f, "cannot fetch {address}: {reason}"),
            Self::Json { part, error } => {
                write!(f, "the snippet's {part} is not JSON: {error}")
            }
            Self::Member(name) => write!(
                f,
                "the snippet has no {name}: it is not a node particle graph, or the server is no \
                 snippet server"
            ),
            Self::Graph(diagnostics) => {
                let count = diagnostics.error_count();
                write!(f, "the snippet's graph has {count} error")?;
                f.write_str(if count == 1 { "" } else { "s" })
            }
        }
    }
}

impl std::error::Error for SnippetError {}
