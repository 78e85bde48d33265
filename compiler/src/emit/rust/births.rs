//! Births.
//!
//! In Parallel nothing depends on the order, so that a batch of particles is computed as if its columns
//! were short arrays, many at once; then each column is copied to the slots that were free. In Exact draws
//! come from one stream; [`drawn`] makes batches there all the same. What has to be, is created one by one.

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
        Profile::Parallel => batches(context),
    };
    births.unwrap_or_else(|| (one_by_one(context), TokenStream::new()))
}

/// Creates batches, unless a particle may fail: those before it must have been created.
fn batches(context: &Context<'_>) -> Option<(TokenStream, TokenStream)> {
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
    let strip = Strip::new(context, shape, printer.uses, &statements);
    let uniforms = step::bind_uniforms(context, &strip.uses, Precision::F32);
    let columns = context.stored_columns();
    let columns: Vec<_> =
        columns.filter(|(handle, ..)| strip.uses.stored.contains(handle)).collect();
    let batch = columns.iter().map(|(_, name, storage)| {
        let element = ops::element(*storage);
        quote!(let mut #name = [#element::default(); #runtime::storage::BATCH];)
    });
    let copies = columns.iter().map(|(_, name, _)| {
        quote!(#runtime::storage::scatter(self.columns.#name.as_mut_slice(), slots, &#name);)
    });
    let first_id = has_ids.then(|| quote!(let first_id = self.next_id;));
    let create = strip.call(context);
    let range = (!create.is_empty()).then(|| quote!(let (first, last) = (0usize, slots.len());));
    let text = quote! {
        #uniforms
        #(#batch)*
        let mut slots = #runtime::storage::FreeSlots::new(self.alive, self.high);
        let mut left = count;
        while let ::core::option::Option::Some(slots) =
            slots.claim(&mut self.flags.as_mut_slice()[..CAPACITY], left)
        {
            #first_id
            #range
            #create
            #(#copies)*
            let born = slots.len() as u32;
            self.next_id = self.next_id.wrapping_add(born);
            self.alive += born;
            left -= born;
        }
        self.high = slots.high();
        ::core::result::Result::Ok(())
    };
    let method = step::method(context, BodyKind::Birth, &quote!(()), &strip.uses, &text);
    Some((method, strip.definition))
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
