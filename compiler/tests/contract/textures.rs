//! Sections 9.20, 9.24 and 9.25: pictures that updates read.

use pyrograph_compiler::interpret::{Camera, Texels};
use pyrograph_compiler::ir::{Field, Handle};

use crate::shorthand::{Run, draw, f32, program};

const IDENTITY: [f64; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

fn source(fields: &str) -> String {
    format!(
        "1 SystemBlock particle<3 texture<4/texture
        2 CreateParticleBlock
        3 UpdateNoiseBlock particle<2 noiseTexture<4/texture
        4 ParticleTextureSourceBlock {fields}"
    )
}

/// Where a CPU reads, data comes before an address, and rows turn where `invertY` is true.
#[test]
fn addresses_of_pictures() {
    let picture = |fields: &str| {
        let program = program(&source(fields));
        let (_, texture) = program.textures.iter().next().unwrap();
        (texture.url.clone(), texture.flip)
    };
    assert_eq!(picture(r#"{"url":"a.png","textureDataUrl":"data:,b"}"#), ("data:,b".into(), true));
    assert_eq!(picture(r#"{"url":"a.png","textureDataUrl":""}"#), ("a.png".into(), true));
    assert_eq!(picture(r#"{"url":"a.png","textureDataUrl":7}"#), ("a.png".into(), true));
    assert_eq!(picture(r#"{"url":null,"invertY":false}"#), (String::new(), false));
    assert_eq!(picture(r#"{"serializedCachedData":true,"invertY":0}"#), (String::new(), true));
}

/// One block gives one picture, however many read it.
#[test]
fn a_picture_is_loaded_once() {
    let program = program(
        r#"1 SystemBlock particle<4
        2 CreateParticleBlock
        3 UpdateNoiseBlock particle<2 noiseTexture<5/texture
        4 UpdateFlowMapBlock particle<3 flowMap<5/texture
        5 ParticleTextureSourceBlock {"url":"a.png"}"#,
    );
    assert_eq!(program.textures.len(), 1);
}

/// A particle at (x, y) above a flow map of two rows and three columns.
fn flow(x: f64, y: f64) -> Run {
    Run::new(&format!(
        "1 SystemBlock {{\"updateSpeed\":0.5}} emitRate=2 particle<4
        2 CreateParticleBlock lifeTime=9
        3 BoxShapeBlock particle<2 minEmitBox=[{x},{y},0] maxEmitBox=[{x},{y},0] direction1=[0,0,0] direction2=[0,0,0]
        4 UpdateFlowMapBlock particle<3 flowMap<5/texture strength<6
        5 ParticleTextureSourceBlock {{\"url\":\"a.png\"}}
        6 ParticleRandomBlock {{\"lockMode\":0}} min=0 max=1024"
    ))
}

/// Texel n is (40n, 10n, 255 - n, 50n).
fn show(run: &mut Run, has_camera: bool, has_pixels: bool) -> [f64; 3] {
    let texels: Vec<u8> = (0..6u8).flat_map(|n| [40 * n, 10 * n, 255 - n, 50 * n]).collect();
    if has_pixels {
        run.system.instance.set_texture(Handle::from_index(0), Texels::new(3, 2, texels));
    }
    let [position, view, view_projection] = [[0.0; 3].as_slice(), &IDENTITY, &IDENTITY];
    if has_camera {
        run.system.uniforms.camera = Some(Camera {
            position: position.try_into().unwrap(),
            view: view.try_into().unwrap(),
            view_projection: view_projection.try_into().unwrap(),
        });
    }
    run.steps(2).vector(Field::Direction)
}

#[test]
fn flow_maps_push_by_the_nearest_texel() {
    // Columns from left to right, rows from above.
    for (x, y, texel) in [
        (-0.9, 0.9, 0.0),
        (0.0, 0.5, 1.0),
        (0.9, 0.1, 2.0),
        (-0.5, -0.1, 3.0),
        (0.1, -0.9, 4.0),
        (0.99, -0.99, 5.0),
        // The left and upper borders belong to the picture, the right and lower ones do not.
        (-1.0, 1.0, 0.0),
    ] {
        let mut run = flow(x, y);
        let strength = 1024.0 * draw(0) * 0.5 * (50.0 * texel) / 255.0;
        let expected = [40.0 * texel, 10.0 * texel, 255.0 - texel]
            .map(|byte| f32((byte / 255.0 * 2.0 - 1.0) * strength));
        assert_eq!(show(&mut run, true, true), expected, "at {x}, {y}");
        assert_eq!(run.draws, 1);
    }
}

/// The strength is read for each particle, inside the picture or not, but only where there is a
/// picture and a camera.
#[test]
fn flow_maps_without_effect() {
    for (x, y) in [(1.0, 0.0), (0.0, -1.0), (-1.01, 0.0), (0.0, 1.01), (99.0, 99.0)] {
        let mut run = flow(x, y);
        assert_eq!(show(&mut run, true, true), [0.0; 3]);
        assert_eq!(run.draws, 1, "at {x}, {y}");
    }
    for (has_camera, has_pixels) in [(false, true), (true, false), (false, false)] {
        let mut run = flow(0.5, 0.5);
        assert_eq!(show(&mut run, has_camera, has_pixels), [0.0; 3]);
        assert_eq!(run.draws, 0);
    }
}

fn noise(picture: Texels, lifetime: &str) -> Run {
    let mut run = Run::new(&format!(
        "1 SystemBlock {{\"updateSpeed\":0.5}} emitRate=2 particle<3
        2 CreateParticleBlock lifeTime={lifetime}
        3 UpdateNoiseBlock particle<2 noiseTexture<4/texture strength=[1,2,4]
        4 ParticleTextureSourceBlock {{\"url\":\"a.png\"}}"
    ));
    run.system.instance.set_texture(Handle::from_index(0), Some(picture));
    run
}

/// Only red counts.
fn strip(width: u32, height: u32) -> Texels {
    let texels: Vec<u8> = (0..width * height).flat_map(|n| [(n % 251) as u8, 9, 9, 9]).collect();
    Texels::new(width, height, texels).unwrap()
}

/// Six coordinates a particle, drawn at its first update and kept: the pairs are (1x, 1y), (1z, 2x) and
/// (2y, 2z).
#[test]
fn noise_reads_red_at_three_places() {
    let at = |coordinate: f64, size: f64| ((coordinate.abs() * 0.5 + 0.5) * size % size).trunc();
    let push = |texel: f64, strength: f64| (2.0 * (texel % 251.0 / 255.0) - 1.0) * strength * 0.5;
    for (width, height, coordinates) in [(4096, 1, [0, 2, 4]), (1, 4096, [1, 3, 5])] {
        let mut run = noise(strip(width, height), "9");
        assert_eq!((run.steps(1).draws, run.steps(1).draws), (0, 6));
        let pushes =
            [0, 1, 2].map(|axis| push(at(draw(coordinates[axis]), 4096.0), [1.0, 2.0, 4.0][axis]));
        assert_eq!(run.vector(Field::Direction), pushes.map(f32));
        // The same places again, and six numbers for the second particle.
        run.steps(1);
        let twice = pushes.map(|push| f32(f32(push) + push));
        assert_eq!((run.vector(Field::Direction), run.draws), (twice, 12));
    }
}

/// A reused slot draws coordinates of its own.
#[test]
fn noise_follows_the_particle() {
    let mut run = noise(strip(4096, 1), "0.5");
    // One particle lives at a time: its only update is its last.
    assert_eq!([1, 2, 3].map(|_| run.steps(1).draws), [0, 6, 12]);
    assert_eq!(run.values(Field::Id), [2.0]);
}

/// The last step of a life, of a quarter here, pushes a quarter as much.
#[test]
fn pictures_push_no_longer_than_a_life() {
    let push = |lifetime: f64, class: &str, input: &str| {
        let mut run = Run::new(&format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<4
            2 CreateParticleBlock lifeTime={lifetime}
            3 {class} particle<2 {input}<5/texture
            4 UpdateAgeBlock particle<3 age<6
            5 ParticleTextureSourceBlock {{\"url\":\"a.png\"}}
            6 ParticleInputBlock {{\"value\":0}}"
        ));
        show(&mut run, true, true)
    };
    for (class, input) in [("UpdateNoiseBlock", "noiseTexture"), ("UpdateFlowMapBlock", "flowMap")]
    {
        let (whole, quarter) = (push(9.0, class, input), push(0.25, class, input));
        assert!(whole.iter().any(|part| *part != 0.0), "{class}");
        assert_eq!(whole.map(|part| part / 4.0), quarter, "{class}");
    }
}

/// A picture stays a picture on any detour.
#[test]
fn pictures_take_detours() {
    for (class, input) in [("UpdateNoiseBlock", "noiseTexture"), ("UpdateFlowMapBlock", "flowMap")]
    {
        let program = program(&format!(
            "1 SystemBlock particle<3 texture<6
            2 CreateParticleBlock
            3 {class} particle<2 {input}<5
            5 ParticleElbowBlock input<6
            6 ParticleTeleportOutBlock {{\"entryPoint\":7}}
            7 ParticleTeleportInBlock input<8/texture
            8 ParticleTextureSourceBlock {{\"url\":\"a.png\"}}"
        ));
        let urls: Vec<_> = program.textures.iter().map(|(_, texture)| &texture.url).collect();
        assert_eq!(urls, ["a.png"], "{class}");
    }
}
