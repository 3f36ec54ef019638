//! One texture of a package: what its properties say, and where its pixels lie (`unr.md` 11). No pixel is decoded here.

use std::ops::Range;

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::unr::compact::compact_count;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::flag;

/// What can be known of a texture without its pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureInfo {
    /// `Package.Group.Name` as the package spells it.
    pub name: String,
    /// Texels of the full-size picture: what pans and texture axes count in. 0 where nothing tells.
    pub size: [u32; 2],
    /// One texel covers so many units where an axis is of length 1.
    pub draw_scale: f32,
    /// Bits of [`flag`] that a surface with this texture has besides its own.
    pub flags: u32,
    /// Mean colour, red, green, blue.
    pub mip_zero: Option<[u8; 3]>,
    /// The game computes it; there are no pixels in the file.
    pub is_procedural: bool,
}

/// How pixels are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelFormat {
    /// A number of the palette for each texel.
    Palette,
    /// 5, 6 and 5 bits.
    Rgb565,
    /// Blocks of 4 x 4 texels in 8 bytes.
    Dxt1,
    /// Red, green, blue.
    Rgb8,
    /// Blue, green, red, alpha.
    Bgra8,
    /// Blocks of 4 x 4 texels in 16 bytes.
    Dxt3,
    Dxt5,
}

impl PixelFormat {
    /// By the number in the file. `None`: not known here.
    #[must_use]
    pub fn of(number: u8) -> Option<Self> {
        Some(match number {
            0 => Self::Palette,
            2 => Self::Rgb565,
            3 => Self::Dxt1,
            4 => Self::Rgb8,
            5 => Self::Bgra8,
            6 => Self::Dxt3,
            7 => Self::Dxt5,
            _ => return None,
        })
    }

    /// Of a picture of this size.
    #[must_use]
    pub fn bytes(self, [width, height]: [u32; 2]) -> u64 {
        let texels = u64::from(width) * u64::from(height);
        let blocks = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4));
        match self {
            Self::Palette => texels,
            Self::Rgb565 => texels * 2,
            Self::Rgb8 => texels * 3,
            Self::Bgra8 => texels * 4,
            Self::Dxt1 => blocks * 8,
            Self::Dxt3 | Self::Dxt5 => blocks * 16,
        }
    }
}

/// The pixels of the largest size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    pub format: PixelFormat,
    pub size: [u32; 2],
    /// Where they lie in the file.
    pub range: Range<u64>,
}

/// What follows the properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextureData {
    /// The best first: with a palette, then what a patched engine put behind it.
    pub pixels: Vec<Pixels>,
    /// Sizes in the file, each half of the one before.
    pub mips: usize,
    /// Sizes of the second list.
    pub compressed_mips: usize,
    /// Of a `FireTexture`.
    pub sparks: usize,
    /// Why pixels that are there cannot be used.
    pub fault: Option<String>,
    /// Bytes that nothing explains.
    pub left: usize,
}

/// Width and height as the file tells them; larger ones are not read.
const MAX_SIDE: u32 = 8192;

/// Version from which each size is led in by the place behind its bytes.
pub(super) const SKIP_SINCE: u16 = 63;

/// Version from which the second list has these places too.
const SKIP_IN_SECOND_SINCE: u16 = 68;

/// One size of a list.
struct Mip {
    size: [u32; 2],
    range: Range<u64>,
}

impl TextureData {
    /// Reads what follows the properties, to the end of the object.
    ///
    /// # Errors
    /// When it ends too soon, or a place in it is wrong.
    pub fn read(
        cursor: &mut Cursor<'_>,
        version: u16,
        class: &str,
        properties: &Properties,
    ) -> Read<Self> {
        let mut data = Self::default();
        let (first, count) = mips(cursor, version, SKIP_SINCE)?;
        data.mips = count;
        data.take(first, properties.byte("Format").unwrap_or(0));
        if class.eq_ignore_ascii_case("FireTexture") && !cursor.is_at_end() {
            data.sparks = compact_count(cursor, "spark count", 8)?;
            cursor.skip("sparks", data.sparks * 8)?;
        }
        if properties.bool("bHasComp") == Some(true) && !cursor.is_at_end() {
            let (first, count) = mips(cursor, version, SKIP_IN_SECOND_SINCE)?;
            data.compressed_mips = count;
            data.take(first, properties.byte("CompFormat").unwrap_or(0));
        }
        data.left = cursor.left();
        Ok(data)
    }

    fn take(&mut self, mip: Option<Mip>, number: u8) {
        let Some(Mip { size, range }) = mip else {
            return;
        };
        let bytes = range.end - range.start;
        if bytes == 0 {
            return;
        }
        let [width, height] = size;
        let Some(format) = PixelFormat::of(number) else {
            self.fault = Some(format!("pixels of the unknown format {number}"));
            return;
        };
        let is_possible = size.iter().all(|side| (1..=MAX_SIDE).contains(side));
        if !is_possible || format.bytes(size) != bytes {
            self.fault = Some(format!(
                "{bytes} bytes do not make {width} x {height} pixels"
            ));
            return;
        }
        self.pixels.push(Pixels {
            format,
            size,
            range,
        });
    }
}

