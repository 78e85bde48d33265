//! How quads stand: S1P-016 (pivot), S1P-017, and cameras of the other hand.

use std::f32::consts::FRAC_PI_2;

use pyrograph::picture::{Billboard, Image};
use pyrograph::render::{Handedness, Options, Target};
use pyrograph::{Camera, RenderFacts};

use crate::scene::{Particles, above, canvas, canvas_of, draw, front, image, is_near, pixel, quad};

/// Pixels of a side; one unit of the world is a quarter of them.
const SIZE: u32 = 40;
const BLACK: [f64; 4] = [0.0, 0.0, 0.0, 1.0];
const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
const BLUE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];
const WHITE: [f32; 4] = [1.0; 4];
const NOTHING: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// Red lower left, green lower right, blue upper left, white upper right.
fn corners() -> Image {
    image(2, &[[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255; 4]])
}

fn facts(billboard_mode: f64, is_billboard_based: bool) -> RenderFacts {
    RenderFacts { blend_mode: 1.0, billboard_mode, is_billboard_based, ..RenderFacts::default() }
}

fn shown(facts: RenderFacts, particle: Billboard, camera: &Camera) -> Image {
    let particles = Particles { facts, all: vec![particle] };
    draw(&canvas(), &particles, &corners(), Options::default(), camera, (SIZE, BLACK))
}

/// The colour at a place of the world as the front camera sees it.
fn at(picture: &Image, x: f32, y: f32) -> [f32; 4] {
    let scale = SIZE as f32 / 4.0;
    pixel(picture, ((2.0 + x) * scale) as u32, ((2.0 - y) * scale) as u32)
}

fn assert_at(picture: &Image, places: &[(f32, f32, [f32; 4])]) {
    for &(x, y, expected) in places {
        let found = at(picture, x, y);
        assert!(is_near(found, expected), "({x}, {y}): {found:?}, not {expected:?}");
    }
}

/// How many pixels are not black.
fn covered(picture: &Image) -> usize {
    let pixels = (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)));
    pixels.filter(|&(x, y)| !is_near(pixel(picture, x, y), NOTHING)).count()
}

#[test]
fn all_faces_the_screen_and_sizes_are_full_sides() {
    let particle = Billboard { position: [0.5, 0.25, 0.0], size: [2.0, 1.0], ..quad(1.0, WHITE) };
    let picture = shown(facts(7.0, true), particle, &front());
    let places = [
        (-0.35, -0.15, RED),
        (1.35, -0.15, GREEN),
        (-0.35, 0.65, BLUE),
        (1.35, 0.65, WHITE),
        (-0.65, 0.25, NOTHING),
        (1.65, 0.25, NOTHING),
        (0.5, 0.85, NOTHING),
        (0.5, -0.35, NOTHING),
    ];
    assert_at(&picture, &places);
    // From above it is as large: the quad turns with the camera.
    let turned = shown(facts(7.0, true), Billboard { position: [0.0; 3], ..particle }, &above());
    assert!((190..=210).contains(&covered(&turned)), "{}", covered(&turned));
    // Any other number is this mode.
    let other = shown(facts(5.0, true), particle, &front());
    assert_eq!(other, picture);
}

#[test]
fn angles_turn_counter_clockwise_behind_the_scale() {
    let particle = Billboard { size: [2.0, 1.0], angle: FRAC_PI_2, ..quad(1.0, WHITE) };
    let picture = shown(facts(7.0, true), particle, &front());
    let places = [
        (0.35, -0.85, RED),
        (0.35, 0.85, GREEN),
        (-0.35, -0.85, BLUE),
        (-0.35, 0.85, WHITE),
        (0.75, 0.0, NOTHING),
        (0.0, 1.15, NOTHING),
    ];
    assert_at(&picture, &places);
}

#[test]
fn the_pivot_scales_with_the_quad_and_is_added_back_as_it_is() {
    let facts = RenderFacts { translation_pivot: [0.5, 0.0], ..facts(7.0, true) };
    // (offset - 0.5 - 0.5) * 2 + 0.5: from -1.5 to 0.5.
    let picture = shown(facts, quad(2.0, WHITE), &front());
    let places =
        [(-1.35, -0.85, RED), (0.35, -0.85, GREEN), (-1.65, 0.0, NOTHING), (0.65, 0.0, NOTHING)];
    assert_at(&picture, &places);
    // Corners turn about what the pivot was taken off: a half turn about (0.5, 0).
    let half = Billboard { angle: 2.0 * FRAC_PI_2, ..quad(1.0, WHITE) };
    let picture = shown(facts, half, &front());
    assert_at(&picture, &[(0.65, 0.35, GREEN), (1.35, 0.35, RED), (0.35, 0.0, NOTHING)]);
}

