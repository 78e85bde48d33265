use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{DynamicImage, ExtendedColorType, ImageEncoder, ImageFormat, RgbaImage};

use super::{MAX_TEXELS, Reason, Textures};
use crate::texels::{Texels, TextureFacts};

/// Two rows of one column: a colour that is half transparent, and one that is not.
pub(super) const PIXELS: [u8; 8] = [200, 100, 50, 128, 1, 2, 3, 255];

fn encoded(format: ImageFormat) -> Vec<u8> {
    let picture = RgbaImage::from_raw(1, 2, PIXELS.to_vec()).unwrap();
    let picture = match format {
        ImageFormat::Jpeg => DynamicImage::ImageRgba8(picture).into_rgb8().into(),
        _ => DynamicImage::ImageRgba8(picture),
    };
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub(super) fn png() -> Vec<u8> {
    encoded(ImageFormat::Png)
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |group: &[u8]| {
        let bits = group.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte));
        let bits = bits << (8 * (3 - group.len()));
        let digit = |at: usize| char::from(DIGITS[(bits >> (18 - 6 * at) & 63) as usize]);
        (0..=group.len()).map(digit).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

fn reason(textures: &mut Textures, url: &str) -> Reason {
    textures.read(url, false).unwrap_err().reason().clone()
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tmp/textures").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Alpha is straight, no colour is converted, and rows turn only where they should.
#[test]
fn pixels_come_as_babylon_uploads_them() {
    for format in [ImageFormat::Png, ImageFormat::WebP] {
        let url = format!("data:image/any;base64,{}", base64(&encoded(format)));
        let texels = Textures::new().read(&url, false).unwrap();
        assert_eq!((texels.width(), texels.height()), (1, 2));
        assert_eq!(texels.data()[..], PIXELS, "{format:?}");
        let turned = Textures::new().read(&url, true).unwrap();
        assert_eq!(turned.data()[..], [&PIXELS[4..], &PIXELS[..4]].concat());
    }
    // JPEG has no alpha and loses a little.
    let picture = image::RgbImage::from_pixel(8, 8, image::Rgb([200, 100, 50]));
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    let url = format!("data:image/jpeg;base64,{}", base64(bytes.get_ref()));
    let texels = Textures::new().read(&url, false).unwrap();
    for (&byte, expected) in texels.data().iter().zip([200u8, 100, 50, 255].iter().cycle()) {
        assert!(byte.abs_diff(*expected) <= 4, "{byte} is not {expected}");
    }
}

#[test]
fn gray_and_deep_pictures_become_four_bytes() {
    let decoded = |data: &[u8], color| {
        let mut bytes = Vec::new();
        image::codecs::png::PngEncoder::new(&mut bytes).write_image(data, 1, 1, color).unwrap();
        super::decode::decode(&bytes, false, MAX_TEXELS).unwrap().data().to_vec()
    };
    assert_eq!(decoded(&[7], ExtendedColorType::L8), [7, 7, 7, 255]);
    assert_eq!(decoded(&[7, 9], ExtendedColorType::La8), [7, 7, 7, 9]);
    let deep: Vec<u8> =
        [0x7fffu16, 0xffff, 0, 0x80ff].iter().flat_map(|v| v.to_ne_bytes()).collect();
    assert_eq!(decoded(&deep, ExtendedColorType::Rgba16), [127, 255, 0, 128]);
}

#[test]
fn data_urls_are_read_as_browsers_read_them() {
    let encoded = base64(&png());
    let mut textures = Textures::new();
    let (start, end) = encoded.split_at(9);
    for url in [
        format!("data:image/png;base64,{encoded}"),
        format!("DATA:;base64,{start}\n {end}"),
        format!("data:image/png;charset=x;base64,{}", encoded.replace('+', "%2B")),
        format!("data:,{}", png().iter().map(|byte| format!("%{byte:02x}")).collect::<String>()),
    ] {
        assert_eq!(textures.read(&url, false).unwrap().data()[..], PIXELS, "{url}");
    }
    for url in ["data:image/png;base64,a*", "data:image/png;base64", "data:"] {
        assert_eq!(reason(&mut textures, url), Reason::DataUrl, "{url}");
    }
    let error = textures.read("data:image/png;base64,aGkh", false).unwrap_err();
    assert!(error.to_string().starts_with("its data URL: no PNG, JPEG or WebP picture ("));
}

#[test]
fn files_come_from_inside_the_folder_only() {
    let folder = folder("inside");
    fs::create_dir_all(folder.join("base/deep")).unwrap();
    fs::write(folder.join("base/deep/a.png"), png()).unwrap();
    fs::write(folder.join("secret.png"), png()).unwrap();
    let base = folder.join("base");
    let mut textures = Textures::new().with_folder(&base);
    for url in ["deep/a.png", "./deep/./a.png"] {
        assert_eq!(textures.read(url, false).unwrap().data()[..], PIXELS, "{url}");
    }
    for url in ["../secret.png", "deep/../../secret.png", "deep/../deep/a.png"] {
        assert_eq!(reason(&mut textures, url), Reason::Outside, "{url}");
    }
    let absolute = folder.join("secret.png").to_str().unwrap().to_owned();
    for url in [absolute.as_str(), "//host/a.png", "https://example.org/a.png"] {
        assert_eq!(reason(&mut textures, url), Reason::NotFetched, "{url}");
    }
    assert_eq!(reason(&mut textures, "blob:1234"), Reason::Scheme("blob".into()));
    assert_eq!(reason(&mut textures, "file:a.png"), Reason::Scheme("file".into()));
    assert_eq!(reason(&mut textures, "deep"), Reason::NotAFile);
    assert!(matches!(reason(&mut textures, "missing.png"), Reason::File(_)));
    assert_eq!(reason(&mut textures, ""), Reason::NoAddress);
    assert_eq!(reason(&mut Textures::new(), "deep/a.png"), Reason::NoFolder);
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_else() {
    use std::os::unix::fs::symlink;
    let folder = folder("links");
    fs::create_dir_all(folder.join("base")).unwrap();
    fs::write(folder.join("base/a.png"), png()).unwrap();
    fs::write(folder.join("secret.png"), png()).unwrap();
    symlink("a.png", folder.join("base/inside.png")).unwrap();
    symlink("../secret.png", folder.join("base/outside.png")).unwrap();
    symlink("..", folder.join("base/up")).unwrap();
    // The folder itself may be a link.
    symlink("base", folder.join("link")).unwrap();
    for base in ["base", "link"] {
        let mut textures = Textures::new().with_folder(folder.join(base));
        assert!(textures.read("inside.png", false).is_ok());
        assert_eq!(reason(&mut textures, "outside.png"), Reason::Outside);
        assert_eq!(reason(&mut textures, "up/secret.png"), Reason::Outside);
    }
}

/// The header of a picture of that size, and nothing behind it.
fn promise(width: u32, height: u32) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend(width.to_be_bytes().iter().chain(&height.to_be_bytes()));
    header.extend([8, 0, 0, 0, 0]);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for chunk in [header.as_slice(), b"IDAT"] {
        bytes.extend((chunk.len() as u32 - 4).to_be_bytes());
        bytes.extend(chunk);
        bytes.extend(crc(chunk).to_be_bytes());
    }
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    })
}

