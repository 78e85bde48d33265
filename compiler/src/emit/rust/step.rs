//! The methods that run bodies one particle at a time: system bodies, and updates whose
//! order matters. Functions and tables, which all bodies share.

use proc_macro2::TokenStream;
use quote::quote;

use super::body::{Printer, tuple};
use super::uses::{Form, Uses};
use super::{Context, columns, inputs, ops};
use crate::ir::types::{Precision, Profile, Type};
use crate::ir::{Body, BodyKind, Function, Handle, Stmt, UniformSource};

/// How a step is printed.
pub(super) struct Bodies {
    /// The method of the runtime's trait.
    pub(super) advance: TokenStream,
    /// Methods that it calls.
    pub(super) methods: TokenStream,
    /// Items that these need.
    pub(super) items: TokenStream,
}

impl Bodies {
    /// The update first, births behind it.
    pub(super) fn apart(
        context: &Context<'_>,
        update: &TokenStream,
        birth: &TokenStream,
        items: TokenStream,
    ) -> Self {
        let runtime = context.runtime;
        let advance = quote! {
            fn advance<R: #runtime::Random + ?Sized, E: #runtime::threads::Executor>(
                &mut self,
                frame: &#runtime::Frame,
                births: u32,
                random: &mut R,
                _executor: &E,
            ) -> ::core::result::Result<(), #runtime::StepError> {
                self.update(frame, random)?;
                if births > 0 {
                    self.birth(frame, births, random)?;
                }
                ::core::result::Result::Ok(())
            }
        };
        Self { advance, methods: quote!(#update #birth), items }
    }
}

