//! `docs/blocks.md` is the catalog.

use std::f64::consts::PI;
use std::fmt::Write;

use pyrograph_compiler::graph::catalog::describe::{
    Description, GROUPS, Group, PLUMBING, Unconnected,
};
use pyrograph_compiler::graph::catalog::{self, Role};

use crate::keep;

const HEAD: &str = "# Blocks

Every block class that graphs may have. This page is made of the compiler's catalog
(`compiler/src/graph/catalog/`); tests compare ports, fields and values of unconnected inputs with what the compiler
does. Sections and rows are those of the contract and of the [ledger](ledger.md); where Babylon.js does otherwise,
the contract holds ([differences.md](differences.md)).

An input takes its wire; without one its literal, which the editor writes; without both what stands under
\"Unconnected\". Numbers are JavaScript's. `draw()` is a new random number from 0 to below 1. `range(a, b)` is `a`
without a draw where the two are equal, else `a + draw() * (b - a)`. `int` cuts what is behind the point.
Names are the particle's; where an input has the same name, the particle's is `particle.…`.
Of classes that are not here the compiler says [G210 to G213](diagnostics.md#g210).
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    for group in GROUPS.iter().chain([&PLUMBING]) {
        page.push_str(&section(group));
    }
    page
}

fn section(group: &Group) -> String {
    let mut text = format!("\n## {}\n\n{}\n", group.heading, group.purpose);
    for class in group.classes {
        text.push_str(&entry(class));
    }
    text
}

fn entry(class: &Description) -> String {
    let mut text = format!("\n### {}\n\n{}\n", class.class, class.purpose);
    if !class.equation.is_empty() {
        write!(text, "\n```text\n{}\n```\n", class.equation.join("\n")).unwrap();
    }
    if !class.inputs.is_empty() {
        text.push_str("\n| Input | Carries | Unconnected |\n| :-- | :-- | :-- |\n");
        for (name, unconnected) in class.inputs {
            let carries = carries(class.class, name);
            writeln!(text, "| `{name}` | {carries} | {} |", fallback(unconnected)).unwrap();
        }
    }
    if !class.fields.is_empty() {
        text.push_str("\n| Field | Missing | What it says |\n| :-- | :-- | :-- |\n");
        for (names, missing, meaning) in class.fields {
            let names: Vec<String> = names.split(", ").map(|name| format!("`{name}`")).collect();
            writeln!(text, "| {} | {missing} | {meaning} |", names.join(", ")).unwrap();
        }
    }
    writeln!(text, "\nGives {}. Contract: {}.", outputs(class.class), class.contract).unwrap();
    for note in class.notes {
        write!(text, "\n{note}\n").unwrap();
    }
    if !class.babylon.is_empty() {
        text.push_str("\nIn Babylon.js:\n\n");
        for difference in class.babylon {
            writeln!(text, "- {difference}").unwrap();
        }
    }
    text
}

/// The role of an input; what plumbing carries, its consumer decides.
fn carries(class: &str, input: &str) -> String {
    match class {
        "ParticleDebugBlock" => Role::Value.to_string(),
        _ if catalog::ports(class).is_none() => "anything".to_owned(),
        _ => catalog::role(class, input).to_string(),
    }
}

fn outputs(class: &str) -> String {
    let Some(ports) = catalog::ports(class) else {
        let gives = if catalog::is_proxy(class) { "`output`" } else { "nothing by itself" };
        return gives.to_owned();
    };
    if ports.given.is_empty() {
        let role = if class == "SystemBlock" { Role::SystemFlow } else { Role::ParticleFlow };
        return format!("the {role}");
    }
    let outputs: Vec<String> = ports.given.iter().map(|output| format!("`{output}`")).collect();
    outputs.join(", ")
}

fn fallback(unconnected: &Unconnected) -> String {
    let number = |number: &f64| if *number == PI { "π".to_owned() } else { number.to_string() };
    match unconnected {
        Unconnected::Is([single]) => number(single),
        Unconnected::Is(numbers) => {
            format!("({})", numbers.iter().map(number).collect::<Vec<_>>().join(", "))
        }
        Unconnected::Idle => "the block does nothing".to_owned(),
        Unconnected::Fails => "the step fails".to_owned(),
        Unconnected::Means(words) => (*words).to_owned(),
    }
}

#[test]
fn the_reference_is_the_catalog() {
    keep("docs/blocks.md", &page());
}
