//! The one owner of identifiers in emitted code.
//!
//! Names of a file may be any text; what comes out is a `snake_case` identifier that is free in its
//! scope and reserved neither in Rust nor in WGSL, so that both outputs use the same names. Numbers
//! are appended per name, so that an edit elsewhere in a graph does not rename anything.

use std::collections::{BTreeMap, BTreeSet};

/// Names longer than this are cut: they come from authors.
const MAX_LENGTH: usize = 48;

/// The identifiers of a scope.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: BTreeSet<String>,
    /// The last number given to each name.
    numbers: BTreeMap<String, u32>,
}

impl Names {
    /// A scope in which these names are taken.
    pub fn new(reserved: &[&str]) -> Self {
        Self {
            taken: reserved.iter().map(|&name| name.to_owned()).collect(),
            numbers: BTreeMap::new(),
        }
    }

    /// A free identifier that resembles `wanted`: `name`, `name_2`, `name_3`, …
    pub fn unique(&mut self, wanted: &str) -> String {
        let base = snake_case(wanted);
        if !self.numbers.contains_key(&base) && self.take(&base) {
            self.numbers.insert(base.clone(), 1);
            return base;
        }
        loop {
            let number = self.numbers.entry(base.clone()).or_insert(1);
            *number += 1;
            let name = format!("{base}_{number}");
            if self.take(&name) {
                return name;
            }
        }
    }

    /// Keeps a name from being given.
    pub fn reserve(&mut self, name: impl Into<String>) {
        self.taken.insert(name.into());
    }

    fn take(&mut self, name: &str) -> bool {
        !is_reserved(name) && self.taken.insert(name.to_owned())
    }
}

/// `Update position` and `updatePosition` become `update_position`; what no identifier can hold
/// separates words; nothing left becomes `unnamed`.
pub fn snake_case(text: &str) -> String {
    let mut name = String::new();
    let mut after_lower = false;
    for character in text.chars() {
        if name.len() > MAX_LENGTH + 1 {
            // The rest is cut off anyway, and may be long.
            break;
        }
        if !character.is_ascii_alphanumeric() {
            after_lower = false;
            if !name.ends_with('_') {
                name.push('_');
            }
            continue;
        }
        if character.is_ascii_uppercase() && after_lower {
            name.push('_');
        }
        after_lower = !character.is_ascii_uppercase();
        name.push(character.to_ascii_lowercase());
    }
    let name = name.trim_matches('_');
    let name = name.get(..MAX_LENGTH).unwrap_or(name).trim_end_matches('_');
    match name.chars().next() {
        None => "unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{name}"),
        Some(_) => name.to_owned(),
    }
}

/// Whether Rust or WGSL has other plans for the identifier.
pub fn is_reserved(name: &str) -> bool {
    RUST.contains(&name) || WGSL.contains(&name)
}

/// Strict, reserved and weak keywords of Rust 2024.
const RUST: &[&str] = &[
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "raw", "ref", "return", "safe", "self", "static", "struct", "super", "trait", "true", "try",
    "type", "typeof", "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Keywords and reserved words of WGSL that a snake case name can be, and the predeclared types and
/// functions that emitted code uses.
const WGSL: &[&str] = &[
    // Keywords.
    "alias",
    "break",
    "case",
    "const",
    "const_assert",
    "continue",
    "continuing",
    "default",
    "diagnostic",
    "discard",
    "else",
    "enable",
    "false",
    "fn",
    "for",
    "if",
    "let",
    "loop",
    "override",
    "requires",
    "return",
    "struct",
    "switch",
    "true",
    "var",
    "while",
    // Reserved words.
    "active",
    "alignas",
    "alignof",
    "asm",
    "asm_fragment",
    "attribute",
    "auto",
    "become",
    "cast",
    "catch",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "coherent",
    "column_major",
    "common",
    "compile",
    "compile_fragment",
    "concept",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "crate",
    "debugger",
    "decltype",
    "delete",
    "demote",
    "demote_to_helper",
    "do",
    "dynamic_cast",
    "enum",
    "explicit",
    "export",
    "extends",
    "extern",
    "external",
    "fallthrough",
    "filter",
    "final",
    "finally",
    "friend",
    "from",
    "fxgroup",
    "get",
    "goto",
    "groupshared",
    "highp",
    "impl",
    "implements",
    "import",
    "inline",
    "instanceof",
    "interface",
    "layout",
    "lowp",
    "macro",
    "macro_rules",
    "match",
    "mediump",
    "meta",
    "mod",
    "module",
    "move",
    "mut",
    "mutable",
    "namespace",
    "new",
    "nil",
    "noexcept",
    "noinline",
    "nointerpolation",
    "non_coherent",
    "noncoherent",
    "noperspective",
    "null",
    "nullptr",
    "of",
    "operator",
    "package",
    "packoffset",
    "pass",
    "patch",
    "pixelfragment",
    "precise",
    "precision",
    "premerge",
    "priv",
    "protected",
    "pub",
    "public",
    "readonly",
    "ref",
    "regardless",
    "register",
    "reinterpret_cast",
    "require",
    "resource",
    "restrict",
    "self",
    "set",
    "shared",
    "sizeof",
    "smooth",
    "snorm",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "subroutine",
    "super",
    "target",
    "template",
    "this",
    "thread_local",
    "throw",
    "trait",
    "try",
    "type",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unless",
    "unorm",
    "unsafe",
    "unsized",
    "use",
    "using",
    "varying",
    "virtual",
    "volatile",
    "wgsl",
    "where",
    "with",
    "writeonly",
    "yield",
    // Types and functions.
    "abs",
    "array",
    "atomic",
    "bitcast",
    "bool",
    "ceil",
    "clamp",
    "f16",
    "f32",
    "floor",
    "fma",
    "i32",
    "max",
    "min",
    "round",
    "select",
    "sqrt",
    "trunc",
    "u32",
];

#[cfg(test)]
mod tests {
    use super::{Names, snake_case};

    #[test]
    fn any_text_becomes_an_identifier() {
        for (text, name) in [
            ("Update position", "update_position"),
            ("updatePosition", "update_position"),
            ("position.x", "position_x"),
            ("RGBToHSV", "rgbto_hsv"),
            ("12 drops", "n12_drops"),
            ("  --  ", "unnamed"),
            ("Größe", "gr_e"),
            ("_private__name_", "private_name"),
        ] {
            assert_eq!(snake_case(text), name, "{text}");
        }
        assert!(snake_case(&"long ".repeat(100)).len() <= 48);
    }

    #[test]
    fn names_are_free_and_numbered_per_name() {
        let mut names = Names::new(&["slot"]);
        let given: Vec<String> = ["Age", "age", "slot", "match", "get", "age 2", "Age"]
            .map(|wanted| names.unique(wanted))
            .into();
        assert_eq!(given, ["age", "age_2", "slot_2", "match_2", "get_2", "age_2_2", "age_3"]);
    }
}
