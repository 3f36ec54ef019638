//! Texture packages of Quake (WAD2) and Half-Life (WAD3): a directory and pictures with 256 colours (`map-wad-fgd.md` 3).

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::FormatError;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::image::Image;
use crate::formats::palette::Palette;
use crate::formats::palette::TRANSPARENT;

/// The games stop at 512, real packages do not.
const MAX_SIDE: u32 = 4096;

const ENTRY_BYTES: u64 = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WadKind {
    /// Pictures use the game's palette.
    Wad2,
    /// Each picture has its own palette.
    Wad3,
}

impl WadKind {
    /// The type byte of a texture. In a WAD2 the other one is a raw console picture.
    fn texture_type(self) -> u8 {
        match self {
            Self::Wad2 => 0x44,
            Self::Wad3 => 0x43,
        }
    }
}

const PALETTE_TYPE: u8 = 0x40;

/// A texture of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WadEntry {
    /// By the directory; the picture's own name may differ.
    pub name: String,
    pub width: u32,
    pub height: u32,
    offset: usize,
    /// Bytes of the picture that are in the file.
    length: usize,
}

/// An opened package. Pictures are decoded when asked for.
#[derive(Clone, Debug)]
pub struct Wad {
    bytes: Arc<[u8]>,
    kind: WadKind,
    entries: Vec<WadEntry>,
    /// Lower-case names.
    by_name: HashMap<String, usize>,
    palette: Palette,
    problems: Vec<String>,
}

impl Wad {
    /// Reads the directory and the size of each texture. Entries that cannot be used are skipped and listed in
    /// [`Wad::problems`].
    ///
    /// # Errors
    /// No package, or no directory in it.
    pub fn read(bytes: Arc<[u8]>, path: &Path) -> Result<Self, FormatError> {
        let (kind, directory) = directory(&bytes).map_err(|error| error.at(path))?;
        let mut wad = Self {
            bytes,
            kind,
            entries: Vec::new(),
            by_name: HashMap::new(),
            palette: Palette::quake_like(),
            problems: Vec::new(),
        };
        for record in directory {
            wad.add(record);
        }
        Ok(wad)
    }

    /// Pictures of a WAD2 in these colours: the game's own palette.
    #[must_use]
    pub fn with_palette(mut self, palette: Palette) -> Self {
        self.palette = palette;
        self
    }

    #[must_use]
    pub fn kind(&self) -> WadKind {
        self.kind
    }

    /// Textures in the order of the directory.
    #[must_use]
    pub fn entries(&self) -> &[WadEntry] {
        &self.entries
    }

    /// What was skipped, one sentence each.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// By name, without regard to case.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&WadEntry> {
        self.by_name
            .get(&name.to_lowercase())
            .map(|&index| &self.entries[index])
    }

    /// Width and height in pixels, without decoding.
    #[must_use]
    pub fn size(&self, name: &str) -> Option<[u32; 2]> {
        self.entry(name).map(|entry| [entry.width, entry.height])
    }

    /// The picture at full size; `None` when there is none of this name or its pixels are not all there. In `{` textures the
    /// last colour is transparent.
    #[must_use]
    pub fn texture(&self, name: &str) -> Option<Image> {
        let entry = self.entry(name)?;
        let bytes = &self.bytes[entry.offset..entry.offset + entry.length];
        let mut cursor = Cursor::part(bytes, entry.offset as u64);
        let head = head(&mut cursor).ok()?;
        let count = entry.width as usize * entry.height as usize;
        let start = head.levels[0] as usize;
        let indices = bytes.get(start..start.checked_add(count)?)?;
        let own = match self.kind {
            WadKind::Wad2 => None,
            WadKind::Wad3 => Some(own_palette(bytes, &head)?),
        };
        let Palette(colors) = own.as_ref().unwrap_or(&self.palette);
        let is_masked = entry.name.starts_with('{');
        let mut rgba = Vec::with_capacity(count * 4);
        for &index in indices {
            let [red, green, blue] = colors[usize::from(index)];
            rgba.extend([
                red,
                green,
                blue,
                if is_masked && index == TRANSPARENT {
                    0
                } else {
                    255
                },
            ]);
        }
        if is_masked {
            fill_holes(&mut rgba);
        }
        Image::from_rgba(entry.width, entry.height, rgba)
    }

    fn add(&mut self, record: Record) {
        let end = u64::from(record.offset) + u64::from(record.length);
        let is_texture = record.kind == self.kind.texture_type();
        if !is_texture && record.kind != PALETTE_TYPE {
            return;
        }
        if end > self.bytes.len() as u64 {
            self.problems.push(format!(
                "{} ends at byte {end}, past the end of the file",
                record.name
            ));
            return;
        }
        if record.compression != 0 {
            self.problems.push(format!(
                "{} is compressed, which is not supported",
                record.name
            ));
            return;
        }
        let (offset, length) = (record.offset as usize, record.length as usize);
        let bytes = &self.bytes[offset..offset + length];
        if !is_texture {
            if let Some(palette) = Palette::from_bytes(bytes) {
                self.palette = palette;
            }
            return;
        }
        // Real packages hold entries without a name; nothing can ask for them.
        if record.name.is_empty() {
            self.problems
                .push(format!("the texture at byte {offset:#x} has no name"));
            return;
        }
        let head = match head(&mut Cursor::part(bytes, offset as u64)) {
            Ok(head) => head,
            Err(error) => {
                self.problems.push(format!(
                    "{}: {} ({}, byte {:#x})",
                    record.name, error.kind, error.field, error.offset
                ));
                return;
            }
        };
        let index = self.entries.len();
        self.by_name
            .entry(record.name.to_lowercase())
            .or_insert(index);
        self.entries.push(WadEntry {
            name: record.name,
            width: head.width,
            height: head.height,
            offset,
            length,
        });
    }
}

