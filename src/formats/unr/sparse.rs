//! The parts of a package's file that tell what is in it, without its pixels, sounds and code: a game's folders hold hundreds of
//! megabytes of these.

use std::ops::Range;
use std::sync::Arc;

use crate::formats::unr::compact::compact_count;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::Tables;
use crate::formats::unr::texture::SKIP_SINCE;
use crate::formats::unr::texture::is_texture_class;

/// What to read of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// Names, imports and exports.
    Tables,
    /// And whatever [`TexturePackage::read`](crate::formats::unr::texture_package::TexturePackage::read) looks at.
    Textures,
}

/// Reads at first: the header, and as a rule all names.
const HEAD: usize = 64 << 10;

/// Imports and exports end the file; if there is more behind their beginning, the file is made otherwise.
const MAX_TABLES: usize = 8 << 20;

/// The properties of a texture and the beginning of its pixels are as a rule much shorter.
const LEAD: usize = 1 << 10;

/// Larger pixels are worth being passed over.
const LARGE: u64 = 16 << 10;

/// Parts that lie over each other are read again and again; so many times the file's size at most.
const MAX_READ: usize = 4;

/// As many bytes as the file has. Where nothing of `parts` lies they are zeros that cost no memory. `fill` reads the bytes at a
/// place of the file. What is made in no usual way is read as a whole.
///
/// # Errors
/// Those of `fill`.
pub fn bytes_of<E>(
    size: usize,
    parts: Parts,
    fill: impl FnMut(u64, &mut [u8]) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let mut file = Partial {
        bytes: vec![0; size],
        left: size.saturating_mul(MAX_READ),
        fill,
    };
    if size <= 2 * HEAD || !file.read_parts(parts)? {
        file.read(0..size)?;
    }
    Ok(file.bytes)
}

struct Partial<F> {
    bytes: Vec<u8>,
    /// How much may still be read.
    left: usize,
    fill: F,
}

impl<E, F: FnMut(u64, &mut [u8]) -> Result<(), E>> Partial<F> {
    /// `range` lies within the file.
    fn read(&mut self, range: Range<usize>) -> Result<(), E> {
        let start = range.start as u64;
        self.left = self.left.saturating_sub(range.len());
        match self.bytes.get_mut(range) {
            Some(part) if !part.is_empty() => (self.fill)(start, part),
            _ => Ok(()),
        }
    }

    /// `false`: the whole file must be read.
    fn read_parts(&mut self, parts: Parts) -> Result<bool, E> {
        let Some(tables) = self.read_tables()? else {
            return Ok(false);
        };
        if parts == Parts::Tables {
            return Ok(true);
        }
        for (export, record) in tables.exports.iter().enumerate() {
            let class = tables.class_name(export);
            let is_palette = class.eq_ignore_ascii_case("Palette");
            if !is_palette && !is_texture_class(class) {
                continue;
            }
            let start = record.offset as usize;
            let end = start + record.size as usize;
            if end > self.bytes.len() || self.left < end - start {
                return Ok(false);
            }
            if is_palette || u64::from(record.size) <= LARGE {
                self.read(start..end)?;
                continue;
            }
            self.read(start..start + LEAD)?;
            let package = Package {
                bytes: &self.bytes,
                tables: Arc::clone(&tables),
            };
            let lead_end = (start + LEAD) as u64;
            match first_pixels(&package, export).filter(|pixels| pixels.start <= lead_end) {
                Some(pixels) if pixels.end - pixels.start > LARGE => {
                    self.read(pixels.end as usize..end)?;
                }
                _ => self.read(start + LEAD..end)?,
            }
        }
        Ok(true)
    }

    /// `None`: the whole file must be read.
    fn read_tables(&mut self) -> Result<Option<Arc<Tables>>, E> {
        let size = self.bytes.len();
        let mut head = HEAD;
        self.read(0..head)?;
        // Imports and exports; the header says where they are.
        let offset_at = |at: usize| {
            let bytes = self.bytes[..HEAD].get(at..at + 4);
            bytes.map_or(0, |bytes| {
                u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
            })
        };
        let (names, tables) = (offset_at(16), offset_at(24).min(offset_at(32)));
        if names >= HEAD || tables < HEAD || tables > size || size - tables > MAX_TABLES {
            return Ok(None);
        }
        self.read(tables..size)?;
        loop {
            let Ok(package) = Package::read(&self.bytes) else {
                return Ok(None);
            };
            let header = &package.tables.header;
            if header.header_end > HEAD as u64 {
                return Ok(None);
            }
            if header.name_end <= head as u64 {
                return Ok(Some(package.tables));
            }
            // The names beyond were zeros.
            let next = (head * 4).min(size);
            if next == head {
                return Ok(None);
            }
            self.read(head..next)?;
            head = next;
        }
    }
}

