//! `pyrograph simulate`: runs a graph and prints its particles.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use pyrograph::gpu::{GpuError, GpuSystem, default_device};
use pyrograph::{Interpreted, ParticleState, ParticleSystem, Pcg, Sine, StepError, state};
use pyrograph_compiler::{Compiled, Options, compile};

use crate::args::{Execution, Plan, Random};
use crate::failure::Failure;
use crate::input::Graph;
use crate::{Outcome, output, table};

/// Run a graph and print its particles
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pyrograph simulate sparks.json
  pyrograph simulate sparks.json --steps 600 --random sine --format json
  pyrograph simulate sparks.json --profile parallel --backend gpu
  curl … | pyrograph simulate -")]
pub(crate) struct Simulate {
    /// Graph file as the node particle editor saves it; `-` reads standard input
    graph: PathBuf,

    /// Steps to run, each of ratio 1 (a frame at 60 a second)
    #[arg(long, value_name = "N", default_value_t = 60)]
    steps: u64,

    #[command(flatten)]
    execution: Execution,

    /// How to print [default: table on a terminal, json otherwise]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One object with every number in full
    Json,
    /// Columns for reading
    Table,
}

impl Simulate {
    /// Runs the subcommand.
    pub(crate) fn run(&self) -> Outcome {
        let plan = self.execution.plan()?;
        let graph = Graph::read(&self.graph)?;
        let options = Options::new(self.execution.profile.into());
        let compiled = compile(&graph.bytes, &options).map_err(|errors| graph.refused(&errors))?;
        graph.warn(&compiled.warnings);
        match plan {
            Plan::Exact(Random::Sine) => self.interpret(compiled, 0, &mut Sine::new()),
            Plan::Exact(Random::Pcg(seed)) => {
                self.interpret(compiled, 0, &mut Pcg::seed_from_u64(seed))
            }
            // Parallel never reads the stream.
            Plan::Parallel { seed } => self.interpret(compiled, seed, &mut Sine::new()),
            Plan::Gpu { seed } => self.run_on_gpu(compiled, seed),
        }
    }

    fn interpret<R: pyrograph::Random>(
        &self,
        compiled: Compiled,
        seed: u64,
        random: &mut R,
    ) -> Outcome {
        let module = Arc::new(compiled.module);
        let mut systems: Vec<ParticleSystem<Interpreted>> = Interpreted::all(&module)
            .into_iter()
            .map(|program| ParticleSystem::from_program(program, seed))
            .collect();
        systems.iter_mut().for_each(ParticleSystem::start);
        for step in 0..self.steps {
            for system in &mut systems {
                system.animate(1.0, random).map_err(|error| stopped(step, &error))?;
            }
        }
        let states: Vec<&dyn ParticleState> =
            systems.iter().map(|system| system.program() as &dyn ParticleState).collect();
        self.print(&states)
    }

    fn run_on_gpu(&self, compiled: Compiled, seed: u64) -> Outcome {
        let module = Arc::new(compiled.module);
        let (device, queue) = default_device().map_err(machine)?;
        let mut snapshots = Vec::new();
        for index in 0..module.programs.len() {
            let system = GpuSystem::new(&device, &queue, &module, index, seed);
            let mut system = system.map_err(machine)?;
            system.start();
            for _ in 0..self.steps {
                system.animate(1.0).map_err(machine)?;
            }
            snapshots.push(system.read_back().map_err(machine)?);
        }
        let states: Vec<&dyn ParticleState> =
            snapshots.iter().map(|snapshot| snapshot as &dyn ParticleState).collect();
        self.print(&states)
    }

    fn print(&self, states: &[&dyn ParticleState]) -> Outcome {
        let to_terminal = self.output.is_none() && io::stdout().is_terminal();
        let default = if to_terminal { Format::Table } else { Format::Json };
        let text = match self.format.unwrap_or(default) {
            Format::Json => format!("{}\n", state::Json(states)),
            Format::Table => table::render(states),
        };
        let file = output::File { name: String::new(), text };
        output::deliver(&[file], self.output.as_deref())
    }
}

fn machine(error: GpuError) -> Failure {
    Failure::Machine(error.to_string())
}

fn stopped(step: u64, error: &StepError) -> Failure {
    Failure::Input(format!("error: step {step}: {error}\n"))
}
