//! Functions that run straight-line code over a range of slots.
//!
//! Each column is a slice parameter of its own: parameters cannot overlap, which is what lets the
//! compiler vectorize the loop. All slices are cut to one length first, so that the loop has no
//! bounds checks.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::uses::Uses;
use super::{Context, ident, ops};
use crate::ir::types::Precision;

/// What a function over ranges of slots is called, and what it takes beside what its statements use.
#[derive(Clone)]
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) precision: Precision,
    /// Whether the statements see the `flags` of the slots.
    pub(super) has_flags: bool,
    /// Whether they see `new_id`, which ascends from the caller's `first_id`.
    pub(super) has_ids: bool,
    /// Name and element of the arrays that they read beside columns.
    pub(super) rows: Vec<(Ident, Ident)>,
    /// What the function gives back.
    pub(super) result: Outcome,
}

/// What a function over a range of slots gives back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Nothing.
    Nothing,
    /// Statements add to `odd`; whether it has remained 0.
    IsPlain,
    /// Statements add to `alive`, from 0; what it has become.
    Alive,
}

impl Shape {
    pub(super) fn new(name: &'static str, precision: Precision) -> Self {
        Self {
            name,
            precision,
            has_flags: false,
            has_ids: false,
            rows: Vec::new(),
            result: Outcome::Nothing,
        }
    }
}

/// A function over ranges of slots.
pub(super) struct Strip {
    shape: Shape,
    pub(super) uses: Uses,
    /// The function's item; nothing where there is nothing to do.
    pub(super) definition: TokenStream,
}

