//! Pixels of a texture slot.

use std::sync::Arc;

/// A decoded picture: rows of RGBA bytes, not premultiplied, the first row first.
#[derive(Clone, Debug, PartialEq)]
pub struct Texels {
    pub(super) width: u32,
    pub(super) height: u32,
    data: Arc<[u8]>,
}

impl Texels {
    /// A picture of that size; `None` where the bytes are not four a texel.
    pub fn new(width: u32, height: u32, data: impl Into<Arc<[u8]>>) -> Option<Self> {
        let data = data.into();
        let texels = u64::from(width) * u64::from(height);
        let fits = texels.checked_mul(4) == Some(data.len() as u64);
        fits.then_some(Self { width, height, data })
    }

    /// A byte of a texel; 0 outside of the picture.
    pub(super) fn byte(&self, x: u32, y: u32, channel: u8) -> u8 {
        if x >= self.width || y >= self.height {
            return 0;
        }
        let texel = y as usize * self.width as usize + x as usize;
        self.data.get(4 * texel + usize::from(channel)).copied().unwrap_or(0)
    }
}
