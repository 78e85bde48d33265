//! Draws a fountain without a window, and writes a PNG: `cargo run --example headless_png`.

#![expect(clippy::print_stdout, reason = "it tells on the terminal")]

use std::error::Error;
use std::f64::consts::FRAC_PI_2;
use std::fs::File;

use pyrograph::picture::ArcRotate;
use pyrograph::render::{Canvas, Filter, Offscreen, Options, Picture, Renderer, Target, Texture};
use pyrograph::textures::Textures;
use pyrograph::{ParticleState, Pcg};

pyrograph::include_particle_graph!(mod fountain = "fixtures/graphs/canonical/fountain.json");

const SIZE: [u32; 2] = [640, 360];

fn main() -> Result<(), Box<dyn Error>> {
    let mut random = Pcg::seed_from_u64(7);
    let mut system = fountain::System::new();
    system.start();
    for _ in 0..120 {
        system.animate(1.0, &mut random)?;
    }

    // The picture lies in the graph as a data URL.
    let facts = system.program().picture().ok_or("the graph has no picture")?;
    let image = Textures::new().load(&facts)?;

    let (device, queue) = pyrograph::gpu::default_device()?;
    let canvas = Canvas::new(&device, &queue, Target { samples: 4, ..Target::default() })?;
    let picture = Picture::Here(Texture::new(&canvas, &image, Filter::Smooth)?);
    let mut renderer = Renderer::new(&canvas, &system, picture, Options::default())?;

    let camera = ArcRotate { alpha: -FRAC_PI_2, beta: 1.2, radius: 5.0, ..ArcRotate::default() };
    let aspect = f64::from(SIZE[0]) / f64::from(SIZE[1]);
    renderer.prepare(&system, &camera.camera(aspect))?;
    let offscreen = Offscreen::new(&canvas, SIZE[0], SIZE[1])?;
    let drawn = offscreen.draw([0.02, 0.02, 0.05, 1.0], |pass| renderer.draw(pass))?;

    let path = std::env::temp_dir().join("fountain.png");
    let mut encoder = png::Encoder::new(File::create(&path)?, SIZE[0], SIZE[1]);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header()?.write_image_data(drawn.data())?;
    println!("{} particles in {}", system.program().alive(), path.display());
    Ok(())
}
