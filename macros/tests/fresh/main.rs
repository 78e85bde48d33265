//! Crates of users: made anew, with nothing but `pyrograph` to depend on.
#![expect(clippy::unwrap_used, reason = "a test may end at the first surprise")]

mod fresh;
#[path = "../../../compiler/tests/hostile/graph.rs"]
mod graph;
mod long;

use std::fs;
use std::path::Path;

use fresh::Fresh;

fn fixture(path: &str) -> String {
    let graphs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/graphs");
    fs::read_to_string(graphs.join(path)).unwrap()
}

/// Nothing of the generated code is a warning to anyone.
#[test]
fn strict_crates_are_content() {
    let source = r#"//! A strict crate.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

pyrograph::include_particle_graph!(
    /// Exact.
    pub mod exact = "fountain.json"
);
pyrograph::include_particle_graph!(pub mod parallel = "fountain.json", profile = parallel);
pyrograph::include_particle_graph!(pub mod several = "several.json", observe = state);
pyrograph::include_particle_graph!(mod private = "caches.json");
pyrograph::include_particle_graph!(mod long = "long.json", profile = parallel);

/// The largest numbers of particles.
pub const CAPACITIES: [usize; 3] =
    [exact::CAPACITY, several::system_0::CAPACITY, private::CAPACITY + long::CAPACITY];
"#;
    let several = fixture("lifecycle/two_systems.json");
    let fresh = Fresh::new("strict", "src/lib.rs", source)
        .with("fountain.json", &fixture("canonical/fountain.json"))
        .with("several.json", &several)
        .with("caches.json", &fixture("random/once_per_particle_shared.json"))
        .with("long.json", &long::graph(1000));
    fresh.cargo(&["clippy", "--quiet"]);
    fresh.cargo(&["build", "--quiet"]);
}

/// The first program of the book prints what the page says; `PYROGRAPH_BLESS=1` writes that anew.
#[test]
fn the_book_begins_with_a_program_that_runs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/start.md");
    let page = fs::read_to_string(&path).unwrap();
    let (_, rest) = page.split_once("```rust,ignore\n").unwrap();
    let (program, _) = rest.split_once("```\n").unwrap();
    let (before, rest) = page.split_once("`cargo run` prints\n\n```text\n").unwrap();
    let (said, after) = rest.split_once("```\n").unwrap();
    let fresh = Fresh::new("start", "src/main.rs", program)
        .with("fountain.json", &fixture("canonical/fountain.json"));
    let printed = fresh.cargo(&["run", "--quiet"]);
    if std::env::var_os("PYROGRAPH_BLESS").is_some_and(|value| value == "1") {
        let text = format!("{before}`cargo run` prints\n\n```text\n{printed}```\n{after}");
        fs::write(&path, text).unwrap();
    } else {
        assert_eq!(printed, said);
    }
}

/// Cargo compiles again what a change concerns, and nothing else.
#[test]
fn edits_are_seen() {
    let source = r#"
pyrograph::include_particle_graph!(mod flow = "graphs/flow.json");

fn main() {
    let system = flow::System::new();
    let bytes = system.textures()[0].bytes.map(<[u8]>::len);
    println!("{} {:?}", flow::CAPACITY, bytes);
}
"#;
    let text = fixture("update/flow_map.json");
    let start = text.find("data:image").unwrap();
    let end = start + text[start..].find('"').unwrap();
    let graph = text.replace(&text[start..end], "flow.png");
    let capacity = graph.find("\"capacity\":").unwrap() + "\"capacity\":".len();
    let digits = graph[capacity..].find(|next: char| !next.is_ascii_digit()).unwrap();
    let with_capacity =
        |number: u32| format!("{}{number}{}", &graph[..capacity], &graph[capacity + digits..]);
    let fresh = Fresh::new("edits", "src/main.rs", source)
        .with("graphs/flow.json", &with_capacity(50))
        .with("graphs/flow.png", "picture");
    assert_eq!(fresh.cargo(&["run", "--quiet"]), "50 Some(7)\n");
    let fresh = fresh.with("graphs/flow.json", &with_capacity(60));
    assert_eq!(fresh.cargo(&["run", "--quiet"]), "60 Some(7)\n");
    let fresh = fresh.with("graphs/flow.png", "a picture");
    assert_eq!(fresh.cargo(&["run", "--quiet"]), "60 Some(9)\n");
    let fresh = fresh.with("graphs/other.png", "another picture");
    let said = fresh.cargo(&["build", "--message-format", "json"]);
    assert!(said.contains("\"fresh\":true") && !said.contains("\"fresh\":false"), "{said}");
}

