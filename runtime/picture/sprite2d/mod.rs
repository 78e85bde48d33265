//! Systems as flat sprites in pixels (spec sections 10.4 to 10.7).
//!
//! A [`Bridge`] turns the particles of a system into the records of a [`Layer`], or of two where its
//! blend mode needs two passes; a [`Stage`] owns sets, advances them, keeps their layers in step and
//! attached to a [`Target`] that draws them. Only x and y of a particle are seen.
//!
//! Pixels are those of the target: (0, 0) is its upper left corner, y grows downwards.
//!
//! A sprite shows its image upright where the graph says `invertY`, and cells of a sheet are counted from
//! the image's upper row there, as the contract has it. (Quads in space show sheets as Babylon does,
//! which is the other way round; there is no such picture of Babylon's for sprites.)

pub mod bridge;
pub mod error;
pub mod layer;
pub mod mapping;
pub mod stage;

pub use bridge::{Bridge, Options};
pub use error::{BridgeError, Operation};
pub use layer::{Layer, Presentation, Sprite, SpriteHandle, View};
pub use mapping::Mapping;
pub use stage::{BindingId, LayerId, Refused, Stage, Target};
