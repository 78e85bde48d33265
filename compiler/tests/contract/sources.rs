//! Section 8: what sources give, and when they take it; local variables (section 9.31.6 and 9.31.7).

use pyrograph_compiler::ir::Field;

use crate::shorthand::{Run, draw, f32, program};

/// The capture stands before the emit power is applied.
#[test]
fn the_initial_direction_is_the_created_one() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<4
        2 CreateParticleBlock lifeTime=9 emitPower=4
        3 PointShapeBlock particle<2 direction1=[1,2,3] direction2=[1,2,3]
        4 UpdatePositionBlock particle<3 position<5
        5 ParticleInputBlock {"contextualValue":21}"#,
    );
    run.steps(2);
    assert_eq!(run.vector(Field::Direction), [4.0, 8.0, 12.0]);
    assert_eq!(run.vector(Field::Position), [1.0, 2.0, 3.0]);
}

/// The initial colour is taken before the dead colour is read. Where CreateParticle itself reads the
/// source, the source is built first and CreateParticle takes the slot over: nothing is captured.
#[test]
fn captures_wrap_the_slots_that_are_there() {
    let text = |shared: &str| {
        format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<4
            2 CreateParticleBlock lifeTime=9 color=[1,2,3,4] {shared}
            4 UpdatePositionBlock particle<2 position<6/xyz
            5 ParticleInputBlock {{\"contextualValue\":19}}
            6 ParticleConverterBlock color<5
            7 ParticleVectorLengthBlock input<5"
        )
    };
    assert_eq!(Run::new(&text("")).steps(2).vector(Field::Position), [1.0, 2.0, 3.0]);
    assert_eq!(Run::new(&text("angle<7")).steps(2).vector(Field::Position), [0.0; 3]);
}

#[test]
fn the_dead_color_is_recorded_as_it_was_read() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<4
        2 CreateParticleBlock lifeTime=9 colorDead<8
        4 UpdateColorBlock particle<2 color<5
        5 ParticleInputBlock {"contextualValue":20}
        8 ParticleRandomBlock {"lockMode":0} min=[0,0,0,0] max=[1,1,1,1]"#,
    );
    run.steps(2);
    assert_eq!(run.color(), [0, 1, 2, 3].map(draw));
}

