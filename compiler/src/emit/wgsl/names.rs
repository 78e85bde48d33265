//! Every identifier of a WGSL module that comes from a user's words.

use std::collections::BTreeSet;

use naga::keywords::wgsl;

use crate::emit::layout::{Layout, Place};
use crate::ir::{Column, Function, Handle, Program, Uniform};

/// Identifiers that the printed text declares by itself.
const OWN: &[&str] = &[
    "Uniforms",
    "Control",
    "u",
    "control",
    "slots",
    "tables",
    "columns",
    "slot",
    "new_id",
    "dies",
    "update",
    "scan",
    "birth",
    "update_particle",
    "birth_particle",
    "alive_flags",
    "changed_flags",
    "sums",
    "existing",
    "read_table",
    "js_min",
    "js_max",
    "js_round",
    "js_rem",
    "to_uint",
    "CAPACITY",
    "CHUNKS",
    "COUNTS",
    "LIST",
    "NAN_BITS",
    "INFINITY_BITS",
];

/// The names of one program.
#[derive(Debug)]
pub(super) struct Names {
    columns: Vec<String>,
    functions: Vec<String>,
    uniforms: Vec<String>,
    params: Vec<Vec<String>>,
    several_buffers: bool,
}

impl Names {
    /// Names everything, in arena order.
    pub(super) fn new(program: &Program, layout: &Layout) -> Self {
        let mut taken = Taken::default();
        let columns = program
            .columns
            .iter()
            .map(|(_, column)| taken.unique(&identifier(&column.name).to_uppercase()))
            .collect();
        let functions: Vec<String> = program
            .functions
            .iter()
            .map(|(_, function)| taken.unique(&identifier(&function.name)))
            .collect();
        let mut members = Taken::default();
        members.member("births");
        members.member("zero");
        let uniforms = program
            .uniforms
            .iter()
            .map(|(_, uniform)| members.member(&identifier(&uniform.name)))
            .collect();
        let params = program
            .functions
            .iter()
            .map(|(_, function)| {
                let mut taken = taken.clone();
                let name = |(name, _): &(String, _)| taken.unique(&identifier(name));
                function.params.iter().map(name).collect()
            })
            .collect();
        let several_buffers = layout.column_buffers.len() > 1;
        Self { columns, functions, uniforms, params, several_buffers }
    }

    /// The constant that holds a column's first word.
    pub(super) fn column(&self, column: Handle<Column>) -> &str {
        self.columns.get(column.index()).map_or("?", String::as_str)
    }

    /// A function.
    pub(super) fn function(&self, function: Handle<Function>) -> &str {
        self.functions.get(function.index()).map_or("?", String::as_str)
    }

    /// A parameter of a function.
    pub(super) fn param(&self, function: Handle<Function>, index: u32) -> &str {
        let params = self.params.get(function.index());
        params.and_then(|params| params.get(index as usize)).map_or("?", String::as_str)
    }

    /// The member of the uniform block.
    pub(super) fn uniform(&self, uniform: Handle<Uniform>) -> &str {
        self.uniforms.get(uniform.index()).map_or("?", String::as_str)
    }

    /// A buffer of columns.
    pub(super) fn buffer(&self, buffer: u32) -> String {
        if self.several_buffers { format!("columns_{buffer}") } else { "columns".into() }
    }

    /// The word of a column that belongs to the particle in `slot`.
    pub(super) fn word(&self, column: Handle<Column>, place: Place) -> String {
        format!("{}[{} + slot]", self.buffer(place.buffer), self.column(column))
    }
}

/// Names that are in use.
#[derive(Clone, Debug, Default)]
struct Taken(BTreeSet<String>);

impl Taken {
    /// A name of its own among everything that is declared.
    fn unique(&mut self, wanted: &str) -> String {
        self.first(wanted, is_free)
    }

    /// A name of its own among the members of a structure, which hide nothing.
    fn member(&mut self, wanted: &str) -> String {
        self.first(wanted, |name| !wgsl::RESERVED.contains(&name))
    }

    fn first(&mut self, wanted: &str, is_free: impl Fn(&str) -> bool) -> String {
        let mut name = wanted.to_owned();
        let mut number = 1;
        while !is_free(&name) || !self.0.insert(name.clone()) {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        name
    }
}

/// Whether neither WGSL nor the printer uses the name. `v7`, `call7` and `columns_7` are numbered
/// by the printer.
fn is_free(name: &str) -> bool {
    let numbered = ["v", "call", "columns_"].iter().any(|prefix| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    });
    !numbered
        && !OWN.contains(&name)
        && !wgsl::RESERVED.contains(&name)
        && !wgsl::BUILTIN_IDENTIFIERS.contains(&name)
}

/// `lifeTime` becomes `life_time`, `position.x` `position_x`; letters outside ASCII fall away.
fn identifier(text: &str) -> String {
    let mut name = String::new();
    let mut after_lower = false;
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            if letter.is_ascii_uppercase() && after_lower {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
            after_lower = !letter.is_ascii_uppercase();
        } else {
            if !name.is_empty() && !name.ends_with('_') {
                name.push('_');
            }
            after_lower = false;
        }
    }
    let name = name.trim_end_matches('_');
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name.to_owned()
    } else {
        format!("n{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Taken, identifier};

    #[test]
    fn words_become_identifiers() {
        for (from, to) in [
            ("lifeTime", "life_time"),
            ("position.0", "position_0"),
            ("random.12.value0", "random_12_value0"),
            ("12 Random!", "n12_random"),
            ("ö", "n"),
            ("", "n"),
        ] {
            assert_eq!(identifier(from), to, "{from}");
        }
    }

    #[test]
    fn no_name_is_used_twice_or_reserved() {
        let mut taken = Taken::default();
        assert_eq!(taken.unique("age"), "age");
        assert_eq!(taken.unique("age"), "age_2");
        assert_eq!(taken.unique("age_2"), "age_2_2");
        assert_eq!(taken.unique("fn"), "fn_2");
        assert_eq!(taken.unique("floor"), "floor_2");
        assert_eq!(taken.unique("v7"), "v7_2");
        assert_eq!(taken.unique("slot"), "slot_2");
    }
}