/// A row of the directory.
struct Record {
    offset: u32,
    length: u32,
    kind: u8,
    compression: u8,
    name: String,
}

fn directory(bytes: &[u8]) -> Read<(WadKind, Vec<Record>)> {
    let mut cursor = Cursor::new(bytes);
    let kind = match cursor.bytes("magic", 4)? {
        b"WAD2" => WadKind::Wad2,
        b"WAD3" => WadKind::Wad3,
        _ => {
            return Err(ReadError {
                offset: 0,
                field: "magic",
                kind: ErrorKind::WrongMagic("a WAD2 or WAD3"),
            });
        }
    };
    let count_at = cursor.offset();
    let count = u64::from(cursor.u32("entry count")?);
    let start_at = cursor.offset();
    let start = u64::from(cursor.u32("directory offset")?);
    let file_bytes = bytes.len() as u64;
    if start > file_bytes {
        let kind = ErrorKind::Bad(format!(
            "the directory would begin at byte {start}, past the end of the file"
        ));
        return Err(ReadError {
            offset: start_at,
            field: "directory offset",
            kind,
        });
    }
    if count * ENTRY_BYTES > file_bytes - start {
        return Err(ReadError {
            offset: count_at,
            field: "entry count",
            kind: ErrorKind::CountTooLarge { count },
        });
    }
    let mut cursor = Cursor::part(&bytes[start as usize..], start);
    let records = (0..count)
        .map(|_| {
            let offset = cursor.u32("entry offset")?;
            let length = cursor.u32("entry size on disk")?;
            cursor.skip("entry size", 4)?;
            let kind = cursor.u8("entry type")?;
            let compression = cursor.u8("entry compression")?;
            cursor.skip("entry padding", 2)?;
            let name = name(cursor.bytes("entry name", 16)?);
            Ok(Record {
                offset,
                length,
                kind,
                compression,
                name,
            })
        })
        .collect::<Read<_>>()?;
    Ok((kind, records))
}

/// The fixed part of a picture.
struct Head {
    width: u32,
    height: u32,
    /// Of the four sizes, from the start of the picture.
    levels: [u32; 4],
}

fn head(cursor: &mut Cursor<'_>) -> Read<Head> {
    cursor.skip("texture name", 16)?;
    let offset = cursor.offset();
    let (width, height) = (cursor.u32("texture width")?, cursor.u32("texture height")?);
    if ![width, height]
        .iter()
        .all(|side| (1..=MAX_SIDE).contains(side))
    {
        let kind = ErrorKind::Bad(format!("{width} x {height} pixels are not possible"));
        return Err(ReadError {
            offset,
            field: "texture size",
            kind,
        });
    }
    let mut levels = [0; 4];
    for level in &mut levels {
        *level = cursor.u32("texture offset")?;
    }
    Ok(Head {
        width,
        height,
        levels,
    })
}

