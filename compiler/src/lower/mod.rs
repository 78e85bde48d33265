//! From the typed graph to IR programs.
//!
//! Each root becomes a [`Program`](crate::ir::Program). `plan` walks the blocks in the contract's order and notes who
//! installs which step; then the bodies are lowered, each step evaluating its inputs lazily through
//! `Context`. One block class is one function, found through `dispatch`.

mod clear;
mod condition;
mod context;
mod converter;
mod count;
mod create;
mod dispatch;
mod drawing;
mod gradient;
mod init;
mod keep;
mod local;
mod math;
mod mix;
mod plan;
pub mod polynomial;
mod prepare;
mod random;
mod shape;
mod source;
mod sprite;
mod state;
mod system;
mod update;
mod value;

use context::Context;

use crate::diagnostic::Code;
use crate::graph::{Block, BlockIndex, Graph};
use crate::ir::{Module, Profile};

/// Why a graph cannot be lowered.
#[derive(Clone, Debug)]
pub struct Error {
    /// The code under which a diagnostic reports it.
    pub code: Code,
    /// The block, where one is to blame.
    pub block: Option<BlockIndex>,
    /// The input of the block, where one is to blame.
    pub input: Option<String>,
    /// The contract's text where it has one.
    pub message: String,
}

impl Error {
    fn unresolved(graph: &Graph, block: BlockIndex, input: &str) -> Self {
        let class = &graph.block(block).class;
        Self {
            code: Code::DanglingWire,
            block: Some(block),
            input: Some(input.to_owned()),
            message: format!("NodeParticle: unresolved connection {class}.{input}"),
        }
    }

    fn too_many(graph: &Graph, block: BlockIndex) -> Self {
        let class = &graph.block(block).class;
        let message = format!(
            "{class} is evaluated too often: with it the system needs more than a million evaluations"
        );
        Self::too_complex(block, message)
    }

    fn too_many_branches(graph: &Graph, block: BlockIndex) -> Self {
        let class = &graph.block(block).class;
        let message = format!(
            "{class} is needed in too many branches of conditions, each of which evaluates it itself"
        );
        Self::too_complex(block, message)
    }

    fn too_many_statements(graph: &Graph, block: BlockIndex) -> Self {
        let class = &graph.block(block).class;
        let (limit, data) = (count::MAX_STATEMENTS, count::MAX_DATA >> 20);
        let message = format!(
            "with {class} the systems of this file become more than {limit} statements of code or {data} \
             MiB of data"
        );
        Self::too_complex(block, message)
    }

    fn too_complex(block: BlockIndex, message: String) -> Self {
        Self { code: Code::TooComplex, block: Some(block), input: None, message }
    }

    fn unsupported(block: BlockIndex, found: &Block) -> Self {
        Self {
            code: Code::UnsupportedValue,
            block: Some(block),
            input: None,
            message: format!("NodeParticle: unsupported value block \"{}\"", found.class),
        }
    }
}

/// Lowers every root of a graph, in file order.
///
/// # Errors
/// What the graph asks for and the profile cannot mean: all that was found, in order.
pub fn lower(graph: &Graph, profile: Profile) -> Result<Module, Vec<Error>> {
    let mut module = Module::default();
    let mut errors: Vec<Error> = Vec::new();
    let mut code = count::Code::default();
    for &root in &graph.roots {
        match system::program(graph, root, profile, &mut code) {
            Ok(program) => module.programs.push(program),
            Err(found) => errors.extend(found),
        }
        // What has become too large does not get smaller.
        if errors.iter().any(|error| error.code == Code::TooLarge) {
            break;
        }
    }
    if errors.is_empty() { Ok(module) } else { Err(errors) }
}
