//! The window's surface: the effect and the panel, in one pass.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use egui::{Color32, Rect, ViewportId};
use egui_wgpu::{RendererOptions, ScreenDescriptor};
use pyrograph::Camera;
use pyrograph::gpu::wgpu;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use crate::effect::Gpu;
use crate::panel::{self, Drafts};
use crate::session::Session;
use crate::source::Source;
use crate::{Fallible, timer};

/// How long a hidden window waits before it looks whether it is seen.
const HIDDEN: Duration = Duration::from_millis(30);

/// What there is as long as there is a window.
pub(crate) struct Stage {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    gpu: Gpu,
    /// What the device refuses to whoever does not ask.
    errors: Receiver<String>,
    /// Hears what happens to the window, and draws controls.
    input: egui_winit::State,
    painter: egui_wgpu::Renderer,
    pub(crate) session: Session,
    drafts: Drafts,
    /// The part of the window where the effect is, in points, and when it was drawn last.
    view: Rect,
    drawn: Instant,
}

impl Stage {
    pub(crate) fn new(events: &ActiveEventLoop, source: Source) -> Fallible<Self> {
        let attributes =
            Window::default_attributes().with_inner_size(LogicalSize::new(1100.0, 700.0));
        let window = Arc::new(events.create_window(attributes)?);
        let display = Box::new(events.owned_display_handle());
        let display = wgpu::InstanceDescriptor::new_with_display_handle_from_env(display);
        let instance = wgpu::Instance::new(display);
        let surface = instance.create_surface(Arc::clone(&window))?;
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: Some(&surface),
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))?;
        let (device, queue) =
            pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
                label: Some("preview"),
                required_features: adapter.features() & timer::FEATURES,
                required_limits: adapter.limits(),
                ..Default::default()
            }))?;
        let (tell, errors) = mpsc::channel();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            // Nobody listens when the window is gone.
            let _ = tell.send(error.to_string());
        }));
        let PhysicalSize { width, height } = window.inner_size();
        let config = surface.get_default_config(&adapter, width.max(1), height.max(1));
        let mut config = config.ok_or("the window shows no format")?;
        // Colours are written as they are.
        config.format = config.format.remove_srgb_suffix();
        surface.configure(&device, &config);
        let context = egui::Context::default();
        context.set_theme(egui::Theme::Dark);
        // Text that can be read on a dark ground.
        context.all_styles_mut(|style| {
            let visuals = &mut style.visuals;
            visuals.widgets.noninteractive.fg_stroke.color = Color32::from_gray(215);
            visuals.error_fg_color = Color32::from_rgb(255, 130, 120);
            visuals.warn_fg_color = Color32::from_rgb(255, 190, 90);
        });
        let side = device.limits().max_texture_dimension_2d as usize;
        let input = egui_winit::State::new(
            context,
            ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            None,
            Some(side),
        );
        let painter = egui_wgpu::Renderer::new(&device, config.format, RendererOptions::default());
        let gpu = Gpu { device, queue, format: config.format };
        let session = Session::new(gpu.clone(), source);
        window.set_title(&title(&session));
        window.request_redraw();
        let view = Rect::from_min_size(egui::Pos2::ZERO, egui::Vec2::splat(1.0));
        let (drafts, drawn) = (Drafts::default(), Instant::now());
        Ok(Self {
            window,
            surface,
            config,
            gpu,
            errors,
            input,
            painter,
            session,
            drafts,
            view,
            drawn,
        })
    }

    /// What happened to the window.
    pub(crate) fn hear(&mut self, event: &WindowEvent) {
        // The window is drawn anew all the time: nothing else follows from it.
        let _ = self.input.on_window_event(&self.window, event);
        if let WindowEvent::DroppedFile(path) = event {
            self.session.drop_file(path);
            self.window.set_title(&title(&self.session));
        }
    }

    pub(crate) fn resize(&mut self, size: PhysicalSize<u32>) {
        (self.config.width, self.config.height) = (size.width.max(1), size.height.max(1));
        self.surface.configure(&self.gpu.device, &self.config);
    }

    /// One frame, and another one after it.
    pub(crate) fn draw(&mut self) -> Fallible {
        if let Ok(error) = self.errors.try_recv() {
            return Err(error.into());
        }
        self.window.request_redraw();
        use wgpu::CurrentSurfaceTexture::{Lost, Outdated, Suboptimal, Success};
        let frame = match self.surface.get_current_texture() {
            Success(frame) | Suboptimal(frame) => frame,
            Outdated | Lost => {
                self.surface.configure(&self.gpu.device, &self.config);
                return Ok(());
            }
            _ => {
                // It is hidden: time stands still.
                thread::sleep(HIDDEN);
                return Ok(());
            }
        };
        let elapsed = self.drawn.elapsed();
        self.drawn = Instant::now();
        let aspect = f64::from(self.view.width().max(1.0) / self.view.height().max(1.0));
        let camera = self.session.settings.orbit.camera(aspect);
        self.session.advance(elapsed, &camera);
        let context = self.input.egui_ctx().clone();
        let input = self.input.take_egui_input(&self.window);
        let output = context.run_ui(input, |ui| {
            self.view = panel::show(ui, &mut self.session, &mut self.drafts);
        });
        self.paint(&context, output, &camera, &frame.texture);
        self.window.pre_present_notify();
        self.gpu.queue.present(frame);
        Ok(())
    }

    /// Draws the effect and the panel.
    fn paint(
        &mut self,
        context: &egui::Context,
        mut output: egui::FullOutput,
        camera: &Camera,
        to: &wgpu::Texture,
    ) {
        self.input.handle_platform_output(&self.window, output.platform_output);
        let scale = output.pixels_per_point;
        let shapes = context.tessellate(output.shapes, scale);
        let Gpu { device, queue, .. } = &self.gpu;
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in deltas {
                self.painter.update_texture(device, queue, id, &delta);
            }
        }
        let mut encoder = device.create_command_encoder(&Default::default());
        let size_in_pixels = [self.config.width, self.config.height];
        let screen = ScreenDescriptor { size_in_pixels, pixels_per_point: scale };
        self.painter.update_buffers(device, queue, &mut encoder, &shapes, &screen);
        self.session.prepare(&mut encoder, camera);
        let [r, g, b] = self.session.settings.background.map(|channel| f64::from(channel) / 255.0);
        let clear = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 });
        let attachment = wgpu::RenderPassColorAttachment {
            view: &to.create_view(&Default::default()),
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: clear, store: wgpu::StoreOp::Store },
        };
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(attachment)],
            ..Default::default()
        });
        let mut pass = pass.forget_lifetime();
        if let Some([x, y, width, height]) = pixels(self.view, scale, size_in_pixels) {
            pass.set_viewport(x, y, width, height, 0.0, 1.0);
            self.session.draw(&mut pass);
        }
        self.painter.render(&mut pass, &shapes, &screen);
        drop(pass);
        queue.submit([encoder.finish()]);
        for id in output.textures_delta.free.drain() {
            self.painter.free_texture(&id);
        }
    }
}

fn title(session: &Session) -> String {
    format!("{} – Pyrograph", session.name())
}

/// A part of the window in pixels: place and size. `None` where nothing of it is seen.
fn pixels(part: Rect, scale: f32, [width, height]: [u32; 2]) -> Option<[f32; 4]> {
    let window = Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width as f32, height as f32));
    let seen = (part * scale).intersect(window);
    seen.is_positive().then(|| [seen.min.x, seen.min.y, seen.width(), seen.height()])
}
