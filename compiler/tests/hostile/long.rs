//! Long chains, deep nesting, wide graphs.

use super::graph::Graph;
use super::stages::answer;

const LONG: usize = 10_000;

/// A particle's size that a chain of blocks computes: each has the next in its input `next`.
fn chain(class: &str, fields: &str, next: &str, others: &str) -> Vec<u8> {
    let mut graph = Graph::flow(2);
    graph.create("size<10.output");
    for id in 10..10 + LONG {
        graph.block(class, id, fields, &format!("{next}<{}.output {others}", id + 1));
    }
    graph.contextual(10 + LONG, 3);
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
        let result = answer(&name, chain(class, fields, next, others));
        println!("{name}: {:.300}", format!("{result:?}"));
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
        for id in 10..10 + LONG {
            let inputs = inputs.replace('N', &(id + 1).to_string());
            graph.block(class, id, fields, &inputs);
        }
        graph.contextual(10 + LONG, 3);
        graph.block("ParticleGradientValueBlock", 3, r#""reference":0"#, "value=1");
        graph.block("ParticleGradientValueBlock", 4, r#""reference":1"#, "value=2");
        let result = answer(class, graph.bytes());
        println!("{class} {fields}: {:.300}", format!("{result:?}"));
    }
}

#[test]
fn chains_of_branches() {
    for (depth, input) in [(490, "ifTrue"), (490, "ifFalse"), (LONG, "ifTrue")] {
        let mut graph = Graph::flow(5);
        graph.create("");
        graph.block("UpdateAngleBlock", 5, "", "particle<2.output angle<10.output");
        graph.contextual(6, 3);
        for id in 10..10 + depth {
            let inputs = format!("left<6.output right={id} {input}<{}.output", id + 1);
            graph.block("ParticleConditionBlock", id, r#""test":2"#, &inputs);
        }
        graph.block("ParticleRandomBlock", 10 + depth, r#""lockMode":0"#, "min=0 max=1");
        let result = answer(&format!("{depth} branches"), graph.bytes());
        println!("{depth} {input}: {:.300}", format!("{result:?}"));
    }
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
        let last = 10 + LONG;
        let mut graph = Graph::flow(last);
        graph.create("");
        graph.block("ParticleRandomBlock", 3, r#""lockMode":0"#, "min=0 max=1");
        graph.block(class, 10, "", "particle<2.output");
        for id in 11..=last {
            graph.block(class, id, "", &format!("particle<{}.output {input}<3.output", id - 1));
        }
        let result = answer(class, graph.bytes());
        println!("{class}: {:.300}", format!("{result:?}"));
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
    let result = answer("teleports", graph.bytes());
    println!("teleports: {:.300}", format!("{result:?}"));
}

#[test]
fn wide() {
    const COUNT: usize = 50_000;
    // Nothing uses them.
    let mut graph = Graph::flow(2);
    graph.create("");
    (10..COUNT).for_each(|id| graph.contextual(id, 3));
    println!("unused {:.300}", format!("{:?}", answer("unused", graph.bytes())));

    // A tree of sums over drawing leaves, and over loads.
    for leaf in ["ParticleRandomBlock", "ParticleInputBlock"] {
        let mut graph = Graph::flow(2);
        graph.create("size<10.output");
        for node in 0..COUNT / 2 {
            let (left, right) = (10 + 2 * node + 1, 10 + 2 * node + 2);
            let inputs = format!("left<{left}.output right<{right}.output");
            graph.block("ParticleMathBlock", 10 + node, "", &inputs);
        }
        for id in 10 + COUNT / 2..=10 + COUNT {
            let fields = format!("\"lockMode\":0,\"contextualValue\":{}", 1 + id % 8);
            graph.block(leaf, id, &fields, "min=0 max=1");
        }
        println!("tree {:.300}", format!("{:?}", answer("tree", graph.bytes())));
    }

    // Systems, empty ones and such that share a flow.
    let mut graph = Graph::flow(2);
    graph.create("");
    (10..4000).for_each(|id| graph.block("SystemBlock", id, "", ""));
    println!("systems {:.300}", format!("{:?}", answer("systems", graph.bytes())));

    let mut graph = Graph::flow(2);
    graph.create("");
    (10..3000).for_each(|id| graph.block("SystemBlock", id, "", "particle<2.output"));
    println!("systems {:.300}", format!("{:?}", answer("systems that share", graph.bytes())));
}

#[test]
fn stops() {
    for (name, class, fields) in [
        ("constant stops", "ParticleInputBlock", r#""type":2,"value":1.5"#),
        ("colours", "ParticleInputBlock", r#""type":128,"value":[1,2,3,4]"#),
        ("loads", "ParticleInputBlock", r#""contextualValue":3"#),
        ("draws", "ParticleRandomBlock", r#""lockMode":0"#),
        ("locked draws", "ParticleRandomBlock", r#""lockMode":1"#),
    ] {
        for shared in [true, false] {
            let mut graph = Graph::flow(5);
            graph.create("");
            graph.block("UpdateAgeBlock", 5, "", "particle<2.output age<7.output");
            graph.contextual(6, 3);
            let mut inputs = "gradient<6.output".to_owned();
            for stop in 0..LONG {
                let (id, from) = (20 + stop, if shared { 8 } else { 20 + LONG + stop });
                inputs += &format!(" value{stop}<{id}.output");
                let reference = format!("\"reference\":{}", stop as f64 / 1000.0);
                let value = format!("value<{from}.output");
                graph.block("ParticleGradientValueBlock", id, &reference, &value);
                if !shared {
                    graph.block(class, from, fields, "");
                }
            }
            graph.block("ParticleGradientBlock", 7, "", &inputs);
            graph.block(class, 8, fields, "");
            let result = answer(name, graph.bytes());
            println!("{name} {shared}: {:.300}", format!("{result:?}"));
        }
    }
}
