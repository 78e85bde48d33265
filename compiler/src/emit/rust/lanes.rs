//! Loops over particles that need sines and cosines.
//!
//! A call of the library keeps a loop from being vectorized. The runtime has the library's functions in a
//! form that vectorizes, which gives the library's bits for nearly all arguments and tells where
//! an argument was another one. So there are two loops: the first computes a few particles in lanes; where
//! it met such an argument, their columns are put back, and the second computes them with the library.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::strip::{Outcome, Shape, Strip};
use super::uses::Uses;
use super::{Context, ident, ops};
use crate::ir::{Body, Column, Expr, Handle, Stmt};

/// So many functions a loop has in lanes at most: each is some seventy operations, in a loop that is
/// compiled once for each instruction set.
const MOST: usize = 64;

/// A function that runs the statements which `print` makes from the body, with lanes or without.
pub(super) fn strip(
    context: &Context<'_>,
    body: &Body,
    shape: Shape,
    print: &dyn Fn(bool) -> (Uses, TokenStream),
) -> Strip {
    let Some((uses, statements)) = in_lanes(context, body, print) else {
        let (uses, statements) = print(false);
        return Strip::new(context, shape, uses, &statements);
    };
    let (name, by_library) = match shape.name {
        "create" => ("create_in_lanes", "create_by_library"),
        _ => ("integrate_in_lanes", "integrate_by_library"),
    };
    let checked = Shape { name, result: Outcome::IsPlain, ..shape.clone() };
    let tried = Strip::new(context, checked, uses, &statements);
    let (uses, statements) = print(false);
    let sure =
        Strip::seldom(context, Shape { name: by_library, ..shape.clone() }, uses, &statements);
    let mut strip = both(context, body, shape, &tried, &sure);
    strip.definition.extend([tried.definition, sure.definition]);
    strip
}

/// The statements in lanes, if all that keeps the loop from being vectorized is in them.
fn in_lanes(
    context: &Context<'_>,
    body: &Body,
    print: &dyn Fn(bool) -> (Uses, TokenStream),
) -> Option<(Uses, TokenStream)> {
    let has_any = body.values.iter().any(
        |(_, value)| matches!(value.expr, Expr::Unary(op, _) if ops::lane_function(op).is_some()),
    );
    if !has_any {
        return None;
    }
    let parts = context.parts.borrow().len();
    let (uses, statements) = print(true);
    // A body that was cut is long: compiling it twice would take too much time.
    let is_whole = context.parts.borrow().len() == parts;
    context.parts.borrow_mut().truncate(parts);
    let is_wanted = is_whole && !uses.is_scalar && (1..=MOST).contains(&uses.lanes);
    is_wanted.then_some((uses, statements))
}

/// Tries the one, and where that is not enough runs the other on the same columns.
fn both(context: &Context<'_>, body: &Body, shape: Shape, tried: &Strip, sure: &Strip) -> Strip {
    let mut uses = Uses::default();
    uses.add(&tried.uses);
    uses.add(&sure.uses);
    uses.is_scalar = tried.uses.is_scalar;
    let kept = kept(body, &uses);
    let mut scope = context.scope.clone();
    let columns: Vec<_> = context
        .stored_columns()
        .filter(|(handle, ..)| kept.contains(handle))
        .map(|(_, name, storage)| {
            (name, ident(&scope.unique(&format!("kept_{name}"))), ops::element(storage))
        })
        .collect();
    let runtime = context.runtime;
    let declare = columns.iter().map(|(_, kept, element)| {
        quote!(let mut #kept = [#element::default(); #runtime::storage::BATCH];)
    });
    let keep = columns
        .iter()
        .map(|(name, kept, _)| quote!(#kept[..last - first].copy_from_slice(&#name[first..last]);));
    let put_back = columns
        .iter()
        .map(|(name, kept, _)| quote!(#name[first..last].copy_from_slice(&#kept[..last - first]);));
    let registers = quote!(registers);
    let slice = |name: &Ident, is_mut: bool| {
        let mutable = is_mut.then(|| quote!(mut));
        quote!(&#mutable #name[first..last])
    };
    let count = quote!(last - first);
    let tried = tried.call_on(context, &count, &registers, slice);
    let sure = sure.call_on(context, &count, &registers, slice);
    let id = shape.has_ids.then(|| quote!(let first_id = first_id.wrapping_add(first as u32);));
    let body = quote! {
        #(#declare)*
        let mut first = 0usize;
        while first < count {
            let last = (first + #runtime::storage::BATCH).min(count);
            #id
            #(#keep)*
            let is_plain = #tried;
            if !is_plain {
                #(#put_back)*
                #sure
            }
            first = last;
        }
    };
    Strip::with_body(context, shape, uses, &body)
}

/// Columns whose values must be there still when the statements run for the second time.
fn kept(body: &Body, uses: &Uses) -> BTreeSet<Handle<Column>> {
    let overwritten: BTreeSet<_> = body
        .block
        .iter()
        .filter_map(|statement| match statement.kind {
            Stmt::Store(column, _) => Some(column),
            _ => None,
        })
        .collect();
    let is_kept =
        |column: &&Handle<Column>| uses.loaded.contains(column) || !overwritten.contains(column);
    uses.stored.iter().filter(is_kept).copied().collect()
}
