//! Pictures that are files in a folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path};

use super::MAX_BYTES;
use super::error::{Reason, TextureError};

/// The bytes of a file inside a folder, and its path for messages.
///
/// Links are followed before it is decided what is inside, so that none leads out.
pub(super) fn read(folder: &Path, url: &str) -> Result<(Vec<u8>, String), TextureError> {
    let is_plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(url).components().all(is_plain) {
        return Err(TextureError::new(url, Reason::Outside));
    }
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let path = folder.join(url);
    let place = path.display().to_string();
    match bytes(folder, &path) {
        Ok(bytes) => Ok((bytes, place)),
        Err(reason) => Err(TextureError::new(&place, reason)),
    }
}

fn bytes(folder: &Path, path: &Path) -> Result<Vec<u8>, Reason> {
    let wrong = |error: io::Error| Reason::File(error.to_string());
    let real = path.canonicalize().map_err(wrong)?;
    if !real.starts_with(folder.canonicalize().map_err(wrong)?) {
        return Err(Reason::Outside);
    }
    // A pipe or a device may never end, and opening it may already wait.
    if !fs::metadata(&real).map_err(wrong)?.is_file() {
        return Err(Reason::NotAFile);
    }
    let mut bytes = Vec::new();
    let file = File::open(&real).map_err(wrong)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(wrong)?;
    if bytes.len() as u64 > MAX_BYTES { Err(Reason::TooLong) } else { Ok(bytes) }
}
