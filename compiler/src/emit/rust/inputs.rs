//! The struct of a program's inputs: constants of the graph that hosts may change.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{Context, ops};
use crate::ir::types::{Const, Precision};
use crate::ir::{Handle, Input};

/// A number of an input, as methods of the program read it.
pub(super) fn read(context: &Context<'_>, input: Handle<Input>, component: u8) -> TokenStream {
    let name = &context.inputs[input.index()];
    let component = usize::from(component);
    match context.program.inputs[input].initial.len() {
        1 => quote!(self.inputs.#name),
        _ => quote!(self.inputs.#name[#component]),
    }
}

/// The struct, with the way to it; nothing for a program without inputs.
pub(super) fn items(context: &Context<'_>) -> Option<TokenStream> {
    let (inputs, runtime) = (&context.program.inputs, context.runtime);
    if inputs.is_empty() {
        return None;
    }
    let fields = inputs.iter().zip(&context.inputs).map(|((_, input), name)| {
        let parts = match input.initial.len() {
            1 => "a number",
            2 => "x, y",
            3 => "x, y, z",
            _ => "red, green, blue, alpha",
        };
        let numbers: Vec<String> =
            input.initial.iter().map(|&number| Const::Float(number).to_string()).collect();
        let doc =
            format!(" `{:?}` of the graph: {parts}. At first {}.", input.block, numbers.join(", "));
        let ty = match input.initial.len() {
            1 => quote!(f64),
            length => {
                // People read this type.
                let length = Literal::usize_unsuffixed(length);
                quote!([f64; #length])
            }
        };
        quote!(#[doc = #doc] pub #name: #ty)
    });
    let initial = inputs.iter().zip(&context.inputs).map(|((_, input), name)| {
        let numbers: Vec<TokenStream> = input
            .initial
            .iter()
            .map(|&number| ops::constant(Const::Float(number), Precision::F64))
            .collect();
        match numbers.as_slice() {
            [number] => quote!(#name: #number),
            numbers => quote!(#name: [#(#numbers),*]),
        }
    });
    Some(quote! {
        /// Constants of the graph that hosts may change: `system.inputs_mut()`. A change counts from
        /// the next step on.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Inputs { #(#fields,)* }

        impl Inputs {
            /// The numbers that the graph has.
            #[must_use]
            pub const fn new() -> Self { Self { #(#initial,)* } }
        }

        impl ::core::default::Default for Inputs {
            fn default() -> Self { Self::new() }
        }

        impl #runtime::inputs::TypedInputs for Program {
            type Inputs = Inputs;

            fn typed_inputs(&self) -> &Inputs { &self.inputs }
            fn typed_inputs_mut(&mut self) -> &mut Inputs { &mut self.inputs }
        }
    })
}

/// The methods by which hosts find inputs that do not know their struct.
pub(super) fn methods(context: &Context<'_>) -> Option<TokenStream> {
    let (inputs, runtime) = (&context.program.inputs, context.runtime);
    if inputs.is_empty() {
        return None;
    }
    let facts = inputs.iter().map(|(handle, Input { name, block, initial })| {
        let index = handle.index();
        let initial = initial.iter().map(|&number| ops::float_literal(number, Precision::F64));
        quote! {
            #index => #runtime::InputFacts { name: #name, block: #block, initial: &[#(#initial),*] }
        }
    });
    let numbers = inputs.iter().zip(&context.inputs).map(|((handle, input), name)| {
        let index = handle.index();
        match input.initial.len() {
            1 => quote!(#index => ::core::slice::from_ref(&self.inputs.#name)),
            _ => quote!(#index => &self.inputs.#name),
        }
    });
    let set = inputs.iter().zip(&context.inputs).map(|((handle, input), name)| {
        let index = handle.index();
        match input.initial.len() {
            1 => quote!((#index, &[number]) => self.inputs.#name = number),
            length => quote! {
                (#index, numbers) if numbers.len() == #length => {
                    self.inputs.#name.copy_from_slice(numbers);
                }
            },
        }
    });
    Some(quote! {
        fn input(&self, index: usize) -> ::core::option::Option<#runtime::InputFacts<'_>> {
            ::core::option::Option::Some(match index {
                #(#facts,)*
                _ => return ::core::option::Option::None,
            })
        }
        fn input_numbers(&self, index: usize) -> &[f64] {
            match index {
                #(#numbers,)*
                _ => &[],
            }
        }
        fn set_input_numbers(&mut self, index: usize, numbers: &[f64]) {
            match (index, numbers) {
                #(#set,)*
                _ => {}
            }
        }
    })
}

/// What saves the numbers, and what takes them back.
pub(super) fn memory(context: &Context<'_>) -> (TokenStream, TokenStream) {
    let (mut save, mut load) = (TokenStream::new(), TokenStream::new());
    for (handle, input) in context.program.inputs.iter() {
        for component in 0..input.initial.len() as u8 {
            let number = read(context, handle, component);
            save.extend(quote!(saver.float(#number);));
            load.extend(quote!(#number = loader.float();));
        }
    }
    (save, load)
}
