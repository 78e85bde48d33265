//! Draws particle systems with wgpu (feature `render`), as Babylon draws them.
//!
//! A [`Canvas`] is what all renderers of one kind of render target share. A [`Renderer`] draws one
//! system whose particles are on the CPU, a [`GpuRenderer`] one that lives on the GPU. Both upload in
//! `prepare` what has changed, and then draw into a render pass of the application's:
//!
//! ```no_run
//! # use pyrograph::picture::{ArcRotate, Image};
//! # use pyrograph::render::{Canvas, Filter, Options, Picture, Renderer, RenderError, Target, Texture};
//! # fn show(
//! #     (device, queue): (wgpu::Device, wgpu::Queue),
//! #     system: pyrograph::ParticleSystem<pyrograph::Interpreted>,
//! #     image: Image,
//! #     mut pass: wgpu::RenderPass<'_>,
//! # ) -> Result<(), RenderError> {
//! let canvas = Canvas::new(&device, &queue, Target::new(wgpu::TextureFormat::Rgba8Unorm))?;
//! let flare = Texture::new(&canvas, &image, Filter::Smooth)?;
//! let mut renderer = Renderer::new(&canvas, &system, Picture::Here(flare), Options::default())?;
//!
//! // Each frame:
//! let camera = ArcRotate::default().camera(16.0 / 9.0);
//! renderer.prepare(&system, &camera)?;
//! renderer.draw(&mut pass);
//! # Ok(())
//! # }
//! ```
//!
//! Nothing here knows a window or an engine. Colours are written as they are: for the pictures that
//! Babylon shows, the target's format must not be an sRGB one.

mod canvas;
mod columns;
mod draw_manifest;
mod error;
mod gpu_renderer;
mod offscreen;
mod pipeline;
mod quads;
mod renderer;
mod shaders;
mod sprite2d;
mod target;
mod texture;
mod uniform;

pub use canvas::Canvas;
pub use draw_manifest::{DrawManifest, DrawPass, Member};
pub use error::RenderError;
pub use gpu_renderer::GpuRenderer;
pub use offscreen::Offscreen;
pub use quads::{Options, Picture, Softness};
pub use renderer::Renderer;
pub use sprite2d::SpriteTarget;
pub use target::{Depth, Handedness, Target};
pub use texture::Texture;

pub use crate::picture::Filter;
