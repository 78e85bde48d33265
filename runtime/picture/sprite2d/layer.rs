//! Sprites that are drawn together.

use std::ops::Range;

use crate::picture::{Atlas, Pass};

/// A camera for flat layers: what it looks at is moved to the picture's corner, turned about it, and
/// enlarged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The pixel that is at the picture's upper left corner.
    pub position_px: [f64; 2],
    /// Pixels of the picture that a pixel of the layer is long.
    pub zoom: f64,
    /// Turn in radians, clockwise.
    pub rotation: f64,
}

/// Pixel on pixel.
impl Default for View {
    fn default() -> Self {
        Self { position_px: [0.0; 2], zoom: 1.0, rotation: 0.0 }
    }
}

impl View {
    /// Where a pixel of the layer is in the picture.
    #[must_use]
    pub fn project(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (x, y) = (x - self.position_px[0], y - self.position_px[1]);
        let (sin, cos) = self.rotation.sin_cos();
        [(x * cos - y * sin) * self.zoom, (x * sin + y * cos) * self.zoom]
    }
}

/// How a layer is shown, which its owner may change at any time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Presentation {
    /// Factor on the alpha of all sprites.
    pub opacity: f64,
    /// Whether it is drawn.
    pub visible: bool,
    /// Layers of lower order are drawn first; among equals, those that were attached first.
    pub order: f64,
    /// What the layer is looked at through.
    pub view: View,
    /// What a sprite is placed and turned by: (0, 0) its upper left corner, (1, 1) its lower right one.
    pub pivot: [f64; 2],
}

/// Opaque, visible, in order 0, pixel on pixel, by the middle of sprites.
impl Default for Presentation {
    fn default() -> Self {
        Self { opacity: 1.0, visible: true, order: 0.0, view: View::default(), pivot: [0.5; 2] }
    }
}

/// A sprite as it lies in the records of a layer: [`WORDS`](Self::WORDS) numbers in the order of the
/// members.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sprite {
    /// Where its pivot is, in pixels of the layer.
    pub position: [f32; 2],
    /// Width and height in pixels.
    pub size: [f32; 2],
    /// Where the image is read at the sprite's upper left corner.
    pub uv_start: [f32; 2],
    /// Where the image is read at its lower right corner.
    pub uv_end: [f32; 2],
    /// Turn about its pivot in radians, clockwise.
    pub rotation: f32,
    /// Red, green, blue, alpha; not premultiplied.
    pub color: [f32; 4],
}

impl Sprite {
    /// Numbers of a record.
    pub const WORDS: usize = 13;

    /// The numbers of the record.
    #[must_use]
    pub fn to_words(&self) -> [f32; Self::WORDS] {
        let Self { position, size, uv_start, uv_end, rotation, color } = *self;
        let pairs = [position, size, uv_start, uv_end];
        let mut words = [0.0; Self::WORDS];
        words[..8].copy_from_slice(pairs.as_flattened());
        words[8] = rotation;
        words[9..].copy_from_slice(&color);
        words
    }

    /// The record that these numbers are.
    #[must_use]
    pub fn from_words(words: &[f32; Self::WORDS]) -> Self {
        let [a, b, c, d, e, f, g, h, rotation, color @ ..] = *words;
        Self { position: [a, b], size: [c, d], uv_start: [e, f], uv_end: [g, h], rotation, color }
    }
}

/// A sprite of a layer that somebody else than a bridge has put there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpriteHandle(u64);

/// Sprites of one image that are drawn together, as packed records. Layers have no depth.
#[derive(Clone, Debug)]
pub struct Layer {
    /// How it is shown.
    pub presentation: Presentation,
    pass: Pass,
    atlas: Atlas,
    capacity: u32,
    count: u32,
    /// Records up to the largest number of sprites that there was; those behind the last sprite are 0.
    words: Vec<f32>,
    /// Records that were changed since they were [taken](Self::take_dirty).
    dirty: Range<u32>,
    /// Handles of the sprites, in their order, where there are any.
    handles: Vec<SpriteHandle>,
    next_handle: u64,
}

impl Layer {
    /// A layer without sprites for an image that is divided into these cells.
    #[must_use]
    pub fn new(atlas: Atlas, pass: Pass, capacity: u32, presentation: Presentation) -> Self {
        Self {
            presentation,
            pass,
            atlas,
            capacity,
            count: 0,
            // A capacity may be far more than is ever alive.
            words: Vec::new(),
            dirty: 0..0,
            handles: Vec::new(),
            next_handle: 0,
        }
    }

    /// How its sprites blend with what is behind them.
    #[must_use]
    pub fn pass(&self) -> Pass {
        self.pass
    }

    /// The cells of its image.
    #[must_use]
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// Sprites that it has room for; fixed.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Number of sprites.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Records of [`Sprite::WORDS`] numbers each: the first [`count`](Self::count) are sprites, those
    /// behind them were and are 0 now.
    #[must_use]
    pub fn words(&self) -> &[f32] {
        &self.words
    }

