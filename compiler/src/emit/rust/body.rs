//! Prints a body, statement by statement.
//!
//! Two forms: *scalar* keeps every branch; *flat*, for loops over many particles, computes both
//! sides of cheap branches and selects (all values are pure; stores and kills are guarded), so that
//! the loop has no control flow. Values that nothing uses are not printed.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::ops::Operand;
use super::parts::use_counts;
use super::uses::{Form, Uses, is_cheap, is_costly, is_idle, mark_block, mark_lets};
use super::{Context, ident, ops};
use crate::emit::names::Names;
use crate::ir::types::Const;
use crate::ir::{Block, Body, Column, Expr, Function, Handle, Origin, Stmt, Table, ValueId};

/// Prints one body.
pub(super) struct Printer<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) body: &'a Body,
    pub(super) form: Form<'a>,
    pub(super) scope: Names,
    params: Vec<Ident>,
    /// Name of each value that has one.
    names: Vec<Option<Ident>>,
    /// Values that stand for others.
    aliases: Vec<Option<ValueId>>,
    pub(super) used: Vec<bool>,
    pub(super) uses: Uses,
    /// Values whose names were printed, and values that were given one.
    pub(super) mentioned: BTreeSet<ValueId>,
    pub(super) defined: BTreeSet<ValueId>,
    /// How often each value is used.
    pub(super) use_counts: Vec<u32>,
    /// Blocks around the one that is printed.
    pub(super) depth: usize,
    /// Where functions in lanes tell that an argument is not plain.
    pub(super) odd: Ident,
}

impl<'a> Printer<'a> {
    pub(super) fn new(context: &'a Context<'a>, body: &'a Body, form: Form<'a>) -> Self {
        let mut used = vec![false; body.values.len()];
        for &result in &body.results {
            used[result.index()] = true;
        }
        mark_block(body, &body.block, form, &mut used);
        Self {
            context,
            body,
            form,
            scope: context.scope.clone(),
            params: Vec::new(),
            names: vec![None; body.values.len()],
            aliases: vec![None; body.values.len()],
            used,
            uses: Uses::default(),
            mentioned: BTreeSet::new(),
            defined: BTreeSet::new(),
            use_counts: use_counts(body),
            depth: 0,
            odd: ident("odd"),
        }
    }

    /// Names the parameters of a function whose body this is.
    pub(super) fn name_params(&mut self, function: &Function) -> &[Ident] {
        let names = function.params.iter().map(|(name, _)| ident(&self.scope.unique(name)));
        self.params = names.collect();
        &self.params
    }

    /// All statements of the body.
    pub(super) fn statements(&mut self) -> TokenStream {
        self.block(&self.body.block, None)
    }

    /// Only those `let`s that the given values depend on; they must be pure and outside of blocks
    /// whose conditions matter.
    pub(super) fn slice(&mut self, wanted: &[ValueId]) -> TokenStream {
        self.used.fill(false);
        for value in wanted {
            self.used[value.index()] = true;
        }
        mark_lets(self.body, &self.body.block, &mut self.used);
        let mut tokens = TokenStream::new();
        self.lets(&self.body.block, &mut tokens);
        tokens
    }

    fn lets(&mut self, block: &'a Block, tokens: &mut TokenStream) {
        for statement in block {
            match &statement.kind {
                Stmt::Let(value) => tokens.extend(self.define(*value, statement.origin)),
                Stmt::If { then, otherwise, .. } => {
                    self.lets(then, tokens);
                    self.lets(otherwise, tokens);
                }
                Stmt::Store(..)
                | Stmt::StoreRegister(..)
                | Stmt::Draw { .. }
                | Stmt::Call { .. }
                | Stmt::Kill(_)
                | Stmt::Fail(_) => {}
            }
        }
    }

