//! `pyrograph simulate`: runs a graph and prints its particles.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use pyrograph::{Camera, ParticleState, Pcg, Sine};
use pyrograph_compiler::Options;
use pyrograph_compiler::graph::js;
use pyrograph_compiler::ir::Module;

use crate::Outcome;
use crate::args::{Execution, Plan, Random};
use crate::camera::View;
use crate::failure::Failure;
use crate::host::{self, Host};
use crate::input::{self, Graph, note, shown};
use crate::motion::{Motion, Poses};
use crate::numbers::{Ratios, Setting};
use crate::output;
use crate::progress::Progress;
use crate::report::{Format, Report, is_terminal};

/// Run a graph and print its particles
///
/// All systems of the file start together and take turns in each step, in file order; in Exact they
/// share one random stream. The start delay of a system is a host's timer, and is left out.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pyrograph simulate sparks.json
  pyrograph simulate sparks.json --steps 600 --random sine --format json
  pyrograph simulate sparks.json --every 10 --format csv -o sparks.csv
  pyrograph simulate sparks.json --ratio 1,0.5,2 --emitter -1,0,2
  pyrograph simulate sparks.json --stop-at 30 --restart-at 50
  pyrograph simulate sparks.json --profile parallel --backend gpu
  pyrograph sample fountain | pyrograph simulate -")]
pub(crate) struct Simulate {
    /// Graph file as the node particle editor saves it; `-` reads standard input
    graph: PathBuf,

    /// Steps to run
    #[arg(long, value_name = "N", default_value_t = 60, allow_negative_numbers = true)]
    steps: u64,

    #[command(flatten)]
    execution: Execution,

    /// Length of a step in frames at 60 a second; several, with commas between, repeat
    #[arg(long, value_name = "NUMBERS", default_value = "1", allow_hyphen_values = true)]
    ratio: Ratios,

    #[command(flatten)]
    motion: Motion,

    #[command(flatten)]
    view: View,

    /// Folder of the pictures that flow maps and noise read [default: the graph's folder]
    ///
    /// Addresses in the graph are paths in this folder; pictures are PNG, JPEG or WebP.
    #[arg(long, value_name = "DIR")]
    texture_base: Option<PathBuf>,

    /// Give the constant of this name another value: one to four numbers, with commas between; may be
    /// given several times
    #[arg(long = "input", value_name = "NAME=NUMBERS")]
    inputs: Vec<Setting>,

    /// Stop all systems just before this step, counted from 0; what lives goes on
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    stop_at: Option<u64>,

    /// Start all systems again just before this step, counted from 0
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    restart_at: Option<u64>,

    /// Print the particles after every K steps instead of at the end
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,

    /// How to print [default: table on a terminal, json otherwise]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// What is around the systems.
struct Scene {
    poses: Poses,
    camera: Option<Camera>,
}

impl Simulate {
    /// Runs the subcommand.
    pub(crate) fn run(&self) -> Outcome {
        let plan = self.execution.plan()?;
        self.check_every()?;
        input::check_paths(&self.paths(), output::place(&self.output))?;
        let scene = Scene { poses: self.motion.poses()?, camera: self.view.camera()? };
        let graph = Graph::read(&self.graph)?;
        let inputs = self.inputs.iter().map(|setting| setting.name.clone()).collect();
        let profile = self.execution.profile.into();
        let compiled = graph.compile(&Options { inputs, ..Options::new(profile) })?;
        note_hosts(&compiled.module);
        let module = Arc::new(compiled.module);
        let base = self.texture_base.as_deref().or_else(|| self.graph.parent());
        let base = base.unwrap_or(Path::new(""));
        let interpreted = |seed| host::interpreted(&module, seed, base);
        // Parallel never reads the stream.
        let mut nothing = Sine::new();
        match plan {
            Plan::Exact(Random::Sine) => self.drive(interpreted(0), &mut Sine::new(), &scene),
            Plan::Exact(Random::Pcg(seed)) => {
                self.drive(interpreted(0), &mut Pcg::seed_from_u64(seed), &scene)
            }
            Plan::Parallel { seed } => self.drive(interpreted(seed), &mut nothing, &scene),
            Plan::Gpu { seed } => {
                let device = host::device()?;
                self.drive(host::on_gpu(&module, seed, base, &device)?, &mut nothing, &scene)
            }
        }
    }

