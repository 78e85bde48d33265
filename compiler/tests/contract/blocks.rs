//! Sections 9.10 to 9.30: what blocks compute where recordings do not reach.

use pyrograph_compiler::ir::Field;

use crate::shorthand::{Run, draw, f32};

/// The system of a birth whose size is `output` of block 3, and which block 3 may read the blocks behind.
fn born(blocks: &str) -> Run {
    let mut run = Run::new(&format!(
        "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<2
        2 CreateParticleBlock lifeTime=9 size<3
        3 {blocks}"
    ));
    run.steps(1);
    run
}

fn size(blocks: &str) -> f64 {
    born(blocks).value(Field::Size)
}

/// What a value of any shape is, as direction; blocks from 5 on.
fn vector(blocks: &str) -> [f64; 3] {
    let mut run = Run::new(&format!(
        "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<3
        2 CreateParticleBlock lifeTime=9
        3 UpdateDirectionBlock particle<2 direction<5
        5 {blocks}"
    ));
    run.steps(2).vector(Field::Direction)
}

#[test]
fn math_on_numbers() {
    let math = |fields: &str, left: &str, right: &str| {
        size(&format!("ParticleMathBlock {fields} left={left} right={right}"))
    };
    for (operation, expected) in [
        ("{}", 5.5),
        ("{\"operation\":0}", 5.5),
        ("{\"operation\":1}", 3.5),
        ("{\"operation\":2}", 4.5),
        ("{\"operation\":3}", 4.5),
        ("{\"operation\":4}", 4.5),
        ("{\"operation\":5}", 1.0),
        ("{\"operation\":6}", 4.5),
        ("{\"operation\":-1}", 4.5),
        ("{\"operation\":0.5}", 4.5),
    ] {
        assert_eq!(math(operation, "4.5", "1"), expected, "{operation}");
    }
    assert_eq!(math("{\"operation\":3}", "1", "0"), f64::INFINITY);
    assert!(math("{\"operation\":3}", "0", "0").is_nan());
    // Math.max and Math.min know NaN and the sign of zero.
    let nan = "left<4 right=1\n4 ParticleMathBlock {\"operation\":3} left=0 right=0";
    for operation in [4, 5] {
        let block = format!("ParticleMathBlock {{\"operation\":{operation}}} {nan}");
        assert!(size(&block).is_nan());
    }
    assert!(math("{\"operation\":4}", "-0.0", "0").is_sign_positive());
    assert!(math("{\"operation\":5}", "0", "-0.0").is_sign_negative());
}

#[test]
fn math_splats_numbers() {
    let blocks = |operation: u8, left: &str, right: &str| {
        vector(&format!(
            "ParticleMathBlock {{\"operation\":{operation}}} left={left} right={right}"
        ))
    };
    assert_eq!(blocks(1, "[1,2,3]", "1"), [0.0, 1.0, 2.0]);
    assert_eq!(blocks(1, "1", "[1,2,3]"), [0.0, -1.0, -2.0]);
    assert_eq!(blocks(2, "[1,2,3]", "[4,5,6]"), [4.0, 10.0, 18.0]);
    // No such operation: the left component, in the shape of the vector.
    assert_eq!(blocks(9, "7", "[1,2,3]"), [7.0; 3]);
    assert_eq!(blocks(9, "[1,2,3]", "7"), [1.0, 2.0, 3.0]);
}

/// Both operands are one volatile vector: each is read once, left before right.
#[test]
fn math_copies_the_left_operand() {
    let found = vector(
        r#"ParticleMathBlock {"operation":1} left<6 right<6
        6 ParticleRandomBlock {"lockMode":0} min=[0,0,0] max=[1,1,1]"#,
    );
    assert_eq!(found, [0, 1, 2].map(|n| draw(n) - draw(n + 3)));
}

