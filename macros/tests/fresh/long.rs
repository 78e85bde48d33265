//! Graphs so long that their bodies are cut into functions.

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options, compile};
use pyrograph::{Interpreted, ParticleSystem, Sine, state};

use super::fresh::Fresh;
use super::graph::Graph;

/// A graph of so many blocks: chains of values of all kinds, an update behind every nine.
pub(crate) fn graph(blocks: usize) -> String {
    let last = blocks + 1;
    let mut graph = Graph::new("\"capacity\":100", &format!("particle<{last}.output emitRate=60"));
    graph.create("emitPower=1");
    graph.block(
        "PointShapeBlock",
        3,
        "",
        "particle<2.output direction1=[-1,1,-1] direction2=[1,2,1]",
    );
    graph.contextual(4, 3);
    graph.block("BasicPositionUpdateBlock", 5, "", "particle<3.output");
    let (mut flow, mut value) = (5, 4);
    for (round, id) in (6..=blocks).enumerate() {
        let before = id - 1;
        let (class, fields, inputs) = match round % 10 {
            0 => {
                ("ParticleMathBlock", r#""operation":0"#, format!("left<{value}.output right=0.3"))
            }
            1 => ("ParticleTrigonometryBlock", r#""operation":1"#, format!("input<{value}.output")),
            2 => (
                "ParticleConditionBlock",
                r#""test":2"#,
                format!("left<{value}.output right=0.4 ifTrue<{value}.output ifFalse=0.7"),
            ),
            3 => ("ParticleLerpBlock", "", format!("left=0.1 right=2 gradient<{value}.output")),
            4 => (
                "ParticleMathBlock",
                r#""operation":2"#,
                format!("left<{value}.output right<4.output"),
            ),
            5 => (
                "ParticleClampBlock",
                r#""minimum":0,"maximum":1"#,
                format!("value<{value}.output"),
            ),
            // Its value is used by the next one, beside the chain.
            6 => ("ParticleRandomBlock", r#""lockMode":3"#, "min=0.1 max=0.9".to_owned()),
            7 => (
                "ParticleMathBlock",
                r#""operation":1"#,
                format!("left<{value}.output right<{before}.output"),
            ),
            8 => ("ParticleSmoothStepBlock", "", format!("value<{value}.output edge0=0 edge1=1")),
            _ => {
                let (class, port) =
                    [("UpdateSizeBlock", "size"), ("UpdateAngleBlock", "angle")][round / 10 % 2];
                graph.block(
                    class,
                    id,
                    "",
                    &format!("particle<{flow}.output {port}<{value}.output"),
                );
                flow = id;
                continue;
            }
        };
        graph.block(class, id, fields, &inputs);
        if round % 10 != 6 {
            value = id;
        }
    }
    graph.block(
        "UpdateSizeBlock",
        last,
        "",
        &format!("particle<{flow}.output size<{value}.output"),
    );
    String::from_utf8(graph.bytes()).unwrap()
}

/// A graph whose values are locked within each other, each a branch in a branch.
fn nested(depth: usize) -> String {
    let mut graph = Graph::flow(3);
    graph.create("");
    graph.block("UpdateSizeBlock", 3, "", "particle<2.output size<10.output");
    for id in 10..10 + depth {
        let min = format!("min<{}.output max=1", id + 1);
        graph.block("ParticleRandomBlock", id, r#""lockMode":1"#, &min);
    }
    graph.contextual(10 + depth, 3);
    String::from_utf8(graph.bytes()).unwrap()
}

/// Seconds that processors have worked for the processes that this one has started and that have ended,
/// where the system tells: in ticks, of which Linux has 100 a second.
fn processor_time() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / 100.0)
}

const STEPS: usize = 40;

/// The state that the interpreter comes to.
fn interpreted(graph: &str, profile: Profile) -> String {
    let module = compile(graph.as_bytes(), &Options::new(profile)).unwrap().module;
    let program = Interpreted::all(&Arc::new(module)).pop().unwrap();
    let mut system = ParticleSystem::from_program(program, 7);
    let mut random = Sine::new();
    system.start();
    for _ in 0..STEPS {
        system.animate(1.0, &mut random).unwrap();
    }
    state::Json(&[system.program()]).to_string()
}

/// A program that prints the same.
fn source(profile: &str) -> String {
    format!(
        r#"
pyrograph::include_particle_graph!(
    mod graph = "graph.json", profile = {profile}, observe = state
);

fn main() {{
    let mut random = pyrograph::Sine::new();
    let mut system = graph::System::with_seed(7);
    system.start();
    for _ in 0..{STEPS} {{
        system.animate(1.0, &mut random).unwrap();
    }}
    print!("{{}}", pyrograph::state::Json(&[system.program()]));
}}
"#
    )
}

/// Bodies that are cut compute what the interpreter does, and the compiler gets through them.
#[test]
fn long_graphs_compile() {
    for (name, graph) in
        [("131", graph(131)), ("500", graph(500)), ("2000", graph(2000)), ("nested", nested(400))]
    {
        for profile in [Profile::Exact, Profile::Parallel] {
            let word = profile.name();
            let fresh = Fresh::new("long", "src/main.rs", &source(word)).with("graph.json", &graph);
            let (start, before) = (Instant::now(), processor_time());
            fresh.cargo(&["build", "--quiet"]);
            let took = start.elapsed().as_secs_f64();
            let spent = processor_time().zip(before).map(|(after, before)| after - before);
            let spent =
                spent.map_or(String::new(), |spent| format!("{spent:.2} s of processor time, "));
            println!("{name} blocks, {word}: {spent}{took:.2} s");
            let found = fresh.cargo(&["run", "--quiet"]);
            assert!(found == interpreted(&graph, profile), "{name}, {word}");
        }
    }
}
