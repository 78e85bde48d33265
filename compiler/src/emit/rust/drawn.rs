//! Births of Exact: a batch's random numbers first, in their order, then the batch as a whole.
//!
//! Draws come from one stream, particle after particle; nothing else ties particles together but
//! registers. So a birth is split in two. What draws, or touches a register that the birth stores, runs
//! for one particle after the other, and keeps what the rest needs in a *row*, an array with an
//! element a particle. The rest then runs for all of them, as a loop that can be vectorized.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::body::Printer;
use super::strip::{Shape, Strip};
use super::uses::{Form, Uses, any, results};
use super::{Context, ident, lanes, ops, step};
use crate::ir::types::Precision;
use crate::ir::{Block, Body, BodyKind, Expr, Handle, Origin, Register, Statement, Stmt, ValueId};

/// The two halves of a birth.
struct Halves {
    /// What runs in turn; its results are what rows keep.
    ordered: Body,
    /// What runs for all.
    free: Body,
    /// The block that each row comes from.
    origins: Vec<Option<Handle<Origin>>>,
}

/// The method, and the items that it needs; nothing where a particle may fail, where the order cannot be
/// kept so, and where nothing is won.
pub(super) fn birth(context: &Context<'_>) -> Option<(TokenStream, TokenStream)> {
    let halves = split(context, &context.program.birth)?;
    let (runtime, parts) = (context.runtime, context.parts.borrow().len());
    let mut scope = context.scope.clone();
    let rows: Vec<Ident> =
        halves.ordered.results.iter().map(|_| ident(&scope.unique("drawn"))).collect();
    let strip = strip(context, &halves, &rows);
    let walk = walk(context, &halves, &rows);
    // A body that was cut is long, and would be compiled for each instruction set.
    let is_cut = context.parts.borrow().len() > parts;
    if is_cut || strip.uses.is_scalar || !walk.uses.loaded.is_empty() {
        context.parts.borrow_mut().truncate(parts);
        return None;
    }
    let mut uses = Uses::default();
    uses.add(&strip.uses);
    uses.add(&walk.uses);
    let bindings = step::bind(context, &uses, Precision::F64);
    let declare = halves.ordered.results.iter().zip(&rows).map(|(&value, row)| {
        let element = ops::scalar(halves.ordered.values[value].ty, Precision::F64);
        quote!(let mut #row = [#element::default(); #runtime::storage::BATCH];)
    });
    let (has_ids, in_turn) = (walk.has_ids || strip.has_ids(), walk.text);
    let first_id = has_ids.then(|| quote!(let first_id = self.next_id;));
    let create = strip.call(context);
    let text = quote! {
        #bindings
        let end = CAPACITY.min((self.alive as usize).saturating_add(count as usize));
        let mut first = self.alive as usize;
        if first >= end {
            return ::core::result::Result::Ok(());
        }
        #(#declare)*
        while first < end {
            let born = (end - first).min(#runtime::storage::BATCH);
            let last = first + born;
            #first_id
            #in_turn
            #create
            self.next_id = self.next_id.wrapping_add(born as u32);
            self.alive = last as u32;
            first = last;
        }
        ::core::result::Result::Ok(())
    };
    let method = step::method(context, BodyKind::Birth, &quote!(()), &uses, &text);
    Some((method, strip.definition))
}

/// Takes a birth apart, unless what runs in turn does more than that.
fn split(context: &Context<'_>, body: &Body) -> Option<Halves> {
    let mut registers = BTreeSet::new();
    let fails = any(&body.block, &mut |kind| match kind {
        Stmt::Fail(_) => true,
        Stmt::StoreRegister(register, _) => {
            registers.insert(*register);
            false
        }
        _ => false,
    });
    let (ordered, free): (Block, Block) =
        body.block.iter().cloned().partition(|statement| is_ordered(body, statement, &registers));
    let is_more = |kind: &Stmt| matches!(kind, Stmt::Store(..) | Stmt::Kill(_));
    if fails || any(&ordered, &mut |kind| is_more(kind)) {
        return None;
    }
    let free = Body { block: free, ..body.clone() };
    let slot = quote!(slot);
    let needed = Printer::new(context, &free, Form::flat(Precision::F64, &slot)).used;
    let rows = ordered.iter().flat_map(|statement| {
        results(&statement.kind).into_iter().map(|value| (value, statement.origin))
    });
    let (rows, origins) = rows.filter(|(value, _)| needed[value.index()]).unzip();
    // What it computes with may be anywhere; values that it does not need are not printed.
    let (block, left_out): (Block, Block) =
        body.block.iter().cloned().partition(|statement| {
            !any(std::slice::from_ref(statement), &mut |kind| is_more(kind))
        });
    let ordered = Body { block, results: rows, ..body.clone() };
    let needed = Printer::new(context, &ordered, Form::branching(Precision::F64, &slot)).used;
    let lacks = left_out.iter().flat_map(|statement| results(&statement.kind));
    let is_whole = !lacks.into_iter().any(|value| needed[value.index()]);
    is_whole.then_some(Halves { ordered, free, origins })
}

/// Whether a statement must run for one particle after the other.
fn is_ordered(body: &Body, statement: &Statement, registers: &BTreeSet<Handle<Register>>) -> bool {
    let is_ordered = |kind: &Stmt| match kind {
        Stmt::Draw { .. } | Stmt::StoreRegister(..) => true,
        Stmt::Let(value) => {
            matches!(body.values[*value].expr, Expr::LoadRegister(register) if registers.contains(&register))
        }
        _ => false,
    };
    any(std::slice::from_ref(statement), &mut |kind| is_ordered(kind))
}

/// What runs for all particles of a batch.
fn strip(context: &Context<'_>, halves: &Halves, rows: &[Ident]) -> Strip {
    let (body, slot) = (&halves.free, quote!(slot));
    let values = &halves.ordered.results;
    let has_ids = has_ids(&Printer::new(context, body, Form::flat(Precision::F64, &slot)));
    let row = |(&value, row): (&ValueId, &Ident)| {
        (row.clone(), ops::scalar(body.values[value].ty, Precision::F64))
    };
    let shape = Shape {
        has_ids,
        rows: values.iter().zip(rows).map(row).collect(),
        ..Shape::new("create", Precision::F64)
    };
    lanes::strip(context, body, shape, &|in_lanes| {
        let form = Form { in_lanes, ..Form::flat(Precision::F64, &slot) };
        let mut printer = Printer::new(context, body, form);
        rows.iter().for_each(|row| printer.scope.reserve(row.to_string()));
        let loads: TokenStream = values
            .iter()
            .zip(&halves.origins)
            .zip(rows)
            .map(|((&value, &origin), row)| {
                let name = printer.name(value, origin);
                quote!(let #name = #row[slot];)
            })
            .collect();
        let statements = printer.statements();
        let statements =
            if statements.is_empty() { statements } else { quote!(#loads #statements) };
        (printer.uses, statements)
    })
}

/// What runs in turn.
struct Walk {
    uses: Uses,
    has_ids: bool,
    /// A loop that fills the rows.
    text: TokenStream,
}

fn walk(context: &Context<'_>, halves: &Halves, rows: &[Ident]) -> Walk {
    let slot = quote!(slot);
    let form = Form::branching(Precision::F64, &slot);
    let mut printer = Printer::new(context, &halves.ordered, form);
    rows.iter().for_each(|row| printer.scope.reserve(row.to_string()));
    let statements = printer.statements();
    let keep: TokenStream = halves
        .ordered
        .results
        .iter()
        .zip(rows)
        .map(|(&value, row)| {
            let value = printer.value(value);
            quote!(#row[slot] = #value;)
        })
        .collect();
    let has_ids = has_ids(&printer);
    let id = has_ids.then(|| quote!(let new_id = first_id.wrapping_add(slot as u32);));
    let text = if statements.is_empty() {
        TokenStream::new()
    } else {
        quote!(for slot in 0..born { #id #statements #keep })
    };
    Walk { uses: printer.uses, has_ids, text }
}

/// Whether what a printer prints depends on the id of a newborn particle.
fn has_ids(printer: &Printer<'_>) -> bool {
    let mut values = printer.body.values.iter();
    values.any(|(value, found)| found.expr == Expr::NewId && printer.used[value.index()])
}
