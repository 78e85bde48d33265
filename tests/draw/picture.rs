//! Pictures that are late or never come, and devices that are lost: S1-109.

use pyrograph::gpu::default_device;
use pyrograph::render::{
    Canvas, Filter, Offscreen, Options, Picture, RenderError, Renderer, Target, Texture,
};

use crate::scene::{
    IDENTITY, Particles, canvas, front, image, is_near, pixel, quad, show, texture, white,
};

const GRAY: [f64; 4] = [0.2, 0.2, 0.2, 1.0];

fn particles() -> Particles {
    Particles::new(1.0, [quad(100.0, [1.0, 0.0, 0.0, 1.0])])
}

#[test]
fn a_system_without_a_picture_is_refused() {
    let error = Renderer::of(&canvas(), &particles(), Picture::Missing, Options::default());
    let error = error.unwrap_err();
    assert_eq!(error, RenderError::NoTexture);
    assert_eq!(error.to_string(), "createParticleBillboard: the particle system has no texture");
}

#[test]
fn a_picture_may_come_late_go_and_come_again() {
    let canvas = canvas();
    let particles = particles();
    let mut renderer =
        Renderer::of(&canvas, &particles, Picture::Awaited, Options::default()).unwrap();
    let frame = |renderer: &mut Renderer| {
        let bytes = renderer.prepare_state(&particles, &IDENTITY, &front()).unwrap();
        (bytes, pixel(&show(&canvas, renderer, 2, GRAY), 0, 0))
    };
    let nothing = (0, [51.0 / 255.0, 51.0 / 255.0, 51.0 / 255.0, 1.0]);
    // It may as well never come.
    for _ in 0..3 {
        assert_eq!(frame(&mut renderer), nothing);
    }
    renderer.set_picture(Some(texture(&canvas, &white()))).unwrap();
    let (bytes, color) = frame(&mut renderer);
    assert!(bytes > 0 && is_near(color, [1.0, 0.0, 0.0, 1.0]));
    renderer.set_picture(None).unwrap();
    assert_eq!(frame(&mut renderer), nothing);
    let gray = image(2, &[[128, 128, 128, 255]; 2]);
    renderer.set_picture(Some(texture(&canvas, &gray))).unwrap();
    assert!(is_near(frame(&mut renderer).1, [128.0 / 255.0, 0.0, 0.0, 1.0]));
}

#[test]
fn pictures_without_texels_are_refused() {
    let empty = pyrograph::picture::Image::default();
    assert!(matches!(Texture::new(&canvas(), &empty, Filter::Smooth), Err(RenderError::Gpu(_))));
}

/// Far away, a fine chequer is its mean.
#[test]
fn small_quads_show_the_levels_of_detail() {
    let texels: Vec<[u8; 4]> = (0..64u32 * 64)
        .map(|index| if (index % 64 + index / 64) % 2 == 0 { [255; 4] } else { [0, 0, 0, 255] })
        .collect();
    let canvas = canvas();
    let chequer = Texture::new(&canvas, &image(64, &texels), Filter::Smooth).unwrap();
    assert_eq!(chequer.size(), [64, 64]);
    let particles = Particles::new(1.0, [quad(4.0, [1.0; 4])]);
    let picture = Picture::Here(chequer);
    let mut renderer = Renderer::of(&canvas, &particles, picture, Options::default()).unwrap();
    renderer.prepare_state(&particles, &IDENTITY, &front()).unwrap();
    let shown = show(&canvas, &renderer, 8, GRAY);
    for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
        assert!((pixel(&shown, x, y)[0] - 0.5).abs() < 0.02, "{:?}", pixel(&shown, x, y));
    }
}

#[test]
fn a_lost_device_panics_nowhere_and_another_goes_on() {
    let (device, queue) = default_device().unwrap();
    let target = Target::new(wgpu::TextureFormat::Rgba8Unorm);
    let canvas = Canvas::new(&device, &queue, target).unwrap();
    let particles = particles();
    let texture = Texture::new(&canvas, &white(), Filter::Smooth).unwrap();
    let picture = Picture::Here(texture);
    let mut renderer =
        Renderer::of(&canvas, &particles, picture.clone(), Options::default()).unwrap();
    let offscreen = Offscreen::new(&canvas, 2, 2).unwrap();
    renderer.prepare_state(&particles, &IDENTITY, &front()).unwrap();
    offscreen.draw(GRAY, |pass| renderer.draw(pass)).unwrap();

    device.destroy();
    // Uploads to a lost device go nowhere; who wants to see something is told.
    let _ = renderer.prepare_state(&particles, &IDENTITY, &front());
    let lost = offscreen.draw(GRAY, |pass| renderer.draw(pass)).unwrap_err();
    assert!(matches!(lost, RenderError::Gpu(_)), "{lost}");
    let _ = renderer.set_picture(None);
    let _ = Texture::new(&canvas, &white(), Filter::Smooth);
    let _ = Renderer::of(&canvas, &particles, picture, Options::default());
    let _ = Canvas::new(&device, &queue, target);

    let canvas = self::canvas();
    let picture = Picture::Here(self::texture(&canvas, &white()));
    let mut renderer = Renderer::of(&canvas, &particles, picture, Options::default()).unwrap();
    renderer.prepare_state(&particles, &IDENTITY, &front()).unwrap();
    assert!(pixel(&show(&canvas, &renderer, 2, GRAY), 0, 0)[0] > 0.9);
}
