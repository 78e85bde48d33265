//! Prints an `If`, in either form.

use std::mem;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::body::{Printer, tuple};
use super::uses::has_effect;
use super::{ident, ops};
use crate::ir::{Block, Handle, Merge, Origin, Stmt, ValueId};

impl<'a> Printer<'a> {
    /// Keeps the branch.
    pub(super) fn branching_if(
        &mut self,
        condition: ValueId,
        [then, otherwise]: [&'a Block; 2],
        results: &[Merge],
        origin: Option<Handle<Origin>>,
        guard: Option<&Ident>,
    ) -> TokenStream {
        self.uses.is_scalar = true;
        let condition = self.value(condition);
        let results: Vec<Merge> =
            results.iter().copied().filter(|merge| self.used[merge.result.index()]).collect();
        let mut side = |block: &'a Block, pick: fn(&Merge) -> ValueId| {
            let statements = self.block(block, guard);
            let fails = block.iter().any(|statement| matches!(statement.kind, Stmt::Fail(_)));
            if results.is_empty() || fails {
                return statements;
            }
            let values: Vec<TokenStream> =
                results.iter().map(|merge| self.value(pick(merge))).collect();
            let values = tuple(&values);
            quote!(#statements #values)
        };
        let then_side = side(then, |merge| merge.then);
        let other_side = side(otherwise, |merge| merge.otherwise);
        if results.is_empty() {
            // Nothing may be left of a side.
            let other_side = (!other_side.is_empty()).then(|| quote!(else { #other_side }));
            return quote!(if #condition { #then_side } #other_side);
        }
        let types: Vec<TokenStream> = results
            .iter()
            .map(|merge| self.body.values[merge.result].ty)
            .map(|ty| ops::scalar(ty, self.form.precision).to_token_stream())
            .collect();
        let types = tuple(&types);
        let pattern = self.pattern(results.iter().map(|merge| merge.result), origin);
        // The types matter where both sides fail.
        quote!(let #pattern: #types = if #condition { #then_side } else { #other_side };)
    }

    /// Computes a side that does nothing else, whether it is entered or not.
    fn computed(&mut self, block: &'a Block, is_entered: &TokenStream) -> TokenStream {
        if !self.form.in_lanes {
            return self.block(block, None);
        }
        // What is odd on a side that is not entered does not count.
        let inner = ident(&self.scope.unique("odd"));
        let outer = mem::replace(&mut self.odd, inner);
        let before = self.uses.lanes;
        let statements = self.block(block, None);
        let inner = mem::replace(&mut self.odd, outer);
        if self.uses.lanes == before {
            return statements;
        }
        let outer = &self.odd;
        quote! {
            let mut #inner = 0u64;
            #statements
            #outer |= if #is_entered { #inner } else { 0 };
        }
    }

    /// Computes both sides, and selects; what has effects is guarded.
    pub(super) fn flat_if(
        &mut self,
        condition: ValueId,
        [then, otherwise]: [&'a Block; 2],
        results: &[Merge],
        origin: Option<Handle<Origin>>,
        guard: Option<&Ident>,
    ) -> TokenStream {
        let condition = self.operand(condition);
        let mut tokens = TokenStream::new();
        for (block, is_then) in [(then, true), (otherwise, false)] {
            let side = if is_then { quote!(#condition) } else { quote!(!#condition) };
            if !has_effect(self.form, block) {
                tokens.extend(self.computed(block, &side));
                continue;
            }
            let here = ident(&self.scope.unique("reached"));
            tokens.extend(match guard {
                Some(guard) => quote!(let #here = #guard & #side;),
                None => quote!(let #here = #side;),
            });
            tokens.extend(self.block(block, Some(&here)));
        }
        for merge in results {
            if self.used[merge.result.index()] {
                let (a, b) = (self.value(merge.then), self.value(merge.otherwise));
                let name = self.name(merge.result, origin);
                tokens.extend(quote!(let #name = if #condition { #a } else { #b };));
            }
        }
        tokens
    }
}
