//! Every rule has a text that breaks it.

use crate::ir::{parse, validate};

/// A program around a body of each domain; items and statements come from the test.
fn program(profile: &str, items: &str, update: &str, birth: &str) -> String {
    format!(
        "program \"p\" {profile} capacity 1 {{
           column id u32 is id
           column size f32 is size
           column fixed f32 = 1.0
           table t = 1.0 2.0
           texture picture \"data:,\"
           uniform delta = delta
           site \"s\" 1
           {items}
           update {{ {update}
           }}
           birth {{
             store id, new_id
             store size, 0.0
             {birth}
           }}
         }}"
    )
}

/// What the validator says.
fn broken(text: &str) -> String {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    validate(module).expect_err(text).to_string()
}

#[test]
fn updates_and_births_keep_the_rules() {
    for (profile, update, birth, rule) in [
        ("exact", "\nstore size, 1u", "", "update: operand of the wrong type"),
        ("exact", "\nstore fixed, 2.0", "", "update: store to a constant column"),
        ("exact", "\n%0 = load fixed", "", "update: load of a constant column"),
        ("exact", "", "kill true", "birth: kill outside update"),
        ("exact", "\nstore id, new_id", "", "update: new_id outside birth"),
        ("exact", "\n%0 = texel picture, 0u, 0u, 4", "", "update: texel of an unknown channel"),
        ("exact", "\n%0 = add 1.0, 2u", "", "update: operand of the wrong type"),
        ("parallel", "\n%0 = draw 0", "", "update: draw outside a body of Exact"),
        ("parallel", "\n%0 = sin 1.0", "", "update: sin in a particle body of Parallel"),
        ("parallel", "", "%0 = atan2 1.0, 2.0", "birth: atan2 in a particle body of Parallel"),
    ] {
        let found = broken(&program(profile, "", update, birth));
        assert_eq!(found, format!("invalid IR in \"p\", {rule}"));
    }
}

#[test]
fn system_bodies_of_parallel_see_no_columns() {
    for (statement, rule) in [
        ("%0 = load size", "system body of Parallel loads a column"),
        ("store size, 0.0", "system body of Parallel stores a column"),
    ] {
        let items = format!("prepare {{\n{statement}\n}}");
        let found = broken(&program("parallel", &items, "", ""));
        assert_eq!(found, format!("invalid IR in \"p\", prepare: {rule}"));
    }
}

#[test]
fn inputs_have_one_to_four_numbers() {
    for numbers in ["", "1.0 2.0 3.0 4.0 5.0"] {
        let found = broken(&program("exact", &format!("input i \"I\" = {numbers}"), "", ""));
        assert!(found.ends_with("declarations: input i has not one to four numbers"), "{found}");
    }
    let twice = "input i \"I\" = 1.0\ninput j \"I\" = 1.0";
    assert!(validate(parse(&program("exact", twice, "", "")).unwrap()).is_ok());
    for source in ["input.0.1", "input.2.0"] {
        let items = format!("{twice}\nuniform u = {source}");
        let found = broken(&program("exact", &items, "\n%0 = add @u, 1.0", ""));
        assert_eq!(found, "invalid IR in \"p\", update: number of an input out of range");
    }
}

#[test]
fn functions_are_pure() {
    for (statement, rule) in [
        ("%0 = load size", "column access in a function"),
        ("store size, 0.0", "column access in a function"),
        ("%0 = texel picture, 0u, 0u, 0", "texel in a function"),
        ("%0 = draw 0", "draw outside a body of Exact"),
        ("%0 = add @delta, 1.0", "uniform in a function"),
        ("kill true", "kill outside update"),
        ("fail \"no\"", "fail in a function"),
    ] {
        let found = broken(&program("exact", &format!("function f() {{\n{statement}\n}}"), "", ""));
        assert_eq!(found, format!("invalid IR in \"p\", function f: {rule}"));
    }
}

/// Parallel expands them before: what a particle calls, through other functions too, has none.
#[test]
fn particles_of_parallel_call_nothing_transcendental() {
    let items = "function wave(x: float) {\n%0 = sin $x\nyield %0\n}
                 function twice(x: float) {\n%0 = call wave($x)\n%1 = add %0, %0\nyield %1\n}";
    let in_branch = "\nif true {\n%0 = call twice(1.0)\n}";
    let found = broken(&program("parallel", items, in_branch, ""));
    assert_eq!(found, "invalid IR in \"p\", function wave: sin in a particle body of Parallel");
    let prepared = format!("{items}\nprepare {{\n%0 = call twice(1.0)\nyield %0\n}}");
    let uncalled = program("parallel", &prepared, "", "");
    assert!(validate(parse(&uncalled).unwrap()).is_ok(), "system bodies may");
    assert!(validate(parse(&program("exact", items, in_branch, "")).unwrap()).is_ok());
}

#[test]
fn a_broken_rule_names_the_block() {
    let update = "\nfrom 17.0 \"Mix\" \"ParticleLerpBlock\":\nstore size, 1u";
    let found = broken(&program("exact", "", update, ""));
    assert!(found.ends_with("(from block 17 \"Mix\" (ParticleLerpBlock))"), "{found}");
}
