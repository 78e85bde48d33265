//! The typed graph: what a file says once it has been read, checked and freed of editor plumbing.
//!
//! [`parse`](parse::parse) turns bytes into a [`SourceGraph`](source::SourceGraph); and
//! [`normalize`](normalize::normalize) turns that into a [`Graph`]. Nothing after this stage looks
//! at JSON again. Teleports, elbows and debug blocks have no [`Kind`]: a graph that still has them
//! cannot be expressed, so it cannot be lowered by mistake.

pub mod catalog;
pub mod dot;
mod facts;
mod inputs;
pub mod js;
pub mod json;
pub mod kind;
pub mod listing;
pub mod merge;
pub mod normalize;
pub mod parse;
pub mod source;
#[cfg(test)]
mod tests;

use std::ops::Range;

use indexmap::IndexMap;
use petgraph::stable_graph::NodeIndex;

use crate::diagnostic::{BlockName, Lines, Place, Port};

pub use kind::Kind;

/// Characters of a name that are worth to be repeated.
const NAME_SHOWN: usize = 200;

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
    /// Roots whose id a later record of another class took over (S1-005): such a system has the
    /// contract's defaults, but these two fields come from the record, whatever its class.
    pub bare_roots: IndexMap<BlockIndex, BareRoot>,
    /// Lines of the file, for diagnostics of later stages.
    pub lines: Lines,
}

/// What the contract reads of a root's record before it looks at the class (spec section 7.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BareRoot {
    /// As [`kind::System::capacity`].
    pub capacity: f64,
    /// As [`kind::System::is_local`].
    pub is_local: bool,
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
    /// JSON pointer of the block's object.
    pub pointer: String,
}

/// One serialized input of a block.
#[derive(Clone, Debug)]
pub struct Input {
    /// Trimmed name.
    pub name: String,
    /// Where its value comes from.
    pub source: InputSource,
    /// The `valueType` beside it, which a wire does not remove (spec section 7.4 asks for it).
    pub value_type: Option<ValueType>,
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
    /// Neither wire nor usable literal: the consumer's default holds. Also every input behind
    /// which systems are left out (`onStart`, `onEnd`, a trigger's `condition` and `system`).
    Unconnected,
}

/// A serialized `valueType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// `number`
    Number,
    /// `BABYLON.Vector2`
    Vector2,
    /// `BABYLON.Vector3`
    Vector3,
    /// `BABYLON.Color4`
    Color4,
    /// Any other text.
    Other,
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

    /// Gives a blend mode to the systems whose record has none.
    pub fn fill_blend_modes(&mut self, mode: f64) {
        for block in self.wires.node_weights_mut() {
            if let Kind::System(system) = &mut block.kind {
                system.blend_mode.get_or_insert(mode);
            }
        }
    }

    /// The fields that a root's system takes from its record, `SystemBlock` or not.
    pub fn root_fields(&self, root: BlockIndex) -> BareRoot {
        match &self.block(root).kind {
            Kind::System(system) => {
                BareRoot { capacity: system.capacity, is_local: system.is_local }
            }
            _ => self.bare_roots.get(&root).copied().unwrap_or_default(),
        }
    }

    /// Where a block stands in the file.
    pub fn place(&self, index: BlockIndex) -> Place {
        let block = self.block(index);
        self.lines.place(block.span.clone(), block.pointer.clone()).block(block.name())
    }

    /// Where an input stands in the file, by its position in [`Block::inputs`].
    pub fn input_place(&self, index: BlockIndex, input: usize) -> Place {
        let block = self.block(index);
        let Input { name, span, .. } = &block.inputs[input];
        self.lines
            .place(span.clone(), format!("{}/inputs/{input}", block.pointer))
            .block(block.name())
            .port(Port::Input(name.clone()))
    }

    /// Where an output stands: its block, with the output's name.
    pub fn output_place(&self, index: BlockIndex, output: &str) -> Place {
        self.place(index).port(Port::Output(output.to_owned()))
    }
}

impl Literal {
    /// The literal's numbers in order.
    pub fn numbers(&self) -> &[f64] {
        match self {
            Self::Number(value) => std::slice::from_ref(value),
            Self::Vector2(values) => values,
            Self::Vector3(values) => values,
            Self::Color4(values) => values,
        }
    }
}

impl Default for BareRoot {
    fn default() -> Self {
        Self { capacity: 1000.0, is_local: false }
    }
}

impl Block {
    /// How messages name the block.
    pub fn name(&self) -> BlockName {
        BlockName { id: self.id, name: self.name.clone(), class: self.class.clone() }
    }

    /// The name as code and running programs say it, again and again: cut where it is long.
    pub(crate) fn short_name(&self) -> String {
        match self.name.char_indices().nth(NAME_SHOWN) {
            None => self.name.clone(),
            Some((end, _)) => format!("{}…", &self.name[..end]),
        }
    }

    /// Positions of the inputs in the order in which they are followed: particle flow first, then
    /// the others, each in serialized order (spec section 7.2).
    pub fn evaluation_order(&self) -> impl Iterator<Item = usize> {
        let is_flow = |n: &usize| {
            catalog::role(&self.class, &self.inputs[*n].name) == catalog::Role::ParticleFlow
        };
        let all = 0..self.inputs.len();
        all.clone().filter(is_flow).chain(all.filter(move |n| !is_flow(n)))
    }

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
