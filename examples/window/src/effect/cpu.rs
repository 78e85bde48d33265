//! Exact: the compiler's interpreter steps, and records of the particles are drawn.

use std::sync::Arc;
use std::time::Instant;

use pyrograph::compiler::ir;
use pyrograph::gpu::wgpu;
use pyrograph::render::{Canvas, Renderer, Target};
use pyrograph::{
    Camera, Input, Interpreted, Options, ParticleState, ParticleSystem, Pcg, SystemSet, compile,
};

use super::{Effect, Gpu, layers, looks, picture};
use crate::Fallible;
use crate::pictures::Pictures;

/// A graph that runs on the processor.
pub(crate) struct OnCpu {
    gpu: Gpu,
    options: Options,
    module: Arc<ir::Valid<ir::Module>>,
    /// What runs from the next poll on.
    next: Option<Arc<ir::Valid<ir::Module>>>,
    systems: Vec<ParticleSystem<Interpreted>>,
    random: Pcg,
    layers: Vec<(usize, Renderer)>,
    /// What the graph says.
    rates: Vec<f64>,
    milliseconds: Option<f64>,
}

fn module(text: &str, options: &Options) -> Fallible<Arc<ir::Valid<ir::Module>>> {
    Ok(Arc::new(compile(text.as_bytes(), options)?.module))
}

impl OnCpu {
    pub(super) fn new(gpu: &Gpu, text: &str, options: Options, seed: u64) -> Fallible<Self> {
        let mut effect = Self {
            gpu: gpu.clone(),
            module: module(text, &options)?,
            options,
            next: None,
            systems: Vec::new(),
            random: Pcg::seed_from_u64(seed),
            layers: Vec::new(),
            rates: Vec::new(),
            milliseconds: None,
        };
        effect.restart(seed)?;
        Ok(effect)
    }
}

impl Effect for OnCpu {
    fn edit(&mut self, text: &str) -> Fallible {
        self.next = Some(module(text, &self.options)?);
        Ok(())
    }

    fn poll(&mut self) -> Option<Fallible<bool>> {
        self.module = self.next.take()?;
        // In Exact a particle is what all random numbers before it have made it.
        Some(Ok(false))
    }

    fn restart(&mut self, seed: u64) -> Fallible {
        let programs = Interpreted::all(&self.module).into_iter();
        self.systems =
            programs.map(|program| ParticleSystem::from_program(program, seed)).collect();
        self.random = Pcg::seed_from_u64(seed);
        self.layers.clear();
        self.rates = self.systems.iter().map(ParticleSystem::emit_rate).collect();
        // Whoever opens a graph wants to see it, also where it says that it does not start itself.
        self.tell(&Input::CanStart(true))?;
        self.tell(&Input::Start)
    }

    fn dress(&mut self, pictures: &mut Pictures) -> Fallible {
        for system in &mut self.systems {
            for index in 0..system.textures().len() {
                if let Some(texels) = pictures.read(&system.textures()[index]) {
                    system.set_texture(index, texels);
                }
            }
        }
        let Gpu { device, queue, format } = &self.gpu;
        let canvas = Canvas::new(device, queue, Target::new(*format))?;
        let state =
            |system: &ParticleSystem<Interpreted>| system.program().render().rendering_group_id;
        let groups: Vec<f64> = self.systems.iter().map(state).collect();
        self.layers = layers(&groups, |index| {
            let system = &self.systems[index];
            let picture = picture(&canvas, &pictures.drawn(system.program().picture()))?;
            Ok(Renderer::new(&canvas, system, picture, looks())?)
        })?;
        Ok(())
    }

    fn tell(&mut self, input: &Input) -> Fallible {
        self.systems.apply_all(input)?;
        Ok(())
    }

    fn rate(&self) -> f64 {
        self.rates.first().copied().unwrap_or_default()
    }

    fn set_rate(&mut self, rate: Option<f64>) {
        for (system, &own) in self.systems.iter_mut().zip(&self.rates) {
            system.set_emit_rate(rate.unwrap_or(own));
        }
    }

    fn step(&mut self) -> Fallible {
        let started = Instant::now();
        SystemSet::animate(&mut self.systems, 1.0, &mut self.random)?;
        self.milliseconds = Some(started.elapsed().as_secs_f64() * 1e3);
        Ok(())
    }

    fn prepare(&mut self, _: &mut wgpu::CommandEncoder, camera: &Camera) -> Fallible {
        for (index, renderer) in &mut self.layers {
            renderer.prepare(&self.systems[*index], camera)?;
        }
        Ok(())
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.layers.iter().for_each(|(_, renderer)| renderer.draw(pass));
    }

    fn alive(&mut self) -> Fallible<u32> {
        Ok(self.systems.iter().map(|system| system.program().alive()).sum())
    }

    fn milliseconds(&mut self) -> Option<f64> {
        self.milliseconds
    }

    fn bytes(&self) -> usize {
        let programs = self.module.programs.iter().map(|program| {
            let columns = program.columns.iter().map(|(_, column)| column);
            let kept = columns.filter(|column| column.constant.is_none());
            kept.map(|column| column.storage.bytes()).sum()
        });
        programs.max().unwrap_or_default()
    }
}
