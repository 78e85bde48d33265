//! Scene 301 (section 13.3): Multiply and MultiplyAdd side by side, over a warm colour.

use pyrograph::Sine;
use pyrograph::picture::sprite2d::{Mapping, Options, Stage, Target};
use pyrograph::picture::{Blending, Image};
use pyrograph::textures::Textures;
use serde_json::Value;

use crate::composite::Composition;
use crate::graph::{Spec, systems};
use crate::stage_target::Nothing;

const DESTINATION: [f32; 4] = [0.65, 0.45, 0.25, 1.0];
const TINT: [f32; 3] = [0.3, 0.8, 0.45];
const OPACITY: f64 = 0.75;
/// Middles of the two sprites, which are 64 pixels wide.
const MULTIPLY: (usize, usize) = (48, 48);
const MULTIPLY_ADD: (usize, usize) = (128, 48);

/// The picture of scenes 283 and 284.
fn image() -> Image {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/graphs/scenes/scene283.json");
    let graph: Value = serde_json::from_slice(&std::fs::read(folder).unwrap()).unwrap();
    let mut blocks = graph["blocks"].as_array().unwrap().iter();
    let url = blocks.find_map(|block| block["textureDataUrl"].as_str()).unwrap();
    Textures::new().read(url, true).unwrap()
}

pub(crate) fn stage<T: Target>(target: T, blending: Blending) -> Stage<Sine, T> {
    let spec = |name, (x, y): (usize, usize), mode: i32| {
        let color = [0.3, 0.8, 0.45, 1.0];
        let spec = Spec { size: 64.0, color, ..Spec::new(name).at(x as f64, -(y as f64)) };
        spec.with("blendMode", mode.into())
    };
    let set = systems(&[spec("multiply", MULTIPLY, 3), spec("multiply add", MULTIPLY_ADD, 4)]);
    let mut stage = Stage::new(Sine::new(), target);
    let mapping = Mapping::default();
    let options = Options { mapping, blending, opacity: OPACITY, ..Options::default() };
    let images = vec![Some(image()); 2];
    assert!(stage.register(set, &images, &options, true).is_ok());
    assert!(stage.advance(0.0).is_empty());
    stage
}

fn drawn(stage: &Stage<Sine, Nothing>) -> Composition {
    let mut canvas = Composition::new(176, 96, DESTINATION);
    canvas.draw(stage.draw_order());
    canvas
}

fn close(pixel: [f32; 4], expected: [f32; 3], tolerance: f32) -> bool {
    pixel.iter().zip(expected).all(|(a, b)| (a - b.min(1.0)).abs() < tolerance)
}

/// The equations of section 13.3, at the middle of both sprites.
pub(crate) fn assert_equations(at: impl Fn((usize, usize)) -> [f32; 4], tolerance: f32) {
    let opacity = OPACITY as f32;
    let multiplied: [f32; 3] = std::array::from_fn(|channel| {
        DESTINATION[channel] * (TINT[channel] * opacity + (1.0 - opacity))
    });
    let added: [f32; 3] =
        std::array::from_fn(|channel| multiplied[channel] + TINT[channel] * opacity);
    let found = [at(MULTIPLY), at(MULTIPLY_ADD)];
    assert!(close(found[0], multiplied, tolerance), "{found:?}, not {multiplied:?}");
    assert!(close(found[1], added, tolerance), "{found:?}, not {added:?}");
}

#[test]
fn centers_follow_the_equations() {
    let canvas = drawn(&stage(Nothing, Blending::Exact));
    assert_equations(|(x, y)| canvas.at(x, y), 1e-5);
}

#[test]
fn transparent_edges_leave_the_destination_alone() {
    let canvas = drawn(&stage(Nothing, Blending::Exact));
    for (x, y) in [MULTIPLY, MULTIPLY_ADD] {
        for (dx, dy) in [(31, 0), (0, 31), (31, 31)] {
            assert_eq!(canvas.at(x + dx, y + dy), DESTINATION);
            assert_eq!(canvas.at(x - 1 - dx, y - 1 - dy), DESTINATION);
        }
    }
}

#[test]
fn three_layers_in_the_order_of_their_passes() {
    use pyrograph::picture::passes;
    let stage = stage(Nothing, Blending::Exact);
    let drawn: Vec<_> = stage.draw_order().iter().map(|(_, layer, _)| layer.pass()).collect();
    let exact = |mode| passes(mode, Blending::Exact)[0];
    assert_eq!(drawn, [exact(3.0), exact(3.0), exact(2.0)]);
}

/// The two passes of MultiplyAdd do not commute: the other order is another picture.
#[test]
fn the_order_of_passes_is_seen() {
    let stage = stage(Nothing, Blending::Exact);
    let mut layers = stage.draw_order();
    layers.swap(1, 2);
    let mut swapped = Composition::new(176, 96, DESTINATION);
    swapped.draw(layers);
    let right = drawn(&stage).at(MULTIPLY_ADD.0, MULTIPLY_ADD.1);
    let wrong = swapped.at(MULTIPLY_ADD.0, MULTIPLY_ADD.1);
    assert!(right.iter().zip(wrong).any(|(a, b)| (a - b).abs() > 0.05), "{right:?} {wrong:?}");
}

#[test]
fn the_plain_table_adds_instead() {
    let canvas = drawn(&stage(Nothing, Blending::Plain));
    let added: [f32; 3] =
        std::array::from_fn(|channel| DESTINATION[channel] + TINT[channel] * OPACITY as f32);
    for (x, y) in [MULTIPLY, MULTIPLY_ADD] {
        assert!(close(canvas.at(x, y), added, 1e-5));
    }
}
