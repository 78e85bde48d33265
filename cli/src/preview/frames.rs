//! Pictures that the command draws: for pages without WebGPU, and for the Exact profile.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyrograph::picture::{ArcRotate, spot};
use pyrograph::textures::Textures;
use pyrograph::{Camera, Interpreted, ParticleState, ParticleSystem, Pcg};
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
/// Runs that are kept. With more pages than that, those that have not asked for longest begin anew.
const MAX_RUNS: usize = 16;

/// What a page asks for, in the words of `pyrograph render`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asked {
    /// Who asks: a number that no other page has.
    page: u32,
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

/// Graphs that run here: one for each page that asks, whoever asked last at the end.
#[derive(Debug, Default)]
pub(super) struct Runs(Mutex<Vec<Run>>);

/// A graph that runs here, as far as its newest picture.
#[derive(Debug)]
struct Run {
    page: u32,
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

impl Runs {
    /// Goes on with the page's run towards the step that is asked for, or begins another one, and
    /// draws.
    pub(super) fn draw(
        &self,
        asked: &Asked,
        module: &Arc<Valid<Module>>,
        folder: &Path,
    ) -> Result<Frame, String> {
        let view = View::of(asked)?;
        let of = (asked.revision, asked.profile(), asked.seed);
        // Nobody waits for the pictures of another page.
        let begun = self.take(asked.page).filter(|run| run.of == of && run.step <= asked.step);
        let mut run = begun.unwrap_or_else(|| Run::begin(asked.page, of, module, folder));
        // Where a system has failed, those before it are a step further: nobody goes on with that.
        let frame = run.draw(asked.step, &view)?;
        self.keep(run);
        Ok(frame)
    }

    fn take(&self, page: u32) -> Option<Run> {
        let mut runs = self.runs();
        let found = runs.iter().position(|run| run.page == page)?;
        Some(runs.remove(found))
    }

    fn keep(&self, run: Run) {
        let mut runs = self.runs();
        // A page that asks for two pictures at once has two runs for a moment.
        runs.retain(|kept| kept.page != run.page);
        runs.push(run);
        let surplus = runs.len().saturating_sub(MAX_RUNS);
        runs.drain(..surplus);
    }

    fn runs(&self) -> MutexGuard<'_, Vec<Run>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a picture shows beside the graph.
#[derive(Debug)]
struct View {
    camera: Camera,
    size: [u32; 2],
    clear: [f64; 4],
}

impl View {
    fn of(asked: &Asked) -> Result<Self, String> {
        let Orbit([alpha, beta, radius, x, y, z]) = asked.camera.parse()?;
        let (Color(clear), Pair(size)) = (asked.clear.parse()?, asked.size.parse()?);
        if size.iter().any(|&side| side > MAX_SIDE) {
            return Err(format!("pictures go up to {MAX_SIDE} pixels a side"));
        }
        let orbit = ArcRotate { alpha, beta, radius, target: [x, y, z], ..ArcRotate::default() };
        let camera = orbit.camera(f64::from(size[0]) / f64::from(size[1]));
        Ok(Self { camera, size, clear })
    }
}

impl Run {
    fn begin(
        page: u32,
        of: (u64, Profile, u64),
        module: &Arc<Valid<Module>>,
        folder: &Path,
    ) -> Self {
        let (_, _, seed) = of;
        let mut systems = host::interpreted(module, seed, folder);
        systems.iter_mut().for_each(Host::start);
        let mut textures = Textures::new().with_folder(folder);
        let layers = systems.iter().enumerate();
        let mut layers: Vec<_> = layers.map(|at| layer(at, &mut textures)).collect();
        layers.sort_by(|a, b| a.facts.rendering_group_id.total_cmp(&b.facts.rendering_group_id));
        let brush = Brush::new(&layers, &style([1, 1], [0.0; 4]));
        Self { page, of, systems, random: Pcg::seed_from_u64(seed), step: 0, brush }
    }

    fn draw(&mut self, step: u64, view: &View) -> Result<Frame, String> {
        let View { camera, size, clear } = view;
        self.systems.iter_mut().for_each(|system| system.see(Some(*camera)));
        let shown = |failure: Failure| match failure {
            Failure::Input(text) | Failure::Usage(text) | Failure::Machine(text) => text,
            Failure::Told | Failure::Closed => "the picture could not be drawn".into(),
        };
        let started = Instant::now();
        while self.step < step && started.elapsed() < PATIENCE {
            for system in &mut self.systems {
                Host::animate(system, 1.0, &mut self.random).map_err(shown)?;
            }
            self.step += 1;
        }
        let Self { systems, brush, .. } = self;
        brush.set_style(&style(*size, *clear));
        let picture = brush.draw(|index| systems[index].drawn(), camera).map_err(shown)?;
        Ok(Frame { png: film::still(&picture).map_err(shown)?, step: self.step })
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use pyrograph_compiler::{Options, compile};

    use crate::sample::SAMPLES;

    fn asked(page: u32, seed: u64, step: u64) -> Asked {
        Asked {
            page,
            revision: 1,
            profile: "exact".into(),
            seed,
            step,
            camera: "0,1,8,0,1,0".into(),
            size: "32x32".into(),
            clear: "0,0,0,1".into(),
        }
    }

    #[test]
    fn pages_do_not_disturb_each_other() {
        let (.., text) = SAMPLES[0];
        let compiled = compile(text.as_bytes(), &Options::new(Profile::Exact)).unwrap();
        let module = Arc::new(compiled.module);
        let runs = Runs::default();
        let draw = |asked: Asked| runs.draw(&asked, &module, Path::new("")).unwrap();
        // The step of each page's run that is kept, the last one first.
        let steps = || runs.runs().iter().rev().map(|run| (run.page, run.step)).collect::<Vec<_>>();
        let alone = draw(asked(1, 0, 20)).png;
        draw(asked(2, 5, 3));
        draw(asked(3, 0, 10));
        assert_eq!(steps(), [(3, 10), (2, 3), (1, 20)]);
        assert_eq!(draw(asked(3, 0, 20)).png, alone);
        assert_ne!(draw(asked(2, 5, 20)).png, alone);
        assert_eq!(steps(), [(2, 20), (3, 20), (1, 20)]);
        // Back, and another seed.
        draw(asked(1, 0, 4));
        assert_eq!(draw(asked(2, 0, 20)).png, alone);
        assert_eq!(steps(), [(2, 20), (1, 4), (3, 20)]);
        (10..40).for_each(|page| drop(draw(asked(page, 0, 0))));
        assert_eq!(steps().len(), MAX_RUNS);
    }
}
