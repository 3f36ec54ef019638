//! Picture files to RGBA8: PNG, JPEG, TGA, BMP, DDS with DXT1, DXT3 or DXT5.

use std::io::Cursor as Bytes;
use std::path::Path;

use image::ImageFormat;
use image::ImageReader;
use image::Limits;

/// The largest side that is decoded (`hmap.md` 6.7).
pub const MAX_SIDE: u32 = 16_384;

/// What decoding one picture may reserve.
const MAX_BYTES: u64 = 1 << 30;

/// Pixels, top row first, four bytes each, sRGB-encoded with straight alpha.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
    /// True when a pixel is not wholly opaque.
    pub has_alpha: bool,
}

/// Why there is no picture, in words for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    #[error("it is no picture of a known kind (PNG, JPEG, TGA, BMP, DDS)")]
    UnknownFormat,
    #[error("it is {width} x {height} pixels, more than {MAX_SIDE} on a side")]
    TooLarge { width: u32, height: u32 },
    #[error("{0}")]
    Damaged(String),
}

impl Image {
    /// From pixels in rows, four bytes each; `None` when their number does not fit the size.
    #[must_use]
    pub fn from_rgba(width: u32, height: u32, rgba: Vec<u8>) -> Option<Self> {
        if rgba.len() as u64 != u64::from(width) * u64::from(height) * 4 {
            return None;
        }
        let has_alpha = rgba.chunks_exact(4).any(|pixel| pixel[3] != 255);
        Some(Self {
            width,
            height,
            rgba,
            has_alpha,
        })
    }
}

/// Decodes a picture. Its content tells the kind; `name` does for TGA, which has no mark.
///
/// # Errors
/// What is wrong with it.
pub fn decode(bytes: &[u8], name: &Path) -> Result<Image, ImageError> {
    let [width, height] = size_of(bytes, name)?;
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(ImageError::TooLarge { width, height });
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    let mut reader = reader(bytes, name)?;
    reader.limits(limits);
    let pixels = reader
        .decode()
        .map_err(|error| damaged(&error))?
        .into_rgba8();
    let (width, height) = pixels.dimensions();
    let mut pixels = pixels.into_raw();
    // Games keep heights or shine in the alpha of DXT5, or leave it empty: where nothing is opaque, it is no alpha.
    if bytes.starts_with(b"DDS ") && pixels.chunks_exact(4).all(|pixel| pixel[3] < 255) {
        for pixel in pixels.chunks_exact_mut(4) {
            pixel[3] = 255;
        }
    }
    Image::from_rgba(width, height, pixels)
        .ok_or_else(|| ImageError::Damaged("its rows are not whole".to_owned()))
}

/// Width and height from the picture's head, without decoding it.
///
/// # Errors
/// As [`decode`], except for the limits.
pub fn size_of(bytes: &[u8], name: &Path) -> Result<[u32; 2], ImageError> {
    let (width, height) = reader(bytes, name)?
        .into_dimensions()
        .map_err(|error| damaged(&error))?;
    if width == 0 || height == 0 {
        return Err(ImageError::Damaged("it has no pixels".to_owned()));
    }
    Ok([width, height])
}

fn reader<'a>(bytes: &'a [u8], name: &Path) -> Result<ImageReader<Bytes<&'a [u8]>>, ImageError> {
    let is_tga = name
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("tga"));
    let format = match image::guess_format(bytes) {
        Ok(format) => format,
        Err(_) if is_tga => ImageFormat::Tga,
        Err(_) => return Err(ImageError::UnknownFormat),
    };
    let known = [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::Tga,
        ImageFormat::Bmp,
        ImageFormat::Dds,
    ];
    if !known.contains(&format) {
        return Err(ImageError::UnknownFormat);
    }
    Ok(ImageReader::with_format(Bytes::new(bytes), format))
}

