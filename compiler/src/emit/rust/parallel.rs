//! A step of Parallel: the update of every slot below the highest used one, in strips, in place, and births
//! into the slots that are free.
//!
//! Dead slots are computed too: nobody can see them, and a birth stores all their columns. Only
//! their flag matters, which a kill clears and nothing but a birth sets. A body that may fail runs
//! for live slots only.
//!
//! The runtime visits the slots piece by piece, and each piece is updated, then given its births; see
//! `pyrograph::threads::step`. Threads that begin in the middle must know how many births come before: a
//! function of its own counts who will live on, from what the update reads before it stores anything.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::births::{self, Batches};
use super::body::Printer;
use super::step::{self, Bodies};
use super::strip::{Outcome, Shape, Strip};
use super::threads::Fields;
use super::uses::{Form, Uses};
use super::{Context, ident};
use crate::ir::types::Precision;
use crate::ir::{Block, Body, BodyKind, Column, Expr, Handle, Stmt};

/// The bodies of a step.
pub(super) fn bodies(context: &Context<'_>) -> Bodies {
    let Some(update) = flat_update(context) else {
        let (birth, items) = births::birth(context);
        return Bodies::apart(context, &checked_update(context), &birth, items);
    };
    let batches = births::batches(context);
    // What cannot be created in batches is created behind the update.
    let (sequential, sequential_items) = match batches {
        Some(_) => (TokenStream::new(), TokenStream::new()),
        None => births::birth(context),
    };
    let survivors = survivors(context);
    let mut strips = vec![&update];
    strips.extend(batches.iter().map(|batches| &batches.create));
    let fields = Fields::of(context, &strips);
    let advance = advance(context, &fields, &update, batches.as_ref(), survivors.as_ref());
    let part = fields.definition(context);
    let definitions = strips.into_iter().chain(&survivors).map(|strip| &strip.definition);
    Bodies { advance, methods: sequential, items: quote!(#part #(#definitions)* #sequential_items) }
}

/// The method that does a whole step.
fn advance(
    context: &Context<'_>,
    fields: &Fields,
    update: &Strip,
    batches: Option<&Batches>,
    survivors: Option<&Strip>,
) -> TokenStream {
    let (runtime, kills) = (context.runtime, update.uses.kills);
    let mut uses = Uses::default();
    uses.add(&update.uses);
    if let Some(batches) = batches {
        uses.add(&batches.create.uses);
    }
    let uniforms = step::bind_uniforms(context, &uses, Precision::F32);
    let registers = update.uses.registers.then(|| quote!(let registers = &self.registers;));
    let part = fields.all();
    let operations = context.program.update.values.len();

    let integrate =
        update.call_on(context, &quote!(count), &quote!(*registers), |name, _| quote!(part.#name));
    let alive =
        if kills { quote!(#runtime::storage::count(part.flags)) } else { quote!(count as u32) };
    let part_name = ident(if kills || !integrate.is_empty() { "part" } else { "_part" });
    let update_all = quote!(|count: usize, #part_name: &mut Part<'_>| { #integrate #alive });
    let births_type = quote!(#runtime::threads::Births);
    let (create, wanted) = match batches {
        Some(Batches { text, .. }) => {
            (quote!(|part: &mut Part<'_>, births: #births_type| { #text }), quote!(births))
        }
        None => (quote!(|_: &mut Part<'_>, _: #births_type| 0u32), quote!(0u32)),
    };
    let range = quote!(::core::ops::Range<usize>);
    let survivors = match survivors {
        // Nobody dies.
        _ if !kills => quote! {
            ::core::option::Option::Some(|_: &Part<'_>, range: #range| range.len() as u32)
        },
        Some(strip) => {
            let call = strip.call_on(
                context,
                &quote!(range.len()),
                &quote!(*registers),
                |name, _| quote!(&part.#name[range.clone()]),
            );
            quote!(::core::option::Option::Some(|part: &Part<'_>, range: #range| #call))
        }
        None => quote!(::core::option::Option::None::<fn(&Part<'_>, #range) -> u32>),
    };
    let counted = (kills || batches.is_some()).then(|| {
        quote! {
            self.alive = counts.alive;
            self.next_id = self.next_id.wrapping_add(counts.born);
            self.high = #runtime::storage::used(&self.flags.as_slice()[..counts.high]);
        }
    });
    let counts = ident(if counted.is_some() { "counts" } else { "_counts" });
    let behind = batches.is_none().then(|| {
        quote! {
            if births > 0 {
                self.birth(frame, births, random)?;
            }
        }
    });
    let reads_frame = behind.is_some() || step::reads_frame(context, &uses);
    let frame = ident(if reads_frame { "frame" } else { "_frame" });
    let random = ident(if behind.is_some() { "random" } else { "_random" });
    quote! {
        fn advance<R: #runtime::Random + ?Sized, E: #runtime::threads::Executor>(
            &mut self,
            #frame: &#runtime::Frame,
            births: u32,
            #random: &mut R,
            executor: &E,
        ) -> ::core::result::Result<(), #runtime::StepError> {
            #uniforms
            #registers
            let part = #part;
            let #counts = #runtime::threads::step(
                executor,
                #operations,
                self.high as usize,
                part,
                #births_type { first_id: self.next_id, wanted: #wanted },
                &#runtime::threads::Bodies {
                    update: #update_all,
                    create: #create,
                    survivors: #survivors,
                },
            );
            #counted
            #behind
            ::core::result::Result::Ok(())
        }
    }
}

/// The update of many slots at once, unless a particle may fail.
fn flat_update(context: &Context<'_>) -> Option<Strip> {
    let slot = quote!(slot);
    let form = Form::flat(Precision::F32, &slot);
    let mut printer = Printer::new(context, &context.program.update, form);
    let parts = context.parts.borrow().len();
    let mut statements = printer.statements();
    let uses = printer.uses;
    if uses.fails {
        context.parts.borrow_mut().truncate(parts);
        return None;
    }
    if uses.kills {
        statements = quote! {
            let mut dead = false;
            #statements
            flags[slot] &= u8::from(!dead);
        };
    }
    let shape = Shape { has_flags: uses.kills, ..Shape::new("integrate", Precision::F32) };
    Some(Strip::new(context, shape, uses, &statements))
}

/// Counts who will live on, where that can be known before anything is stored.
fn survivors(context: &Context<'_>) -> Option<Strip> {
    let body = &context.program.update;
    let deaths = Body { block: without_stores(&body.block), ..body.clone() };
    let slot = quote!(slot);
    let mut printer = Printer::new(context, &deaths, Form::flat(Precision::F32, &slot));
    let parts = context.parts.borrow().len();
    let statements = printer.statements();
    let sees_stores = loads_stored(body, &body.block, &printer.used, &mut BTreeSet::new());
    let uses = printer.uses;
    if !uses.kills || sees_stores {
        context.parts.borrow_mut().truncate(parts);
        return None;
    }
    let shape = Shape {
        rows: vec![(ident("flags"), ident("u8"))],
        result: Outcome::Alive,
        ..Shape::new("survive", Precision::F32)
    };
    let statements = quote! {
        let mut dead = false;
        #statements
        alive += u32::from(flags[slot] & u8::from(!dead));
    };
    Some(Strip::new(context, shape, uses, &statements))
}

/// The block, without what it stores.
fn without_stores(block: &Block) -> Block {
    let mut kept = block.clone();
    kept.retain(|statement| !matches!(statement.kind, Stmt::Store(..)));
    for statement in &mut kept {
        if let Stmt::If { then, otherwise, .. } = &mut statement.kind {
            *then = without_stores(then);
            *otherwise = without_stores(otherwise);
        }
    }
    kept
}

/// Whether a used value is loaded from a column that may have been stored before.
fn loads_stored(
    body: &Body,
    block: &Block,
    used: &[bool],
    stored: &mut BTreeSet<Handle<Column>>,
) -> bool {
    block.iter().any(|statement| match &statement.kind {
        Stmt::Let(value) => match body.values[*value].expr {
            Expr::Load(column) => used[value.index()] && stored.contains(&column),
            _ => false,
        },
        Stmt::Store(column, _) => {
            stored.insert(*column);
            false
        }
        Stmt::If { then, otherwise, .. } => {
            loads_stored(body, then, used, stored) || loads_stored(body, otherwise, used, stored)
        }
        Stmt::StoreRegister(..)
        | Stmt::Draw { .. }
        | Stmt::Call { .. }
        | Stmt::Kill(_)
        | Stmt::Fail(_) => false,
    })
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
