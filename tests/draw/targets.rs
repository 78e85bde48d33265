//! Kinds of target, and the scene's depth.

use pyrograph::picture::{Billboard, Image};
use pyrograph::render::{Canvas, Depth, Offscreen, Options, Picture, Renderer, Softness, Target};

use crate::scene::{
    DEVICE, IDENTITY, Particles, canvas, canvas_of, draw, front, is_near, pixel, quad, show,
    texture, white,
};

const BLACK: [f64; 4] = [0.0, 0.0, 0.0, 1.0];
const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

fn target(samples: u32, depth: Option<bool>) -> Target {
    let depth =
        depth.map(|is_reversed| Depth { format: wgpu::TextureFormat::Depth32Float, is_reversed });
    Target { samples, depth, ..Target::new(FORMAT) }
}

/// A turned quad, which has edges that more samples make smoother.
fn turned() -> Particles {
    Particles::new(1.0, [Billboard { angle: 0.3, ..quad(2.0, RED) }])
}

fn on(target: Target) -> Image {
    draw(&canvas_of(target), &turned(), &white(), Options::default(), &front(), (32, BLACK))
}

#[test]
fn one_and_four_samples_with_and_without_depth() {
    let plain = on(target(1, None));
    assert_eq!(pixel(&plain, 16, 16), RED);
    assert_eq!(pixel(&plain, 1, 1), [0.0, 0.0, 0.0, 1.0]);
    let smooth = on(target(4, None));
    let shades = |picture: &Image| {
        let mut reds: Vec<_> = picture.data().chunks_exact(4).map(|texel| texel[0]).collect();
        reds.sort_unstable();
        reds.dedup();
        reds
    };
    assert_eq!(shades(&plain), [0, 255]);
    assert!(shades(&smooth).len() > 2, "{:?}", shades(&smooth));
    for is_reversed in [false, true] {
        // Cameras of reversed targets have reversed projections: here all quads are nearer than the
        // farthest depth in either.
        assert_eq!(on(target(1, Some(is_reversed))), plain);
        assert_eq!(on(target(4, Some(is_reversed))), smooth);
    }
}

#[test]
fn a_renderer_goes_on_when_size_and_target_change() {
    let first = canvas();
    let picture = Picture::Here(texture(&first, &white()));
    let particles = turned();
    let mut renderer = Renderer::of(&first, &particles, picture, Options::default()).unwrap();
    renderer.prepare_state(&particles, &IDENTITY, &front()).unwrap();
    for size in [1, 7, 64, 300, 9] {
        let picture = show(&first, &renderer, size, BLACK);
        assert_eq!(pixel(&picture, size / 2, size / 2), RED, "{size}");
    }
    let other = Target { samples: 4, ..Target::new(wgpu::TextureFormat::Rgba8UnormSrgb) };
    for canvas in [canvas_of(other), canvas_of(target(1, Some(true))), first] {
        renderer.set_canvas(&canvas).unwrap();
        assert_eq!(pixel(&show(&canvas, &renderer, 8, BLACK), 4, 4), RED);
    }
}

#[test]
fn offscreen_targets_say_what_they_cannot_be() {
    let canvas = canvas_of(Target::new(wgpu::TextureFormat::Rgba16Float));
    let message = Offscreen::new(&canvas, 4, 4).unwrap_err().to_string();
    assert!(message.contains("Rgba16Float") && message.contains("use Rgba8Unorm"), "{message}");
    assert!(Offscreen::new(&self::canvas(), 0, 4).is_err());
    assert!(Offscreen::new(&self::canvas(), 1 << 20, 4).is_err());
}

fn create(format: wgpu::TextureFormat, usage: wgpu::TextureUsages) -> wgpu::Texture {
    DEVICE.0.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 4, height: 4, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    })
}

