//! What printing a body has to know beforehand: what is used, what has effects, what may be computed
//! whether or not its branch is entered.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use proc_macro2::TokenStream;

use super::ops;
use crate::ir::types::Precision;
use crate::ir::{
    Block, Body, Column, Expr, Function, Handle, Merge, Program, Statement, Stmt, Texture, Uniform,
    ValueId,
};

/// How a body is printed.
#[derive(Clone, Copy)]
pub(super) struct Form<'a> {
    /// Precision of its floats.
    pub(super) precision: Precision,
    /// Whether branches are turned into selects.
    pub(super) is_flat: bool,
    /// Conditions of branches that are known not to be entered, with the value that they have, in
    /// ascending order.
    pub(super) known: &'a [(ValueId, bool)],
    /// Index of the particle, an identifier or literal.
    pub(super) slot: &'a TokenStream,
    /// Whether functions that can be computed in lanes are; see [`lanes`](super::lanes).
    pub(super) in_lanes: bool,
}

impl<'a> Form<'a> {
    /// Branches stay.
    pub(super) fn branching(precision: Precision, slot: &'a TokenStream) -> Self {
        Self { precision, is_flat: false, known: &[], slot, in_lanes: false }
    }

    /// Branches become selects.
    pub(super) fn flat(precision: Precision, slot: &'a TokenStream) -> Self {
        Self { is_flat: true, ..Self::branching(precision, slot) }
    }

    pub(super) fn known_value(self, condition: ValueId) -> Option<bool> {
        let found = self.known.binary_search_by_key(&condition, |known| known.0);
        found.ok().map(|at| self.known[at].1)
    }
}

/// What the printed statements refer to.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) loaded: BTreeSet<Handle<Column>>,
    pub(super) stored: BTreeSet<Handle<Column>>,
    pub(super) uniforms: BTreeSet<Handle<Uniform>>,
    pub(super) textures: BTreeSet<Handle<Texture>>,
    pub(super) registers: bool,
    pub(super) draws: bool,
    pub(super) fails: bool,
    pub(super) kills: bool,
    /// Calls of functions in lanes.
    pub(super) lanes: usize,
    /// Whether something keeps a loop from being vectorized.
    pub(super) is_scalar: bool,
}

impl Uses {
    /// Refers to what the other does, too.
    pub(super) fn add(&mut self, other: &Self) {
        self.loaded.extend(&other.loaded);
        self.stored.extend(&other.stored);
        self.uniforms.extend(&other.uniforms);
        self.textures.extend(&other.textures);
        self.registers |= other.registers;
        self.draws |= other.draws;
        self.fails |= other.fails;
        self.kills |= other.kills;
        self.lanes += other.lanes;
        self.is_scalar |= other.is_scalar;
    }
}

/// Whether a branch computes only what nothing uses.
pub(super) fn is_idle(
    form: Form<'_>,
    sides: [&Block; 2],
    results: &[Merge],
    used: &[bool],
) -> bool {
    !results.iter().any(|merge| used[merge.result.index()])
        && !sides.iter().any(|side| has_effect(form, side))
}

/// Whether anything that a block may run does more than compute.
pub(super) fn has_effect(form: Form<'_>, block: &Block) -> bool {
    block.iter().any(|statement| match &statement.kind {
        Stmt::Let(_) | Stmt::Call { .. } => false,
        Stmt::If { condition, then, otherwise, .. } => {
            let known = form.known_value(*condition);
            (known != Some(false) && has_effect(form, then))
                || (known != Some(true) && has_effect(form, otherwise))
        }
        Stmt::Store(..)
        | Stmt::StoreRegister(..)
        | Stmt::Draw { .. }
        | Stmt::Kill(_)
        | Stmt::Fail(_) => true,
    })
}

/// Whether both sides of a branch may be computed for every particle: nothing but arithmetic,
/// stores and kills, and no operation that is dear or ends vectorization.
pub(super) fn is_cheap(form: Form<'_>, body: &Body, block: &Block) -> bool {
    block.iter().all(|statement| match &statement.kind {
        Stmt::Let(value) => match body.values[*value].expr {
            Expr::Unary(op, _) => {
                !ops::is_costly_unary(op) || (form.in_lanes && ops::lane_function(op).is_some())
            }
            Expr::Binary(op, ..) => !ops::is_costly_binary(op),
            Expr::Table(..) | Expr::Texel(..) => false,
            _ => true,
        },
        Stmt::Store(..) | Stmt::Kill(_) => true,
        Stmt::If { condition, then, otherwise, .. } => {
            let known = form.known_value(*condition);
            (known == Some(false) || is_cheap(form, body, then))
                && (known == Some(true) || is_cheap(form, body, otherwise))
        }
        Stmt::StoreRegister(..) | Stmt::Draw { .. } | Stmt::Call { .. } | Stmt::Fail(_) => false,
    })
}

