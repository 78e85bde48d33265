//! What chunks of a Parallel update borrow, so that they can run on several threads.

use proc_macro2::TokenStream;
use quote::quote;

use super::Context;
use super::strip::Strip;

/// The struct of a chunk's slices, which can be cut in two.
pub(super) fn part(context: &Context<'_>, strip: &Strip) -> TokenStream {
    let runtime = context.runtime;
    let slices = strip.slices(context);
    let fields = slices.iter().map(|(name, element, is_mut)| {
        let mutable = is_mut.then(|| quote!(mut));
        quote!(#name: &'a #mutable [#element])
    });
    let cuts = slices.iter().map(|(name, _, is_mut)| {
        if *is_mut {
            quote!(let #name = self.#name.split_at_mut(slot);)
        } else {
            quote!(let #name = self.#name.split_at(slot);)
        }
    });
    let names: Vec<_> = slices.iter().map(|(name, ..)| name).collect();
    quote! {
        /// What a chunk of the update touches.
        struct Part<'a> { #(#fields,)* }

        impl #runtime::threads::Split for Part<'_> {
            fn split(self, slot: usize) -> (Self, Self) {
                #(#cuts)*
                (Part { #(#names: #names.0,)* }, Part { #(#names: #names.1,)* })
            }
        }
    }
}

/// Runs the strip over the slots below `high`, in chunks.
pub(super) fn run(context: &Context<'_>, strip: &Strip, operations: usize) -> TokenStream {
    let runtime = context.runtime;
    let fields = strip.slices(context).into_iter().map(|(name, _, is_mut)| {
        let mutable = is_mut.then(|| quote!(mut));
        quote!(#name: &#mutable #name[..high])
    });
    let call =
        strip.call_on(context, &quote!(count), &quote!(*registers), |name, _| quote!(part.#name));
    quote! {
        let high = self.high as usize;
        let part = Part { #(#fields,)* };
        #runtime::threads::for_each_chunk(
            executor,
            high,
            #operations,
            part,
            &|count: usize, part: Part<'_>| { #call },
        );
    }
}