/// Binds a local for each uniform that a method uses, rounded to the precision of its body, and for
/// each picture.
pub(super) fn bind_uniforms(
    context: &Context<'_>,
    uses: &Uses,
    precision: Precision,
) -> TokenStream {
    let bindings = uses.uniforms.iter().map(|&uniform| {
        let name = &context.uniforms[uniform.index()];
        let source = context.program.uniforms[uniform].source;
        let value = match source {
            UniformSource::Delta => quote!(frame.delta),
            UniformSource::Time => quote!(frame.time),
            UniformSource::EmitterPosition(axis) => {
                let element = usize::from(axis) + 12;
                quote!(frame.emitter[#element])
            }
            UniformSource::EmitterMatrix(element) => {
                let element = usize::from(element);
                quote!(frame.emitter[#element])
            }
            UniformSource::Step => quote!(frame.step),
            UniformSource::Seed => quote!(frame.seed),
            UniformSource::Prepared(index) => {
                let index = index as usize;
                quote!(self.prepared[#index])
            }
            UniformSource::Input(input, component) => inputs::read(context, input, component),
            UniformSource::HasCamera => quote!(u32::from(frame.camera.is_some())),
            UniformSource::CameraPosition(axis) => camera("position", axis),
            UniformSource::View(element) => camera("view", element),
            UniformSource::ViewProjection(element) => camera("view_projection", element),
            UniformSource::TextureWidth(texture) => {
                let index = texture.index();
                quote!(f64::from(self.textures[#index].width()))
            }
            UniformSource::TextureHeight(texture) => {
                let index = texture.index();
                quote!(f64::from(self.textures[#index].height()))
            }
        };
        let is_float = source.ty() == Type::Float;
        if is_float && precision == Precision::F32 {
            quote!(let #name = #value as f32;)
        } else {
            quote!(let #name = #value;)
        }
    });
    let textures = uses.textures.iter().map(|&texture| {
        let (name, index) = (&context.textures[texture.index()], texture.index());
        quote!(let #name = &self.textures[#index];)
    });
    quote!(#(#bindings)* #(#textures)*)
}

/// A number of the camera; 0 without one.
fn camera(field: &str, index: u8) -> TokenStream {
    let (field, index) = (super::ident(field), usize::from(index));
    quote!(frame.camera.as_ref().map_or(0.0, |camera| camera.#field[#index]))
}

/// Binds what a scalar body uses.
pub(super) fn bind(context: &Context<'_>, uses: &Uses, precision: Precision) -> TokenStream {
    let uniforms = bind_uniforms(context, uses, precision);
    let columns = columns::bind(context, &uses.loaded, &uses.stored);
    let registers = uses.registers.then(|| quote!(let registers = &mut self.registers;));
    quote!(#uniforms #registers #columns)
}

/// Whether a method that uses these uniforms looks at its frame.
pub(super) fn reads_frame(context: &Context<'_>, uses: &Uses) -> bool {
    uses.uniforms.iter().any(|&uniform| match context.program.uniforms[uniform].source {
        UniformSource::Delta
        | UniformSource::Time
        | UniformSource::EmitterPosition(_)
        | UniformSource::EmitterMatrix(_)
        | UniformSource::Step
        | UniformSource::Seed
        | UniformSource::HasCamera
        | UniformSource::CameraPosition(_)
        | UniformSource::View(_)
        | UniformSource::ViewProjection(_) => true,
        UniformSource::Prepared(_)
        | UniformSource::Input(..)
        | UniformSource::TextureWidth(_)
        | UniformSource::TextureHeight(_) => false,
    })
}

/// A method with the parameters that bodies have. Parameters that it does not use are marked so.
pub(super) fn method(
    context: &Context<'_>,
    kind: BodyKind,
    result: &TokenStream,
    uses: &Uses,
    text: &TokenStream,
) -> TokenStream {
    let runtime = context.runtime;
    let name = super::ident(kind.name());
    let frame = super::ident(if reads_frame(context, uses) { "frame" } else { "_frame" });
    let random = super::ident(if uses.draws { "random" } else { "_random" });
    let count = (kind == BodyKind::Birth).then(|| quote!(count: u32,));
    let allow = uses.fails.then(
        || quote!(#[allow(unreachable_code, unused, reason = "the graph fails on every path")]),
    );
    quote! {
        #allow
        fn #name<R: #runtime::Random + ?Sized>(
            &mut self,
            #frame: &#runtime::Frame,
            #count
            #random: &mut R,
        ) -> ::core::result::Result<#result, #runtime::StepError> {
            #text
        }
    }
}

/// `init`, `prepare` or `emit_rate`.
pub(super) fn system_body(
    context: &Context<'_>,
    kind: BodyKind,
    body: Option<&Body>,
) -> TokenStream {
    let is_prepare = kind == BodyKind::Prepare;
    let result = if is_prepare { quote!(()) } else { quote!(::core::option::Option<f64>) };
    let Some(body) = body else {
        let nothing = if is_prepare { quote!(()) } else { quote!(::core::option::Option::None) };
        let text = quote!(::core::result::Result::Ok(#nothing));
        return method(context, kind, &result, &Uses::default(), &text);
    };
    let slot = quote!(0usize);
    let form = Form::branching(Precision::F64, &slot);
    let mut printer = Printer::new(context, body, form);
    let statements = printer.statements();
    // Behind a statement that always fails there are no results.
    let fails = body.block.iter().any(|statement| matches!(statement.kind, Stmt::Fail(_)));
    let results = if fails { &[][..] } else { &body.results };
    let results: Vec<TokenStream> = results.iter().map(|&value| printer.value(value)).collect();
    let uses = printer.uses;
    let bindings = bind(context, &uses, Precision::F64);
    let end = match results.as_slice() {
        _ if fails => TokenStream::new(),
        results if is_prepare => quote! {
            self.prepared = [#(#results),*];
            ::core::result::Result::Ok(())
        },
        [result, ..] => quote!(::core::result::Result::Ok(::core::option::Option::Some(#result))),
        [] => quote!(::core::result::Result::Ok(::core::option::Option::None)),
    };
    method(context, kind, &result, &uses, &quote!(#bindings #statements #end))
}

/// Updates particles in ascending slot order, removing the dead as it goes. The only order in which
/// draws and registers of Exact come out right.
pub(super) fn sequential_update(context: &Context<'_>) -> TokenStream {
    let slot = quote!(slot);
    let form = Form::branching(Precision::F64, &slot);
    let mut printer = Printer::new(context, &context.program.update, form);
    let statements = printer.statements();
    let mut uses = printer.uses;
    if uses.kills {
        uses.stored = columns::all(context);
    }
    let bindings = bind(context, &uses, Precision::F64);
    let step = if uses.kills {
        let move_last = columns::move_last(context);
        quote! {
            let mut dead = false;
            #statements
            if dead {
                alive -= 1;
                self.alive = alive as u32;
                if slot != alive && alive < SLOTS { #move_last }
            } else {
                slot += 1;
            }
        }
    } else {
        quote!(#statements slot += 1;)
    };
    let mutable = uses.kills.then(|| quote!(mut));
    let text = quote! {
        #bindings
        let mut slot = 0usize;
        let #mutable alive = self.alive as usize;
        // The second condition is always true; it lets the compiler drop bounds checks.
        while slot < alive && slot < SLOTS {
            #step
        }
        ::core::result::Result::Ok(())
    };
    method(context, BodyKind::Update, &quote!(()), &uses, &text)
}

/// The functions that bodies call, in each precision that a caller has.
pub(super) fn functions(context: &Context<'_>) -> TokenStream {
    let program = context.program;
    let [double, single] = [Precision::F64, Precision::F32].map(|precision| {
        let callees = program.callees(|kind| program.precision(kind) == precision);
        callees.into_iter().map(move |function| (function, precision))
    });
    let mut wanted: Vec<(Handle<Function>, Precision)> = double.chain(single).collect();
    // Stable: a function in both precisions has the wide one first.
    wanted.sort_by_key(|(function, _)| *function);
    let printed = wanted
        .into_iter()
        .map(|(function, precision)| self::function(context, function, precision));
    printed.collect()
}

fn function(context: &Context<'_>, handle: Handle<Function>, precision: Precision) -> TokenStream {
    let function = &context.program.functions[handle];
    let name = context.function(handle, precision);
    let slot = quote!(0usize);
    let form = Form::flat(precision, &slot);
    let mut printer = Printer::new(context, &function.body, form);
    let names = printer.name_params(function).to_vec();
    let statements = printer.statements();
    let values: Vec<TokenStream> =
        function.body.results.iter().map(|&value| printer.value(value)).collect();
    let result = tuple(&values);
    let types: Vec<TokenStream> = function
        .body
        .results
        .iter()
        .map(|&value| ops::scalar(function.body.values[value].ty, precision))
        .map(|ty| quote!(#ty))
        .collect();
    let types = tuple(&types);
    let params = names.iter().zip(&function.params).map(|(name, (_, ty))| {
        let ty = ops::scalar(*ty, precision);
        quote!(#name: #ty)
    });
    quote! {
        #[inline(always)]
        #[allow(dead_code, unused_variables, reason = "what nothing uses is not printed")]
        fn #name(#(#params),*) -> #types {
            #statements
            #result
        }
    }
}

/// The constant arrays, in each precision that the profile's bodies may have.
pub(super) fn tables(context: &Context<'_>) -> TokenStream {
    let precisions: &[Precision] = match context.program.profile {
        Profile::Exact => &[Precision::F64],
        Profile::Parallel => &[Precision::F64, Precision::F32],
    };
    let mut tokens = TokenStream::new();
    for (handle, table) in context.program.tables.iter() {
        for &precision in precisions {
            let name = context.table(handle, precision);
            let ty = ops::float(precision);
            let length = table.values.len();
            let values = table.values.iter().map(|&value| ops::float_literal(value, precision));
            tokens.extend(quote! {
                #[allow(dead_code, reason = "read in one precision only, perhaps")]
                static #name: [#ty; #length] = [#(#values),*];
            });
        }
    }
    tokens
}
