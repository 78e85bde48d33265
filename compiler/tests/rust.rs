//! What generated Rust looks like, where it matters: only what a graph uses is there.
#![cfg(feature = "rust")]
#![expect(clippy::unwrap_used, reason = "a test may end at the first surprise")]

use std::fs;
use std::path::Path;

use pyrograph_compiler::emit::rust::{self, RustOptions, module_names};
use pyrograph_compiler::ir::{Module, Profile, parse, validate};
use pyrograph_compiler::passes::Observe;
use pyrograph_compiler::{Options, compile};

fn text(graph: &str, profile: Profile) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/graphs").join(graph);
    let options = Options { profile, observe: Observe::Render, ..Options::default() };
    let module = compile(&fs::read(path).unwrap(), &options).unwrap().module;
    rust::text(&module, &RustOptions::default()).unwrap()
}

/// The fields of a struct, in order.
fn fields(text: &str, name: &str) -> Vec<String> {
    let start = text.find(&format!("struct {name} {{")).unwrap();
    let body = &text[start..start + text[start..].find('}').unwrap()];
    let lines = body.lines().skip(1).filter_map(|line| line.split_once(':'));
    lines.map(|(name, _)| name.trim().to_owned()).collect()
}

#[test]
fn structs_have_what_the_graph_uses() {
    for (profile, driver) in [
        (Profile::Exact, &["columns", "flags", "alive", "next_id"][..]),
        (Profile::Parallel, &["columns", "flags", "alive", "high", "next_id"][..]),
    ] {
        let plain = text("update/position.json", profile);
        assert_eq!(fields(&plain, "Program"), driver);
        let columns = fields(&plain, "Columns");
        for word in ["cell", "sprite", "local", "random", "initial"] {
            assert!(!columns.iter().any(|name| name.contains(word)), "{word}: {columns:?}");
        }
        // The words are those of graphs that use such things.
        for (graph, word) in [
            ("sprite/random_start.json", "cell"),
            ("emitter/local_forces.json", "local"),
            ("random/once_per_particle_shared.json", "random"),
        ] {
            if word == "random" && profile == Profile::Parallel {
                // Random numbers between constants are hashed anew, not stored.
                continue;
            }
            let columns = fields(&text(graph, profile), "Columns");
            assert!(columns.iter().any(|name| name.contains(word)), "{word}: {columns:?}");
        }
    }
}

#[test]
fn every_column_is_read_or_written() {
    for graph in ["scenes/scene262.json", "canonical/fountain.json", "sprite/random_start.json"] {
        for profile in [Profile::Exact, Profile::Parallel] {
            let text = text(graph, profile);
            for name in fields(&text, "Columns") {
                assert!(text.contains(&format!("{name}[slot]")), "{graph}: {name} is not used");
            }
        }
    }
}

#[test]
fn sines_are_computed_in_lanes_unless_something_else_is_called() {
    let exact = |graph| text(graph, Profile::Exact);
    let sphere = exact("shape/sphere_defaults.json");
    assert!(sphere.contains("fn create_in_lanes(") && sphere.contains("fn create_by_library("));
    let sine = exact("extra/trigonometry_sin.json");
    assert!(sine.contains("lanes::sin(") && sine.contains("exact::sin("));
    for (graph, call) in
        [("shape/cylinder_defaults.json", "atan2"), ("extra/trigonometry_tan.json", "tan")]
    {
        let mixed = exact(graph);
        assert!(mixed.contains(&format!("exact::{call}(")), "{graph}");
        assert!(!mixed.contains("lanes"), "{graph}");
    }
    assert!(!text("shape/sphere_defaults.json", Profile::Parallel).contains("lanes"));
}

#[test]
fn births_of_exact_draw_a_batch_first_where_the_order_can_be_kept() {
    let in_batches = |graph| text(graph, Profile::Exact).contains("for slot in 0..born {");
    assert!(in_batches("canonical/fountain.json"));
    // A random value for the whole system: drawn by the first particle, in a branch on a register.
    assert!(in_batches("generated/base_018.json"));
    // One by one: with tables, or calls, nothing would be vectorized.
    for graph in ["shape/mesh_normals.json", "shape/cylinder_defaults.json"] {
        assert!(!in_batches(graph), "{graph}");
    }
}

#[test]
fn survivors_are_counted_ahead_unless_deaths_depend_on_what_was_stored() {
    // Threads that begin in the middle count survivors before anybody stores: an age that may have been
    // stored by then is not the one that decides.
    const GRAPH: &str = "
        program \"\" parallel capacity 9 {
          emission rate 10.0 speed 1.0 stop 0.0
          column age f32 is age
          column size f32 is size
          update {
            %0 = load size
            %1 = lt %0, 1.0
            if %1 {
              store STORED, 9.0
            } else {
            }
            %2 = load age
            %3 = lt 5.0, %2
            kill %3
          }
          birth {
            store age, 0.0
            store size, 0.0
          }
        }";
    let text = |stored: &str| {
        let module = validate(parse(&GRAPH.replace("STORED", stored)).unwrap()).unwrap();
        rust::text(&module, &RustOptions::default()).unwrap()
    };
    let foreseen = text("size");
    assert!(foreseen.contains("fn survive(") && !foreseen.contains("Option::None::<"));
    let unforeseen = text("age");
    assert!(!unforeseen.contains("fn survive(") && unforeseen.contains("Option::None::<"));
}

#[test]
fn systems_have_names_of_their_own() {
    let programs = ["Big Sparks", "", "Big Sparks", " ", "struct", "✨", "animate"].map(|name| {
        format!(
            "program {name:?} exact capacity 1 {{\n  emission rate 1.0 speed 1.0 stop 0.0\n  update \
             {{\n  }}\n  birth {{\n  }}\n}}\n"
        )
    });
    let module: Module = parse(&programs.concat()).unwrap();
    let module = validate(module).unwrap();
    assert_eq!(
        module_names(&module),
        ["big_sparks", "system", "big_sparks_2", "system_2", "struct_2", "unnamed", "animate_2"]
    );
    let text = rust::text(&module, &RustOptions::default()).unwrap();
    let names = module_names(&module).into_iter().map(|name| format!("pub {name}"));
    assert_eq!(fields(&text, "Set"), names.collect::<Vec<_>>());
}