    /// The sprites in the order in which they are drawn.
    pub fn sprites(&self) -> impl ExactSizeIterator<Item = Sprite> {
        let (records, _) = self.words.as_chunks::<{ Sprite::WORDS }>();
        records[..self.count as usize].iter().map(Sprite::from_words)
    }

    /// The range of records that were changed since the last call; empty where none was.
    pub fn take_dirty(&mut self) -> Range<u32> {
        std::mem::replace(&mut self.dirty, 0..0)
    }

    /// The range that [`take_dirty`](Self::take_dirty) would give.
    #[must_use]
    pub fn dirty(&self) -> Range<u32> {
        self.dirty.clone()
    }

    /// The corners of a cell in the image: upper left and lower right.
    ///
    /// Row 0 of the image is at v = 0 and is its lowest one, where the graph says `invertY`; cells are
    /// counted from the other end.
    #[must_use]
    pub(super) fn corners(atlas: &Atlas, frame: u32) -> [[f32; 2]; 2] {
        let [width, height] = atlas.cell();
        let (column, row) = (frame % atlas.columns(), frame / atlas.columns());
        let corner = |column: u32, row: u32| {
            [(f64::from(column) * width) as f32, (1.0 - f64::from(row) * height) as f32]
        };
        [corner(column, row), corner(column + 1, row + 1)]
    }

    /// Puts a sprite of the caller's own behind the others; `None` where the layer is full. Layers of
    /// a [`Bridge`](super::Bridge) have no room for others: it refuses to go on.
    pub fn add(&mut self, sprite: &Sprite) -> Option<SpriteHandle> {
        if self.count >= self.capacity {
            return None;
        }
        let handle = SpriteHandle(self.next_handle);
        self.next_handle += 1;
        self.handles.push(handle);
        self.count += 1;
        self.put(self.count - 1, sprite);
        Some(handle)
    }

    /// Changes a sprite; `false` where it is no more.
    pub fn set(&mut self, handle: SpriteHandle, sprite: &Sprite) -> bool {
        let Some(index) = self.index(handle) else { return false };
        self.put(index, sprite);
        true
    }

    /// Takes a sprite away; the last one comes in its place. `false` where it is no more.
    pub fn remove(&mut self, handle: SpriteHandle) -> bool {
        let Some(index) = self.index(handle) else { return false };
        let last = self.count - 1;
        let (from, to) = (last as usize * Sprite::WORDS, index as usize * Sprite::WORDS);
        self.words.copy_within(from..from + Sprite::WORDS, to);
        self.words[from..from + Sprite::WORDS].fill(0.0);
        self.handles.swap_remove(index as usize);
        self.count = last;
        self.mark(index..last + 1);
        true
    }

    /// Whether anybody has put sprites here by handle.
    #[must_use]
    pub fn has_handles(&self) -> bool {
        self.next_handle > 0
    }

    fn index(&self, handle: SpriteHandle) -> Option<u32> {
        self.handles.iter().position(|&known| known == handle).map(|index| index as u32)
    }

    fn put(&mut self, index: u32, sprite: &Sprite) {
        let at = index as usize * Sprite::WORDS;
        self.grow(index + 1);
        self.words[at..at + Sprite::WORDS].copy_from_slice(&sprite.to_words());
        self.mark(index..index + 1);
    }

    fn grow(&mut self, count: u32) {
        let words = count as usize * Sprite::WORDS;
        if self.words.len() < words {
            self.words.resize(words, 0.0);
        }
    }

    fn mark(&mut self, range: Range<u32>) {
        if self.dirty.is_empty() {
            self.dirty = range;
        } else if !range.is_empty() {
            self.dirty = self.dirty.start.min(range.start)..self.dirty.end.max(range.end);
        }
    }

    /// Makes the first `count` records the sprites that `sprite` gives, and clears those behind them
    /// that were sprites before. Memory grows with the largest count.
    ///
    /// Where anything is another than before, the range of both is dirty, in one piece.
    pub(super) fn refill(
        &mut self,
        count: u32,
        sprites: impl Iterator<Item = [f32; Sprite::WORDS]>,
    ) {
        let count = count.min(self.capacity);
        self.grow(count);
        let (records, _) = self.words.as_chunks_mut::<{ Sprite::WORDS }>();
        let mut has_changed = count != self.count;
        for (record, sprite) in records[..count as usize].iter_mut().zip(sprites) {
            has_changed |= *record != sprite;
            *record = sprite;
        }
        if let Some(stale) = records.get_mut(count as usize..self.count as usize) {
            stale.fill([0.0; Sprite::WORDS]);
        }
        let range = 0..self.count.max(count);
        self.count = count;
        if has_changed {
            self.mark(range);
        }
    }

    /// Takes over the sprites of another layer of the same capacity.
    pub(super) fn copy(&mut self, from: &Self) {
        let (records, _) = from.words.as_chunks::<{ Sprite::WORDS }>();
        self.refill(from.count, records.iter().copied());
    }
}
