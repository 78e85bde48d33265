//! The arguments of the macro.

use proc_macro2::TokenStream;
use pyrograph_compiler::ir::Profile;
use pyrograph_compiler::passes::Observe;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, LitBool, LitStr, Token, Visibility};

/// `#[…] pub mod name = "path", option = value, …`
pub(crate) struct Args {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) path: LitStr,
    pub(crate) profile: Profile,
    pub(crate) observe: Observe,
    /// Names of blocks.
    pub(crate) inputs: Vec<String>,
    pub(crate) simd: bool,
    pub(crate) wgsl: bool,
    /// What is wrong with the options.
    pub(crate) error: Option<syn::Error>,
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![mod]>()?;
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let path = input.parse()?;
        let mut args = Self {
            attributes,
            visibility,
            name,
            path,
            profile: Profile::Exact,
            observe: Observe::Render,
            inputs: Vec::new(),
            simd: true,
            wgsl: false,
            error: None,
        };
        if let Err(error) = args.parse_options(input) {
            // The rest may be anything.
            input.parse::<TokenStream>()?;
            args.error = Some(error);
        }
        Ok(args)
    }
}

impl Args {
    fn parse_options(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let option: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            match option.to_string().as_str() {
                "profile" => {
                    let choices = [("exact", Profile::Exact), ("parallel", Profile::Parallel)];
                    self.profile = choice(input, choices)?;
                }
                "observe" => {
                    self.observe =
                        choice(input, [("render", Observe::Render), ("state", Observe::State)])?;
                }
                "inputs" => self.inputs = texts(input)?,
                "simd" => self.simd = input.parse::<LitBool>()?.value,
                "wgsl" => self.wgsl = input.parse::<LitBool>()?.value,
                _ => {
                    let message = "there is no such option; try profile, observe, inputs, simd or \
                                   wgsl";
                    return Err(syn::Error::new(option.span(), message));
                }
            }
        }
        if input.is_empty() { Ok(()) } else { Err(input.error("expected `,` and an option")) }
    }
}

/// `["one", "two"]`
fn texts(input: ParseStream<'_>) -> syn::Result<Vec<String>> {
    let list;
    syn::bracketed!(list in input);
    let texts = list.parse_terminated(<LitStr as Parse>::parse, Token![,])?;
    Ok(texts.iter().map(LitStr::value).collect())
}

/// One of two words.
fn choice<T>(input: ParseStream<'_>, choices: [(&str, T); 2]) -> syn::Result<T> {
    let word: Ident = input.parse()?;
    let [(first, a), (second, b)] = choices;
    if word == first {
        Ok(a)
    } else if word == second {
        Ok(b)
    } else {
        let message = format!("expected `{first}` or `{second}`");
        Err(syn::Error::new(word.span(), message))
    }
}
