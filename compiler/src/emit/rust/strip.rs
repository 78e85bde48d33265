//! Functions that run straight-line code over a range of slots.
//!
//! Each column is a slice parameter of its own: parameters cannot overlap, which is what lets the
//! compiler vectorize the loop. All slices are cut to one length first, so that the loop has no
//! bounds checks.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::uses::Uses;
use super::{Context, ops};
use crate::ir::types::Precision;

/// A function over ranges of slots.
pub(super) struct Strip {
    name: Ident,
    pub(super) uses: Uses,
    has_flags: bool,
    has_ids: bool,
    /// The function's item; nothing where there is nothing to do.
    pub(super) definition: TokenStream,
}

impl Strip {
    /// A function that runs `statements` for each slot; they see `slot`, the columns, uniforms and
    /// registers of `uses`, and `flags` if they have them.
    pub(super) fn new(
        context: &Context<'_>,
        name: &str,
        precision: Precision,
        uses: Uses,
        has_flags: bool,
        statements: &TokenStream,
    ) -> Self {
        Self::with_ids(context, name, precision, uses, has_flags, false, statements)
    }

    /// As [`new`](Self::new); with ids the statements see `new_id`, which ascends from the caller's
    /// `first_id`.
    pub(super) fn of_newborns(
        context: &Context<'_>,
        name: &str,
        precision: Precision,
        uses: Uses,
        has_ids: bool,
        statements: &TokenStream,
    ) -> Self {
        let id = has_ids.then(|| quote!(let new_id = first_id.wrapping_add(slot as u32);));
        let statements = if statements.is_empty() { quote!() } else { quote!(#id #statements) };
        Self::with_ids(context, name, precision, uses, false, has_ids, &statements)
    }

    fn with_ids(
        context: &Context<'_>,
        name: &str,
        precision: Precision,
        uses: Uses,
        has_flags: bool,
        has_ids: bool,
        statements: &TokenStream,
    ) -> Self {
        let name = super::ident(name);
        let uniforms = uses.uniforms.iter().map(|&uniform| {
            let name = &context.uniforms[uniform.index()];
            let ty = ops::scalar(context.program.uniforms[uniform].source.ty(), precision);
            quote!(#name: #ty)
        });
        let runtime = context.runtime;
        let textures = uses.textures.iter().map(|&texture| {
            let name = &context.textures[texture.index()];
            quote!(#name: &#runtime::Texels)
        });
        let registers = uses.registers.then(|| quote!(registers: Registers,));
        let columns = columns(context, &uses);
        let slices = columns.iter().map(|(name, element, is_mut)| {
            let mutable = is_mut.then(|| quote!(mut));
            quote!(#name: &#mutable [#element])
        });
        let cuts = columns.iter().map(|(name, _, is_mut)| {
            let mutable = is_mut.then(|| quote!(mut));
            quote!(let #name = &#mutable #name[..count];)
        });
        let flags = has_flags.then(|| quote!(flags: &mut [u8],));
        let cut_flags = has_flags.then(|| quote!(let flags = &mut flags[..count];));
        let ids = has_ids.then(|| quote!(first_id: u32,));
        let simd = context.simd.then(|| multiversion(context.runtime));
        if statements.is_empty() {
            return Self { name, uses, has_flags, has_ids, definition: TokenStream::new() };
        }
        let definition = quote! {
            #simd
            #[allow(clippy::too_many_arguments, reason = "parameters are known not to overlap")]
            fn #name(count: usize, #ids #(#uniforms,)* #(#textures,)* #registers #(#slices,)* #flags) {
                #(#cuts)*
                #cut_flags
                for slot in 0..count {
                    #statements
                }
            }
        };
        Self { name, uses, has_flags, has_ids, definition }
    }

    /// A call for the slots from `first` to before `last`.
    pub(super) fn call(&self, context: &Context<'_>) -> TokenStream {
        self.call_on(context, &quote!(last - first), |name, is_mut| {
            let mutable = is_mut.then(|| quote!(mut));
            quote!(&#mutable #name[first..last])
        })
    }

    /// A call for `count` slots, given how each slice is reached by its name and mutability.
    pub(super) fn call_on(
        &self,
        context: &Context<'_>,
        count: &TokenStream,
        slice: impl Fn(&Ident, bool) -> TokenStream,
    ) -> TokenStream {
        if self.definition.is_empty() {
            return TokenStream::new();
        }
        let name = &self.name;
        let uniforms = self.uses.uniforms.iter().map(|&uniform| &context.uniforms[uniform.index()]);
        let textures = self.uses.textures.iter().map(|&texture| &context.textures[texture.index()]);
        let registers = self.uses.registers.then(|| quote!(*registers,));
        let slices = self.slices(context);
        let slices = slices.iter().map(|(name, _, is_mut)| slice(name, *is_mut));
        let ids = self.has_ids.then(|| quote!(first_id,));
        quote!(#name(#count, #ids #(#uniforms,)* #(#textures,)* #registers #(#slices,)*);)
    }

    /// Name, element type and mutability of the slices that the function takes.
    pub(super) fn slices(&self, context: &Context<'_>) -> Vec<(Ident, Ident, bool)> {
        let columns = columns(context, &self.uses).into_iter();
        let mut slices: Vec<_> =
            columns.map(|(name, element, is_mut)| (name.clone(), element, is_mut)).collect();
        if self.has_flags {
            slices.push((super::ident("flags"), super::ident("u8"), true));
        }
        slices
    }
}

/// Compiles a function for several instruction sets; the best is chosen when it is first called.
/// None of them contracts or reorders arithmetic, so that all give the same bits.
fn multiversion(runtime: &TokenStream) -> TokenStream {
    // 512-bit vectors only from the generation on where they do not slow the processor down.
    const AVX512: &str = "x86_64+avx2+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2";
    quote!(#[#runtime::multiversion::multiversion(
        targets(#AVX512, "x86_64+avx2", "x86_64+sse4.1")
    )])
}

/// Name, element type and mutability of the columns that a strip takes.
fn columns<'a>(context: &'a Context<'_>, uses: &Uses) -> Vec<(&'a Ident, Ident, bool)> {
    context
        .stored_columns()
        .filter(|(handle, ..)| uses.stored.contains(handle) || uses.loaded.contains(handle))
        .map(|(handle, name, storage)| (name, ops::element(storage), uses.stored.contains(&handle)))
        .collect()
}
