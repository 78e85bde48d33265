//! Every identifier of a WGSL module that comes from a user's words.

use crate::emit::layout::Layout;
use crate::emit::names::{Names as Scope, snake_case};
use crate::ir::{Function, Handle, Program, Uniform};

/// Variables and functions that the printed text declares by itself.
const OWN: &[&str] = &[
    "u",
    "control",
    "slots",
    "tables",
    "texels",
    "columns",
    "slot",
    "new_id",
    "dies",
    "update",
    "scan",
    "birth",
    "update_particle",
    "birth_particle",
    "dead_before",
    "living",
    "mark_births",
    "list_living",
    "slot_of_birth",
    "existing",
    "read_table",
    "read_texel",
    "js_min",
    "js_max",
    "js_round",
    "js_rem",
    "to_uint",
    "float_bits",
    "bits_float",
];

/// The names of one program.
#[derive(Debug)]
pub(super) struct Names {
    functions: Vec<String>,
    uniforms: Vec<String>,
    params: Vec<Vec<String>>,
    several_buffers: bool,
}

impl Names {
    /// Names everything, in arena order.
    pub(super) fn new(program: &Program, layout: &Layout) -> Self {
        let mut scope = Scope::new(&["births", "zero"]);
        let uniforms = program.uniforms.iter();
        let uniforms = uniforms.map(|(_, uniform)| scope.unique(&uniform.name)).collect();

        let mut scope = Scope::new(OWN);
        let functions = program.functions.iter();
        let functions = functions.map(|(_, function)| named(&mut scope, &function.name)).collect();
        let params = program.functions.iter().map(|(_, function)| {
            let mut scope = scope.clone();
            function.params.iter().map(|(name, _)| named(&mut scope, name)).collect()
        });
        let params = params.collect();
        let several_buffers = layout.column_buffers.len() > 1;
        Self { functions, uniforms, params, several_buffers }
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
}

/// A free name that is none of those which the printer numbers: `v7`, `call7`, `columns_7`,
/// `record7`.
fn named(scope: &mut Scope, wanted: &str) -> String {
    let name = snake_case(wanted);
    let is_numbered = ["v", "call", "columns_", "record"].iter().any(|prefix| {
        let number = name.strip_prefix(prefix);
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    });
    scope.unique(&if is_numbered { format!("its_{name}") } else { name })
}
