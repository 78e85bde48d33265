//! Where something is drawn, Parallel has the distribution of Exact: births of every kind, and what
//! updates add up under each lock. Generators that are wrong in some way must be noticed.

use std::sync::Arc;

use crate::fixtures::{graphs, with_function};
use crate::graph::Graph;
use crate::moments::{Sample, compare};
use crate::sampling::{Agreement, fixture, sample};
use pyrograph_compiler::ir::{
    BinaryOp, BodyBuilder, Function, Handle, Module, Profile, Type, Valid, ValueId,
};
use pyrograph_compiler::{Options, compile};
use serde_json::{Value, json};

/// Standard errors that a figure may deviate: of thousands of figures none does by chance.
const LIMIT: f64 = 6.0;

/// The module of a graph that a test writes.
fn written(graph: &Graph, profile: Profile) -> Arc<Valid<Module>> {
    Arc::new(compile(graph.text().as_bytes(), &Options::new(profile)).unwrap().module)
}

// --- Births -----------------------------------------------------------------------------------

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

const UINT: [Type; 1] = [Type::Uint];

/// Writes 32 bits from scope and key, with the handle of `mix`.
type Write = fn(&mut BodyBuilder, [ValueId; 2], Handle<Function>) -> ValueId;

#[test]
fn wrong_generators_are_noticed() {
    let graph = births("BoxShapeBlock", json!({}), 0);
    let exact = sample(&written(&graph, Profile::Exact), 100, 1, &Value::Null).unwrap();
    let parallel = written(&graph, Profile::Parallel);
    let notices = |what: &str, wrong: Arc<Valid<Module>>| {
        let found = compare(&exact, &sample(&wrong, 100, 1, &Value::Null).unwrap(), LIMIT, 0.005);
        println!("{what}: {found:?}");
        assert!(found.is_err(), "{what} passes");
    };
    let unit = |write: Write| {
        with_function(&parallel, "draw_unit", |body, program| {
            let mix = program.functions.find(|function| function.name == "mix").unwrap();
            let operands = [0, 1].map(|index| body.param(index, Type::Uint));
            let bits = write(body, operands, mix);
            let eight = body.uint(8);
            body.binary(BinaryOp::IShr, bits, eight)
        })
    };
    notices(
        "a range of 99 %",
        unit(|body, [scope, key], mix| {
            let sum = body.binary(BinaryOp::IAdd, scope, key);
            let bits = body.call(mix, vec![sum], &UINT)[0];
            let [twenty, factor] = [20, 4_055 << 8].map(|number| body.uint(number));
            let upper = body.binary(BinaryOp::IShr, bits, twenty);
            body.binary(BinaryOp::IMul, upper, factor)
        }),
    );
    notices(
        "the same number at each site",
        unit(|body, [scope, _], mix| body.call(mix, vec![scope], &UINT)[0]),
    );
    notices(
        "the same number for each particle",
        unit(|body, [_, key], mix| body.call(mix, vec![key], &UINT)[0]),
    );
    notices(
        "a sequence instead of a hash",
        unit(|body, [scope, key], _| {
            let factor = body.uint(0x9e37_79b9);
            let product = body.binary(BinaryOp::IMul, scope, factor);
            body.binary(BinaryOp::IAdd, product, key)
        }),
    );
    for lock in [1, 2, 3] {
        // Births alone cannot tell locks 0, 1 and 3 apart.
        let wrong = written(&births("BoxShapeBlock", json!({}), lock), Profile::Parallel);
        let found = compare(&exact, &sample(&wrong, 100, 1, &Value::Null).unwrap(), LIMIT, 0.005);
        assert_eq!(found.is_err(), lock == 2, "lock {lock}: {found:?}");
    }
}

// --- Updates ----------------------------------------------------------------------------------

