//! Systems that live on the GPU, drawn from their columns in place.

use std::sync::Arc;

use pyrograph::gpu::{GpuProgram, GpuSystem};
use pyrograph::picture::{ArcRotate, Image};
use pyrograph::render::{
    Canvas, Filter, GpuRenderer, Offscreen, Options, Picture, Renderer, Texture,
};
use pyrograph::{Camera, Interpreted, ParticleState, ParticleSystem, Sine, compile};
use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::ir::Profile;

use crate::scene::{DEVICE, canvas, image};

const SIZE: u32 = 96;
const CLEAR: [f64; 4] = [0.1, 0.1, 0.2, 1.0];

/// A picture that is different everywhere.
fn picture(canvas: &Canvas) -> Picture {
    let texel =
        |k: u32| [255 - k / 8 % 128, k / 8192 + 100, 40 * (k % 5), 255 - k % 60].map(|c| c as u8);
    let texels: Vec<[u8; 4]> = (0..1024 * 1024).map(texel).collect();
    Picture::Here(Texture::new(canvas, &image(1024, &texels), Filter::Smooth).unwrap())
}

fn camera() -> Camera {
    ArcRotate { radius: 6.0, beta: 1.2, ..ArcRotate::default() }.camera(1.0)
}

fn graph(name: &str) -> String {
    let path = format!("{}/fixtures/graphs/{name}.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// The same system on both, after `steps`.
fn pair(text: &str, limits: &Limits, steps: u32) -> (GpuSystem, ParticleSystem<Interpreted>) {
    let options = pyrograph::Options::new(Profile::Parallel);
    let module = Arc::new(compile(text.as_bytes(), &options).unwrap().module);
    let (device, queue) = &*DEVICE;
    let mut gpu =
        GpuProgram::with_limits(device, queue, &module, 0, limits).unwrap().instance(5).unwrap();
    let mut cpu = ParticleSystem::from_program(Interpreted::all(&module).remove(0), 5);
    gpu.start();
    cpu.start();
    for _ in 0..steps {
        gpu.record(1.0).unwrap();
        cpu.animate(1.0, &mut Sine::default()).unwrap();
    }
    gpu.submit().unwrap();
    (gpu, cpu)
}

fn shown(canvas: &Canvas, draw: impl FnOnce(&mut wgpu::RenderPass<'_>)) -> Image {
    Offscreen::new(canvas, SIZE, SIZE).unwrap().draw(CLEAR, draw).unwrap()
}

/// Mean difference, and how many pixels differ by more than 8 in a channel, as parts of all.
fn difference(a: &Image, b: &Image) -> (f64, f64) {
    let pairs = || a.data().iter().zip(b.data().iter());
    let sum: u64 = pairs().map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    let texels = a.data().chunks(4).zip(b.data().chunks(4));
    let far = texels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 8)).count();
    (sum as f64 / 255.0 / a.data().len() as f64, far as f64 / f64::from(a.width() * a.height()))
}

fn assert_same(text: &str, limits: &Limits, what: &str) {
    let (gpu, cpu) = pair(text, limits, 50);
    assert!(cpu.program().alive() > 3, "{what}");
    let canvas = canvas();
    let mut from_columns =
        GpuRenderer::new(&canvas, &gpu, picture(&canvas), Options::default()).unwrap();
    assert!(from_columns.prepare(&gpu, &camera()).unwrap() > 0);
    assert_eq!(from_columns.prepare(&gpu, &camera()).unwrap(), 0, "{what}");
    let mut from_records =
        Renderer::new(&canvas, &cpu, picture(&canvas), Options::default()).unwrap();
    from_records.prepare(&cpu, &camera()).unwrap();
    let a = shown(&canvas, |pass| from_columns.draw(pass));
    let b = shown(&canvas, |pass| from_records.draw(pass));
    let empty = shown(&canvas, |_| {});
    let (mean, far) = difference(&a, &b);
    assert!(mean < 0.002 && far < 0.01, "{what}: {mean} {far}");
    let seen = difference(&empty, &b).0;
    assert!(seen > 10.0 * mean.max(0.0001), "{what}: nothing to see, {seen}");
}

#[test]
fn columns_in_place_look_like_records() {
    for name in ["canonical/fountain", "canonical/attractor", "sprite/loop", "sprite/slow"] {
        assert_same(&graph(name), &Limits::default(), name);
    }
}

#[test]
fn every_way_to_stand_reads_what_it_needs() {
    let fountain = graph("canonical/fountain");
    for mode in [2, 8, 9] {
        let text = fountain.replace("\"billBoardMode\":7", &format!("\"billBoardMode\":{mode}"));
        assert_ne!(text, fountain);
        assert_same(&text, &Limits::default(), &format!("mode {mode}"));
    }
    let text = fountain.replace("\"isBillboardBased\":true", "\"isBillboardBased\":false");
    assert_ne!(text, fountain);
    assert_same(&text, &Limits::default(), "not billboard based");
}

#[test]
fn columns_may_lie_in_several_buffers() {
    let words = u64::from(1000u32.next_multiple_of(64)) * 4;
    let limits = Limits { storage_bytes: 4 * words, ..Limits::default() };
    assert_same(&graph("canonical/fountain"), &limits, "several buffers");
}

#[test]
fn a_system_without_particles_draws_none() {
    let (gpu, _) = pair(&graph("canonical/fountain"), &Limits::default(), 0);
    let canvas = canvas();
    let mut renderer =
        GpuRenderer::new(&canvas, &gpu, picture(&canvas), Options::default()).unwrap();
    renderer.prepare(&gpu, &camera()).unwrap();
    assert_eq!(shown(&canvas, |pass| renderer.draw(pass)), shown(&canvas, |_| {}));
}
