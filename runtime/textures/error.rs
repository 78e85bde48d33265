//! Why a picture cannot be had.

use std::fmt;

use super::decode::MAX_SIDE;
use super::{MAX_BYTES, MAX_TEXELS};

/// Characters of an address that messages show.
const SHOWN: usize = 200;

/// A picture that cannot be had. Its text is safe to print: addresses come from strangers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureError {
    place: String,
    reason: Reason,
}

/// What is wrong with a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The texture block names no picture.
    NoAddress,
    /// A data URL that cannot be read.
    DataUrl,
    /// A scheme that means nothing here, `blob` for example.
    Scheme(String),
    /// An address of the web, or of a host's root, where nothing may be fetched.
    NotFetched,
    /// A relative address, and there is no folder of textures.
    NoFolder,
    /// The path, or what it links to, is not inside the folder of textures.
    Outside,
    /// A folder, pipe or device.
    NotAFile,
    /// The file system's reason.
    File(String),
    /// More than [`MAX_BYTES`] bytes.
    TooLong,
    /// A host that the user has not named.
    Host(String),
    /// What went wrong while it was fetched.
    Fetch(String),
    /// No PNG, JPEG or WebP picture, with the decoder's reason.
    Format(String),
    /// Longer or higher than [`MAX_SIDE`].
    TooLarge {
        /// Texels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// All pictures together are more than [`MAX_TEXELS`].
    TooMany,
}

impl TextureError {
    /// An error of the picture at an address.
    pub(super) fn new(url: &str, reason: Reason) -> Self {
        let is_data = url.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"));
        let place = if is_data { "its data URL".into() } else { shown(url) };
        Self { place, reason }
    }

    /// What is wrong.
    pub fn reason(&self) -> &Reason {
        &self.reason
    }
}

/// The beginning of an address, without characters that steer a terminal.
fn shown(url: &str) -> String {
    let start = url.char_indices().nth(SHOWN).map_or(url, |(end, _)| &url[..end]);
    let rest = if start.len() < url.len() { "…" } else { "" };
    format!("{}{rest}", start.escape_debug())
}

impl fmt::Display for TextureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.reason, self.place.as_str()) {
            (reason, "") => reason.fmt(f),
            (reason, place) => write!(f, "{place}: {reason}"),
        }
    }
}

impl std::error::Error for TextureError {}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAddress => f.write_str("its texture block names no picture"),
            Self::DataUrl => f.write_str("it cannot be read (a wrong character or no comma)"),
            Self::Scheme(scheme) => write!(f, "\"{}:\" is no way to a picture here", shown(scheme)),
            Self::NotFetched => f.write_str("addresses of the web are not fetched"),
            Self::NoFolder => f.write_str("it is a path, and there is no folder of textures"),
            Self::Outside => f.write_str("it is no path inside the folder of textures"),
            Self::NotAFile => f.write_str("it is no ordinary file"),
            Self::TooLong => write!(f, "it has more than {MAX_BYTES} bytes"),
            Self::Host(host) => write!(f, "\"{}\" is no host that may be asked", shown(host)),
            Self::File(reason) | Self::Fetch(reason) => f.write_str(reason),
            Self::Format(reason) => write!(f, "no PNG, JPEG or WebP picture ({reason})"),
            Self::TooLarge { width, height } => write!(
                f,
                "a picture of {width} by {height}; {MAX_SIDE} by {MAX_SIDE} is the largest"
            ),
            Self::TooMany => {
                write!(f, "all pictures together have more than {MAX_TEXELS} pixels")
            }
        }
    }
}