/// Sizes are refused before anything of that size is made.
#[test]
fn huge_pictures_are_not_decoded() {
    let decode = |bytes: &[u8]| super::decode::decode(bytes, true, MAX_TEXELS).unwrap_err();
    assert_eq!(
        decode(&promise(65_535, 65_535)),
        Reason::TooLarge { width: 65_535, height: 65_535 }
    );
    assert_eq!(decode(&promise(8193, 1)), Reason::TooLarge { width: 8193, height: 1 });
    assert!(matches!(decode(&promise(8192, 8192)), Reason::Format(_)));
    let left = super::decode::decode(&png(), true, 1).unwrap_err();
    assert_eq!(left, Reason::TooMany);
}

#[test]
fn what_is_decoded_is_counted() {
    let url = format!("data:;base64,{}", base64(&png()));
    let mut textures = Textures::new();
    textures.left = 5;
    assert!(textures.read(&url, false).is_ok() && textures.read(&url, false).is_ok());
    assert_eq!(reason(&mut textures, &url), Reason::TooMany);
}

#[test]
fn files_that_are_cut_short_are_no_pictures() {
    let whole = png();
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let whole = encoded(format);
        for length in 0..whole.len() / 2 {
            let decoded = super::decode::decode(&whole[..length], false, MAX_TEXELS);
            assert!(matches!(decoded, Err(Reason::Format(_))), "{format:?}, {length}");
        }
    }
    assert!(super::decode::decode(&whole, false, MAX_TEXELS).is_ok());
}

