//! From units of the world to pixels (spec section 10.4).

use super::error::{BridgeError, Operation};

/// Where the world lies in pixels. It may be changed between frames; each synchronization looks at it
/// anew.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapping {
    /// Pixels that a unit of the world is long; finite and above 0.
    pub pixels_per_unit: f64,
    /// Where the origin of the world is, in pixels; finite.
    pub origin_px: [f64; 2],
    /// Whether the y axis of the world points up in the picture, and angles turn counter-clockwise;
    /// otherwise both go with the pixels.
    pub invert_y: bool,
}

/// A pixel a unit, from the corner, y up.
impl Default for Mapping {
    fn default() -> Self {
        Self { pixels_per_unit: 1.0, origin_px: [0.0; 2], invert_y: true }
    }
}

impl Mapping {
    /// Fails where the numbers make no sense.
    pub(super) fn check(&self, operation: Operation) -> Result<(), BridgeError> {
        let scale = self.pixels_per_unit;
        if !(scale.is_finite() && scale > 0.0) {
            return Err(BridgeError::PixelsPerUnit(operation, scale));
        }
        if !self.origin_px.iter().all(|pixel| pixel.is_finite()) {
            return Err(BridgeError::Origin(operation, self.origin_px));
        }
        Ok(())
    }

    fn sign(&self) -> f64 {
        if self.invert_y { -1.0 } else { 1.0 }
    }

    /// `originPx + position * pixelsPerUnit`, y with the sign.
    #[must_use]
    pub fn position(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [left, top] = self.origin_px;
        [left + x * self.pixels_per_unit, top + y * self.pixels_per_unit * self.sign()]
    }

    /// `size * scale * pixelsPerUnit`.
    #[must_use]
    pub fn size(&self, size: f64, scale: [f64; 2]) -> [f64; 2] {
        scale.map(|scale| size * scale * self.pixels_per_unit)
    }

    /// The angle from the x axis of the pixels towards their y axis: clockwise in the picture.
    #[must_use]
    pub fn rotation(&self, angle: f64) -> f64 {
        angle * self.sign()
    }
}