    /// A value where nothing binds tighter.
    pub(super) fn value(&mut self, value: ValueId) -> TokenStream {
        let value = self.original(value);
        self.mentioned.insert(value);
        if let Some(name) = self.local(value) {
            return quote!(#name);
        }
        match self.body.values[value].expr {
            Expr::Const(constant) => ops::constant(constant, self.form.precision),
            Expr::Uniform(uniform) => {
                self.uses.uniforms.insert(uniform);
                let name = &self.context.uniforms[uniform.index()];
                quote!(#name)
            }
            Expr::Param(_)
            | Expr::NewId
            | Expr::Load(_)
            | Expr::LoadRegister(_)
            | Expr::Table(..)
            | Expr::Texel(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select(..)
            | Expr::Result => {
                // Validation excludes this: a use that no definition dominates.
                debug_assert!(false, "value {value:?} has no name");
                quote!(())
            }
        }
    }

    /// The local or parameter that holds a value.
    pub(super) fn local(&self, value: ValueId) -> Option<Ident> {
        match self.body.values[value].expr {
            Expr::Param(index) => self.params.get(index as usize).cloned(),
            Expr::NewId => Some(ident("new_id")),
            _ => self.names[value.index()].clone(),
        }
    }

    /// A value as an operand.
    pub(super) fn operand(&mut self, value: ValueId) -> Operand {
        let plain = self.value(value);
        let is_signed = matches!(
            self.body.values[self.original(value)].expr,
            Expr::Const(Const::Float(number)) if number.is_sign_negative()
        );
        Operand { plain, is_signed }
    }

    /// What a value stands for.
    pub(super) fn original(&self, value: ValueId) -> ValueId {
        let mut value = value;
        while let Some(alias) = self.aliases[value.index()] {
            value = alias;
        }
        value
    }

    pub(super) fn name(&mut self, value: ValueId, origin: Option<Handle<Origin>>) -> Ident {
        let wanted = match self.body.values[value].expr {
            Expr::Load(column) => self.context.column(column).to_string(),
            Expr::LoadRegister(register) => self.context.register(register).to_string(),
            _ => {
                let origin = origin.and_then(|origin| self.context.program.origins.get(origin));
                match origin {
                    Some(origin) if !origin.name.trim().is_empty() => origin.name.clone(),
                    Some(origin) => origin.class.clone(),
                    None => "value".to_owned(),
                }
            }
        };
        let name = ident(&self.scope.unique(&wanted));
        self.names[value.index()] = Some(name.clone());
        self.defined.insert(value);
        name
    }

    fn define(&mut self, value: ValueId, origin: Option<Handle<Origin>>) -> TokenStream {
        if !self.used[value.index()] {
            return TokenStream::new();
        }
        let expr = self.expr(self.body.values[value].expr);
        let name = self.name(value, origin);
        quote!(let #name = #expr;)
    }

    fn expr(&mut self, expr: Expr) -> TokenStream {
        let (runtime, precision) = (self.context.runtime, self.form.precision);
        match expr {
            Expr::Load(column) => {
                self.uses.loaded.insert(column);
                let (name, slot) = (self.context.column(column), self.form.slot);
                let storage = self.context.program.columns[column].storage;
                ops::load(storage, precision, &quote!(#name[#slot]))
            }
            Expr::LoadRegister(register) => {
                // Only f64 bodies have registers.
                self.uses.registers = true;
                let name = self.context.register(register);
                quote!(registers.#name)
            }
            Expr::Table(table, index) => self.table(table, index),
            Expr::Texel(texture, x, y, channel) => {
                self.uses.textures.insert(texture);
                self.uses.is_scalar = true;
                let name = &self.context.textures[texture.index()];
                let (x, y) = (self.value(x), self.value(y));
                quote!(#name.byte(#x, #y, #channel))
            }
            Expr::Unary(op, a) => {
                let a = self.operand(a);
                if self.form.in_lanes
                    && let Some(function) = ops::lane_function(op)
                {
                    self.uses.lanes += 1;
                    let (a, odd) = (a.plain, &self.odd);
                    return quote!(#runtime::numeric::lanes::#function(#a, &mut #odd));
                }
                self.uses.is_scalar |= ops::is_costly_unary(op);
                ops::unary(op, precision, runtime, &a)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.operand(a), self.operand(b));
                self.uses.is_scalar |= ops::is_costly_binary(op);
                ops::binary(op, precision, runtime, &a, &b)
            }
            Expr::Select(condition, a, b) => {
                let (condition, a, b) = (self.value(condition), self.value(a), self.value(b));
                quote!(if #condition { #a } else { #b })
            }
            // Free values are printed where they are used, results by their statement.
            Expr::Const(_) | Expr::Uniform(_) | Expr::Param(_) | Expr::NewId | Expr::Result => {
                TokenStream::new()
            }
        }
    }

    fn table(&mut self, table: Handle<Table>, index: ValueId) -> TokenStream {
        self.uses.is_scalar = true;
        let name = self.context.table(table, self.form.precision);
        let index = self.operand(index);
        let ty = ops::float(self.form.precision);
        quote!(#name.get(#index as usize).copied().unwrap_or(#ty::NAN))
    }

    pub(super) fn statement(
        &mut self,
        statement: &'a Stmt,
        origin: Option<Handle<Origin>>,
        guard: Option<&Ident>,
    ) -> TokenStream {
        match statement {
            Stmt::Let(value) => self.define(*value, origin),
            Stmt::Store(column, value) => self.store(*column, *value, guard),
            Stmt::StoreRegister(register, value) => {
                self.uses.registers = true;
                let value = self.value(*value);
                let name = self.context.register(*register);
                quote!(registers.#name = #value;)
            }
            Stmt::Draw { result, .. } => {
                self.uses.draws = true;
                let runtime = self.context.runtime;
                let draw = quote!(#runtime::Random::next(random));
                if self.used[result.index()] {
                    let name = self.name(*result, origin);
                    quote!(let #name = #draw;)
                } else {
                    quote!(#draw;)
                }
            }
            Stmt::Call { function, arguments, results } => {
                self.call(*function, arguments, results, origin)
            }
            Stmt::Kill(condition) => {
                self.uses.kills = true;
                let condition = self.operand(*condition);
                match guard {
                    Some(guard) => quote!(dead |= #guard & #condition;),
                    None => quote!(dead |= #condition;),
                }
            }
            Stmt::Fail(message) => {
                self.uses.fails = true;
                let (runtime, place) = (self.context.runtime, self.context.place(origin));
                quote! {
                    return ::core::result::Result::Err(
                        #runtime::StepError::new(NAME, #place, #message)
                    );
                }
            }
            Stmt::If { then, otherwise, results, .. }
                if is_idle(self.form, [then, otherwise], results, &self.used) =>
            {
                TokenStream::new()
            }
            Stmt::If { condition, then, otherwise, results } => {
                match self.form.known_value(*condition) {
                    Some(value) => {
                        let block = if value { then } else { otherwise };
                        for merge in results {
                            let from = if value { merge.then } else { merge.otherwise };
                            self.aliases[merge.result.index()] = Some(from);
                        }
                        self.block(block, guard)
                    }
                    None if self.form.is_flat
                        && is_cheap(self.form, self.body, then)
                        && is_cheap(self.form, self.body, otherwise) =>
                    {
                        self.flat_if(*condition, [then, otherwise], results, origin, guard)
                    }
                    None => {
                        self.branching_if(*condition, [then, otherwise], results, origin, guard)
                    }
                }
            }
        }
    }

    fn store(
        &mut self,
        column: Handle<Column>,
        value: ValueId,
        guard: Option<&Ident>,
    ) -> TokenStream {
        self.uses.stored.insert(column);
        let value = self.operand(value);
        let (name, slot) = (self.context.column(column), self.form.slot);
        let storage = self.context.program.columns[column].storage;
        let value = ops::store(storage, self.form.precision, &value);
        match guard {
            Some(guard) => {
                quote!(#name[#slot] = if #guard { #value } else { #name[#slot] };)
            }
            None => quote!(#name[#slot] = #value;),
        }
    }

    fn call(
        &mut self,
        function: Handle<Function>,
        arguments: &[ValueId],
        results: &[ValueId],
        origin: Option<Handle<Origin>>,
    ) -> TokenStream {
        // Functions are pure: without a used result there is nothing to do.
        if !results.iter().any(|result| self.used[result.index()]) {
            return TokenStream::new();
        }
        let arguments: Vec<TokenStream> =
            arguments.iter().map(|&argument| self.value(argument)).collect();
        self.uses.is_scalar |= is_costly(self.context.program, function);
        let callee = self.context.function(function, self.form.precision);
        let pattern = self.pattern(results.iter().copied(), origin);
        quote!(let #pattern = #callee(#(#arguments),*);)
    }

    /// Names results: one name, or a tuple; `_` for those that nothing uses.
    pub(super) fn pattern(
        &mut self,
        results: impl ExactSizeIterator<Item = ValueId>,
        origin: Option<Handle<Origin>>,
    ) -> TokenStream {
        let mut names: Vec<TokenStream> = Vec::with_capacity(results.len());
        for result in results {
            names.push(if self.used[result.index()] {
                let name = self.name(result, origin);
                quote!(#name)
            } else {
                quote!(_)
            });
        }
        tuple(&names)
    }
}

/// `a`, `(a, b)`, or `()`.
pub(super) fn tuple(items: &[TokenStream]) -> TokenStream {
    match items {
        [item] => item.clone(),
        items => quote!((#(#items),*)),
    }
}
