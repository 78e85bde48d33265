//! What a host must know to run a printed module: bindings, sizes, offsets, order of the kernels.

use std::fmt;

use crate::emit::decisions::{Decisions, InexactDecision};
use crate::emit::layout::{Layout, Limits, TEXTURE_HEAD, WORD};
use crate::emit::usage::Usage;
use crate::ir::Program;

/// Everything beside the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// Name of the system.
    pub name: String,
    /// Number of the system in its file, counted from 0; the seed is mixed with it.
    pub ordinal: u32,
    /// Where every number lies.
    pub layout: Layout,
    /// Bindings of group 0, ascending.
    pub bindings: Vec<Binding>,
    /// The dispatches of one step, in order.
    pub step: Vec<Dispatch>,
    /// Messages of `Fail` statements; status k stands for message k - 1.
    pub messages: Vec<String>,
    /// Decisions that the GPU may take otherwise than the interpreter, because WGSL leaves the
    /// rounding of an operation open. If none of them is a kill, counts, slots and ids are exact.
    pub inexact: Vec<InexactDecision>,
}

/// A binding of group 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its number.
    pub index: u32,
    /// What is bound.
    pub resource: Resource,
}

/// What a binding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// A uniform block, at a dynamic offset.
    Uniforms,
    /// [`Counter`](crate::emit::layout::Counter)s; read and written.
    Control,
    /// [`Slots`](crate::emit::layout::Slots); read and written.
    Slots,
    /// A buffer of columns; read and written.
    Columns(u32),
    /// All tables, as f32; read only.
    Tables,
    /// All textures, as [`Layout::textures`] says; read only. Its size is the host's, who has the
    /// pixels.
    Texels,
}

/// Displays as manifests in JSON name it.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniforms => f.write_str("uniforms"),
            Self::Control => f.write_str("control"),
            Self::Slots => f.write_str("slots"),
            Self::Columns(buffer) => write!(f, "columns.{buffer}"),
            Self::Tables => f.write_str("tables"),
            Self::Texels => f.write_str("texels"),
        }
    }
}

/// One dispatch of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Name of the entry point.
    pub entry_point: &'static str,
    /// How many workgroups, in x and y. There may be more than there is work; kernels ignore the rest.
    pub workgroups: [u32; 2],
}

impl Manifest {
    pub(super) fn new(
        program: &Program,
        ordinal: u32,
        usage: Usage,
        decisions: Decisions,
        layout: Layout,
        limits: &Limits,
    ) -> Self {
        let (chunks, groups) = (layout.grid(limits), layout.group_grid(limits));
        let blocks = layout.block_grid(limits);
        Self {
            name: program.name.clone(),
            ordinal,
            bindings: bindings(&layout),
            step: vec![
                Dispatch { entry_point: "update", workgroups: chunks },
                Dispatch { entry_point: "scan", workgroups: groups },
                Dispatch { entry_point: "birth", workgroups: blocks },
            ],
            inexact: decisions.inexact,
            messages: usage.messages.into_iter().collect(),
            layout,
        }
    }

    /// Bytes of what a binding holds; of textures only what describes them.
    pub fn bytes(&self, resource: Resource) -> u64 {
        let layout = &self.layout;
        match resource {
            Resource::Uniforms => u64::from(layout.uniform_bytes),
            Resource::Control => u64::from(layout.control_words()) * WORD,
            Resource::Slots => u64::from(layout.slots.words) * WORD,
            Resource::Columns(buffer) => {
                let buffer = layout.column_buffers.get(buffer as usize);
                buffer.map_or(0, |buffer| u64::from(buffer.words) * WORD)
            }
            Resource::Tables => u64::from(layout.table_words.max(1)) * WORD,
            Resource::Texels => layout.textures.len() as u64 * u64::from(TEXTURE_HEAD) * WORD,
        }
    }
}

/// The bindings of a layout: fixed ones first, tables and textures only where there
/// are any.
pub(super) fn bindings(layout: &Layout) -> Vec<Binding> {
    let mut resources = vec![Resource::Uniforms, Resource::Control, Resource::Slots];
    resources.extend((0..layout.column_buffers.len() as u32).map(Resource::Columns));
    if !layout.tables.is_empty() {
        resources.push(Resource::Tables);
    }
    if !layout.textures.is_empty() {
        resources.push(Resource::Texels);
    }
    resources.into_iter().zip(0..).map(|(resource, index)| Binding { index, resource }).collect()
}
