//! Files, fields and runs with values that nobody writes on purpose.

use std::sync::Arc;

use pyrograph_compiler::interpret::Instance;
use pyrograph_compiler::ir::{Field, Profile};
use pyrograph_compiler::{Options, compile};

use super::driver::System;
use super::graph::Graph;
use super::stages::answer;

/// Numbers as files can spell them.
const NUMBERS: [&str; 18] = [
    "0",
    "-0",
    "-1",
    "0.5",
    "-2.5",
    "1e-400",
    "5e-324",
    "1e39",
    "-1e39",
    "1e400",
    "-1e400",
    "2147483648",
    "4294967296",
    "9007199254740992",
    "1.7976931348623157e308",
    "null",
    "\"NaN\"",
    "[1e39]",
];

/// A plain graph, to be damaged.
fn plain() -> Graph {
    let mut graph = Graph::flow(5);
    graph.create("size<3.output emitPower=2");
    graph.block("ParticleRandomBlock", 3, r#""lockMode":1"#, "min=1 max=2");
    graph.block("SphereShapeBlock", 4, "", "particle<2.output radius=1");
    graph.block("UpdateAngleBlock", 5, "", "particle<4.output angle<6.output");
    graph.contextual(6, 3);
    graph
}

#[test]
fn deep_json() {
    const DEPTH: usize = 100_000;
    let nested = |open: &str, close: &str| {
        format!("{}0{}", open.repeat(DEPTH), close.repeat(DEPTH)).into_bytes()
    };
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}"), (r#"[{"blocks":"#, "}]"), ("[[],", "]")] {
        let text = answer("deep", nested(open, close)).refusal();
        assert_eq!(text, "values are nested more than 512 levels deep");
        assert!(!answer("unclosed", open.repeat(DEPTH).into_bytes()).refusal().is_empty());
    }
    let field = String::from_utf8(nested("[", "]")).expect("text");
    let mut graph = plain();
    graph.block("ParticleInputBlock", 9, &format!("\"value\":{field}"), "");
    assert!(answer("deep field", graph.bytes()).refusal().contains("nested"));
}

#[test]
fn broken_bytes() {
    let bytes = plain().bytes();
    for end in (0..bytes.len()).step_by(7) {
        assert!(!answer("cut", bytes[..end].to_vec()).refusal().is_empty());
    }
    for at in (0..bytes.len()).step_by(31) {
        let mut broken = bytes.clone();
        broken[at] = 0xff;
        assert_eq!(answer("not UTF-8", broken).refusal(), "the file is not UTF-8");
    }
    assert!(!answer("zeros", vec![0; 1 << 20]).refusal().is_empty());
    assert!(
        !answer("a long string", [b"\"".to_vec(), b"a".repeat(1 << 24)].concat())
            .refusal()
            .is_empty()
    );
    assert!(!answer("a long number", b"1".repeat(1 << 22)).refusal().is_empty());
}

#[test]
fn capacities() {
    for (capacity, alive) in [
        ("0", Ok(0)),
        ("3.9", Ok(3)),
        ("-0.5", Ok(0)),
        ("2147483648", Ok(10)),
        ("4294967295", Ok(10)),
        ("\"many\"", Ok(10)),
        ("null", Ok(10)),
        ("-1", Err(())),
        ("4294967296", Err(())),
        ("9007199254740992", Err(())),
        ("1e400", Err(())),
    ] {
        let mut graph = Graph::new(&format!("\"capacity\":{capacity}"), "particle<2.output");
        graph.create("");
        let answer = answer("capacity", graph.bytes());
        match alive {
            Ok(alive) => assert_eq!(answer.exact(), Ok(alive), "{capacity}"),
            Err(()) => assert!(answer.refusal().contains("capacity"), "{capacity}"),
        }
    }
}

