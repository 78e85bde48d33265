//! Particles that are what a test says, and pictures of them.

use std::f64::consts::FRAC_PI_2;
use std::sync::LazyLock;

use pyrograph::gpu::default_device;
use pyrograph::picture::{ArcRotate, Billboard, Image};
use pyrograph::render::{Canvas, Filter, Offscreen, Options, Picture, Renderer, Target, Texture};
use pyrograph::{Camera, Field, ParticleState, RenderFacts};

/// The device of all tests.
pub(crate) static DEVICE: LazyLock<(wgpu::Device, wgpu::Queue)> =
    LazyLock::new(|| default_device().unwrap());

/// An emitter that is where the world's origin is.
pub(crate) const IDENTITY: [f64; 16] =
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// Particles as a program would show them.
#[derive(Clone, Debug)]
pub(crate) struct Particles {
    pub(crate) facts: RenderFacts,
    pub(crate) all: Vec<Billboard>,
}

impl Particles {
    pub(crate) fn new(blend_mode: f64, all: impl Into<Vec<Billboard>>) -> Self {
        Self { facts: RenderFacts { blend_mode, ..RenderFacts::default() }, all: all.into() }
    }
}

impl ParticleState for Particles {
    fn name(&self) -> &str {
        ""
    }
    fn capacity(&self) -> u32 {
        self.alive()
    }
    fn render(&self) -> RenderFacts {
        self.facts
    }
    fn alive(&self) -> u32 {
        self.all.len() as u32
    }
    fn slots(&self) -> u32 {
        self.alive()
    }
    fn is_alive(&self, slot: u32) -> bool {
        slot < self.alive()
    }
    fn value(&self, slot: u32, field: Field) -> Option<f64> {
        let particle = self.all.get(slot as usize)?;
        Some(f64::from(match field {
            Field::Position(axis) => particle.position[usize::from(axis)],
            Field::Direction(axis) => particle.direction[usize::from(axis)],
            Field::Scale(axis) => particle.size[usize::from(axis)],
            Field::Size => 1.0,
            Field::Angle => particle.angle,
            Field::Color(channel) => particle.color[usize::from(channel)],
            Field::CellIndex => particle.cell,
            Field::Age | Field::LifeTime | Field::Id | Field::InitialDirection(_) => return None,
        }))
    }
}

/// A quad in the middle of the picture.
pub(crate) fn quad(side: f32, color: [f32; 4]) -> Billboard {
    Billboard { size: [side, side], color, ..Billboard::default() }
}

/// A picture of one texel or more, row 0 at v = 0.
pub(crate) fn image(width: u32, texels: &[[u8; 4]]) -> Image {
    Image::new(width, texels.len() as u32 / width, texels.as_flattened()).unwrap()
}

pub(crate) fn white() -> Image {
    image(1, &[[255; 4]])
}

/// The target of most tests.
pub(crate) fn canvas() -> Canvas {
    canvas_of(Target::new(wgpu::TextureFormat::Rgba8Unorm))
}

pub(crate) fn canvas_of(target: Target) -> Canvas {
    let (device, queue) = &*DEVICE;
    Canvas::new(device, queue, target).unwrap()
}

pub(crate) fn texture(canvas: &Canvas, image: &Image) -> Texture {
    Texture::new(canvas, image, Filter::Nearest).unwrap()
}

/// A camera that shows two units of the world from the middle to each edge of a square picture, x at
/// the right.
pub(crate) fn front() -> Camera {
    ArcRotate { radius: 2.0 / 0.4f64.tan(), ..ArcRotate::default() }.camera(1.0)
}

/// The same from above: z goes up in the picture.
pub(crate) fn above() -> Camera {
    let radius = 2.0 / 0.4f64.tan();
    ArcRotate { beta: 1e-3, alpha: -FRAC_PI_2, radius, ..ArcRotate::default() }.camera(1.0)
}

/// Draws particles on a square picture.
pub(crate) fn draw(
    canvas: &Canvas,
    particles: &Particles,
    image: &Image,
    options: Options,
    camera: &Camera,
    (size, clear): (u32, [f64; 4]),
) -> Image {
    let picture = Picture::Here(texture(canvas, image));
    let mut renderer = Renderer::of(canvas, particles, picture, options).unwrap();
    renderer.prepare_state(particles, &IDENTITY, camera).unwrap();
    show(canvas, &renderer, size, clear)
}

/// What a renderer draws on a square picture.
pub(crate) fn show(canvas: &Canvas, renderer: &Renderer, size: u32, clear: [f64; 4]) -> Image {
    let offscreen = Offscreen::new(canvas, size, size).unwrap();
    offscreen.draw(clear, |pass| renderer.draw(pass)).unwrap()
}

/// A pixel as numbers from 0 to 1, x and y from the upper left.
pub(crate) fn pixel(image: &Image, x: u32, y: u32) -> [f32; 4] {
    [0, 1, 2, 3].map(|channel| image.byte(x, y, channel) as f32 / 255.0)
}

/// Whether two colours are equal but for the rounding to bytes.
pub(crate) fn is_near(a: [f32; 4], b: [f32; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b.clamp(0.0, 1.0)).abs() <= 1.01 / 255.0)
}
