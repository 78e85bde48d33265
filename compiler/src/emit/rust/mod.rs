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
//! - Floats are printed so that they read back to the same bits.
//! - Loops over many particles are compiled for several instruction sets ([`RustOptions::simd`]).
//! - Code is free of `unsafe`, and of warnings in a crate that denies them.

mod api;
mod births;
mod body;
mod branch;
mod columns;
mod memory;
mod module;
mod ops;
mod parallel;
mod step;
mod strip;
mod threads;
mod uses;
mod vector;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::names::Names;
use crate::ir::types::{Precision, Storage};
use crate::ir::{
    Column, Function, Handle, Module, Origin, Program, Register, Table, Valid, parse, validate,
};

/// What may differ between outputs.
#[derive(Clone, Debug)]
pub struct RustOptions {
    /// Path of the runtime crate.
    pub runtime: TokenStream,
    /// Whether loops are compiled for several instruction sets, to choose from at run time: faster
    /// where the build targets an old processor, at the price of longer builds.
    pub simd: bool,
}

impl Default for RustOptions {
    fn default() -> Self {
        Self { runtime: quote!(::pyrograph), simd: true }
    }
}

/// Prints all programs as the items of one Rust module.
pub fn emit(module: &Valid<Module>, options: &RustOptions) -> TokenStream {
    module::items(module, options)
}

/// What stands in for a file that does not compile: a system without particles that has every
/// accessor, so that code which uses it does not drown in follow-up errors.
pub fn stub(options: &RustOptions) -> TokenStream {
    let module = parse(include_str!("stub.ir")).ok().and_then(|module| validate(module).ok());
    module.map(|module| emit(&module, options)).unwrap_or_default()
}

/// Formats tokens as a source file.
///
/// # Errors
/// The tokens are no file, which is a fault of the emitter.
pub fn to_text(tokens: TokenStream) -> Result<String, syn::Error> {
    Ok(prettyplease::unparse(&syn::parse2(tokens)?))
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// A program with the names of everything that its code shares.
struct Context<'a> {
    program: &'a Program,
    runtime: &'a TokenStream,
    simd: bool,
    columns: Vec<Ident>,
    registers: Vec<Ident>,
    uniforms: Vec<Ident>,
    tables: Vec<Ident>,
    textures: Vec<Ident>,
    functions: Vec<Ident>,
    /// Names that locals of bodies must not hide.
    scope: Names,
}

impl<'a> Context<'a> {
    fn new(program: &'a Program, options: &'a RustOptions) -> Self {
        // What the printed methods call their own things.
        let mut scope = Names::new(&[
            "alive", "born", "count", "dead", "error", "executor", "first", "first_id", "flags",
            "frame", "high", "last", "left", "new_id", "part", "pending", "random", "slot", "slots",
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
        // Registers are fields of a struct of their own.
        let mut fields = Names::default();
        let registers = program
            .registers
            .iter()
            .map(|(_, register)| ident(&fields.unique(&register.name)))
            .collect();
        let RustOptions { runtime, simd } = options;
        Self {
            program,
            runtime,
            simd: *simd,
            columns,
            registers,
            uniforms,
            tables,
            textures,
            functions,
            scope,
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
        let text = stub(&RustOptions::default()).to_string();
        for accessor in ["id", "age", "life_time", "position", "direction", "color", "cell_index"] {
            assert!(text.contains(&format!("pub fn {accessor} (")), "{accessor}");
        }
    }
}
