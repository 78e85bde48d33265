//! Where something is drawn, Parallel has the distribution of Exact: births of every kind, and
//! fixtures. Generators that are wrong in some way must be noticed.

use std::sync::Arc;

use crate::fixtures::{graphs, with_function};
use crate::graph::Graph;
use crate::moments::compare;
use crate::sampling::{Agreement, fixture, sample};
use pyrograph_compiler::ir::{
    BinaryOp, BodyBuilder, Function, Handle, Module, Profile, Type, Valid, ValueId,
};
use pyrograph_compiler::{Options, compile};
use serde_json::{Value, json};

/// Standard errors that a figure may deviate: of thousands of figures none does by chance.
pub(crate) const LIMIT: f64 = 6.0;

/// The module of a graph that a test writes.
pub(crate) fn written(graph: &Graph, profile: Profile) -> Arc<Valid<Module>> {
    Arc::new(compile(graph.text().as_bytes(), &Options::new(profile)).unwrap().module)
}

/// A graph whose births draw everything: 100 in the first step.
fn births(shape: &str, fields: Value, lock: u8) -> Graph {
    let mut graph = Graph::new();
    let life_time = graph.random(lock, 1.0.into(), 3.0.into());
    let size = graph.random(lock, 0.2.into(), 0.9.into());
    let angle = graph.random(lock, (-3.0).into(), 3.0.into());
    let power = graph.random(lock, 1.0.into(), 4.0.into());
    let black = graph.input(json!({"type": 128, "value": [0.0, 0.1, 0.2, 1.0]}));
    let white = graph.input(json!({"type": 128, "value": [1.0, 0.9, 0.8, 1.0]}));
    let color = graph.random(lock, black, white);
    graph.create(&[
        ("lifeTime", life_time),
        ("size", size),
        ("angle", angle),
        ("emitPower", power),
        ("color", color),
    ]);
    graph.shape(shape, fields);
    graph.rate(100.0 / 0.0167 + 1.0);
    graph.root(json!({"capacity": 100, "updateSpeed": 0.0167}));
    graph
}

#[test]
fn births_have_the_distribution_of_exact() {
    for (shape, fields, slack) in [
        ("BoxShapeBlock", json!({}), 0.005),
        // Few are born at the poles and at the rims.
        ("SphereShapeBlock", json!({}), 0.05),
        ("SphereShapeBlock", json!({"isHemispheric": true}), 0.05),
        ("ConeShapeBlock", json!({}), 0.05),
        ("CylinderShapeBlock", json!({}), 0.05),
    ] {
        // Each but the lock of the system, which gives one number an instance.
        let locks = if shape == "BoxShapeBlock" { vec![0, 1, 3] } else { vec![0] };
        for lock in locks {
            let graph = births(shape, fields.clone(), lock);
            let [exact, parallel] = [Profile::Exact, Profile::Parallel]
                .map(|profile| sample(&written(&graph, profile), 100, 1, &Value::Null).unwrap());
            assert_eq!((exact.particles(), parallel.particles()), (10_000, 10_000));
            let worst = compare(&exact, &parallel, LIMIT, slack);
            println!("{shape}, lock {lock}: {worst:?}");
            worst.unwrap();
        }
    }
}

#[test]
fn a_lock_of_the_system_gives_each_instance_its_number() {
    let graph = births("BoxShapeBlock", json!({}), 2);
    let [exact, parallel] = [Profile::Exact, Profile::Parallel]
        .map(|profile| sample(&written(&graph, profile), 400, 1, &Value::Null).unwrap());
    let worst = compare(&exact, &parallel, LIMIT, 0.05).unwrap();
    println!("box, lock 2: {worst:?}");
}

pub(crate) const UINT: [Type; 1] = [Type::Uint];

/// Writes 32 bits from scope and key, with the handle of `mix`.
type Write = fn(&mut BodyBuilder, [ValueId; 2], Handle<Function>) -> ValueId;

/// Parallel with generators that are wrong, each in its way.
pub(crate) fn wrong_generators(right: &Valid<Module>) -> Vec<(&'static str, Arc<Valid<Module>>)> {
    let range: Write = |body, [scope, key], mix| {
        let sum = body.binary(BinaryOp::IAdd, scope, key);
        let bits = body.call(mix, vec![sum], &UINT)[0];
        let [twenty, factor] = [20, 4_055 << 8].map(|number| body.uint(number));
        let upper = body.binary(BinaryOp::IShr, bits, twenty);
        body.binary(BinaryOp::IMul, upper, factor)
    };
    let sequence: Write = |body, [scope, key], _| {
        let factor = body.uint(0x9e37_79b9);
        let product = body.binary(BinaryOp::IMul, scope, factor);
        body.binary(BinaryOp::IAdd, product, key)
    };
    let wrong: [(&str, Write); 4] = [
        ("a range of 99 %", range),
        ("the same number at each site", |body, [scope, _], mix| {
            body.call(mix, vec![scope], &UINT)[0]
        }),
        ("the same number for each particle", |body, [_, key], mix| {
            body.call(mix, vec![key], &UINT)[0]
        }),
        ("a sequence instead of a hash", sequence),
    ];
    let with = |write: Write| {
        with_function(right, "draw_unit", |body, program| {
            let mix = program.functions.find(|function| function.name == "mix").unwrap();
            let operands = [0, 1].map(|index| body.param(index, Type::Uint));
            let bits = write(body, operands, mix);
            let eight = body.uint(8);
            body.binary(BinaryOp::IShr, bits, eight)
        })
    };
    wrong.map(|(name, write)| (name, with(write))).into()
}

#[test]
fn wrong_generators_are_noticed_in_births() {
    let graph = births("BoxShapeBlock", json!({}), 0);
    let exact = sample(&written(&graph, Profile::Exact), 100, 1, &Value::Null).unwrap();
    let compared = |module: &Arc<Valid<Module>>| {
        compare(&exact, &sample(module, 100, 1, &Value::Null).unwrap(), LIMIT, 0.005)
    };
    for (name, wrong) in wrong_generators(&written(&graph, Profile::Parallel)) {
        let found = compared(&wrong);
        println!("{name}: {found:?}");
        assert!(found.is_err(), "{name} passes");
    }
    for lock in [1, 2, 3] {
        // Births alone cannot tell locks 0, 1 and 3 apart.
        let graph = births("BoxShapeBlock", json!({}), lock);
        let found = compared(&written(&graph, Profile::Parallel));
        assert_eq!(found.is_err(), lock == 2, "lock {lock}: {found:?}");
    }
}

#[test]
fn some_fixtures_agree_in_distribution() {
    let (mut all, mut failures) = (Agreement::default(), Vec::new());
    for (name, path) in graphs().into_iter().step_by(8) {
        match fixture(&name, &path, 12, 12.0) {
            Ok(Some(found)) => all.add(&name, found),
            Ok(None) => {}
            Err(problem) => failures.push(problem),
        }
    }
    println!("{all:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(all.fixtures > 40 && all.particles > 5_000, "{all:?}");
}
