//! Section 5: the order of things in a call, at a birth and at a death.

use pyrograph_compiler::ir::{Emission, Field};

use crate::shorthand::{Run, draw, f32, program};

#[test]
fn a_system_that_says_nothing_has_the_defaults() {
    let program =
        program("1 SystemBlock particle<3\n2 CreateParticleBlock\n3 PointShapeBlock particle<2");
    let expected = Emission {
        rate: 10.0,
        update_speed: 0.0167,
        target_stop: 0.0,
        manual_emit_count: -1.0,
        start_delay: 0.0,
        do_no_start: false,
        dispose_on_stop: false,
        pre_warm_cycles: 0.0,
        pre_warm_step_offset: 1.0,
    };
    assert_eq!(program.emission, expected);
    assert_eq!((program.capacity, program.render.blend_mode), (1000, 2.0));
    assert!(program.emit_rate.is_none() && program.init.is_none());
    let mut run = Run::new(
        "1 SystemBlock {\"updateSpeed\":1} particle<3\n2 CreateParticleBlock\n3 PointShapeBlock particle<2",
    );
    // Emit power 1: the direction stays.
    assert_eq!(run.steps(1).vector(Field::Direction), [0.0, 1.0, 0.0]);
    assert_eq!((run.value(Field::Size), run.value(Field::LifeTime)), (1.0, 1.0));
    assert_eq!((run.color(), run.value(Field::Scale(1))), ([1.0; 4], 1.0));
}

#[test]
fn birth_slots_run_in_the_fixed_order() {
    // Inputs stand backwards, and each draws.
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<3
        2 CreateParticleBlock colorDead<6 color<6 angle<4 scale<5 size<4 emitPower<4 lifeTime<4
        3 BoxShapeBlock particle<2 direction1=[0,0,0] direction2=[1,1,1] minEmitBox=[0,0,0] maxEmitBox=[1,1,1]
        4 ParticleRandomBlock {"lockMode":0}
        5 ParticleRandomBlock {"lockMode":0} min=[0,0] max=[1,1]
        6 ParticleRandomBlock {"lockMode":0} min=[0,0,0,0] max=[1,1,1,1]"#,
    );
    run.steps(1);
    let (life_time, power) = (draw(0), draw(1));
    assert_eq!(run.value(Field::LifeTime), life_time);
    assert_eq!(run.vector(Field::Position), [draw(2), draw(3), draw(4)]);
    assert_eq!(run.vector(Field::Direction), [5, 6, 7].map(|n| f32(draw(n) * power)));
    assert_eq!(run.value(Field::Size), draw(8));
    assert_eq!([0, 1].map(|axis| run.value(Field::Scale(axis))), [draw(9), draw(10)]);
    assert_eq!(run.value(Field::Angle), draw(11));
    assert_eq!(run.color(), [12, 13, 14, 15].map(draw));
    for (channel, name) in ["r", "g", "b", "a"].into_iter().enumerate() {
        let expected = f32((draw(16 + channel) - draw(12 + channel)) / life_time);
        assert_eq!(run.column(&format!("colorStep.{name}")), expected);
    }
    assert_eq!(run.draws, 20);
}

#[test]
fn births_beyond_the_capacity_draw_nothing() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1,"capacity":3} emitRate=10 particle<2
        2 CreateParticleBlock lifeTime=99 size<3
        3 ParticleRandomBlock {"lockMode":0}"#,
    );
    assert_eq!((run.steps(1).draws, run.alive()), (3, 3));
    assert_eq!(run.steps(2).draws, 3);
}

/// No emission, and no power: direction is cleared, not scaled; NaN does not stay.
#[test]
fn zero_power_clears_the_direction() {
    let text = |power: &str| {
        format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<3
            2 CreateParticleBlock emitPower={power}
            3 PointShapeBlock particle<2 direction1=[1e39,-1,0] direction2=[1e39,-1,0]"
        )
    };
    assert_eq!(Run::new(&text("0")).steps(1).vector(Field::Direction), [0.0; 3]);
    let direction = Run::new(&text("2")).steps(1).vector(Field::Direction);
    assert_eq!(direction, [f64::INFINITY, -2.0, 0.0]);
}

/// The last update sees the step cut to the rest of the life, and the age at the lifetime. What it
/// makes of the age decides: this particle lives on.
#[test]
fn the_last_step_is_shortened() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<6
        2 CreateParticleBlock lifeTime=1.25 color=[0,0,0,0] colorDead=[1.25,0,0,0]
        3 UpdateAngleBlock particle<2 angle<10
        4 UpdateSizeBlock particle<3 size<12/x
        5 UpdateScaleBlock particle<4 scale<14/xy
        6 UpdateAgeBlock particle<5 age<15
        10 ParticleInputBlock {"contextualValue":32}
        11 ParticleInputBlock {"contextualValue":23}
        12 ParticleConverterBlock color<11
        13 ParticleInputBlock {"contextualValue":3}
        14 ParticleConverterBlock x<13
        15 ParticleConditionBlock {"test":5} left<13 right=1.25 ifTrue=0.5 ifFalse<13"#,
    );
    run.steps(2);
    assert_eq!((run.value(Field::Angle), run.value(Field::Scale(0))), (1.0, 1.0));
    run.steps(1);
    assert_eq!(run.values(Field::Id)[0], 0.0, "it lives on");
    assert_eq!(run.value(Field::Angle), 0.25, "DirectionScale: the rest of the life");
    assert_eq!(run.value(Field::Size), 1.0, "ScaledColorStep: a step of the whole call");
    assert_eq!(run.value(Field::Scale(0)), 1.25, "the age is the lifetime");
    assert_eq!(run.value(Field::Age), 0.5);
}

