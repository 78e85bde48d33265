//! Which graph is shown, and how time goes on.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pyrograph::compiler::diagnostic::Diagnostics;
use pyrograph::compiler::explain::explain;
use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::passes::Observe;
use pyrograph::gpu::wgpu;
use pyrograph::scene::FRAMES_A_SECOND;
use pyrograph::{Camera, Input, Options};

use crate::Fallible;
use crate::effect::{self, Effect, Gpu};
use crate::pictures::{self, Pictures};
use crate::settings::{Figures, Settings};
use crate::source::Source;

/// Steps that are made up for when the window was hidden or slow.
const MAX_BEHIND: f64 = 8.0;
/// For how long steps to a goal are taken before a picture shows how far they got.
const PATIENCE: Duration = Duration::from_millis(100);
/// How often the living are counted: the GPU is waited for.
const COUNTED: Duration = Duration::from_millis(250);

/// A graph, and the effect that runs: its own, or the last one without errors.
pub(crate) struct Session {
    pub(crate) settings: Settings,
    pub(crate) figures: Figures,
    pub(crate) findings: Diagnostics,
    pub(crate) explanation: String,
    /// How the newest text fared.
    pub(crate) status: String,
    /// What else went wrong; empty where nothing did.
    pub(crate) notice: String,
    gpu: Gpu,
    source: Source,
    /// What was read last; `None` where it could not be read.
    bytes: Option<Vec<u8>>,
    /// The newest text without errors.
    text: String,
    effect: Option<Box<dyn Effect>>,
    /// Steps that are due, and the step that is to be reached first.
    behind: f64,
    goal: Option<u64>,
    counted: Instant,
}

impl Session {
    pub(crate) fn new(gpu: Gpu, source: Source) -> Self {
        let mut session = Self {
            settings: Settings::default(),
            figures: Figures::default(),
            findings: Diagnostics::new(),
            explanation: String::new(),
            status: String::new(),
            notice: String::new(),
            gpu,
            source,
            bytes: None,
            text: String::new(),
            effect: None,
            behind: 0.0,
            goal: None,
            counted: Instant::now(),
        };
        session.read();
        session
    }

    /// What messages call the graph.
    pub(crate) fn name(&self) -> &str {
        &self.source.name
    }

    /// Shows a graph, or draws a picture, that was dropped on the window.
    pub(crate) fn drop_file(&mut self, path: &Path) {
        if pictures::is_picture(path) {
            self.set_picture(Some(path.to_owned()));
            return;
        }
        match Source::open(path) {
            Ok(source) => {
                self.source = source;
                self.begin_anew();
            }
            Err(error) => self.notice = error.to_string(),
        }
    }

    /// Shows the file as it is now, from its own beginning. What ran goes on where that has errors.
    fn begin_anew(&mut self) {
        self.bytes = None;
        self.text.clear();
        self.read();
    }

    /// Shows the file as it is now.
    fn read(&mut self) {
        match self.source.read() {
            // A file that was written with what it had before is no news.
            Ok(bytes) if Some(&bytes) == self.bytes.as_ref() => {}
            Ok(bytes) => self.show(bytes),
            Err(error) => {
                self.status = error.to_string();
                // What comes back as it was is news.
                self.bytes = None;
            }
        }
    }

    fn show(&mut self, bytes: Vec<u8>) {
        let started = Instant::now();
        let found = explain(&bytes, &self.options());
        let name = self.name();
        match found {
            Err(errors) => {
                let effect =
                    if self.effect.is_some() { "; the last good effect goes on" } else { "" };
                self.status = format!("{name} has errors{effect}");
                self.findings = errors;
            }
            Ok(found) => {
                let took = started.elapsed().as_secs_f64() * 1e3;
                self.status = format!("{name}: compiled in {took:.1} ms");
                self.explanation = found.to_string();
                self.findings = found.warnings;
                let goes_on = !self.text.is_empty();
                self.text = String::from_utf8_lossy(&bytes).into_owned();
                let result = match &mut self.effect {
                    Some(effect) if goes_on => effect.edit(&self.text),
                    // The next text is no edit of what did not begin.
                    _ => self.begin().inspect_err(|_| self.text.clear()),
                };
                self.heed(result);
            }
        }
        self.bytes = Some(bytes);
    }

    /// Columns that nothing reads are removed, as they would be in an application.
    fn options(&self) -> Options {
        Options { observe: Observe::Render, ..Options::new(self.settings.profile) }
    }

    fn begin(&mut self) -> Fallible {
        let begun = effect::begin(&self.gpu, &self.text, self.options(), self.settings.seed);
        self.effect = Some(begun?);
        self.settings.is_stopped = false;
        self.figures = Figures::default();
        self.dress()
    }

    /// Gives pictures and settings to an effect that is new.
    fn dress(&mut self) -> Fallible {
        let Some(effect) = &mut self.effect else { return Ok(()) };
        let mut pictures = Pictures::new(self.source.folder(), self.settings.picture.as_deref());
        effect.dress(&mut pictures)?;
        effect.set_rate(self.settings.rate);
        self.notice = pictures.missing.join("\n");
        self.figures.bytes = effect.bytes();
        Ok(())
    }

