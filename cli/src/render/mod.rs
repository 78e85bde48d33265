//! `pyrograph render`: runs a graph and draws it.

pub(crate) mod film;
mod gpu;
mod lens;
pub(crate) mod raster;
pub(crate) mod scene;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use pyrograph::gpu::{GpuError, default_device};
use pyrograph::{Pcg, Sine};
use pyrograph_compiler::Options;
use pyrograph_compiler::ir::Module;
use pyrograph_compiler::passes::Observe;

use crate::Outcome;
use crate::args::{Execution, Plan, Random};
use crate::failure::Failure;
use crate::host::{self, Device};
use crate::input::{self, Graph};
use crate::motion::Motion;
use crate::numbers::{Color, Pair};
use film::Format;
use lens::Lens;
use scene::Scene;

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
    #[arg(long, value_name = "N", default_value_t = 60, allow_negative_numbers = true)]
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
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_FRAMES)))]
    frames: Option<u32>,

    /// Pictures a second
    #[arg(long, value_name = "F", default_value_t = 30.0, allow_negative_numbers = true, value_parser = rate)]
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

/// The largest side of a picture in pixels: what GPUs draw.
const MAX_SIDE: u32 = 8192;
/// The most pictures of a run.
const MAX_FRAMES: u32 = 10_000;

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
        let placed = self.lens.placed()?;
        let poses = self.motion.poses()?;
        let graph = Graph::read(&self.graph)?;
        let options =
            Options { observe: Observe::Render, ..Options::new(self.execution.profile.into()) };
        let module = Arc::new(graph.compile(&options)?.module);
        let base = self.texture_base.as_deref().or_else(|| self.graph.parent());
        let base = base.unwrap_or(Path::new(""));
        let files: Vec<_> = pictures_of(&module).map(|url| base.join(url)).collect();
        input::check_paths(&files, Some(&self.out))?;
        let device = self.device(plan)?;
        let scene =
            Scene { render: self, frames, format, poses, placed, base, module: &module, device };
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
        if frames > MAX_FRAMES {
            return Err(Failure::Usage(format!("a sheet has up to {MAX_FRAMES} pictures")));
        }
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

/// Addresses of all pictures that the systems draw and read.
fn pictures_of(module: &Module) -> impl Iterator<Item = &str> {
    module.programs.iter().flat_map(|program| {
        let drawn = program.render.picture.iter().map(|picture| picture.url.as_str());
        drawn.chain(program.textures.iter().map(|(_, texture)| texture.url.as_str()))
    })
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
