//! Blend tables by pixels: S1-028, S1-099, S1-100.

use pyrograph::picture::Blending;
use pyrograph::render::Options;

use crate::scene::{Particles, canvas, draw, front, image, is_near, pixel, quad};

const CLEAR: [f64; 4] = [0.65, 0.45, 0.25, 0.5];
/// Colour of a particle and its texel. No product of two is another's.
const COLOR: [f32; 4] = [0.3, 0.8, 0.45, 0.6];
const TEXEL: [u8; 4] = [204, 255, 153, 102];

/// `source` over `there` with factors for colour and alpha.
fn sum(source: [f32; 4], there: [f32; 4], color: [[f32; 3]; 2], alpha: [f32; 2]) -> [f32; 4] {
    let channel = |k: usize| source[k] * color[0][k] + there[k] * color[1][k];
    let [r, g, b] = [channel(0), channel(1), channel(2)];
    [r, g, b, source[3] * alpha[0] + there[3] * alpha[1]].map(|value| value.clamp(0.0, 1.0))
}

/// What the contract's tables make of one quad, written out apart from the tables of the crate.
fn expected(mode: f64, blending: Blending, color: [f32; 4], texel: [u8; 4]) -> [f32; 4] {
    let there = CLEAR.map(|channel| (channel * 255.0).round() as f32 / 255.0);
    let texel = texel.map(|byte| f32::from(byte) / 255.0);
    let source: [f32; 4] = std::array::from_fn(|k| texel[k] * color[k]);
    let a = source[3];
    let (one, zero, alpha, rest) = ([1.0; 3], [0.0; 3], [a; 3], [1.0 - a; 3]);
    let faded = {
        let amount = color[3] * texel[3];
        let [r, g, b] = [0, 1, 2].map(|k| source[k] * amount + 1.0 - amount);
        [r, g, b, a]
    };
    let multiplied = |there: [f32; 4]| {
        let [r, g, b, _] = there;
        sum(faded, there, [[r, g, b], zero], [1.0, 1.0])
    };
    match (blending, mode as i32) {
        (Blending::Exact, 0) => sum(source, there, [one, one], [0.0, 1.0]),
        (Blending::Exact, 1) => sum(source, there, [alpha, rest], [1.0, 1.0]),
        (Blending::Exact, 3) => multiplied(there),
        (Blending::Exact, 4) => sum(source, multiplied(there), [alpha, one], [0.0, 1.0]),
        (Blending::Exact, _) => sum(source, there, [alpha, one], [0.0, 1.0]),
        (Blending::Plain, 0) => sum(source, there, [one, one], [1.0, 1.0]),
        (Blending::Plain, 1) => sum(source, there, [alpha, rest], [1.0, 1.0 - a]),
        (Blending::Plain, _) => sum(source, there, [alpha, one], [1.0, 1.0]),
    }
}

fn drawn(mode: f64, blending: Blending, color: [f32; 4], texel: [u8; 4]) -> [f32; 4] {
    let particles = Particles::new(mode, [quad(100.0, color)]);
    let options = Options { blending, ..Options::default() };
    let picture = draw(&canvas(), &particles, &image(1, &[texel]), options, &front(), (4, CLEAR));
    let first = pixel(&picture, 0, 0);
    assert!((0..4).all(|x| (0..4).all(|y| pixel(&picture, x, y) == first)));
    first
}

#[test]
fn every_mode_blends_as_its_table_says() {
    for blending in [Blending::Exact, Blending::Plain] {
        for mode in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, -1.0] {
            let (drawn, expected) =
                (drawn(mode, blending, COLOR, TEXEL), expected(mode, blending, COLOR, TEXEL));
            assert!(is_near(drawn, expected), "{blending:?} {mode}: {drawn:?} {expected:?}");
        }
    }
}

#[test]
fn no_two_modes_look_alike() {
    let exact = [0.0, 1.0, 2.0, 3.0, 4.0].map(|mode| drawn(mode, Blending::Exact, COLOR, TEXEL));
    let plain = [0.0, 1.0, 2.0].map(|mode| drawn(mode, Blending::Plain, COLOR, TEXEL));
    for pictures in [&exact[..], &plain[..]] {
        for (index, a) in pictures.iter().enumerate() {
            assert!(pictures[..index].iter().all(|b| !is_near(*a, *b)), "{pictures:?}");
        }
    }
    assert!(!exact.iter().zip(plain).any(|(a, b)| is_near(*a, b)), "{exact:?} {plain:?}");
}

/// What is transparent leaves colours as they are: in Multiply because it fades to white.
#[test]
fn transparent_texels_leave_the_colour_behind_them() {
    for mode in [1.0, 2.0, 3.0, 4.0] {
        let [r, g, b, _] = drawn(mode, Blending::Exact, [0.3, 0.8, 0.45, 1.0], [255, 255, 255, 0]);
        let [x, y, z, _] = CLEAR.map(|channel| channel as f32);
        assert!(is_near([r, g, b, 0.0], [x, y, z, 0.0]), "{mode}: {r} {g} {b}");
    }
}

/// All quads are multiplied, then all are added: not one quad after the other.
#[test]
fn multiply_add_draws_all_quads_twice() {
    let [a, b] = [[0.5, 0.5, 0.5, 1.0], [0.25, 0.5, 0.75, 1.0]];
    let particles = Particles::new(4.0, [quad(100.0, a), quad(100.0, b)]);
    let white = image(1, &[[255; 4]]);
    let picture = draw(&canvas(), &particles, &white, Options::default(), &front(), (2, CLEAR));
    let there = 166.0 / 255.0;
    let found = pixel(&picture, 0, 0)[0];
    let all_twice = there * a[0] * b[0] + a[0] + b[0];
    let one_after_the_other = (there * a[0] + a[0]) * b[0] + b[0];
    // Each of the four draws rounds to a byte.
    assert!((found - all_twice).abs() < 2.5 / 255.0, "{found} {all_twice}");
    assert!((found - one_after_the_other).abs() > 0.1);
}