    /// Refuses steps of which none is printed; a run without steps is an empty series.
    fn check_every(&self) -> Outcome {
        match self.every {
            Some(every) if self.steps > 0 && every > self.steps => Err(Failure::Usage(format!(
                "`--every {every}` would print nothing in {}: run more `--steps`, or leave `--every` \
                 out for the state at the end",
                match self.steps {
                    1 => "1 step".into(),
                    steps => format!("{steps} steps"),
                }
            ))),
            Some(_) | None => Ok(()),
        }
    }

    /// Paths that are read.
    fn paths(&self) -> Vec<PathBuf> {
        let schedule = self.motion.schedule().map(PathBuf::from);
        [self.graph.clone()].into_iter().chain(schedule).collect()
    }

    /// Runs all systems step by step, and prints.
    fn drive<H: Host>(
        &self,
        mut hosts: Vec<H>,
        random: &mut dyn pyrograph::Random,
        scene: &Scene,
    ) -> Outcome {
        let output = output::place(&self.output);
        let mut report = Report::open(output, self.format, self.every.is_some())?;
        let is_shown = self.every.is_none() || !is_terminal(output);
        let progress = Progress::new(self.steps, is_shown);
        hosts.iter_mut().for_each(|host| host.see(scene.camera));
        for Setting { name, value } in &self.inputs {
            hosts.iter_mut().try_for_each(|host| host.set(name, *value))?;
        }
        place(&mut hosts, &scene.poses, 0)?;
        start(&mut hosts, random)?;
        for step in 0..self.steps {
            place(&mut hosts, &scene.poses, step)?;
            if self.stop_at == Some(step) {
                hosts.iter_mut().for_each(H::stop);
            }
            if self.restart_at == Some(step) {
                start(&mut hosts, random).map_err(|failure| failure.in_step(step))?;
            }
            for host in &mut hosts {
                host.animate(self.ratio.at(step), random)
                    .map_err(|failure| failure.in_step(step))?;
            }
            progress.set(step + 1);
            if self.every.is_some_and(|every| (step + 1) % every == 0) {
                print(&mut report, step + 1, &mut hosts)?;
            }
        }
        drop(progress);
        if self.every.is_none() {
            print(&mut report, self.steps, &mut hosts)?;
        }
        report.finish()
    }
}

fn place<H: Host>(hosts: &mut [H], poses: &Poses, step: u64) -> Outcome {
    let Some(matrix) = poses.at(step) else { return Ok(()) };
    hosts.iter_mut().try_for_each(|host| host.place(matrix))
}

/// Starts all systems, each warmed up before the next one starts.
fn start<H: Host>(hosts: &mut [H], random: &mut dyn pyrograph::Random) -> Outcome {
    hosts.iter_mut().try_for_each(|host| {
        host.start();
        host.pre_warm(random)
    })
}

fn print<H: Host>(report: &mut Report, steps: u64, hosts: &mut [H]) -> Outcome {
    hosts.iter_mut().try_for_each(H::look)?;
    let states: Vec<&dyn ParticleState> = hosts.iter().map(H::state).collect();
    report.state(steps, &states)
}

/// Says what systems ask their hosts for, and do not get.
fn note_hosts(module: &Module) {
    for program in &module.programs {
        let name = shown(&program.name);
        if program.emission.do_no_start {
            note(&format!(
                "note: system \"{name}\" asks its host not to start it (doNoStart); simulate starts \
                 it\n"
            ));
        }
        let delay = program.emission.start_delay;
        if delay > 0.0 {
            let delay = js::number_to_string(delay);
            note(&format!(
                "note: system \"{name}\" asks its host to wait {delay} ms before it starts; \
                 simulate starts it at once\n"
            ));
        }
    }
}
