//! The update of Exact for many particles at once.
//!
//! # Why the results are those of the sequential loop, bit for bit
//!
//! The loop visits slots in ascending order; a dead particle is replaced by the last live one, which
//! is visited next if it has not been yet. Let *hot* be what other particles can notice: a draw or a
//! register store.
//!
//! 1. *A body without anything hot* reads and writes its own particle, uniforms and tables only, so
//!    each particle ends with the same columns and the same kill flag whatever the order. Each is
//!    visited once. So: compute all in place ([`Strip`]), then walk the slots in the loop's order,
//!    removing those whose flag is set. The flag moves with its particle.
//! 2. *Hot statements that stand only in branches* whose condition can be known before the update:
//!    it depends on uniforms, constants, registers that the update never stores, and columns that no
//!    statement stores on the way to the branch. (A cache that is filled at the first read is such a
//!    branch.) `mark` computes all these conditions. A particle for which none holds takes, at each
//!    of them, the other side: by induction along the body, what the condition loads is what `mark`
//!    loaded. Its update is thus a body without anything hot, and 1 holds for it. All others are
//!    *pending*: the walk runs the whole body on them when the loop would have reached them, so that
//!    draws, stores and failures come in the loop's order. `mark` may call too many pending, never
//!    too few: conditions are computed whether or not their branch would be reached.
//!    [`early`] does better where it can: pending particles then only draw in the walk.
//! 3. *Anything else* runs as the sequential loop, and so does a body that may fail: a failed step
//!    must leave the particles behind the failing one as they were.

use indexmap::{IndexMap, IndexSet};
use proc_macro2::TokenStream;
use quote::quote;

use super::body::Printer;
use super::strip::{Shape, Strip};
use super::uses::{Form, Uses, any};
use super::{Context, columns, early, lanes, step};
use crate::ir::types::Precision;
use crate::ir::{Block, Body, BodyKind, Column, Expr, Handle, Program, Stmt, ValueId};

/// The conditions under which a particle has nothing hot: each has the value beside it, in ascending
/// order.
pub(super) struct Settled(Vec<(ValueId, bool)>);

impl Settled {
    /// The conditions, as [`Form`] wants them.
    pub(super) fn known(&self) -> &[(ValueId, bool)] {
        &self.0
    }

    /// The value of a condition, if it is one of them.
    pub(super) fn value(&self, condition: ValueId) -> Option<bool> {
        let found = self.0.binary_search_by_key(&condition, |known| known.0);
        found.ok().map(|at| self.0[at].1)
    }
}

/// Whether, and when, particles of the program can be updated in any order.
pub(super) fn plan(program: &Program) -> Option<Settled> {
    let body = &program.update;
    let stores_registers = any(&body.block, &mut |kind| matches!(kind, Stmt::StoreRegister(..)));
    let loads_registers =
        body.values.iter().any(|(_, value)| matches!(value.expr, Expr::LoadRegister(_)));
    let fails = any(&body.block, &mut |kind| matches!(kind, Stmt::Fail(_)));
    if fails || (stores_registers && loads_registers) {
        return None;
    }
    let mut state = State::default();
    if !state.pass(body, &body.block) {
        return None;
    }
    let mut known: Vec<_> = state.known.into_iter().collect();
    known.sort_unstable();
    Some(Settled(known))
}

/// What is known of settled particles at a place of the body. Both only grow along the way, so that
/// what a side has added that they cannot take is cut off again.
#[derive(Default)]
struct State {
    stored: IndexSet<Handle<Column>>,
    known: IndexMap<ValueId, bool>,
}

/// How much of a [`State`] was there at an earlier place.
#[derive(Clone, Copy)]
struct Mark {
    stored: usize,
    known: usize,
}

impl State {
    /// Goes through a block; false where settled particles could not pass through it.
    fn pass(&mut self, body: &Body, block: &Block) -> bool {
        block.iter().all(|statement| match &statement.kind {
            Stmt::Let(_) | Stmt::Call { .. } | Stmt::Kill(_) => true,
            Stmt::Store(column, _) => {
                self.stored.insert(*column);
                true
            }
            Stmt::Draw { .. } | Stmt::Fail(_) | Stmt::StoreRegister(..) => false,
            Stmt::If { condition, then, otherwise, .. } => {
                let before = self.mark();
                // Conditions of both sides are collected, stores of both may have happened.
                let enters = self.pass_or_cut(body, then);
                let skips = self.pass_or_cut(body, otherwise);
                match (enters, skips) {
                    (true, true) => true,
                    (false, false) => false,
                    (is, _) => self.assume(body, *condition, is, before),
                }
            }
        })
    }

