//! What real files have beyond the contract (rows S1P).

use pyrograph_compiler::ir::{Field, Profile};
use pyrograph_compiler::{MissingBlendMode, Options, compile};

use crate::shorthand::{Run, draw, f32, file};

/// Position and direction are what the graph gives, through the emitter's matrix; a local system keeps
/// the direction, and its position can be read as a local one.
#[test]
fn custom_shapes_emit_what_the_graph_gives() {
    let run = |is_local: bool| {
        let source = if is_local { 24 } else { 1 };
        let mut run = Run::new(&format!(
            "1 SystemBlock {{\"updateSpeed\":1,\"isLocal\":{is_local}}} emitRate=1 particle<4
            2 CreateParticleBlock lifeTime=9
            3 CustomShapeBlock direction<7 position<6 particle<2
            4 UpdatePositionBlock particle<3 position<5
            5 ParticleInputBlock {{\"contextualValue\":{source}}}
            6 ParticleRandomBlock {{\"lockMode\":0}} min=[0,0,0] max=[1,1,1]
            7 ParticleRandomBlock {{\"lockMode\":0}} min=[0,0,0] max=[1,1,1]"
        ));
        let matrix = &mut run.system.uniforms.emitter_matrix;
        (matrix[0], matrix[12]) = (2.0, 10.0);
        run.steps(1);
        run
    };
    let place = |x: f64| f32(2.0 * x + 10.0);
    let mut world = run(false);
    assert_eq!(world.vector(Field::Position), [place(draw(0)), draw(1), draw(2)]);
    assert_eq!(world.vector(Field::Direction), [f32(2.0 * draw(3)), draw(4), draw(5)]);
    assert_eq!(world.steps(1).value(Field::Position(0)), place(draw(0)));
    let mut local = run(true);
    assert_eq!(local.vector(Field::Position), [place(draw(0)), draw(1), draw(2)]);
    assert_eq!(local.vector(Field::Direction), [draw(3), draw(4), draw(5)]);
    assert_eq!(local.steps(1).value(Field::Position(0)), place(draw(0) + draw(3)));
}

/// A record without blend mode is drawn as the contract says, or as the editor's class would.
#[test]
fn a_missing_blend_mode_is_the_callers_choice() {
    let bytes = file(
        r#"1 SystemBlock
        2 SystemBlock {"blendMode":3}
        3 SystemBlock {"blendMode":"1"}
        4 SystemBlock
        4 CreateParticleBlock"#,
    );
    let modes = |missing_blend_mode| {
        let options = Options { missing_blend_mode, ..Options::new(Profile::Exact) };
        let module = compile(&bytes, &options).unwrap().module;
        module.programs.iter().map(|program| program.render.blend_mode).collect::<Vec<_>>()
    };
    assert_eq!(Options::default().missing_blend_mode, MissingBlendMode::Contract);
    // The last root is of another class by now and keeps what a new system has.
    assert_eq!(modes(MissingBlendMode::Contract), [2.0, 3.0, 2.0, 2.0]);
    assert_eq!(modes(MissingBlendMode::Editor), [0.0, 3.0, 0.0, 2.0]);
}
