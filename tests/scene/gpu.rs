//! Layers drawn by a GPU adapter look as the composition of the contract's words. Where no adapter is
//! found these tests fail and say what to install.

use std::sync::LazyLock;

use pyrograph::picture::sprite2d::{Mapping, Options, Stage, View};
use pyrograph::picture::{ArcRotate, Blending};
use pyrograph::render::{
    Canvas, Depth, Filter, Offscreen, Picture, Renderer, SpriteTarget, Target, Texture,
};
use pyrograph::scene::{Register, Scene};
use pyrograph::{Random, Sine};
use serde_json::json;

use crate::composite::Composition;
use crate::graph::{Spec, Systems, picture, systems};
use crate::{scene300, scene301};

const SIZE: (u32, u32) = (176, 96);
const DESTINATION: [f32; 4] = [0.65, 0.45, 0.25, 1.0];

static DEVICE: LazyLock<(wgpu::Device, wgpu::Queue)> =
    LazyLock::new(|| pyrograph::gpu::default_device().unwrap_or_else(|error| panic!("{error}")));

fn canvas(target: Target) -> Canvas {
    let (device, queue) = &*DEVICE;
    Canvas::new(device, queue, target).unwrap()
}

fn plain() -> Target {
    Target::new(wgpu::TextureFormat::Rgba8Unorm)
}

/// What the adapter draws of a stage, as numbers from 0 to 1, and how many draws that takes.
fn drawn<R: Random>(
    canvas: &Canvas,
    stage: &mut Stage<R, SpriteTarget>,
    (width, height): (u32, u32),
    clear: [f32; 4],
) -> (Vec<[f32; 4]>, u32) {
    stage.prepare(width, height).unwrap();
    // A frame that changes nothing uploads nothing.
    assert_eq!(stage.prepare(width, height).unwrap(), 0);
    let offscreen = Offscreen::new(canvas, width, height).unwrap();
    let mut draws = 0;
    let image = offscreen.draw(clear.map(f64::from), |pass| draws = stage.draw(pass)).unwrap();
    let (pixels, _) = image.data().as_chunks::<4>();
    (pixels.iter().map(|pixel| pixel.map(|byte| f32::from(byte) / 255.0)).collect(), draws)
}

/// Fails where more than one pixel in a hundred is another one, or where the means differ.
fn assert_alike<R: Random>(
    stage: &Stage<R, SpriteTarget>,
    pixels: &[[f32; 4]],
    (width, height): (u32, u32),
    clear: [f32; 4],
) {
    let mut composition = Composition::new(width as usize, height as usize, clear);
    composition.draw(stage.draw_order());
    let (mut sum, mut others, mut touched) = (0.0, 0, 0);
    for (index, pixel) in pixels.iter().enumerate() {
        let (x, y) = (index % width as usize, index / width as usize);
        let wanted = composition.at(x, y);
        let worst = pixel.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        sum += worst;
        others += usize::from(worst > 4.0 / 255.0);
        touched += usize::from(wanted != clear);
    }
    let count = pixels.len();
    assert!(touched > count / 100, "an empty picture shows nothing");
    assert!(others * 100 <= count && sum / (count as f32) < 0.005, "{others}, {sum}");
}

#[test]
fn scenes_look_on_a_gpu_as_they_should() {
    let canvas = canvas(plain());
    let target = || SpriteTarget::new(&canvas, Filter::Nearest);
    let size = (scene300::WIDTH as u32, scene300::HEIGHT as u32);
    let mut stage = scene300::frozen(target());
    let (pixels, draws) = drawn(&canvas, &mut stage, size, scene300::CLEAR);
    assert_eq!(draws, 2);
    assert_alike(&stage, &pixels, size, scene300::CLEAR);
    let at = |x: usize, y: usize| pixels[y * scene300::WIDTH + x];
    assert!(at(96, 71)[0] > 0.9 && at(96, 120)[0] < 0.1, "the marker is above");

    let mut stage = scene301::stage(target(), Blending::Exact);
    let (pixels, draws) = drawn(&canvas, &mut stage, SIZE, DESTINATION);
    assert_eq!(draws, 3);
    assert_alike(&stage, &pixels, SIZE, DESTINATION);
    scene301::assert_equations(|(x, y)| pixels[y * SIZE.0 as usize + x], 1.0 / 255.0);
}