/// Updates run once more in the call in which a particle dies.
#[test]
fn the_dead_are_updated_once_more() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate<5 particle<3
        2 CreateParticleBlock lifeTime=2
        3 UpdateAngleBlock particle<2 angle<4
        4 ParticleRandomBlock {"lockMode":0}
        5 ParticleConditionBlock {"test":0} left<6 ifTrue=1 ifFalse=0
        6 ParticleInputBlock {"systemSource":1}"#,
    );
    let seen: Vec<_> = (0..4).map(|_| (run.steps(1).draws, run.alive())).collect();
    assert_eq!(seen, [(0, 1), (1, 1), (2, 0), (2, 0)]);
}

/// The rate sees the time before the call advances it; births and updates see it after.
#[test]
fn time_has_its_phases() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate<5 particle<3
        2 CreateParticleBlock lifeTime=99 size<4
        3 UpdateAngleBlock particle<2 angle<4
        4 ParticleInputBlock {"systemSource":1}
        5 ParticleMathBlock left<4 right=1"#,
    );
    assert_eq!((run.steps(1).values(Field::Size), run.alive()), (vec![1.0], 1));
    assert_eq!(run.steps(1).values(Field::Size), [1.0, 2.0, 2.0]);
    assert_eq!(run.values(Field::Angle), [2.0, 0.0, 0.0]);
    // A call that was stopped before does not advance the time, but updates.
    run.system.stop();
    assert_eq!(run.steps(2).values(Field::Angle), [2.0; 3]);
    assert_eq!(run.alive(), 3);
    // A start resets it; the live stay.
    run.start();
    assert_eq!(run.steps(1).values(Field::Angle)[..3], [1.0; 3]);
    assert_eq!(run.alive(), 4, "the rate of time 0");
}

/// Delta is the whole call's step, known before the rate is asked.
#[test]
fn delta_is_known_to_the_rate() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":2} emitRate<4 particle<2
        2 CreateParticleBlock lifeTime=99 size<4
        4 ParticleInputBlock {"systemSource":2}"#,
    );
    assert_eq!(run.step(1.0).alive(), 4);
    assert_eq!(run.step(0.5).alive(), 5);
    assert_eq!(run.values(Field::Size), [2.0, 2.0, 2.0, 2.0, 1.0]);
}

/// f32 where the contract keeps f32, f64 where it keeps f64, and rounding at each store.
#[test]
fn numbers_are_kept_as_the_contract_keeps_them() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":0.1} emitRate=10 particle<3
        2 CreateParticleBlock lifeTime=0.7 size=0.1 angle=0.1 scale=0.1 color=[0.1,0,0,0.1] colorDead=[0.3,0,0,0] emitPower=3
        3 PointShapeBlock particle<2 direction1=[0.1,0,0] direction2=[0.1,0,0]"#,
    );
    run.steps(1);
    assert_eq!(run.value(Field::LifeTime), 0.7);
    for field in [Field::Size, Field::Angle, Field::Scale(0), Field::Scale(1), Field::Color(3)] {
        assert_eq!(run.value(field), f32(0.1), "{field}");
    }
    // Stored, then read back and multiplied, then stored.
    assert_eq!(run.value(Field::Direction(0)), f32(f32(0.1) * 3.0));
    assert_eq!(run.column("colorStep.r"), f32((0.3 - f32(0.1)) / 0.7));
    assert_eq!(run.steps(2).value(Field::Age), 0.1 + 0.1);
}

/// Zero lifetime divides by zero.
#[test]
fn no_division_is_guarded() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<2
        2 CreateParticleBlock lifeTime=0 angle<3 color=[0,0,1,1] colorDead=[1,0,0,1]
        3 ParticleInputBlock {"contextualValue":8}"#,
    );
    run.steps(1);
    assert!(run.value(Field::Angle).is_nan(), "AgeGradient is 0 / 0");
    assert_eq!(run.column("colorStep.r"), f64::INFINITY);
    assert!(run.column("colorStep.g").is_nan());
    assert_eq!(run.column("colorStep.b"), f64::NEG_INFINITY);
}

/// A root whose last record is of another class has the defaults of a system, and no stop: also where
/// something else, here a strength that is drawn once, has to be known before the first call.
#[test]
fn a_root_of_another_class_never_stops() {
    let run = |steps| {
        let mut run = Run::new(
            r#"4 SystemBlock
            2 CreateParticleBlock lifeTime=9
            4 UpdateNoiseBlock particle<2 noiseTexture<5/texture strength<6 targetStopDuration=1
            5 ParticleTextureSourceBlock {"url":"a.png"}
            6 ParticleRandomBlock min=[0,0,0] max=[1,1,1]"#,
        );
        assert!(run.system.instance.program().init.is_some());
        run.steps(steps).alive()
    };
    // Ten a second, and 0.0167 s a call.
    assert_eq!((run(120), run(240)), (20, 40));
}

/// A target stop that is no number counts as 0: never.
#[test]
fn a_stop_that_is_no_number_is_none() {
    let run = |stop: &str| {
        let mut run = Run::new(&format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<2 targetStopDuration<3
            2 CreateParticleBlock lifeTime=9
            3 {stop}"
        ));
        run.steps(5).alive()
    };
    assert_eq!(run("ParticleInputBlock {\"type\":2,\"value\":2}"), 2);
    assert_eq!(run("ParticleInputBlock {\"type\":8,\"value\":[2,2,2]}"), 5);
}