#[test]
fn y_stands_upright() {
    let upright = |camera: Camera| covered(&shown(facts(2.0, true), quad(2.0, WHITE), &camera));
    assert!((390..=410).contains(&upright(front())));
    assert!(upright(above()) < 60, "{}", upright(above()));
    let picture = shown(facts(2.0, true), quad(2.0, WHITE), &front());
    assert_at(&picture, &[(-0.8, -0.8, RED), (0.8, 0.8, WHITE), (0.8, -0.8, GREEN)]);
}

#[test]
fn stretched_quads_have_their_top_where_they_go() {
    for mode in [8.0, 9.0] {
        let along_x =
            Billboard { direction: [3.0, 0.0, 0.0], size: [1.0, 2.0], ..quad(1.0, WHITE) };
        let picture = shown(facts(mode, true), along_x, &front());
        let places = [
            (0.85, 0.35, BLUE),
            (0.85, -0.35, WHITE),
            (-0.85, 0.35, RED),
            (-0.85, -0.35, GREEN),
            (0.0, 0.75, NOTHING),
        ];
        assert_at(&picture, &places);
        // Speed does not change the length.
        let faster = Billboard { direction: [30.0, 0.0, 0.0], ..along_x };
        assert_eq!(shown(facts(mode, true), faster, &front()), picture);
    }
}

#[test]
fn only_stretched_local_is_foreshortened() {
    let away = Billboard { direction: [1.0, 0.0, 1.0], size: [1.0, 2.0], ..quad(1.0, WHITE) };
    let [full, short] = [8.0, 9.0].map(|mode| covered(&shown(facts(mode, true), away, &front())));
    assert!((190..=210).contains(&full), "{full}");
    assert!((130..=155).contains(&short), "{short}");
}

#[test]
fn directed_quads_stand_across_their_direction() {
    let facing = Billboard { direction: [0.0, 0.0, 2.0], ..quad(2.0, WHITE) };
    let picture = shown(facts(7.0, false), facing, &front());
    assert_at(&picture, &[(-0.8, -0.8, RED), (0.8, -0.8, GREEN), (-0.8, 0.8, BLUE)]);
    assert!(covered(&shown(facts(7.0, false), facing, &above())) < 60);
    // Straight up there is a side all the same.
    let lying = Billboard { direction: [0.0, 1.0, 0.0], ..quad(2.0, WHITE) };
    assert!((380..=420).contains(&covered(&shown(facts(7.0, false), lying, &above()))));
}

/// A right-handed engine's camera in front, made apart from the crate's: z towards the viewer, depth
/// from 0 to 1.
fn right_handed(distance: f64) -> Camera {
    let (near, far, y) = (0.1, 100.0, 1.0 / 0.4f64.tan());
    let view =
        [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -distance, 1.0];
    let mut projection = [0.0; 16];
    projection[0] = y;
    projection[5] = y;
    projection[10] = far / (near - far);
    projection[11] = -1.0;
    projection[14] = near * far / (near - far);
    Camera::new([0.0, 0.0, distance], view, projection)
}

#[test]
fn right_handed_engines_see_the_same_picture() {
    let target =
        Target { handedness: Handedness::Right, ..Target::new(wgpu::TextureFormat::Rgba8Unorm) };
    let right = canvas_of(target);
    let distance = 2.0 / 0.4f64.tan();
    let modes = [(7.0, true), (2.0, true), (8.0, true), (9.0, true), (7.0, false)];
    for (mode, is_based) in modes {
        let one = Billboard {
            position: [0.5, -0.25, 1.5],
            direction: [0.4, 0.6, 1.0],
            angle: 0.4,
            size: [1.5, 1.0],
            ..quad(1.0, WHITE)
        };
        let particles = Particles { facts: facts(mode, is_based), all: vec![one] };
        let pictures = [(canvas(), front()), (right.clone(), right_handed(distance))];
        let [left, right] = pictures.map(|(canvas, camera)| {
            draw(&canvas, &particles, &corners(), Options::default(), &camera, (SIZE, BLACK))
        });
        let pixels = (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)));
        let different = pixels.filter(|&(x, y)| !is_near(pixel(&left, x, y), pixel(&right, x, y)));
        // An edge may fall on the other side of a pixel's middle.
        let (different, covered) = (different.count(), covered(&left));
        assert!(different <= 4 && covered > 30, "{mode} {is_based}: {different} {covered}");
    }
}

#[test]
fn sorted_quads_are_drawn_from_back_to_front() {
    let near = Billboard { position: [0.0, 0.0, -1.0], ..quad(9.0, RED) };
    let far = Billboard { position: [0.0, 0.0, 1.0], ..quad(9.0, BLUE) };
    let particles = Particles { facts: facts(7.0, true), all: vec![near, far] };
    let white = image(1, &[[255; 4]]);
    let [as_they_are, sorted] = [false, true].map(|is_sorted| {
        let options = Options { is_sorted, ..Options::default() };
        pixel(&draw(&canvas(), &particles, &white, options, &front(), (2, BLACK)), 0, 0)
    });
    assert_eq!((as_they_are, sorted), (BLUE, RED));
}
