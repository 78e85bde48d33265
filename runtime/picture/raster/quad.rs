//! Where the corners of a quad are: the vertex law of each mode, as in Babylon's particle shader.

use glam::DVec3;

use super::super::billboard::{Billboard, BillboardMode};
use super::{Corner, PLACES};
use crate::numeric::exact::{cos, sin};
use crate::program::{Camera, RenderFacts};

/// All that the corners of a system's quads have in common.
pub(super) struct View<'a> {
    camera: &'a Camera,
    projection: [f64; 16],
    mode: BillboardMode,
    pivot: [f64; 2],
}

impl<'a> View<'a> {
    /// `None` where the camera sees nothing: its view has no inverse.
    pub(super) fn new(
        camera: &'a Camera,
        mode: BillboardMode,
        facts: &RenderFacts,
    ) -> Option<Self> {
        let projection = camera.projection()?;
        Some(Self { camera, projection, mode, pivot: facts.translation_pivot })
    }

    /// The corners, beginning with the lower left one; `None` where they are nowhere.
    pub(super) fn corners(&self, billboard: &Billboard) -> Option<[Corner; 4]> {
        let position = billboard.position.map(f64::from);
        let angle = f64::from(billboard.angle);
        let (sine, cosine) = (sin(angle), cos(angle));
        let axes = self.axes(position, billboard.direction.map(f64::from));
        if axes.is_none() && self.mode != BillboardMode::All {
            return None;
        }
        Corner::finite(PLACES.map(|place| {
            // Turned about the pivot, which is given for a quad of side 1 and put back as it is.
            let [x, y] = [0, 1].map(|axis| {
                (place[axis] - 0.5 - self.pivot[axis]) * f64::from(billboard.size[axis])
            });
            let turned =
                [x * cosine - y * sine + self.pivot[0], x * sine + y * cosine + self.pivot[1]];
            Corner { clip: self.clip(position, axes, turned), place }
        }))
    }

    /// What x and y of a corner are in the world; `None` where that is nowhere, and for quads that lie
    /// in view space.
    fn axes(&self, position: [f64; 3], direction: [f64; 3]) -> Option<[DVec3; 2]> {
        let direction = DVec3::from_array(direction);
        let sight = DVec3::from_array(position) - DVec3::from_array(self.camera.position);
        match self.mode {
            BillboardMode::All => None,
            BillboardMode::Y => across(DVec3::new(sight.x, 0.0, sight.z)),
            BillboardMode::Directed => across(direction),
            BillboardMode::Stretched => {
                let (right, sight) = beside(direction, sight)?;
                Some([right, sight.cross(right).try_normalize()?])
            }
            BillboardMode::StretchedLocal => {
                Some([beside(direction, sight)?.0, direction.try_normalize()?])
            }
        }
    }

    fn clip(&self, [x, y, z]: [f64; 3], axes: Option<[DVec3; 2]>, turned: [f64; 2]) -> [f64; 4] {
        let Some([right, up]) = axes else {
            let mut seen = transform(&self.camera.view, [x, y, z, 1.0]);
            seen[0] += turned[0];
            seen[1] += turned[1];
            return transform(&self.projection, [seen[0], seen[1], seen[2], 1.0]);
        };
        let at = |axis: usize| right[axis] * turned[0] + up[axis] * turned[1];
        let world = [x + at(0), y + at(1), z + at(2), 1.0];
        transform(&self.camera.view_projection, world)
    }
}

/// The axes of a quad that stands across a direction, as upright as it can.
fn across(direction: DVec3) -> Option<[DVec3; 2]> {
    let forward = direction.try_normalize()?;
    let right = DVec3::Y.cross(forward).try_normalize()?;
    Some([right, forward.cross(right).try_normalize()?])
}

/// What is at the right of a direction in the picture, and the line of sight at length 1.
fn beside(direction: DVec3, sight: DVec3) -> Option<(DVec3, DVec3)> {
    let sight = sight.try_normalize()?;
    Some((direction.try_normalize()?.cross(sight).try_normalize()?, sight))
}

fn transform(matrix: &[f64; 16], v: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|row| (0..4).map(|column| matrix[4 * column + row] * v[column]).sum())
}