#[test]
fn ids() {
    for id in ["-7", "0.1", "-0", "1e400", "9007199254740993", "5e-324", "1e39"] {
        let mut graph = Graph::flow(2);
        graph.create("size<77.output");
        graph.block("ParticleInputBlock", 77, r#""type":2,"value":1.5"#, "");
        let text = String::from_utf8(graph.bytes()).expect("text");
        let text = text.replace("\"id\":77", &format!("\"id\":{id}"));
        let text = text.replace("\"targetBlockId\":77", &format!("\"targetBlockId\":{id}"));
        assert_eq!(answer(id, text.into_bytes()).exact(), Ok(10), "{id}");
    }
}

/// Every number in every place of a few blocks of each kind.
#[test]
fn numbers() {
    for number in NUMBERS {
        let fields: String = [
            "capacity",
            "updateSpeed",
            "manualEmitCount",
            "startDelay",
            "preWarmCycles",
            "preWarmStepOffset",
            "blendMode",
            "billBoardMode",
            "targetStopDuration",
        ]
        .iter()
        .map(|field| format!("\"{field}\":{number},"))
        .collect();
        let inputs = format!("particle<20.output emitRate={number} targetStopDuration={number}");
        let fields = fields.trim_end_matches(',').replacen(&format!(":{number}"), ":50", 1);
        let mut graph = Graph::new(&fields, &inputs);
        graph.create(&format!("emitPower={number} size<3.output angle<4.output color<5.output"));
        graph.block(
            "ParticleMathBlock",
            3,
            r#""operation":3"#,
            &format!("left<6.output right={number}"),
        );
        graph.block(
            "ParticleNumberMathBlock",
            4,
            r#""operation":1"#,
            &format!("left<3.output right={number}"),
        );
        graph.block("ParticleTrigonometryBlock", 5, r#""operation":5"#, "input<7.output");
        graph.block("ParticleInputBlock", 6, &format!("\"type\":2,\"value\":{number}"), "");
        graph.block("ParticleRandomBlock", 7, r#""lockMode":0"#, &format!("min={number} max=-1"));
        let mut last = 2;
        for (at, (class, fields, input)) in [
            ("BoxShapeBlock", "", "minEmitBox"),
            ("SphereShapeBlock", "", "radius"),
            ("CylinderShapeBlock", "", "height"),
            (
                "SetupSpriteSheetBlock",
                "\"start\":N,\"end\":N,\"width\":N,\"height\":N,\"spriteCellChangeSpeed\":N",
                "x",
            ),
            ("BasicSpriteUpdateBlock", "", "x"),
            ("UpdateSpriteCellIndexBlock", "", "cellIndex"),
            ("UpdateAgeBlock", "", "age"),
            ("UpdateSizeBlock", "", "size"),
            ("UpdateAttractorBlock", "", "strength"),
            ("AlignAngleBlock", "\"alignment\":N", "x"),
        ]
        .into_iter()
        .enumerate()
        {
            let id = if at == 9 { 20 } else { 10 + at };
            let inputs = format!("particle<{last}.output {input}<3.output");
            graph.block(class, id, &fields.replace('N', number), &inputs);
            last = id;
        }
        // Either is fine; nothing may break.
        println!("{number}: {:?}", answer(number, graph.bytes()));
    }
}

#[test]
fn what_grows_without_end() {
    for (class, fields, inputs) in [
        ("ParticleMathBlock", "", "left<N.output right<N.output"),
        (
            "ParticleConditionBlock",
            r#""test":2"#,
            "left<6.output right=9 ifTrue<N.output ifFalse<N.output",
        ),
        ("ParticleGradientBlock", "", "gradient<6.output value0<7.output value1<8.output"),
        ("ParticleRandomBlock", r#""lockMode":0"#, "min<N.output max<N.output"),
    ] {
        let mut graph = Graph::flow(5);
        graph.create("");
        graph.block("UpdateSizeBlock", 5, "", "particle<2.output size<100.output");
        graph.contextual(6, 3);
        for depth in 0..40 {
            let (id, next) = (100 + 10 * depth, 110 + 10 * depth);
            let inputs = inputs.replace('N', &next.to_string());
            let inputs = inputs.replace("<7.", &format!("<{}.", id + 1));
            let inputs = inputs.replace("<8.", &format!("<{}.", id + 2));
            graph.block(class, id, fields, &inputs);
            for stop in 1..=2 {
                let reference = format!("\"reference\":{stop}");
                let value = format!("value<{next}.output");
                graph.block("ParticleGradientValueBlock", id + stop, &reference, &value);
            }
        }
        graph.block("ParticleRandomBlock", 500, r#""lockMode":0"#, "min=0 max=1");
        let text = answer(class, graph.bytes()).refusal();
        assert!(text.contains("too often") || text.contains("too many"), "{class}: {text}");
    }
}

/// A graph that is just small enough, in many systems.
#[test]
fn what_many_systems_multiply() {
    let mut graph = Graph::flow(5);
    graph.create("");
    graph.block("UpdateSizeBlock", 5, "", "particle<2.output size<100.output");
    graph.contextual(6, 3);
    for depth in 0..14 {
        let (id, next) = (100 + depth, 101 + depth);
        let inputs =
            format!("left<6.output right={depth} ifTrue<{next}.output ifFalse<{next}.output");
        graph.block("ParticleConditionBlock", id, r#""test":2"#, &inputs);
    }
    graph.contextual(114, 4);
    (1000..2000).for_each(|id| graph.block("SystemBlock", id, "", "particle<5.output"));
    let text = answer("systems", graph.bytes()).refusal();
    assert!(text.contains("statements of code") || text.contains("too many"), "{text}");

    let mut graph = Graph::flow(2);
    graph.create("");
    (0..5000).for_each(|_| graph.block("SystemBlock", 1, "", "particle<2.output"));
    let text = answer("a repeated root", graph.bytes()).refusal();
    assert!(text.starts_with("this file has more than 4000 systems"), "{text}");
}

#[test]
fn texts() {
    let names = [
        "\\u0000\\u001b[31m\\n\\r\\t\\\"\\\\",
        "\\ud800 */ }}",
        "_",
        "self",
        "fn",
        "r#fn",
        "0",
        "é́ 中文 🎆",
    ];
    for name in names.iter().map(|name| (*name).to_owned()).chain(["x".repeat(1 << 20)]) {
        let mut graph =
            Graph::new(&format!("\"name\":\"{name}\""), "particle<4.output emitRate<3.output");
        graph.create("size<3.output");
        graph.block(
            "ParticleRandomBlock",
            3,
            &format!("\"name\":\"{name}\",\"lockMode\":2"),
            "min=1 max<5.output",
        );
        graph.block(
            "UpdateNoiseBlock",
            4,
            &format!("\"name\":\"{name}\""),
            "particle<2.output noiseTexture<6.texture",
        );
        graph.block("ParticleMathBlock", 5, &format!("\"name\":\"{name}\""), "left=1");
        graph.block(
            "ParticleTextureSourceBlock",
            6,
            &format!("\"name\":\"{name}\",\"url\":\"{name}\""),
            "",
        );
        let run = answer("names", graph.bytes()).exact();
        let error = run.expect_err("an operand is missing");
        assert!(
            error.contains("NodeParticle: ParticleMathBlock 5") && error.len() < 1000,
            "{error:.300}"
        );
        let mut graph = Graph::flow(2);
        graph.create(&format!("size<3.output{}", "x".repeat(10)));
        graph.block(&name.replace("\\ud800 */ }}", "Nothing."), 3, "", "");
        assert!(!answer("classes", graph.bytes()).refusal().is_empty());
    }
}

#[test]
fn meshes() {
    let many = vec!["0"; 300_000].join(",");
    let faces = (0..300_000).map(|n| (n % 3).to_string()).collect::<Vec<_>>().join(",");
    for (positions, indices) in [
        ("", ""),
        ("", "0,1,2"),
        ("0,0,0", ""),
        ("0,0,0,1,0,0,0,1,0", "0,1"),
        ("0,0,0,1,0,0,0,1,0", "0,1,99"),
        ("0,0,0,1,0,0,0,1,0", "-1,0.5,1e400"),
        ("0,0,0,1,0,0,0,1,0", "null,\"x\",{}"),
        ("null,\"NaN\",1e400,1e39,-1e400,[],{},true,0", "0,1,2"),
        (many.as_str(), faces.as_str()),
    ] {
        let mut graph = Graph::flow(4);
        graph.create("");
        let data = format!(
            r#""cachedVertexData":{{"positions":[{positions}],"indices":[{indices}],"normals":[{positions}],"colors":[1,0]}},"useMeshNormalsForDirection":true,"useMeshColorForColor":true"#
        );
        graph.block("MeshShapeBlock", 4, &data, "particle<2.output");
        println!("{:?}", answer("mesh", graph.bytes()));
    }
}

/// Runs a system with this root and these ratios.
fn run(fields: &str, rate: &str, ratios: &[f64]) -> System {
    let mut graph = Graph::new(fields, &format!("particle<2.output emitRate={rate}"));
    graph.create("");
    let compiled = compile(&graph.bytes(), &Options::new(Profile::Exact)).expect("a graph");
    let mut system = System::new(Instance::new(Arc::new(compiled.module), 0).expect("a program"));
    let mut random = || 0.5;
    system.start(&mut random).expect("no failure");
    for &ratio in ratios {
        system.animate(ratio, &mut random).expect("no failure");
    }
    system
}

#[test]
fn births() {
    let system = run(r#""capacity":100000,"manualEmitCount":1e9"#, "0", &[1.0, 1.0]);
    assert_eq!(system.instance.alive(), 100_000);
    let huge = r#""capacity":4294967295,"manualEmitCount":100000"#;
    assert_eq!(run(huge, "0", &[1.0, 1.0, 1.0]).instance.alive(), 100_000);
    // Rates wrap to 32 bits, and what they leave is carried; lifetimes are 100.
    for (rate, ratios, alive) in [
        ("4294967298", [1.0].as_slice(), 2),
        ("2147483648", &[1.0], 0),
        ("-5", &[1.0, 1.0], 0),
        ("1e300", &[1.0, 1.0], 0),
        ("1e400", &[1.0, 1.0], 0),
        ("5", &[f64::NAN, 1.0], 5),
        ("5", &[f64::INFINITY, 1.0], 5),
        ("5", &[0.0, 0.0], 0),
        ("5", &[-1.0, -1.0, 1.0], 5),
    ] {
        let system = run(r#""capacity":50,"updateSpeed":1"#, rate, ratios);
        assert_eq!(system.instance.alive(), alive, "{rate} at {ratios:?}");
    }
    for speed in ["0", "-1", "1e400", "-1e400", "null", "5e-324"] {
        for ratio in [1.0, 0.0, -1.0, f64::INFINITY, f64::NAN, 1e300] {
            let fields = format!("\"capacity\":50,\"updateSpeed\":{speed}");
            let system = run(&fields, "1e10", &[ratio, ratio, 1.0]);
            assert!(system.instance.alive() <= 50);
            assert!((0..50).all(|slot| system.instance.value(slot, Field::Age).is_none()
                || slot < system.instance.alive()));
        }
    }
}

/// Long names and pictures are not repeated for everything that has them.
#[test]
fn what_is_long_and_used_often() {
    let long = "x".repeat(1 << 20);
    let mut graph = Graph::flow(5);
    graph.create("");
    graph.block("UpdateSizeBlock", 5, "", "particle<2.output size<10.output");
    for id in 10..1010 {
        let inputs = format!("left<9.output right<{}.output", id + 1);
        graph.block("ParticleMathBlock", id, "", &inputs);
    }
    graph.block("ParticleRandomBlock", 9, &format!("\"name\":\"{long}\",\"lockMode\":0"), "");
    graph.contextual(1010, 3);
    assert_eq!(answer("a long name", graph.bytes()).exact(), Ok(10));

    let mut graph = Graph::flow(5);
    graph.create("");
    graph.block("UpdateFlowMapBlock", 5, "", "particle<2.output flowMap<6.texture");
    graph.block("ParticleTextureSourceBlock", 6, &format!("\"url\":\"{long}\""), "");
    (100..1000).for_each(|id| graph.block("SystemBlock", id, "", "particle<5.output"));
    let text = answer("a picture of many systems", graph.bytes()).refusal();
    assert!(text.contains("MiB of data"), "{text}");
}
