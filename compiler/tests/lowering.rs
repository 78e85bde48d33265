//! What the contract says where Babylon.js departs from it, or where no recording can show it.

#[path = "states/driver.rs"]
mod driver;
#[path = "lowering/graph.rs"]
mod graph;

use graph::{Graph, Node};
use pyrograph_compiler::ir::{Field, Profile};
use serde_json::json;

const TEN: [usize; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/// Births at a rate of one a step, with this value as size.
fn sized(make: impl FnOnce(&mut Graph) -> Node) -> Graph {
    let mut graph = Graph::new();
    let size = make(&mut graph);
    graph.create(&[("lifeTime", 100.0.into()), ("size", size)]);
    graph.rate(60.0);
    graph
}

/// Births at a rate of one a step, with an update of the angle.
fn angled(make: impl FnOnce(&mut Graph) -> Node) -> Graph {
    let mut graph = Graph::new();
    let angle = make(&mut graph);
    graph.create(&[("lifeTime", 100.0.into())]);
    graph.update("UpdateAngleBlock", "angle", angle);
    graph.rate(60.0);
    graph
}

#[test]
fn a_missing_operand_fails_where_it_is_reached() {
    let graph = angled(|graph| graph.math(0, Node::None, 1.0.into()));
    let error = graph.run(Profile::Exact, 3).unwrap_err();
    assert!(error.contains("ParticleMathBlock 2 has no value for input left"), "{error}");

    let graph = angled(|graph| {
        let missing = graph.math(0, Node::None, 1.0.into());
        graph.block(
            "ParticleConditionBlock",
            json!({"test": 2}),
            &[
                ("left", 2.0.into()),
                ("right", 1.0.into()),
                ("ifTrue", missing),
                ("ifFalse", 7.0.into()),
            ],
        )
    });
    let run = graph.run(Profile::Exact, 3).unwrap();
    assert_eq!(run.values(Field::Angle)[0], 7.0);
}

#[test]
fn a_drawing_value_is_evaluated_at_each_reading() {
    let graph = sized(|graph| {
        let random = graph.random(0, 0.0.into(), 1.0.into());
        graph.math(1, random, random)
    });
    let run = graph.run(Profile::Exact, 2).unwrap();
    assert_eq!(run.draws[..2], [0.25, 0.75], "the test draws these");
    assert_eq!(run.values(Field::Size)[0], -0.5);
}

#[test]
fn a_locked_value_keeps_its_shape() {
    // A colour from the first stop on, the number 0 below it.
    let graph = sized(|graph| {
        let time = graph.input(json!({"systemSource": 1}));
        let colors =
            graph.gradient(time, &[(0.04, json!([1, 2, 3, 4])), (9.0, json!([1, 2, 3, 4]))]);
        let locked = graph.random(2, colors, colors);
        graph.block("ParticleVectorLengthBlock", json!({}), &[("input", locked)])
    });
    let run = graph.run(Profile::Exact, 6).unwrap();
    assert!(
        run.values(Field::Size).iter().all(|size| *size == 0.0),
        "locked before the first stop"
    );
}

#[test]
fn the_first_particle_takes_over_what_the_rate_has_drawn() {
    let mut graph = Graph::new();
    let random = graph.random(3, 100.0.into(), 200.0.into());
    graph.create(&[("lifeTime", 100.0.into()), ("size", random)]);
    graph.connect_rate(random);
    let run = graph.run(Profile::Exact, 2).unwrap();
    let sizes = run.values(Field::Size);
    // 0.25 for slot 0 in the rate, then one number for each later particle.
    assert_eq!(sizes[..2], [125.0, 175.0]);
    assert_eq!(run.draws.len(), sizes.len());
}

#[test]
fn a_lock_per_particle_is_shared_with_the_rate_only_for_its_particle() {
    let mut graph = Graph::new();
    let random = graph.random(1, 100.0.into(), 200.0.into());
    graph.create(&[("lifeTime", 100.0.into()), ("size", random)]);
    graph.connect_rate(random);
    let run = graph.run(Profile::Exact, 1).unwrap();
    assert_eq!(run.values(Field::Size), [125.0, 175.0]);
}

#[test]
fn a_loop_keeps_one_value_for_a_call() {
    let mut graph = Graph::new();
    let random = graph.random(0, 100.0.into(), 200.0.into());
    let kept = graph.local(1, random);
    graph.create(&[("lifeTime", 100.0.into()), ("size", kept)]);
    graph.update("UpdateAngleBlock", "angle", kept);
    graph.connect_rate(kept);
    for profile in [Profile::Exact, Profile::Parallel] {
        let run = graph.run(profile, 3).unwrap();
        let (sizes, angles) = (run.values(Field::Size), run.values(Field::Angle));
        let last = *sizes.last().unwrap();
        assert!(angles[0] == last && sizes[0] != last, "{profile:?}");
        if profile == Profile::Exact {
            assert_eq!(run.draws.len(), 3, "one draw a call");
        }
    }
}

#[test]
fn a_particle_keeps_its_local_value() {
    for profile in [Profile::Exact, Profile::Parallel] {
        let graph = angled(|graph| {
            let age = graph.input(json!({"contextualValue": 3}));
            graph.local(0, age)
        });
        let run = graph.run(profile, 5).unwrap();
        let angles = run.values(Field::Angle);
        assert!((angles[0] - 0.0167).abs() < 1e-6, "its first update: {angles:?}");
    }
}

#[test]
fn a_local_value_may_not_change_its_shape() {
    let graph = angled(|graph| {
        let age = graph.input(json!({"contextualValue": 3}));
        let colors =
            graph.gradient(age, &[(0.02, json!([1, 2, 3, 4])), (9.0, json!([1, 2, 3, 4]))]);
        let kept = graph.local(1, colors);
        graph.block("ParticleVectorLengthBlock", json!({}), &[("input", kept)])
    });
    let error = graph.run(Profile::Exact, 5).unwrap_err();
    assert!(error.contains("ParticleLocalVariableBlock 8 changed value type"), "{error}");
}

#[test]
fn gradients_interpolate_as_the_contract_does_to_the_bit() {
    let stops = [(0.0, -0.0), (0.013, 0.7), (0.05, 0.3), (0.05, 11.0), (0.11, -3.3)];
    let mut graph = Graph::new();
    graph.create(&[("lifeTime", 100.0.into())]);
    let age = graph.input(json!({"contextualValue": 3}));
    let entries: Vec<_> = stops.iter().map(|&(at, value)| (at, json!(value))).collect();
    let mixed = graph.gradient(age, &entries);
    // Only the age keeps doubles unrounded.
    graph.update("UpdateAgeBlock", "age", mixed);
    graph.rate(60.0);
    let expected = |gradient: f64| {
        let Some(at) = stops.iter().rposition(|stop| stop.0 <= gradient) else { return 0.0 };
        let Some(&(next, right)) = stops.get(at + 1) else { return stops[at].1 };
        let (reference, left) = stops[at];
        let amount = ((gradient - reference) / (next - reference)).clamp(0.0, 1.0);
        left + (right - left) * amount
    };
    for ratio in [0.1, 0.3, 0.77, 1.0, 2.0, 2.99, 3.0, 5.0, 7.0] {
        let run = graph.run_at(Profile::Exact, &[1.0, ratio]).unwrap();
        let age = 0.0167 * ratio;
        assert_eq!(run.values(Field::Age)[0].to_bits(), expected(age).to_bits(), "at {age}");
    }
}

#[test]
fn gradients_draw_only_for_the_stops_they_use_in_order() {
    let graph = angled(|graph| {
        let age = graph.input(json!({"contextualValue": 3}));
        let stops: Vec<_> =
            [0.0, 0.03, 0.06].map(|at| (at, graph.random(0, at.into(), 1.0.into()))).into();
        graph.gradient_of(age, &stops)
    });
    let run = graph.run(Profile::Exact, 2).unwrap();
    // One particle, at 0.0167 between the first two stops.
    let amount = 0.0167 / 0.03;
    let (left, right) = (0.25, 0.03 + 0.75 * 0.97);
    let mixed = left + (right - left) * amount;
    assert_eq!(run.draws.len(), 2);
    assert!((run.values(Field::Angle)[0] - mixed).abs() < 1e-7);
}

#[test]
fn a_rate_that_reads_a_particle_sees_slot_zero_or_is_refused() {
    let mut graph = Graph::new();
    graph.create(&[("lifeTime", 100.0.into())]);
    let life_time = graph.input(json!({"contextualValue": 4}));
    let rate = graph.math(0, life_time, 100.0.into());
    graph.connect_rate(rate);
    let run = graph.run(Profile::Exact, 2).unwrap();
    // 100 a unit of time without a particle, then 200.
    assert_eq!(run.alive, 1 + 3 + 1, "1.67 and 3.34 of them");
    let error = graph.run(Profile::Parallel, 2).unwrap_err();
    assert!(error.contains("ParticleInputBlock has no Parallel form"), "{error}");
}

#[test]
fn parallel_refuses_what_would_depend_on_the_order_of_particles() {
    let per_system = angled(|graph| {
        let age = graph.input(json!({"contextualValue": 3}));
        graph.random(2, age, 1.0.into())
    });
    let per_call = angled(|graph| {
        let age = graph.input(json!({"contextualValue": 3}));
        graph.local(1, age)
    });
    for graph in [per_system, per_call] {
        assert!(graph.run(Profile::Exact, 2).is_ok());
        let error = graph.run(Profile::Parallel, 2).unwrap_err();
        assert!(error.contains("has no Parallel form") && !error.contains('\n'), "{error}");
    }
    let mut graph = Graph::new();
    let age = graph.input(json!({"systemSource": 1}));
    let kept = graph.local(1, age);
    graph.create(&[]);
    graph
        .take_over_root("SystemBlock", &[("particle", graph.flow()), ("targetStopDuration", kept)]);
    let error = graph.run(Profile::Parallel, 1).unwrap_err();
    assert!(error.ends_with("is read before the first call"), "{error}");
}

#[test]
fn parallel_shares_a_lock_whose_bounds_are_the_systems() {
    let graph = angled(|graph| {
        let time = graph.input(json!({"systemSource": 1}));
        graph.random(2, time, 1.0.into())
    });
    let run = graph.run(Profile::Parallel, 3).unwrap();
    let angles = run.values(Field::Angle);
    assert!(angles[0] > 0.0 && angles[0] == angles[1], "{angles:?}");
}

#[test]
fn a_step_that_ends_at_the_lifetime_is_whole() {
    let mut graph = Graph::new();
    graph.create(&[("lifeTime", 0.1.into())]);
    graph.shape("PointShapeBlock", json!({}));
    let scaled = graph.input(json!({"contextualValue": 6}));
    let length = graph.block("ParticleVectorLengthBlock", json!({}), &[("input", scaled)]);
    let half = graph.math(2, length, 0.5.into());
    graph.update("UpdateAgeBlock", "age", half);
    graph.root(json!({"updateSpeed": 0.1}));
    graph.rate(10.0);
    let run = graph.run(Profile::Exact, 2).unwrap();
    // Shortened, it would be 0.1 * 0.1 / 0.1, which is more.
    assert_eq!(run.values(Field::Age)[0], 0.05);
}

#[test]
fn errors_of_independent_blocks_come_together() {
    let mut graph = Graph::new();
    let age = graph.input(json!({"contextualValue": 3}));
    let shared = graph.random(2, age, 1.0.into());
    let kept = graph.local(1, age);
    graph.create(&[("size", shared)]);
    graph.update("UpdateAngleBlock", "angle", kept);
    let error = graph.run(Profile::Parallel, 1).unwrap_err();
    let both =
        error.contains("ParticleRandomBlock") && error.contains("ParticleLocalVariableBlock");
    assert!(both && !error.contains("prepared"), "{error}");
}

#[test]
fn what_grows_without_end_is_refused_at_once() {
    // Each block reads the one before twice: 2^40 draws.
    let graph = sized(|graph| {
        let mut value = graph.random(0, 0.0.into(), 1.0.into());
        for _ in 0..40 {
            value = graph.math(0, value, value);
        }
        value
    });
    let error = graph.run(Profile::Exact, 1).unwrap_err();
    assert!(error.contains("ParticleMathBlock is evaluated too often"), "{error}");

    // Without draws each is evaluated once.
    let graph = sized(|graph| {
        let mut value = graph.input(json!({"contextualValue": 4}));
        for _ in 0..40 {
            value = graph.math(0, value, value);
        }
        value
    });
    let run = graph.run(Profile::Exact, 2).unwrap();
    assert_eq!(run.values(Field::Size)[0], 100.0 * 2f64.powi(40));

    // Conditions whose two sides both read the condition before.
    let graph = sized(|graph| {
        let mut value = graph.input(json!({"contextualValue": 3}));
        for depth in 0..40 {
            let [a, b] = [1.0, 2.0].map(|number| graph.math(0, value, number.into()));
            let left = graph.input(json!({"contextualValue": 9}));
            value = graph.block(
                "ParticleConditionBlock",
                json!({"test": 2}),
                &[
                    ("left", left),
                    ("right", f64::from(depth).into()),
                    ("ifTrue", a),
                    ("ifFalse", b),
                ],
            );
        }
        value
    });
    let error = graph.run(Profile::Exact, 1).unwrap_err();
    assert!(error.contains("is needed in too many branches"), "{error}");

    // Conditions inside each other, each once.
    let graph = sized(|graph| {
        let mut value = graph.input(json!({"contextualValue": 3}));
        for depth in 0..5000 {
            let left = graph.input(json!({"contextualValue": 9}));
            value = graph.block(
                "ParticleConditionBlock",
                json!({"test": 2}),
                &[("left", left), ("right", f64::from(depth).into()), ("ifTrue", value)],
            );
        }
        value
    });
    let error = graph.run(Profile::Exact, 1).unwrap_err();
    assert!(error.contains("deep inside each other"), "{error}");
}

#[test]
fn long_chains_need_no_stack() {
    let graph = sized(|graph| {
        let mut value = graph.input(json!({"contextualValue": 4}));
        for _ in 0..10_000 {
            value = graph.math(0, value, 1.0.into());
        }
        value
    });
    assert_eq!(graph.run(Profile::Exact, 2).unwrap().values(Field::Size)[0], 10_100.0);
}

#[test]
fn local_positions_need_a_shape_first() {
    let mut graph = Graph::new();
    let local = graph.input(json!({"contextualValue": 24}));
    let length = graph.block("ParticleVectorLengthBlock", json!({}), &[("input", local)]);
    graph.create(&[("lifeTime", length)]);
    graph.shape("PointShapeBlock", json!({}));
    graph.root(json!({"isLocal": true}));
    graph.rate(60.0);
    let error = graph.run(Profile::Exact, 2).unwrap_err();
    let expected = "NodeParticle: LocalPositionUpdated read before local shape position creation";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn cells_wrap_at_16_bits() {
    let mut graph = Graph::new();
    graph.create(&[("lifeTime", 100.0.into())]);
    graph.update("UpdateSpriteCellIndexBlock", "cellIndex", (-0.5).into());
    graph.rate(60.0);
    let run = graph.run(Profile::Exact, 3).unwrap();
    assert_eq!(run.values(Field::CellIndex)[0], 65535.0);
}

#[test]
fn noise_without_pixels_draws_nothing() {
    let mut graph = Graph::new();
    let texture = graph.block("ParticleTextureSourceBlock", json!({"url": "x.png"}), &[]);
    graph.create(&[("lifeTime", 100.0.into())]);
    graph.update_from("UpdateNoiseBlock", "noiseTexture", texture, "texture");
    graph.rate(60.0);
    let run = graph.run(Profile::Exact, 5).unwrap();
    assert!(run.alive > 0 && run.draws.is_empty());
}

#[test]
fn a_stopped_system_evaluates_its_rate() {
    let mut graph = Graph::new();
    let random = graph.random(0, 0.0.into(), 1.0.into());
    graph.create(&[]);
    graph.connect_rate(random);
    let run = graph.run_stopped(Profile::Exact, 3).unwrap();
    assert_eq!((run.alive, run.draws.len()), (0, 3));
}

#[test]
fn a_root_of_another_class_has_the_defaults() {
    let mut graph = Graph::new();
    graph.create(&[("lifeTime", 100.0.into())]);
    let flow = graph.flow();
    // A later record takes the root's id over.
    graph.take_over_root("UpdateAngleBlock", &[("particle", flow), ("angle", 3.0.into())]);
    let run = graph.run(Profile::Exact, 20).unwrap();
    assert_eq!(run.alive, TEN.len() / 4 + 1, "10 a unit of time, 0.0167 a step");
    assert_eq!(run.values(Field::Angle)[0], 0.0, "a literal is no connection");
}
