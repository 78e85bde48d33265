//! A fountain in a window: `cargo run -p pyrograph-window`.

use std::error::Error;
use std::sync::Arc;

use pyrograph::Pcg;
use pyrograph::gpu::wgpu;
use pyrograph::picture::ArcRotate;
use pyrograph::render::{Canvas, Filter, Options, Picture, Renderer, Target, Texture};
use pyrograph::textures::Textures;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};
use winit::{application::ApplicationHandler, dpi::PhysicalSize, event::WindowEvent};

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
        let display = wgpu::InstanceDescriptor::new_with_display_handle(display);
        let instance = wgpu::Instance::new(display);
        let surface = instance.create_surface(Arc::clone(&window))?;
        let options = wgpu::RequestAdapterOptions {
            compatible_surface: Some(&surface),
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
        let config = surface.get_default_config(&adapter, 640, 360);
        let mut config = config.ok_or("the window shows no format")?;
        // Colours are written as they are.
        config.format = config.format.remove_srgb_suffix();
        surface.configure(&device, &config);
        let (mut system, random) = (fountain::System::new(), Pcg::seed_from_u64(7));
        system.start();
        let canvas = Canvas::new(&device, &queue, Target::new(config.format))?;
        let facts = pyrograph::ParticleState::picture(system.program());
        let image = Textures::new().load(&facts.ok_or("the graph has no picture")?)?;
        let picture = Picture::Here(Texture::new(&canvas, &image, Filter::Smooth)?);
        let renderer = Renderer::new(&canvas, &system, picture, Options::default())?;
        window.request_redraw();
        Ok(Self { window, surface, config, canvas, system, random, renderer })
    }

    fn resize(&mut self, size: PhysicalSize<u32>) {
        (self.config.width, self.config.height) = (size.width.max(1), size.height.max(1));
        self.surface.configure(self.canvas.device(), &self.config);
    }

    fn draw(&mut self) -> Fallible {
        self.window.request_redraw();
        let aspect = f64::from(self.config.width) / f64::from(self.config.height);
        self.system.animate(1.0, &mut self.random)?;
        let orbit = ArcRotate { beta: 1.2, radius: 5.0, ..ArcRotate::default() };
        self.renderer.prepare(&self.system, &orbit.camera(aspect))?;
        use wgpu::CurrentSurfaceTexture::{Suboptimal, Success};
        let (Success(frame) | Suboptimal(frame)) = self.surface.get_current_texture() else {
            return Ok(()); // It is hidden or changing: the next frame will do.
        };
        let view = frame.texture.create_view(&Default::default());
        let mut encoder = self.canvas.device().create_command_encoder(&Default::default());
        let attachment = wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(attachment)],
            ..Default::default()
        });
        self.renderer.draw(&mut pass);
        drop(pass);
        self.canvas.queue().submit([encoder.finish()]);
        self.canvas.queue().present(frame);
        Ok(())
    }
}

struct App(Fallible<Option<Stage>>);

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        self.0 = Stage::new(events).map(Some);
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match (&mut self.0, event) {
            (Err(_), _) | (_, WindowEvent::CloseRequested) => events.exit(),
            (Ok(Some(stage)), WindowEvent::Resized(size)) => stage.resize(size),
            (Ok(Some(stage)), WindowEvent::RedrawRequested) => {
                if let Err(error) = stage.draw() {
                    self.0 = Err(error);
                }
            }
            _ => {}
        }
    }
}

fn main() -> Fallible {
    let mut app = App(Ok(None));
    EventLoop::new()?.run_app(&mut app)?;
    app.0.map(|_| ())
}
