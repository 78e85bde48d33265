//! What an input that a file leaves out counts as (section 9; rows S1P-008 and S1P-009).

use pyrograph_compiler::ir::Field;

use crate::shorthand::Run;

/// A block, with lines for what is behind it, and the defaults of its inputs.
struct Host {
    text: &'static str,
    inputs: &'static [(&'static str, &'static str)],
}

const SHAPE: &str = "1 SystemBlock {\"updateSpeed\":1} emitRate=3 particle<3\n\
    2 CreateParticleBlock lifeTime=9\n3 ";
const UPDATE: &str = "1 SystemBlock {\"updateSpeed\":1} emitRate=3 particle<4\n\
    2 CreateParticleBlock lifeTime=9\n3 BoxShapeBlock particle<2\n4 ";
const NUMBER: &str = "1 SystemBlock {\"updateSpeed\":1} emitRate=3 particle<4\n\
    2 CreateParticleBlock lifeTime=9\n4 UpdateAngleBlock particle<2 angle<5\n5 ";
const VECTOR: &str = "1 SystemBlock {\"updateSpeed\":1} emitRate=3 particle<4\n\
    2 CreateParticleBlock lifeTime=9\n4 UpdateDirectionBlock particle<2 direction<5\n5 ";

const UP: (&str, &str) = ("direction1", "[0,1,0]");
const AND_UP: (&str, &str) = ("direction2", "[0,1,0]");

const SHAPES: [Host; 5] = [
    Host {
        text: "BoxShapeBlock particle<2",
        inputs: &[UP, AND_UP, ("minEmitBox", "[-0.5,-0.5,-0.5]"), ("maxEmitBox", "[0.5,0.5,0.5]")],
    },
    Host { text: "PointShapeBlock particle<2", inputs: &[UP, AND_UP] },
    Host {
        text: "SphereShapeBlock particle<2",
        inputs: &[("radius", "1"), ("radiusRange", "1"), ("directionRandomizer", "0")],
    },
    Host {
        text: "ConeShapeBlock particle<2",
        inputs: &[
            ("radius", "1"),
            ("angle", "3.141592653589793"),
            ("radiusRange", "1"),
            ("heightRange", "1"),
            ("directionRandomizer", "0"),
        ],
    },
    Host {
        text: "CylinderShapeBlock particle<2",
        inputs: &[
            ("radius", "1"),
            ("height", "1"),
            ("radiusRange", "1"),
            ("directionRandomizer", "0"),
        ],
    },
];

const BIRTH: Host = Host {
    text: "1 SystemBlock {\"updateSpeed\":0.5} emitRate=6 particle<2\n2 CreateParticleBlock",
    inputs: &[
        ("lifeTime", "1"),
        ("emitPower", "1"),
        ("size", "1"),
        ("scale", "[1,1]"),
        ("angle", "0"),
        ("color", "[1,1,1,1]"),
        ("colorDead", "[0,0,0,0]"),
    ],
};

const UPDATES: [Host; 1] = [Host {
    text: "UpdateAttractorBlock particle<3",
    inputs: &[("attractor", "[0,0,0]"), ("strength", "1")],
}];

const NUMBERS: [Host; 7] = [
    Host { text: "ParticleRandomBlock {\"lockMode\":0}", inputs: &[("min", "0"), ("max", "1")] },
    Host { text: "ParticleLerpBlock left=2 right=3", inputs: &[("gradient", "0")] },
    Host {
        text: "ParticleGradientBlock value0<7 value1<8\n\
            7 ParticleGradientValueBlock {\"reference\":0.25} value=3\n\
            8 ParticleGradientValueBlock {\"reference\":0.5} value=4",
        inputs: &[("gradient", "1")],
    },
    // 0 is not less than 0.
    Host {
        text: "ParticleConditionBlock {\"test\":0}",
        inputs: &[("left", "0"), ("right", "0"), ("ifTrue", "1"), ("ifFalse", "0")],
    },
    Host { text: "ParticleFloatToIntBlock", inputs: &[("input", "0")] },
    Host { text: "ParticleStepBlock value=0.0", inputs: &[("edge", "0")] },
    Host { text: "ParticleSmoothStepBlock value=0.3", inputs: &[("edge0", "0"), ("edge1", "1")] },
];

const N_LERP: Host =
    Host { text: "ParticleNLerpBlock left=[2,1,0] right=[0,1,3]", inputs: &[("gradient", "0")] };

/// All fields of all particles and the draws, after three steps.
fn outcome(text: &str) -> (Vec<Vec<u64>>, usize) {
    let mut run = Run::new(text);
    run.steps(3);
    let axes =
        [Field::Position, Field::Direction].into_iter().flat_map(|field| [0, 1, 2].map(field));
    let fields = axes
        .chain([0, 1, 2, 3].map(Field::Color))
        .chain([Field::Age, Field::LifeTime, Field::Size, Field::Angle])
        .chain([0, 1].map(Field::Scale));
    let instance = &run.system.instance;
    let slots = 0..instance.slots();
    let values = fields.map(|field| {
        slots.clone().map(|slot| instance.value(slot, field).unwrap_or(0.0).to_bits()).collect()
    });
    (values.collect(), run.draws)
}

/// Each input alone and all at once: as if the file said the default.
fn check(before: &str, host: &Host) {
    let (first, rest) = host.text.split_once('\n').unwrap_or((host.text, ""));
    let with = |inputs: &str| outcome(&format!("{before}{first} {inputs}\n{rest}"));
    let omitted = with("");
    assert!(!omitted.0[0].is_empty(), "{}: no particle", host.text);
    let literals: Vec<String> =
        host.inputs.iter().map(|(name, default)| format!("{name}={default}")).collect();
    for inputs in literals.iter().chain([&literals.join(" ")]) {
        assert_eq!(with(inputs), omitted, "{}, {inputs}", host.text);
    }
}

#[test]
fn of_births() {
    check("", &BIRTH);
}

#[test]
fn of_shapes() {
    for host in &SHAPES {
        check(SHAPE, host);
    }
}

#[test]
fn of_updates() {
    for host in &UPDATES {
        check(UPDATE, host);
    }
}

#[test]
fn of_values() {
    for host in &NUMBERS {
        check(NUMBER, host);
    }
    check(VECTOR, &N_LERP);
}
