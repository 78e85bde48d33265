//! The uniform block `Drawing` of `shaders/drawing.wgsl`.

use crate::picture::Atlas;
use crate::picture::camera::invert;
use crate::program::{Camera, RenderFacts};

/// Numbers of the block.
pub(super) const WORDS: usize = 72;

// First words of the members.
pub(super) const VIEW_PROJECTION: usize = 0;
pub(super) const RIGHT: usize = 16;
pub(super) const UP: usize = 20;
pub(super) const EYE: usize = 24;
const PIVOT: usize = 28;
pub(super) const CELL: usize = 30;
const MASK: usize = 32;
pub(super) const COLUMNS: usize = 36;
const SOFTNESS: usize = 37;
const DEPTH: usize = 40;
pub(super) const LOCAL: usize = 44;
const FIXED: usize = 56;

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
        let mut words = constant_words(facts, &self.fixed);
        let inverse = invert(&camera.view).unwrap_or_default();
        let p = camera.projection().unwrap_or_default();
        put(&mut words, VIEW_PROJECTION, &camera.view_projection);
        put(&mut words, RIGHT, &inverse[..3]);
        put(&mut words, UP, &inverse[4..7]);
        put(&mut words, EYE, &camera.position);
        if facts.sheet.is_some() {
            put(&mut words, CELL, &atlas.cell());
            put(&mut words, COLUMNS, &[f64::from(atlas.columns())]);
        }
        put(&mut words, SOFTNESS, &[f64::from(self.softness)]);
        put(&mut words, DEPTH, &[p[10], p[14], p[11], p[15]]);
        if facts.is_local {
            for column in 0..3 {
                put(&mut words, LOCAL + 4 * column, &self.emitter[4 * column..4 * column + 3]);
            }
        }
        words
    }
}

/// The block as far as neither a camera nor a picture nor an emitter decides it; the rest is 0, but
/// for directions, which nothing turns.
pub(super) fn constant_words(facts: &RenderFacts, fixed: &[f32; 16]) -> [f32; WORDS] {
    let mut words = [0.0; WORDS];
    put(&mut words, PIVOT, &facts.translation_pivot);
    put(&mut words, MASK, &facts.texture_mask);
    for axis in 0..3 {
        put(&mut words, LOCAL + 5 * axis, &[1.0]);
    }
    words[FIXED..].copy_from_slice(fixed);
    words
}

fn put(words: &mut [f32; WORDS], at: usize, values: &[f64]) {
    for (word, value) in words[at..].iter_mut().zip(values) {
        *word = *value as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_lie_where_the_shader_reads_them() {
        let text = include_str!("../../shaders/drawing.wgsl");
        let module = naga::front::wgsl::parse_str(text).expect("drawing.wgsl is WGSL");
        let (_, block) = module
            .types
            .iter()
            .find(|(_, kind)| kind.name.as_deref() == Some("Drawing"))
            .expect("drawing.wgsl has the block");
        let naga::TypeInner::Struct { members, span } = &block.inner else {
            panic!("the block is no structure")
        };
        let words: Vec<_> = members
            .iter()
            .map(|member| (member.name.as_deref().unwrap_or_default(), member.offset as usize / 4))
            .collect();
        let expected = [
            ("view_projection", VIEW_PROJECTION),
            ("right", RIGHT),
            ("up", UP),
            ("eye", EYE),
            ("pivot_and_cell", PIVOT),
            ("mask", MASK),
            ("sheet_and_softness", COLUMNS),
            ("depth", DEPTH),
            ("local", LOCAL),
            ("fixed", FIXED),
        ];
        assert_eq!(words, expected);
        assert_eq!((CELL, SOFTNESS), (PIVOT + 2, COLUMNS + 1));
        assert_eq!(*span as usize, 4 * WORDS);
    }
}
