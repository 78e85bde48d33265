//! Pictures become files: one PNG, a loop, a sheet, or a folder.

use std::io::{self, Write};
use std::path::Path;

use pyrograph::picture::Image;

use crate::Outcome;
use crate::failure::Failure;
use crate::input::shown;
use crate::output::{Files, Sink};

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

/// Where a film is written.
pub(crate) enum Place {
    File(Sink),
    Folder(Files),
}

impl Place {
    pub(crate) fn open(format: Format, path: &Path) -> Result<Self, Failure> {
        Ok(match format {
            Format::Png | Format::Apng | Format::Gif => Self::File(Sink::open(Some(path))?),
            Format::Folder => Self::Folder(Files::open(path)?),
        })
    }

    /// Ends the film: only now its files are in their places.
    pub(crate) fn finish(self) -> Outcome {
        match self {
            Self::File(sink) => sink.finish(),
            Self::Folder(files) => files.finish(),
        }
    }
}

/// What a film is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) format: Format,
    /// Width and height of each picture.
    pub(crate) size: [u32; 2],
    /// How many pictures there are.
    pub(crate) pictures: u32,
    /// Pictures a second.
    pub(crate) rate: f64,
    /// Columns and rows, where all pictures are one.
    pub(crate) sheet: Option<[u32; 2]>,
}

/// A film of pictures of one size. Each is written when it comes, so that any number of them takes no
/// more memory than one; only a sheet is kept until it is full.
pub(crate) struct Film<'p> {
    cut: Cut,
    reel: Reel<'p>,
    /// How messages call the file.
    name: String,
    /// How many pictures have come.
    done: u32,
}

