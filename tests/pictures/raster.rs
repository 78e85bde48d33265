//! Scenes on the rasterizer.

use pyrograph::picture::raster::{Canvas, Quads, Texture};
use pyrograph::picture::{Atlas, Billboards, Blending};
use pyrograph::textures::Textures;
use pyrograph::{ParticleProgram, ParticleState, ParticleSystem};

use super::scene::Scene;

/// The systems of a scene as its camera sees them.
pub(crate) fn draw<P: ParticleProgram>(scene: &Scene, systems: &[ParticleSystem<P>]) -> Canvas {
    let camera = scene.camera().unwrap();
    let [width, height] = scene.size();
    let mut canvas = Canvas::new(width, height, scene.clear());
    let mut ordered: Vec<_> = systems.iter().collect();
    ordered.sort_by(|a, b| {
        let group = |system: &ParticleSystem<P>| system.program().render().rendering_group_id;
        group(a).total_cmp(&group(b))
    });
    for system in ordered {
        let facts = system.program().render();
        let picture = Textures::new().load(&system.program().picture().unwrap()).unwrap();
        let atlas = Atlas::new(facts.sheet, picture.width(), picture.height());
        let texture = Texture::new(&picture, scene.sampling());
        let mut billboards = Billboards::new();
        billboards.sync(system, Some(atlas.frames())).unwrap();
        let blending = Blending::Exact;
        canvas
            .draw(&camera, &Quads { billboards: &billboards, facts, texture: &texture, blending });
    }
    canvas
}
