//! Pictures whose pixels graphs read.

use std::sync::Arc;

/// A decoded picture: rows of RGBA bytes, not premultiplied, the first row first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texels {
    width: u32,
    height: u32,
    data: Arc<[u8]>,
}

impl Texels {
    /// A picture of that size; `None` where the bytes are not four a texel.
    #[must_use]
    pub fn new(width: u32, height: u32, data: impl Into<Arc<[u8]>>) -> Option<Self> {
        let data = data.into();
        let texels = u64::from(width) * u64::from(height);
        let fits = texels.checked_mul(4) == Some(data.len() as u64);
        fits.then_some(Self { width, height, data })
    }

    /// Texels in a row.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[inline]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All bytes, row after row.
    pub fn data(&self) -> &Arc<[u8]> {
        &self.data
    }

    /// A byte (0 red, 1 green, 2 blue, 3 alpha) of a texel; 0 outside of the picture.
    #[inline]
    pub fn byte(&self, x: u32, y: u32, channel: u8) -> u32 {
        if x >= self.width || y >= self.height {
            return 0;
        }
        let texel = y as usize * self.width as usize + x as usize;
        self.data.get(4 * texel + usize::from(channel)).copied().map_or(0, u32::from)
    }
}

/// A picture that a program reads: where the host finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureFacts<'a> {
    /// Unique in the program.
    pub name: &'a str,
    /// A data URL, or an address as the file has it. May be empty.
    pub url: &'a str,
    /// Whether the host turns the rows of the decoded picture upside down.
    pub flip: bool,
    /// The encoded file, where the address is a path next to the graph and the file was there when
    /// the graph was compiled.
    pub bytes: Option<&'a [u8]>,
}

#[cfg(test)]
mod tests {
    use super::Texels;

    #[test]
    fn outside_is_nothing() {
        let picture = Texels::new(2, 1, vec![1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        assert_eq!(
            (picture.byte(1, 0, 2), picture.byte(2, 0, 0), picture.byte(0, 1, 0)),
            (7, 0, 0)
        );
        assert_eq!(Texels::new(2, 2, vec![0; 4]), None);
        // 2^64 bytes.
        assert_eq!(Texels::new(1 << 31, 1 << 31, []), None);
        assert_eq!(Texels::default().byte(0, 0, 0), 0);
    }
}
