//! Pixels of a package to a picture (`unr.md` 11), and what a surface makes of it.

use std::path::Path;
use std::sync::OnceLock;

use crate::formats::image;
use crate::formats::image::Image;
use crate::formats::unr::texture::PixelFormat;
use crate::formats::unr::texture::Pixels;
use crate::formats::unr::texture_name::Look;
use crate::formats::unr::texture_package::Colors;

/// The number in a palette that is a hole where something is masked.
const HOLE: u8 = 0;

/// A picture of one colour is at most so large on a side: nothing of a larger one could be told apart.
const MAX_PLAIN: u32 = 256;

/// Decodes the pixels at [`Pixels::range`]. `is_masked`: colour 0 of the palette is a hole. `colors`: the palette, for pixels that
/// need one.
///
/// # Errors
/// A sentence without the texture's name.
pub fn decode(
    pixels: &Pixels,
    bytes: &[u8],
    colors: Option<&Colors>,
    is_masked: bool,
) -> Result<Image, String> {
    let [width, height] = pixels.size;
    if bytes.len() as u64 != pixels.format.bytes(pixels.size) {
        return Err("its pixels are not all there".to_owned());
    }
    let rgba = match pixels.format {
        PixelFormat::Palette => {
            let colors = colors.ok_or("its palette is not there")?;
            let mut table = colors.map(|[red, green, blue]| [red, green, blue, 255]);
            if is_masked {
                table[usize::from(HOLE)][3] = 0;
            }
            let texels = bytes.iter().map(|&index| table[usize::from(index)]);
            texels.collect::<Vec<_>>().into_flattened()
        }
        PixelFormat::Rgb565 => {
            let texels = bytes.as_chunks().0.iter();
            let texels = texels.map(|&texel| of_565(u16::from_le_bytes(texel)));
            texels.collect::<Vec<_>>().into_flattened()
        }
        PixelFormat::Rgb8 => {
            let texels = bytes.as_chunks().0.iter();
            let texels = texels.map(|&[red, green, blue]| [red, green, blue, 255]);
            texels.collect::<Vec<_>>().into_flattened()
        }
        PixelFormat::Bgra8 => {
            let texels = bytes.as_chunks().0.iter();
            let texels = texels.map(|&[blue, green, red, alpha]| [red, green, blue, alpha]);
            texels.collect::<Vec<_>>().into_flattened()
        }
        PixelFormat::Dxt1 | PixelFormat::Dxt3 | PixelFormat::Dxt5 => {
            let mut picture = blocks(pixels, bytes)?;
            if pixels.format == PixelFormat::Dxt1 && !is_masked {
                picture
                    .rgba
                    .iter_mut()
                    .skip(3)
                    .step_by(4)
                    .for_each(|alpha| *alpha = 255);
                picture.has_alpha = false;
            }
            return Ok(picture);
        }
    };
    Image::from_rgba(width, height, rgba).ok_or_else(|| "its pixels are not all there".to_owned())
}

fn of_565(texel: u16) -> [u8; 4] {
    let part = |shift: u32, bits: u32| {
        let most = (1u32 << bits) - 1;
        ((u32::from(texel) >> shift & most) * 255 / most) as u8
    };
    [part(11, 5), part(5, 6), part(0, 5), 255]
}

