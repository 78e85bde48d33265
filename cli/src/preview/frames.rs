//! Pictures that the command draws: for pages without WebGPU, and for the Exact profile.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pyrograph::picture::{ArcRotate, spot};
use pyrograph::textures::Textures;
use pyrograph::{Interpreted, ParticleState, ParticleSystem, Pcg};
use pyrograph_compiler::ir::{Module, Profile, Valid};
use serde::Deserialize;

use crate::failure::Failure;
use crate::host::{self, Host};
use crate::numbers::{Color, Orbit, Pair};
use crate::render::film;
use crate::render::raster::Brush;
use crate::render::scene::{Shown, Style};

/// For how long steps are made before a picture shows how far they got.
const PATIENCE: Duration = Duration::from_millis(400);
/// The largest side of a picture in pixels.
const MAX_SIDE: u32 = 2048;

/// What a page asks for, in the words of `pyrograph render`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asked {
    pub(super) revision: u64,
    profile: String,
    seed: u64,
    /// Steps from the start.
    step: u64,
    camera: String,
    size: String,
    clear: String,
}

impl Asked {
    pub(super) fn profile(&self) -> Profile {
        if self.profile == "exact" { Profile::Exact } else { Profile::Parallel }
    }
}

/// A graph that runs here, as far as its newest picture.
#[derive(Debug)]
pub(super) struct Run {
    of: (u64, Profile, u64),
    systems: Vec<ParticleSystem<Interpreted>>,
    random: Pcg,
    step: u64,
    /// With the pictures of the systems, which are decoded once.
    brush: Brush,
}

/// A picture, and the step that it shows.
pub(super) struct Frame {
    pub(super) png: Vec<u8>,
    pub(super) step: u64,
}

/// Goes on with a run towards the step that is asked for, or begins another one, and draws.
pub(super) fn draw(
    run: &mut Option<Run>,
    asked: &Asked,
    module: &Arc<Valid<Module>>,
    folder: &Path,
) -> Result<Frame, String> {
    let of = (asked.revision, asked.profile(), asked.seed);
    let Orbit([alpha, beta, radius, x, y, z]) = asked.camera.parse()?;
    let (Color(clear), Pair(size)) = (asked.clear.parse()?, asked.size.parse()?);
    if size.iter().any(|&side| side > MAX_SIDE) {
        return Err(format!("pictures go up to {MAX_SIDE} pixels a side"));
    }
    let orbit = ArcRotate { alpha, beta, radius, target: [x, y, z], ..ArcRotate::default() };
    let camera = orbit.camera(f64::from(size[0]) / f64::from(size[1]));
    let is_same = run.as_ref().is_some_and(|run| run.of == of && run.step <= asked.step);
    let begun = if is_same { run.take() } else { None };
    let run = run.insert(begun.unwrap_or_else(|| begin(of, module, folder)));
    run.systems.iter_mut().for_each(|system| system.see(Some(camera)));
    let shown = |failure: Failure| match failure {
        Failure::Input(text) | Failure::Usage(text) | Failure::Machine(text) => text,
        Failure::Told | Failure::Closed => "the picture could not be drawn".into(),
    };
    let started = Instant::now();
    while run.step < asked.step && started.elapsed() < PATIENCE {
        for system in &mut run.systems {
            Host::animate(system, 1.0, &mut run.random).map_err(shown)?;
        }
        run.step += 1;
    }
    let Run { systems, brush, .. } = run;
    brush.set_style(&style(size, clear));
    let picture = brush.draw(|index| systems[index].drawn(), &camera).map_err(shown)?;
    Ok(Frame { png: film::still(&picture).map_err(shown)?, step: run.step })
}

fn begin(of: (u64, Profile, u64), module: &Arc<Valid<Module>>, folder: &Path) -> Run {
    let (_, _, seed) = of;
    let mut systems = host::interpreted(module, seed, folder);
    systems.iter_mut().for_each(Host::start);
    let mut textures = Textures::new().with_folder(folder);
    let layers = systems.iter().enumerate();
    let mut layers: Vec<_> = layers.map(|at| layer(at, &mut textures)).collect();
    layers.sort_by(|a, b| a.facts.rendering_group_id.total_cmp(&b.facts.rendering_group_id));
    let brush = Brush::new(&layers, &style([1, 1], [0.0; 4]));
    Run { of, systems, random: Pcg::seed_from_u64(seed), step: 0, brush }
}

fn style(size: [u32; 2], clear: [f64; 4]) -> Style {
    Style { size, clear, is_nearest: false }
}

/// A system with its picture; without one it is drawn as soft spots, as the page's `draw.js` does.
fn layer<'h>(
    (index, system): (usize, &'h ParticleSystem<Interpreted>),
    textures: &mut Textures,
) -> Shown<'h> {
    let state: &dyn ParticleState = system.program();
    let picture = state.picture().and_then(|_| crate::textures::drawn(state, textures));
    let picture = picture.unwrap_or_else(spot);
    Shown { index, facts: state.render(), picture, drawn: system.drawn() }
}
