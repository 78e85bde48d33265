//! Births.
//!
//! In Parallel nothing depends on the order, so that a batch of particles is computed as if its columns
//! were short arrays, many at once; then each column is copied to the slots that were free. This is done
//! [while the update runs](super::parallel). In Exact draws come from one stream; [`drawn`] makes batches there
//! all the same. What has to be, is created one by one.

use proc_macro2::TokenStream;
use quote::quote;

use super::body::Printer;
use super::strip::{Shape, Strip};
use super::uses::Form;
use super::{Context, drawn, ops, step};
use crate::ir::types::{Precision, Profile};
use crate::ir::{BodyKind, Expr};

/// The method, and the items that it needs.
pub(super) fn birth(context: &Context<'_>) -> (TokenStream, TokenStream) {
    let births = match context.program.profile {
        Profile::Exact => drawn::birth(context),
        Profile::Parallel => None,
    };
    births.unwrap_or_else(|| (one_by_one(context), TokenStream::new()))
}

/// Births of Parallel in batches.
pub(super) struct Batches {
    /// Creates particles in short arrays.
    pub(super) create: Strip,
    /// Creates `births` in the free slots of a `part`, and gives how many.
    pub(super) text: TokenStream,
}

/// Batches, unless a particle may fail: those before it must have been created.
pub(super) fn batches(context: &Context<'_>) -> Option<Batches> {
    let (runtime, slot, body) = (context.runtime, quote!(slot), &context.program.birth);
    let form = Form::flat(Precision::F32, &slot);
    let mut printer = Printer::new(context, body, form);
    let parts = context.parts.borrow().len();
    let statements = printer.statements();
    let uses = &printer.uses;
    // A batch begins with nothing: what a body reads it must have stored.
    let reads_others = !uses.loaded.is_subset(&uses.stored);
    if uses.fails || uses.registers || uses.draws || reads_others {
        context.parts.borrow_mut().truncate(parts);
        return None;
    }
    let has_ids = body
        .values
        .iter()
        .any(|(value, found)| found.expr == Expr::NewId && printer.used[value.index()]);
    let shape = Shape { has_ids, ..Shape::new("create", Precision::F32) };
    let create = Strip::new(context, shape, printer.uses, &statements);
    let columns = context.stored_columns();
    let columns: Vec<_> =
        columns.filter(|(handle, ..)| create.uses.stored.contains(handle)).collect();
    let batch = columns.iter().map(|(_, name, storage)| {
        let element = ops::element(*storage);
        quote!(let mut #name = [#element::default(); #runtime::storage::BATCH];)
    });
    let copies = columns
        .iter()
        .map(|(_, name, _)| quote!(#runtime::storage::scatter(part.#name, slots, &#name);));
    let first_id = create.has_ids().then(|| quote!(let mut first_id = births.first_id;));
    let next_id = create.has_ids().then(|| quote!(first_id = first_id.wrapping_add(born);));
    let call = create.call(context);
    let range = (!call.is_empty()).then(|| {
        quote! {
            // Whole vectors; nobody looks at what is beyond the slots.
            let (first, last) = (0usize, slots.len().next_multiple_of(#runtime::storage::LANES));
        }
    });
    let text = quote! {
        #(#batch)*
        let mut slots = #runtime::storage::FreeSlots::default();
        #first_id
        let mut left = births.wanted;
        while let ::core::option::Option::Some(slots) = slots.claim(part.flags, left) {
            #range
            #call
            #(#copies)*
            let born = slots.len() as u32;
            #next_id
            left -= born;
        }
        births.wanted - left
    };
    Some(Batches { create, text })
}

/// Creates particles in turn, each in the slot that the profile gives it.
fn one_by_one(context: &Context<'_>) -> TokenStream {
    let (runtime, precision) = (context.runtime, context.program.profile.particle_precision());
    let slot = quote!(slot);
    let form = Form::branching(precision, &slot);
    let mut printer = Printer::new(context, &context.program.birth, form);
    let statements = printer.statements();
    let uses = printer.uses;
    let bindings = step::bind(context, &uses, precision);
    let (before, slot, live) = match context.program.profile {
        Profile::Exact => (
            quote!(),
            quote!(let slot = self.alive as usize; if slot >= CAPACITY { break; }),
            quote!(),
        ),
        // The lowest dead slots, in ascending order.
        Profile::Parallel => (
            quote! {
                let flags = self.flags.as_mut_slice();
                let mut next = 0usize;
            },
            quote! {
                let high = self.high as usize;
                let slot = if self.alive == self.high {
                    high
                } else {
                    #runtime::storage::first_zero(&flags[..high], next)
                };
                if slot >= CAPACITY { break; }
            },
            quote! {
                next = slot + 1;
                flags[slot] = 1;
                self.high = self.high.max(next as u32);
            },
        ),
    };
    let text = quote! {
        #bindings
        #before
        for _ in 0..count {
            #slot
            let new_id = self.next_id;
            #statements
            #live
            self.next_id = new_id.wrapping_add(1);
            self.alive += 1;
        }
        ::core::result::Result::Ok(())
    };
    step::method(context, BodyKind::Birth, &quote!(()), &uses, &text)
}
