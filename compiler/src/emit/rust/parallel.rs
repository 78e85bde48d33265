//! The update of Parallel: every slot below the highest used one, in strips, in place.
//!
//! Dead slots are computed too: nobody can see them, and a birth stores all their columns. Only
//! their flag matters, which a kill clears and nothing but a birth sets. A body that may fail runs
//! for live slots only.

use proc_macro2::TokenStream;
use quote::quote;

use super::body::Printer;
use super::strip::{Shape, Strip};
use super::uses::{Form, Uses};
use super::{Context, columns, step, threads};
use crate::ir::BodyKind;
use crate::ir::types::Precision;

/// The method, and the items that it needs.
pub(super) fn update(context: &Context<'_>) -> (TokenStream, TokenStream) {
    let (precision, slot) = (Precision::F32, quote!(slot));
    let form = Form::flat(precision, &slot);
    let mut printer = Printer::new(context, &context.program.update, form);
    let statements = printer.statements();
    let uses = printer.uses;
    let operations = context.program.update.values.len();
    if uses.fails {
        return (checked_update(context), TokenStream::new());
    }
    let kills = uses.kills;
    let statements = if kills {
        quote! {
            let mut dead = false;
            #statements
            flags[slot] &= u8::from(!dead);
        }
    } else {
        statements
    };
    let shape = Shape { has_flags: kills, ..Shape::new("integrate", precision) };
    let strip = Strip::new(context, shape, uses, &statements);
    let uniforms = step::bind_uniforms(context, &strip.uses, precision);
    let columns = columns::bind(context, &strip.uses.loaded, &strip.uses.stored);
    // Without a slice there is nothing that a particle could change.
    if strip.definition.is_empty() || strip.slices(context).is_empty() {
        let nothing = quote!(::core::result::Result::Ok(()));
        let method =
            step::method(context, BodyKind::Update, &quote!(()), &Uses::default(), &nothing);
        return (method, TokenStream::new());
    }
    let registers = strip.uses.registers.then(|| quote!(let registers = &self.registers;));
    let flags = kills.then(|| quote!(let flags = self.flags.as_mut_slice();));
    let run = threads::run(context, &strip, operations);
    let settle = kills.then(|| settle(context));
    let runtime = context.runtime;
    let frame =
        super::ident(if step::reads_frame(context, &strip.uses) { "frame" } else { "_frame" });
    let methods = quote! {
        fn update<R: #runtime::Random + ?Sized>(
            &mut self,
            frame: &#runtime::Frame,
            random: &mut R,
        ) -> ::core::result::Result<(), #runtime::StepError> {
            self.update_on(frame, random, &#runtime::threads::Inline)
        }

        fn update_on<R: #runtime::Random + ?Sized, E: #runtime::threads::Executor>(
            &mut self,
            #frame: &#runtime::Frame,
            _random: &mut R,
            executor: &E,
        ) -> ::core::result::Result<(), #runtime::StepError> {
            #uniforms
            #registers
            #columns
            #flags
            #run
            #settle
            ::core::result::Result::Ok(())
        }
    };
    let part = threads::part(context, &strip);
    let definition = strip.definition;
    (methods, quote!(#part #definition))
}

/// Counts who is left, and forgets dead slots at the end.
fn settle(context: &Context<'_>) -> TokenStream {
    let runtime = context.runtime;
    quote! {
        let flags = &flags[..self.high as usize];
        self.alive = #runtime::storage::count(flags);
        self.high = #runtime::storage::used(flags);
    }
}

fn checked_update(context: &Context<'_>) -> TokenStream {
    let (precision, slot) = (Precision::F32, quote!(slot));
    let form = Form::branching(precision, &slot);
    let mut printer = Printer::new(context, &context.program.update, form);
    let statements = printer.statements();
    let uses = printer.uses;
    let bindings = step::bind(context, &uses, precision);
    let dead = uses.kills.then(|| quote!(let mut dead = false;));
    let kill = uses.kills.then(|| {
        quote! {
            if dead {
                flags[slot] = 0;
                self.alive -= 1;
            }
        }
    });
    let text = quote! {
        #bindings
        let flags = self.flags.as_mut_slice();
        for slot in 0..self.high as usize {
            if flags[slot] != 0 {
                #dead
                #statements
                #kill
            }
        }
        ::core::result::Result::Ok(())
    };
    step::method(context, BodyKind::Update, &quote!(()), &uses, &text)
}
