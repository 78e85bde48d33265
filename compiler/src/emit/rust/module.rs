//! The modules of the output: one a program, and the set of all.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::step::Bodies;
use super::{
    Context, INTERFACE, RustOptions, api, births, columns, facts, ident, inputs, memory, ops,
    parallel, step, vector,
};
use crate::emit::names::Names;
use crate::ir::types::{Const, Precision, Profile};
use crate::ir::{BodyKind, Module, Program, Texture};

/// All items of the output.
pub(super) fn items(module: &Module, options: &RustOptions, has_comments: bool) -> TokenStream {
    let runtime = &options.runtime;
    let modules: Vec<Ident> = names(module).iter().map(|name| ident(name)).collect();
    let programs =
        module.programs.iter().zip(&modules).enumerate().map(|(ordinal, (program, name))| {
            let context = Context::new(program, options, ordinal, has_comments);
            self::program(&context, name, ordinal)
        });
    let only = match modules.as_slice() {
        [only] => {
            let kernels = (!options.kernels.is_empty()).then(|| quote!(MANIFEST, WGSL,));
            let has_inputs = module.programs.iter().any(|program| !program.inputs.is_empty());
            let inputs = has_inputs.then(|| quote!(Inputs,));
            Some(quote! {
                pub use #only::{
                    BLOCKS, BYTES_PER_PARTICLE, CAPACITY, #inputs #kernels Particle, Particles, Program,
                    System,
                };
            })
        }
        _ => None,
    };
    let set = set(module, &modules, runtime);
    let interface = INTERFACE;
    let handshake = quote!(const _: () = #runtime::interface::expect(#interface););
    quote!(#handshake #(#programs)* #only #set)
}

/// See [`module_names`](super::module_names).
pub(super) fn names(module: &Module) -> Vec<String> {
    // The names of what the set has besides, and of what stands beside it.
    let mut names = Names::new(&["animate", "new", "set", "start", "states", "stop", "with_seed"]);
    let systems = module.programs.iter().map(|program| {
        let name = if program.name.trim().is_empty() { "system" } else { &program.name };
        names.unique(name)
    });
    systems.collect()
}

/// The systems of the file, stepped together.
fn set(module: &Module, modules: &[Ident], runtime: &TokenStream) -> TokenStream {
    let count = modules.len();
    let fields = module.programs.iter().zip(modules).map(|(program, name)| {
        let doc = format!("The system {:?}.", program.name);
        quote!(#[doc = #doc] pub #name: #name::System)
    });
    let indices: Vec<usize> = (0..count).collect();
    let pairs = module.programs.iter().zip(modules);
    let warmed: Vec<&Ident> = pairs
        .filter(|(program, _)| program.emission.pre_warm_cycles > 0.0)
        .map(|(_, name)| name)
        .collect();
    let (seed, ratio, random) = if modules.is_empty() {
        (ident("_seed"), ident("_ratio"), ident("_random"))
    } else {
        (ident("seed"), ident("ratio"), ident("random"))
    };
    quote! {
        /// All systems of the file.
        #[derive(Clone, Debug)]
        pub struct Set { #(#fields,)* }

        impl Set {
            /// New systems with seed 0, not started.
            #[must_use]
            pub fn new() -> Self { Self::with_seed(0) }

            /// New systems, not started. The seed decides the random numbers of Parallel.
            #[must_use]
            pub fn with_seed(#seed: u64) -> Self {
                Self { #(#modules: #modules::System::with_seed(#seed),)* }
            }

            /// Starts all systems.
            pub fn start(&mut self) { #(self.#modules.start();)* }

            /// Stops the emission of all systems.
            pub fn stop(&mut self) { #(self.#modules.stop();)* }

            /// Steps all systems in file order, from one random source.
            ///
            /// # Errors
            /// That of the first system that fails; later ones were not stepped.
            pub fn animate<R: #runtime::Random + ?Sized>(
                &mut self,
                #ratio: f64,
                #random: &mut R,
            ) -> ::core::result::Result<(), #runtime::StepError> {
                #(self.#warmed.pre_warm(#random)?;)*
                #(self.#modules.animate(#ratio, #random)?;)*
                ::core::result::Result::Ok(())
            }

            /// The readable state of all systems, in file order.
            #[must_use]
            pub fn states(&self) -> [&dyn #runtime::ParticleState; #count] {
                [#(self.#modules.program()),*]
            }
        }

        impl #runtime::SystemSet for Set {
            fn animate<R: #runtime::Random + ?Sized>(
                &mut self,
                ratio: f64,
                random: &mut R,
            ) -> ::core::result::Result<(), #runtime::StepError> {
                Self::animate(self, ratio, random)
            }

            fn system(&self, index: usize) -> ::core::option::Option<&dyn #runtime::Controls> {
                match index {
                    #(#indices => ::core::option::Option::Some(&self.#modules),)*
                    _ => ::core::option::Option::None,
                }
            }

            fn system_mut(
                &mut self,
                index: usize,
            ) -> ::core::option::Option<&mut dyn #runtime::Controls> {
                match index {
                    #(#indices => ::core::option::Option::Some(&mut self.#modules),)*
                    _ => ::core::option::Option::None,
                }
            }
        }

        impl ::core::default::Default for Set {
            fn default() -> Self { Self::new() }
        }
    }
}

