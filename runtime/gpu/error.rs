//! What can go wrong between a program and a GPU.

use std::fmt;

use pyrograph_compiler::diagnostic::Diagnostics;
use pyrograph_compiler::emit::wgsl::WgslError;

use crate::error::StepError;
use crate::snapshot::RestoreError;

/// Why a GPU could not do something.
#[derive(Clone, Debug, PartialEq)]
pub enum GpuError {
    /// No adapter was found, or it gave no device.
    NoDevice {
        /// What wgpu says.
        reason: String,
    },
    /// The graph has errors, or no Parallel meaning.
    Graph(Diagnostics),
    /// The program has no WGSL.
    Wgsl(WgslError),
    /// The device was lost: it was destroyed, unplugged, or its driver gave up.
    Lost {
        /// What was being done.
        doing: &'static str,
    },
    /// The device that was lost took the particles with it.
    NoCheckpoint {
        /// Name of the system.
        system: String,
    },
    /// A system was to be rebuilt as an instance of another program.
    OtherProgram {
        /// Name of the system.
        system: String,
        /// Name of the other program.
        other: String,
    },
    /// The device refused a resource or pipeline.
    Device {
        /// What was being done.
        doing: &'static str,
        /// What wgpu says.
        reason: String,
    },
    /// A system-domain body failed; it runs on the host.
    Step(StepError),
    /// A snapshot was refused.
    Restore(RestoreError),
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDevice { reason } => write!(
                f,
                "no GPU device: {reason}; install a Vulkan driver (without a GPU, Debian's and \
                 Ubuntu's package mesa-vulkan-drivers has one in software)"
            ),
            Self::Graph(diagnostics) => diagnostics.fmt(f),
            Self::Wgsl(error) => error.fmt(f),
            Self::Lost { doing } => write!(
                f,
                "the GPU was lost while {doing}; ask for a new device and rebuild the particle \
                 systems on it"
            ),
            Self::NoCheckpoint { system } => write!(
                f,
                "particle system {system:?} keeps no checkpoints, so nothing is left to rebuild; \
                 call keep_checkpoints before a device is lost"
            ),
            Self::OtherProgram { system, other } => write!(
                f,
                "particle system {system:?} cannot be rebuilt as an instance of {other:?}, which \
                 was not made from its program"
            ),
            Self::Device { doing, reason } => write!(f, "the GPU failed while {doing}: {reason}"),
            Self::Step(error) => error.fmt(f),
            Self::Restore(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GpuError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Graph(diagnostics) => Some(diagnostics),
            Self::Wgsl(error) => Some(error),
            Self::Step(error) => Some(error),
            Self::Restore(error) => Some(error),
            Self::NoDevice { .. }
            | Self::Lost { .. }
            | Self::NoCheckpoint { .. }
            | Self::OtherProgram { .. }
            | Self::Device { .. } => None,
        }
    }
}

impl From<Diagnostics> for GpuError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Graph(diagnostics)
    }
}

impl From<WgslError> for GpuError {
    fn from(error: WgslError) -> Self {
        Self::Wgsl(error)
    }
}

impl From<RestoreError> for GpuError {
    fn from(error: RestoreError) -> Self {
        Self::Restore(error)
    }
}

impl From<StepError> for GpuError {
    fn from(error: StepError) -> Self {
        Self::Step(error)
    }
}