#[test]
fn constants_of_all_types() {
    let length = |fields: &str| {
        let mut run = Run::new(&format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<2
            2 CreateParticleBlock size<3
            3 ParticleVectorLengthBlock input<4
            4 ParticleInputBlock {fields}"
        ));
        run.steps(1).value(Field::Size)
    };
    // Int and Float and unknown types are numbers, or 0 where the value is none.
    for ty in ["1", "2", "64", "\"8\""] {
        assert_eq!(length(&format!("{{\"type\":{ty},\"value\":3.5}}")), 3.5, "{ty}");
        assert_eq!(length(&format!("{{\"type\":{ty},\"value\":[3]}}")), 0.0, "{ty}");
    }
    assert_eq!(length("{\"value\":7}"), 7.0);
    assert_eq!(length(r#"{"type":4,"value":[3,4,9]}"#), 5.0);
    assert_eq!(length(r#"{"type":4,"value":[3]}"#), 3.0);
    assert_eq!(length(r#"{"type":8,"value":[2,3,6]}"#), 7.0);
    // Missing parts are 0, a missing alpha is 1.
    assert_eq!(length(r#"{"type":128,"value":[]}"#), 1.0);
    assert_eq!(length(r#"{"type":128,"value":[1,1,1]}"#), 2.0);
    // Particle, then system, then constant.
    assert_eq!(length(r#"{"contextualValue":4,"systemSource":2,"value":9}"#), 1.0, "lifetime");
    assert_eq!(length(r#"{"contextualValue":0,"systemSource":1,"value":9}"#), 1.0, "time");
    assert_eq!(length(r#"{"contextualValue":0,"systemSource":0,"value":9}"#), 9.0);
}

/// Local positions move by direction times step at each reading, but not at age 0.
#[test]
fn local_positions_move_when_they_are_read() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1,"isLocal":true} emitRate=1 particle<5
        2 CreateParticleBlock lifeTime=9 size<8
        3 PointShapeBlock particle<2 direction1=[1,0,0] direction2=[1,0,0]
        4 UpdatePositionBlock particle<3 position<6
        5 UpdateAngleBlock particle<4 angle<8
        6 ParticleInputBlock {"contextualValue":24}
        8 ParticleVectorLengthBlock input<6"#,
    );
    run.system.uniforms.emitter_matrix[13] = 10.0;
    // At birth it stands where the emitter is.
    assert_eq!(run.steps(1).value(Field::Size), 10.0);
    // The next call reads twice: 1, then 2 from the emitter.
    run.system.uniforms.emitter_matrix[13] = 0.0;
    assert_eq!(run.steps(1).value(Field::Angle), 2.0);
    assert_eq!(run.vector(Field::Position), [2.0, 0.0, 0.0]);
    // What is local follows the emitter.
    run.system.uniforms.emitter_matrix[13] = 3.0;
    run.steps(1);
    assert_eq!(run.vector(Field::Position), [4.0, 3.0, 0.0]);
}

/// The age decides whether a particle is new, not how often it was updated.
#[test]
fn local_positions_of_age_zero_stay() {
    let position = |age: f64| {
        let mut run = Run::new(&format!(
            "1 SystemBlock {{\"updateSpeed\":1,\"isLocal\":true}} emitRate=1 particle<5
            2 CreateParticleBlock lifeTime=9
            3 PointShapeBlock particle<2
            4 UpdateAgeBlock particle<3 age<7
            5 UpdatePositionBlock particle<4 position<6
            6 ParticleInputBlock {{\"contextualValue\":24}}
            7 ParticleInputBlock {{\"value\":{age}}}"
        ));
        run.steps(3).vector(Field::Position)
    };
    assert_eq!((position(0.5), position(0.0)), ([0.0, 2.0, 0.0], [0.0; 3]));
}

fn once_a_particle() -> Run {
    // Every second particle dies in the call after its birth.
    Run::new(
        r#"1 SystemBlock {"updateSpeed":1,"capacity":3} emitRate=1 particle<3
        2 CreateParticleBlock lifeTime<5 size<8
        3 UpdateAngleBlock particle<2 angle<8
        5 ParticleConditionBlock {"test":8} left<6 right=1 ifTrue=1 ifFalse=99
        6 ParticleNumberMathBlock left<7 right=2
        7 ParticleInputBlock {"systemSource":1}
        8 ParticleLocalVariableBlock {"scope":0} input<9
        9 ParticleRandomBlock {"lockMode":0}"#,
    )
}

/// One evaluation a particle, whoever reads it: it follows the particle through slots, id 0 is an
/// id, and a reused slot starts anew.
#[test]
fn a_particles_variable_follows_its_particle() {
    let mut run = once_a_particle();
    for calls in 1..=6 {
        run.steps(1);
        assert_eq!(run.draws, calls, "one a birth");
        let ids = run.values(Field::Id);
        let expected: Vec<f64> = ids.iter().map(|id| draw(*id as usize)).collect();
        assert_eq!(run.values(Field::Size), expected, "kept since birth");
        let old = ids.len() - 1;
        assert_eq!(run.values(Field::Angle)[..old], expected[..old], "and at updates");
    }
    // Those born at even times.
    assert_eq!(run.values(Field::Id), [1.0, 3.0, 5.0]);
}

/// One evaluation a started call: of ratio 0, stopped, or after a restart.
#[test]
fn a_calls_variable_lasts_for_the_call() {
    let text = r#"1 SystemBlock {"updateSpeed":1} emitRate<8 particle<4
        2 CreateParticleBlock lifeTime=99 size<8
        3 UpdateAngleBlock particle<2 angle<8
        4 UpdateSizeBlock particle<3 size<10
        8 ParticleLocalVariableBlock {"scope":1} input<9
        9 ParticleRandomBlock {"lockMode":0} min=1 max=2
        10 ParticleLocalVariableBlock input<8"#;
    let mut run = Run::new(text);
    run.steps(2);
    assert_eq!(run.draws, 2);
    let latest = 1.0 + draw(1);
    assert_eq!((run.value(Field::Angle), run.value(Field::Size)), (f32(latest), f32(latest)));
    assert_eq!(run.values(Field::Size)[1], f32(latest), "births of the call read the same");
    assert_eq!(run.step(0.0).draws, 3, "a call of no time is a call");
    run.system.stop();
    assert_eq!(run.steps(1).draws, 4, "a drain is a call");
    run.start();
    assert_eq!(run.draws, 4, "a start is none");
    assert_eq!(run.steps(1).draws, 5);
    // It is the system's: no column, and nothing that another system sees.
    assert!(program(text).columns.iter().all(|(_, column)| !column.name.starts_with("local")));
    assert_eq!(Run::new(text).steps(1).draws, 1);
}

/// An unstarted system does nothing at all.
#[test]
fn nothing_runs_before_the_start() {
    let module = pyrograph_compiler::lower_file(
        &crate::shorthand::file(
            "1 SystemBlock emitRate<3\n3 ParticleLocalVariableBlock input<4\n4 ParticleRandomBlock",
        ),
        pyrograph_compiler::ir::Profile::Exact,
    )
    .unwrap()
    .0;
    let module = std::sync::Arc::new(pyrograph_compiler::ir::validate(module).unwrap());
    let instance = pyrograph_compiler::interpret::Instance::new(module, 0).unwrap();
    let mut system = crate::driver::System::new(instance);
    system.animate(1.0, &mut || panic!("drawn")).unwrap();
    assert_eq!(system.uniforms.step, 0);
}

/// The shape that came first stays; a failure leaves what was kept.
#[test]
fn a_changed_shape_fails_and_keeps_the_snapshot() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate<4 particle<2
        2 CreateParticleBlock lifeTime=99 size<3
        3 ParticleVectorLengthBlock input<8
        4 ParticleConditionBlock {"test":2} left<5 right=2 ifTrue=1 ifFalse=0
        5 ParticleInputBlock {"systemSource":1}
        8 ParticleLocalVariableBlock {"scope":0} input<9
        9 ParticleConditionBlock {"test":0} left<5 right=1 ifTrue=0.5 ifFalse<10
        10 ParticleInputBlock {"type":4,"value":[3,4]}"#,
    );
    assert_eq!(run.steps(1).values(Field::Size), [0.5]);
    let error = run.try_step(1.0).unwrap_err();
    assert!(
        error.ends_with("NodeParticle: ParticleLocalVariableBlock 8 changed value type"),
        "{error}"
    );
    assert_eq!((run.alive(), run.values(Field::Size)), (1, vec![0.5]));
}

/// Sources 0x10 to 0x12 (row S1P-013) are 0 where no sprite sheet is set up.
#[test]
fn sprite_cells_without_a_sheet() {
    for source in ["16", "17", "18"] {
        let mut run = Run::new(&format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<3
            2 CreateParticleBlock lifeTime=9 angle=5
            3 UpdateAngleBlock particle<2 angle<4
            4 ParticleInputBlock {{\"contextualValue\":{source}}}"
        ));
        assert_eq!(run.steps(2).value(Field::Angle), 0.0, "{source}");
    }
}