fn damaged(error: &image::ImageError) -> ImageError {
    ImageError::Damaged(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(format: ImageFormat, alpha: u8) -> Vec<u8> {
        let pixels = image::RgbaImage::from_fn(3, 2, |x, y| {
            image::Rgba([x as u8 * 80, y as u8 * 120, 7, alpha])
        });
        let mut bytes = Bytes::new(Vec::new());
        let picture = image::DynamicImage::ImageRgba8(pixels);
        let picture = if format == ImageFormat::Jpeg {
            image::DynamicImage::ImageRgb8(picture.into_rgb8())
        } else {
            picture
        };
        picture
            .write_to(&mut bytes, format)
            .expect("small pictures can be written");
        bytes.into_inner()
    }

    #[test]
    fn kinds_are_decoded_top_row_first() {
        for (format, name) in [
            (ImageFormat::Png, "a.png"),
            (ImageFormat::Tga, "a.TGA"),
            (ImageFormat::Bmp, "a.bmp"),
            (ImageFormat::Png, "misnamed.jpg"),
        ] {
            let bytes = encoded(format, 255);
            let image = decode(&bytes, Path::new(name)).expect(name);
            assert_eq!(
                (image.width, image.height, image.has_alpha),
                (3, 2, false),
                "{name}"
            );
            assert_eq!(image.rgba[4..8], [80, 0, 7, 255], "{name}");
            assert_eq!(image.rgba[12..16], [0, 120, 7, 255], "{name}");
            assert_eq!(size_of(&bytes, Path::new(name)), Ok([3, 2]), "{name}");
        }
        let jpeg = decode(&encoded(ImageFormat::Jpeg, 255), Path::new("a.jpg")).expect("jpeg");
        assert_eq!((jpeg.width, jpeg.height, jpeg.has_alpha), (3, 2, false));
        assert!(
            decode(&encoded(ImageFormat::Png, 9), Path::new("a.png"))
                .expect("png")
                .has_alpha
        );
    }

    /// A picture of 4 x 4 pixels: one block of each kind, red but for the last row, which is green.
    fn dds(kind: [u8; 4], alpha: &[u8]) -> Vec<u8> {
        let mut bytes = b"DDS ".to_vec();
        let mut word = |value: u32| bytes.extend(value.to_le_bytes());
        for value in [124, 0x1007, 4, 4, 8, 0, 0] {
            word(value);
        }
        for _ in 0..11 {
            word(0);
        }
        for value in [
            32,
            4,
            u32::from_le_bytes(kind),
            0,
            0,
            0,
            0,
            0,
            0x1000,
            0,
            0,
            0,
            0,
        ] {
            word(value);
        }
        bytes.extend(alpha);
        // Red and green in 5, 6 and 5 bits, then two bits for each pixel.
        bytes.extend([0x00, 0xF8, 0xE0, 0x07, 0, 0, 0, 0x55]);
        bytes
    }

    #[test]
    fn compressed_blocks_are_unpacked() {
        let opaque = [255; 8];
        let full = [255, 255, 0, 0, 0, 0, 0, 0];
        let half = [128, 128, 0, 0, 0, 0, 0, 0];
        let empty = [0; 8];
        for (kind, alpha, expected) in [
            (*b"DXT1", &[][..], 255),
            (*b"DXT3", &opaque[..], 255),
            (*b"DXT5", &full[..], 255),
            (*b"DXT5", &half[..], 255),
            (*b"DXT5", &empty[..], 255),
        ] {
            let bytes = dds(kind, alpha);
            let image = decode(&bytes, Path::new("a.dds")).expect("a picture");
            assert_eq!((image.width, image.height), (4, 4));
            assert_eq!(image.rgba[..4], [255, 0, 0, expected], "{kind:?}");
            assert_eq!(image.rgba[60..], [0, 255, 0, expected], "{kind:?}");
            assert_eq!(size_of(&bytes[..128], Path::new("a.dds")), Ok([4, 4]));
            assert!(decode(&bytes[..bytes.len() - 1], Path::new("a.dds")).is_err());
        }
        assert!(decode(&dds(*b"DX10", &[]), Path::new("a.dds")).is_err());
    }

    #[test]
    fn damage_is_an_error() {
        assert_eq!(
            decode(b"no picture", Path::new("a.png")),
            Err(ImageError::UnknownFormat)
        );
        assert_eq!(
            decode(b"", Path::new("a.png")),
            Err(ImageError::UnknownFormat)
        );
        assert!(decode(b"", Path::new("a.tga")).is_err());
        let bytes = encoded(ImageFormat::Png, 255);
        for end in 0..bytes.len() - 12 {
            assert!(
                decode(&bytes[..end], Path::new("a.png")).is_err(),
                "{end} bytes"
            );
        }
        // A head that promises 100 000 x 100 000 pixels.
        let mut huge = encoded(ImageFormat::Tga, 255);
        huge[12..16].copy_from_slice(&[255; 4]);
        assert_eq!(
            decode(&huge, Path::new("a.tga")),
            Err(ImageError::TooLarge {
                width: 65_535,
                height: 65_535
            })
        );
    }
}
