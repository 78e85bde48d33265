//! Why a simulation runs where it runs, or nowhere.

use std::fmt;

use pyrograph_compiler::emit::wgsl::WgslError;

use crate::gpu::GpuError;
use crate::program::Profile;

/// Why a simulation does not run on a GPU.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// [`Policy::Cpu`](super::Policy::Cpu).
    Policy,
    /// There is no device, or it refuses the program, or the program has no WGSL.
    Gpu(GpuError),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy => f.write_str("the policy asks for the CPU"),
            Self::Gpu(error) => error.fmt(f),
        }
    }
}

/// Why there is no simulation.
#[derive(Clone, Debug, PartialEq)]
pub enum RouteError {
    /// The policy asks for a GPU, and these reasons stand against it.
    NoGpu(Vec<Reason>),
    /// The CPU's code has another profile than the module, so that its numbers would be others.
    Profile {
        /// Name of the system.
        system: String,
        /// The module's.
        module: Profile,
        /// The code's.
        code: Profile,
    },
    /// The module has no such program.
    NoProgram(WgslError),
}

impl fmt::Display for RouteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGpu(reasons) => {
                f.write_str("the simulation must run on a GPU and cannot")?;
                reasons.iter().try_for_each(|reason| write!(f, "\n- {reason}"))
            }
            Self::Profile { system, module, code } => write!(
                f,
                "system {system:?} is {module:?} and the CPU's code for it is {code:?}; compile \
                 both with the same profile"
            ),
            Self::NoProgram(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RouteError {}
