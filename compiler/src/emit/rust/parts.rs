//! Blocks, and how large ones are cut into functions.
//!
//! Compilers take more than twice the time for a function of twice the length, and more of their
//! stack. A long block therefore becomes calls of functions with a few hundred statements each,
//! which take what they use and give what is used behind them; so does what is deep in branches.
//! With optimization they are inlined again, so that loops over them are vectorized as if nothing had
//! been cut.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::body::{Printer, tuple};
use super::uses::results;
use super::{comments, ident, ops};
use crate::ir::{Block, Body, Statement, Stmt, ValueId};

/// Statements of a block that is not cut.
const WHOLE: usize = 600;
/// Statements of a part.
const PART: usize = 300;
/// So many branches within each other stay in one function.
const DEPTH: usize = 16;

impl<'a> Printer<'a> {
    /// Statements of a block. With a guard they run whether it holds or not, and effects look at it.
    pub(super) fn block(&mut self, block: &'a Block, guard: Option<&Ident>) -> TokenStream {
        self.depth += 1;
        let tokens = if weight(block) > WHOLE {
            let parts = cut(block).into_iter();
            parts.map(|part| self.part_or_plain(part, guard)).collect()
        } else if self.depth.is_multiple_of(DEPTH) {
            self.part_or_plain(block, guard)
        } else {
            self.plain(block, guard)
        };
        self.depth -= 1;
        tokens
    }

    fn plain(&mut self, statements: &'a [Statement], guard: Option<&Ident>) -> TokenStream {
        let mut tokens = TokenStream::new();
        let mut last = None;
        for statement in statements {
            let printed = self.statement(&statement.kind, statement.origin, guard);
            if let (Some(program), Some(origin)) = (self.context.commented, statement.origin)
                && !printed.is_empty()
                && last.replace(origin) != Some(origin)
            {
                tokens.extend(comments::mark(program, origin));
            }
            tokens.extend(printed);
            if matches!(statement.kind, Stmt::Fail(_)) {
                // Nothing behind it is reached; what the block would yield is never asked for.
                break;
            }
        }
        tokens
    }

    fn part_or_plain(&mut self, statements: &'a [Statement], guard: Option<&Ident>) -> TokenStream {
        // What surely fails must be seen where it stands: nothing comes behind it.
        let fails = statements.iter().any(|found| matches!(found.kind, Stmt::Fail(_)));
        // A long branch is cut inside.
        if fails || statements.is_empty() || weight(statements) > WHOLE {
            self.plain(statements, guard)
        } else {
            self.part(statements, guard)
        }
    }

