//! The systems of a graph that run: stepped together, drawn in order.

mod cpu;
mod gpu;

use pyrograph::compiler::ir::Profile;
use pyrograph::gpu::wgpu;
use pyrograph::picture::Image;
use pyrograph::render::{self, Canvas, Filter, Picture, RenderError, Texture};
use pyrograph::{Camera, Input, Options};

use crate::Fallible;
use crate::pictures::Pictures;

/// The device that draws, and runs what is Parallel.
#[derive(Clone)]
pub(crate) struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// Of what is drawn into.
    pub(crate) format: wgpu::TextureFormat,
}

/// All systems of a graph. What is set is told to all of them, and counts from the next step on.
pub(crate) trait Effect {
    /// Takes a text without errors that runs from [`poll`](Self::poll) on. What runs goes on until
    /// then, and afterwards where that cannot run.
    fn edit(&mut self, text: &str) -> Fallible;

    /// Changes over to the newest text once that can run, and then gives whether all particles live
    /// on. Where they do not, a [`restart`](Self::restart) has to follow.
    fn poll(&mut self) -> Option<Fallible<bool>>;

    /// Begins anew, and forgets what was set.
    fn restart(&mut self, seed: u64) -> Fallible;

    /// Takes the pictures that systems draw and read. Has to follow a change of text and a restart.
    fn dress(&mut self, pictures: &mut Pictures) -> Fallible;

    fn tell(&mut self, input: &Input) -> Fallible;

    /// Births a unit of time that the graph asks for, of the first system.
    fn rate(&self) -> f64;

    /// Births a unit of time of all systems; `None` goes back to what the graph says.
    fn set_rate(&mut self, rate: Option<f64>);

    /// One step of all systems.
    fn step(&mut self) -> Fallible;

    /// Makes ready to draw, ahead of a pass of this encoder.
    fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder, camera: &Camera) -> Fallible;

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>);

    /// Living particles of all systems.
    fn alive(&mut self) -> Fallible<u32>;

    /// What a step took last, where that is known.
    fn milliseconds(&mut self) -> Option<f64>;

    /// Bytes that a particle takes, the most of all systems.
    fn bytes(&self) -> usize;
}

/// Runs a graph without errors, not yet [dressed](Effect::dress).
pub(crate) fn begin(
    gpu: &Gpu,
    text: &str,
    options: Options,
    seed: u64,
) -> Fallible<Box<dyn Effect>> {
    Ok(match options.profile {
        Profile::Parallel => Box::new(gpu::OnGpu::new(gpu, text, options, seed)?),
        Profile::Exact => Box::new(cpu::OnCpu::new(gpu, text, options, seed)?),
    })
}

/// A renderer of each system with its picture, in the order in which they are drawn: those of lower
/// rendering groups first.
fn layers<R>(
    groups: &[f64],
    mut make: impl FnMut(usize) -> Fallible<R>,
) -> Fallible<Vec<(usize, R)>> {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by(|&a, &b| groups[a].total_cmp(&groups[b]));
    order.into_iter().map(|index| Ok((index, make(index)?))).collect()
}

fn picture(canvas: &Canvas, image: &Image) -> Result<Picture, RenderError> {
    Ok(Picture::Here(Texture::new(canvas, image, Filter::Smooth)?))
}

/// As Babylon draws it, whatever cells there are.
fn looks() -> render::Options {
    render::Options { takes_any_cell: true, ..render::Options::default() }
}
