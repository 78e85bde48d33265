//! The update of Exact where draws and deaths can be known before anything else happens.
//!
//! # Why the results are those of the sequential loop, bit for bit
//!
//! A *fill* is a branch that draws numbers into columns of its own, where a flag in such a column says
//! that they are not there yet; its other side loads them. When all that is hot (see
//! [`vector`](super::vector)) stands in fills, and deaths do not depend on what the update stores:
//!
//! 1. `mark` says who dies, and who may have a fill to do.
//! 2. The walk visits these slots in the loop's order. It does the fills that the update would reach, and
//!    removes the dead. What it loads is what the loop would load there: no statement stores it before.
//! 3. All who are left are updated as if every fill had been done. One that the update reaches has been,
//!    now or earlier; its columns belong to it alone, and the side that loads them gives the same bits
//!    as the side that draws. The result of one that is not reached goes nowhere.
//!
//! Where nobody is left, slot 0 is updated all the same: system bodies may read what the last particle was.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::body::Printer;
use super::parts::use_counts;
use super::strip::{Shape, Strip};
use super::uses::{Form, Uses, any};
use super::vector::{self, DEAD, PENDING, Settled};
use super::{Context, columns, lanes, step};
use crate::ir::types::{Const, Precision, Storage};
use crate::ir::{
    BinaryOp, Block, Body, BodyKind, Column, Expr, Handle, Merge, Program, Statement, Stmt, ValueId,
};

/// An update taken apart.
struct Plan {
    /// What the walk runs for a pending particle: fills, and what leads to them.
    fills: Body,
    /// What everybody runs.
    rest: Body,
    /// Conditions of death.
    deaths: Vec<ValueId>,
}

