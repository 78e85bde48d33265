//! Scenes on a GPU adapter, simulated on the CPU or on the GPU.

use std::sync::{Arc, LazyLock};

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options as CompileOptions, compile};
use pyrograph::gpu::{GpuProgram, GpuSystem, default_device};
use pyrograph::picture::Image;
use pyrograph::picture::sprite2d::{self, Stage};
use pyrograph::render::{
    Canvas, GpuRenderer, Offscreen, Options, Picture, Renderer, SpriteTarget, Target, Texture,
};
use pyrograph::{Camera, Interpreted, ParticleState, ParticleSystem, Sine, TextureFacts};

use super::scene::{Scene, View, image};

/// The device of all tests.
static DEVICE: LazyLock<(wgpu::Device, wgpu::Queue)> = LazyLock::new(|| default_device().unwrap());

fn canvas() -> Canvas {
    let (device, queue) = &*DEVICE;
    Canvas::new(device, queue, Target::new(wgpu::TextureFormat::Rgba8Unorm)).unwrap()
}

fn picture(canvas: &Canvas, scene: &Scene, facts: Option<TextureFacts<'_>>) -> Picture {
    Picture::Here(Texture::new(canvas, &image(facts), scene.filter()).unwrap())
}

fn offscreen(canvas: &Canvas, scene: &Scene) -> Offscreen {
    let [width, height] = scene.size();
    Offscreen::new(canvas, width, height).unwrap()
}

/// Systems of the CPU as their scene shows them.
pub(crate) fn draw(scene: &Scene, systems: &[ParticleSystem<Interpreted>]) -> Image {
    match scene.view() {
        View::Camera(camera) => draw_quads(scene, &camera, systems),
        View::Flat(options) => draw_sprites(scene, &options, systems),
    }
}

fn draw_quads(scene: &Scene, camera: &Camera, systems: &[ParticleSystem<Interpreted>]) -> Image {
    let canvas = canvas();
    let mut renderers: Vec<_> = systems
        .iter()
        .map(|system| {
            let picture = picture(&canvas, scene, system.program().picture());
            let mut renderer = Renderer::new(&canvas, system, picture, Options::default()).unwrap();
            renderer.prepare(system, camera).unwrap();
            (system.program().render().rendering_group_id, renderer)
        })
        .collect();
    renderers.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let draw = |pass: &mut wgpu::RenderPass<'_>| {
        renderers.iter().for_each(|(_, renderer)| renderer.draw(pass));
    };
    offscreen(&canvas, scene).draw(scene.clear(), draw).unwrap()
}

fn draw_sprites(
    scene: &Scene,
    options: &sprite2d::Options,
    systems: &[ParticleSystem<Interpreted>],
) -> Image {
    let canvas = canvas();
    let images: Vec<_> =
        systems.iter().map(|system| Some(image(system.program().picture()))).collect();
    let target = SpriteTarget::new(&canvas, scene.filter());
    let mut stage = Stage::new(Sine::new(), target);
    // Registered as they are: nothing moves them any more.
    assert!(stage.register(systems.to_vec(), &images, options, false).is_ok());
    let [width, height] = scene.size();
    stage.prepare(width, height).unwrap();
    let draw = |pass: &mut wgpu::RenderPass<'_>| assert!(stage.draw(pass) > 0);
    offscreen(&canvas, scene).draw(scene.clear(), draw).unwrap()
}

/// Systems of the GPU, from their columns in place.
pub(crate) fn draw_in_place(scene: &Scene, systems: &[GpuSystem]) -> Image {
    let View::Camera(camera) = scene.view() else { panic!("{} has no camera", scene.name) };
    let canvas = canvas();
    let renderers: Vec<_> = systems
        .iter()
        .map(|system| {
            let picture = picture(&canvas, scene, system.picture());
            let mut renderer =
                GpuRenderer::new(&canvas, system, picture, Options::default()).unwrap();
            renderer.prepare(system, &camera).unwrap();
            renderer
        })
        .collect();
    let draw = |pass: &mut wgpu::RenderPass<'_>| {
        renderers.iter().for_each(|renderer| renderer.draw(pass));
    };
    offscreen(&canvas, scene).draw(scene.clear(), draw).unwrap()
}

/// Plays a scene in Parallel on both with the same seed, to its last drawn step.
pub(crate) fn play(scene: &Scene) -> (Vec<ParticleSystem<Interpreted>>, Vec<GpuSystem>) {
    let mut cpu = scene.systems(Profile::Parallel);
    let compiled = compile(&scene.graph(), &CompileOptions::new(Profile::Parallel)).unwrap();
    let module = Arc::new(compiled.module);
    let (device, queue) = &*DEVICE;
    let mut gpu: Vec<GpuSystem> = (0..cpu.len())
        .map(|index| {
            let program = GpuProgram::new(device, queue, &module, index).unwrap();
            let mut system = program.instance(0).unwrap();
            if let View::Camera(camera) = scene.view() {
                system.set_camera(Some(camera));
            }
            system.start();
            system
        })
        .collect();
    for step in 1..=*scene.drawn().last().unwrap() {
        let emitter = scene.emitter(step);
        for system in &mut cpu {
            if let Some(matrix) = emitter {
                system.set_emitter_matrix(matrix).unwrap();
            }
            system.animate(1.0, &mut Sine::new()).unwrap();
        }
        for system in &mut gpu {
            if let Some(matrix) = emitter {
                system.set_emitter_matrix(matrix).unwrap();
            }
            system.animate(1.0).unwrap();
        }
    }
    (cpu, gpu)
}
