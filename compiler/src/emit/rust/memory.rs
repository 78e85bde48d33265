//! The methods that save a program's state and take it back.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, ident, inputs};
use crate::ir::types::{Profile, Storage, Type};

/// Registers first, then inputs, then columns, each in the order of the program, as the interpreter has them.
pub(super) fn methods(context: &Context<'_>) -> TokenStream {
    let (program, runtime) = (context.program, context.runtime);
    let fingerprint = program.fingerprint();
    let registers = program.registers.iter().zip(&context.registers);
    let registers: Vec<_> = registers
        .map(|((_, register), name)| {
            let kind = ident(match register.initial.ty() {
                Type::Float => "float",
                Type::Uint => "uint",
                Type::Bool => "bool",
            });
            (name, kind)
        })
        .collect();
    let columns: Vec<_> = context
        .stored_columns()
        .map(|(_, name, storage)| {
            let (variant, method) = match storage {
                Storage::F64 => ("F64", "f64"),
                Storage::F32 => ("F32", "f32"),
                Storage::U32 => ("U32", "u32"),
                Storage::U16 => ("U16", "u16"),
                Storage::U8 => ("U8", "u8"),
            };
            (name, ident(variant), ident(method))
        })
        .collect();
    let save_registers =
        registers.iter().map(|(name, kind)| quote!(saver.#kind(self.registers.#name);));
    let load_registers =
        registers.iter().map(|(name, kind)| quote!(self.registers.#name = loader.#kind();));
    let (save_inputs, load_inputs) = inputs::memory(context);
    let save_columns = columns.iter().map(|(name, variant, _)| {
        quote!(saver.column(&slots, #runtime::Column::#variant(self.columns.#name.as_slice()));)
    });
    let load_columns = columns
        .iter()
        .map(|(name, _, method)| quote!(loader.#method(self.columns.#name.as_mut_slice());));
    let (slots, flags) = match program.profile {
        Profile::Exact => (quote!(saver.dense(self.alive, self.next_id)), TokenStream::new()),
        Profile::Parallel => (
            quote! {
                saver.sparse(&self.flags.as_slice()[..self.high as usize], self.alive, self.next_id)
            },
            quote! {
                self.high = counts.slots;
                loader.flags(self.flags.as_mut_slice());
            },
        ),
    };
    quote! {
        fn fingerprint(&self) -> u64 { #fingerprint }
        fn save(&self, saver: &mut #runtime::memory::Saver<'_>) {
            #[allow(unused_variables, reason = "every column may be a constant")]
            let slots = #slots;
            #(#save_registers)*
            #save_inputs
            #(#save_columns)*
        }
        fn load(&mut self, loader: &mut #runtime::memory::Loader<'_>) {
            let counts = loader.counts();
            self.alive = counts.alive;
            self.next_id = counts.next_id;
            #flags
            #(#load_registers)*
            #load_inputs
            #(#load_columns)*
        }
    }
}