/// The method, and the items that it needs, if the update can be taken apart.
pub(super) fn update(
    context: &Context<'_>,
    settled: &Settled,
) -> Option<(TokenStream, TokenStream)> {
    let plan = plan(context, settled)?;
    let mark = vector::mark(context, settled, &plan.deaths);
    let integrate = integrate(context, settled, &plan.rest);
    let mut uses = Uses::default();
    uses.add(&mark.uses);
    uses.add(&integrate.uses);
    let slot = quote!(slot);
    let mut printer = Printer::new(context, &plan.fills, Form::branching(Precision::F64, &slot));
    let fills = printer.statements();
    uses.add(&printer.uses);
    let can_die = !plan.deaths.is_empty();
    let next = if can_die {
        uses.stored = columns::all(context);
        let remove = vector::remove(context);
        quote!(if flags[slot] & #DEAD != 0 { #remove } else { slot += 1; })
    } else {
        quote!(slot += 1;)
    };
    let bindings = step::bind(context, &uses, Precision::F64);
    let (runtime, mutable) = (context.runtime, can_die.then(|| quote!(mut)));
    let (mark_all, integrate_all) = (mark.call(context), integrate.call(context));
    let update_all = (!integrate_all.is_empty()).then(|| {
        quote! {
            let last = alive.max(last.min(1));
            #integrate_all
        }
    });
    let text = quote! {
        #bindings
        let flags = self.flags.as_mut_slice();
        let #mutable alive = (self.alive as usize).min(SLOTS);
        let (first, last) = (0usize, alive);
        #mark_all
        let mut slot = 0usize;
        loop {
            slot = #runtime::storage::first_nonzero(&flags[..alive], slot);
            // The second condition is implied by the first; it lets bounds checks go.
            if slot >= alive || slot >= SLOTS {
                break;
            }
            if flags[slot] & #PENDING != 0 { #fills }
            #next
        }
        #update_all
        ::core::result::Result::Ok(())
    };
    let method = step::method(context, BodyKind::Update, &quote!(()), &uses, &text);
    let (mark, integrate) = (mark.definition, integrate.definition);
    Some((method, quote!(#integrate #mark)))
}

/// Updates particles that live on, and whose fills are done.
fn integrate(context: &Context<'_>, settled: &Settled, rest: &Body) -> Strip {
    let slot = quote!(slot);
    lanes::strip(context, rest, Shape::new("integrate", Precision::F64), &|in_lanes| {
        let form = Form { known: settled.known(), in_lanes, ..Form::flat(Precision::F64, &slot) };
        let mut printer = Printer::new(context, rest, form);
        let statements = printer.statements();
        (printer.uses, statements)
    })
}

fn plan(context: &Context<'_>, settled: &Settled) -> Option<Plan> {
    let (program, body) = (context.program, &context.program.update);
    if settled.known().is_empty() {
        return None;
    }
    let mut scan = Scan {
        program,
        body,
        settled,
        counts: use_counts(body),
        stored: BTreeSet::new(),
        filled: BTreeSet::new(),
        loads: Vec::new(),
        own: BTreeSet::new(),
        late: BTreeSet::new(),
        deaths: Vec::new(),
    };
    let fills = scan.block(&body.block, true)?;
    let Scan { stored, filled, loads, own, late, deaths, .. } = scan;
    // Columns of fills are nobody else's.
    let is_foreign = |(value, column)| filled.contains(column) && !own.contains(value);
    if !filled.is_disjoint(&stored)
        || loads.iter().map(|(value, column)| (value, column)).any(is_foreign)
    {
        return None;
    }
    let fills = Body { block: fills, ..body.clone() };
    let slot = quote!(slot);
    let needed = Printer::new(context, &fills, Form::branching(Precision::F64, &slot)).used;
    if late.iter().any(|value| needed[value.index()]) {
        return None;
    }
    let is_known =
        deaths.iter().all(|&death| vector::is_early(body, death, &|value| !late.contains(&value)));
    let block =
        body.block.iter().filter(|found| !matches!(found.kind, Stmt::Kill(_))).cloned().collect();
    is_known.then_some(Plan { fills, rest: Body { block, ..body.clone() }, deaths })
}

/// What is found on the way through an update.
struct Scan<'a> {
    program: &'a Program,
    body: &'a Body,
    settled: &'a Settled,
    /// How often each value is used.
    counts: Vec<u32>,
    /// Columns that are stored outside of fills.
    stored: BTreeSet<Handle<Column>>,
    /// Columns that fills store.
    filled: BTreeSet<Handle<Column>>,
    /// All loads.
    loads: Vec<(ValueId, Handle<Column>)>,
    /// Those by which a fill loads its own columns.
    own: BTreeSet<ValueId>,
    /// Those of columns that may have been stored before.
    late: BTreeSet<ValueId>,
    deaths: Vec<ValueId>,
}

impl Scan<'_> {
    /// The block without what the walk leaves out; nothing where something hot is no fill.
    fn block(&mut self, block: &[Statement], is_outermost: bool) -> Option<Block> {
        let mut kept = Block::new();
        for statement in block {
            match &statement.kind {
                Stmt::Let(value) => self.load(*value),
                Stmt::Call { .. } => {}
                Stmt::Store(column, _) => {
                    self.stored.insert(*column);
                    continue;
                }
                Stmt::Kill(condition) if is_outermost => {
                    self.deaths.push(*condition);
                    continue;
                }
                Stmt::If { condition, then, otherwise, results } => {
                    let draws =
                        |block: &Block| any(block, &mut |kind| matches!(kind, Stmt::Draw { .. }));
                    match self.settled.value(*condition) {
                        Some(calm) if draws(then) || draws(otherwise) => {
                            let sides = if calm { [otherwise, then] } else { [then, otherwise] };
                            self.fill(*condition, calm, sides, results)?;
                        }
                        _ => {
                            let then = self.block(then, false)?;
                            let otherwise = self.block(otherwise, false)?;
                            let (condition, results) = (*condition, results.clone());
                            let kind = Stmt::If { condition, then, otherwise, results };
                            kept.push(Statement { kind, origin: statement.origin });
                            continue;
                        }
                    }
                }
                Stmt::Kill(_) | Stmt::Draw { .. } | Stmt::Fail(_) | Stmt::StoreRegister(..) => {
                    return None;
                }
            }
            kept.push(statement.clone());
        }
        Some(kept)
    }

    fn load(&mut self, value: ValueId) {
        if let Expr::Load(column) = self.body.values[value].expr {
            self.loads.push((value, column));
            if self.stored.contains(&column) {
                self.late.insert(value);
            }
        }
    }

    /// Checks a branch that draws: the side that does, and the one that the condition leads to when it
    /// has the value `calm`.
    fn fill(
        &mut self,
        condition: ValueId,
        calm: bool,
        [drawing, loading]: [&Block; 2],
        results: &[Merge],
    ) -> Option<()> {
        let mut stores = BTreeMap::new();
        for statement in drawing {
            match &statement.kind {
                Stmt::Let(value) => self.load(*value),
                Stmt::Draw { .. } => {}
                // Each column once, and by one fill only.
                Stmt::Store(column, value) if self.filled.insert(*column) => {
                    stores.insert(*column, *value);
                }
                _ => return None,
            }
        }
        for statement in loading {
            let Stmt::Let(value) = statement.kind else { return None };
            self.load(value);
        }
        for merge in results {
            let (drawn, loaded) =
                if calm { (merge.otherwise, merge.then) } else { (merge.then, merge.otherwise) };
            let Expr::Load(column) = self.body.values[loaded].expr else { return None };
            let is_exact = self.program.columns[column].storage == Storage::F64;
            if !is_exact || stores.get(&column) != Some(&drawn) {
                return None;
            }
            self.own.insert(loaded);
        }
        // The flag: unlike the number before, and like it after.
        let Expr::Binary(BinaryOp::IEq, flag, number) = self.body.values[condition].expr else {
            return None;
        };
        let (Expr::Load(column), Expr::Const(Const::Uint(number))) =
            (self.body.values[flag].expr, self.body.values[number].expr)
        else {
            return None;
        };
        let Expr::Const(Const::Uint(after)) = self.body.values[*stores.get(&column)?].expr else {
            return None;
        };
        let is_used_once = |value: ValueId| self.counts[value.index()] == 1;
        let is_flag = is_used_once(condition)
            && is_used_once(flag)
            && (after == number) == calm
            // Every storage of integers holds it.
            && after <= 0xff;
        self.own.insert(flag);
        is_flag.then_some(())
    }
}
