//! `pyrograph render`: runs a graph and draws it.

pub(crate) mod film;
mod gpu;
mod lens;
pub(crate) mod raster;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use pyrograph::gpu::{GpuError, default_device};
use pyrograph::picture::Image;
use pyrograph::{Camera, Pcg, Random as Source, RenderFacts, Sine};
use pyrograph_compiler::Options;
use pyrograph_compiler::ir::{Module, Valid};
use pyrograph_compiler::passes::Observe;

use crate::Outcome;
use crate::args::{Execution, Plan, Random};
use crate::failure::Failure;
use crate::host::{self, Device, Drawn, Host};
use crate::input::{self, Graph, note};
use crate::motion::{Motion, Poses};
use crate::numbers::{Color, Pair};
use crate::output;
use crate::progress::Progress;
use crate::textures;
use film::{Film, Format};
use lens::{Bounds, Lens};

/// Run a graph and draw it
///
/// All systems of the file are drawn as Babylon draws them, those of lower rendering groups first. No
/// window is needed, and no GPU either: where there is none, the processor draws.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pyrograph render sparks.json --out sparks.png
  pyrograph render sparks.json --steps 200 --random sine --camera=-1.57,1.2,4,0,0.3,0 --out sparks.png
  pyrograph render sparks.json --frames 60 --fps 30 --out sparks.gif
  pyrograph render sparks.json --sheet 4x3 --fps 10 --size 320x180 --out sheet.png
  pyrograph render sparks.json --profile parallel --backend gpu --out sparks.png")]
pub(crate) struct Render {
    /// Graph file as the node particle editor saves it; `-` reads standard input
    graph: PathBuf,

    /// Steps to run before the first picture, each a frame at 60 a second
    #[arg(long, value_name = "N", default_value_t = 60)]
    steps: u64,

    #[command(flatten)]
    execution: Execution,

    #[command(flatten)]
    motion: Motion,

    #[command(flatten)]
    lens: Lens,

    /// Width and height of a picture in pixels
    #[arg(long, value_name = "WxH", default_value = "640x360")]
    size: Pair,

    /// Colour behind the particles: red, green, blue, alpha from 0 to 1
    #[arg(long, value_name = "R,G,B,A", default_value = "0,0,0,1", allow_hyphen_values = true)]
    clear: Color,

    /// Folder of the pictures that the graph names [default: the graph's folder]
    #[arg(long, value_name = "DIR")]
    texture_base: Option<PathBuf>,

    /// Read pictures without mixing neighbouring texels
    #[arg(long)]
    nearest: bool,

    /// What draws
    #[arg(long, value_enum, default_value_t = Adapter::Auto)]
    adapter: Adapter,

    /// Pictures to draw, one after the other [default: 1, or as many as the sheet has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    frames: Option<u32>,

    /// Pictures a second
    #[arg(long, value_name = "F", default_value_t = 30.0, value_parser = rate)]
    fps: f64,

    /// Put the pictures into one PNG, in so many columns and rows
    #[arg(long, value_name = "CxR")]
    sheet: Option<Pair>,

    /// File to write: .png, .apng or .gif, or a folder for a PNG of each picture
    #[arg(short, long, value_name = "PATH")]
    out: PathBuf,
}

/// What draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Adapter {
    /// A GPU if there is one, a software one too; otherwise the processor
    Auto,
    /// A GPU
    Gpu,
    /// The processor, with the same result on every machine
    Raster,
}

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
    Gpu(gpu::Brush),
    Raster(raster::Brush),
}

/// The largest side of a picture in pixels: what GPUs draw.
const MAX_SIDE: u32 = 8192;

impl Render {
    /// Runs the subcommand.
    pub(crate) fn run(&self) -> Outcome {
        let plan = self.execution.plan()?;
        let frames = self.frames()?;
        let schedule = self.motion.schedule().map(PathBuf::from);
        let paths: Vec<_> = [self.graph.clone()].into_iter().chain(schedule).collect();
        input::check_paths(&paths, Some(&self.out))?;
        let pictures = if self.sheet.is_some() { 1 } else { frames };
        let format = Format::of(&self.out, pictures)?;
        let poses = self.motion.poses()?;
        let graph = Graph::read(&self.graph)?;
        let options =
            Options { observe: Observe::Render, ..Options::new(self.execution.profile.into()) };
        let module = Arc::new(graph.compile(&options)?.module);
        let base = self.texture_base.as_deref().or_else(|| self.graph.parent());
        let base = base.unwrap_or(Path::new(""));
        let device = self.device(plan)?;
        let scene = Scene { render: self, frames, format, poses, base, module: &module, device };
        let interpreted = |seed| Ok(host::interpreted(&module, seed, base));
        match plan {
            Plan::Exact(Random::Sine) => scene.shoot(|| interpreted(0), Sine::new),
            Plan::Exact(Random::Pcg(seed)) => {
                scene.shoot(|| interpreted(0), || Pcg::seed_from_u64(seed))
            }
            // Parallel never reads the stream.
            Plan::Parallel { seed } => scene.shoot(|| interpreted(seed), Sine::new),
            Plan::Gpu { seed } => {
                let Some(device) = &scene.device else { return Err(no_device()) };
                scene.shoot(|| host::on_gpu(&module, seed, base, device), Sine::new)
            }
        }
    }

