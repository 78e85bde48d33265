//! What bridges refuse, in the contract's words (spec section 11).

use std::fmt;

use pyrograph_numeric::number_to_string;

use crate::picture::FrameError;

/// What was being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A bridge was created, of either kind.
    Create,
    /// A bridge with the plain blend table was synchronized.
    Sync,
    /// A bridge with exact blend modes was synchronized.
    SyncExact,
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Self::Create => "createParticleSprite2DBridge",
            Self::Sync => "syncParticleSprite2DBridge",
            Self::SyncExact => "syncParticleSprite2DBridgeWithBlendModes",
        }
    }
}

/// Why a bridge cannot be created or synchronized. Its layers are as they were.
#[derive(Clone, Debug, PartialEq)]
pub enum BridgeError {
    /// The system has no picture, or it could not be loaded.
    NoTexture,
    /// Pixels a unit are not finite, or not above 0.
    PixelsPerUnit(Operation, f64),
    /// The origin is not finite.
    Origin(Operation, [f64; 2]),
    /// A layer of the bridge has sprites of somebody else.
    Handles(Operation),
    /// A particle shows a cell that the picture does not have.
    Frame(FrameError),
}

impl fmt::Display for BridgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTexture => {
                write!(f, "{}: the particle system has no texture", Operation::Create.name())
            }
            Self::PixelsPerUnit(operation, value) => write!(
                f,
                "{}: pixelsPerUnit must be a positive finite number, got {}",
                operation.name(),
                number_to_string(*value)
            ),
            Self::Origin(operation, origin) => {
                let [x, y] = origin.map(number_to_string);
                write!(f, "{}: originPx must be finite, got [{x}, {y}]", operation.name())
            }
            Self::Handles(operation) => {
                let layers = match operation {
                    Operation::SyncExact => "bridge-owned layers",
                    Operation::Create | Operation::Sync => "the bridge-owned layer",
                };
                write!(f, "{}: {layers} cannot use the Sprite2D Handle API", operation.name())
            }
            Self::Frame(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BridgeError {}

impl From<FrameError> for BridgeError {
    fn from(error: FrameError) -> Self {
        Self::Frame(error)
    }
}
