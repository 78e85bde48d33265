//! What drawing needs and no graphics library decides: cameras, blending, and particles as records
//! that a renderer draws (feature `picture`).
//!
//! A system becomes a picture in three steps. [`Billboards::pack`] reads its columns into records, one
//! a living particle, in slot order; [`Atlas`] says which part of an [`Image`] a cell is; [`passes`]
//! says how often the quads are drawn and how they blend. [`Camera`](crate::Camera) is what both
//! simulation and drawing look through; [`ArcRotate`] makes one as Babylon's orbiting camera does.
//! Then a GPU draws (feature `render`), or [`raster`] does without one.

pub mod atlas;
pub mod billboard;
pub mod blend;
pub mod camera;
pub mod levels;
pub mod pack;
pub mod raster;
mod spot;
pub mod sprite2d;

pub use atlas::{Atlas, FrameError};
pub use billboard::{Billboard, BillboardMode};
pub use blend::{Blend, Blending, Factor, Pass, passes};
pub use camera::ArcRotate;
pub use levels::Filter;
pub use pack::Billboards;
pub use spot::spot;

/// A decoded picture to draw: RGBA bytes, not premultiplied, with no conversion between colour spaces.
/// Row 0 is at v = 0: whoever decodes has turned the rows where the graph asks for it
/// ([`TextureFacts::flip`](crate::TextureFacts::flip)).
pub use crate::texels::Texels as Image;