/// A depth texture of one depth, as a pass leaves it.
fn depth_of(value: f32) -> wgpu::TextureView {
    let (device, queue) = &*DEVICE;
    let texture = create(wgpu::TextureFormat::Depth32Float, wgpu::TextureUsages::TEXTURE_BINDING);
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &view,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(value),
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: None,
        }),
        ..wgpu::RenderPassDescriptor::default()
    });
    queue.submit([encoder.finish()]);
    view
}

/// Draws in front of a scene of one depth, and looks at a pixel in the middle.
fn over_scene(canvas: &Canvas, renderer: &Renderer, depth: f32) -> [f32; 4] {
    let (device, queue) = &*DEVICE;
    let color = create(FORMAT, wgpu::TextureUsages::COPY_SRC);
    let view = color.create_view(&wgpu::TextureViewDescriptor::default());
    let scene = depth_of(depth);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: canvas.target().depth.map(|_| {
            wgpu::RenderPassDepthStencilAttachment {
                view: &scene,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Load,
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }
        }),
        ..wgpu::RenderPassDescriptor::default()
    });
    renderer.draw(&mut pass);
    drop(pass);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 4 * 256,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(256), rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(color.as_image_copy(), to, color.size());
    queue.submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let bytes = buffer.get_mapped_range(..).unwrap();
    [0, 1, 2, 3].map(|channel| f32::from(bytes[2 * 256 + 2 * 4 + channel]) / 255.0)
}

/// The depth that the front camera gives to a place straight ahead.
fn depth_at(z: f64) -> f32 {
    let m = front().view_projection;
    ((m[10] * z + m[14]) / (m[11] * z + m[15])) as f32
}

fn prepared(canvas: &Canvas, particles: &Particles) -> Renderer {
    let picture = Picture::Here(texture(canvas, &white()));
    let mut renderer = Renderer::of(canvas, particles, picture, Options::default()).unwrap();
    renderer.prepare_state(particles, &IDENTITY, &front()).unwrap();
    renderer
}

#[test]
fn depth_is_tested_and_not_written() {
    let at = |z: f32, color| Billboard { position: [0.0, 0.0, z], ..quad(20.0, color) };
    // The nearer one comes first. If it wrote its depth, the other would be hidden.
    let particles = Particles::new(2.0, [at(-1.0, RED), at(1.0, GREEN)]);
    let canvas = canvas_of(target(1, Some(false)));
    let renderer = prepared(&canvas, &particles);
    let over = |z: f64| over_scene(&canvas, &renderer, depth_at(z));
    assert!(is_near(over(2.0), [1.0, 1.0, 0.0, 1.0]));
    assert!(is_near(over(0.0), RED));
    assert!(is_near(over(-2.0), [0.0, 0.0, 0.0, 1.0]));
    // The other way round for a target that says so.
    let reversed = canvas_of(target(1, Some(true)));
    let renderer = prepared(&reversed, &particles);
    assert!(is_near(over_scene(&reversed, &renderer, depth_at(0.0)), GREEN));
}

#[test]
fn soft_quads_fade_towards_the_scene() {
    let canvas = canvas();
    for (blend_mode, expected) in [(1.0, 0.25), (0.0, 0.25), (2.0, 0.25), (3.0, 0.0)] {
        let particles = Particles::new(blend_mode, [quad(20.0, RED)]);
        let mut renderer = prepared(&canvas, &particles);
        let seen = |renderer: &mut Renderer, scene: Option<f64>| {
            let softness =
                scene.map(|z| Softness { scene_depth: depth_of(depth_at(z)), distance: 2.0 });
            renderer.set_softness(softness).unwrap();
            renderer.prepare_state(&particles, &IDENTITY, &front()).unwrap();
            over_scene(&canvas, renderer, 1.0)[0]
        };
        let whole = seen(&mut renderer, None);
        assert!((seen(&mut renderer, Some(3.0)) - whole).abs() < 0.01, "{blend_mode}");
        assert!((seen(&mut renderer, Some(0.5)) - expected).abs() < 0.01, "{blend_mode}");
        assert!((seen(&mut renderer, None) - whole).abs() < 0.01);
    }
}