/// The module of one program.
fn program(context: &Context<'_>, name: &Ident, ordinal: usize) -> TokenStream {
    let (program, runtime) = (context.program, context.runtime);
    let title = &program.name;
    let doc = format!(
        "The particle system {title:?}, compiled for the {} profile.",
        program.profile.name()
    );
    let settled = match program.profile {
        Profile::Exact => vector::plan(program),
        Profile::Parallel => None,
    };
    let has_flags = match &settled {
        Some(settled) => vector::has_flags(context, settled),
        None => program.profile == Profile::Parallel,
    };
    let bodies = match (&settled, program.profile) {
        (_, Profile::Parallel) => parallel::bodies(context),
        (settled, Profile::Exact) => {
            let (update, update_items) = match settled {
                Some(settled) => vector::update(context, settled),
                None => (step::sequential_update(context), TokenStream::new()),
            };
            let (birth, birth_items) = births::birth(context);
            Bodies::apart(context, &update, &birth, quote!(#update_items #birth_items))
        }
    };
    let constants = facts::constants(context, columns::slots(context), has_flags);
    let structs = structs(context, has_flags);
    let inputs = inputs::items(context);
    let functions = step::functions(context);
    let tables = step::tables(context);
    let state = api::state(context);
    let views = api::views(context);
    let implementation = implementation(context, ordinal, &bodies);
    let items = &bodies.items;
    // Of all that was printed above.
    let parts = context.parts.take();
    quote! {
        #[doc = #doc]
        #[allow(
            unused_comparisons,
            invalid_nan_comparisons,
            clippy::all,
            clippy::pedantic,
            reason = "graphs compare what they like, and nobody edits this code"
        )]
        pub mod #name {
            #constants

            /// The particle system, with its driver.
            pub type System = #runtime::ParticleSystem<Program>;

            #structs
            #inputs
            #implementation
            #state
            #views
            #items
            #functions
            #(#parts)*
            #tables
        }
    }
}