/// A list of sizes: the first, and how many there are. `skip_since`: version from which each is led in by a place; one version
/// before, readers disagree, so each size decides.
fn mips(cursor: &mut Cursor<'_>, version: u16, skip_since: u16) -> Read<(Option<Mip>, usize)> {
    let count = usize::from(cursor.u8("mip count")?);
    let mut first = None;
    for _ in 0..count {
        let mip = if version >= skip_since {
            mip(cursor, true)?
        } else if version == skip_since - 1 {
            let mut with = cursor.clone();
            if let Ok(mip) = mip(&mut with, true) {
                *cursor = with;
                mip
            } else {
                mip(cursor, false)?
            }
        } else {
            mip(cursor, false)?
        };
        first.get_or_insert(mip);
    }
    Ok((first, count))
}

fn mip(cursor: &mut Cursor<'_>, has_skip: bool) -> Read<Mip> {
    let skip = if has_skip {
        Some((cursor.offset(), cursor.u32("mip end")?))
    } else {
        None
    };
    let bytes = compact_count(cursor, "mip bytes", 1)?;
    let start = cursor.offset();
    cursor.skip("mip", bytes)?;
    let end = cursor.offset();
    if let Some((offset, told)) = skip
        && u64::from(told) != end
    {
        let text = format!("the bytes end at {end:#x}, not at {told:#x}");
        return Err(crate::formats::ReadError {
            offset,
            field: "mip end",
            kind: ErrorKind::Bad(text),
        });
    }
    let size = [cursor.u32("mip width")?, cursor.u32("mip height")?];
    cursor.skip("mip bits", 2)?;
    Ok(Mip {
        size,
        range: start..end,
    })
}

/// Properties that say what every surface with the texture is.
const FLAGS: &[(&str, u32)] = &[
    ("bInvisible", flag::INVISIBLE),
    ("bMasked", flag::MASKED),
    ("bTransparent", flag::TRANSLUCENT),
    ("bNotSolid", flag::NOT_SOLID),
    ("bEnvironment", flag::ENVIRONMENT),
    ("bSemisolid", flag::SEMISOLID),
    ("bModulate", flag::MODULATED),
    ("bModulated", flag::MODULATED),
    ("bFakeBackdrop", flag::FAKE_BACKDROP),
    ("bTwoSided", flag::TWO_SIDED),
    ("bAutoUPan", flag::AUTO_U_PAN),
    ("bAutoVPan", flag::AUTO_V_PAN),
    ("bNoSmooth", flag::NO_SMOOTH),
    ("bSmallWavy", flag::SMALL_WAVY),
    ("bCloudWavy", flag::CLOUD_WAVY),
    ("bSpecialLit", flag::SPECIAL_LIT),
    ("bUnlit", flag::UNLIT),
    ("bPortal", flag::PORTAL),
    ("bMirrored", flag::MIRROR),
];

/// Classes whose pixels the game computes.
const PROCEDURAL: [&str; 7] = [
    "FractalTexture",
    "FireTexture",
    "WaterTexture",
    "WaveTexture",
    "WetTexture",
    "IceTexture",
    "ScriptedTexture",
];

/// Whether objects of this class are read as textures.
#[must_use]
pub fn is_texture_class(class: &str) -> bool {
    class.eq_ignore_ascii_case("Texture") || is_procedural_class(class)
}

fn is_procedural_class(class: &str) -> bool {
    PROCEDURAL
        .iter()
        .any(|known| known.eq_ignore_ascii_case(class))
}

impl TextureInfo {
    /// Units that one repeat covers where axes are of length 1. `None` where nothing tells.
    #[must_use]
    pub fn drawn_size(&self) -> Option<[u32; 2]> {
        let drawn = |side: u32| ((side as f32 * self.draw_scale).round() as u32).max(1);
        let is_told = self.size.iter().all(|side| *side > 0);
        is_told.then(|| self.size.map(drawn))
    }

    /// `size`: of the largest stored size, for what does not tell its own.
    #[must_use]
    pub fn new(name: String, class: &str, properties: &Properties, size: Option<[u32; 2]>) -> Self {
        let stored = ["USize", "VSize"].map(|side| {
            let side = properties.int(side)?;
            u32::try_from(side).ok().filter(|&side| side > 0)
        });
        let flags = FLAGS
            .iter()
            .filter(|(name, _)| properties.bool(name) == Some(true))
            .fold(0, |flags, (_, bit)| flags | bit);
        let draw_scale = properties.float("DrawScale");
        Self {
            name,
            size: match stored {
                [Some(width), Some(height)] => [width, height],
                _ => size.unwrap_or_default(),
            },
            draw_scale: draw_scale
                .filter(|scale| scale.is_finite() && *scale > 0.0)
                .unwrap_or(1.0),
            flags,
            mip_zero: match properties.get("MipZero") {
                Some(&Value::Color([red, green, blue, _])) => Some([red, green, blue]),
                _ => None,
            },
            is_procedural: is_procedural_class(class),
        }
    }
}
