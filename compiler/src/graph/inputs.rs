//! Constants that stay open: hosts may change them while a system runs.

use super::kind::{Kind, Source};
use super::{Block, BlockIndex, Graph, Literal};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};

/// Names that a message lists.
const LISTED: usize = 30;

impl Graph {
    /// The names of all constants in file order, each once; constants without a name are left out.
    pub fn constant_names(&self) -> Vec<&str> {
        let mut blocks: Vec<&Block> =
            self.wires.node_weights().filter(|block| is_constant(&block.kind)).collect();
        blocks.sort_by_key(|block| block.span.start);
        let mut names: Vec<&str> = Vec::new();
        for block in blocks {
            if !block.name.is_empty() && !names.contains(&block.name.as_str()) {
                names.push(&block.name);
            }
        }
        names
    }

    /// The first constant of that name.
    pub fn constant(&self, name: &str) -> Option<Literal> {
        let mut named = self.wires.node_weights().filter(|block| block.name == name);
        named.find_map(|block| match block.kind {
            Kind::Input(Source::Constant(literal) | Source::Open(literal)) => Some(literal),
            _ => None,
        })
    }

    /// Opens the constants of these names, all of each name.
    ///
    /// # Errors
    /// Some names are those of no constant. The others are opened.
    pub fn open_inputs(&mut self, names: &[String]) -> Result<(), Diagnostics> {
        let mut errors = Diagnostics::new();
        for name in names {
            let named: Vec<BlockIndex> =
                self.wires.node_indices().filter(|&at| self.wires[at].name == *name).collect();
            let mut found = false;
            for &index in &named {
                if let Kind::Input(source) = &mut self.wires[index].kind
                    && let Source::Constant(literal) | Source::Open(literal) = *source
                {
                    *source = Source::Open(literal);
                    found = true;
                }
            }
            if !found {
                errors.push(self.no_constant(name, named.first().copied()));
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn no_constant(&self, name: &str, other: Option<BlockIndex>) -> Diagnostic {
        let names = self.constant_names();
        let mut help = match names.len() {
            0 => "no constant of the graph has a name; give the ParticleInputBlock one".into(),
            _ => format!("the constants are {}", list(&names)),
        };
        if names.len() > LISTED {
            help += " and others";
        }
        let diagnostic = match other {
            Some(index) => {
                let message = format!("block {name:?} holds no constant that a host could change");
                Diagnostic::new(Code::NoSuchConstant, message).at(self.place(index))
            }
            None => {
                let message = format!("no constant of the graph is named {name:?}");
                Diagnostic::new(Code::NoSuchConstant, message)
            }
        };
        diagnostic.help(help)
    }
}

fn is_constant(kind: &Kind) -> bool {
    matches!(kind, Kind::Input(Source::Constant(_) | Source::Open(_)))
}

fn list(names: &[&str]) -> String {
    let names = names.iter().take(LISTED).map(|name| format!("{name:?}"));
    names.collect::<Vec<_>>().join(", ")
}