    /// A call of a function that runs the statements.
    fn part(&mut self, statements: &'a [Statement], guard: Option<&Ident>) -> TokenStream {
        let outer_uses = mem::take(&mut self.uses);
        let outer_mentioned = mem::take(&mut self.mentioned);
        let outer_defined = mem::take(&mut self.defined);
        let text = self.plain(statements, guard);
        let uses = mem::replace(&mut self.uses, outer_uses);
        let mentioned = mem::replace(&mut self.mentioned, outer_mentioned);
        let defined = mem::replace(&mut self.defined, outer_defined);
        self.uses.add(&uses);
        self.mentioned.extend(&mentioned);
        self.defined.extend(&defined);

        let context = self.context;
        let (runtime, precision) = (context.runtime, self.form.precision);
        let scalar = |value: ValueId| ops::scalar(self.body.values[value].ty, precision);
        let mut arguments = Vec::new();
        let mut params = Vec::new();
        let mut add = |name: Ident, ty: TokenStream| {
            params.push(quote!(#name: #ty));
            arguments.push(quote!(#name));
        };
        for &value in mentioned.difference(&defined) {
            if let Some(name) = self.local(value) {
                let ty = scalar(value);
                add(name, quote!(#ty));
            }
        }
        for &uniform in &uses.uniforms {
            let ty = ops::scalar(context.program.uniforms[uniform].source.ty(), precision);
            add(context.uniforms[uniform.index()].clone(), quote!(#ty));
        }
        for &texture in &uses.textures {
            add(context.textures[texture.index()].clone(), quote!(&#runtime::Texels));
        }
        if uses.registers {
            // Loops over particles have a copy.
            let ty = if self.form.is_flat { quote!(Registers) } else { quote!(&mut Registers) };
            add(ident("registers"), ty);
        }
        for (handle, name, storage) in context.stored_columns() {
            let element = ops::element(storage);
            if uses.stored.contains(&handle) {
                add(name.clone(), quote!(&mut [#element]));
            } else if uses.loaded.contains(&handle) {
                add(name.clone(), quote!(&[#element]));
            }
        }
        if let Some(guard) = guard {
            add(guard.clone(), quote!(bool));
        }
        if !(uses.loaded.is_empty() && uses.stored.is_empty()) {
            let slot = self.form.slot;
            params.push(quote!(slot: usize));
            arguments.push(quote!(#slot));
        }
        let generics = uses.draws.then(|| quote!(<R: #runtime::Random + ?Sized>));
        if uses.draws {
            params.push(quote!(random: &mut R));
            arguments.push(quote!(random));
        }

        let results = self.visible_behind(statements, &defined);
        let mut names: Vec<TokenStream> = Vec::new();
        let mut types: Vec<TokenStream> = Vec::new();
        for value in results {
            let (name, ty) = (self.local(value), scalar(value));
            names.push(quote!(#name));
            types.push(quote!(#ty));
        }
        let (mut pattern, mut declare, mut bury) = (names.clone(), None, None);
        if uses.kills {
            let killed = ident(&self.scope.unique("killed"));
            names.push(quote!(dead));
            types.push(quote!(bool));
            pattern.push(quote!(#killed));
            declare = Some(quote!(let mut dead = false;));
            bury = Some(quote!(dead |= #killed;));
        }
        let (mut result, mut ty, pattern) = (tuple(&names), tuple(&types), tuple(&pattern));
        if uses.fails {
            result = quote!(::core::result::Result::Ok(#result));
            ty = quote!(::core::result::Result<#ty, #runtime::StepError>);
        }
        let question = uses.fails.then(|| quote!(?));
        let mut parts = context.parts.borrow_mut();
        let name = ident(&format!("part_{}", parts.len() + 1));
        parts.push(quote! {
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused, reason = "a part of a body takes what it may use")]
            fn #name #generics(#(#params),*) -> #ty {
                #declare
                #text
                #result
            }
        });
        // Without a path, a local could hide the function.
        quote! {
            #[allow(unused, reason = "the rest of the body may use it")]
            let #pattern = self::#name(#(#arguments),*) #question;
            #bury
        }
    }

    /// Values that statements define and others may use, by the names that they have.
    fn visible_behind(
        &self,
        statements: &[Statement],
        defined: &BTreeSet<ValueId>,
    ) -> BTreeSet<ValueId> {
        let mut inside = BTreeMap::new();
        count_uses(self.body, statements, &mut |value| *inside.entry(value).or_insert(0u32) += 1);
        let is_visible = |value: &ValueId| {
            let inside = inside.get(value).copied().unwrap_or_default();
            self.used[value.index()] && self.use_counts[value.index()] > inside
        };
        let mut defined_values = Vec::new();
        for statement in statements {
            defined_values.extend(results(&statement.kind));
        }
        let visible =
            defined_values.into_iter().filter(is_visible).map(|value| self.original(value));
        visible.filter(|value| defined.contains(value)).collect()
    }
}

/// How often each value of a body is used.
pub(super) fn use_counts(body: &Body) -> Vec<u32> {
    let mut counts = vec![0; body.values.len()];
    let mut count = |value: ValueId| counts[value.index()] += 1;
    count_uses(body, &body.block, &mut count);
    body.results.iter().copied().for_each(count);
    counts
}

fn count_uses(body: &Body, statements: &[Statement], count: &mut dyn FnMut(ValueId)) {
    for statement in statements {
        match &statement.kind {
            Stmt::Let(value) => body.values[*value].expr.for_each_operand(&mut *count),
            Stmt::Store(_, value) | Stmt::StoreRegister(_, value) | Stmt::Kill(value) => {
                count(*value);
            }
            Stmt::Draw { .. } | Stmt::Fail(_) => {}
            Stmt::Call { arguments, .. } => arguments.iter().copied().for_each(&mut *count),
            Stmt::If { condition, then, otherwise, results } => {
                count(*condition);
                for merge in results {
                    count(merge.then);
                    count(merge.otherwise);
                }
                count_uses(body, then, count);
                count_uses(body, otherwise, count);
            }
        }
    }
}

/// Statements of a block and of the blocks in it.
fn weight(statements: &[Statement]) -> usize {
    let weights = statements.iter().map(|statement| match &statement.kind {
        Stmt::If { then, otherwise, .. } => 1 + weight(then) + weight(otherwise),
        _ => 1,
    });
    weights.sum()
}

/// Neighbours together, as long as they do not weigh too much.
fn cut(mut statements: &[Statement]) -> Vec<&[Statement]> {
    let mut parts = Vec::new();
    while let Some(first) = statements.first() {
        let mut total = weight(std::slice::from_ref(first));
        let mut length = 1;
        while let Some(next) = statements.get(length) {
            total += weight(std::slice::from_ref(next));
            if total > PART {
                break;
            }
            length += 1;
        }
        let (part, rest) = statements.split_at(length);
        parts.push(part);
        statements = rest;
    }
    parts
}
