//! Scene 300 (section 13.3): placement, and which way up a cell of a sheet is.

use pyrograph::picture::Image;
use pyrograph::picture::sprite2d::{Mapping, Options, Stage, Target};
use pyrograph::{Field, ParticleState, Sine};

use crate::composite::Composition;
use crate::graph::{Spec, Systems, picture, systems};
use crate::stage_target::Nothing;

pub(crate) const WIDTH: usize = 320;
pub(crate) const HEIGHT: usize = 240;
pub(crate) const CLEAR: [f32; 4] = [0.015, 0.007, 0.035, 1.0];
const MAPPING: Mapping =
    Mapping { pixels_per_unit: 220.0, origin_px: [160.0, 172.0], invert_y: true };

/// Two cells of 64 by 64 in a row: a soft disc, and a bar near the upper edge.
fn atlas() -> Image {
    picture(128, 64, |x, y| match x {
        0..64 => {
            let (x, y) = (f64::from(x) - 31.5, f64::from(y) - 31.5);
            let alpha = (1.0 - x.hypot(y) / 31.0).max(0.0);
            [255, 200, 120, (255.0 * alpha) as u8]
        }
        _ if (86..106).contains(&x) && (4..12).contains(&y) => [255, 96, 32, 255],
        _ => [0; 4],
    })
}

/// A field of discs below, and the marker alone, its middle at pixel (96, 96).
fn set() -> Systems {
    let sheet = |cell| Some(([64.0, 64.0], cell));
    let field = Spec {
        capacity: 600,
        burst: -1,
        rate: 0.1,
        life: 60.0,
        corners: [[-0.5, -0.1, 0.0], [0.5, 0.1, 0.0]],
        size: 0.1,
        sheet: sheet(0),
        ..Spec::new("field")
    };
    let [x, y] = [(96.0 - 160.0) / 220.0, (172.0 - 96.0) / 220.0];
    let marker =
        Spec { size: 64.0 / 220.0, life: 1e9, sheet: sheet(1), ..Spec::new("marker").at(x, y) };
    systems(&[field, marker].map(|spec| spec.with("blendMode", 0.into())))
}

/// The scene after 200 steps, frozen.
pub(crate) fn frozen<T: Target>(target: T) -> Stage<Sine, T> {
    let mut random = Sine::new();
    let mut set = set();
    for system in &mut set {
        system.start();
    }
    for _ in 0..200 {
        for system in &mut set {
            system.animate(1.0, &mut random).unwrap();
        }
    }
    for system in &mut set {
        system.set_update_speed(0.0);
    }
    let mut stage = Stage::new(random, target);
    let options = Options { mapping: MAPPING, ..Options::default() };
    let images = vec![Some(atlas()); 2];
    assert!(stage.register(set, &images, &options, false).is_ok());
    stage
}

#[test]
fn sprites_follow_a_system_that_stands_still() {
    let mut stage = frozen(Nothing);
    let mut first = Vec::new();
    stage.for_each_layer(|_, _, layer| first.push((layer.count(), layer.take_dirty())));
    assert_eq!(first.len(), 2);
    assert!(first.iter().all(|(count, dirty)| *dirty == (0..*count) && *count > 0));
    let words: Vec<Vec<f32>> =
        stage.draw_order().iter().map(|(_, layer, _)| layer.words().to_vec()).collect();
    for _ in 0..3 {
        assert!(stage.advance(40.0).is_empty());
    }
    let drawn = stage.draw_order();
    for ((_, layer, _), words) in drawn.iter().zip(words) {
        // Nothing has to be uploaded again.
        assert_eq!((layer.words(), layer.dirty()), (&words[..], 0..0));
    }
}

#[test]
fn particles_are_as_many_as_sprites_and_do_not_age() {
    let set = {
        let mut stage = frozen(Nothing);
        stage.advance(40.0);
        let counts: Vec<u32> =
            stage.draw_order().iter().map(|(_, layer, _)| layer.count()).collect();
        let set = stage.dispose_all().remove(0).downcast::<Systems>().unwrap();
        assert_eq!(set.iter().map(|system| system.program().alive()).collect::<Vec<_>>(), counts);
        set
    };
    // Born in the first step, updated in the 199 that followed it, then frozen.
    assert_eq!(set[1].program().value(0, Field::Age), Some(199.0));
}

#[test]
fn the_marker_is_where_it_should_be_and_upright() {
    let stage = frozen(Nothing);
    let mut canvas = Composition::new(WIDTH, HEIGHT, CLEAR);
    canvas.draw(stage.draw_order());
    let is_orange = |(x, y): (usize, usize)| {
        let [red, green, blue, _] = canvas.at(x, y);
        red > 0.9 && (0.3..0.5).contains(&green) && blue < 0.2
    };
    // The cell is 64 pixels wide about (96, 96): the bar takes columns 22 to 41 and rows 4 to 11 of it.
    for y in 64..128 {
        for x in 64..128 {
            let expected = (86..106).contains(&x) && (68..76).contains(&y);
            assert_eq!(is_orange((x, y)), expected, "{x}, {y}");
        }
    }
    // The field is visible below, and nowhere else.
    let field = canvas.differing(CLEAR).filter(|place| !is_orange(*place));
    let rows: Vec<usize> = field.map(|(_, y)| y).collect();
    assert!(rows.len() > 500 && rows.iter().all(|y| (138..206).contains(y)), "{}", rows.len());
}

#[test]
fn pixels_of_a_sprite_are_those_of_its_cell() {
    let stage = frozen(Nothing);
    let mut canvas = Composition::new(WIDTH, HEIGHT, [0.0, 0.0, 0.0, 1.0]);
    let marker = stage.draw_order().remove(1);
    canvas.draw([marker]);
    let covered: Vec<_> = canvas.differing([0.0, 0.0, 0.0, 1.0]).collect();
    assert_eq!((covered.len(), covered[0], covered[159]), (160, (86, 68), (105, 75)));
}
