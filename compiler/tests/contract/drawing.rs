//! What programs tell renderers (spec sections 9.20 and 10.1, rows S1P-016 and S1P-017).

use pyrograph_compiler::ir::{Field, Module, Profile, parse};
use pyrograph_compiler::passes::Observe;
use pyrograph_compiler::{Compiled, Options, compile};

use crate::shorthand::file;

fn compiled(text: &str, observe: Observe) -> Compiled {
    compile(&file(text), &Options { observe, ..Options::new(Profile::Exact) }).unwrap()
}

fn module(text: &str) -> Module {
    Module::clone(&compiled(text, Observe::Render).module)
}

const PARTICLES: &str = "2 CreateParticleBlock
    3 PointShapeBlock particle<2 direction1=[1,2,3] direction2=[4,5,6]
    4 UpdatePositionBlock particle<3 position<5
    5 ParticleInputBlock {\"contextualValue\":1}";

#[test]
fn facts_are_those_of_the_graph() {
    let module = module(&format!(
        "1 SystemBlock {{\"isLocal\":true,\"renderingGroupId\":2,\"billBoardMode\":8}} particle<4 \
         translationPivot=[0.5,-1] textureMask=[1,0,0.5,1] texture<7
        6 SetupSpriteSheetBlock {{\"width\":16,\"height\":8}} particle<3
        7 ParticleTextureSourceBlock {{\"url\":\"a.png\",\"textureDataUrl\":\"data:,\",\"invertY\":false}}
        {}",
        PARTICLES.replace("UpdatePositionBlock particle<3", "UpdatePositionBlock particle<6")
    ));
    let render = &module.programs[0].render;
    assert_eq!(
        (render.translation_pivot, render.texture_mask),
        ([0.5, -1.0], [1.0, 0.0, 0.5, 1.0])
    );
    assert_eq!(
        (render.rendering_group_id, render.billboard_mode, render.is_local),
        (2.0, 8.0, true)
    );
    assert_eq!(render.sheet, Some([16.0, 8.0]));
    let picture = render.picture.as_ref().unwrap();
    // Of two addresses the first holds here, and the data URL where blocks read a picture.
    assert_eq!((picture.url.as_str(), picture.flip), ("a.png", false));
    // All of it comes back from the text.
    assert_eq!(parse(&module.to_string()).unwrap().programs[0].render, *render);
}

#[test]
fn what_a_graph_does_not_say_has_defaults() {
    let render = &module(&format!("1 SystemBlock particle<4\n{PARTICLES}")).programs[0].render;
    assert_eq!(*render, Default::default());
}

#[test]
fn inputs_of_drawing_are_constants_however_they_are_made() {
    let text = |source: &str| {
        format!("1 SystemBlock particle<4 translationPivot<8/xy\n{PARTICLES}\n{source}")
    };
    let constant = text(
        "8 ParticleConverterBlock x<9 y<11
        9 ParticleMathBlock {\"operation\":2} left=2 right<10
        10 ParticleInputBlock {\"type\":2,\"value\":0.75}
        11 ParticleInputBlock {\"type\":2,\"value\":3}",
    );
    let found = compiled(&constant, Observe::Render);
    assert!(found.warnings.is_empty(), "{}", found.warnings);
    assert_eq!(found.module.programs[0].render.translation_pivot, [1.5, 3.0]);

    let varying = text("8 ParticleConverterBlock x<9\n9 ParticleRandomBlock min=0 max=1");
    let found = compiled(&varying, Observe::Render);
    let said = found.warnings.to_string();
    assert!(said.contains("'translationPivot' has no effect"), "{said}");
    assert_eq!(found.module.programs[0].render.translation_pivot, [0.0; 2]);
}

/// Quads that do not face the camera stand across the direction before its power, where a shape gives
/// one; other quads keep nothing for that.
#[test]
fn only_quads_that_face_no_camera_keep_their_first_direction() {
    let has = |is_based: bool, particles: &str| {
        [Observe::Render, Observe::State].map(|observe| {
            let text = format!(
                "1 SystemBlock {{\"isBillboardBased\":{is_based}}} particle<4\n{particles}"
            );
            let program = &compiled(&text, observe).module.programs[0];
            [0, 1, 2].map(|axis| program.field(Field::InitialDirection(axis)).is_some())
        })
    };
    assert_eq!(has(true, PARTICLES), [[false; 3]; 2]);
    assert_eq!(has(false, PARTICLES), [[true; 3]; 2]);
    assert_eq!(has(false, &PARTICLES.replace("<3", "<2")), [[false; 3]; 2]);
}
