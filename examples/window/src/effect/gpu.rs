//! Parallel: particles live and are drawn on the GPU.

use pyrograph::compiler::emit::layout::WORD;
use pyrograph::gpu::recording::RING;
use pyrograph::gpu::{GpuSystem, Live, wgpu};
use pyrograph::render::{Canvas, GpuRenderer, Target};
use pyrograph::{Camera, Input, Options};

use super::{Effect, Gpu, layers, looks, picture};
use crate::Fallible;
use crate::pictures::Pictures;
use crate::timer::Timer;

/// A graph that is edited while it runs.
pub(crate) struct OnGpu {
    gpu: Gpu,
    live: Live,
    layers: Vec<(usize, GpuRenderer)>,
    /// What the graph says.
    rates: Vec<f64>,
    timer: Option<Timer>,
    /// Steps that wait for [`prepare`](Effect::prepare).
    recorded: u32,
}

impl OnGpu {
    pub(super) fn new(gpu: &Gpu, text: &str, options: Options, seed: u64) -> Fallible<Self> {
        let live = Live::with_options(&gpu.device, &gpu.queue, text, seed, options)?;
        let timer = Timer::new(&gpu.device, &gpu.queue);
        let mut effect = Self {
            gpu: gpu.clone(),
            live,
            layers: Vec::new(),
            rates: Vec::new(),
            timer,
            recorded: 0,
        };
        effect.begin();
        Ok(effect)
    }

    fn begin(&mut self) {
        for system in self.live.systems_mut() {
            // Whoever opens a graph wants to see it, also where it says that it does not start itself.
            if !system.is_started() {
                system.set_can_start(true);
                system.start();
            }
        }
        self.rates = self.live.systems().iter().map(GpuSystem::emit_rate).collect();
        self.recorded = 0;
    }
}

impl Effect for OnGpu {
    fn edit(&mut self, text: &str) -> Fallible {
        self.live.edit(text)?;
        Ok(())
    }

    fn poll(&mut self) -> Option<Fallible<bool>> {
        let count = self.live.systems().len();
        let carried = match self.live.poll()?.result {
            Ok(carried) => carried,
            Err(error) => return Some(Err(error.into())),
        };
        // Renderers are of the old programs, until somebody brings pictures for new ones.
        self.layers.clear();
        self.rates = self.live.systems().iter().map(GpuSystem::emit_rate).collect();
        let is_same = self.live.systems().len() == count;
        Some(Ok(is_same && carried.iter().all(|carried| carried.missing.is_empty())))
    }

    fn restart(&mut self, seed: u64) -> Fallible {
        self.live.restart(seed)?;
        self.begin();
        Ok(())
    }

    fn dress(&mut self, pictures: &mut Pictures) -> Fallible {
        for system in self.live.systems_mut() {
            for index in 0..system.textures().len() {
                if let Some(texels) = pictures.read(&system.textures()[index]) {
                    system.set_texture(index, texels)?;
                }
            }
        }
        let Gpu { device, queue, format } = &self.gpu;
        // Pipelines of texts that run no more go with their canvas.
        let canvas = Canvas::new(device, queue, Target::new(*format))?;
        let systems = self.live.systems();
        let groups: Vec<f64> =
            systems.iter().map(|system| system.render().rendering_group_id).collect();
        self.layers = layers(&groups, |index| {
            let system = &systems[index];
            let picture = picture(&canvas, &pictures.drawn(system.picture()))?;
            Ok(GpuRenderer::new(&canvas, system, picture, looks())?)
        })?;
        Ok(())
    }

    fn tell(&mut self, input: &Input) -> Fallible {
        for system in self.live.systems_mut() {
            system.apply(input)?;
        }
        Ok(())
    }

    fn rate(&self) -> f64 {
        self.rates.first().copied().unwrap_or_default()
    }

    fn set_rate(&mut self, rate: Option<f64>) {
        for (system, &own) in self.live.systems_mut().iter_mut().zip(&self.rates) {
            system.set_emit_rate(rate.unwrap_or(own));
        }
    }

    fn step(&mut self) -> Fallible {
        for system in self.live.systems_mut() {
            system.record(1.0)?;
        }
        self.recorded += 1;
        if self.recorded >= RING {
            for system in self.live.systems_mut() {
                system.submit()?;
            }
            self.recorded = 0;
        }
        Ok(())
    }

    fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder, camera: &Camera) -> Fallible {
        let systems = self.live.systems_mut();
        let steps = std::mem::take(&mut self.recorded);
        let mut encode = |encoder: &mut wgpu::CommandEncoder| {
            systems.iter_mut().try_for_each(|system| system.encode(encoder))
        };
        match &mut self.timer {
            Some(timer) => timer.time(encoder, steps, encode)?,
            None => encode(encoder)?,
        }
        for (index, renderer) in &mut self.layers {
            renderer.prepare(&self.live.systems()[*index], camera)?;
        }
        Ok(())
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.layers.iter().for_each(|(_, renderer)| renderer.draw(pass));
    }

    fn alive(&mut self) -> Fallible<u32> {
        // Whatever waits is submitted.
        self.recorded = 0;
        let counters = self.live.systems_mut().iter_mut().map(|system| {
            let counters = system.counters()?;
            counters.failure.map_or(Ok(counters.alive), |failure| Err(failure.into()))
        });
        counters.sum()
    }

    fn milliseconds(&mut self) -> Option<f64> {
        self.timer.as_mut()?.milliseconds()
    }

    fn bytes(&self) -> usize {
        let columns = self.live.systems().iter().map(|system| {
            let records = system.manifest().layout.records.iter();
            records.map(|record| record.columns.len()).sum::<usize>()
        });
        columns.max().unwrap_or_default() * WORD as usize
    }
}