/// Behind the smallest size, whose sides are rounded down: a count, then the colours.
fn own_palette(bytes: &[u8], head: &Head) -> Option<Palette> {
    let smallest = u64::from(head.width / 8) * u64::from(head.height / 8);
    let at = usize::try_from(u64::from(head.levels[3]) + smallest).ok()?;
    let count = bytes.get(at..at.checked_add(2)?)?;
    let count = usize::from(u16::from_le_bytes([count[0], count[1]])).min(256);
    Palette::from_bytes(bytes.get(at + 2..at + 2 + count * 3)?)
}

/// Transparent pixels take the mean of the others, so that filtering draws no rim of their key colour.
fn fill_holes(rgba: &mut [u8]) {
    let (mut sum, mut count) = ([0u64; 3], 0u64);
    for pixel in rgba.chunks_exact(4).filter(|pixel| pixel[3] != 0) {
        for (sum, &channel) in sum.iter_mut().zip(pixel) {
            *sum += u64::from(channel);
        }
        count += 1;
    }
    let mean = sum.map(|sum| sum.checked_div(count).unwrap_or(0) as u8);
    for pixel in rgba.chunks_exact_mut(4).filter(|pixel| pixel[3] == 0) {
        pixel[..3].copy_from_slice(&mean);
    }
}

