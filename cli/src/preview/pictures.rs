//! The pixels of pictures that the shown graph names.

use std::path::Path;

use pyrograph::Texels;
use pyrograph::textures::Textures;
use pyrograph_compiler::ir::Program;

/// Which picture of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// The one that is drawn.
    Drawn,
    /// One of those that blocks read.
    Read(usize),
}

impl Which {
    /// `drawn`, or `read.` and a number.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text == "drawn" {
            return Some(Self::Drawn);
        }
        text.strip_prefix("read.")?.parse().ok().map(Self::Read)
    }
}

/// The picture with rows from the top, whatever the graph does with them; addresses are paths in the
/// folder, or data URLs.
pub(super) fn load(
    program: &Program,
    which: Which,
    folder: Option<&Path>,
) -> Result<Texels, String> {
    let url = match which {
        Which::Drawn => program.render.picture.as_ref().map(|picture| &picture.url),
        Which::Read(index) => program.textures.iter().nth(index).map(|(_, texture)| &texture.url),
    };
    let url = url.ok_or("the system has no such picture")?;
    let mut textures = Textures::new();
    if let Some(folder) = folder {
        textures = textures.with_folder(folder);
    }
    textures.read(url, false).map_err(|error| error.to_string())
}
