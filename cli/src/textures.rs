//! Finds and decodes the pictures that flow maps and noise read: PNG, in the graph or in files.

use std::fs::{self, File};
use std::io::{self, Cursor};
use std::path::{Component, Path, PathBuf};

use png::{ColorType, Decoder, Transformations};
use pyrograph::{Texels, TextureFacts};

use crate::input::{note, shown, whole};

/// Bytes of the largest picture file that is read.
const MAX_BYTES: u64 = 1 << 28;
/// Pixels of the largest picture that is decoded: 8192 rows of 8192, what GPUs take.
const MAX_PIXELS: u64 = 1 << 26;

/// The pictures that the system of that name reads, each with its place among them, addresses being
/// paths in a folder. What cannot be read is told on standard error, and has no effect on particles.
pub(crate) fn found(
    system: &str,
    textures: &[TextureFacts<'_>],
    base: &Path,
) -> Vec<(usize, Texels)> {
    let mut found = Vec::new();
    for (index, &texture) in textures.iter().enumerate() {
        match load(texture, base) {
            Ok(texels) => found.push((index, texels)),
            Err(reason) => note(&format!(
                "warning: blocks of system \"{}\" that read a picture have no effect: {reason}\n",
                shown(system)
            )),
        }
    }
    found
}

fn load(texture: TextureFacts<'_>, base: &Path) -> Result<Texels, String> {
    let TextureFacts { url, flip, .. } = texture;
    if url.is_empty() {
        return Err("its texture block names no picture".into());
    }
    if let Some(data) = url.strip_prefix("data:") {
        let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
        let bytes = encoded.and_then(base64).ok_or("its data URL is not base64")?;
        return decode(&bytes, flip).map_err(|reason| format!("its data URL: {reason}"));
    }
    let path = path(url, base)?;
    let picture = read(&path).and_then(|bytes| decode(&bytes, flip));
    picture.map_err(|reason| format!("{}: {reason}", shown(&path.display().to_string())))
}

/// The bytes of a file; pipes and devices, which may never end, are no pictures.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let wrong = |error: io::Error| error.to_string();
    if !fs::metadata(path).map_err(wrong)?.is_file() {
        return Err("it is no ordinary file".into());
    }
    File::open(path).and_then(|file| whole(file, MAX_BYTES)).map_err(wrong)
}

/// The file that an address means: nothing is fetched, and nothing outside the folder is read.
fn path(url: &str, base: &Path) -> Result<PathBuf, String> {
    let path = Path::new(url);
    let is_inside = path
        .components()
        .all(|component| matches!(component, Component::Normal(_) | Component::CurDir));
    if url.contains("://") || !is_inside {
        let url = shown(url);
        return Err(format!("\"{url}\" is no path inside the folder of textures (--texture-base)"));
    }
    Ok(base.join(path))
}

/// RGBA rows of a PNG, the last row first where it is flipped.
fn decode(bytes: &[u8], flip: bool) -> Result<Texels, String> {
    let wrong = |error: png::DecodingError| format!("no PNG picture ({error})");
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let (width, height) = decoder.read_header_info().map_err(wrong)?.size();
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(format!("a picture of {width} by {height}; {MAX_PIXELS} pixels are the most"));
    }
    let mut reader = decoder.read_info().map_err(wrong)?;
    let size = reader.output_buffer_size().ok_or("no PNG picture (too large)")?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(wrong)?;
    pixels.truncate(info.buffer_size());
    if info.color_type == ColorType::GrayscaleAlpha {
        let gray = pixels.chunks_exact(2);
        pixels = gray.flat_map(|pair| [pair[0], pair[0], pair[0], pair[1]]).collect();
    }
    if flip {
        let rows = pixels.chunks_exact((info.width as usize * 4).max(1)).rev();
        pixels = rows.flatten().copied().collect();
    }
    Texels::new(info.width, info.height, pixels).ok_or_else(|| "an odd PNG picture".into())
}

/// Bytes of base64; white space is skipped as browsers do. `None` for other characters.
fn base64(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    let digits = text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=');
    for digit in digits {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{base64, decode, path};
    use std::path::Path;

    #[test]
    fn reads_base64() {
        assert_eq!(base64("aGk h\n"), Some(b"hi!".to_vec()));
        assert_eq!(base64("aA=="), Some(b"h".to_vec()));
        assert_eq!(base64("a*"), None);
    }

    #[test]
    fn huge_pictures_are_not_decoded() {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 65_535, 65_535);
        encoder.set_color(png::ColorType::Grayscale);
        // The header alone promises 4 GiB.
        drop(encoder.write_header().unwrap());
        let reason = decode(&file, true).unwrap_err();
        assert!(reason.contains("a picture of 65535 by 65535"), "{reason}");
    }

    #[test]
    fn stays_inside() {
        let base = Path::new("graphs");
        assert_eq!(path("textures/a.png", base), Ok(base.join("textures/a.png")));
        for url in ["/etc/passwd", "../a.png", "a/../../b", "https://example.org/a.png"] {
            assert!(path(url, base).is_err(), "{url}");
        }
    }
}
