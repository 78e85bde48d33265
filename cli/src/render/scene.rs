//! Runs systems and draws them: once to see how far they reach, once for the pictures.

use std::path::Path;
use std::sync::Arc;

use pyrograph::picture::{ArcRotate, Image};
use pyrograph::{Camera, Random as Source, RenderFacts};
use pyrograph_compiler::ir::{Module, Valid};

use super::film::{Cut, Film, Format, Place};
use super::{Adapter, Render, gpu, lens, raster};
use crate::Outcome;
use crate::failure::Failure;
use crate::host::{Device, Drawn, Host};
use crate::input::{self, note};
use crate::motion::Poses;
use crate::numbers::Pair;
use crate::progress::Progress;
use crate::textures;

/// How pictures look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
    pub(crate) clear: [f64; 4],
    pub(crate) is_nearest: bool,
}

/// A system that is drawn.
pub(crate) struct Shown<'h> {
    /// Its place in the file.
    pub(crate) index: usize,
    pub(crate) facts: RenderFacts,
    pub(crate) picture: Image,
    pub(crate) drawn: Drawn<'h>,
}

/// Who draws.
enum Brush {
    Gpu(Box<gpu::Brush>),
    Raster(raster::Brush),
}

/// All that a film takes.
pub(super) struct Scene<'a> {
    pub(super) render: &'a Render,
    pub(super) frames: u32,
    pub(super) format: Format,
    pub(super) poses: Poses,
    /// The camera, where the flags place it.
    pub(super) placed: Option<ArcRotate>,
    /// Where pictures are.
    pub(super) base: &'a Path,
    pub(super) module: &'a Arc<Valid<Module>>,
    pub(super) device: Option<Device>,
}