enum Reel<'p> {
    Png(png::Writer<&'p mut Sink>),
    Gif(gif::Encoder<&'p mut Sink>),
    Sheet(&'p mut Sink, Vec<u8>),
    Folder(&'p mut Files),
}

impl<'p> Film<'p> {
    pub(crate) fn new(cut: Cut, place: &'p mut Place, path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let reel = match place {
            Place::Folder(files) => Ok(Reel::Folder(files)),
            Place::File(sink) => match (cut.sheet, cut.format) {
                (Some([columns, rows]), _) => {
                    let cells = columns as usize * rows as usize;
                    let [width, height] = cut.size.map(|side| side as usize);
                    Ok(Reel::Sheet(sink, vec![0; 4 * width * height * cells]))
                }
                (None, Format::Gif) => gif(sink, &cut).map(Reel::Gif),
                (None, Format::Png | Format::Apng | Format::Folder) => {
                    png(sink, &cut).map(Reel::Png)
                }
            },
        };
        let reel = reel.map_err(|wrong| wrong.failure(&name))?;
        Ok(Self { cut, reel, name, done: 0 })
    }

    /// Takes the next picture.
    pub(crate) fn add(&mut self, picture: &Image) -> Outcome {
        let index = self.done;
        self.done += 1;
        let added = match &mut self.reel {
            Reel::Png(writer) => writer.write_image_data(picture.data()).map_err(Wrong::from),
            Reel::Gif(encoder) => add_to_gif(encoder, &self.cut, picture),
            Reel::Sheet(_, canvas) => {
                put(canvas, &self.cut, index, picture);
                Ok(())
            }
            Reel::Folder(files) => {
                let mut sink = files.sink(&format!("{:04}.png", index + 1))?;
                let written = one(&mut sink, self.cut.size, picture.data());
                written.map_err(|wrong| wrong.failure(&self.name))?;
                return files.add(sink);
            }
        };
        added.map_err(|wrong| wrong.failure(&self.name))
    }

    /// Writes what comes behind the last picture.
    pub(crate) fn end(self) -> Outcome {
        let ended = match self.reel {
            Reel::Png(writer) => writer.finish().map_err(Wrong::from),
            Reel::Gif(encoder) => encoder.into_inner().map(|_| ()).map_err(Wrong::from),
            Reel::Sheet(sink, canvas) => {
                let [columns, rows] = self.cut.sheet.unwrap_or([1, 1]);
                let [width, height] = self.cut.size;
                one(sink, [width * columns, height * rows], &canvas)
            }
            Reel::Folder(_) => Ok(()),
        };
        ended.map_err(|wrong| wrong.failure(&self.name))
    }
}

/// A picture as the bytes of a PNG.
pub(crate) fn still(picture: &Image) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    one(&mut bytes, [picture.width(), picture.height()], picture.data())
        .map_err(|wrong| wrong.failure("a picture"))?;
    Ok(bytes)
}

/// Writes a PNG of one picture.
fn one(sink: impl Write, size: [u32; 2], pixels: &[u8]) -> Result<(), Wrong> {
    let mut writer = encoder(sink, size).write_header()?;
    writer.write_image_data(pixels)?;
    Ok(writer.finish()?)
}

fn encoder<W: Write>(sink: W, [width, height]: [u32; 2]) -> png::Encoder<'static, W> {
    let mut encoder = png::Encoder::new(sink, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder
}

/// Begins a PNG, which is a loop where there is more than one picture.
fn png<W: Write>(sink: W, cut: &Cut) -> Result<png::Writer<W>, Wrong> {
    let mut encoder = encoder(sink, cut.size);
    if cut.pictures > 1 {
        encoder.set_animated(cut.pictures, 0)?;
        // A delay is a fraction of two 16-bit numbers.
        let delay = (1000.0 / cut.rate).round().clamp(1.0, 65_535.0) as u16;
        encoder.set_frame_delay(delay, 1000)?;
    }
    Ok(encoder.write_header()?)
}

fn gif<W: Write>(sink: W, cut: &Cut) -> Result<gif::Encoder<W>, Wrong> {
    let [width, height] = sides(cut)?;
    let mut encoder = gif::Encoder::new(sink, width, height, &[])?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    Ok(encoder)
}

fn add_to_gif<W: Write>(
    encoder: &mut gif::Encoder<W>,
    cut: &Cut,
    picture: &Image,
) -> Result<(), Wrong> {
    let [width, height] = sides(cut)?;
    let mut pixels = picture.data().to_vec();
    // A GIF knows no half transparency: what is there is what is seen.
    pixels.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
    let mut frame = gif::Frame::from_rgba_speed(width, height, &mut pixels, 10);
    // Browsers take 1 for 10.
    frame.delay = (100.0 / cut.rate).round().clamp(2.0, 65_535.0) as u16;
    Ok(encoder.write_frame(&frame)?)
}

/// Width and height of a GIF.
fn sides(cut: &Cut) -> Result<[u16; 2], Wrong> {
    let side = |side: u32| {
        u16::try_from(side).map_err(|_| Wrong::Encoding(format!("a GIF of {side} pixels")))
    };
    Ok([side(cut.size[0])?, side(cut.size[1])?])
}

/// Puts a picture in its cell of a sheet, row after row.
fn put(canvas: &mut [u8], cut: &Cut, index: u32, picture: &Image) {
    let [columns, _] = cut.sheet.unwrap_or([1, 1]);
    let [width, height] = cut.size.map(|side| side as usize);
    let (x, y) = ((index % columns) as usize, (index / columns) as usize);
    let row = 4 * width * columns as usize;
    for (line, pixels) in picture.data().chunks_exact(4 * width).enumerate() {
        let start = (y * height + line) * row + 4 * x * width;
        canvas[start..start + 4 * width].copy_from_slice(pixels);
    }
}

/// Why a picture was not written.
enum Wrong {
    Writing(io::Error),
    Encoding(String),
}

impl Wrong {
    fn failure(self, name: &str) -> Failure {
        match self {
            Self::Writing(error) => Failure::writing(name, &error),
            Self::Encoding(reason) => {
                Failure::Machine(format!("cannot encode the picture: {reason}"))
            }
        }
    }
}

impl From<png::EncodingError> for Wrong {
    fn from(error: png::EncodingError) -> Self {
        match error {
            png::EncodingError::IoError(error) => Self::Writing(error),
            other => Self::Encoding(other.to_string()),
        }
    }
}

impl From<gif::EncodingError> for Wrong {
    fn from(error: gif::EncodingError) -> Self {
        match error {
            gif::EncodingError::Io(error) => Self::Writing(error),
            other => Self::Encoding(other.to_string()),
        }
    }
}
