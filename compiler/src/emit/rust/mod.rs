//! Prints a module as Rust.
//!
//! # What comes out
//!
//! The items of one Rust module: for each program a `pub mod` with its `Program` (columns as named
//! arrays, registers, the bodies as methods), its `System` and its typed views; then a `Set` of all
//! systems. With one program its items are also re-exported at the top.
//!
//! - Every path is absolute; what is not in `core` comes from the runtime crate.
//! - One IR statement is one Rust statement. Values are named after the block that they come from.
//! - IR functions are `#[inline(always)]` functions, once for each precision that calls them.
//! - A column that is one constant is not stored. A step allocates nothing.
//! - A long body is cut into functions, so that the time to compile it grows with its length.
//! - Floats are printed so that they read back to the same bits.
//! - Exact's sines and cosines are computed many at once where a loop calls nothing else.
//! - Births of Exact draw the random numbers of a batch first, in their order. Those of Parallel are made piece by
//!   piece of the slots, behind the update of that piece.
//! - Loops over many particles are compiled for several instruction sets ([`RustOptions::simd`]).
//! - Code is free of `unsafe`, and of warnings in a crate that denies them.

mod api;
mod births;
mod body;
mod branch;
mod columns;
mod comments;
mod drawn;
mod early;
mod facts;
mod inputs;
mod lanes;
mod memory;
mod module;
mod ops;
mod parallel;
mod parts;
mod step;
mod strip;
mod threads;
mod uses;
mod vector;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::names::Names;
use crate::ir::types::{Precision, Storage};
use crate::ir::{
    Column, Function, Handle, Input, Module, Origin, Program, Register, Table, Valid, parse,
    validate,
};

/// Number of the interface between generated code and the runtime. Code that was generated for
/// another one does not compile, and says why.
pub const INTERFACE: u32 = 2;

/// What may differ between outputs.
#[derive(Clone, Debug)]
pub struct RustOptions {
    /// Path of the runtime crate.
    pub runtime: TokenStream,
    /// Whether loops are compiled for several instruction sets, to choose from at run time: faster
    /// where the build targets an old processor, at the price of longer builds.
    pub simd: bool,
    /// Files whose bytes become part of the code, by the addresses that the graph calls them by; see
    /// [`referenced_files`].
    pub files: BTreeMap<String, String>,
    /// Kernels that become constants of the code: none, or those of all programs in file order.
    pub kernels: Vec<Kernels>,
}

impl Default for RustOptions {
    fn default() -> Self {
        let runtime = quote!(::pyrograph);
        Self { runtime, simd: true, files: BTreeMap::new(), kernels: Vec::new() }
    }
}

/// The kernels of a program, as texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernels {
    /// All of them as one WGSL module.
    pub wgsl: String,
    /// The manifest, as JSON.
    pub manifest: String,
}

/// Prints all programs as the items of one Rust module.
pub fn emit(module: &Valid<Module>, options: &RustOptions) -> TokenStream {
    module::items(module, options, false)
}

/// The names of the modules that [`emit`] gives the systems, in file order; fields of `Set` have the
/// same.
///
/// The name of a system becomes a `snake_case` identifier: `Big Sparks` is `big_sparks`. An empty one
/// becomes `system`, one without letters and digits `unnamed`. Where a name is taken (by a system
/// before it, a keyword, a method of `Set`), `_2`, `_3` and so on is appended.
pub fn module_names(module: &Module) -> Vec<String> {
    module::names(module)
}

