//! Scenes on the rasterizer.

use pyrograph::picture::raster::{Canvas, Quads, Texture};
use pyrograph::picture::sprite2d::Bridge;
use pyrograph::picture::{Atlas, Billboards, Blending, Image};
use pyrograph::{Camera, Interpreted, ParticleState, ParticleSystem};

use super::scene::{Scene, View, image};

/// Systems as their scene shows them.
pub(crate) fn draw(scene: &Scene, systems: &[ParticleSystem<Interpreted>]) -> Image {
    let [width, height] = scene.size();
    let mut canvas = Canvas::new(width, height, scene.clear());
    let mut ordered: Vec<_> = systems.iter().collect();
    ordered.sort_by(|a, b| {
        let group =
            |system: &ParticleSystem<Interpreted>| system.program().render().rendering_group_id;
        group(a).total_cmp(&group(b))
    });
    for system in ordered {
        let image = image(system.program().picture());
        let texture = Texture::new(&image, scene.filter());
        match scene.view() {
            View::Camera(camera) => draw_quads(&mut canvas, &camera, system, &texture),
            View::Flat(options) => {
                let mut bridge = Bridge::new(system.program(), Some(&image), &options).unwrap();
                bridge.sync(system.program()).unwrap();
                bridge.layers().iter().for_each(|layer| canvas.draw_layer(layer, &texture));
            }
        }
    }
    canvas.into_image()
}

fn draw_quads(
    canvas: &mut Canvas,
    camera: &Camera,
    system: &ParticleSystem<Interpreted>,
    texture: &Texture,
) {
    let (facts, image) = (system.program().render(), texture.image());
    let atlas = Atlas::new(facts.sheet, image.width(), image.height());
    let mut billboards = Billboards::new();
    billboards.sync(system, Some(atlas.frames())).unwrap();
    let blending = Blending::Exact;
    canvas.draw(camera, &Quads { billboards: &billboards, facts, texture, blending });
}
