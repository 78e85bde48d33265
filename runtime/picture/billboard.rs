//! One drawn particle.

use crate::program::RenderFacts;

/// How a quad stands in the world (S1P-017).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BillboardMode {
    /// Parallel to the screen. Every number that names no other mode.
    All,
    /// Upright, turned about y towards the eye.
    Y,
    /// Along the projection of its direction on the plane across the line of sight.
    Stretched,
    /// Along its direction.
    StretchedLocal,
    /// Across its direction, wherever the eye is.
    Directed,
}

impl BillboardMode {
    /// Whether the quad depends on the particle's direction.
    #[must_use]
    pub fn has_direction(self) -> bool {
        match self {
            Self::All | Self::Y => false,
            Self::Stretched | Self::StretchedLocal | Self::Directed => true,
        }
    }
}

impl RenderFacts {
    /// How quads stand.
    #[must_use]
    pub fn mode(&self) -> BillboardMode {
        match self.billboard_mode {
            _ if !self.is_billboard_based => BillboardMode::Directed,
            2.0 => BillboardMode::Y,
            8.0 => BillboardMode::Stretched,
            9.0 => BillboardMode::StretchedLocal,
            _ => BillboardMode::All,
        }
    }
}

/// A particle as a renderer draws it. In memory it is [`WORDS`](Self::WORDS) numbers in the order of
/// the members, or [`WORDS_WITH_DIRECTION`](Self::WORDS_WITH_DIRECTION) where the mode has directions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Billboard {
    /// Middle of the quad in the world; y is up, z away from a viewer who has x at the right.
    pub position: [f32; 3],
    /// Turn in radians, counter-clockwise on the screen.
    pub angle: f32,
    /// Full width and height in units of the world: size times scale. Negative ones mirror.
    pub size: [f32; 2],
    /// Cell of the sprite sheet, from 0.
    pub cell: f32,
    /// Red, green, blue, alpha; 1 is full. Not premultiplied, and not limited to 0 to 1.
    pub color: [f32; 4],
    /// What the quad lies along or across, in any length; 0 where the mode has no directions. Where x
    /// and z of a [`Directed`](BillboardMode::Directed) quad would both be 0, x is 0.001.
    pub direction: [f32; 3],
}

impl Billboard {
    /// Numbers of a record without a direction.
    pub const WORDS: usize = 11;
    /// Numbers of a record with one.
    pub const WORDS_WITH_DIRECTION: usize = 14;
    /// Where each member begins in a record.
    pub const POSITION: usize = 0;
    /// See [`POSITION`](Self::POSITION).
    pub const ANGLE: usize = 3;
    /// See [`POSITION`](Self::POSITION).
    pub const SIZE: usize = 4;
    /// See [`POSITION`](Self::POSITION).
    pub const CELL: usize = 6;
    /// See [`POSITION`](Self::POSITION).
    pub const COLOR: usize = 7;
    /// See [`POSITION`](Self::POSITION).
    pub const DIRECTION: usize = 11;

    /// Numbers of a record in a mode.
    #[must_use]
    pub fn words(mode: BillboardMode) -> usize {
        if mode.has_direction() { Self::WORDS_WITH_DIRECTION } else { Self::WORDS }
    }

    /// The record that these numbers are; missing ones are 0.
    #[must_use]
    pub fn from_words(words: &[f32]) -> Self {
        let at = |index: usize| words.get(index).copied().unwrap_or_default();
        Self {
            position: std::array::from_fn(|axis| at(Self::POSITION + axis)),
            angle: at(Self::ANGLE),
            size: std::array::from_fn(|axis| at(Self::SIZE + axis)),
            cell: at(Self::CELL),
            color: std::array::from_fn(|channel| at(Self::COLOR + channel)),
            direction: std::array::from_fn(|axis| at(Self::DIRECTION + axis)),
        }
    }
}