impl Scene<'_> {
    /// Runs the systems once to see how far they reach, where nobody has placed the camera, and then
    /// to draw them.
    pub(super) fn shoot<H: Host, R: Source>(
        &self,
        systems: impl Fn() -> Result<Vec<H>, Failure>,
        random: impl Fn() -> R,
    ) -> Outcome {
        let render = self.render;
        let Pair(size) = render.size;
        // What cannot be written is said before minutes go by.
        let mut place = Place::open(self.format, &render.out)?;
        let passes = if self.placed.is_some() { 1 } else { 2 };
        let progress = Progress::new(self.steps().saturating_mul(passes), true);
        let orbit = match self.placed {
            Some(orbit) => orbit,
            None => {
                let aspect = f64::from(size[0]) / f64::from(size[1]);
                let mut bounds = render.lens.bounds(aspect);
                let camera = lens::camera(&render.lens.first(), size);
                let mut look = |hosts: &mut [H]| {
                    hosts.iter_mut().try_for_each(|host| {
                        host.look()?;
                        bounds.add(host.state());
                        Ok(())
                    })
                };
                self.run(systems()?, &mut random(), camera, &progress, 0, &mut look)?;
                render.lens.around(&bounds)?
            }
        };
        let camera = lens::camera(&orbit, size);
        let hosts = systems()?;
        let mut brush = self.brush(&hosts)?;
        let mut film = Film::new(self.cut(), &mut place, &render.out)?;
        let mut draw = |hosts: &mut [H]| film.add(&brush.draw(hosts, &camera)?);
        let first = (passes - 1) * self.steps();
        let mut hosts = self.run(hosts, &mut random(), camera, &progress, first, &mut draw)?;
        drop(progress);
        film.end()?;
        place.finish()?;
        let alive: Result<Vec<u32>, _> = hosts.iter_mut().map(H::alive).collect();
        self.tell(alive?.iter().sum());
        Ok(())
    }

    /// How many steps all pictures take.
    fn steps(&self) -> u64 {
        let between = u64::from(self.frames - 1) * self.between().0;
        self.render.steps.saturating_add(between)
    }

    /// How many steps are between two pictures, and their length.
    fn between(&self) -> (u64, f64) {
        let frames = 60.0 / self.render.fps;
        let steps = frames.ceil().max(1.0);
        (steps as u64, frames / steps)
    }

    /// Runs all systems from the start, and lets `show` see them at each picture.
    fn run<H: Host>(
        &self,
        mut hosts: Vec<H>,
        random: &mut dyn Source,
        camera: Camera,
        progress: &Progress,
        done: u64,
        show: &mut dyn FnMut(&mut [H]) -> Outcome,
    ) -> Result<Vec<H>, Failure> {
        let (between, ratio) = self.between();
        hosts.iter_mut().for_each(|host| host.see(Some(camera)));
        self.place(&mut hosts, 0)?;
        for host in &mut hosts {
            host.start();
            host.pre_warm(random)?;
        }
        let mut step = 0;
        for frame in 0..self.frames {
            let (steps, ratio) =
                if frame == 0 { (self.render.steps, 1.0) } else { (between, ratio) };
            for _ in 0..steps {
                self.place(&mut hosts, step)?;
                let animate = |host: &mut H| host.animate(ratio, random);
                hosts.iter_mut().try_for_each(animate).map_err(|error| error.in_step(step))?;
                step += 1;
                progress.set(done + step);
            }
            show(&mut hosts)?;
        }
        Ok(hosts)
    }

    fn place<H: Host>(&self, hosts: &mut [H], step: u64) -> Outcome {
        let Some(matrix) = self.poses.at(step) else { return Ok(()) };
        hosts.iter_mut().try_for_each(|host| host.place(matrix))
    }

    /// Makes ready to draw all systems that have a picture.
    fn brush<H: Host>(&self, hosts: &[H]) -> Result<Brush, Failure> {
        let mut shown = Vec::new();
        let mut loader = textures::loader(self.base);
        for (index, host) in hosts.iter().enumerate() {
            let state = host.state();
            let picture = textures::drawn(state, &mut loader);
            let Some(picture) = picture else { continue };
            shown.push(Shown { index, facts: state.render(), picture, drawn: host.drawn() });
        }
        if shown.is_empty() {
            let reason = "no system has a picture to draw; see `--texture-base`";
            return Err(Failure::Machine(reason.into()));
        }
        shown.sort_by(|a, b| a.facts.rendering_group_id.total_cmp(&b.facts.rendering_group_id));
        let render = self.render;
        let style =
            Style { size: render.size.0, clear: render.clear.0, is_nearest: render.nearest };
        match &self.device {
            Some(device) if render.adapter != Adapter::Raster => {
                let brush = gpu::Brush::new(device, &shown, &style)?;
                Ok(Brush::Gpu(Box::new(brush)))
            }
            _ => Ok(Brush::Raster(raster::Brush::new(&shown, &style))),
        }
    }

    fn cut(&self) -> Cut {
        let render = self.render;
        let Pair(size) = render.size;
        let sheet = render.sheet.map(|Pair(cells)| cells);
        Cut { format: self.format, size, pictures: self.frames, rate: render.fps, sheet }
    }

    /// Says what was drawn, and by what.
    fn tell(&self, alive: u32) {
        let by = match &self.device {
            Some((device, _)) if self.render.adapter != Adapter::Raster => {
                let info = device.adapter_info();
                format!("on {} ({})", input::shown(&info.name), info.backend)
            }
            _ => "on the processor".into(),
        };
        let (frames, systems) = (self.frames, self.module.programs.len());
        let count = |count: u32, what: &str| match count {
            1 => format!("1 {what}"),
            count => format!("{count} {what}s"),
        };
        note(&format!(
            "{}: {} of {}, {} in the last one, drawn {by}\n",
            input::shown(&self.render.out.display().to_string()),
            count(frames, "picture"),
            count(systems as u32, "system"),
            count(alive, "particle"),
        ));
    }
}

impl Brush {
    fn draw<H: Host>(&mut self, hosts: &mut [H], camera: &Camera) -> Result<Image, Failure> {
        match self {
            Self::Gpu(brush) => {
                hosts.iter_mut().try_for_each(H::settle)?;
                brush.draw(|index| hosts[index].drawn(), camera)
            }
            Self::Raster(brush) => {
                hosts.iter_mut().try_for_each(H::look)?;
                brush.draw(|index| hosts[index].particles(), camera)
            }
        }
    }
}