/// A file that is not there yet, or wrong, is looked at again.
#[test]
fn errors_go_away() {
    let source = r#"
pyrograph::include_particle_graph!(mod sparks = "sparks.json");

fn main() {
    println!("{}", sparks::CAPACITY);
}
"#;
    let graph = fixture("canonical/fountain.json");
    let fresh = Fresh::new("errors", "src/main.rs", source);
    assert!(fresh.refused(&["build"]).contains("cannot read sparks.json"));
    let fresh = fresh.with("sparks.json", "{");
    assert!(fresh.refused(&["build"]).contains("P003 sparks.json:1:2"));
    let fresh = fresh.with("sparks.json", &graph);
    assert_eq!(fresh.cargo(&["run", "--quiet"]), "200\n");
}

/// Kernels bring naga, which nobody else builds.
#[test]
fn kernels_want_their_feature() {
    let source = r#"
pyrograph::include_particle_graph!(
    mod fountain = "fountain.json", profile = parallel, wgsl = true
);

fn main() {
    println!("{} {}", fountain::WGSL, fountain::MANIFEST);
}
"#;
    let fresh = Fresh::new("kernels", "src/main.rs", source)
        .with("fountain.json", &fixture("canonical/fountain.json"));
    let said = fresh.refused(&["build", "--quiet"]);
    let wanted =
        "error: fountain.json: kernels need the feature `wgsl`: of `pyrograph` for the macro";
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error")).collect();
    assert!(matches!(errors[..], [first, _] if first.starts_with(wanted)), "{said}");
    let packages = fresh.cargo(&["tree", "--prefix", "none"]);
    assert!(packages.contains("pyrograph-compiler v") && !packages.contains("naga"), "{packages}");
}

/// What the command of `docs/rust.md` shows. Only the crate itself is optimized here, so that others
/// need not be compiled once more.
#[test]
#[cfg(target_arch = "x86_64")]
fn updates_are_vectorized() {
    for (profile, packed) in
        [("exact", ["mulpd", "addpd"].as_slice()), ("parallel", &["mulps", "addps"])]
    {
        let source = format!(
            r#"//! A scene.
pyrograph::include_particle_graph!(
    /// Scene 262.
    pub mod scene = "scene262.json", profile = {profile}
);

/// Steps the scene.
pub fn step(system: &mut scene::System, random: &mut pyrograph::Pcg) -> bool {{
    system.animate(1.0, random).is_ok()
}}
"#
        );
        let fresh = Fresh::new("packed", "src/lib.rs", &source)
            .with("scene262.json", &fixture("scenes/scene262.json"));
        let flags = ["-C", "opt-level=3", "-C", "codegen-units=1", "--emit", "asm=scene.s"];
        fresh.cargo(&[&["rustc", "--quiet", "--"], &flags[..]].concat());
        let text = fresh.read("scene.s");
        let mut found = Vec::new();
        let mut is_update = false;
        for line in text.lines() {
            if !line.starts_with(['\t', ' ', '.', '#']) && line.ends_with(':') {
                is_update = line.contains("integrate");
            }
            let operation = line.split_whitespace().next().unwrap_or_default();
            if is_update && packed.contains(&operation.trim_start_matches('v')) {
                found.push(operation);
            }
        }
        // Gravity and position: six products and six sums, in each of the instruction sets.
        assert!(found.len() >= 6, "{profile}: {found:?}");
        assert!(found.iter().any(|operation| operation.starts_with('v')), "{profile}: {found:?}");
    }
}
