//! Decodes a picture.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageReader, Limits};

use super::error::Reason;
use crate::texels::Texels;

/// Texels of the longest side of a picture: what every WebGPU device takes.
pub const MAX_SIDE: u32 = 8192;

/// Bytes that a decoder may take: [`MAX_SIDE`] rows and columns of four channels of 16 bits.
const MAX_DECODER_BYTES: u64 = 1 << 29;

/// RGBA rows of a picture, the last row first with `flip`. Its size is looked at before anything is
/// decoded: `left` texels are the most.
///
/// The picture is turned as its Exif data asks, as browsers do. Of a moving picture the first image is
/// taken. 16 bits are rounded to 8; gray becomes three equal channels; what has no alpha is opaque.
pub(super) fn decode(bytes: &[u8], flip: bool, left: u64) -> Result<Texels, Reason> {
    let wrong = |error: image::ImageError| Reason::Format(error.to_string());
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_DECODER_BYTES);
    let mut reader = ImageReader::new(Cursor::new(bytes));
    reader.limits(limits.clone());
    let reader = reader.with_guessed_format().map_err(|error| wrong(error.into()))?;
    if reader.format().is_none() {
        return Err(Reason::Format("it begins like none of these".into()));
    }
    let mut decoder = reader.into_decoder().map_err(wrong)?;
    let (width, height) = decoder.dimensions();
    if width.max(height) > MAX_SIDE {
        return Err(Reason::TooLarge { width, height });
    }
    if u64::from(width) * u64::from(height) > left {
        return Err(Reason::TooMany);
    }
    limits.reserve(decoder.total_bytes()).map_err(wrong)?;
    decoder.set_limits(limits).map_err(wrong)?;
    let orientation = decoder.orientation().map_err(wrong)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(wrong)?;
    picture.apply_orientation(orientation);
    let mut picture = picture.into_rgba8();
    if flip {
        image::imageops::flip_vertical_in_place(&mut picture);
    }
    let (width, height) = picture.dimensions();
    Texels::new(width, height, picture.into_raw())
        .ok_or_else(|| Reason::Format("its size is wrong".into()))
}
