//! Pictures become files: one PNG, a loop, a sheet, or a folder.

use std::path::Path;

use pyrograph::picture::Image;

use crate::failure::Failure;
use crate::input::shown;
use crate::output::Output;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// One picture.
    Png,
    /// A loop with full colours.
    Apng,
    /// A loop of 256 colours a picture, without transparency.
    Gif,
    /// A folder with a PNG for each picture.
    Folder,
}

impl Format {
    /// What the name of the output asks for.
    pub(crate) fn of(path: &Path, pictures: u32) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Err(Failure::Usage("pictures go to files: name one instead of `-`".into()));
        }
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        match extension.as_ref().and_then(|extension| extension.to_str()) {
            None => Ok(Self::Folder),
            Some("png") if pictures == 1 => Ok(Self::Png),
            Some("png") => Err(Failure::Usage(format!(
                "{} is one picture, and there are {pictures}: name a file that ends with .apng or \
                 .gif or a folder, or add `--sheet` with columns and rows",
                shown(&path.display().to_string())
            ))),
            Some("apng") => Ok(Self::Apng),
            Some("gif") => Ok(Self::Gif),
            Some(_) => Err(Failure::Usage(format!(
                "{} has no ending that names a format: .png, .apng and .gif do, and without an ending \
                 it is a folder",
                shown(&path.display().to_string())
            ))),
        }
    }
}

/// A film of pictures of one size.
pub(crate) struct Film {
    format: Format,
    size: [u32; 2],
    /// Pictures a second.
    rate: f64,
    pictures: Vec<Image>,
}

impl Film {
    pub(crate) fn new(format: Format, size: [u32; 2], rate: f64) -> Self {
        Self { format, size, rate, pictures: Vec::new() }
    }

    pub(crate) fn add(&mut self, picture: Image) {
        self.pictures.push(picture);
    }

    /// The files, for [`deliver`](crate::output::deliver).
    pub(crate) fn files(&self) -> Result<Vec<Output>, Failure> {
        let file = |name: String, bytes: Result<Vec<u8>, String>| {
            let bytes = bytes.map_err(|reason| {
                Failure::Machine(format!("cannot encode the picture: {reason}"))
            })?;
            Ok(Output { name, bytes })
        };
        match self.format {
            Format::Png | Format::Apng => Ok(vec![file(String::new(), self.png(&self.pictures))?]),
            Format::Gif => Ok(vec![file(String::new(), self.gif())?]),
            Format::Folder => {
                let numbered = self.pictures.chunks(1).zip(1..);
                numbered
                    .map(|(picture, number)| file(format!("{number:04}.png"), self.png(picture)))
                    .collect()
            }
        }
    }

    fn png(&self, pictures: &[Image]) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let [width, height] = self.size;
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let wrong = |error: png::EncodingError| error.to_string();
        if let ([_, _, ..], Ok(count)) = (pictures, u32::try_from(pictures.len())) {
            encoder.set_animated(count, 0).map_err(wrong)?;
            // A delay is a fraction of two 16-bit numbers.
            let delay = (1000.0 / self.rate).round().clamp(1.0, 65_535.0) as u16;
            encoder.set_frame_delay(delay, 1000).map_err(wrong)?;
        }
        let mut writer = encoder.write_header().map_err(wrong)?;
        for picture in pictures {
            writer.write_image_data(picture.data()).map_err(wrong)?;
        }
        writer.finish().map_err(wrong)?;
        Ok(bytes)
    }

    fn gif(&self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let side = |side: u32| u16::try_from(side).map_err(|_| format!("a GIF of {side} pixels"));
        let (width, height) = (side(self.size[0])?, side(self.size[1])?);
        let wrong = |error: gif::EncodingError| error.to_string();
        let mut encoder = gif::Encoder::new(&mut bytes, width, height, &[]).map_err(wrong)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(wrong)?;
        for picture in &self.pictures {
            let mut pixels = picture.data().to_vec();
            // A GIF knows no half transparency: what is there is what is seen.
            pixels.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
            let mut frame = gif::Frame::from_rgba_speed(width, height, &mut pixels, 10);
            // Browsers take 1 for 10.
            frame.delay = (100.0 / self.rate).round().clamp(2.0, 65_535.0) as u16;
            encoder.write_frame(&frame).map_err(wrong)?;
        }
        drop(encoder);
        Ok(bytes)
    }
}

/// Pictures side by side, row after row.
pub(crate) fn sheet(pictures: &[Image], columns: u32, rows: u32) -> Image {
    let Some(first) = pictures.first() else { return Image::default() };
    let (width, height) = (first.width() as usize, first.height() as usize);
    let row = 4 * width * columns as usize;
    let mut bytes = vec![0; row * height * rows as usize];
    for (index, picture) in pictures.iter().enumerate() {
        let (x, y) = (index % columns as usize, index / columns as usize);
        for (line, pixels) in picture.data().chunks_exact(4 * width).enumerate() {
            let start = (y * height + line) * row + 4 * x * width;
            bytes[start..start + 4 * width].copy_from_slice(pixels);
        }
    }
    Image::new(first.width() * columns, first.height() * rows, bytes).unwrap_or_default()
}
