//! From records to typed blocks: what the roots reach, plumbing removed, checked.
//!
//! 1. `reach` follows wires from the roots, gives each block its domains and resolves routes
//!    through teleports, elbows and debug blocks (`routes`);
//! 2. `check` walks as the contract builds, so that its errors come in the contract's order;
//! 3. `assemble` makes the [`Graph`].
//!
//! All three are iterative: no graph can exhaust the stack.

mod assemble;
mod check;
mod geometry;
mod params;
mod problems;
mod reach;
mod routes;
mod warn;

use super::Graph;
use super::source::SourceGraph;
use crate::diagnostic::Diagnostics;

/// Blocks and inputs that the walks of all roots may visit together.
const MAX_VISITS: usize = 1_000_000;

/// Systems that a file may have: each becomes a program, however small.
const MAX_SYSTEMS: usize = 4_000;

/// Steps that a system may make before its first picture: half an hour of 60 frames a second.
const MAX_PRE_WARM: f64 = 100_000.0;

/// Where a resolved input gets its value from; blocks by position in the [`SourceGraph`].
#[derive(Clone, Debug, Default, PartialEq)]
enum Resolved {
    /// No wire, or one behind which systems are left out.
    #[default]
    None,
    /// An output of a block that is not plumbing.
    Block(usize, String),
    /// An id that the file does not have.
    Dangling(f64),
    /// Already reported; whoever uses it stays silent.
    Poisoned,
}

/// Turns a file's records into a graph.
///
/// # Errors
///
/// All errors of the file, in the order in which the contract would meet them.
pub fn normalize(source: &SourceGraph) -> Result<(Graph, Diagnostics), Diagnostics> {
    let mut problems = Diagnostics::new();
    let reached = reach::reach(source, &mut problems);
    let checked = check::check(source, &reached, &mut problems);
    problems.append(warn::warnings(source, &reached));
    if problems.has_errors() {
        return Err(problems);
    }
    Ok((assemble::assemble(source, &reached, checked), problems))
}
