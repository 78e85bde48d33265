//! The flags that simulate and build share, and what their combinations mean.

use std::str::FromStr;

use clap::{Args, ValueEnum};
use pyrograph_compiler::ir;
use pyrograph_compiler::passes;

use crate::failure::Failure;

/// Which of the two meanings of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// Babylon's numbers: f64, one random stream
    Exact,
    /// Order never matters: f32, random numbers by particle; what GPUs run
    Parallel,
}

impl From<Profile> for ir::Profile {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Exact => Self::Exact,
            Profile::Parallel => Self::Parallel,
        }
    }
}

/// What a host will look at; everything else may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Observe {
    /// What renderers read; what generated code keeps unless asked
    Render,
    /// Every field that `simulate` prints
    State,
}

impl From<Observe> for passes::Observe {
    fn from(observe: Observe) -> Self {
        match observe {
            Observe::Render => Self::Render,
            Observe::State => Self::State,
        }
    }
}

/// What executes a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// The compiler's reference executor
    Interpreter,
    /// WGSL kernels on a GPU adapter (a software one counts); needs `--profile parallel`
    Gpu,
}

/// Where random numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Random {
    /// The generator of Babylon's reference states.
    Sine,
    /// A seeded generator.
    Pcg(u64),
}

impl FromStr for Random {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "sine" {
            return Ok(Self::Sine);
        }
        let seed = text.strip_prefix("pcg:").and_then(|seed| seed.parse().ok());
        seed.map(Self::Pcg).ok_or_else(|| {
            "give `sine`, or `pcg:SEED` with a whole number from 0 to 18446744073709551615".into()
        })
    }
}

/// An address of a server, as flags take it: without a slash at its end, which paths begin with.
pub(crate) fn address(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    if rest.is_none_or(str::is_empty) {
        return Err("give an address such as https://snippet.babylonjs.com".into());
    }
    Ok(text.trim_end_matches('/').to_owned())
}

/// How a graph is executed.
#[derive(Clone, Debug, Args)]
pub(crate) struct Execution {
    /// Which meaning the graph has
    #[arg(long, value_enum, default_value_t = Profile::Exact)]
    pub(crate) profile: Profile,

    /// Random numbers: `sine` (the generator of Babylon's reference states) or `pcg:SEED`
    ///
    /// Exact draws them in order. Parallel hashes the seed with each particle's id, so it takes
    /// `pcg:SEED` only.
    #[arg(long, value_name = "SOURCE", default_value = "pcg:0")]
    pub(crate) random: Random,

    /// What executes the graph
    #[arg(long, value_enum, default_value_t = Backend::Interpreter)]
    pub(crate) backend: Backend,
}

/// A combination of [`Execution`] flags that makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Exact, with this stream.
    Exact(Random),
    /// Parallel on the CPU.
    Parallel { seed: u64 },
    /// Parallel on a GPU.
    Gpu { seed: u64 },
}

impl Execution {
    /// What the flags ask for.
    pub(crate) fn plan(&self) -> Result<Plan, Failure> {
        match (self.profile, self.backend, self.random) {
            (Profile::Exact, Backend::Interpreter, random) => Ok(Plan::Exact(random)),
            (Profile::Exact, Backend::Gpu, _) => Err(Failure::Usage(
                "the gpu backend runs the Parallel profile only: Exact updates particles one after \
                 the other in f64, which no GPU does; add `--profile parallel`"
                    .into(),
            )),
            (Profile::Parallel, _, Random::Sine) => Err(Failure::Usage(
                "`--random sine` is one sequential stream, and the Parallel profile has no order \
                 to draw it in; give `--random pcg:SEED`, or use `--profile exact`"
                    .into(),
            )),
            (Profile::Parallel, Backend::Interpreter, Random::Pcg(seed)) => {
                Ok(Plan::Parallel { seed })
            }
            (Profile::Parallel, Backend::Gpu, Random::Pcg(seed)) => Ok(Plan::Gpu { seed }),
        }
    }
}
