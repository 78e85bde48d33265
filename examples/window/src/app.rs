//! Events of the window.

use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::WindowId;

use crate::Fallible;
use crate::source::Source;
use crate::stage::Stage;

/// Before there is a window, while there is one, and after it could not be opened or drawn.
enum App {
    Waiting(Option<Source>),
    Open(Box<Stage>),
    Failed(Box<dyn std::error::Error>),
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        let Self::Waiting(source) = self else { return };
        let Some(source) = source.take() else { return };
        *self = match Stage::new(events, source) {
            Ok(stage) => Self::Open(Box::new(stage)),
            Err(error) => {
                events.exit();
                Self::Failed(error)
            }
        };
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Self::Open(stage) = self else { return };
        stage.hear(&event);
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::Resized(size) => stage.resize(size),
            WindowEvent::RedrawRequested => {
                if let Err(error) = stage.draw() {
                    events.exit();
                    *self = Self::Failed(error);
                }
            }
            _ => {}
        }
    }
}

/// Shows a graph until the window is closed.
pub(crate) fn run(source: Source) -> Fallible {
    let mut app = App::Waiting(Some(source));
    EventLoop::new()?.run_app(&mut app)?;
    match app {
        App::Failed(error) => Err(error),
        App::Waiting(_) | App::Open(_) => Ok(()),
    }
}