    /// Tells what went wrong.
    fn heed(&mut self, result: Fallible) {
        if let Err(error) = result {
            self.notice = error.to_string();
        }
    }

    /// Begins at step 0.
    pub(crate) fn restart(&mut self) {
        self.settings.is_stopped = false;
        self.figures.step = 0;
        (self.behind, self.goal) = (0.0, None);
        let restarted = self.effect.as_mut().map(|effect| effect.restart(self.settings.seed));
        let result = restarted.unwrap_or(Ok(())).and_then(|()| self.dress());
        self.heed(result);
    }

    /// Goes to a step by taking all steps before it.
    pub(crate) fn seek(&mut self, step: u64) {
        self.restart();
        self.goal = Some(step);
    }

    /// Emits no more, or goes on; see [`Settings::is_stopped`].
    pub(crate) fn set_stopped(&mut self, is_stopped: bool) {
        self.settings.is_stopped = is_stopped;
        let input = if is_stopped { Input::Stop } else { Input::Start };
        let told = self.effect.as_mut().map_or(Ok(()), |effect| effect.tell(&input));
        self.heed(told);
    }

    /// Births a unit of time that the graph of the first system asks for.
    pub(crate) fn rate(&self) -> f64 {
        self.effect.as_ref().map_or(0.0, |effect| effect.rate())
    }

    /// Emits at another rate than the graph says, or at that again.
    pub(crate) fn set_rate(&mut self, rate: Option<f64>) {
        self.settings.rate = rate;
        if let Some(effect) = &mut self.effect {
            effect.set_rate(rate);
        }
    }

    /// Draws another picture than the graph says, or that again. One that cannot be read changes nothing.
    pub(crate) fn set_picture(&mut self, picture: Option<PathBuf>) {
        let decoded =
            picture.as_ref().map_or(Ok(()), |path| pictures::decode(path, false).map(|_| ()));
        let result = decoded.and_then(|()| {
            self.settings.picture = picture;
            self.dress()
        });
        self.heed(result);
    }

    pub(crate) fn set_profile(&mut self, profile: Profile) {
        self.settings.profile = profile;
        self.begin_anew();
    }

    /// Sees what was saved, and lets time go on. To be called once a frame.
    pub(crate) fn advance(&mut self, elapsed: Duration, camera: &Camera) {
        if self.source.was_saved() {
            self.read();
        }
        let changed = self.change_over();
        self.heed(changed);
        if self.counted.elapsed() > COUNTED
            && let Some(effect) = &mut self.effect
        {
            self.figures.milliseconds = effect.milliseconds();
            let alive = effect.alive().map(|alive| self.figures.alive = alive);
            self.counted = Instant::now();
            self.heed(alive);
        }
        if let Err(error) = self.take_steps(elapsed, camera) {
            // The next step would fail alike.
            (self.settings.is_playing, self.goal) = (false, None);
            self.heed(Err(error));
        }
    }

    fn change_over(&mut self) -> Fallible {
        let Some(changed) = self.effect.as_mut().and_then(|effect| effect.poll()) else {
            return Ok(());
        };
        if changed? {
            return self.dress();
        }
        self.restart();
        Ok(())
    }

    fn take_steps(&mut self, elapsed: Duration, camera: &Camera) -> Fallible {
        let Some(effect) = &mut self.effect else { return Ok(()) };
        effect.tell(&Input::Camera(Some(*camera)))?;
        if self.settings.is_playing {
            self.behind += elapsed.as_secs_f64() * FRAMES_A_SECOND * self.settings.speed;
        }
        let due = self.behind.floor().min(MAX_BEHIND);
        self.behind = (self.behind - due).min(1.0);
        let wanted = self.goal.map_or(due as u64, |goal| goal.saturating_sub(self.figures.step));
        if wanted == 0 {
            self.goal = None;
        }
        let started = Instant::now();
        for _ in 0..wanted {
            if started.elapsed() > PATIENCE {
                break;
            }
            self.make_step()?;
        }
        Ok(())
    }

    /// One step, and no more of them.
    pub(crate) fn step(&mut self) {
        (self.settings.is_playing, self.goal) = (false, None);
        let made = self.make_step();
        self.heed(made);
    }

    fn make_step(&mut self) -> Fallible {
        let Some(effect) = &mut self.effect else { return Ok(()) };
        effect.tell(&Input::Emitter(self.settings.emitter_at(self.figures.step)))?;
        effect.step()?;
        self.figures.step += 1;
        Ok(())
    }

    /// Makes ready to draw, ahead of a pass of this encoder.
    pub(crate) fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder, camera: &Camera) {
        let prepared =
            self.effect.as_mut().map_or(Ok(()), |effect| effect.prepare(encoder, camera));
        self.heed(prepared);
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(effect) = &self.effect {
            effect.draw(pass);
        }
    }
}
