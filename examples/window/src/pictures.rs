//! What systems draw and read.

use std::fs;
use std::path::{Path, PathBuf};

use pyrograph::picture::{Image, spot};
use pyrograph::textures::Textures;
use pyrograph::{Texels, TextureFacts};

use crate::Fallible;

/// Finds pictures, and keeps the reasons why some were not found.
pub(crate) struct Pictures {
    loader: Textures,
    /// A picture that is drawn instead of the graphs' own.
    dropped: Option<PathBuf>,
    pub(crate) missing: Vec<String>,
}

impl Pictures {
    /// Reads data URLs, and paths in a folder.
    pub(crate) fn new(folder: Option<&Path>, dropped: Option<&Path>) -> Self {
        let loader = match folder {
            Some(folder) => Textures::new().with_folder(folder),
            None => Textures::new(),
        };
        Self { loader, dropped: dropped.map(Path::to_owned), missing: Vec::new() }
    }

    /// The picture that blocks read; without it they have no effect.
    pub(crate) fn read(&mut self, facts: &TextureFacts<'_>) -> Option<Texels> {
        let loaded = self.loader.load(facts);
        loaded.map_err(|error| self.missing.push(error.to_string())).ok()
    }

    /// The picture of a system; a spot where it has none, so that particles are seen all the same.
    pub(crate) fn drawn(&mut self, facts: Option<TextureFacts<'_>>) -> Image {
        let found = match (&self.dropped, facts) {
            (Some(path), facts) => decode(path, facts.is_some_and(|facts| facts.flip)),
            (None, Some(facts)) => self.loader.load(&facts).map_err(Into::into),
            (None, None) => return spot(),
        };
        found.unwrap_or_else(|error| {
            self.missing.push(error.to_string());
            spot()
        })
    }
}

/// Whether a file is a picture, by its name.
pub(crate) fn is_picture(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    ["png", "jpg", "jpeg", "webp"].iter().any(|&known| extension == known)
}

/// A picture anywhere on the disk: whoever dropped it may read it.
pub(crate) fn decode(path: &Path, flip: bool) -> Fallible<Image> {
    let path = fs::canonicalize(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(format!("{} is not a file", path.display()).into());
    };
    let name = name.to_str().ok_or("the name of a picture has to be UTF-8")?;
    // The dot keeps a colon in the name from being taken for a scheme.
    Ok(Textures::new().with_folder(folder).read(&format!("./{name}"), flip)?)
}
