//! The records of a file as the contract's section 6.2 reads them, with their places.

use std::ops::Range;

use indexmap::IndexMap;

use super::json::{Node, Object};
use super::{BareRoot, js};
use crate::diagnostic::{BlockName, Lines, Place, Port};

/// What a file says, before anything is asked of it.
#[derive(Clone, Debug, Default)]
pub struct SourceGraph {
    /// Blocks by id: the last record of an id, at the place of the first.
    pub(super) blocks: IndexMap<IdKey, SourceBlock>,
    /// Ids of all records of class `SystemBlock` in file order, repeated ones included.
    pub roots: Vec<f64>,
    /// Records that a later record of the same id replaced: id and place.
    pub replaced: Vec<(f64, Place)>,
    /// Lines of the text.
    pub lines: Lines,
}

/// A record of the `blocks` array.
#[derive(Clone, Debug)]
pub struct SourceBlock {
    /// Serialized `id`.
    pub id: f64,
    /// `customType` without a leading `BABYLON.`; empty when absent.
    pub class: String,
    /// `name`, untrimmed; empty when absent.
    pub name: String,
    /// `inputs` in file order.
    pub inputs: Vec<SourceInput>,
    /// The other members of the record, raw.
    pub fields: Object,
    /// Bytes of the record.
    pub span: Range<usize>,
    /// JSON pointer of the record.
    pub pointer: String,
}

/// An element of a block's `inputs`.
#[derive(Clone, Debug, Default)]
pub struct SourceInput {
    /// Trimmed `name`; empty when absent.
    pub name: String,
    /// `targetBlockId`, if it is a number.
    pub target: Option<f64>,
    /// Trimmed `targetConnectionName`, if it is a string.
    pub connection: Option<String>,
    /// `value`, raw.
    pub value: Option<Node>,
    /// `valueType`, if it is a string.
    pub value_type: Option<String>,
    /// Bytes of the element.
    pub span: Range<usize>,
}

/// An id as the key of a map: JavaScript's maps take 0 and -0 for the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct IdKey(u64);

impl IdKey {
    pub(super) fn new(id: f64) -> Self {
        Self(if id == 0.0 { 0 } else { id.to_bits() })
    }
}

impl SourceGraph {
    /// An empty graph over a text.
    pub fn new(lines: Lines) -> Self {
        Self { lines, ..Self::default() }
    }

    /// Adds a record; it replaces an earlier one of the same id.
    pub fn insert(&mut self, block: SourceBlock) {
        if block.class == "SystemBlock" {
            self.roots.push(block.id);
        }
        let (id, key) = (block.id, IdKey::new(block.id));
        if let Some(earlier) = self.blocks.insert(key, block) {
            let place = self.place(&earlier);
            self.replaced.push((id, place));
        }
    }

    /// The block of that id.
    pub fn block(&self, id: f64) -> Option<&SourceBlock> {
        self.blocks.get(&IdKey::new(id))
    }

    /// The position of the block of that id among [`blocks`](Self::blocks).
    pub fn index_of(&self, id: f64) -> Option<usize> {
        self.blocks.get_index_of(&IdKey::new(id))
    }

    /// The block at a position.
    pub fn at(&self, index: usize) -> &SourceBlock {
        &self.blocks[index]
    }

    /// All blocks in the order in which their ids first stand in the file.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = &SourceBlock> {
        self.blocks.values()
    }

    /// Where a block stands.
    pub fn place(&self, block: &SourceBlock) -> Place {
        self.lines.place(block.span.clone(), block.pointer.clone()).block(block.name())
    }

    /// Where an input of a block stands, by its position among the inputs.
    pub fn input_place(&self, block: &SourceBlock, input: usize) -> Place {
        let SourceInput { name, span, .. } = &block.inputs[input];
        self.lines
            .place(span.clone(), format!("{}/inputs/{input}", block.pointer))
            .block(block.name())
            .port(Port::Input(name.clone()))
    }

    /// Where a field of a block stands; the block itself if it has no such field.
    pub fn field_place(&self, block: &SourceBlock, field: &str) -> Place {
        let Some(node) = block.fields.get(field) else { return self.place(block) };
        self.lines
            .place(node.span.clone(), format!("{}/{field}", block.pointer))
            .block(block.name())
    }

    /// Where an output of a block stands: the block, with the output's name.
    pub fn output_place(&self, block: &SourceBlock, output: &str) -> Place {
        self.place(block).port(Port::Output(output.to_owned()))
    }
}

impl SourceBlock {
    /// How messages name the block.
    pub fn name(&self) -> BlockName {
        BlockName { id: self.id, name: self.name.clone(), class: self.class.clone() }
    }

    /// The id as a message prints it.
    pub fn id_text(&self) -> String {
        js::number_to_string(self.id)
    }

    /// The field's number, if it has one.
    pub fn number(&self, field: &str) -> Option<f64> {
        self.fields.get(field).and_then(Node::as_number)
    }

    /// The `capacity` of a system, where the record says none the contract's.
    pub fn capacity(&self) -> f64 {
        self.number("capacity").unwrap_or(BareRoot::default().capacity)
    }

    /// Whether the field is exactly `true`.
    pub fn is_true(&self, field: &str) -> bool {
        self.fields.get(field).is_some_and(Node::is_true)
    }

    /// The field's text, if it is a string.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field).and_then(Node::as_str)
    }

    /// The position of the first input of that name.
    pub fn input_index(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|input| input.name == name)
    }
}

impl SourceInput {
    /// The source pair, if the input counts as connected: both fields must be there.
    pub fn wire(&self) -> Option<(f64, &str)> {
        Some((self.target?, self.connection.as_deref()?))
    }
}
