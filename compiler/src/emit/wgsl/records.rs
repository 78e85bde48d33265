//! What a body does with wide records.

use std::collections::BTreeSet;

use crate::emit::layout::{Layout, Record, WIDE};
use crate::ir::{Body, Column, Expr, Handle, Statement, Stmt};

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
        let (mut stored, mut always) = (BTreeSet::new(), BTreeSet::new());
        for statement in &body.block {
            add_stored(statement, &mut stored);
            if let Stmt::Store(column, _) = statement.kind {
                always.insert(column);
            }
        }
        let stored: BTreeSet<_> = stored.into_iter().filter_map(index).collect();
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

/// Adds the columns that a statement may write.
pub(super) fn add_stored(statement: &Statement, stored: &mut BTreeSet<Handle<Column>>) {
    match &statement.kind {
        Stmt::Store(column, _) => {
            stored.insert(*column);
        }
        Stmt::If { then, otherwise, .. } => {
            for statement in then.iter().chain(otherwise) {
                add_stored(statement, stored);
            }
        }
        Stmt::Let(_)
        | Stmt::StoreRegister(..)
        | Stmt::Draw { .. }
        | Stmt::Call { .. }
        | Stmt::Kill(_)
        | Stmt::Fail(_) => {}
    }
}
