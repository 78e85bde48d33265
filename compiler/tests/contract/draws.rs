//! How often a Random block draws (section 9.11): counted, for each lock and each pair of readers.

use pyrograph_compiler::diagnostic::Code;
use pyrograph_compiler::emit::decisions::Decisions;
use pyrograph_compiler::emit::usage::Usage;
use pyrograph_compiler::ir::{Field, Profile, validate};
use pyrograph_compiler::lower_file;

use crate::shorthand::{Run, draw, f32, file, lowered};

const STEPS: usize = 3;

/// Two births a step, and nobody dies: ids 0 and 1 are born in the first call, 0 to 3 updated in the
/// third. Block 9 is the Random block, whose bounds are equal so that it may serve as rate.
fn two_readers(readers: &str, lock: u8) -> String {
    let mut system = r#"1 SystemBlock {"updateSpeed":1} emitRate=2 particle<3"#.to_owned();
    let mut create = "2 CreateParticleBlock lifeTime=100".to_owned();
    let mut update =
        "3 UpdateAngleBlock particle<4 angle=\n4 UpdateSizeBlock particle<2 size=".to_owned();
    for reader in readers.split('+') {
        match reader {
            "rate" => system = system.replace("emitRate=2", "emitRate<9"),
            "rate twice" => system = system.replace("emitRate=2", "emitRate<8"),
            "stop" => system += " targetStopDuration<9",
            "birth" => create += " size<9",
            "birth too" => create += " angle<9",
            "update" => update = update.replace("angle=", "angle<9"),
            "update too" => update = update.replace("size=", "size<9"),
            other => panic!("{other}"),
        }
    }
    let bounds = if readers == "rate twice" { 1 } else { 2 };
    format!(
        "{system}\n{create}\n{update}
        8 ParticleMathBlock left<9 right<9
        9 ParticleRandomBlock {{\"lockMode\":{lock}}} min={bounds} max={bounds}"
    )
}

/// What locks 0, 1, 2, 3 and a number that is no lock draw, in three calls.
///
/// The reads in order, by particle id, a call between bars; system inputs read slot 0, which is
/// particle 0 even before it is born.
const COUNTS: [(&str, [usize; 5]); 7] = [
    // 0 0 1 1 | 2 2 3 3 | 4 4 5 5
    ("birth+birth too", [12, 6, 1, 6, 0]),
    // 0 1 | 0 1 2 3 | 0 1 2 3 4 5
    ("birth+update", [12, 12, 1, 6, 0]),
    // | 0 0 1 1 | 0 0 1 1 2 2 3 3
    ("update+update too", [12, 6, 1, 4, 0]),
    // 0 0 1 | 0 2 3 | 0 4 5
    ("rate+birth", [9, 8, 1, 6, 0]),
    // 0 | 0 0 1 | 0 0 1 2 3
    ("rate+update", [9, 6, 1, 4, 0]),
    // 0 0 | 0 0 | 0 0
    ("rate twice", [6, 1, 1, 1, 0]),
    // 0, at the first call, then 0 | 0 | 0
    ("rate+stop", [4, 1, 1, 1, 0]),
];

#[test]
fn one_random_block_with_two_readers() {
    for (readers, counts) in COUNTS {
        for (lock, count) in [0, 1, 2, 3, 7].into_iter().zip(counts) {
            let text = two_readers(readers, lock);
            for mut run in [Run::new(&text), Run::optimized(&text)] {
                run.steps(STEPS);
                assert_eq!(run.draws, count, "{readers}, lock {lock}");
            }
        }
    }
}

/// Parallel hashes: the stream is not read, and locked values agree where Exact's do.
#[test]
fn parallel_draws_nothing_from_the_stream() {
    for (readers, _) in COUNTS {
        for lock in [0, 1, 2, 3] {
            let module = lowered(&two_readers(readers, lock), Profile::Parallel);
            let mut run = Run::of(validate(module).unwrap());
            run.steps(STEPS);
            assert_eq!(run.draws, 0, "{readers}, lock {lock}");
        }
    }
}

#[test]
fn readers_of_a_locked_value_agree() {
    let text = |lock| {
        format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<2
            2 CreateParticleBlock lifeTime=100 size<9 angle<9
            9 ParticleRandomBlock {{\"lockMode\":{lock}}}"
        )
    };
    for (lock, (size, angle)) in [(0, 1), (0, 0), (0, 0), (0, 0)].into_iter().enumerate() {
        let mut run = Run::new(&text(lock));
        run.steps(1);
        assert_eq!(run.value(Field::Size), draw(size), "lock {lock}");
        assert_eq!(run.value(Field::Angle), draw(angle), "lock {lock}");
    }
    let mut run = Run::new(&text(7));
    assert_eq!(run.steps(1).value(Field::Size), 0.0, "no lock: the value that was never drawn");
}

/// A read of another particle in between makes PerParticle forget: A-B-A draws three times.
#[test]
fn a_lock_per_particle_remembers_one_particle() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=2 particle<3
        2 CreateParticleBlock lifeTime=100 size<9
        3 UpdateAngleBlock particle<2 angle<9
        9 ParticleRandomBlock {"lockMode":1}"#,
    );
    run.steps(2);
    assert_eq!(run.values(Field::Size)[..2], [draw(0), draw(1)], "at birth");
    assert_eq!(run.values(Field::Angle)[..2], [draw(2), draw(3)], "at the update, drawn again");
}

/// OncePerParticle goes with the particle, whatever its slot; a reused slot draws anew.
#[test]
fn a_value_drawn_once_moves_with_its_particle() {
    // Particle 0 dies in the third call; the last one moves into its slot.
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<3
        2 CreateParticleBlock lifeTime<5 size<9
        3 UpdateAngleBlock particle<2 angle<9
        5 ParticleConditionBlock {"test":0} left<6 right=1 ifTrue=1.5 ifFalse=100
        6 ParticleInputBlock {"systemSource":1}
        9 ParticleRandomBlock {"lockMode":3}"#,
    );
    run.steps(3);
    assert_eq!(run.values(Field::Id), [1.0, 2.0]);
    assert_eq!(run.values(Field::Size), [draw(1), draw(2)]);
    run.steps(1);
    assert_eq!(run.values(Field::Angle)[..2], [draw(1), draw(2)]);
    assert_eq!(run.draws, 4, "one a particle");
}

