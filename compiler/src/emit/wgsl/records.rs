//! What a body does with wide records.

use std::collections::BTreeSet;

use crate::emit::layout::{Layout, Record, WIDE};
use crate::ir::{Body, Column, Expr, Handle, Statement, Stmt, stored_columns};

/// The records that a body touches, by their numbers in [`Layout::records`].
pub(super) struct Records {
    loaded: BTreeSet<usize>,
    stored: BTreeSet<usize>,
    /// All columns of which are stored, whatever happens, and none loaded.
    overwritten: BTreeSet<usize>,
}

impl Records {
    pub(super) fn of(body: &Body, layout: &Layout) -> Self {
        let index = |column: Handle<Column>| layout.in_record(column).map(|(index, _)| index);
        let load = |expr| if let Expr::Load(column) = expr { index(column) } else { None };
        let loaded: BTreeSet<_> =
            body.values.iter().filter_map(|(_, value)| load(value.expr)).collect();
        let always = |statement: &Statement| match statement.kind {
            Stmt::Store(column, _) => Some(column),
            _ => None,
        };
        let always: BTreeSet<_> = body.block.iter().filter_map(always).collect();
        let stored: BTreeSet<_> =
            stored_columns(&body.block).into_iter().filter_map(index).collect();
        let is_overwritten = |&index: &usize| {
            let mut columns = layout.records[index].columns.iter();
            !loaded.contains(&index) && columns.all(|column| always.contains(column))
        };
        let overwritten = stored.iter().copied().filter(is_overwritten).collect();
        Self { loaded, stored, overwritten }
    }

    /// The wide ones, ascending.
    pub(super) fn touched<'a>(
        &self,
        layout: &'a Layout,
    ) -> impl Iterator<Item = (usize, &'a Record)> {
        let records = layout.records.iter().enumerate();
        records.filter(|(index, record)| {
            record.stride == WIDE && (self.loaded.contains(index) || self.stored.contains(index))
        })
    }

    pub(super) fn is_stored(&self, index: usize) -> bool {
        self.stored.contains(&index)
    }

    /// Whether nothing of what memory holds is needed.
    pub(super) fn is_overwritten(&self, index: usize) -> bool {
        self.overwritten.contains(&index)
    }
}