/// A JPEG that says how it was held: its left side is up.
#[test]
fn pictures_are_turned_as_they_ask() {
    let picture =
        image::RgbImage::from_fn(16, 8, |x, _| image::Rgb([if x < 8 { 250 } else { 5 }; 3]));
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    let jpeg = bytes.into_inner();
    // A TIFF header, and one entry: orientation (0x0112), a short, 6.
    let mut exif =
        b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
    let mut segment = vec![0xff, 0xe1];
    segment.extend((exif.len() as u16 + 2).to_be_bytes());
    segment.append(&mut exif);
    let turned = [&jpeg[..2], &segment, &jpeg[2..]].concat();
    let decode = |bytes: &[u8]| super::decode::decode(bytes, false, MAX_TEXELS).unwrap();
    let (flat, upright) = (decode(&jpeg), decode(&turned));
    assert_eq!([flat.width(), flat.height(), upright.width(), upright.height()], [16, 8, 8, 16]);
    assert!(flat.byte(1, 6, 0) > 200 && flat.byte(14, 1, 0) < 50);
    assert!(upright.byte(6, 1, 0) > 200 && upright.byte(1, 14, 0) < 50);
}

/// Bytes that somebody has tampered with are a picture or none, and never end the program.
#[test]
fn broken_files_are_survived() {
    let picture =
        RgbaImage::from_fn(9, 7, |x, y| image::Rgba([x as u8 * 25, y as u8 * 30, 7, 200]));
    for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Jpeg] {
        let mut bytes = Cursor::new(Vec::new());
        let picture = DynamicImage::ImageRgba8(picture.clone());
        match format {
            ImageFormat::Jpeg => picture.into_rgb8().write_to(&mut bytes, format).unwrap(),
            _ => picture.write_to(&mut bytes, format).unwrap(),
        }
        let mut bytes = bytes.into_inner();
        let mut results = [0; 2];
        for at in 0..bytes.len() {
            for bit in [0x01, 0x80, 0xff] {
                bytes[at] ^= bit;
                let decoded = super::decode::decode(&bytes, false, 1 << 16);
                results[usize::from(decoded.is_ok())] += 1;
                bytes[at] ^= bit;
            }
        }
        assert!(results.iter().all(|&count| count > 0), "{format:?}: {results:?}");
    }
}

/// What was found when the graph was compiled is not looked for again.
#[test]
fn bytes_that_are_compiled_in_come_first() {
    let bytes = png();
    let facts =
        TextureFacts { name: "texture.1", url: "gone.png", flip: true, bytes: Some(&bytes) };
    let texels = Textures::new().load(&facts).unwrap();
    assert_eq!(texels, Texels::new(1, 2, [&PIXELS[4..], &PIXELS[..4]].concat()).unwrap());
    let broken = TextureFacts { bytes: Some(b"x"), ..facts };
    let error = Textures::new().load(&broken).unwrap_err();
    assert!(error.to_string().starts_with("gone.png: no PNG"), "{error}");
}

#[test]
fn messages_are_short_and_steer_no_terminal() {
    let mut textures = Textures::new().with_folder("target");
    let error = textures.read(&format!("\u{1b}]0;\u{202e}{}", "x".repeat(1 << 20)), false);
    let text = error.unwrap_err().to_string();
    assert!(text.len() < 1000 && !text.contains(['\u{1b}', '\u{202e}']), "{text}");
}
