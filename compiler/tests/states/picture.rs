//! Decodes the pictures of fixtures: PNG data URLs with RGBA bytes, one stored deflate block, no
//! row filters (`fixtures/oracle/image.mjs` writes nothing else).

/// Width, height and RGBA bytes of the picture behind a data URL; `None` where it is no such picture.
pub(crate) fn decode(url: &str, flip: bool) -> Option<(u32, u32, Vec<u8>)> {
    let png = base64(url.strip_prefix("data:image/png;base64,")?)?;
    let word = |at: usize| Some(u32::from_be_bytes(png.get(at..at + 4)?.try_into().ok()?));
    let (width, height) = (word(16)?, word(20)?);
    // Signature 8, header chunk 25, then length and type of the data chunk, then the zlib header
    // and that of the stored block.
    let mut rows = png.get(8 + 25 + 8 + 7..)?.chunks(1 + 4 * width as usize);
    let mut rows: Vec<&[u8]> = (0..height).map_while(|_| rows.next()?.get(1..)).collect();
    if flip {
        rows.reverse();
    }
    Some((width, height, rows.concat()))
}

fn base64(text: &str) -> Option<Vec<u8>> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in text.trim_end_matches('=').bytes() {
        bits = bits << 6 | DIGITS.iter().position(|&other| other == digit)? as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}
