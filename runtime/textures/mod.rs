//! Finds and decodes pictures: those that flow maps and noise read, and those that are drawn.
//!
//! [`Textures`] reads data URLs, files in a folder and, with the feature `http`, addresses of hosts that
//! the user has named. Pixels come out as Babylon.js hands them to a GPU: 8 bits a channel, not
//! premultiplied, no colour space converted.
//!
//! A picture that cannot be had is no failure of its system, as the contract wants it (spec section
//! 11): its slot stays empty, and whoever loads gets the reason. Blocks that read an empty slot have
//! no effect; renderers refuse a system whose picture is missing.

mod decode;
mod error;
mod folder;
#[cfg(feature = "http")]
mod http;

use std::path::PathBuf;

use data_url::DataUrl;

pub use decode::MAX_SIDE;
pub use error::{Reason, TextureError};
#[cfg(feature = "http")]
pub use http::Http;

use crate::program::ParticleProgram;
use crate::system::ParticleSystem;
use crate::texels::{Texels, TextureFacts};

/// Bytes of the largest encoded picture that is read: 256 MiB.
pub const MAX_BYTES: u64 = 1 << 28;

/// Texels of all pictures that one [`Textures`] decodes: 1 GiB of them.
pub const MAX_TEXELS: u64 = 1 << 28;

/// Where pictures come from. A new one reads data URLs, and nothing outside of the graph.
#[derive(Debug)]
pub struct Textures {
    folder: Option<PathBuf>,
    #[cfg(feature = "http")]
    http: Option<Http>,
    /// Texels that may still be decoded.
    left: u64,
}

impl Default for Textures {
    fn default() -> Self {
        Self::new()
    }
}

/// What an address is.
enum Place<'a> {
    Data,
    Relative,
    /// `https://host/path`, and what has the scheme or host of the page that it is on.
    Web,
    /// Any other scheme.
    Other(&'a str),
}

impl Textures {
    /// Data URLs only.
    #[must_use]
    pub fn new() -> Self {
        Self {
            folder: None,
            #[cfg(feature = "http")]
            http: None,
            left: MAX_TEXELS,
        }
    }

    /// Reads relative addresses as paths in a folder, too. Nothing outside of it is read: absolute
    /// paths, `..` and links that lead out are refused. The empty path is the current folder.
    #[must_use]
    pub fn with_folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..self }
    }

    /// Reads addresses of the web, too. Where it has a base address, relative addresses are resolved
    /// against it, and not looked for in the folder.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn with_http(self, http: Http) -> Self {
        Self { http: Some(http), ..self }
    }

    /// The pixels of a picture that a program reads.
    ///
    /// # Errors
    /// It cannot be had, or is no PNG, JPEG or WebP picture, or is larger than [`MAX_BYTES`],
    /// [`MAX_SIDE`] or what is left of [`MAX_TEXELS`].
    pub fn load(&mut self, texture: &TextureFacts<'_>) -> Result<Texels, TextureError> {
        if let Some(bytes) = texture.bytes {
            return self.decode(bytes, texture.url, texture.flip);
        }
        self.read(texture.url, texture.flip)
    }

    /// The pixels of the picture at an address; with `flip` its last row comes first.
    ///
    /// # Errors
    /// See [`load`](Self::load).
    pub fn read(&mut self, url: &str, flip: bool) -> Result<Texels, TextureError> {
        let (bytes, place) = self.bytes(url)?;
        self.decode(&bytes, &place, flip)
    }

    /// Fills the pictures of a system. What cannot be had stays empty; the system works without it.
    /// Gives the number of each such picture among [`ParticleSystem::textures`], with the reason.
    pub fn fill<P: ParticleProgram>(
        &mut self,
        system: &mut ParticleSystem<P>,
    ) -> Vec<(usize, TextureError)> {
        let mut missing = Vec::new();
        for index in 0..system.textures().len() {
            let loaded = system.textures().get(index).map(|facts| self.load(facts));
            match loaded {
                Some(Ok(texels)) => system.set_texture(index, texels),
                Some(Err(error)) => missing.push((index, error)),
                None => {}
            }
        }
        missing
    }

    /// The encoded picture at an address, and how messages call the place.
    fn bytes(&self, url: &str) -> Result<(Vec<u8>, String), TextureError> {
        if url.is_empty() {
            return Err(TextureError::new("", Reason::NoAddress));
        }
        let wrong = |reason| TextureError::new(url, reason);
        match place(url) {
            Place::Data => {
                let data = DataUrl::process(url).map_err(|_| wrong(Reason::DataUrl))?;
                let (bytes, _) = data.decode_to_vec().map_err(|_| wrong(Reason::DataUrl))?;
                Ok((bytes, url.to_owned()))
            }
            #[cfg(feature = "http")]
            Place::Web => match &self.http {
                Some(http) => http.fetch(url).map(|bytes| (bytes, url.to_owned())),
                None => Err(wrong(Reason::NotFetched)),
            },
            #[cfg(feature = "http")]
            Place::Relative if self.http.as_ref().is_some_and(Http::has_base) => {
                let http = self.http.as_ref().ok_or_else(|| wrong(Reason::NotFetched))?;
                http.fetch(url).map(|bytes| (bytes, url.to_owned()))
            }
            #[cfg(not(feature = "http"))]
            Place::Web => Err(wrong(Reason::NotFetched)),
            Place::Relative => {
                let folder = self.folder.as_ref().ok_or_else(|| wrong(Reason::NoFolder))?;
                folder::read(folder, url)
            }
            Place::Other(scheme) => Err(wrong(Reason::Scheme(scheme.to_owned()))),
        }
    }

    fn decode(&mut self, bytes: &[u8], place: &str, flip: bool) -> Result<Texels, TextureError> {
        let decoded = decode::decode(bytes, flip, self.left);
        let texels = decoded.map_err(|reason| TextureError::new(place, reason))?;
        self.left -= u64::from(texels.width()) * u64::from(texels.height());
        Ok(texels)
    }
}

/// Whether an address has a scheme, and which (spec section 9.20).
fn place(url: &str) -> Place<'_> {
    if url.starts_with('/') {
        // Of the scheme or host that a page would have; on a disk, an absolute path.
        return Place::Web;
    }
    let Some((scheme, _)) = url.split_once(':') else { return Place::Relative };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    match () {
        () if !is_scheme => Place::Relative,
        () if scheme.eq_ignore_ascii_case("data") => Place::Data,
        () if scheme.eq_ignore_ascii_case("http") => Place::Web,
        () if scheme.eq_ignore_ascii_case("https") => Place::Web,
        () => Place::Other(scheme),
    }
}

#[cfg(test)]
mod tests;
