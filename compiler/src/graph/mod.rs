//! The typed graph: what a file says once it has been read, checked and freed of editor plumbing.
//!
//! [`parse`](parse::parse) turns bytes into a [`SourceGraph`](source::SourceGraph); and
//! [`normalize`](normalize::normalize) turns that into a [`Graph`]. Nothing after this stage looks
//! at JSON again. Teleports, elbows and debug blocks have no [`Kind`]: a graph that still has them
//! cannot be expressed, so it cannot be lowered by mistake.

pub mod kind;

use std::ops::Range;

use petgraph::stable_graph::NodeIndex;

pub use kind::Kind;

/// Index of a block in a [`Graph`].
pub type BlockIndex = NodeIndex<u32>;

/// A normalized graph: every block that some root reaches, and the roots in file order.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Blocks and wires. A wire points from the block that produces a value to its consumer and
    /// carries the position of the input in the consumer. Order of evaluation never comes from
    /// here: it comes from [`Block::inputs`].
    pub wires: petgraph::stable_graph::StableDiGraph<Block, u32>,
    /// The roots in file order; one id may stand here more than once (spec section 6.2).
    pub roots: Vec<BlockIndex>,
}

/// One reachable block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The id of the file; JavaScript numbers are allowed, so it may be fractional or negative.
    pub id: f64,
    /// The name of the file, untrimmed; may be empty.
    pub name: String,
    /// Class without the `BABYLON.` prefix.
    pub class: String,
    /// What the block does, with its serialized fields.
    pub kind: Kind,
    /// Inputs in serialized order.
    pub inputs: Vec<Input>,
    /// Domains from which the block is reached.
    pub domains: Domains,
    /// Bytes of the block's object in the file.
    pub span: Range<usize>,
}

/// One serialized input of a block.
#[derive(Clone, Debug)]
pub struct Input {
    /// Trimmed name.
    pub name: String,
    /// Where its value comes from.
    pub source: InputSource,
    /// Bytes of the input's object in the file.
    pub span: Range<usize>,
}

/// Where the value of an input comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSource {
    /// A wire that ends at this output of this block, all plumbing removed.
    Wire(BlockIndex, String),
    /// A wire whose target id is not in the file. It fails only where a value is asked for
    /// (spec section 11).
    Dangling,
    /// The literal beside the input.
    Literal(Literal),
    /// Neither wire nor usable literal: the consumer's default holds.
    Unconnected,
}

/// A constant of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// A number.
    Number(f64),
    /// x, y.
    Vector2([f64; 2]),
    /// x, y, z.
    Vector3([f64; 3]),
    /// Red, green, blue, alpha.
    Color4([f64; 4]),
}

/// The two-bit domain mask of spec section 9.31.4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Domains {
    /// Reached through a `particle` input of a SystemBlock.
    pub particle: bool,
    /// Reached through any other input of a SystemBlock.
    pub system: bool,
}

impl Graph {
    /// The block at an index of this graph.
    pub fn block(&self, index: BlockIndex) -> &Block {
        &self.wires[index]
    }
}

impl Block {
    /// The first input of that name, as the contract looks inputs up (spec section 7.3).
    pub fn input(&self, name: &str) -> Option<&Input> {
        self.inputs.iter().find(|input| input.name == name)
    }

    /// Whether the input of that name has a wire (dangling ones count, spec section 7.2).
    pub fn is_connected(&self, name: &str) -> bool {
        matches!(
            self.input(name).map(|input| &input.source),
            Some(InputSource::Wire(..) | InputSource::Dangling)
        )
    }
}