/// Marks what the statements of a block need; definitions precede uses, so one walk backwards does.
pub(super) fn mark_block(body: &Body, block: &Block, form: Form<'_>, used: &mut [bool]) {
    for statement in block.iter().rev() {
        match &statement.kind {
            Stmt::Let(value) => {
                if used[value.index()] {
                    body.values[*value].expr.for_each_operand(|operand| {
                        used[operand.index()] = true;
                    });
                }
            }
            Stmt::Store(_, value) | Stmt::StoreRegister(_, value) | Stmt::Kill(value) => {
                used[value.index()] = true;
            }
            Stmt::Draw { .. } | Stmt::Fail(_) => {}
            Stmt::Call { arguments, results, .. } => {
                if results.iter().any(|result| used[result.index()]) {
                    for argument in arguments {
                        used[argument.index()] = true;
                    }
                }
            }
            Stmt::If { then, otherwise, results, .. }
                if is_idle(form, [then, otherwise], results, used) => {}
            Stmt::If { condition, then, otherwise, results } => {
                let known = form.known_value(*condition);
                let (enters, skips) = (known != Some(false), known != Some(true));
                used[condition.index()] |= known.is_none();
                for merge in results {
                    let is_used = used[merge.result.index()];
                    used[merge.then.index()] |= is_used && enters;
                    used[merge.otherwise.index()] |= is_used && skips;
                }
                if enters {
                    mark_block(body, then, form, used);
                }
                if skips {
                    mark_block(body, otherwise, form, used);
                }
            }
        }
    }
}

/// Marks the operands of marked `let`s, whatever block they stand in.
pub(super) fn mark_lets(body: &Body, block: &Block, used: &mut [bool]) {
    for statement in block.iter().rev() {
        match &statement.kind {
            Stmt::Let(value) if used[value.index()] => {
                body.values[*value].expr.for_each_operand(|operand| {
                    used[operand.index()] = true;
                });
            }
            Stmt::If { then, otherwise, .. } => {
                mark_lets(body, otherwise, used);
                mark_lets(body, then, used);
            }
            _ => {}
        }
    }
}

/// Whether a function, or one that it calls, holds what keeps a loop from being vectorized.
pub(super) fn is_costly(program: &Program, function: Handle<Function>) -> bool {
    let mut reached = IndexSet::from([function]);
    let mut next = 0;
    while let Some(&function) = reached.get_index(next) {
        next += 1;
        let body = &program.functions[function].body;
        let is_dear = body.values.iter().any(|(_, value)| match value.expr {
            Expr::Unary(op, _) => ops::is_costly_unary(op),
            Expr::Binary(op, ..) => ops::is_costly_binary(op),
            Expr::Table(..) | Expr::Texel(..) => true,
            _ => false,
        });
        if is_dear {
            return true;
        }
        any(&body.block, &mut |kind| {
            if let Stmt::Call { function, .. } = kind {
                reached.insert(*function);
            }
            false
        });
    }
    false
}

/// Whether a block holds a wanted statement other than an `If`, in whatever branch.
pub(super) fn any(block: &[Statement], wanted: &mut dyn FnMut(&Stmt) -> bool) -> bool {
    block.iter().any(|statement| match &statement.kind {
        Stmt::If { then, otherwise, .. } => any(then, wanted) || any(otherwise, wanted),
        kind => wanted(kind),
    })
}

/// The values that a statement defines for those behind it.
pub(super) fn results(kind: &Stmt) -> Vec<ValueId> {
    match kind {
        Stmt::Let(value) | Stmt::Draw { result: value, .. } => vec![*value],
        Stmt::Call { results, .. } => results.clone(),
        Stmt::If { results, .. } => results.iter().map(|merge| merge.result).collect(),
        Stmt::Store(..) | Stmt::StoreRegister(..) | Stmt::Kill(_) | Stmt::Fail(_) => Vec::new(),
    }
}