#[test]
fn every_component_draws_even_between_equal_bounds() {
    for (bound, components) in [("3", 1), ("[1,2]", 2), ("[1,2,3]", 3), ("[1,2,3,4]", 4)] {
        for lock in [0, 3] {
            let text = format!(
                "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<2
                2 CreateParticleBlock lifeTime=100 size<8
                8 ParticleVectorLengthBlock input<9
                9 ParticleRandomBlock {{\"lockMode\":{lock}}} min={bound} max={bound}"
            );
            let mut run = Run::new(&text);
            run.steps(1);
            assert_eq!(run.draws, components, "{bound}, lock {lock}");
        }
    }
}

/// Shapes do not draw between equal bounds (section 5.7).
#[test]
fn ranges_of_shapes_skip_equal_bounds() {
    let text = |max: &str| {
        format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<3
            2 CreateParticleBlock lifeTime=100
            3 BoxShapeBlock particle<2 minEmitBox=[0,1,2] maxEmitBox={max}"
        )
    };
    for (max, draws) in [("[0,1,2]", 0), ("[0,5,2]", 1), ("[4,5,6]", 3)] {
        let mut run = Run::new(&text(max));
        assert_eq!(run.steps(1).draws, draws, "{max}");
    }
    let mut run = Run::new(&text("[0,5,2]"));
    run.steps(1);
    assert_eq!(run.vector(Field::Position), [0.0, f32(draw(0) * 4.0 + 1.0), 2.0]);
}

/// A maximum of another shape has 0 where it has no component.
#[test]
fn the_minimum_decides_the_shape() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<3
        2 CreateParticleBlock lifeTime=100
        3 UpdateDirectionBlock particle<2 direction<9
        9 ParticleRandomBlock {"lockMode":0} min=[1,2,4] max=[8,8]"#,
    );
    run.steps(2);
    let expected = [1.0 + draw(0) * 7.0, 2.0 + draw(1) * 6.0, 4.0 + draw(2) * -4.0];
    assert_eq!(run.vector(Field::Direction), expected.map(f32));
}

/// Min and max may be one volatile value: the minimum is copied before the maximum is read.
#[test]
fn the_minimum_is_kept_while_the_maximum_is_read() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<2
        2 CreateParticleBlock lifeTime=100 size<8
        8 ParticleRandomBlock {"lockMode":0} min<9 max<9
        9 ParticleRandomBlock {"lockMode":0}"#,
    );
    run.steps(1);
    let [min, max, unit] = [draw(0), draw(1), draw(2)];
    assert_eq!(run.value(Field::Size), f32(min + unit * (max - min)));
}

/// In Parallel, what the whole system shares may have bounds that change, if no particle decides them;
/// each system that is refused is told.
#[test]
fn parallel_shares_what_no_particle_decides() {
    let system = |id: usize, source: &str| {
        let [root, create, update, random, bound] = [id, id + 1, id + 2, id + 3, id + 4];
        format!(
            "{root} SystemBlock particle<{update}
            {create} CreateParticleBlock
            {update} UpdateAngleBlock particle<{create} angle<{random}
            {random} ParticleRandomBlock {{\"lockMode\":2}} max<{bound}
            {bound} ParticleInputBlock {{{source}}}\n"
        )
    };
    let (time, age) = ("\"systemSource\":1", "\"contextualValue\":3");
    let drawn = lowered(&system(1, time), Profile::Parallel);
    assert!(drawn.programs[0].prepare.is_some());
    let refused = lower_file(&file(&(system(1, age) + &system(11, age))), Profile::Parallel);
    let refused = refused.unwrap_err();
    let codes: Vec<Code> = refused.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::NoForm; 2], "{refused}");
}

/// Outside of its domain a function jumps, so that such a choice is a decision, unlike those within.
#[test]
fn the_border_of_a_domain_is_a_decision() {
    let module = lowered(
        "1 SystemBlock particle<3
        2 CreateParticleBlock
        3 UpdateAngleBlock particle<2 angle<4
        4 ParticleTrigonometryBlock {\"operation\":12} input<5
        5 ParticleInputBlock {\"contextualValue\":8}",
        Profile::Parallel,
    );
    let program = &module.programs[0];
    let usage = Usage::of_particle_bodies(program);
    let decisions = Decisions::of_particle_bodies(program, &usage);
    let places: Vec<String> =
        decisions.inexact.iter().map(|decision| decision.place.name(program)).collect();
    assert!(places.contains(&"function arc_cosine".to_owned()), "{places:?}");
    assert!(!places.contains(&"function arc_cosine_inside".to_owned()), "{places:?}");
}
