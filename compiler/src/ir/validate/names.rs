//! The text form names things, so names must be words, each of them once among its kind. Also what
//! must hold of declarations by themselves.

use crate::ir::program::Program;

/// Checks the names of a program; the error is the broken rule.
pub(super) fn check_names(program: &Program) -> Result<(), String> {
    check("column", program.columns.iter().map(|(_, item)| item.name.as_str()))?;
    check("register", program.registers.iter().map(|(_, item)| item.name.as_str()))?;
    check("input", program.inputs.iter().map(|(_, item)| item.name.as_str()))?;
    check("uniform", program.uniforms.iter().map(|(_, item)| item.name.as_str()))?;
    check("table", program.tables.iter().map(|(_, item)| item.name.as_str()))?;
    check("texture", program.textures.iter().map(|(_, item)| item.name.as_str()))?;
    check("function", program.functions.iter().map(|(_, item)| item.name.as_str()))?;
    for (_, function) in program.functions.iter() {
        check("parameter", function.params.iter().map(|(name, _)| name.as_str()))?;
    }
    match program.inputs.iter().find(|(_, input)| !(1..=4).contains(&input.initial.len())) {
        Some((_, input)) => Err(format!("input {} has not one to four numbers", input.name)),
        None => Ok(()),
    }
}

fn check<'a>(kind: &str, names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut names: Vec<&str> = names.collect();
    let ends_word = |char: char| char.is_whitespace() || ",(){}=:\"".contains(char);
    if let Some(name) = names.iter().find(|name| name.is_empty() || name.contains(ends_word)) {
        return Err(format!("name of a {kind} is no word: {name:?}"));
    }
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two {kind}s are named {}", pair[0])),
        None => Ok(()),
    }
}
