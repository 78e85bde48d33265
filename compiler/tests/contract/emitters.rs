//! Sections 9.3 to 9.9: what shapes do that recordings do not show.

use pyrograph_compiler::ir::Field;

use crate::shorthand::{Run, draw, f32};

fn point_system(is_local: bool, shape: &str) -> Run {
    Run::new(&format!(
        "1 SystemBlock {{\"updateSpeed\":1,\"isLocal\":{is_local}}} emitRate=1 particle<3
        2 CreateParticleBlock lifeTime=9
        3 {shape} particle<2"
    ))
}

const BOX: &str =
    "BoxShapeBlock minEmitBox=[2,3,4] maxEmitBox=[2,3,4] direction1=[0,1,2] direction2=[0,1,2]";

/// Positions are divided by w; directions are turned and stretched, not moved, divided or normalized.
#[test]
fn matrices_of_any_kind() {
    let matrix = [2., 0., 0., 0.5, 0., 3., 0., 0., 1., 0., 1., 0., 7., 8., 9., 2.];
    let w = 2.0 * 0.5 + 2.0;
    let position = [(2.0 * 2.0 + 4.0 + 7.0) / w, (3.0 * 3.0 + 8.0) / w, (4.0 + 9.0) / w];
    let mut world = point_system(false, BOX);
    world.system.uniforms.emitter_matrix = matrix;
    world.steps(1);
    for (found, expected) in world.vector(Field::Position).into_iter().zip(position) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    assert_eq!(world.vector(Field::Direction), [2.0, 3.0, 2.0]);
    // Local systems keep the direction.
    let mut local = point_system(true, BOX);
    local.system.uniforms.emitter_matrix = matrix;
    local.steps(1);
    assert_eq!(local.vector(Field::Position), world.vector(Field::Position));
    assert_eq!(local.vector(Field::Direction), [0.0, 1.0, 2.0]);
}

/// World births stay where they were born; the source tells where the emitter is now.
#[test]
fn births_see_the_matrix_of_their_call() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<4
        2 CreateParticleBlock lifeTime=9 size<6
        3 PointShapeBlock particle<2
        4 UpdateAngleBlock particle<3 angle<6
        5 ParticleInputBlock {"systemSource":3}
        6 ParticleVectorLengthBlock input<5"#,
    );
    for call in 1..=3 {
        run.system.uniforms.emitter_matrix[12] = f64::from(call);
        run.steps(1);
    }
    assert_eq!(run.values(Field::Position(0)), [1.0, 2.0, 3.0]);
    assert_eq!(run.values(Field::Size), [1.0, 2.0, 3.0]);
    assert_eq!(run.values(Field::Angle), [3.0, 3.0, 0.0]);
}

/// A matrix without an inverse counts as one that turns nothing (section 9.8). Three draws place the
/// particle; the direction draws once, for an azimuth that a randomizer of 0 then ignores.
#[test]
fn a_flat_emitter_has_an_inverse() {
    for determinant in [0.0, 1e-11] {
        let mut run = point_system(true, "CylinderShapeBlock");
        let matrix = &mut run.system.uniforms.emitter_matrix;
        // The inverse of the rest would undo the stretch along z.
        (matrix[5], matrix[10]) = (determinant / 2.0, 2.0);
        run.steps(1);
        assert_eq!(run.draws, 4);
        let [x, _, z] = run.vector(Field::Position);
        let length = x.hypot(z);
        let expected = [x / length, 0.0, z / length];
        for (found, expected) in run.vector(Field::Direction).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }
}

#[test]
fn cylinders_draw_as_often_as_they_say() {
    for (inputs, draws) in [
        ("directionRandomizer=0.5", 5),
        // No height, no range of radii.
        ("height=0 radiusRange=0", 2),
    ] {
        let mut run = point_system(false, &format!("CylinderShapeBlock {inputs}"));
        assert_eq!(run.steps(1).draws, draws, "{inputs}");
    }
}

const TRIANGLES: &str = r#""positions":[0,0,0,1,0,0,0,1,0,0,0,1],"indices":[0,1,2,0,1,3]"#;

