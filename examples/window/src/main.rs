//! A fountain in a window: `cargo run -p pyrograph-window`.

use std::error::Error;
use std::sync::Arc;

use pyrograph::Pcg;
use pyrograph::gpu::wgpu;
use pyrograph::picture::ArcRotate;
use pyrograph::render::{Canvas, Filter, Options, Picture, Renderer, Target, Texture};
use pyrograph::textures::Textures;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};

pyrograph::include_particle_graph!(mod fountain = "../../fixtures/graphs/canonical/fountain.json");

/// What there is as long as there is a window.
struct Stage {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    canvas: Canvas,
    system: fountain::System,
    random: Pcg,
    renderer: Renderer,
}

type Fallible<T = ()> = Result<T, Box<dyn Error>>;

impl Stage {
    fn new(events: &ActiveEventLoop) -> Fallible<Self> {
        let window = Arc::new(events.create_window(Window::default_attributes())?);
        let display = Box::new(events.owned_display_handle());
        let instance =
            wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle(display));
        let surface = instance.create_surface(Arc::clone(&window))?;
        let options = wgpu::RequestAdapterOptions {
            compatible_surface: Some(&surface),
            ..wgpu::RequestAdapterOptions::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))?;
        let device = adapter.request_device(&wgpu::DeviceDescriptor::default());
        let (device, queue) = pollster::block_on(device)?;
        let size = window.inner_size();
        let config = surface.get_default_config(&adapter, size.width.max(1), size.height.max(1));
        let mut config = config.ok_or("the window shows no format")?;
        // Colours are written as they are.
        config.format = config.format.remove_srgb_suffix();
        surface.configure(&device, &config);

        let mut system = fountain::System::new();
        system.start();
        let canvas = Canvas::new(&device, &queue, Target::new(config.format))?;
        let facts = pyrograph::ParticleState::picture(system.program());
        let image = Textures::new().load(&facts.ok_or("the graph has no picture")?)?;
        let picture = Picture::Here(Texture::new(&canvas, &image, Filter::Smooth)?);
        let renderer = Renderer::new(&canvas, &system, picture, Options::default())?;
        let random = Pcg::seed_from_u64(7);
        Ok(Self { window, surface, config, canvas, system, random, renderer })
    }

    fn draw(&mut self) -> Fallible {
        let (device, queue) = (self.canvas.device(), self.canvas.queue());
        let aspect = f64::from(self.config.width) / f64::from(self.config.height);
        self.system.animate(1.0, &mut self.random)?;
        let orbit = ArcRotate { beta: 1.2, radius: 5.0, ..ArcRotate::default() };
        self.renderer.prepare(&self.system, &orbit.camera(aspect))?;
        use wgpu::CurrentSurfaceTexture::{Suboptimal, Success};
        let (Success(frame) | Suboptimal(frame)) = self.surface.get_current_texture() else {
            // The window is hidden or changing: the next frame will do.
            return Ok(());
        };
        let view = frame.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations::default(),
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        self.renderer.draw(&mut pass);
        drop(pass);
        queue.submit([encoder.finish()]);
        queue.present(frame);
        Ok(())
    }
}

/// The window, and what went wrong with it.
struct App(Option<Stage>, Fallible);

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        match Stage::new(events) {
            Ok(stage) => self.0 = Some(stage),
            Err(error) => self.1 = Err(error),
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match (&mut self.0, event) {
            (Some(stage), WindowEvent::Resized(size)) => {
                let config = &mut stage.config;
                (config.width, config.height) = (size.width.max(1), size.height.max(1));
                stage.surface.configure(stage.canvas.device(), config);
            }
            (Some(stage), WindowEvent::RedrawRequested) => {
                stage.window.request_redraw();
                self.1 = stage.draw();
            }
            (_, WindowEvent::CloseRequested) => events.exit(),
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        if self.1.is_err() {
            events.exit();
        }
    }
}

fn main() -> Fallible {
    let mut app = App(None, Ok(()));
    EventLoop::new()?.run_app(&mut app)?;
    app.1
}