    /// How many pictures are drawn.
    fn frames(&self) -> Result<u32, Failure> {
        let Some(Pair([columns, rows])) = self.sheet else { return Ok(self.frames.unwrap_or(1)) };
        let cells = columns.saturating_mul(rows);
        let frames = self.frames.unwrap_or(cells);
        let Pair([width, height]) = self.size;
        let is_large = |side: u32, count: u32| side.saturating_mul(count) > MAX_SIDE;
        if frames > cells {
            return Err(Failure::Usage(format!(
                "a sheet of {columns} by {rows} has no room for {frames} pictures"
            )));
        }
        if is_large(width, columns) || is_large(height, rows) {
            return Err(Failure::Usage(format!(
                "the sheet would have a side of more than {MAX_SIDE} pixels: lower `--size`"
            )));
        }
        Ok(frames)
    }

    /// The device that simulates or draws, if any is needed and there.
    fn device(&self, plan: Plan) -> Result<Option<Device>, Failure> {
        let Pair([width, height]) = self.size;
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(Failure::Usage(format!("`--size` goes up to {MAX_SIDE} pixels a side")));
        }
        let simulates = matches!(plan, Plan::Gpu { .. });
        if self.adapter == Adapter::Raster && !simulates {
            return Ok(None);
        }
        match default_device() {
            Ok(device) => Ok(Some(device)),
            Err(GpuError::NoDevice { .. }) if self.adapter == Adapter::Auto && !simulates => {
                Ok(None)
            }
            Err(error) => Err(Failure::Machine(error.to_string())),
        }
    }
}

/// All that a film takes.
struct Scene<'a> {
    render: &'a Render,
    frames: u32,
    format: Format,
    poses: Poses,
    /// Where pictures are.
    base: &'a Path,
    module: &'a Arc<Valid<Module>>,
    device: Option<Device>,
}

impl Scene<'_> {
    /// Runs the systems once to see how far they reach, where nobody has placed the camera, and then
    /// to draw them.
    fn shoot<H: Host, R: Source>(
        &self,
        systems: impl Fn() -> Result<Vec<H>, Failure>,
        random: impl Fn() -> R,
    ) -> Outcome {
        let render = self.render;
        let Pair(size) = render.size;
        let passes = if render.lens.placed().is_some() { 1 } else { 2 };
        let progress = Progress::new(passes * self.steps(), true);
        let orbit = match render.lens.placed() {
            Some(orbit) => orbit,
            None => {
                let mut bounds = Bounds::default();
                let camera = lens::camera(&render.lens.first(), size);
                let mut look = |hosts: &mut [H]| {
                    hosts.iter_mut().try_for_each(|host| {
                        host.look()?;
                        bounds.add(host.state());
                        Ok(())
                    })
                };
                self.run(systems()?, &mut random(), camera, &progress, 0, &mut look)?;
                render.lens.around(&bounds, f64::from(size[0]) / f64::from(size[1]))
            }
        };
        let camera = lens::camera(&orbit, size);
        let hosts = systems()?;
        let mut brush = self.brush(&hosts)?;
        let mut pictures = Vec::new();
        let mut draw = |hosts: &mut [H]| {
            pictures.push(brush.draw(hosts, &camera)?);
            Ok(())
        };
        let first = (passes - 1) * self.steps();
        let mut hosts = self.run(hosts, &mut random(), camera, &progress, first, &mut draw)?;
        drop(progress);
        self.write(pictures)?;
        let alive: Result<Vec<u32>, _> = hosts.iter_mut().map(H::alive).collect();
        self.tell(alive?.iter().sum());
        Ok(())
    }

    /// How many steps all pictures take.
    fn steps(&self) -> u64 {
        self.render.steps + u64::from(self.frames - 1) * self.between().0
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
        for (index, host) in hosts.iter().enumerate() {
            let state = host.state();
            let picture = textures::drawn(state, self.base);
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
                gpu::Brush::new(device, &shown, &style).map(Brush::Gpu)
            }
            _ => Ok(Brush::Raster(raster::Brush::new(&shown, &style))),
        }
    }

    fn write(&self, pictures: Vec<Image>) -> Outcome {
        let Pair([width, height]) = self.render.size;
        let (size, pictures) = match self.render.sheet {
            Some(Pair([columns, rows])) => {
                ([width * columns, height * rows], vec![film::sheet(&pictures, columns, rows)])
            }
            None => ([width, height], pictures),
        };
        let mut film = Film::new(self.format, size, self.render.fps);
        pictures.into_iter().for_each(|picture| film.add(picture));
        output::deliver_to(&film.files()?, &self.render.out, self.format == Format::Folder)
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

fn no_device() -> Failure {
    Failure::Machine("no GPU device to simulate on".into())
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(rate) if (0.01..=1000.0).contains(&rate) => Ok(rate),
        _ => Err("give a number from 0.01 to 1000".into()),
    }
}
