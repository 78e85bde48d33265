//! Prints the IR of a graph file: `dump <graph.json> [exact | parallel]`.

use std::error::Error;
use std::io::Write;

use pyrograph_compiler::graph::{normalize, parse};
use pyrograph_compiler::ir::{Profile, validate};
use pyrograph_compiler::lower;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("no graph file is given")?;
    let profile = match arguments.next().as_deref() {
        Some("parallel") => Profile::Parallel,
        _ => Profile::Exact,
    };
    let source = parse::parse(&std::fs::read(path)?).map_err(|found| format!("{found:?}"))?;
    let (graph, _) = normalize::normalize(&source).map_err(|found| format!("{found:?}"))?;
    let module = lower::lower(&graph, profile).map_err(|found| format!("{found:#?}"))?;
    write!(std::io::stdout(), "{module}")?;
    validate(module)?;
    Ok(())
}