/// Every mode of both tables, by what becomes of one colour.
#[test]
fn blend_tables_hold_on_a_gpu() {
    let canvas = canvas(plain());
    let image = picture(1, 1, |_, _| [204, 102, 51, 153]);
    for blending in [Blending::Exact, Blending::Plain] {
        for mode in 0..6 {
            let spec = Spec { size: 64.0, color: [0.5, 1.0, 0.75, 0.8], ..Spec::new("quad") };
            let set = systems(&[spec.at(88.0, -48.0).with("blendMode", json!(mode))]);
            let mut stage = Stage::new(Sine::new(), SpriteTarget::new(&canvas, Filter::Nearest));
            let options = Options { blending, opacity: 0.5, ..Options::default() };
            stage.register(set, &[Some(image.clone())], &options, true).unwrap();
            stage.advance(0.0);
            let there = [0.6, 0.3, 0.2, 0.4];
            let (pixels, _) = drawn(&canvas, &mut stage, SIZE, there);
            let mut composition = Composition::new(SIZE.0 as usize, SIZE.1 as usize, there);
            composition.draw(stage.draw_order());
            for (x, y) in [(88, 48), (60, 20), (10, 10)] {
                let (found, wanted) = (pixels[y * SIZE.0 as usize + x], composition.at(x, y));
                let is_close = found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1.6 / 255.0);
                assert!(is_close, "{blending:?} {mode} at {x}, {y}: {found:?}, not {wanted:?}");
            }
        }
    }
}

/// Turned, mirrored and stretched sprites, seen through a view that moves, turns and enlarges.
fn askew(canvas: &Canvas) -> Stage<Sine, SpriteTarget> {
    let image = picture(4, 4, |x, y| [60 * x as u8 + 40, 60 * y as u8 + 40, 128, 255]);
    let spec = |name, x, angle, scale| {
        let spec = Spec { size: 1.0, angle, scale, ..Spec::new(name) };
        spec.at(x, 0.25)
    };
    let set = systems(&[
        spec("turned", -1.0, 0.5, [1.5, 0.75]),
        spec("mirrored", 0.25, 0.0, [-1.0, 1.0]),
        Spec { sheet: Some(([2.0, 2.0], 1)), ..spec("cell", 1.25, -0.4, [0.75, 1.0]) },
    ]);
    let mut stage = Stage::new(Sine::new(), SpriteTarget::new(canvas, Filter::Nearest));
    let mapping = Mapping { pixels_per_unit: 30.0, origin_px: [60.0, 40.0], invert_y: true };
    let view = View { position_px: [10.0, -8.0], zoom: 1.25, rotation: 0.15 };
    let options = Options { mapping, view, ..Options::default() };
    stage.register(set, &vec![Some(image); 3], &options, true).unwrap();
    stage.advance(0.0);
    stage
}

#[test]
fn views_and_turns_are_those_of_the_mapping() {
    let canvas = canvas(plain());
    let mut stage = askew(&canvas);
    let (pixels, draws) = drawn(&canvas, &mut stage, SIZE, DESTINATION);
    assert_eq!(draws, 3);
    assert_alike(&stage, &pixels, SIZE, DESTINATION);
}

#[test]
fn passes_may_have_depth_and_samples() {
    let depth = Depth { format: wgpu::TextureFormat::Depth32Float, is_reversed: false };
    for target in [
        Target { depth: Some(depth), ..plain() },
        Target { samples: 4, ..plain() },
        Target { depth: Some(Depth { is_reversed: true, ..depth }), samples: 4, ..plain() },
    ] {
        let canvas = canvas(target);
        let mut stage =
            scene301::stage(SpriteTarget::new(&canvas, Filter::Nearest), Blending::Exact);
        let (pixels, _) = drawn(&canvas, &mut stage, SIZE, DESTINATION);
        assert_alike(&stage, &pixels, SIZE, DESTINATION);
    }
}

