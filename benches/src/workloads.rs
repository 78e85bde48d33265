//! The four workloads, and the types that belong to each.

use std::sync::Arc;

use clap::ValueEnum;
use pyrograph::compiler::ir::Profile;
use pyrograph::threads::Executor;
use pyrograph::{Interpreted, Options, ParticleProgram, compile};

use crate::agreement::check;
use crate::bounds::{Dense, Sparse, attractor, births, fountain, math};
use crate::contest::{Contest, Entry};
use crate::generated;

/// A graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Workload {
    /// Gravity, a fading colour, a size gradient
    Fountain,
    /// 15 sines and cosines, 15 conditions, 16 interpolations, a gradient
    Math,
    /// A pull, drag, angular speed, gradients
    Attractor,
    /// A tenth of the particles are new in each step
    Births,
}

/// How many particles live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Size {
    /// 1,000
    #[value(name = "1k")]
    K1,
    /// 10,000
    #[value(name = "10k")]
    K10,
    /// 100,000
    #[value(name = "100k")]
    K100,
    /// 1,000,000
    #[value(name = "1m")]
    M1,
}

/// Which meaning is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Babylon's numbers.
    Exact,
    /// Any order, single precision.
    Parallel,
}

/// Particles that a round steps: short rounds, so that some of them run undisturbed.
const WORK: u32 = 200_000;
/// The interpreter is much slower.
const INTERPRETER_WORK: u32 = 40_000;

/// Evaluates an expression with names for what belongs to a workload: the module of its graphs, and
/// that of its bounds.
macro_rules! with {
    ($workload:expr, |$graphs:ident, $bounds:ident| $value:expr) => {
        match $workload {
            Workload::Fountain => with!(@ fountain, $graphs, $bounds, $value),
            Workload::Math => with!(@ math, $graphs, $bounds, $value),
            Workload::Attractor => with!(@ attractor, $graphs, $bounds, $value),
            Workload::Births => with!(@ births, $graphs, $bounds, $value),
        }
    };
    (@ $name:ident, $graphs:ident, $bounds:ident, $value:expr) => {{
        #[allow(unused_imports, reason = "not every use names both")]
        use {generated::$name as $graphs, $name as $bounds};
        $value
    }};
}

/// Evaluates an expression with a name for the generated module of a size and meaning.
macro_rules! with_size {
    ($graphs:ident, $size:expr, $meaning:expr, |$module:ident| $value:expr) => {
        match ($size, $meaning) {
            (Size::K1, Meaning::Exact) => {
                use $graphs::k1::exact as $module;
                $value
            }
            (Size::K10, Meaning::Exact) => {
                use $graphs::k10::exact as $module;
                $value
            }
            (Size::K100, Meaning::Exact) => {
                use $graphs::k100::exact as $module;
                $value
            }
            (Size::M1, Meaning::Exact) => {
                use $graphs::m1::exact as $module;
                $value
            }
            (Size::K1, Meaning::Parallel) => {
                use $graphs::k1::parallel as $module;
                $value
            }
            (Size::K10, Meaning::Parallel) => {
                use $graphs::k10::parallel as $module;
                $value
            }
            (Size::K100, Meaning::Parallel) => {
                use $graphs::k100::parallel as $module;
                $value
            }
            (Size::M1, Meaning::Parallel) => {
                use $graphs::m1::parallel as $module;
                $value
            }
        }
    };
}

impl Workload {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Fountain, Self::Math, Self::Attractor, Self::Births];

    /// As in file names.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fountain => "fountain",
            Self::Math => "math",
            Self::Attractor => "attractor",
            Self::Births => "births",
        }
    }

    /// Whether Babylon Lite has all blocks of the graph.
    pub(crate) fn is_in_lite(self) -> bool {
        matches!(self, Self::Fountain | Self::Births)
    }

    /// Holds both bounds against generated code.
    ///
    /// # Errors
    /// They differ: where.
    pub(crate) fn check(self) -> Result<(), String> {
        let place = |meaning: &'static str| {
            move |difference| format!("bound of {} {meaning}: {difference}", self.name())
        };
        with!(self, |graphs, bounds| {
            use graphs::k10::{exact, parallel};
            let program = exact::Program::default();
            let bound = Dense::<bounds::Columns64>::new(program.emission(), 10_000);
            check(program, bound).map_err(place("Exact"))?;
            let program = parallel::Program::default();
            let bound = Sparse::<bounds::Columns32>::new(program.emission(), 10_000);
            check(program, bound).map_err(place("Parallel"))
        })
    }

    /// Enters generated code on the threads of an executor.
    ///
    /// # Errors
    /// See [`Contest::program`].
    pub(crate) fn enter<'a, E: Executor>(
        self,
        contest: &mut Contest<'a>,
        executor: &'a E,
        size: Size,
        meaning: Meaning,
    ) -> Result<Entry, String> {
        with!(self, |graphs, bounds| with_size!(graphs, size, meaning, |module| {
            contest.program_on(executor, module::Program::default(), WORK)
        }))
    }

    /// Enters the bound.
    ///
    /// # Errors
    /// See [`Contest::program`].
    pub(crate) fn enter_bound(
        self,
        contest: &mut Contest<'_>,
        size: Size,
        meaning: Meaning,
    ) -> Result<Entry, String> {
        with!(self, |graphs, bounds| {
            let facts = with_size!(graphs, size, meaning, |module| {
                module::Program::default().emission()
            });
            match meaning {
                Meaning::Exact => {
                    contest.program(Dense::<bounds::Columns64>::new(facts, size.alive()), WORK)
                }
                Meaning::Parallel => {
                    contest.program(Sparse::<bounds::Columns32>::new(facts, size.alive()), WORK)
                }
            }
        })
    }

    /// Enters the interpreter.
    ///
    /// # Errors
    /// See [`Contest::program`].
    pub(crate) fn enter_interpreter(
        self,
        contest: &mut Contest<'_>,
        meaning: Meaning,
    ) -> Result<Entry, String> {
        let graph = with!(self, |graphs, bounds| graphs::k10::GRAPH);
        let profile = match meaning {
            Meaning::Exact => Profile::Exact,
            Meaning::Parallel => Profile::Parallel,
        };
        let options = Options { profile, ..Options::default() };
        let compiled = compile(graph.as_bytes(), &options)
            .map_err(|errors| format!("the graph does not compile: {errors:?}"))?;
        let program = Interpreted::all(&Arc::new(compiled.module)).into_iter().next();
        contest.program(program.ok_or("the graph has no system")?, INTERPRETER_WORK)
    }

    /// Bytes that an update moves of each particle.
    pub(crate) fn traffic(self, meaning: Meaning) -> usize {
        with!(self, |graphs, bounds| match meaning {
            Meaning::Exact => graphs::k10::exact::TRAFFIC,
            Meaning::Parallel => graphs::k10::parallel::TRAFFIC,
        })
    }
}

impl Size {
    /// How many particles live.
    pub(crate) fn alive(self) -> u32 {
        match self {
            Self::K1 => 1_000,
            Self::K10 => 10_000,
            Self::K100 => 100_000,
            Self::M1 => 1_000_000,
        }
    }
}

impl Meaning {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::Exact, Self::Parallel];
}