fn name(bytes: &[u8]) -> String {
    let end = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    encoding_rs::WINDOWS_1252
        .decode_without_bom_handling(&bytes[..end])
        .0
        .into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A package with one picture whose pixels are their own number modulo 256, colour i being (i, 255 - i, 7).
    fn package(kind: WadKind, entry_name: &str, width: u32, height: u32) -> Vec<u8> {
        let mut picture = vec![0; 16];
        picture.extend(width.to_le_bytes());
        picture.extend(height.to_le_bytes());
        let mut at = 40;
        let sizes = [1, 2, 4, 8].map(|part| (width / part) * (height / part));
        for size in sizes {
            picture.extend(u32::to_le_bytes(at));
            at += size;
        }
        picture.extend((0..sizes.iter().sum::<u32>()).map(|index| index as u8));
        if kind == WadKind::Wad3 {
            picture.extend(256u16.to_le_bytes());
            picture.extend((0..=255u8).flat_map(|index| [index, 255 - index, 7]));
            picture.extend([0; 2]);
        }
        let mut bytes = if kind == WadKind::Wad2 {
            b"WAD2".to_vec()
        } else {
            b"WAD3".to_vec()
        };
        bytes.extend(1u32.to_le_bytes());
        bytes.extend((12 + picture.len() as u32).to_le_bytes());
        bytes.extend(&picture);
        bytes.extend(12u32.to_le_bytes());
        bytes.extend((picture.len() as u32).to_le_bytes());
        bytes.extend((picture.len() as u32).to_le_bytes());
        bytes.extend([kind.texture_type(), 0, 0, 0]);
        let mut field = [0; 16];
        field[..entry_name.len()].copy_from_slice(entry_name.as_bytes());
        bytes.extend(field);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Wad, FormatError> {
        Wad::read(bytes.into(), Path::new("test.wad"))
    }

    #[test]
    fn names_compare_without_case_and_palettes_are_found() {
        // Sides that are not multiples of 8: the palette does not lie at w * h / 64.
        for (width, height) in [(16, 16), (20, 12), (356, 36)] {
            let wad = read(&package(WadKind::Wad3, "Crate1", width, height)).expect("sound");
            assert_eq!(wad.size("CRATE1"), Some([width, height]));
            let image = wad.texture("crate1").expect("sound");
            assert_eq!(
                (image.width, image.height, image.has_alpha),
                (width, height, false)
            );
            assert_eq!(
                image.rgba[4 * 5..4 * 5 + 4],
                [5, 250, 7, 255],
                "{width} x {height}"
            );
        }
        let wad = read(&package(WadKind::Wad2, "floor", 32, 32))
            .expect("sound")
            .with_palette(Palette([[9, 8, 7]; 256]));
        assert_eq!(
            wad.texture("floor").expect("sound").rgba[..4],
            [9, 8, 7, 255]
        );
        assert!(wad.texture("wall").is_none());
    }

    #[test]
    fn the_last_colour_of_holes_is_transparent() {
        let wad = read(&package(WadKind::Wad3, "{grate", 16, 16)).expect("sound");
        let image = wad.texture("{GRATE").expect("sound");
        assert!(image.has_alpha);
        assert_eq!(
            image.rgba[255 * 4..],
            [127, 128, 7, 0],
            "the mean of the opaque ones"
        );
        assert_eq!(image.rgba[254 * 4 + 3], 255);
    }

    #[test]
    fn damage_is_refused_or_skipped() {
        let good = package(WadKind::Wad3, "a", 16, 16);
        let directory = good.len() - 32;
        let changed = |at: usize, bytes: &[u8]| {
            let mut copy = good.clone();
            copy[at..at + bytes.len()].copy_from_slice(bytes);
            read(&copy)
        };
        assert_eq!(changed(0, b"PACK").expect_err("magic").field, "magic");
        assert_eq!(
            changed(4, &[255; 4]).expect_err("count").field,
            "entry count"
        );
        assert_eq!(
            changed(8, &[255; 4]).expect_err("directory").field,
            "directory offset"
        );
        for (at, bytes) in [
            (directory, [255u8; 4]),
            (directory + 4, [255; 4]),
            (directory + 12, [0x43, 1, 0, 0]),
            (28, [0; 4]),
            (32, [255; 4]),
        ] {
            let wad = changed(at, &bytes).expect("the others would still be there");
            assert_eq!(
                (wad.entries().len(), wad.problems().len()),
                (0, 1),
                "byte {at}: {:?}",
                wad.problems()
            );
        }
        // Another type is no texture and no problem.
        let wad = changed(directory + 12, &[0x42]).expect("sound");
        assert_eq!((wad.entries().len(), wad.problems().len()), (0, 0));
        for end in 0..good.len() {
            assert!(read(&good[..end]).is_err(), "{end} bytes");
        }
    }

    /// Counts and broken files as the index of the corpus tells; every texture decodes.
    #[test]
    fn corpus_packages_give_their_textures() {
        let folder = std::env::var_os("MAPWRIGHT_CORPUS").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
            std::path::PathBuf::from,
        );
        let folder = folder.join("wad");
        let Ok(index) = std::fs::read_to_string(folder.join("README.md")) else {
            eprintln!("skipped: there is no corpus at {}", folder.display());
            return;
        };
        let mut checked = 0;
        for line in index.lines().filter(|line| line.contains(".wad |")) {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let bytes =
                std::fs::read(folder.join(cells[0])).expect("the index names files that exist");
            let wad = read(&bytes);
            checked += 1;
            if cells[4].contains("directory broken") {
                assert!(wad.is_err(), "{}", cells[0]);
                continue;
            }
            let wad = wad.unwrap_or_else(|error| panic!("{error}"));
            let count: usize = cells[4]
                .split([',', ' '])
                .find_map(|word| word.parse().ok())
                .expect("a count of entries");
            assert_eq!(
                wad.entries().len() + wad.problems().len(),
                count,
                "{}: {:?}",
                cells[0],
                wad.problems()
            );
            assert_eq!(
                wad.problems().is_empty(),
                !cells[0].starts_with("bad-"),
                "{}: {:?}",
                cells[0],
                wad.problems()
            );
            for entry in wad.entries() {
                let image = wad
                    .texture(&entry.name.to_lowercase())
                    .unwrap_or_else(|| panic!("{} of {}", entry.name, cells[0]));
                assert_eq!(wad.size(&entry.name), Some([image.width, image.height]));
                assert!(
                    entry.name.starts_with('{') || !image.has_alpha,
                    "{}",
                    entry.name
                );
            }
        }
        assert!(checked >= 11, "{checked} packages");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 256, ..ProptestConfig::default() })]
        #[test]
        fn any_changed_bytes_are_survived(changes in proptest::collection::vec((0usize..1170, any::<u8>()), 1..6)) {
            let mut bytes = package(WadKind::Wad3, "{a", 16, 16);
            for (at, byte) in changes {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            if let Ok(wad) = read(&bytes) {
                for entry in wad.entries().to_vec() {
                    prop_assert!(wad.texture(&entry.name).is_none_or(|image| image.rgba.len() as u64 == u64::from(image.width) * u64::from(image.height) * 4));
                }
            }
        }
    }
}
