//! `pyrograph fetch`: a graph from a snippet server.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use pyrograph::snippet::{self, Snippet, SnippetError};

use crate::failure::Failure;
use crate::input::{note, shown};
use crate::output::{self, Output};
use crate::{Outcome, args};

/// Fetch a graph that the editor has stored on a snippet server
///
/// This is one of two subcommands that use the network (the other is preview, when its page is asked
/// for a snippet). Redirections to other servers are not followed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pyrograph fetch 'MAGIC1#3' -o magic.json
  pyrograph fetch 'MAGIC1#3' | pyrograph check -")]
pub(crate) struct Fetch {
    /// The snippet's id as the editor shows it; quote it, for shells take `#` for a comment
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    id: String,

    /// Address of the server
    #[arg(long, value_name = "URL", default_value = snippet::SERVER, value_parser = args::address)]
    server: String,

    /// Seconds until the server is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 30, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

impl Fetch {
    /// Runs the subcommand.
    pub(crate) fn run(&self) -> Outcome {
        let snippet = Snippet {
            server: self.server.clone(),
            timeout: Duration::from_secs(self.timeout),
            ..Snippet::new(&self.id)
        };
        if io::stderr().is_terminal() {
            note(&format!("fetching {}\n", shown(&snippet.address())));
        }
        let text = snippet::fetch(&snippet).map_err(|error| failure(&error))?;
        let output = Output { name: String::new(), bytes: text.into_bytes() };
        output::deliver(&[output], output::place(&self.output))
    }
}

fn failure(error: &SnippetError) -> Failure {
    Failure::Input(format!("error: {}\n", shown(&error.to_string())))
}