    fn pass_or_cut(&mut self, body: &Body, block: &Block) -> bool {
        let before = self.mark();
        let passes = self.pass(body, block);
        if !passes {
            self.stored.truncate(before.stored);
            self.known.truncate(before.known);
        }
        passes
    }

    fn mark(&self) -> Mark {
        Mark { stored: self.stored.len(), known: self.known.len() }
    }

    /// Adds the condition of a branch, if it can be computed before the update.
    fn assume(&mut self, body: &Body, condition: ValueId, is: bool, before: Mark) -> bool {
        // With hot statements on both sides every particle would be pending.
        if self.known.get(&condition) == Some(&!is) || !self.is_early(body, condition, before) {
            return false;
        }
        self.known.insert(condition, is);
        true
    }

    /// Whether nothing that the value depends on was stored before that place.
    fn is_early(&self, body: &Body, value: ValueId, before: Mark) -> bool {
        let is_stored =
            |column| self.stored.get_index_of(&column).is_some_and(|index| index < before.stored);
        is_early(body, value, &|load| match body.values[load].expr {
            Expr::Load(column) => !is_stored(column),
            _ => true,
        })
    }
}

/// Whether a value is the same before the update, given for which loads that holds.
pub(super) fn is_early(
    body: &Body,
    value: ValueId,
    is_early_load: &dyn Fn(ValueId) -> bool,
) -> bool {
    let mut seen = IndexSet::from([value]);
    let mut next = 0;
    while let Some(&value) = seen.get_index(next) {
        next += 1;
        let expr = body.values[value].expr;
        let is_early = match expr {
            Expr::Const(_) | Expr::Uniform(_) | Expr::LoadRegister(_) => true,
            Expr::Load(_) => is_early_load(value),
            Expr::Table(..)
            | Expr::Texel(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select(..) => true,
            Expr::Param(_) | Expr::NewId | Expr::Result => false,
        };
        if !is_early {
            return false;
        }
        expr.for_each_operand(|operand| {
            seen.insert(operand);
        });
    }
    true
}

/// Values of a slot's flag between the passes.
pub(super) const DEAD: u8 = 1;
pub(super) const PENDING: u8 = 2;

/// The method, and the items that it needs.
pub(super) fn update(context: &Context<'_>, settled: &Settled) -> (TokenStream, TokenStream) {
    if let Some(early) = early::update(context, settled) {
        return early;
    }
    let precision = Precision::F64;
    let integrate = integrate(context, settled);
    let mut items = integrate.definition.clone();
    let mut uses = Uses::default();
    uses.add(&integrate.uses);

    let run = integrate.call(context);
    let passes = if settled.0.is_empty() && run.is_empty() {
        TokenStream::new()
    } else if settled.0.is_empty() {
        quote! {
            let (first, last) = (0usize, alive);
            #run
        }
    } else {
        let runtime = context.runtime;
        let mark = mark(context, settled, &[]);
        items.extend(mark.definition.clone());
        uses.add(&mark.uses);
        let mark = mark.call(context);
        quote! {
            let (mut first, mut last) = (0usize, alive);
            #mark
            while first < alive {
                last = #runtime::storage::first_nonzero(&flags[..alive], first);
                #run
                first = #runtime::storage::first_zero(&flags[..alive], last);
            }
        }
    };
    let walk = walk(context, settled, &mut uses);
    if uses.kills {
        uses.stored = columns::all(context);
    }
    let bindings = step::bind(context, &uses, precision);
    let needs_flags = has_flags(context, settled);
    let flags = needs_flags.then(|| quote!(let flags = self.flags.as_mut_slice();));
    let mutable = uses.kills.then(|| quote!(mut));
    let alive = (!passes.is_empty())
        .then(|| quote!(let #mutable alive = (self.alive as usize).min(SLOTS);));
    let text = quote! {
        #bindings
        #flags
        #alive
        #passes
        #walk
        ::core::result::Result::Ok(())
    };
    (step::method(context, BodyKind::Update, &quote!(()), &uses, &text), items)
}

/// Whether the program keeps a flag for each slot.
pub(super) fn has_flags(context: &Context<'_>, settled: &Settled) -> bool {
    let kills = any(&context.program.update.block, &mut |kind| matches!(kind, Stmt::Kill(_)));
    kills || !settled.0.is_empty()
}

/// Updates settled particles, and flags those that die.
fn integrate(context: &Context<'_>, settled: &Settled) -> Strip {
    let slot = quote!(slot);
    let kills = any(&context.program.update.block, &mut |kind| matches!(kind, Stmt::Kill(_)));
    let shape = Shape { has_flags: kills, ..Shape::new("integrate", Precision::F64) };
    lanes::strip(context, &context.program.update, shape, &|in_lanes| {
        let form = Form { known: &settled.0, in_lanes, ..Form::flat(Precision::F64, &slot) };
        let mut printer = Printer::new(context, &context.program.update, form);
        let statements = printer.statements();
        let statements = if kills {
            quote! {
                let mut dead = false;
                #statements
                flags[slot] = u8::from(dead);
            }
        } else {
            statements
        };
        (printer.uses, statements)
    })
}

/// Flags the particles that are not settled, and those that die under one of the conditions; clears the
/// flags of all others.
pub(super) fn mark(context: &Context<'_>, settled: &Settled, deaths: &[ValueId]) -> Strip {
    let slot = quote!(slot);
    let form = Form::flat(Precision::F64, &slot);
    let mut printer = Printer::new(context, &context.program.update, form);
    let hot = settled.0.iter().map(|known| known.0);
    let wanted: Vec<ValueId> = hot.chain(deaths.iter().copied()).collect();
    let lets = printer.slice(&wanted);
    let hot: Vec<TokenStream> = settled
        .0
        .iter()
        .map(|&(condition, is)| {
            let condition = printer.value(condition);
            if is { quote!(!#condition) } else { condition }
        })
        .collect();
    let pending = quote!(if #(#hot)|* { #PENDING } else { 0 });
    let deaths: Vec<TokenStream> = deaths.iter().map(|&death| printer.value(death)).collect();
    let dead = (!deaths.is_empty()).then(|| quote!(u8::from(#(#deaths)|*) |));
    let statements = quote! {
        #lets
        flags[slot] = #dead #pending;
    };
    let shape = Shape { has_flags: true, ..Shape::new("mark", Precision::F64) };
    Strip::new(context, shape, printer.uses, &statements)
}

/// Removes the particle in `slot`.
pub(super) fn remove(context: &Context<'_>) -> TokenStream {
    let move_last = columns::move_last(context);
    quote! {
        alive -= 1;
        self.alive = alive as u32;
        if slot != alive && alive < SLOTS {
            flags[slot] = flags[alive];
            #move_last
        }
    }
}

/// Visits dead and pending particles in the order of the sequential loop.
fn walk(context: &Context<'_>, settled: &Settled, uses: &mut Uses) -> TokenStream {
    if !has_flags(context, settled) {
        return TokenStream::new();
    }
    let (runtime, remove) = (context.runtime, remove(context));
    let visit = if settled.0.is_empty() {
        remove
    } else {
        let slot = quote!(slot);
        let form = Form::branching(Precision::F64, &slot);
        let mut printer = Printer::new(context, &context.program.update, form);
        let statements = printer.statements();
        uses.add(&printer.uses);
        if uses.kills {
            quote! {
                let mut dead = flags[slot] == #DEAD;
                if flags[slot] == #PENDING { #statements }
                if dead { #remove } else { slot += 1; }
            }
        } else {
            quote!(#statements slot += 1;)
        }
    };
    quote! {
        let mut slot = 0usize;
        loop {
            slot = #runtime::storage::first_nonzero(&flags[..alive], slot);
            // The second condition is implied by the first; it lets bounds checks go.
            if slot >= alive || slot >= SLOTS {
                break;
            }
            #visit
        }
    }
}
