//! Pixels that can be told beforehand.

use super::{Canvas, Corner, PLACES, Quads, Texture, cover};
use crate::picture::{ArcRotate, Billboards, Blending, Filter, Image};
use crate::program::RenderFacts;

const WHITE: [f64; 4] = [1.0; 4];

/// A quad in the plane of the picture, corners from -1 to 1, each with its w.
fn corners(places: [[f64; 2]; 4], w: [f64; 4]) -> [Corner; 4] {
    std::array::from_fn(|index| {
        let ([x, y], w) = (places[index], w[index]);
        Corner { clip: [x * w, y * w, 0.5 * w, w], place: PLACES[index] }
    })
}

/// How often each pixel of a picture is covered.
fn counts(quads: &[[Corner; 4]], [width, height]: [u32; 2]) -> Vec<u32> {
    let mut counts = vec![0; (width * height) as usize];
    for quad in quads {
        cover::quad(quad, [width, height], |[x, y], _| counts[(y * width + x) as usize] += 1);
    }
    counts
}

#[test]
fn pixels_on_common_edges_are_drawn_once() {
    let square = |x: [f64; 2], y: [f64; 2]| {
        corners([[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]], [1.0; 4])
    };
    let whole = square([-1.0, 1.0], [-1.0, 1.0]);
    assert_eq!(counts(&[whole], [17, 9]), [1; 17 * 9]);
    // Edges through the middles of pixels: four quads that meet in the middle of one.
    let parts = [
        square([-1.0, 0.0], [-1.0, 0.0]),
        square([0.0, 1.0], [-1.0, 0.0]),
        square([-1.0, 0.0], [0.0, 1.0]),
        square([0.0, 1.0], [0.0, 1.0]),
    ];
    assert_eq!(counts(&parts, [17, 9]), [1; 17 * 9]);
    // A quad seen from behind is drawn as well.
    let behind = corners([[1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]], [1.0; 4]);
    assert_eq!(counts(&[behind], [5, 4]), [1; 20]);
}

#[test]
fn places_follow_perspective() {
    // The upper edge is three times as far away, so a third as wide.
    let third = 1.0 / 3.0;
    let places = [[-1.0, -1.0], [1.0, -1.0], [third, 1.0], [-third, 1.0]];
    let far = corners(places, [1.0, 1.0, 3.0, 3.0]);
    let mut seen = [[0.0; 2]; 2];
    cover::quad(&far, [1, 2], |[_, y], spot| seen[y as usize] = spot.place);
    // y = -1 + 4 t and w = 1 + 2 t, where t is the place; the middles of the pixels are at half.
    let [upper, lower] = seen;
    assert!((lower[1] - 0.1).abs() < 1e-12 && (upper[1] - 0.5).abs() < 1e-12, "{seen:?}");
    assert!((lower[0] - 0.5).abs() < 1e-12 && (upper[0] - 0.5).abs() < 1e-12, "{seen:?}");
}

#[test]
fn only_what_is_between_the_planes_is_drawn() {
    let mut through = corners([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]], [1.0; 4]);
    // The lower half is in front of the near plane.
    for (corner, z) in through.iter_mut().zip([-0.5, -0.5, 0.5, 0.5]) {
        corner.clip[2] = z;
    }
    assert_eq!(counts(&[through], [1, 4]), [1, 1, 0, 0]);
    // Behind the eye, and far outside.
    let behind = through.map(|corner| Corner { clip: corner.clip.map(|x| -x), ..corner });
    assert_eq!(counts(&[behind], [1, 4]), [0; 4]);
    let huge = corners([[-1e9, -1e9], [1e9, -1e9], [1e9, 1e9], [-1e9, 1e9]], [1.0; 4]);
    assert_eq!(counts(&[huge], [2, 2]), [1; 4]);
}

#[test]
fn small_pictures_are_read_from_small_levels() {
    // Black and white columns; from afar they are gray.
    let stripes = (0..8).flat_map(|_| [[0, 0, 0, 255], [255; 4]].repeat(4)).flatten();
    let stripes = Image::new(8, 8, stripes.collect::<Vec<u8>>()).unwrap();
    let texture = Texture::new(&stripes, Filter::Smooth);
    let steps = |texels: f64| [[texels / 8.0, 0.0], [0.0, texels / 8.0]];
    let red = |uv, texels| texture.sample(uv, steps(texels))[0];
    assert_eq!((red([0.0625, 0.5], 1.0), red([0.1875, 0.5], 1.0)), (0.0, 1.0));
    // Half the way between two texels, and beyond the edge where the picture repeats.
    assert_eq!((red([0.125, 0.5], 1.0), red([1.1875, 7.5], 1.0)), (0.5, 1.0));
    for texels in [2.0, 4.0, 100.0] {
        assert!((red([0.1875, 0.5], texels) - 0.5).abs() < 0.01, "{texels}");
    }
    // Four places along a steep step keep the level.
    let steep = texture.sample([0.1875, 0.5], [[0.125, 0.0], [0.0, 0.5]]);
    assert_eq!(steep[0], 1.0);
    let nearest = Texture::new(&stripes, Filter::Nearest);
    assert_eq!(nearest.sample([0.13, 0.0], steps(8.0))[0], 1.0);
    assert_eq!(nearest.sample([-0.01, 0.0], steps(8.0))[0], 1.0);
    // No texels, no steps.
    let empty = Texture::new(&Image::default(), Filter::Smooth);
    assert_eq!(empty.sample([0.5, 0.5], [[0.0; 2]; 2]), [0.0; 4]);
}

#[test]
fn colours_are_rounded_and_limited() {
    let canvas = Canvas::new(2, 1, [0.65, 2.0, -1.0, f64::NAN]);
    assert_eq!(canvas.pixels(), [[166, 255, 0, 0]; 2]);
    let image = canvas.into_image();
    assert_eq!((image.width(), image.height(), image.byte(1, 0, 0)), (2, 1, 166));
}

#[test]
fn no_particles_draw_nothing() {
    let mut canvas = Canvas::new(4, 4, WHITE);
    let texture = Texture::new(&Image::default(), Filter::Smooth);
    let quads = Quads {
        billboards: &Billboards::new(),
        facts: RenderFacts::default(),
        texture: &texture,
        blending: Blending::Exact,
    };
    canvas.draw(&ArcRotate::default().camera(1.0), &quads);
    assert_eq!(canvas, Canvas::new(4, 4, WHITE));
}
