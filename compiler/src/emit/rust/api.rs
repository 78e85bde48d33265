//! What hosts see of a program: its facts, its columns by field, typed views of its particles.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, ident, module, ops};
use crate::ir::types::{Const, Precision, Profile, Storage};
use crate::ir::{Column, Field, Handle};

/// The accessors of a particle: name, documentation, components.
const ACCESSORS: [(&str, &str, &[Field]); 10] = [
    ("id", "Count of births of the system before this one.", &[Field::Id]),
    ("age", "Elapsed time.", &[Field::Age]),
    ("life_time", "Age at which the particle dies.", &[Field::LifeTime]),
    (
        "position",
        "World position: x, y, z.",
        &[Field::Position(0), Field::Position(1), Field::Position(2)],
    ),
    (
        "direction",
        "Velocity: x, y, z.",
        &[Field::Direction(0), Field::Direction(1), Field::Direction(2)],
    ),
    (
        "color",
        "Red, green, blue, alpha.",
        &[Field::Color(0), Field::Color(1), Field::Color(2), Field::Color(3)],
    ),
    ("size", "Side of the quad.", &[Field::Size]),
    ("scale", "Factors on the size: x, y.", &[Field::Scale(0), Field::Scale(1)]),
    ("angle", "Rotation in radians.", &[Field::Angle]),
    ("cell_index", "Cell of the sprite sheet.", &[Field::CellIndex]),
];

