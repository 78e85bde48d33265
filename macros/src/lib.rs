//! The macro of Pyrograph. All work is done by the compiler library; here its arguments are read,
//! the file is found, and what the compiler says is attached to the file's name. Users name it through
//! the crate `pyrograph`.
//!
//! The feature `wgsl` brings the option of that name, and with it naga.

mod args;
mod expand;

use proc_macro::TokenStream;

/// Compiles a particle graph file into a module.
///
/// ```text
/// include_particle_graph!(pub mod sparks = "graphs/sparks.json");
/// include_particle_graph!(mod smoke = "graphs/smoke.json", profile = parallel, observe = state);
/// ```
///
/// The path is relative to the folder of the crate's `Cargo.toml`. A file that ends in `.ir` holds the
/// intermediate representation as text, with a profile of its own. With one system in the file the
/// module holds its `System`, `Program`, `Particles`, `Particle`; each system also has a module of
/// its own, named after it, and `Set` steps all of them.
///
/// - `profile`: `exact` (the default) computes Babylon's numbers, `parallel` is faster and the same
///   on a GPU.
/// - `observe`: `render` (the default) keeps what a renderer reads, `state` keeps ids, ages and
///   directions too.
/// - `inputs`: names of constants that stay open, as `["Gravity", "Wind"]`: of `ParticleInputBlock`s,
///   as they are in the file. The module then has a struct `Inputs`, and the host changes them with
///   `system.inputs_mut()`. None unless given.
/// - `simd`: `true` (the default) compiles loops for several instruction sets, to choose from at
///   run time; `false` builds faster.
/// - `wgsl`: `true` adds the constants `WGSL` and `MANIFEST` to the module of each system, for hosts
///   with GPU code of their own. Needs `profile = parallel` and the feature `wgsl` of `pyrograph`.
///
/// Attributes and visibility are those of the module.
///
/// # Errors
/// What is wrong with the file is reported at its name, all findings at once, together with a
/// module that has the usual names.
#[proc_macro]
pub fn include_particle_graph(input: TokenStream) -> TokenStream {
    let args = syn::parse_macro_input!(input as args::Args);
    expand::expand(&args).into()
}