/// Blocks go through the reader of DDS files.
fn blocks(pixels: &Pixels, bytes: &[u8]) -> Result<Image, String> {
    let kind = match pixels.format {
        PixelFormat::Dxt3 => *b"DXT3",
        PixelFormat::Dxt5 => *b"DXT5",
        _ => *b"DXT1",
    };
    // Whole blocks: smaller pictures are cut out of them.
    let [width, height] = pixels.size.map(|side| side.next_multiple_of(4));
    let mut file = b"DDS ".to_vec();
    let head = [124, 0x1007, height, width, bytes.len() as u32, 0, 0];
    let format = [32, 4, u32::from_le_bytes(kind), 0, 0, 0, 0, 0];
    let words = head.into_iter().chain([0; 11]).chain(format);
    for word in words.chain([0x1000, 0, 0, 0, 0]) {
        file.extend(word.to_le_bytes());
    }
    file.extend(bytes);
    let whole =
        image::decode(&file, Path::new("texture.dds")).map_err(|fault| fault.to_string())?;
    if [width, height] == pixels.size {
        return Ok(whole);
    }
    let [wanted, rows] = pixels.size.map(|side| side as usize);
    let row = whole.width as usize * 4;
    let cut = whole
        .rgba
        .chunks_exact(row)
        .take(rows)
        .flat_map(|row| &row[..wanted * 4])
        .copied();
    Image::from_rgba(pixels.size[0], pixels.size[1], cut.collect())
        .ok_or_else(|| "its blocks are not all there".to_owned())
}

/// Stands for a texture that is computed: one colour, in the texture's proportions.
#[must_use]
pub fn plain(color: [u8; 3], size: [u32; 2]) -> Image {
    let [red, green, blue] = color;
    let [width, height] = size.map(|side| side.clamp(1, MAX_PLAIN));
    let rgba = [red, green, blue, 255].repeat(width as usize * height as usize);
    Image {
        width,
        height,
        rgba,
        has_alpha: false,
    }
}

/// The picture as a surface shows it; holes are there already.
#[must_use]
pub fn with_look(mut picture: Image, look: Look) -> Image {
    let texel: fn([u8; 4]) -> [u8; 4] = match look {
        Look::Plain | Look::Masked => return picture,
        Look::Translucent => translucent,
        Look::Modulated => modulated,
    };
    for bytes in picture.rgba.as_chunks_mut::<4>().0 {
        *bytes = texel(*bytes);
    }
    picture.has_alpha = picture.rgba.chunks_exact(4).any(|texel| texel[3] != 255);
    picture
}

/// The game adds: `behind + own - behind * own` in encoded light. Blending covers instead, in linear light, so the brightest part
/// tells how much, and the colour is that much stronger.
fn translucent([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    let brightest = red.max(green).max(blue);
    let cover = 1.0 - linear(255 - brightest);
    let color = [red, green, blue].map(|part| encoded(linear(part) / cover.max(1.0 / 255.0)));
    let cover = (cover * f32::from(alpha)).round() as u8;
    [color[0], color[1], color[2], cover]
}

/// The game multiplies what is behind by twice the texel. Blending can only cover: with black where it darkens, with a veil of the
/// texel's hue where a part of it stays, with white where it brightens. What is behind is taken to be of middling brightness.
fn modulated([red, green, blue, _]: [u8; 4]) -> [u8; 4] {
    const BEHIND: f32 = 0.2;
    let factors = [red, green, blue].map(|part| {
        let twice = f32::from(part) * 2.0 / 255.0;
        twice.powf(2.2)
    });
    let least = factors[0].min(factors[1]).min(factors[2]);
    // Within a step of clear.
    if factors.iter().all(|factor| (factor - 1.0).abs() < 0.02) {
        return [0, 0, 0, 0];
    }
    if least >= 1.0 {
        let veil = (BEHIND * (least - 1.0) / (1.0 - BEHIND)).min(0.6);
        return [255, 255, 255, (veil * 255.0).round() as u8];
    }
    let cover = 1.0 - least;
    let [red, green, blue] = factors.map(|factor| encoded(BEHIND * (factor - least) / cover));
    [red, green, blue, (cover * 255.0).round() as u8]
}

/// An sRGB byte as light.
fn linear(byte: u8) -> f32 {
    static TABLE: OnceLock<[f32; 256]> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        std::array::from_fn(|byte| {
            let c = byte as f32 / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        })
    });
    table[usize::from(byte)]
}

fn encoded(light: f32) -> u8 {
    let c = if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * light.min(1.0).powf(1.0 / 2.4) - 0.055
    };
    (c * 255.0).round() as u8
}