/// The structs that hold all state, with their initial values.
fn structs(context: &Context<'_>, has_flags: bool) -> TokenStream {
    let (program, runtime) = (context.program, context.runtime);
    let columns = columns::declaration(context);
    let count = context.stored_columns().count();
    let mut fields = vec![quote!(columns: Columns)];
    let mut values = vec![quote!(columns: Columns::new())];
    let registers = registers(context);
    if registers.is_some() {
        fields.push(quote! {
            #[allow(dead_code, reason = "without optimization, registers may be unused")]
            registers: Registers
        });
        values.push(quote!(registers: INITIAL));
    }
    if !program.inputs.is_empty() {
        fields.push(quote!(inputs: Inputs));
        values.push(quote!(inputs: Inputs::new()));
    }
    if let Some(prepare) = &program.prepare {
        let length = prepare.results.len();
        fields.push(quote!(prepared: [f64; #length]));
        values.push(quote!(prepared: [0.0; #length]));
    }
    if !program.textures.is_empty() {
        let (length, empty) = (
            program.textures.len(),
            program.textures.iter().map(|_| quote!(#runtime::Texels::default())),
        );
        fields.push(quote!(textures: [#runtime::Texels; #length]));
        values.push(quote!(textures: [#(#empty),*]));
    }
    if has_flags {
        fields.push(quote!(flags: #runtime::storage::Array<u8, SLOTS>));
        values.push(quote!(flags: #runtime::storage::Array::new(#count)));
    }
    fields.push(quote!(alive: u32));
    values.push(quote!(alive: 0));
    if program.profile == Profile::Parallel {
        fields.push(quote!(high: u32));
        values.push(quote!(high: 0));
    }
    fields.push(quote!(next_id: u32));
    values.push(quote!(next_id: 0));
    let doc = "The bodies of the graph, and the state of all particles. `System` drives it.";
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug)]
        pub struct Program { #(#fields,)* }

        impl ::core::default::Default for Program {
            fn default() -> Self { Self { #(#values,)* } }
        }

        #columns
        #registers
    }
}

/// The struct that holds the registers, with their initial values.
fn registers(context: &Context<'_>) -> Option<TokenStream> {
    let registers = &context.program.registers;
    let names = &context.registers;
    let types = registers.iter().map(|(_, found)| ops::scalar(found.initial.ty(), Precision::F64));
    let initial = registers.iter().map(|(_, found)| ops::constant(found.initial, Precision::F64));
    (!registers.is_empty()).then(|| {
        quote! {
            #[derive(Clone, Copy, Debug)]
            #[allow(dead_code, reason = "a register may be written only")]
            struct Registers { #(#names: #types,)* }

            const INITIAL: Registers = Registers { #(#names: #initial,)* };
        }
    })
}

/// The implementation of the runtime's trait.
fn implementation(context: &Context<'_>, ordinal: usize, bodies: &Bodies) -> TokenStream {
    let (program, runtime): (&Program, _) = (context.program, context.runtime);
    let init = step::system_body(context, BodyKind::Init, program.init.as_ref());
    let prepare = step::system_body(context, BodyKind::Prepare, program.prepare.as_ref());
    let emit_rate = step::system_body(context, BodyKind::EmitRate, program.emit_rate.as_ref());
    let emission = &program.emission;
    let facts = [
        ("rate", emission.rate),
        ("update_speed", emission.update_speed),
        ("target_stop", emission.target_stop),
        ("manual_emit_count", emission.manual_emit_count),
        ("pre_warm_cycles", emission.pre_warm_cycles),
        ("pre_warm_step_offset", emission.pre_warm_step_offset),
        ("start_delay", emission.start_delay),
    ];
    let (do_no_start, dispose_on_stop) = (emission.do_no_start, emission.dispose_on_stop);
    let facts = facts.map(|(name, value)| {
        let (name, value) = (ident(name), ops::constant(Const::Float(value), Precision::F64));
        quote!(#name: #value)
    });
    let textures = (!program.textures.is_empty()).then(|| textures(context));
    let inputs = inputs::methods(context);
    let memory = memory::methods(context);
    let ordinal = u32::try_from(ordinal).unwrap_or(u32::MAX);
    let (profile, clear) = match program.profile {
        Profile::Exact => (quote!(Exact), TokenStream::new()),
        Profile::Parallel => {
            (quote!(Parallel), quote!(self.high = 0; self.flags.as_mut_slice().fill(0);))
        }
    };
    let Bodies { advance, methods, .. } = bodies;
    let methods = (!methods.is_empty()).then(|| quote!(impl Program { #methods }));
    quote! {
        #methods

        impl #runtime::ParticleProgram for Program {
            type Particles<'a> = Particles<'a>;

            fn ordinal(&self) -> u32 { #ordinal }
            fn profile(&self) -> #runtime::Profile { #runtime::Profile::#profile }
            fn emission(&self) -> #runtime::EmissionFacts {
                #runtime::EmissionFacts {
                    #(#facts,)*
                    do_no_start: #do_no_start,
                    dispose_on_stop: #dispose_on_stop,
                }
            }
            #init
            #prepare
            #emit_rate
            #advance
            #textures
            #inputs
            #memory
            fn particles(&self) -> Particles<'_> { self.views() }
            fn clear(&mut self) { self.alive = 0; #clear }
        }
    }
}

/// Where the host finds a picture.
pub(super) fn texture_facts(
    context: &Context<'_>,
    name: &str,
    url: &str,
    flip: bool,
) -> TokenStream {
    let runtime = context.runtime;
    let bytes = match context.files.get(url) {
        Some(path) => {
            quote!(::core::option::Option::Some(::core::include_bytes!(#path).as_slice()))
        }
        None => quote!(::core::option::Option::None),
    };
    quote!(#runtime::TextureFacts { name: #name, url: #url, flip: #flip, bytes: #bytes })
}

/// The pictures that the program reads, and the way for a host to give their pixels.
fn textures(context: &Context<'_>) -> TokenStream {
    let runtime = context.runtime;
    let facts = context.program.textures.iter().map(|(_, texture)| {
        let Texture { name, url, flip } = texture;
        texture_facts(context, name, url, *flip)
    });
    quote! {
        fn textures(&self) -> ::std::vec::Vec<#runtime::TextureFacts<'_>> {
            ::std::vec![#(#facts),*]
        }
        fn set_texture(&mut self, index: usize, texels: #runtime::Texels) {
            if let ::core::option::Option::Some(slot) = self.textures.get_mut(index) {
                *slot = texels;
            }
        }
    }
}