/// The field as an expression of the runtime's type.
fn field_path(context: &Context<'_>, field: Field) -> TokenStream {
    let runtime = context.runtime;
    let (name, part) = match field {
        Field::Age => ("Age", None),
        Field::LifeTime => ("LifeTime", None),
        Field::Id => ("Id", None),
        Field::Position(axis) => ("Position", Some(axis)),
        Field::Direction(axis) => ("Direction", Some(axis)),
        Field::Size => ("Size", None),
        Field::Angle => ("Angle", None),
        Field::Scale(axis) => ("Scale", Some(axis)),
        Field::Color(channel) => ("Color", Some(channel)),
        Field::CellIndex => ("CellIndex", None),
        Field::InitialDirection(axis) => ("InitialDirection", Some(axis)),
    };
    let name = ident(name);
    match part {
        Some(part) => quote!(#runtime::Field::#name(#part)),
        None => quote!(#runtime::Field::#name),
    }
}

/// The readable half of a program.
pub(super) fn state(context: &Context<'_>) -> TokenStream {
    let (program, runtime) = (context.program, context.runtime);
    let arms = program.columns.iter().filter_map(|(handle, column)| {
        let field = field_path(context, column.field?);
        let value = match column.constant {
            Some(constant) => {
                let value = column.storage.stored(constant).to_f64();
                let value = ops::float_literal(value, Precision::F64);
                quote!(#runtime::Column::Constant(#value))
            }
            None => {
                let name = context.column(handle);
                let kind = ident(match column.storage {
                    Storage::F64 => "F64",
                    Storage::F32 => "F32",
                    Storage::U32 => "U32",
                    Storage::U16 => "U16",
                    Storage::U8 => "U8",
                });
                quote!(#runtime::Column::#kind(&self.columns.#name.as_slice()[..slots]))
            }
        };
        Some(quote!(#field => #value))
    });
    let (slots, is_alive) = match program.profile {
        Profile::Exact => (quote!(self.alive), quote!(slot < self.alive)),
        Profile::Parallel => (
            quote!(self.high),
            quote!(slot < self.high && self.flags.as_slice()[slot as usize] != 0),
        ),
    };
    let render = &program.render;
    let number = |value: f64| ops::float_literal(value, Precision::F64);
    let [blend_mode, billboard_mode, rendering_group_id] =
        [render.blend_mode, render.billboard_mode, render.rendering_group_id].map(number);
    let (is_billboard_based, is_local) = (render.is_billboard_based, render.is_local);
    let pivot = render.translation_pivot.map(number);
    let mask = render.texture_mask.map(number);
    let sheet = match render.sheet.map(|cell| cell.map(number)) {
        Some([width, height]) => quote!(::core::option::Option::Some([#width, #height])),
        None => quote!(::core::option::Option::None),
    };
    let picture = picture(context);
    let capacity = program.capacity;
    quote! {
        impl #runtime::ParticleState for Program {
            fn name(&self) -> &str { NAME }
            fn capacity(&self) -> u32 { #capacity }
            fn render(&self) -> #runtime::RenderFacts {
                #runtime::RenderFacts {
                    blend_mode: #blend_mode,
                    billboard_mode: #billboard_mode,
                    is_billboard_based: #is_billboard_based,
                    is_local: #is_local,
                    translation_pivot: [#(#pivot),*],
                    texture_mask: [#(#mask),*],
                    rendering_group_id: #rendering_group_id,
                    sheet: #sheet,
                }
            }
            #picture
            fn alive(&self) -> u32 { self.alive }
            fn slots(&self) -> u32 { #slots }
            fn is_alive(&self, slot: u32) -> bool { #is_alive }
            fn value(&self, slot: u32, field: #runtime::Field) -> ::core::option::Option<f64> {
                self.column(field)?.get(slot)
            }
            #[allow(unused_variables, reason = "every column may be a constant")]
            fn column(
                &self,
                field: #runtime::Field,
            ) -> ::core::option::Option<#runtime::Column<'_>> {
                let slots = self.slots() as usize;
                ::core::option::Option::Some(match field {
                    #(#arms,)*
                    _ => return ::core::option::Option::None,
                })
            }
        }
    }
}

/// The picture that is drawn, if the system has one.
fn picture(context: &Context<'_>) -> Option<TokenStream> {
    let runtime = context.runtime;
    let picture = context.program.render.picture.as_ref()?;
    let facts = module::texture_facts(context, "picture", &picture.url, picture.flip);
    Some(quote! {
        fn picture(&self) -> ::core::option::Option<#runtime::TextureFacts<'_>> {
            ::core::option::Option::Some(#facts)
        }
    })
}

/// The iterator over live particles, and its items.
pub(super) fn views(context: &Context<'_>) -> TokenStream {
    let runtime = context.runtime;
    let accessors = accessors(context);
    let new_slots = match context.program.profile {
        Profile::Exact => quote!(#runtime::storage::Slots::dense(self.alive)),
        Profile::Parallel => {
            quote!(#runtime::storage::Slots::sparse(&self.flags.as_slice()[..self.high as usize], self.alive))
        }
    };
    quote! {
        impl Program {
            /// The live particles, in slot order.
            fn views(&self) -> Particles<'_> {
                Particles { columns: &self.columns, slots: #new_slots }
            }
        }

        /// Iterates over the live particles, in slot order.
        #[derive(Clone, Debug)]
        pub struct Particles<'a> {
            columns: &'a Columns,
            slots: #runtime::storage::Slots<'a>,
        }

        impl<'a> ::core::iter::Iterator for Particles<'a> {
            type Item = Particle<'a>;

            fn next(&mut self) -> ::core::option::Option<Particle<'a>> {
                let slot = self.slots.next()?;
                ::core::option::Option::Some(Particle { columns: self.columns, slot })
            }

            fn size_hint(&self) -> (usize, ::core::option::Option<usize>) {
                self.slots.size_hint()
            }
        }

        impl ::core::iter::ExactSizeIterator for Particles<'_> {}

        /// A live particle.
        #[derive(Clone, Copy, Debug)]
        pub struct Particle<'a> {
            #[allow(dead_code, reason = "every field may be a constant")]
            columns: &'a Columns,
            slot: usize,
        }

        impl Particle<'_> {
            /// Where the particle is kept. It stays there for life in Parallel only.
            #[must_use]
            pub fn slot(&self) -> usize { self.slot }

            #(#accessors)*
        }
    }
}

/// The methods of a particle, for the fields that the program keeps.
fn accessors(context: &Context<'_>) -> Vec<TokenStream> {
    let accessors = ACCESSORS.iter().filter_map(|&(name, doc, fields)| {
        let columns: Vec<&Column> = fields
            .iter()
            .filter_map(|&field| context.program.field(field))
            .map(|handle| &context.program.columns[handle])
            .collect();
        // Without one of its components a vector says nothing true.
        if columns.len() < fields.len() {
            return None;
        }
        // All components of a vector are kept alike; if not, the widest type holds them all.
        let storage =
            columns.iter().map(|column| column.storage).max_by_key(|kept| kept.bytes())?;
        let element = ops::element(storage);
        let values: Vec<TokenStream> = fields
            .iter()
            .filter_map(|&field| context.program.field(field))
            .map(|handle| component(context, handle, storage))
            .collect();
        let name = ident(name);
        let (ty, value) = match values.as_slice() {
            [value] => (quote!(#element), value.clone()),
            values => {
                let length = values.len();
                (quote!([#element; #length]), quote!([#(#values),*]))
            }
        };
        Some(quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #name(&self) -> #ty { #value }
        })
    });
    accessors.collect()
}

fn component(context: &Context<'_>, handle: Handle<Column>, storage: Storage) -> TokenStream {
    let column = &context.program.columns[handle];
    let element = ops::element(storage);
    match column.constant {
        Some(constant) => match column.storage.stored(constant) {
            Const::Float(value) => {
                let precision = match storage {
                    Storage::F32 => Precision::F32,
                    Storage::F64 | Storage::U32 | Storage::U16 | Storage::U8 => Precision::F64,
                };
                ops::float_literal(value, precision)
            }
            Const::Uint(value) => {
                let literal = proc_macro2::Literal::u32_unsuffixed(value);
                quote!(#literal)
            }
            Const::Bool(value) => quote!(#value),
        },
        None => {
            let name = context.column(handle);
            let value = quote!(self.columns.#name.as_slice()[self.slot]);
            if column.storage == storage { value } else { quote!(#value as #element) }
        }
    }
}