fn mesh(fields: &str, data: &str) -> Run {
    let mut run = Run::new(&format!(
        "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<4
        2 CreateParticleBlock lifeTime=9 color=[9,9,9,9] colorDead=[0,0,0,0] emitPower=2
        3 MeshShapeBlock {{{fields}\"cachedVertexData\":{{{data}}}}} particle<2 direction1=[1,2,3] direction2=[1,2,3]
        4 UpdateScaleBlock particle<3 scale<6/xy
        5 ParticleInputBlock {{\"contextualValue\":21}}
        6 ParticleConverterBlock xyz<5"
    ));
    run.steps(2);
    run
}

#[test]
fn meshes_draw_face_and_weights() {
    let run = mesh("", TRIANGLES);
    // Draw 0 is below one half: the first face. Then u, and v of what u leaves.
    let (u, v) = (draw(1), draw(2) * (1.0 - draw(1)));
    let w = 1.0 - u - v;
    assert_eq!(run.vector(Field::Position), [f32(v), f32(w), 0.0]);
    // Without normals: ranges, and InitialDirection is theirs.
    assert_eq!(run.vector(Field::Direction), [2.0, 4.0, 6.0]);
    assert_eq!([0, 1].map(|axis| run.value(Field::Scale(axis))), [1.0, 2.0]);
    assert_eq!(run.color(), [9.0; 4]);
}

#[test]
fn normals_and_colors_of_meshes() {
    let data = format!(
        r#"{TRIANGLES},"normals":[0,2,0,0,2,0,0,2,0,0,2,0],"colors":[1,2,3,4,1,2,3,4,1,2,3,4,1,2,3,4]"#
    );
    let near = |found: [f64; 4], expected: [f64; 4]| {
        found.into_iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6)
    };
    // Normals are not normalized; InitialDirection reads zero, although the direction is not.
    let run = mesh("", &data);
    assert!((run.value(Field::Direction(1)) - 4.0).abs() < 1e-6);
    assert_eq!([0, 1].map(|axis| run.value(Field::Scale(axis))), [0.0, 0.0]);
    assert!(near(run.color(), [9.0; 4]), "colours are asked for");
    let run = mesh("\"useMeshColorForColor\":true,\"useMeshNormalsForDirection\":false,", &data);
    assert_eq!(run.vector(Field::Direction), [2.0, 4.0, 6.0]);
    assert!(near(run.color(), [1.0, 2.0, 3.0, 4.0]));
    // Colour steps start from the mesh's colour.
    assert!((run.column("colorStep.b") + 3.0 / 9.0).abs() < 1e-6);
}

#[test]
fn meshes_without_geometry_install_nothing() {
    for data in [r#""positions":[0,0,0]"#, r#""indices":[0,0,0]"#, ""] {
        let run = mesh("\"useMeshColorForColor\":true,", data);
        assert_eq!(run.vector(Field::Position), [0.0; 3]);
        assert_eq!((run.vector(Field::Direction), run.draws), ([0.0; 3], 0));
        assert_eq!(run.color(), [9.0; 4]);
    }
}

/// An index is a key of an array: what is none finds no number.
#[test]
fn corners_that_no_mesh_has() {
    for index in ["-1", "0.5", "1.5", "4", "4294967296", "1e300"] {
        let data =
            format!(r#""positions":[0,0,0,1,0,0,0,1,0,0,0,1],"indices":[0,1,{index},0,1,{index}]"#);
        let run = mesh("", &data);
        assert!(run.vector(Field::Position).iter().all(|axis| axis.is_nan()), "{index}");
    }
}

/// Both direction ports must be connected before they count (section 9.3).
#[test]
fn one_direction_is_none() {
    let direction = |inputs: &str| {
        let mut run = Run::new(&format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<3
            2 CreateParticleBlock lifeTime=9
            3 SphereShapeBlock particle<2 radiusRange=0 {inputs}
            4 ParticleInputBlock {{\"type\":8,\"value\":[5,6,7]}}"
        ));
        run.steps(1);
        (run.vector(Field::Position), run.vector(Field::Direction))
    };
    let (position, implicit) = direction("");
    assert!(position.iter().zip(implicit).all(|(p, d)| (p - d).abs() < 1e-6), "outwards");
    assert_eq!(direction("direction1<4").1, implicit);
    assert_eq!(direction("direction1<4 direction2=[5,6,7]").1, implicit);
    assert_eq!(direction("direction1<4 direction2<4").1, [5.0, 6.0, 7.0]);
}