/// Addresses of pictures that are paths inside of the graph's folder. Nothing is read here: whoever
/// has the folder puts those that exist in [`RustOptions::files`], with the paths that the Rust
/// compiler finds them by.
pub fn referenced_files(module: &Module) -> BTreeSet<&str> {
    let urls = module.programs.iter().flat_map(|program| {
        let read = program.textures.iter().map(|(_, texture)| texture.url.as_str());
        read.chain(program.render.picture.iter().map(|picture| picture.url.as_str()))
    });
    let is_inside = |url: &&str| {
        let mut parts = Path::new(url).components();
        !url.is_empty()
            && !url.contains(':')
            && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    urls.filter(is_inside).collect()
}

/// What stands in for a file that does not compile: a system without particles that has every
/// accessor and these inputs, so that code which uses it does not drown in follow-up errors.
pub fn stub(options: &RustOptions, inputs: &[Input]) -> TokenStream {
    let module = parse(include_str!("stub.ir")).ok().and_then(|mut module| {
        for program in &mut module.programs {
            for input in inputs {
                program.inputs.push(input.clone());
            }
        }
        validate(module).ok()
    });
    module.map(|module| emit(&module, options)).unwrap_or_default()
}

/// The text of a source file: what [`emit`] prints, formatted, with a comment wherever statements of
/// another block begin.
///
/// # Errors
/// The tokens are no file, which is a fault of the emitter.
pub fn text(module: &Valid<Module>, options: &RustOptions) -> Result<String, syn::Error> {
    let tokens = module::items(module, options, true);
    Ok(comments::write(&prettyplease::unparse(&syn::parse2(tokens)?), module))
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// A program with the names of everything that its code shares.
struct Context<'a> {
    program: &'a Program,
    runtime: &'a TokenStream,
    simd: bool,
    files: &'a BTreeMap<String, String>,
    kernels: Option<&'a Kernels>,
    columns: Vec<Ident>,
    registers: Vec<Ident>,
    /// Fields of the struct of inputs.
    inputs: Vec<Ident>,
    uniforms: Vec<Ident>,
    tables: Vec<Ident>,
    textures: Vec<Ident>,
    functions: Vec<Ident>,
    /// Names that locals of bodies must not hide.
    scope: Names,
    /// Position of the program in its module, where comments are wanted.
    commented: Option<usize>,
    /// Functions that bodies were cut into.
    parts: RefCell<Vec<TokenStream>>,
}

impl<'a> Context<'a> {
    fn new(
        program: &'a Program,
        options: &'a RustOptions,
        ordinal: usize,
        has_comments: bool,
    ) -> Self {
        // What the printed methods call their own things.
        let mut scope = Names::new(&[
            "alive",
            "births",
            "born",
            "count",
            "counts",
            "dead",
            "error",
            "executor",
            "first",
            "first_id",
            "flags",
            "end",
            "frame",
            "high",
            "is_plain",
            "last",
            "left",
            "new_id",
            "odd",
            "part",
            "pending",
            "random",
            "range",
            "registers",
            "slot",
            "slots",
        ]);
        let mut name = |wanted: &str| ident(&scope.unique(wanted));
        let columns = program.columns.iter().map(|(_, column)| name(&column.name)).collect();
        let uniforms = program.uniforms.iter().map(|(_, uniform)| name(&uniform.name)).collect();
        let functions: Vec<Ident> =
            program.functions.iter().map(|(_, found)| name(&found.name)).collect();
        let textures = program.textures.iter().map(|(_, texture)| name(&texture.name)).collect();
        let tables = program.tables.iter().map(|(_, table)| name(&table.name)).collect();
        for function in &functions {
            for precision in [Precision::F64, Precision::F32] {
                scope.reserve(format!("{function}_{}", ops::float(precision)));
            }
        }
        // Registers and inputs are fields of structs of their own.
        let mut fields = Names::default();
        let registers = program
            .registers
            .iter()
            .map(|(_, register)| ident(&fields.unique(&register.name)))
            .collect();
        let mut fields = Names::default();
        let inputs =
            program.inputs.iter().map(|(_, input)| ident(&fields.unique(&input.name))).collect();
        let RustOptions { runtime, simd, files, kernels } = options;
        Self {
            program,
            runtime,
            simd: *simd,
            files,
            kernels: kernels.get(ordinal),
            columns,
            registers,
            inputs,
            uniforms,
            tables,
            textures,
            functions,
            scope,
            commented: has_comments.then_some(ordinal),
            parts: RefCell::default(),
        }
    }

    fn column(&self, column: Handle<Column>) -> &Ident {
        &self.columns[column.index()]
    }

    fn register(&self, register: Handle<Register>) -> &Ident {
        &self.registers[register.index()]
    }

    /// Name of a table's static, one for each precision.
    fn table(&self, table: Handle<Table>, precision: Precision) -> Ident {
        let name = &self.tables[table.index()];
        ident(&format!("{name}_{}", ops::float(precision)).to_uppercase())
    }

    /// Name of a function's Rust form, one for each precision.
    fn function(&self, function: Handle<Function>, precision: Precision) -> Ident {
        ident(&format!("{}_{}", self.functions[function.index()], ops::float(precision)))
    }

    /// The columns that are arrays.
    fn stored_columns(&self) -> impl Iterator<Item = (Handle<Column>, &Ident, Storage)> {
        let columns = self.program.columns.iter().zip(&self.columns);
        columns
            .filter(|((_, column), _)| column.constant.is_none())
            .map(|((handle, column), name)| (handle, name, column.storage))
    }

    /// The block of a statement in words, for errors.
    fn place(&self, origin: Option<Handle<Origin>>) -> String {
        let origin = origin.and_then(|origin| self.program.origins.get(origin));
        origin.map(Origin::to_string).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{RustOptions, stub};

    #[test]
    fn the_stub_has_every_accessor() {
        let text = stub(&RustOptions::default(), &[]).to_string();
        for accessor in ["id", "age", "life_time", "position", "direction", "color", "cell_index"] {
            assert!(text.contains(&format!("pub fn {accessor} (")), "{accessor}");
        }
    }
}
