//! The uniform block `Drawing` of `shaders/drawing.wgsl`.

use crate::picture::Atlas;
use crate::picture::camera::invert;
use crate::program::{Camera, RenderFacts};

/// Numbers of the block.
pub(super) const WORDS: usize = 72;

/// All members of the block, in any order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawing<'a> {
    /// A left-handed camera.
    pub(super) camera: &'a Camera,
    pub(super) facts: &'a RenderFacts,
    pub(super) atlas: Atlas,
    /// Distance over which soft quads fade; 0 where they are not soft.
    pub(super) softness: f32,
    /// The emitter's matrix.
    pub(super) emitter: &'a [f64; 16],
    /// What a record has that no column has.
    pub(super) fixed: [f32; 16],
}

impl Drawing<'_> {
    /// The block.
    pub(super) fn words(&self) -> [f32; WORDS] {
        let Self { camera, facts, atlas, .. } = self;
        let inverse = invert(&camera.view).unwrap_or_default();
        let axis = |column: usize| {
            let [x, y, z] = [0, 1, 2].map(|row| inverse[4 * column + row] as f32);
            [x, y, z, 0.0]
        };
        let p = camera.projection().unwrap_or_default();
        let [eye_x, eye_y, eye_z] = camera.position.map(|at| at as f32);
        let [pivot_x, pivot_y] = facts.translation_pivot.map(|at| at as f32);
        let [cell_x, cell_y] = atlas.cell().map(|side| side as f32);
        let columns = if facts.sheet.is_some() { atlas.columns() as f32 } else { 0.0 };
        let local = if facts.is_local { *self.emitter } else { IDENTITY };
        let local = |column: usize| {
            let [x, y, z] = [0, 1, 2].map(|row| local[4 * column + row] as f32);
            [x, y, z, 0.0]
        };
        let rows = [
            axis(0),
            axis(1),
            [eye_x, eye_y, eye_z, 0.0],
            [pivot_x, pivot_y, cell_x, cell_y],
            facts.texture_mask.map(|channel| channel as f32),
            [columns, self.softness, 0.0, 0.0],
            [p[10], p[14], p[11], p[15]].map(|element| element as f32),
            local(0),
            local(1),
            local(2),
        ];
        let mut words = [0.0; WORDS];
        let (matrix, rest) = words.split_at_mut(16);
        matrix.copy_from_slice(&camera.view_projection.map(|element| element as f32));
        let (members, fixed) = rest.split_at_mut(40);
        members.copy_from_slice(rows.as_flattened());
        fixed.copy_from_slice(&self.fixed);
        words
    }
}

const IDENTITY: [f64; 16] =
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
