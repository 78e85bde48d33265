//! The columns of a program: declaration, access inside of methods, removal by swapping.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, ops};
use crate::ir::{Column, Handle};

/// Number of array elements: one at least, because system bodies may read slot 0 of any program.
pub(super) fn slots(context: &Context<'_>) -> usize {
    (context.program.capacity as usize).max(1)
}

/// The struct that holds the arrays, and its initial value.
pub(super) fn declaration(context: &Context<'_>) -> TokenStream {
    let runtime = context.runtime;
    let fields = context.stored_columns().map(|(_, name, storage)| {
        let element = ops::element(storage);
        quote!(#name: #runtime::storage::Array<#element, SLOTS>)
    });
    // The ordinal moves each array to other cache sets.
    let values = context
        .stored_columns()
        .enumerate()
        .map(|(ordinal, (_, name, _))| quote!(#name: #runtime::storage::Array::new(#ordinal)));
    quote! {
        #[derive(Clone, Debug)]
        struct Columns {
            #(#fields,)*
        }

        impl Columns {
            fn new() -> Self {
                Self { #(#values,)* }
            }
        }
    }
}

/// Binds a local slice for each column that a method uses.
pub(super) fn bind(
    context: &Context<'_>,
    loaded: &BTreeSet<Handle<Column>>,
    stored: &BTreeSet<Handle<Column>>,
) -> TokenStream {
    let bindings = context.stored_columns().filter_map(|(handle, name, _)| {
        if stored.contains(&handle) {
            Some(quote!(let #name = self.columns.#name.as_mut_slice();))
        } else if loaded.contains(&handle) {
            Some(quote!(let #name = self.columns.#name.as_slice();))
        } else {
            None
        }
    });
    quote!(#(#bindings)*)
}

/// All columns that are arrays.
pub(super) fn all(context: &Context<'_>) -> BTreeSet<Handle<Column>> {
    context.stored_columns().map(|(handle, ..)| handle).collect()
}

/// Copies the particle in slot `alive` over the one in `slot`.
pub(super) fn move_last(context: &Context<'_>) -> TokenStream {
    let names = context.stored_columns().map(|(_, name, _)| name);
    let moves = names.map(|name| quote!(#name[slot] = #name[alive];));
    quote!(#(#moves)*)
}