/// Where the pixels of a texture's largest size lie; `None` where that cannot be said before they are read.
fn first_pixels(package: &Package<'_>, export: usize) -> Option<Range<u64>> {
    let (_, mut cursor) = package.object(export).ok()?;
    let cursor = &mut cursor;
    if cursor.u8("mip count").ok()? == 0 {
        return None;
    }
    let version = package.version();
    // One version before the first readers disagree.
    if version + 1 == SKIP_SINCE {
        return None;
    }
    if version >= SKIP_SINCE {
        cursor.u32("mip end").ok()?;
    }
    let bytes = compact_count(cursor, "mip bytes", 1).ok()?;
    let start = cursor.offset();
    Some(start..start + bytes as u64)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::formats::unr::made_package::MadePackage;
    use crate::formats::unr::made_package::MadeValue as V;
    use crate::formats::unr::texture_package::TexturePackage;

    /// The bytes, and how many were read.
    fn read_of(file: &[u8], parts: Parts) -> (Vec<u8>, usize) {
        let mut count = 0;
        let read = bytes_of(file.len(), parts, |at, part| {
            count += part.len();
            part.copy_from_slice(&file[at as usize..at as usize + part.len()]);
            Ok::<(), Infallible>(())
        });
        let Ok(read) = read;
        (read, count)
    }

    fn package(version: u16, names: usize, textures: usize) -> Vec<u8> {
        let mut made = MadePackage::new(version);
        let palette = made.palette(0, "Palette0", 7);
        for number in 0..names {
            made.import("Package", 0, &format!("SomethingWithALongName{number}"));
        }
        for number in 0..textures {
            // Large, small, and large with more properties than are read at first.
            let mut properties = vec![("Palette", V::Object(palette)), ("USize", V::Int(9))];
            if number % 3 == 2 {
                properties.extend([("Filler", V::Float(1.0)); 400]);
            }
            let side = if number % 3 == 1 { 16 } else { 256 };
            let name = format!("Wall{number}");
            made.texture("Texture", 0, &name, [side, side], &properties);
        }
        made.bytes()
    }

    #[test]
    fn textures_come_out_alike_and_pixels_are_passed_over() {
        for version in [61, 62, 63, 69] {
            for (names, textures) in [(0, 1), (3, 24), (3000, 24)] {
                let file = package(version, names, textures);
                let (read, count) = read_of(&file, Parts::Textures);
                let whole = Package::read(&file).expect("sound");
                let part = Package::read(&read).expect("sound");
                let expected = TexturePackage::read(&whole, "A");
                assert_eq!(TexturePackage::read(&part, "A"), expected);
                assert_eq!(expected.textures.len(), textures);
                assert!(expected.problems.is_empty(), "{:?}", expected.problems);
                let is_spared = textures > 1 && version != 62;
                assert_eq!(count < file.len() * 9 / 10, is_spared, "{version} {names}");
                let (read, count) = read_of(&file, Parts::Tables);
                let part = Package::read(&read).expect("sound");
                assert_eq!(part.tables.exports, whole.tables.exports);
                assert_eq!(part.tables.names, whole.tables.names);
                assert_eq!(count < file.len() / 2, textures > 1, "{version} {names}");
            }
        }
    }

    #[test]
    fn what_is_no_package_is_read_as_it_is() {
        let noise: Vec<u8> = (0..400_000u32).map(|number| (number * 7) as u8).collect();
        let mut damaged = package(69, 3, 24);
        let end = damaged.len();
        damaged.truncate(end - 3);
        for file in [noise, damaged, vec![1; 5], Vec::new()] {
            assert!(read_of(&file, Parts::Textures).0 == file);
            assert!(read_of(&file, Parts::Tables).0 == file);
        }
    }
}
