//! From the world to pixels, and which blend (sections 10.4 and 10.5).

use pyrograph::picture::sprite2d::{Bridge, Mapping, Options, Presentation, Sprite, View};
use pyrograph::picture::{Blending, passes};
use serde_json::json;

use crate::graph::{Spec, one, plain};

/// The only sprite of a system.
fn sprite(spec: Spec, mapping: Mapping) -> Sprite {
    let (mut system, image) = (one(spec), plain(8, 4, [255; 4]));
    system.start();
    system.animate(1.0, &mut pyrograph::Sine::new()).unwrap();
    let options = Options { mapping, ..Options::default() };
    let mut bridge = Bridge::new(system.program(), Some(&image), &options).unwrap();
    bridge.sync(system.program()).unwrap();
    let sprites: Vec<Sprite> = bridge.layers()[0].sprites().collect();
    assert_eq!(sprites.len(), 1);
    sprites[0]
}

fn spec() -> Spec {
    let color = [0.25, 0.5, 2.0, 0.75];
    Spec { size: 2.0, scale: [1.5, 0.5], angle: 0.5, color, ..Spec::new("one").at(3.0, 4.0) }
}

#[test]
fn positions_sizes_and_turns_follow_the_mapping() {
    let mapping = Mapping { pixels_per_unit: 10.0, origin_px: [100.0, 50.0], invert_y: true };
    let up = sprite(spec(), mapping);
    assert_eq!(up.position, [130.0, 10.0]);
    assert_eq!(up.size, [30.0, 10.0]);
    assert_eq!(up.rotation, -0.5);
    assert_eq!(up.color, [0.25, 0.5, 2.0, 0.75]);
    let down = sprite(spec(), Mapping { invert_y: false, ..mapping });
    assert_eq!((down.position, down.rotation), ([130.0, 90.0], 0.5));
    assert_eq!((down.size, down.color), (up.size, up.color));
    // Depth is not seen.
    let far = Spec { corners: [[3.0, 4.0, 99.0]; 2], ..spec() };
    assert_eq!(sprite(far, mapping), up);
}

#[test]
fn defaults_are_a_pixel_a_unit_from_the_corner_with_y_up() {
    let Options { mapping, opacity, visible, order, view, .. } = Options::default();
    assert_eq!(mapping, Mapping { pixels_per_unit: 1.0, origin_px: [0.0; 2], invert_y: true });
    assert_eq!((opacity, visible, order, view), (1.0, true, 0.0, View::default()));
    assert_eq!(sprite(spec(), mapping).position, [3.0, -4.0]);
    assert_eq!(Presentation::default().pivot, [0.5; 2]);
}

/// Images are loaded with their lowest row first; sprites show them upright, and count cells from above.
#[test]
fn cells_are_counted_from_the_images_upper_row() {
    let corners = |sheet| {
        let sprite = sprite(Spec { sheet, ..spec() }, Mapping::default());
        [sprite.uv_start, sprite.uv_end]
    };
    assert_eq!(corners(None), [[0.0, 1.0], [1.0, 0.0]]);
    assert_eq!(corners(Some(([2.0, 2.0], 0))), [[0.0, 1.0], [0.25, 0.5]]);
    assert_eq!(corners(Some(([2.0, 2.0], 6))), [[0.5, 0.5], [0.75, 0.0]]);
    // What is not above 0 is the picture's.
    assert_eq!(corners(Some(([0.0, -3.0], 0))), [[0.0, 1.0], [1.0, 0.0]]);
    assert_eq!(corners(Some(([4.0, 0.0], 1))), [[0.5, 1.0], [1.0, 0.0]]);
}

fn bridge(mode: serde_json::Value, options: &Options) -> Bridge {
    let (system, image) = (one(spec().with("blendMode", mode)), plain(8, 4, [255; 4]));
    let bridge = Bridge::new(system.program(), Some(&image), options).unwrap();
    assert!(bridge.layers().iter().all(|layer| layer.capacity() == 8 && layer.count() == 0));
    bridge
}

/// `tables_are_those_of_the_contract` shows what the passes do.
#[test]
fn plain_bridges_add_what_they_do_not_know() {
    for mode in [0.0, 1.0, 2.0, 3.0, 4.0, 7.0, -1.0] {
        let bridge = bridge(json!(mode), &Options::default());
        let drawn: Vec<_> = bridge.layers().iter().map(|layer| layer.pass()).collect();
        assert_eq!(drawn, passes(mode, Blending::Plain), "{mode}");
        assert_eq!(drawn.len(), 1);
        assert!(!drawn[0].fades_to_white);
    }
}

#[test]
fn exact_bridges_have_a_layer_for_each_pass() {
    let options = Options { blending: Blending::Exact, order: 3.0, ..Options::default() };
    for (mode, layers) in [(0.0, 1), (1.0, 1), (2.0, 1), (3.0, 1), (4.0, 2), (7.0, 1)] {
        let bridge = bridge(json!(mode), &options);
        let drawn: Vec<_> = bridge.layers().iter().map(|layer| layer.pass()).collect();
        assert_eq!(drawn, passes(mode, Blending::Exact), "{mode}");
        assert_eq!(drawn.len(), layers);
        assert!(bridge.layers().iter().all(|layer| layer.presentation.order == 3.0));
    }
    // MultiplyAdd is Multiply, and then Add.
    let multiply_add = bridge(json!(4), &options);
    let [first, second] = multiply_add.layers() else { panic!("two layers") };
    assert_eq!([first.pass()], passes(3.0, Blending::Exact));
    assert_eq!([second.pass()], passes(2.0, Blending::Exact));
}

#[test]
fn layers_are_shown_as_the_caller_says() {
    let view = View { position_px: [5.0, 6.0], zoom: 2.0, rotation: 0.25 };
    let options = Options { opacity: 0.5, visible: false, order: -2.0, view, ..Options::default() };
    let bridge = bridge(json!(1), &options);
    let expected =
        Presentation { opacity: 0.5, visible: false, order: -2.0, view, pivot: [0.5; 2] };
    assert_eq!(bridge.layers()[0].presentation, expected);
}

#[test]
fn views_move_then_turn_then_enlarge() {
    let quarter = std::f64::consts::FRAC_PI_2;
    let view = View { position_px: [10.0, 20.0], zoom: 3.0, rotation: quarter };
    let [x, y] = view.project([11.0, 22.0]);
    assert!((x + 6.0).abs() < 1e-12 && (y - 3.0).abs() < 1e-12, "{x}, {y}");
    assert_eq!(View::default().project([11.0, 22.0]), [11.0, 22.0]);
}
