//! From arguments to the module.

use std::path::Path;

use proc_macro2::TokenStream;
use pyrograph_compiler::build::embed;
use pyrograph_compiler::diagnostic::{Severity, render};
use pyrograph_compiler::emit::names::Names;
use pyrograph_compiler::emit::rust::{Kernels, RustOptions, emit, stub};
use pyrograph_compiler::ir::{Input, Module, Valid, parse, validate};
use pyrograph_compiler::{Options, compile, read_file};
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
    let fail = |messages: Vec<String>, bytes: &[u8]| {
        let errors = messages.iter().map(|message| syn::Error::new(args.path.span(), message));
        let errors: TokenStream = errors.map(syn::Error::into_compile_error).collect();
        let stub = stand_in(args, bytes, &rust);
        quote!(#errors #stub)
    };
    if let Some(error) = &args.error {
        let (error, stub) = (error.to_compile_error(), stand_in(args, &[], &rust));
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
            return (TokenStream::new(), fail(vec![message], &[]));
        }
    };
    let watch = full.to_str().map(|full| {
        let full = LitStr::new(full, args.path.span());
        quote!(
            const _: &[u8] = ::core::include_bytes!(#full);
        )
    });
    let base = full.parent().unwrap_or(Path::new(&folder));
    let items = module(args, &bytes).and_then(|module| {
        // Cargo looks at files that the code includes, too.
        let rust = embed(&module, base, &rust, args.wgsl);
        let rust = rust.map_err(|error| vec![format!("{name}: {error}")])?;
        Ok(emit(&module, &rust))
    });
    (watch.unwrap_or_default(), items.unwrap_or_else(|messages| fail(messages, &bytes)))
}

/// What the file says, or everything that is wrong with it.
fn module(args: &Args, bytes: &[u8]) -> Result<Valid<Module>, Vec<String>> {
    let name = args.path.value();
    if name.ends_with(".ir") {
        return read_ir(bytes).map_err(|message| vec![message]);
    }
    let options = Options {
        profile: args.profile,
        observe: args.observe,
        inputs: args.inputs.clone(),
        ..Options::default()
    };
    let compiled = compile(bytes, &options).map_err(|diagnostics| {
        let errors = diagnostics.iter().filter(|found| found.severity() == Severity::Error);
        let message = |found| {
            let line = render::line(found, &[&name]);
            format!("{line}\nhelp: {}", found.help_text())
        };
        errors.map(message).collect::<Vec<_>>()
    })?;
    Ok(compiled.module)
}

/// See [`stub`]; with the constants and inputs that the options promise.
fn stand_in(args: &Args, bytes: &[u8], rust: &RustOptions) -> TokenStream {
    let kernels = if args.wgsl { vec![Kernels::default()] } else { Vec::new() };
    stub(&RustOptions { kernels, ..rust.clone() }, &promised(args, bytes))
}

/// The inputs that were asked for: as the file has them, and numbers where it has none of the name.
fn promised(args: &Args, bytes: &[u8]) -> Vec<Input> {
    let graph = read_file(bytes).ok().map(|(graph, _)| graph);
    let mut names = Names::default();
    let inputs = args.inputs.iter().map(|block| {
        let literal = graph.as_ref().and_then(|graph| graph.constant(block));
        let initial = literal.map_or_else(|| vec![0.0], |literal| literal.numbers().to_vec());
        Input { name: names.unique(block), block: block.clone(), initial }
    });
    inputs.collect()
}

/// A module from its text form, as tests write it.
fn read_ir(bytes: &[u8]) -> Result<Valid<Module>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let module = parse(text).map_err(|error| format!("line {}: {}", error.line, error.message))?;
    validate(module).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Args, expand};

    fn text(options: &str) -> String {
        let path = "../fixtures/graphs/lifecycle/two_systems.json";
        let args = syn::parse_str::<Args>(&format!("mod sparks = {path:?}, {options}"));
        expand(&args.unwrap_or_else(|error| panic!("{error}"))).to_string()
    }

    #[test]
    fn kernels_are_constants() {
        let without = text("profile = parallel");
        assert!(!without.contains("WGSL") && !without.contains("compile_error"), "{without}");
        let with = text("profile = parallel, wgsl = true");
        let exact = text("wgsl = true");
        assert!(exact.contains("compile_error"), "{exact}");
        if cfg!(feature = "wgsl") {
            for name in ["WGSL", "MANIFEST"] {
                assert_eq!(with.matches(&format!("pub const {name} : & str")).count(), 2, "{name}");
            }
            assert!(with.contains("fn update(") && !with.contains("compile_error"), "{with}");
            assert!(exact.contains("compile it as parallel"), "{exact}");
        } else {
            assert!(with.contains("kernels need the feature `wgsl`"), "{with}");
        }
        // What stands in has them, so that code which uses them is no error.
        assert!(exact.contains("pub const WGSL : & str = \"\""), "{exact}");
    }
}
