//! From arguments to the module.

use std::path::Path;

use proc_macro2::TokenStream;
use pyrograph_compiler::build::existing_files;
use pyrograph_compiler::diagnostic::{Severity, render};
use pyrograph_compiler::emit::rust::{RustOptions, emit, stub};
use pyrograph_compiler::ir::{Module, Valid, parse, validate};
use pyrograph_compiler::{Options, compile};
use quote::quote;
use syn::LitStr;

use crate::args::Args;

/// The module; with errors and stand-ins inside where the file does not compile.
pub(crate) fn expand(args: &Args) -> TokenStream {
    let Args { attributes, visibility, name, path, .. } = args;
    let (watch, items) = contents(args);
    let doc = format!(" The particle systems of `{}`.", path.value());
    quote! {
        #[doc = #doc]
        #(#attributes)*
        #visibility mod #name {
            #watch
            #items
        }
    }
}

/// What makes cargo build again when the file changes, and the module's items.
fn contents(args: &Args) -> (TokenStream, TokenStream) {
    let rust = RustOptions { simd: args.simd, ..RustOptions::default() };
    let fail = |messages: Vec<String>| {
        let errors = messages.iter().map(|message| syn::Error::new(args.path.span(), message));
        let errors: TokenStream = errors.map(syn::Error::into_compile_error).collect();
        let stub = stub(&rust);
        quote!(#errors #stub)
    };
    if let Some(error) = &args.error {
        let (error, stub) = (error.to_compile_error(), stub(&rust));
        return (TokenStream::new(), quote!(#error #stub));
    }
    let name = args.path.value();
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let full = Path::new(&folder).join(&name);
    let bytes = match std::fs::read(&full) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = format!(
                "cannot read {name}: {error}; the path is relative to the folder of Cargo.toml"
            );
            return (TokenStream::new(), fail(vec![message]));
        }
    };
    let watch = full.to_str().map(|full| {
        let full = LitStr::new(full, args.path.span());
        quote!(
            const _: &[u8] = ::core::include_bytes!(#full);
        )
    });
    if name.ends_with(".ir") {
        let items = read_ir(&bytes).map(|module| emit(&module, &rust));
        return (watch.unwrap_or_default(), items.unwrap_or_else(|message| fail(vec![message])));
    }
    let options = Options { profile: args.profile, observe: args.observe, ..Options::default() };
    let items = match compile(&bytes, &options) {
        Ok(compiled) => {
            // The code includes their bytes, so that cargo looks at them, too.
            let base = full.parent().unwrap_or(Path::new(&folder));
            let files = existing_files(&compiled.module, base);
            emit(&compiled.module, &RustOptions { files, ..rust.clone() })
        }
        Err(diagnostics) => {
            let errors = diagnostics.iter().filter(|found| found.severity() == Severity::Error);
            let message = |found| {
                let line = render::line(found, &[&name]);
                format!("{line}\nhelp: {}", found.help_text())
            };
            fail(errors.map(message).collect())
        }
    };
    (watch.unwrap_or_default(), items)
}

/// A module from its text form, as tests write it.
fn read_ir(bytes: &[u8]) -> Result<Valid<Module>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let module = parse(text).map_err(|error| format!("line {}: {}", error.line, error.message))?;
    validate(module).map_err(|error| error.to_string())
}
