//! Where the corners of a sprite are (spec section 10.4).

use super::super::sprite2d::{Presentation, Sprite};
use super::{Corner, PLACES};
use crate::numeric::exact::{cos, sin};

/// The corners in a picture of that size, beginning with the upper left one; `None` where they are
/// nowhere.
pub(super) fn corners(
    sprite: &Sprite,
    shown: &Presentation,
    [width, height]: [u32; 2],
) -> Option<[Corner; 4]> {
    let angle = f64::from(sprite.rotation);
    let (sine, cosine) = (sin(angle), cos(angle));
    Corner::finite(PLACES.map(|place| {
        let [x, y] =
            [0, 1].map(|axis| (place[axis] - shown.pivot[axis]) * f64::from(sprite.size[axis]));
        let [left, top] = sprite.position.map(f64::from);
        let turned = [left + x * cosine - y * sine, top + x * sine + y * cosine];
        let [x, y] = shown.view.project(turned);
        let clip = [2.0 * x / f64::from(width) - 1.0, 1.0 - 2.0 * y / f64::from(height), 0.0, 1.0];
        Corner { clip, place }
    }))
}
