//! From the typed graph to IR programs.
//!
//! Each root becomes a [`Program`]. [`plan`] walks the blocks in the contract's order and notes who
//! installs which step; then the bodies are lowered, births first, each step evaluating its inputs
//! lazily through [`Context`]. One block class is one function, found through [`dispatch`].

mod context;
mod create;
mod dispatch;
mod input;
mod operation;
mod plan;
mod random;
mod shape;
mod state;
mod system;
mod update;
mod value;

use context::Context;

use crate::graph::{Block, BlockIndex, Graph};
use crate::ir::{Module, Profile};

/// Why a graph cannot be lowered: the block, the input where one is to blame, and the message.
#[derive(Clone, Debug)]
pub struct Error {
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
            block: Some(block),
            input: Some(input.to_owned()),
            message: format!("NodeParticle: unresolved connection {class}.{input}"),
        }
    }

    fn unsupported(block: BlockIndex, found: &Block) -> Self {
        Self {
            block: Some(block),
            input: None,
            message: format!("NodeParticle: unsupported value block \"{}\"", found.class),
        }
    }
}

/// Lowers every root of a graph, in file order.
///
/// # Errors
/// What the graph asks for and the profile cannot mean.
pub fn lower(graph: &Graph, profile: Profile) -> Result<Module, Error> {
    let programs = graph.roots.iter().map(|&root| system::program(graph, root, profile));
    Ok(Module { programs: programs.collect::<Result<_, _>>()? })
}