/// `direction += Random(-1, 1)` for five particles that are born in the first step.
fn walk(lock: u8) -> Graph {
    let mut graph = Graph::new();
    graph.create(&[("lifeTime", 1e6.into()), ("emitPower", 0.0.into())]);
    graph.shape("PointShapeBlock", json!({}));
    let low = graph.input(json!({"type": 8, "value": [-1, -1, -1]}));
    let high = graph.input(json!({"type": 8, "value": [1, 1, 1]}));
    let step = graph.random(lock, low, high);
    let direction = graph.input(json!({"contextualValue": 2}));
    let sum = graph.math(0, direction, step);
    graph.update("UpdateDirectionBlock", "direction", sum);
    graph.rate(5.0 / 0.0167 + 1.0);
    graph.root(json!({"capacity": 5, "updateSpeed": 0.0167}));
    graph
}

const WALKS: u32 = 200;

fn walked(module: &Arc<Valid<Module>>, steps: u64) -> Sample {
    sample(module, WALKS, steps, &Value::Null).unwrap()
}

#[test]
fn what_updates_add_up_grows_alike_under_every_lock() {
    let mut growths = Vec::new();
    for lock in 0..=3 {
        let [exact, parallel] = [Profile::Exact, Profile::Parallel].map(|profile| {
            let module = written(&walk(lock), profile);
            [50, 200].map(|steps| walked(&module, steps))
        });
        for (exact, parallel) in exact.iter().zip(&parallel) {
            let worst = compare(exact, parallel, LIMIT, f64::INFINITY);
            println!("lock {lock}: {worst:?}");
            worst.unwrap();
        }
        // Born in the first step, they have been moved one time less.
        let growth = [exact, parallel].map(|[early, late]| late.variance(5) / early.variance(5));
        println!("lock {lock}: the variance grows by {growth:?} from step 50 to step 200");
        growths.push(growth);
    }
    // Steps of their own add up like their number, one that is kept like its square.
    for (growth, expected) in growths.iter().zip([4.06, 4.06, 16.5, 16.5]) {
        assert!(growth.iter().all(|growth| (growth / expected - 1.0).abs() < 0.15), "{growths:?}");
    }
}

#[test]
fn a_lock_that_redraws_too_often_or_too_seldom_is_noticed() {
    let walks =
        |lock| [Profile::Exact, Profile::Parallel].map(|p| walked(&written(&walk(lock), p), 20));
    let all: Vec<[Sample; 2]> = (0..=3).map(walks).collect();
    for (lock, [exact, _]) in all.iter().enumerate() {
        for (other, [_, parallel]) in all.iter().enumerate() {
            let found = compare(exact, parallel, LIMIT, f64::INFINITY);
            // Without a lock, or one number a particle and step: the same, read once a step.
            let same = lock == other || (lock < 2 && other < 2);
            assert_eq!(found.is_ok(), same, "{lock} as {other}: {found:?}");
        }
    }
    // A key without the step.
    let parallel = written(&walk(0), Profile::Parallel);
    let stuck = with_function(&parallel, "draw_key", |body, program| {
        let mix = program.functions.find(|function| function.name == "mix").unwrap();
        let [site, seed] = [0, 2].map(|index| body.param(index, Type::Uint));
        let site = body.call(mix, vec![site], &UINT)[0];
        let sum = body.binary(BinaryOp::IAdd, site, seed);
        body.call(mix, vec![sum], &UINT)[0]
    });
    assert!(compare(&all[0][0], &walked(&stuck, 20), LIMIT, f64::INFINITY).is_err());
}

/// A particle's number in its birth says nothing about those of its updates.
#[test]
fn births_and_updates_draw_apart() {
    let mut graph = Graph::new();
    let size = graph.random(0, 0.0.into(), 1.0.into());
    graph.create(&[("lifeTime", 1e6.into()), ("size", size)]);
    graph.shape("PointShapeBlock", json!({}));
    let angle = graph.random(0, 0.0.into(), 1.0.into());
    graph.update("UpdateAngleBlock", "angle", angle);
    graph.rate(50.0 / 0.0167 + 1.0);
    graph.root(json!({"capacity": 50, "updateSpeed": 0.0167}));
    let [exact, parallel] = [Profile::Exact, Profile::Parallel]
        .map(|profile| sample(&written(&graph, profile), 200, 2, &Value::Null).unwrap());
    println!("{:?}", compare(&exact, &parallel, LIMIT, 0.02).unwrap());
}

// --- Fixtures ---------------------------------------------------------------------------------

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
    assert!(all.fixtures > 20 && all.particles > 10_000, "{all:?}");
}
