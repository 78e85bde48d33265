//! What is known of a program when it is compiled, as constants.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, Kernels};
use crate::ir::Origin;

/// The constants of a program's module. All but the last two are public.
pub(super) fn constants(context: &Context<'_>, slots: usize, has_flags: bool) -> TokenStream {
    let program = context.program;
    let capacity = program.capacity as usize;
    let columns: usize = context.stored_columns().map(|(_, _, kept)| kept.bytes()).sum();
    let bytes = columns + usize::from(has_flags);
    let blocks = program.origins.iter().map(|(_, origin): (_, &Origin)| origin.to_string());
    let count = program.origins.len();
    let title = &program.name;
    let kernels = context.kernels.map(|Kernels { wgsl, manifest }| {
        quote! {
            /// The kernels of the program, as one WGSL module.
            pub const WGSL: &str = #wgsl;
            /// What a host must know to run [`WGSL`], as JSON: bindings, sizes, offsets, dispatches.
            pub const MANIFEST: &str = #manifest;
        }
    });
    quote! {
        /// The largest number of particles that can live at once.
        pub const CAPACITY: usize = #capacity;
        /// Memory that a particle takes, in bytes; there is memory for all [`CAPACITY`] from the
        /// start.
        pub const BYTES_PER_PARTICLE: usize = #bytes;
        /// The blocks that this code comes from: id, name, class.
        pub const BLOCKS: [&str; #count] = [#(#blocks),*];
        #kernels
        /// Length of the columns.
        const SLOTS: usize = #slots;
        const NAME: &str = #title;
    }
}
