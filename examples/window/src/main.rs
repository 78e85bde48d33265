//! A graph in a window, anew on every save: `cargo run -p pyrograph-window [GRAPH]`.
//!
//! What `pyrograph preview` shows in a browser, for people without one.
//!
//! | file | what |
//! | --- | --- |
//! | `app` | events of the window |
//! | `stage` | the window's surface: effect and panel in one pass |
//! | `panel` | controls, figures, findings |
//! | `session` | which graph is shown, and how time goes on |
//! | `settings` | what a person has set |
//! | `effect` | the systems of a graph that run, on the GPU or the processor |
//! | `pictures` | what systems draw and read |
//! | `orbit` | the camera |
//! | `source` | the graph's file, and whether it was saved |
//! | `timer` | what steps take on the GPU |

mod app;
mod effect;
mod orbit;
mod panel;
mod pictures;
mod session;
mod settings;
mod source;
mod stage;
mod timer;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use source::Source;

/// What goes wrong is told to a person.
type Fallible<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let graph = arguments.next();
    let is_flag = graph.as_ref().is_some_and(|graph| graph.to_string_lossy().starts_with('-'));
    let result = if is_flag || arguments.next().is_some() {
        Err("usage: pyrograph-window [GRAPH]   (without a graph: a fountain)".into())
    } else {
        graph.map_or_else(|| Ok(Source::sample()), |graph| Source::open(&PathBuf::from(graph)))
    };
    let Err(error) = result.and_then(app::run) else { return ExitCode::SUCCESS };
    // Nobody is left to tell where this cannot be written.
    let _ = writeln!(io::stderr(), "{error}");
    ExitCode::FAILURE
}
