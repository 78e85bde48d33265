//! What can go wrong between a program and a GPU.

use std::fmt;

use pyrograph_compiler::emit::wgsl::WgslError;

use crate::error::StepError;

/// Why a GPU could not do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GpuError {
    /// No adapter was found, or it gave no device.
    NoDevice {
        /// What wgpu says.
        reason: String,
    },
    /// The program has no WGSL.
    Wgsl(WgslError),
    /// The device refused a resource or pipeline, or was lost.
    Device {
        /// What was being done.
        doing: &'static str,
        /// What wgpu says.
        reason: String,
    },
    /// A system-domain body failed; it runs on the host.
    Step(StepError),
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDevice { reason } => write!(
                f,
                "no GPU device: {reason}; install a Vulkan driver (without a GPU, Debian's and \
                 Ubuntu's package mesa-vulkan-drivers has one in software)"
            ),
            Self::Wgsl(error) => error.fmt(f),
            Self::Device { doing, reason } => write!(f, "the GPU failed while {doing}: {reason}"),
            Self::Step(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GpuError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Wgsl(error) => Some(error),
            Self::Step(error) => Some(error),
            Self::NoDevice { .. } | Self::Device { .. } => None,
        }
    }
}

impl From<WgslError> for GpuError {
    fn from(error: WgslError) -> Self {
        Self::Wgsl(error)
    }
}

impl From<StepError> for GpuError {
    fn from(error: StepError) -> Self {
        Self::Step(error)
    }
}
