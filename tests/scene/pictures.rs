//! The pictures that graphs name, from the block to the pixels (section 9.20).

use std::sync::Arc;

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options, compile};
use pyrograph::picture::sprite2d::Bridge;
use pyrograph::textures::{Reason, Textures};
use pyrograph::{Interpreted, ParticleState, ParticleSystem, Sine};

/// One column: a red pixel above a green one, as a PNG in a data URL.
const DATA: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAIAAAAW4yFwAAAADklEQVR42mP4zwAE/xkACP8B/11JYlgAAAAASUVORK5CYII=";

/// A system that draws this picture, and whose noise reads it.
fn system(fields: &str) -> ParticleSystem<Interpreted> {
    let text = format!(
        r#"{{"blocks":[
        {{"customType":"BABYLON.SystemBlock","id":1,"name":"noisy","updateSpeed":1,"inputs":[
            {{"name":"particle","inputName":"particle","targetBlockId":4,"targetConnectionName":"output"}},
            {{"name":"texture","inputName":"texture","targetBlockId":5,"targetConnectionName":"texture"}},
            {{"name":"emitRate","valueType":"number","value":2}}]}},
        {{"customType":"BABYLON.CreateParticleBlock","id":2,"name":"","inputs":[]}},
        {{"customType":"BABYLON.PointShapeBlock","id":3,"name":"","inputs":[
            {{"name":"particle","inputName":"particle","targetBlockId":2,"targetConnectionName":"particle"}}]}},
        {{"customType":"BABYLON.UpdateNoiseBlock","id":4,"name":"","inputs":[
            {{"name":"particle","inputName":"particle","targetBlockId":3,"targetConnectionName":"output"}},
            {{"name":"noiseTexture","inputName":"noiseTexture","targetBlockId":5,"targetConnectionName":"texture"}}]}},
        {{"customType":"BABYLON.ParticleTextureSourceBlock","id":5,"name":"",{fields}}}]}}"#
    );
    let compiled = compile(text.as_bytes(), &Options::new(Profile::Exact)).unwrap();
    let program = Interpreted::all(&Arc::new(compiled.module)).remove(0);
    ParticleSystem::from_program(program, 0)
}

#[test]
fn an_address_comes_first_for_what_is_drawn() {
    let system = system(&format!(r#""url":"a.png","textureDataUrl":"{DATA}""#));
    let drawn = system.program().picture().unwrap();
    assert_eq!((drawn.url, drawn.flip), ("a.png", true));
    // A CPU reads the data.
    let read = system.textures();
    assert_eq!((read[0].url, read.len()), (DATA, 1));
}

#[test]
fn rows_turn_where_the_graph_says_so() {
    for (fields, expected) in [
        ("", [0, 255, 0, 255, 255, 0, 0, 255]),
        (r#","invertY":true"#, [0, 255, 0, 255, 255, 0, 0, 255]),
        (r#","invertY":false"#, [255, 0, 0, 255, 0, 255, 0, 255]),
    ] {
        let mut system = system(&format!(r#""url":"","textureDataUrl":"{DATA}"{fields}"#));
        let mut textures = Textures::new();
        let drawn = textures.load(&system.program().picture().unwrap()).unwrap();
        assert_eq!(drawn.data()[..], expected, "{fields}");
        assert!(textures.fill(&mut system).is_empty());
    }
}

/// Whoever loads is told; the system runs, its noise without effect, and only drawing is refused.
#[test]
fn a_picture_that_fails_does_not_fail_the_system() {
    let mut system = system(r#""url":"missing.png","textureDataUrl":"""#);
    let mut textures = Textures::new();
    let missing = textures.fill(&mut system);
    let [(0, error)] = missing.as_slice() else { panic!("{missing:?}") };
    assert_eq!(error.reason(), &Reason::NoFolder);
    system.start();
    for _ in 0..3 {
        system.animate(1.0, &mut Sine::new()).unwrap();
    }
    assert!(system.program().alive() > 0);
    let drawn = textures.load(&system.program().picture().unwrap()).ok();
    let refused = Bridge::new(system.program(), drawn.as_ref(), &Default::default());
    assert_eq!(
        refused.unwrap_err().to_string(),
        "createParticleSprite2DBridge: the particle system has no texture"
    );
}
