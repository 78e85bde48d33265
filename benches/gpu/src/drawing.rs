//! GPU time of drawing a system in place, beside filling as many pixels with quads as large as the picture;
//! and what the CPU does for it.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use pyrograph::picture::{ArcRotate, Filter, Image};
use pyrograph::render::{Canvas, GpuRenderer, Options, Picture, Target, Texture};
use pyrograph::{Camera, Field, ParticleState};

use crate::timer::Timer;
use crate::workload::Workload;
use crate::{FOUNTAIN, ROUNDS};

const WIDTH: u32 = 1920;
const HEIGHT: u32 = 1080;
/// Quads of the size of the picture that are drawn to see how fast pixels can be filled.
const LAYERS: u32 = 64;

/// A line for each number of particles.
pub(crate) fn table(timer: &Timer) -> Result<(), Box<dyn Error>> {
    let canvas = Canvas::new(&timer.device, &timer.queue, Target::default())?;
    let texels: Vec<u8> = (0..64 * 64).flat_map(|at| [255, 255, 255, (at % 251) as u8]).collect();
    let image = Image::new(64, 64, texels).ok_or("no image")?;
    let flare = Texture::new(&canvas, &image, Filter::Smooth)?;
    let camera = ArcRotate { radius: 40.0, ..ArcRotate::default() }
        .camera(f64::from(WIDTH) / f64::from(HEIGHT));
    let view = target(&timer.device);
    let rate = fill_rate(timer, &view)?;
    println!("drawing at {WIDTH} x {HEIGHT}; quads that fill it: {:.0} Gpixel/s", rate / 1e9);
    println!(
        "{:>9} {:>12} {:>12} {:>14} {:>12} {:>12}",
        "alive", "us", "ps/quad", "pixels a quad", "us to fill", "CPU us"
    );
    for capacity in [1 << 10, 1 << 17, 1 << 20] {
        let mut workload = Workload::new(timer, FOUNTAIN, capacity, 0.6)?;
        let pixels = pixels(&workload.read_back()?, &camera);
        let system = workload.system();
        let picture = Picture::Here(flare.clone());
        let mut renderer = GpuRenderer::new(&canvas, system, picture, Options::default())?;
        renderer.prepare(system, &camera)?;
        let seconds = timer.median(ROUNDS, |encoder| {
            renderer.draw(&mut pass(encoder, &view));
            Ok(())
        })?;
        let cpu = recorded(timer, || {
            renderer.prepare(system, &camera)?;
            let mut encoder =
                timer.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            renderer.draw(&mut pass(&mut encoder, &view));
            black_box(encoder.finish());
            Ok(())
        })?;
        let alive = workload.counters()?.alive;
        println!(
            "{alive:>9} {:>12.1} {:>12.1} {:>14.1} {:>12.1} {:>12.1}",
            seconds * 1e6,
            seconds * 1e12 / f64::from(alive),
            pixels / f64::from(alive),
            pixels / rate * 1e6,
            cpu * 1e6,
        );
    }
    Ok(())
}

/// The median time of what is recorded and not submitted.
fn recorded(
    timer: &Timer,
    mut record: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let mut times = Vec::new();
    for _ in 0..200 {
        let started = Instant::now();
        record()?;
        times.push(started.elapsed().as_secs_f64());
        timer.queue.submit([]);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

fn target(device: &wgpu::Device) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("target"),
        size: wgpu::Extent3d { width: WIDTH, height: HEIGHT, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn pass<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
) -> wgpu::RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("drawing"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        })],
        ..wgpu::RenderPassDescriptor::default()
    })
}

/// Pixels a second that quads as large as the picture fill, blended as particles are.
fn fill_rate(timer: &Timer, view: &wgpu::TextureView) -> Result<f64, Box<dyn Error>> {
    let module = timer.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("fill"),
        source: wgpu::ShaderSource::Wgsl(include_str!("fill.wgsl").into()),
    });
    let add = |src_factor, dst_factor| wgpu::BlendComponent {
        src_factor,
        dst_factor,
        operation: wgpu::BlendOperation::Add,
    };
    let pipeline = timer.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("fill"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("corner"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("color"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: wgpu::TextureFormat::Rgba8Unorm,
                blend: Some(wgpu::BlendState {
                    color: add(wgpu::BlendFactor::SrcAlpha, wgpu::BlendFactor::One),
                    alpha: add(wgpu::BlendFactor::Zero, wgpu::BlendFactor::One),
                }),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    });
    let seconds = timer.median(ROUNDS, |encoder| {
        let mut pass = pass(encoder, view);
        pass.set_pipeline(&pipeline);
        pass.draw(0..6, 0..LAYERS);
        Ok(())
    })?;
    Ok(f64::from(WIDTH) * f64::from(HEIGHT) * f64::from(LAYERS) / seconds)
}

/// Pixels of all quads, whether in the picture or not.
fn pixels(state: &dyn ParticleState, camera: &Camera) -> f64 {
    let m = &camera.view_projection;
    let projection = camera.projection().unwrap_or(*m);
    // Pixels that a unit at distance 1 takes.
    let scale = 0.5 * f64::from(HEIGHT) * projection[5];
    let area = |slot| {
        let value = |field, otherwise| state.value(slot, field).unwrap_or(otherwise);
        let [x, y, z] = [0, 1, 2].map(|axis| value(Field::Position(axis), 0.0));
        let distance = m[3] * x + m[7] * y + m[11] * z + m[15];
        let unit = scale / distance * value(Field::Size, 1.0);
        (unit * value(Field::Scale(0), 1.0) * unit * value(Field::Scale(1), 1.0)).abs()
    };
    (0..state.slots()).filter(|&slot| state.is_alive(slot)).map(area).sum()
}