#[test]
fn lerp_extrapolates() {
    let lerp = |rest: &str| vector(&format!("ParticleLerpBlock left=[1,2,3] right=[2,4,7] {rest}"));
    assert_eq!(lerp(""), [1.0, 2.0, 3.0]);
    assert_eq!(lerp("gradient=2"), [3.0, 6.0, 11.0]);
    assert_eq!(lerp("gradient=-1"), [0.0, 0.0, -1.0]);
    assert_eq!(size("ParticleLerpBlock left=1 right=3 gradient=1.5"), 4.0);
    // A right side of another shape counts as 0.
    assert_eq!(vector("ParticleLerpBlock left=[2,4,6] right=9 gradient=0.5"), [1.0, 2.0, 3.0]);
}

#[test]
fn converters_take_the_larger_parts_last() {
    let parts = |inputs: &str| {
        let mut run = Run::new(&format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<3
            2 CreateParticleBlock lifeTime=9
            3 UpdateColorBlock particle<2 color<5/color
            5 ParticleConverterBlock {inputs}
            10 ParticleInputBlock {{\"value\":1}}
            11 ParticleInputBlock {{\"type\":4,\"value\":[2,3]}}
            12 ParticleInputBlock {{\"type\":8,\"value\":[4,5,6]}}
            13 ParticleInputBlock {{\"type\":128,\"value\":[7,8,9,0.5]}}"
        ));
        run.steps(2).color()
    };
    assert_eq!(parts("x<10 w<10"), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(parts("xy<11 x<10 zw<11 w<10"), [2.0, 3.0, 2.0, 3.0]);
    assert_eq!(parts("xyz<12 xy<11 zw<11 x<10"), [4.0, 5.0, 6.0, 3.0]);
    assert_eq!(parts("x<10 xyz<12 color<13"), [7.0, 8.0, 9.0, 0.5]);
    // Literals do not count.
    assert_eq!(parts("x=3 y<10 color=[1,1,1,1]"), [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn gradients_without_or_with_one_stop() {
    assert_eq!(size("ParticleGradientBlock gradient=0.5"), 0.0);
    let one = |gradient: &str| {
        let stop = "4 ParticleGradientValueBlock {\"reference\":0.5} value=3";
        size(&format!("ParticleGradientBlock gradient={gradient} value0<4\n{stop}"))
    };
    assert_eq!((one("0"), one("0.5"), one("9")), (3.0, 3.0, 3.0));
    let two = |gradient: &str| {
        size(&format!(
            "ParticleGradientBlock {gradient} value0<4 value1<5
            4 ParticleGradientValueBlock {{\"reference\":0.5}} value=3
            5 ParticleGradientValueBlock {{\"reference\":\"0.75\"}} value=1"
        ))
    };
    // A reference that is no number is 0, so that the second stop is the first.
    assert_eq!((two("gradient=-0.1"), two("gradient=0"), two("gradient=0.25")), (0.0, 1.0, 2.0));
    assert_eq!((two("gradient=0.5"), two("gradient=7"), two("")), (3.0, 3.0, 3.0));
}

#[test]
fn conditions_evaluate_one_branch() {
    let run = |test: &str| {
        born(&format!(
            "ParticleConditionBlock {{{test}\"epsilon\":0.5}} left=1 right=1.5 ifTrue<4 ifFalse<5
            4 ParticleRandomBlock {{\"lockMode\":0}} min=10 max=11
            5 ParticleRandomBlock {{\"lockMode\":0}} min=[20,20] max=[21,21]"
        ))
    };
    // Equal, with the epsilon; no test at all is the same.
    for (test, is_true) in [
        ("", true),
        ("\"test\":0,", true),
        ("\"test\":1,", false),
        ("\"test\":2,", true),
        ("\"test\":3,", false),
        ("\"test\":4,", true),
        ("\"test\":5,", true),
        ("\"test\":6,", false),
        ("\"test\":7,", true),
        ("\"test\":8,", true),
        ("\"test\":9,", false),
        ("\"test\":0.5,", false),
    ] {
        let run = run(test);
        // A number draws once, a vector twice, and a vector is no size.
        assert_eq!(run.draws, if is_true { 1 } else { 2 }, "{test}");
        assert_eq!(
            run.value(Field::Size),
            if is_true { f32(10.0 + draw(0)) } else { 1.0 },
            "{test}"
        );
    }
    assert_eq!(size("ParticleConditionBlock left=0 right=0"), 1.0);
    assert_eq!(size("ParticleConditionBlock left=0 right=1"), 0.0);
}

#[test]
fn rounding_is_javascripts() {
    let round = |fields: &str, input: &str| {
        size(&format!("ParticleFloatToIntBlock {fields} input={input}"))
    };
    for fields in ["{}", "{\"operation\":0}", "{\"operation\":4}", "{\"operation\":\"1\"}"] {
        assert_eq!(round(fields, "2.5"), 3.0, "{fields}");
        assert_eq!(round(fields, "-2.5"), -2.0, "{fields}");
    }
    assert_eq!(round("{\"operation\":1}", "-2.5"), -2.0);
    assert_eq!(round("{\"operation\":2}", "-2.5"), -3.0);
    assert_eq!(round("{\"operation\":3}", "-2.5"), -2.0);
    assert_eq!(round("{}", ""), 0.0);
}

#[test]
fn lengths_of_all_shapes() {
    let length = |value: &str| size(&format!("ParticleVectorLengthBlock input={value}"));
    assert_eq!(length("-2"), 2.0);
    assert_eq!(length("[3,4]"), 5.0);
    assert_eq!(length("[2,3,-6]"), 7.0);
    assert_eq!(length("[1,-1,1,1]"), 2.0);
}

/// Each of them writes only what a wire gives.
#[test]
fn updates_do_nothing_with_literals() {
    for (class, input, literal) in [
        ("UpdatePositionBlock", "position", "[1,2,3]"),
        ("UpdateDirectionBlock", "direction", "[1,2,3]"),
        ("UpdateColorBlock", "color", "[0,0,0,0]"),
        ("UpdateAngleBlock", "angle", "3"),
        ("UpdateSizeBlock", "size", "3"),
        ("UpdateScaleBlock", "scale", "[3,3]"),
        ("UpdateAgeBlock", "age", "100"),
        ("UpdateSpriteCellIndexBlock", "cellIndex", "3"),
    ] {
        let mut run = Run::new(&format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<4
            2 CreateParticleBlock lifeTime=9 size=0.5
            3 PointShapeBlock particle<2
            4 {class} particle<3 {input}={literal}"
        ));
        run.steps(2);
        assert_eq!(run.vector(Field::Position), [0.0; 3], "{class}");
        assert_eq!(run.vector(Field::Direction), [0.0, 1.0, 0.0], "{class}");
        assert_eq!((run.color(), run.value(Field::Angle)), ([1.0; 4], 0.0), "{class}");
        assert_eq!((run.value(Field::Size), run.value(Field::Scale(0))), (0.5, 1.0), "{class}");
        assert_eq!((run.value(Field::Age), run.value(Field::CellIndex)), (1.0, 0.0), "{class}");
    }
}

fn attracted(inputs: &str) -> Run {
    let mut run = Run::new(&format!(
        "1 SystemBlock {{\"updateSpeed\":0.5}} emitRate=2 particle<3
        2 CreateParticleBlock lifeTime=9
        3 UpdateAttractorBlock particle<2 {inputs}
        4 ParticleRandomBlock {{\"lockMode\":0}} min=[0,0,0] max=[1,1,1]
        5 ParticleRandomBlock {{\"lockMode\":0}} min=0 max=1024"
    ));
    run.steps(2);
    run
}

/// Softened inverse square, of the attractor first and the strength second.
#[test]
fn attractors_pull() {
    // Towards (3, 0, 4): 25 away squared, 5 away.
    let pull = |strength: f64| {
        let scale = strength * 0.5 / ((25.0 + 1.0) * 5.0);
        [f32(3.0 * scale), 0.0, f32(4.0 * scale)]
    };
    assert_eq!(attracted("attractor=[3,0,4]").vector(Field::Direction), pull(1.0));
    assert_eq!(attracted("attractor=[3,0,4] strength=-2").vector(Field::Direction), pull(-2.0));
    // The default place is the particle's own: no force, and no division by zero.
    assert_eq!(attracted("strength=5").vector(Field::Direction), [0.0; 3]);
    let run = attracted("strength<5 attractor<4");
    let offset = [draw(0), draw(1), draw(2)];
    let squared: f64 = offset.iter().map(|part| part * part).sum();
    let scale = 1024.0 * draw(3) * 0.5 / ((squared + 1.0) * squared.sqrt());
    for (found, part) in run.vector(Field::Direction).into_iter().zip(offset) {
        assert!((found - part * scale).abs() < 1e-6 * (part * scale).abs(), "{found}");
    }
    assert_eq!(run.draws, 4);
}

/// The last step of a life is short for forces too.
#[test]
fn attractors_pull_no_longer_than_a_life() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<4
        2 CreateParticleBlock lifeTime=0.25
        3 UpdateAttractorBlock particle<2 attractor=[1,0,0]
        4 UpdateAgeBlock particle<3 age<5
        5 ParticleInputBlock {"value":0}"#,
    );
    run.steps(2);
    assert_eq!(run.value(Field::Direction(0)), 0.25 / 2.0);
}

#[test]
fn sheets_count_cells() {
    let cells = |fields: &str| {
        let mut run = Run::new(&format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<4
            2 CreateParticleBlock lifeTime=4
            3 SetupSpriteSheetBlock {fields} particle<2
            4 BasicSpriteUpdateBlock particle<3"
        ));
        (0..4).map(|_| run.steps(1).value(Field::CellIndex)).collect::<Vec<_>>()
    };
    // One of four cells each quarter of a life.
    assert_eq!(cells(r#"{"start":2,"end":5}"#), [2.0, 3.0, 4.0, 5.0]);
    // Three times as fast: ratios 0.75, 1.5 and 2.25 wrap, or stop at 1.
    assert_eq!(cells(r#"{"start":2,"end":5,"spriteCellChangeSpeed":3}"#), [2.0, 5.0, 4.0, 3.0]);
    assert_eq!(
        cells(r#"{"start":2,"end":5,"spriteCellChangeSpeed":3,"loop":false}"#),
        [2.0, 5.0, 6.0, 6.0]
    );
    // Cut towards 0, then 16 bits without a sign.
    assert_eq!(cells(r#"{"start":-5,"end":-5}"#), [65531.0, 65532.0, 65532.0, 65532.0]);
    // A first cell is stored as it is; it runs backwards where the end comes first.
    assert_eq!(cells(r#"{"start":5,"end":0}"#), [5.0, 4.0, 3.0, 2.0]);
}

/// A random start is drawn at the first update and shifts the age.
#[test]
fn sheets_start_at_random() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<4
        2 CreateParticleBlock lifeTime=4
        3 SetupSpriteSheetBlock {"start":1,"end":4096,"randomStartCell":true} particle<2
        4 BasicSpriteUpdateBlock particle<3"#,
    );
    assert_eq!((run.steps(1).value(Field::CellIndex), run.draws), (1.0, 0));
    let offset = f32(draw(0) * 4.0);
    let cell = |age: f64| (1.0 + (age + offset) % 4.0 / 4.0 * 4096.0).trunc();
    assert_eq!((run.steps(1).value(Field::CellIndex), run.draws), (cell(1.0), 1));
    assert_eq!((run.steps(1).value(Field::CellIndex), run.draws), (cell(2.0), 2));
}
