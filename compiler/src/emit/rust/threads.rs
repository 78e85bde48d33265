//! What the pieces of a step of Parallel borrow, so that they can be visited one by one, or on several threads.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::strip::Strip;
use super::{Context, ident, ops};

/// The fields of a piece: the slices that the strips take.
pub(super) struct Fields {
    /// Name, element type and mutability.
    slices: Vec<(Ident, Ident, bool)>,
}

impl Fields {
    /// What any of the strips takes; flags in any case.
    pub(super) fn of(context: &Context<'_>, strips: &[&Strip]) -> Self {
        let mut slices = Vec::new();
        for (handle, name, storage) in context.stored_columns() {
            let stored = strips.iter().any(|strip| strip.uses.stored.contains(&handle));
            if stored || strips.iter().any(|strip| strip.uses.loaded.contains(&handle)) {
                slices.push((name.clone(), ops::element(storage), stored));
            }
        }
        slices.push((ident("flags"), ident("u8"), true));
        Self { slices }
    }

    /// The struct of a piece, which can be cut in two.
    pub(super) fn definition(&self, context: &Context<'_>) -> TokenStream {
        let runtime = context.runtime;
        let fields = self.slices.iter().map(|(name, element, is_mut)| {
            let mutable = is_mut.then(|| quote!(mut));
            quote!(#name: &'a #mutable [#element])
        });
        let cuts = self.slices.iter().map(|(name, _, is_mut)| {
            if *is_mut {
                quote!(let #name = self.#name.split_at_mut(slot);)
            } else {
                quote!(let #name = self.#name.split_at(slot);)
            }
        });
        let names: Vec<_> = self.slices.iter().map(|(name, ..)| name).collect();
        quote! {
            /// The columns of neighbouring slots.
            struct Part<'a> { #(#fields,)* }

            impl #runtime::threads::Part for Part<'_> {
                fn split(self, slot: usize) -> (Self, Self) {
                    #(#cuts)*
                    (Part { #(#names: #names.0,)* }, Part { #(#names: #names.1,)* })
                }
            }
        }
    }

    /// A piece of all slots.
    pub(super) fn all(&self) -> TokenStream {
        let fields = self.slices.iter().map(|(name, _, is_mut)| {
            let from =
                if name == "flags" { quote!(self.flags) } else { quote!(self.columns.#name) };
            if *is_mut {
                quote!(#name: &mut #from.as_mut_slice()[..CAPACITY])
            } else {
                quote!(#name: &#from.as_slice()[..CAPACITY])
            }
        });
        quote!(Part { #(#fields,)* })
    }
}
