//! Long chains, deep nesting, wide graphs.

use super::graph::Graph;
use super::stages::answer;

const LONG: usize = 10_000;
/// For what costs more than its length, so that the whole file is tried within seconds.
const SHORT: usize = 1_000;

/// A particle's size that a chain of blocks computes: each has the next in its input `next`.
fn chain(class: &str, fields: &str, next: &str, others: &str, length: usize) -> Vec<u8> {
    let mut graph = Graph::flow(2);
    graph.create("size<10.output");
    for id in 10..10 + length {
        graph.block(class, id, fields, &format!("{next}<{}.output {others}", id + 1));
    }
    graph.contextual(10 + length, 3);
    graph.bytes()
}

#[test]
fn chains_of_values() {
    for (class, fields, next, others) in [
        ("ParticleMathBlock", r#""operation":0"#, "left", "right=1"),
        ("ParticleMathBlock", r#""operation":3"#, "right", "left=1"),
        ("ParticleLerpBlock", "", "left", "right=1 gradient=0.5"),
        ("ParticleLerpBlock", "", "gradient", "right=1 left=0.5"),
        ("ParticleNLerpBlock", "", "right", "left=1 gradient=0.5"),
        ("ParticleClampBlock", "", "value", ""),
        ("ParticleVectorLengthBlock", "", "input", ""),
        ("ParticleTrigonometryBlock", r#""operation":12"#, "input", ""),
        ("ParticleConditionBlock", r#""test":2"#, "left", "right=1"),
        ("ParticleRandomBlock", r#""lockMode":1"#, "min", "max=1"),
        ("ParticleRandomBlock", r#""lockMode":2"#, "min", "max=1"),
        ("ParticleRandomBlock", r#""lockMode":0"#, "min", "max=1"),
        ("ParticleRandomBlock", r#""lockMode":3"#, "min", "max=1"),
        ("ParticleElbowBlock", "", "input", ""),
        ("ParticleDebugBlock", "", "input", ""),
    ] {
        let name = format!("{class} {fields} {next}");
        let is_plumbing = matches!(class, "ParticleElbowBlock" | "ParticleDebugBlock");
        let is_named = matches!(
            (class, next),
            ("ParticleMathBlock" | "ParticleLerpBlock" | "ParticleConditionBlock", "left")
        );
        let length = if is_plumbing || is_named { LONG } else { SHORT };
        let answer = answer(&name, chain(class, fields, next, others, length));
        if class == "ParticleRandomBlock" {
            // A lock within a lock is a branch within a branch, of which there may be 500.
            assert!(answer.is_bounded(), "{name}: {answer:?}");
        } else {
            assert_eq!(answer.exact(), Ok(10), "{name}");
        }
    }
}

#[test]
fn chains_of_gradients_and_locals() {
    for (class, fields, inputs) in [
        ("ParticleLocalVariableBlock", r#""scope":0"#, "input<N.output"),
        ("ParticleLocalVariableBlock", r#""scope":1"#, "input<N.output"),
        ("ParticleGradientBlock", "", "gradient<N.output value0<3.output value1<4.output"),
        ("ParticleFloatToIntBlock", "", "input<N.output"),
    ] {
        let mut graph = Graph::flow(5);
        graph.create("");
        graph.block("UpdateAngleBlock", 5, "", "particle<2.output angle<10.output");
        for id in 10..10 + SHORT {
            let inputs = inputs.replace('N', &(id + 1).to_string());
            graph.block(class, id, fields, &inputs);
        }
        graph.contextual(10 + SHORT, 3);
        graph.block("ParticleGradientValueBlock", 3, r#""reference":0"#, "value=1");
        graph.block("ParticleGradientValueBlock", 4, r#""reference":1"#, "value=2");
        // A chain of loop-scope snapshots of a particle's value has no meaning in a system's body.
        let answer = answer(class, graph.bytes());
        assert!(answer.is_bounded(), "{class} {fields}: {answer:?}");
    }
}

#[test]
fn chains_of_branches() {
    for (depth, input) in [(99, "ifTrue"), (490, "ifTrue"), (490, "ifFalse"), (SHORT, "ifTrue")] {
        let mut graph = Graph::flow(5);
        graph.create("");
        graph.block("UpdateAngleBlock", 5, "", "particle<2.output angle<10.output");
        graph.contextual(6, 3);
        for id in 10..10 + depth {
            let inputs = format!("left<6.output right={id} {input}<{}.output", id + 1);
            graph.block("ParticleConditionBlock", id, r#""test":2"#, &inputs);
        }
        graph.block("ParticleRandomBlock", 10 + depth, r#""lockMode":0"#, "min=0 max=1");
        let answer = answer(&format!("{depth} branches"), graph.bytes());
        if depth > 500 {
            let text = answer.refusal();
            assert!(text.contains("more than 500 deep"), "{text}");
        } else {
            assert_eq!(answer.exact(), Ok(10), "{depth} {input}");
        }
    }
}

/// Each value is drawn where the one before it is, so that conditions of a system stand inside each other.
#[test]
fn chains_of_branches_in_the_rate() {
    let depth = 490;
    let mut graph = Graph::new("", "particle<2.output emitRate<10.output");
    graph.create("");
    for id in 10..10 + depth {
        let inputs = format!("min<{}.output max=60", id + 1);
        graph.block("ParticleRandomBlock", id, r#""lockMode":3"#, &inputs);
    }
    graph.block("ParticleRandomBlock", 10 + depth, r#""lockMode":3"#, "min=50 max=60");
    assert_eq!(answer("branches in the rate", graph.bytes()).exact(), Ok(10));
}

/// A branch that draws behind a chain of values: what can be known before the update is looked for
/// without recursion.
#[test]
fn a_branch_behind_a_chain() {
    let mut graph = Graph::flow(5);
    graph.create("");
    graph.block("UpdateAngleBlock", 5, "", "particle<2.output angle<7.output");
    graph.block(
        "ParticleConditionBlock",
        7,
        r#""test":2"#,
        "left<10.output right=1 ifTrue<8.output",
    );
    graph.block("ParticleRandomBlock", 8, r#""lockMode":0"#, "min=0 max=1");
    for id in 10..10 + LONG {
        graph.block("ParticleMathBlock", id, "", &format!("left<{}.output right=1", id + 1));
    }
    graph.contextual(10 + LONG, 4);
    assert_eq!(answer("a branch behind a chain", graph.bytes()).exact(), Ok(10));
}

#[test]
fn chains_of_flow() {
    for (class, input) in [
        ("UpdateAngleBlock", "angle"),
        ("UpdatePositionBlock", "position"),
        ("UpdateColorBlock", "color"),
        ("BasicPositionUpdateBlock", "x"),
        ("BasicColorUpdateBlock", "x"),
        ("UpdateAttractorBlock", "strength"),
        ("UpdateNoiseBlock", "strength"),
        ("SphereShapeBlock", "radius"),
        ("CylinderShapeBlock", "radius"),
        ("CreateParticleBlock", "size"),
        ("SetupSpriteSheetBlock", "x"),
    ] {
        let last = 10 + if class == "UpdateAngleBlock" { LONG } else { SHORT };
        let mut graph = Graph::flow(last);
        graph.create("");
        graph.block("ParticleRandomBlock", 3, r#""lockMode":0"#, "min=0 max=1");
        graph.block(class, 10, "", "particle<2.output");
        for id in 11..=last {
            graph.block(class, id, "", &format!("particle<{}.output {input}<3.output", id - 1));
        }
        let answer = answer(class, graph.bytes());
        assert!(answer.is_bounded(), "{class}: {answer:?}");
    }
}

#[test]
fn teleports() {
    let mut graph = Graph::flow(2);
    graph.create("size<10.output");
    for id in (10..10 + 2 * LONG).step_by(2) {
        graph.block("ParticleTeleportOutBlock", id, &format!("\"entryPoint\":{}", id + 1), "");
        graph.block("ParticleTeleportInBlock", id + 1, "", &format!("input<{}.output", id + 2));
    }
    graph.contextual(10 + 2 * LONG, 3);
    assert_eq!(answer("teleports", graph.bytes()).exact(), Ok(10));
}

#[test]
fn wide() {
    const COUNT: usize = 50_000;
    // Nothing uses them.
    let mut graph = Graph::flow(2);
    graph.create("");
    (10..COUNT).for_each(|id| graph.contextual(id, 3));
    assert_eq!(answer("unused", graph.bytes()).exact(), Ok(10));

    // A tree of sums over loads.
    let mut graph = Graph::flow(2);
    graph.create("size<10.output");
    for node in 0..LONG / 2 {
        let (left, right) = (10 + 2 * node + 1, 10 + 2 * node + 2);
        let inputs = format!("left<{left}.output right<{right}.output");
        graph.block("ParticleMathBlock", 10 + node, "", &inputs);
    }
    (10 + LONG / 2..=10 + LONG).for_each(|id| graph.contextual(id, 3));
    assert_eq!(answer("tree", graph.bytes()).exact(), Ok(10));
}

#[test]
fn ten_thousand_stops() {
    let mut graph = Graph::flow(5);
    graph.create("");
    graph.block("UpdateAgeBlock", 5, "", "particle<2.output age<7.output");
    graph.contextual(6, 3);
    let mut inputs = "gradient<6.output".to_owned();
    for stop in 0..LONG {
        let id = 20 + stop;
        inputs += &format!(" value{stop}<{id}.output");
        let reference = format!("\"reference\":{}", stop as f64 / 1000.0);
        graph.block("ParticleGradientValueBlock", id, &reference, "value<8.output");
    }
    graph.block("ParticleGradientBlock", 7, "", &inputs);
    graph.block("ParticleInputBlock", 8, r#""type":2,"value":1.5"#, "");
    let answer = answer("stops", graph.bytes());
    assert!(answer.is_bounded(), "{answer:?}");
}
