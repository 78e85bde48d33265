//! How far two pictures are apart, and when that is near enough.

use pyrograph::picture::Image;
use pyrograph::picture::raster::Canvas;

/// Measures of a picture against the one that it should be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    /// Mean absolute difference of channels, in parts of full scale.
    pub(crate) mean: f64,
    /// Part of the pixels where a channel is off by more than 8 of 255.
    pub(crate) far: f64,
}

/// Pixels of a picture: alpha counts only where it is not full everywhere, or it would hide what the
/// other channels are off.
fn channels(wanted: &Image) -> usize {
    let opaque = wanted.data().chunks(4).all(|pixel| pixel[3] == 255);
    if opaque { 3 } else { 4 }
}

/// Compares two pictures of one size.
pub(crate) fn measure(drawn: &Image, wanted: &Image) -> Measure {
    let sizes = [drawn, wanted].map(|image| (image.width(), image.height()));
    assert_eq!(sizes[0], sizes[1], "sizes differ");
    let pixels = wanted.data().len() / 4;
    let channels = channels(wanted);
    let (mut sum, mut far) = (0_u64, 0_u32);
    for (drawn, wanted) in drawn.data().chunks(4).zip(wanted.data().chunks(4)) {
        let off = |channel: usize| u64::from(drawn[channel].abs_diff(wanted[channel]));
        sum += (0..channels).map(off).sum::<u64>();
        far += u32::from((0..channels).any(|channel| off(channel) > 8));
    }
    Measure {
        mean: sum as f64 / (pixels * channels) as f64 / 255.0,
        far: f64::from(far) / pixels as f64,
    }
}

/// A picture of the size of another in one colour.
pub(crate) fn plain(like: &Image, color: [f64; 4]) -> Image {
    Canvas::new(like.width(), like.height(), color).into_image()
}

/// Whether a picture is what it should be: near on the whole, nearer than an empty one by far, and
/// nowhere much off.
pub(crate) fn verdict(drawn: &Image, wanted: &Image, clear: [f64; 4]) -> Result<Measure, String> {
    let found = measure(drawn, wanted);
    let empty = measure(&plain(wanted, clear), wanted);
    let limit = (empty.mean / 4.0).min(0.01);
    if found.mean <= limit && found.far <= 0.02 {
        return Ok(found);
    }
    Err(format!("{found:?}, at most {limit:.5} and 0.02 are wanted; nothing at all has {empty:?}"))
}