impl Strip {
    /// A function that runs `statements` for each slot; they see `slot`, and the columns, uniforms and
    /// registers of `uses`.
    pub(super) fn new(
        context: &Context<'_>,
        shape: Shape,
        uses: Uses,
        statements: &TokenStream,
    ) -> Self {
        let simd = context.simd.then(|| multiversion(context.runtime));
        Self::with_attributes(context, shape, uses, &quote!(#simd), statements)
    }

    /// As [`new`](Self::new), but of a function that cannot be vectorized and seldom runs.
    pub(super) fn seldom(
        context: &Context<'_>,
        shape: Shape,
        uses: Uses,
        statements: &TokenStream,
    ) -> Self {
        Self::with_attributes(context, shape, uses, &quote!(#[cold]), statements)
    }

    fn with_attributes(
        context: &Context<'_>,
        shape: Shape,
        uses: Uses,
        attributes: &TokenStream,
        statements: &TokenStream,
    ) -> Self {
        let mut strip = Self { shape, uses, definition: TokenStream::new() };
        if statements.is_empty() {
            return strip;
        }
        let slices = strip.slices(context);
        let cuts = slices.iter().map(|(name, _, is_mut)| {
            let mutable = is_mut.then(|| quote!(mut));
            quote!(let #name = &#mutable #name[..count];)
        });
        let id =
            strip.shape.has_ids.then(|| quote!(let new_id = first_id.wrapping_add(slot as u32);));
        let (initial, found) = match strip.shape.result {
            Outcome::Nothing => (None, None),
            Outcome::IsPlain => (Some(quote!(let mut odd = 0u64;)), Some(quote!(odd == 0))),
            Outcome::Alive => (Some(quote!(let mut alive = 0u32;)), Some(quote!(alive))),
        };
        let body = quote! {
            #(#cuts)*
            #initial
            for slot in 0..count {
                #id
                #statements
            }
            #found
        };
        strip.define(context, attributes, &body);
        strip
    }

    /// A function with another body than a loop over statements.
    pub(super) fn with_body(
        context: &Context<'_>,
        shape: Shape,
        uses: Uses,
        body: &TokenStream,
    ) -> Self {
        let mut strip = Self { shape, uses, definition: TokenStream::new() };
        strip.define(context, &TokenStream::new(), body);
        strip
    }

    fn define(&mut self, context: &Context<'_>, attributes: &TokenStream, body: &TokenStream) {
        let (runtime, Shape { precision, has_ids, result, .. }) = (context.runtime, &self.shape);
        let name = ident(self.shape.name);
        let uniforms = self.uses.uniforms.iter().map(|&uniform| {
            let name = &context.uniforms[uniform.index()];
            let ty = ops::scalar(context.program.uniforms[uniform].source.ty(), *precision);
            quote!(#name: #ty)
        });
        let textures = self.uses.textures.iter().map(|&texture| {
            let name = &context.textures[texture.index()];
            quote!(#name: &#runtime::Texels)
        });
        let registers = self.uses.registers.then(|| quote!(registers: Registers,));
        let slices = self.slices(context).into_iter().map(|(name, element, is_mut)| {
            let mutable = is_mut.then(|| quote!(mut));
            quote!(#name: &#mutable [#element])
        });
        let ids = has_ids.then(|| quote!(first_id: u32,));
        let result = match result {
            Outcome::Nothing => None,
            Outcome::IsPlain => Some(quote!(-> bool)),
            Outcome::Alive => Some(quote!(-> u32)),
        };
        self.definition.extend(quote! {
            #attributes
            #[allow(clippy::too_many_arguments, reason = "parameters are known not to overlap")]
            fn #name(count: usize, #ids #(#uniforms,)* #(#textures,)* #registers #(#slices,)*) #result {
                #body
            }
        });
    }

    /// A call for the slots from `first` to before `last`. Rows begin with slot `first`.
    pub(super) fn call(&self, context: &Context<'_>) -> TokenStream {
        let is_row = |name: &Ident| self.shape.rows.iter().any(|(row, _)| row == name);
        self.call_on(context, &quote!(last - first), &quote!(*registers), |name, is_mut| {
            let mutable = is_mut.then(|| quote!(mut));
            if is_row(name) { quote!(&#name) } else { quote!(&#mutable #name[first..last]) }
        })
    }

    /// A call for `count` slots, given where the registers are, and how each slice is reached by its name
    /// and mutability. It is an expression where the function gives something back, a statement elsewhere.
    pub(super) fn call_on(
        &self,
        context: &Context<'_>,
        count: &TokenStream,
        registers: &TokenStream,
        slice: impl Fn(&Ident, bool) -> TokenStream,
    ) -> TokenStream {
        if self.definition.is_empty() {
            return TokenStream::new();
        }
        let name = ident(self.shape.name);
        let uniforms = self.uses.uniforms.iter().map(|&uniform| &context.uniforms[uniform.index()]);
        let textures = self.uses.textures.iter().map(|&texture| &context.textures[texture.index()]);
        let registers = self.uses.registers.then(|| quote!(#registers,));
        let slices = self.slices(context);
        let slices = slices.iter().map(|(name, _, is_mut)| slice(name, *is_mut));
        let ids = self.shape.has_ids.then(|| quote!(first_id,));
        let end = (self.shape.result == Outcome::Nothing).then(|| quote!(;));
        quote!(#name(#count, #ids #(#uniforms,)* #(#textures,)* #registers #(#slices,)*) #end)
    }

    /// Whether the caller must say which id the first particle is given.
    pub(super) fn has_ids(&self) -> bool {
        self.shape.has_ids && !self.definition.is_empty()
    }

    /// Name, element type and mutability of the slices that the function takes.
    pub(super) fn slices(&self, context: &Context<'_>) -> Vec<(Ident, Ident, bool)> {
        let Uses { stored, loaded, .. } = &self.uses;
        let columns = context
            .stored_columns()
            .filter(|(handle, ..)| stored.contains(handle) || loaded.contains(handle));
        let mut slices: Vec<_> = columns
            .map(|(handle, name, storage)| {
                (name.clone(), ops::element(storage), stored.contains(&handle))
            })
            .collect();
        if self.shape.has_flags {
            slices.push((ident("flags"), ident("u8"), true));
        }
        let rows = self.shape.rows.iter().cloned();
        slices.extend(rows.map(|(name, element)| (name, element, false)));
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
