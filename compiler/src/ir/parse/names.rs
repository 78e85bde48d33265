//! The names that the text of a program has declared, and where it has named blocks.

use indexmap::IndexMap;

use super::Read;
use super::lexer::Line;
use crate::ir::arena::{Arena, Handle};
use crate::ir::program::Origin;

/// What has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    Column,
    Register,
    Input,
    Uniform,
    Texture,
    Table,
    Function,
}

/// Names of one program: a text of a hundred thousand columns is read as fast as one of ten.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    items: IndexMap<(Item, &'a str), usize>,
    origins: IndexMap<(u64, String, String), Handle<Origin>>,
}

impl<'a> Names<'a> {
    /// Notes the index of an item; names are unique among items of a kind.
    pub(super) fn declare(
        &mut self,
        line: &Line<'_>,
        item: Item,
        name: &'a str,
        index: usize,
    ) -> Read {
        match self.items.insert((item, name), index) {
            Some(_) => line.fail(format!("'{name}' is declared twice")),
            None => Ok(()),
        }
    }

    /// The item of a kind that has the name.
    pub(super) fn find<T>(&self, item: Item, name: &'a str) -> Option<Handle<T>> {
        self.items.get(&(item, name)).copied().map(Handle::from_index)
    }

    /// The block, which is new the first time that it is named.
    pub(super) fn origin(&mut self, origins: &mut Arena<Origin>, origin: Origin) -> Handle<Origin> {
        let key = (origin.id.to_bits(), origin.name.clone(), origin.class.clone());
        *self.origins.entry(key).or_insert_with(|| origins.push(origin))
    }
}
