//! Cells, masks and frames that are not there: S1-098, S1-101.

use pyrograph::picture::Billboard;
use pyrograph::render::{Options, Picture, RenderError, Renderer};

use crate::scene::{
    IDENTITY, Particles, canvas, draw, front, image, is_near, pixel, quad, show, texture,
};

const BLACK: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// Eight cells of 1 by 1 texel in two rows; red tells the column, green the row.
fn sheet() -> pyrograph::picture::Image {
    let texel = |index: u8| [50 + 50 * (index % 4), 100 + 100 * (index / 4), 0, 255];
    image(4, &[0, 1, 2, 3, 4, 5, 6, 7].map(texel))
}

fn particles(sheet: [f64; 2], cell: f32) -> Particles {
    let mut particles =
        Particles::new(1.0, [Billboard { cell, ..quad(100.0, [1.0, 1.0, 1.0, 1.0]) }]);
    particles.facts.sheet = Some(sheet);
    particles
}

#[test]
fn cells_are_counted_along_rows() {
    for cell in 0..8u8 {
        let particles = particles([1.0, 1.0], f32::from(cell));
        let picture =
            draw(&canvas(), &particles, &sheet(), Options::default(), &front(), (2, BLACK));
        let expected = [
            f32::from(50 + 50 * (cell % 4)) / 255.0,
            f32::from(100 + 100 * (cell / 4)) / 255.0,
            0.0,
            1.0,
        ];
        assert!(is_near(pixel(&picture, 1, 1), expected), "{cell}: {:?}", pixel(&picture, 1, 1));
    }
}

#[test]
fn a_cell_without_a_height_has_the_pictures() {
    let particles = particles([1.0, 0.0], 2.0);
    let quad =
        Particles { all: vec![Billboard { size: [4.0; 2], ..particles.all[0] }], ..particles };
    let picture = draw(&canvas(), &quad, &sheet(), Options::default(), &front(), (4, BLACK));
    // The first row of a sheet is above.
    assert!(is_near(pixel(&picture, 1, 0), [150.0 / 255.0, 100.0 / 255.0, 0.0, 1.0]));
    assert!(is_near(pixel(&picture, 1, 3), [150.0 / 255.0, 200.0 / 255.0, 0.0, 1.0]));
}

#[test]
fn a_picture_that_is_no_sheet_is_read_upwards() {
    let particles = Particles::new(1.0, [quad(4.0, [1.0; 4])]);
    let picture = draw(&canvas(), &particles, &sheet(), Options::default(), &front(), (4, BLACK));
    assert!(is_near(pixel(&picture, 0, 3), [50.0 / 255.0, 100.0 / 255.0, 0.0, 1.0]));
    assert!(is_near(pixel(&picture, 3, 0), [200.0 / 255.0, 200.0 / 255.0, 0.0, 1.0]));
}

#[test]
fn a_cell_beyond_the_last_is_an_error_and_draws_nothing() {
    let canvas = canvas();
    let mut particles = particles([1.0, 1.0], 8.0);
    let picture = Picture::Here(texture(&canvas, &sheet()));
    let mut renderer = Renderer::of(&canvas, &particles, picture, Options::default()).unwrap();
    let prepare = |renderer: &mut Renderer, particles: &Particles| {
        renderer.prepare_state(particles, &IDENTITY, &front())
    };
    let error = prepare(&mut renderer, &particles).unwrap_err();
    assert!(matches!(error, RenderError::Frame(_)));
    assert_eq!(error.to_string(), "resolveSpriteFrame: index 8 out of range [0, 8)");
    assert!(is_near(pixel(&show(&canvas, &renderer, 2, BLACK), 0, 0), [0.0, 0.0, 0.0, 1.0]));
    // Babylon would read beyond the edge, where the picture begins again.
    let options = Options { takes_any_cell: true, ..Options::default() };
    let lenient = draw(&canvas, &particles, &sheet(), options, &front(), (2, BLACK));
    assert!(is_near(pixel(&lenient, 0, 0), [50.0 / 255.0, 100.0 / 255.0, 0.0, 1.0]));
    // The next good frame goes on.
    particles.all[0].cell = 7.0;
    prepare(&mut renderer, &particles).unwrap();
    assert!(pixel(&show(&canvas, &renderer, 2, BLACK), 0, 0)[0] > 0.5);
    // Without a sheet the cell is not looked at.
    particles.facts.sheet = None;
    particles.all[0].cell = 900.0;
    prepare(&mut renderer, &particles).unwrap();
}

#[test]
fn the_mask_leaves_white_where_the_picture_does_not_count() {
    let mut particles = Particles::new(1.0, [quad(100.0, [1.0, 1.0, 0.5, 1.0])]);
    particles.facts.texture_mask = [0.0, 0.5, 1.0, 0.0];
    let dark = image(1, &[[0, 0, 128, 0]]);
    let picture = draw(&canvas(), &particles, &dark, Options::default(), &front(), (2, BLACK));
    assert!(is_near(pixel(&picture, 0, 0), [1.0, 0.5, 64.0 / 255.0, 1.0]));
    // Multiply fades by the texel's own alpha.
    particles.facts.blend_mode = 3.0;
    let clear = [0.5, 0.5, 0.5, 1.0];
    let picture = draw(&canvas(), &particles, &dark, Options::default(), &front(), (2, clear));
    let [r, ..] = pixel(&picture, 0, 0);
    assert!((r - 0.5).abs() < 0.01);
}
