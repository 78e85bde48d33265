//! Section 9.31: plumbing routes wires and leaves nothing behind.

use pyrograph_compiler::ir::{Field, Profile};

use crate::shorthand::{Run, lowered, refused};

/// With detours of every kind a graph means, to the last name, what it means without.
#[test]
fn plumbing_leaves_no_code() {
    let direct = r#"1 SystemBlock particle<3 emitRate<4
        3 UpdateAngleBlock particle<2 angle<4
        2 CreateParticleBlock size<4 color<6/color
        4 ParticleGradientBlock gradient<5 value0<8
        5 ParticleInputBlock {"systemSource":1}
        6 ParticleConverterBlock x<5
        8 ParticleGradientValueBlock value<9
        9 ParticleRandomBlock {"lockMode":0}"#;
    let detours = r#"1 SystemBlock particle<20 emitRate<22
        3 UpdateAngleBlock particle<23 angle<22
        2 CreateParticleBlock size<4 color<24
        4 ParticleGradientBlock gradient<25 value0<26
        5 ParticleInputBlock {"systemSource":1}
        6 ParticleConverterBlock x<25
        8 ParticleGradientValueBlock value<28
        9 ParticleRandomBlock {"lockMode":0}
        20 ParticleElbowBlock input<21
        21 ParticleTeleportOutBlock {"entryPoint":0}
        0 ParticleTeleportInBlock input<3
        22 ParticleDebugBlock {"stackSize":3} input<4
        23 ParticleElbowBlock input<2
        24 ParticleDebugBlock input<6/color
        25 ParticleTeleportOutBlock {"entryPoint":27}
        27 ParticleTeleportInBlock input<5
        26 ParticleElbowBlock input<8
        28 ParticleDebugBlock input<29
        29 ParticleElbowBlock input<9"#;
    for profile in [Profile::Exact, Profile::Parallel] {
        let (direct, detours) = (lowered(direct, profile), lowered(detours, profile));
        assert_eq!(direct.to_string(), detours.to_string());
    }
}

/// Routes go through the last record of an id, whatever stood there before.
#[test]
fn the_last_record_of_an_endpoint_wins() {
    let text = r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<2
        2 CreateParticleBlock size<3
        3 ParticleTeleportOutBlock {"entryPoint":99}
        4 ParticleInputBlock {"value":5}
        3 ParticleTeleportOutBlock {"entryPoint":4}
        4 ParticleTeleportInBlock input<6
        6 ParticleInputBlock {"value":7}"#;
    assert_eq!(Run::new(text).steps(1).value(Field::Size), 7.0);
    let wrong = format!("{text}\n4 ParticleInputBlock");
    let error =
        "NodeParticle: ParticleTeleportOutBlock 3 entryPoint 4 is not ParticleTeleportInBlock";
    assert_eq!(refused(&wrong).lines().next(), Some(error));
}

/// An alias-safe operation is chosen by what the wires mean: both sides are one drawing block.
#[test]
fn both_ends_of_a_detour_are_one_source() {
    let draws = |right: u8| {
        let mut run = Run::new(&format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<2
            2 CreateParticleBlock size<3
            3 ParticleMathBlock {{\"operation\":1}} left<4 right<{right}
            4 ParticleRandomBlock {{\"lockMode\":0}}
            5 ParticleElbowBlock input<4"
        ));
        let size = run.steps(1).value(Field::Size);
        (size, run.draws)
    };
    assert_eq!(draws(5), draws(4));
    assert_eq!(draws(5).1, 2);
}

/// Without plumbing in the file nothing is routed: an entry point is then a class that nobody knows.
#[test]
fn an_entry_point_alone_is_no_plumbing() {
    let text = "1 SystemBlock emitRate<2\n2 ParticleTeleportInBlock input<3\n3 ParticleInputBlock";
    assert_eq!(refused(text), "NodeParticle: unsupported value block \"ParticleTeleportInBlock\"");
    let with_plumbing = format!("{text}\n4 ParticleElbowBlock");
    let error = "NodeParticle: ParticleTeleportInBlock 2 does not expose output \"output\"";
    assert_eq!(refused(&with_plumbing), error);
}
