//! Graphs that the editor has stored on a snippet server (spec section 6.4).
//!
//! Nothing here runs unless a program calls it; the address is the one that the caller gives.
//!
//! ```no_run
//! use pyrograph::snippet::{Snippet, fetch};
//!
//! # fn main() -> Result<(), pyrograph::snippet::SnippetError> {
//! let graph = fetch(&Snippet::new("MAGIC1#3"))?;
//! std::fs::write("magic.json", graph).expect("a folder that can be written");
//! # Ok(())
//! # }
//! ```

mod answer;
mod error;
#[cfg(test)]
mod tests;
mod transfer;

use std::time::Duration;

pub use error::SnippetError;
use pyrograph_compiler::{Compiled, Options, compile};

/// The server of Babylon's editors.
pub const SERVER: &str = "https://snippet.babylonjs.com";

/// Which snippet, from where, and how much a server may take of time and memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// As the editor shows it, such as `MAGIC1#3`: every `#` becomes `/` in the address.
    pub id: String,
    /// Address of the server, without a slash at its end; [`SERVER`] unless set.
    pub server: String,
    /// For everything together; 30 seconds unless set.
    pub timeout: Duration,
    /// Bytes of the longest answer that is read; 64 MiB unless set.
    pub limit: u64,
}

impl Snippet {
    /// A snippet of Babylon's server.
    pub fn new(id: impl Into<String>) -> Self {
        let (timeout, limit) = (Duration::from_secs(30), 1 << 26);
        Self { id: id.into(), server: SERVER.into(), timeout, limit }
    }

    /// The address that is asked: `server/id`.
    pub fn address(&self) -> String {
        format!("{}/{}", self.server, self.id.replace('#', "/"))
    }
}

/// The text of the graph in a snippet, as `compile` takes it.
///
/// # Errors
/// The server cannot be reached, does not answer in time or with too much, answers with another
/// status than success, sends the request to another server, or its answer holds no graph.
pub fn fetch(snippet: &Snippet) -> Result<String, SnippetError> {
    answer::graph(&transfer::get(snippet)?)
}

/// Fetches a snippet and compiles it. With `json` nothing is fetched: that text is compiled.
///
/// # Errors
/// See [`fetch`]; [`SnippetError::Graph`] where the graph is wrong.
pub fn parse_from_snippet(
    snippet: &Snippet,
    json: Option<&[u8]>,
    options: &Options,
) -> Result<Compiled, SnippetError> {
    let compiled = match json {
        Some(json) => compile(json, options),
        None => compile(fetch(snippet)?.as_bytes(), options),
    };
    compiled.map_err(SnippetError::Graph)
}
