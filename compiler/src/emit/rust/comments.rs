//! Comments that name the block that statements come from.
//!
//! Tokens cannot hold comments: the place of one is marked by a statement that stands on a line of
//! its own, until the text is formatted.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Handle, Module, Origin};

const MARK: &str = "comment_on_block!(";

/// The place of a comment on an origin of the program at that position.
pub(super) fn mark(program: usize, origin: Handle<Origin>) -> TokenStream {
    let origin = origin.index();
    quote!(comment_on_block!(#program, #origin);)
}

/// Replaces the marks by comments.
pub(super) fn write(text: &str, module: &Module) -> String {
    let mut commented = String::with_capacity(text.len());
    for line in text.lines() {
        let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
        match rest.strip_prefix(MARK).and_then(|place| name(place, module)) {
            Some(name) => commented.extend([indent, "// ", &name, "\n"]),
            None => commented.extend([line, "\n"]),
        }
    }
    commented
}

/// The block of `2usize, 17usize);`.
fn name(place: &str, module: &Module) -> Option<String> {
    let (program, origin) = place.strip_suffix(");")?.split_once(", ")?;
    let number = |digits: &str| digits.trim_end_matches("usize").parse::<usize>().ok();
    let origins = &module.programs.get(number(program)?)?.origins;
    Some(origins.get(Handle::from_index(number(origin)?))?.to_string())
}
