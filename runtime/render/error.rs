//! Why a system is not drawn.

use std::fmt;

use crate::gpu::GpuError;
use crate::picture::FrameError;

/// Why a system cannot be drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum RenderError {
    /// The graph names no picture and the host gave none (spec section 11).
    NoTexture,
    /// A particle shows a cell that the picture does not have.
    Frame(FrameError),
    /// The device refused something, or is lost.
    Gpu(GpuError),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTexture => {
                f.write_str("createParticleBillboard: the particle system has no texture")
            }
            Self::Frame(error) => error.fmt(f),
            Self::Gpu(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RenderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoTexture => None,
            Self::Frame(error) => Some(error),
            Self::Gpu(error) => Some(error),
        }
    }
}

impl From<FrameError> for RenderError {
    fn from(error: FrameError) -> Self {
        Self::Frame(error)
    }
}

impl From<GpuError> for RenderError {
    fn from(error: GpuError) -> Self {
        Self::Gpu(error)
    }
}
