//! Kernels of every fixture that has a Parallel form: naga takes them, and they hold nothing unused.

use crate::fixtures::{graphs, module};
use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::emit::wgsl::{Wgsl, emit};
use pyrograph_compiler::ir::Profile;

#[test]
fn every_fixture_has_valid_wgsl_without_anything_unused() {
    let (mut systems, mut names) = (0, 0);
    for (name, path) in graphs() {
        let Some(module) = module(&path, Profile::Parallel) else { continue };
        for index in 0..module.programs.len() {
            match emit(&module, index, &Limits::default()) {
                Ok(wgsl) => names += look_for_uses(&wgsl, &format!("{name}, system {index}")),
                Err(error) => panic!("{name}, system {index}: {error}"),
            }
            systems += 1;
        }
    }
    println!("{systems} systems, {names} names");
    assert!(systems > 400, "{systems} systems");
    assert!(names > 20 * systems, "{names} names");
}

/// Each function, column, buffer, constant and uniform of a text is used in it; gives how many there
/// are.
fn look_for_uses(wgsl: &Wgsl, place: &str) -> usize {
    let source = &wgsl.source;
    let code: Vec<&str> = source.lines().filter_map(|line| line.split("//").next()).collect();
    let code = code.join("\n");
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let words: Vec<&str> = code.split(|character| !is_name(character)).collect();
    let uniforms = between(&code, "struct Uniforms {", "}");
    let uniforms = uniforms.lines().filter_map(|line| line.split_once(':'));
    let members = uniforms.map(|(name, _)| name.trim());
    let declared = code.lines().filter_map(|line| {
        let starts = ["fn ", "const ", "var<private> ", "var<workgroup> ", "struct "];
        let start = starts.iter().find_map(|start| line.strip_prefix(start));
        let name = start.or_else(|| line.starts_with("@group").then(|| between(line, "> ", ":")));
        Some(name?.split(|character| !is_name(character)).next().unwrap_or_default())
    });
    let mut count = 0;
    for name in declared.chain(members) {
        let is_kernel = wgsl.manifest.step.iter().any(|step| step.entry_point == name);
        let found = words.iter().filter(|&&word| word == name).count();
        assert!(is_kernel || found > 1, "{place}: {name} is not used in\n{source}");
        count += 1;
    }
    count
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = text.split_once(start).map_or("", |(_, rest)| rest);
    rest.split_once(end).map_or("", |(found, _)| found)
}