/// What is hidden, gone or disposed of is not drawn; what comes again is uploaded in one piece.
#[test]
fn what_is_not_there_is_not_drawn() {
    let canvas = canvas(plain());
    let image = picture(1, 1, |_, _| [255; 4]);
    let spec = Spec { burst: 5, life: 4.5, size: 40.0, ..Spec::new("burst").at(88.0, -48.0) };
    let mut stage = Stage::new(Sine::new(), SpriteTarget::new(&canvas, Filter::Smooth));
    let images = [Some(image)];
    let binding = stage.register(systems(&[spec]), &images, &Options::default(), true).unwrap();
    let count = |stage: &mut Stage<Sine, SpriteTarget>| {
        let (pixels, draws) = drawn(&canvas, stage, SIZE, [0.0; 4]);
        (pixels.iter().filter(|pixel| pixel[0] > 0.5).count(), draws)
    };
    assert_eq!(count(&mut stage), (0, 0));
    stage.advance(0.0);
    assert_eq!(count(&mut stage), (1600, 1));
    // Sprites that stand still are not uploaded again; those that move are, and nothing else.
    for (x, bytes) in [(0.0, 0), (1.0, 5 * 13 * 4), (0.0, 5 * 13 * 4)] {
        stage.bridges_mut(binding)[0].mapping.origin_px = [x, 0.0];
        stage.advance(0.0);
        assert_eq!(stage.prepare(SIZE.0, SIZE.1).unwrap(), bytes);
    }
    stage.bridges_mut(binding)[0].presentation_mut().visible = false;
    assert_eq!(count(&mut stage), (0, 0));
    stage.bridges_mut(binding)[0].presentation_mut().visible = true;
    assert_eq!(count(&mut stage), (1600, 1));
    for _ in 0..3 {
        stage.advance(0.0);
    }
    assert_eq!(count(&mut stage), (0, 0));
    stage.set_mut::<Systems>(binding).unwrap()[0].clear();
    assert!(stage.dispose(binding).is_some());
    assert_eq!(count(&mut stage), (0, 0));
}

/// S1P-016: what is drawn by the order of a scene lies on top where its group is higher, whatever was
/// registered first.
#[test]
fn groups_decide_what_lies_on_top() {
    let canvas = canvas(plain());
    let image = picture(1, 1, |_, _| [255; 4]);
    let texture = Texture::new(&canvas, &image, Filter::Nearest).unwrap();
    let quad = |name, color, group: i32| {
        let spec = Spec { size: 4.0, color, ..Spec::new(name) };
        spec.with("renderingGroupId", json!(group))
    };
    let camera = ArcRotate::default().camera(f64::from(SIZE.0) / f64::from(SIZE.1));
    for (red, green, top) in [(0, 0, 1), (1, 0, 0), (0, 1, 1)] {
        let mut scene = Scene::new(Sine::new());
        let set = [quad("red", [1., 0., 0., 1.], red), quad("green", [0., 1., 0., 1.], green)];
        scene.register(systems(&set), Register::new());
        assert!(scene.advance(0.0).failures.is_empty());
        let options = pyrograph::render::Options::default();
        let order = scene.draw_order();
        let renderers = order.iter().map(|system| {
            let picture = Picture::Here(texture.clone());
            let mut renderer = Renderer::of(&canvas, system.state(), picture, options).unwrap();
            let emitter = system.controls.emitter_matrix();
            renderer.prepare_state(system.state(), emitter, &camera).unwrap();
            renderer
        });
        let renderers: Vec<Renderer> = renderers.collect();
        let offscreen = Offscreen::new(&canvas, SIZE.0, SIZE.1).unwrap();
        let image = offscreen.draw([0.0; 4], |pass| renderers.iter().for_each(|r| r.draw(pass)));
        let mut expected = [0, 0];
        expected[top] = 255;
        let image = image.unwrap();
        assert_eq!([0, 1].map(|channel| image.byte(88, 48, channel)), expected, "{red} {green}");
    }
}
