//! The file as a list of chunks (`hmap.md` 1): header, index, stray bytes, and the fields all chunks are made of.

use std::borrow::Cow;

use glam::Vec2;
use glam::Vec3;

use super::findings::Findings;
use crate::compiler::Box3;
use crate::compiler::Plane3;
use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::geometry::Uv;

pub(super) const MAGIC: &[u8; 4] = b"HMAP";
pub(super) const VERSION: u32 = 1;
/// Header bit: has `BRSH` or `MESH`.
pub(super) const HAS_SOURCE: u32 = 1;
/// Header bit: has `CMPL`.
pub(super) const HAS_COMPILED: u32 = 2;

pub(super) const BASE: [[u8; 4]; 6] = [*b"META", *b"MATS", *b"BRSH", *b"MESH", *b"ENTS", *b"CMPL"];
pub(super) const EXTENSIONS: [[u8; 4]; 12] = [
    *b"PRVW", *b"LAYR", *b"VIEW", *b"PATH", *b"UVAX", *b"BVTX", *b"TEXS", *b"ORIG", *b"CMPX",
    *b"LMAP", *b"PVS ", *b"SUMS",
];

/// A chunk's tag for a sentence.
pub(super) fn tag_text(tag: [u8; 4]) -> String {
    String::from_utf8_lossy(&tag).into_owned()
}

/// One chunk of the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk<'a> {
    pub tag: [u8; 4],
    /// Offset of its tag; the payload begins 8 bytes later.
    pub at: u64,
    pub payload: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// A reader of its payload. `lenient`: see [`Fields`].
    pub fn fields(&self, lenient: bool) -> Fields<'a> {
        Fields {
            cursor: Cursor::part(self.payload, self.at + 8),
            lenient,
            bad_texts: Vec::new(),
        }
    }
}

/// The header and the index.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub flags: u32,
    pub chunks: Vec<Chunk<'a>>,
    /// The first thing that makes the file unreadable; the chunks before it (and after a repeated one) are indexed.
    pub fault: Option<ReadError>,
}

impl<'a> Container<'a> {
    /// The first chunk of this tag: the one that counts.
    pub fn first(&self, tag: [u8; 4]) -> Option<&Chunk<'a>> {
        self.chunks.iter().find(|chunk| chunk.tag == tag)
    }

    pub fn position(&self, tag: [u8; 4]) -> Option<usize> {
        self.chunks.iter().position(|chunk| chunk.tag == tag)
    }

    pub fn payload(&self, tag: [u8; 4]) -> &'a [u8] {
        self.first(tag).map_or(&[], |chunk| chunk.payload)
    }
}

fn rule(offset: u64, field: &'static str, code: &'static str, text: String) -> ReadError {
    ReadError {
        offset,
        field,
        kind: ErrorKind::Rule { code, text },
    }
}

/// Reads the header and indexes the chunks. `lenient` takes a base chunk that is cut short as far as it goes.
///
/// # Errors
/// F-MAGIC, F-CUT, F-VERSION: there is nothing behind the header that could be read.
pub(super) fn index<'a>(
    bytes: &'a [u8],
    lenient: bool,
    findings: &mut Findings,
) -> Read<Container<'a>> {
    if bytes.get(..4) != Some(MAGIC.as_slice()) {
        return Err(ReadError {
            offset: 0,
            field: "magic",
            kind: ErrorKind::WrongMagic("an HMAP"),
        });
    }
    let mut cursor = Cursor::new(bytes);
    cursor.skip("magic", 4)?;
    let version = cursor.u32("version")?;
    let flags = cursor.u32("flags")?;
    if version != VERSION {
        let text = if version == 0 {
            "not a valid version (0)".to_owned()
        } else {
            format!("made by a newer version ({version})")
        };
        return Err(rule(4, "version", "F-VERSION", text));
    }
    if flags & !(HAS_SOURCE | HAS_COMPILED) != 0 {
        findings.add(
            "W-HDRFLAGS",
            None,
            Some(8),
            format_args!("Unknown header bits {:#x} are kept", flags & !3),
        );
    }
    let mut container = Container {
        flags,
        chunks: Vec::new(),
        fault: None,
    };
    let mut seen = [false; BASE.len()];
    while !cursor.is_at_end() {
        let at = cursor.offset();
        if cursor.left() < 8 {
            findings.add(
                "W-TRAIL",
                None,
                Some(at),
                format_args!("{} stray bytes after the last chunk", cursor.left()),
            );
            break;
        }
        let tag: [u8; 4] = cursor.array("tag")?;
        let size = cursor.u32("payloadSize")? as usize;
        if tag.iter().any(|byte| !(0x20..=0x7e).contains(byte)) {
            findings.add(
                "W-TAG",
                None,
                Some(at),
                format_args!("Chunk tag {tag:?} is not text"),
            );
        }
        if size > cursor.left() {
            let text = format!(
                "chunk {} says {size} bytes, {} are left",
                tag_text(tag),
                cursor.left()
            );
            container.note(rule(at, "payloadSize", "F-CHUNK", text));
            if lenient && BASE.contains(&tag) {
                container.chunks.push(Chunk {
                    tag,
                    at,
                    payload: cursor.peek(cursor.left()),
                });
            }
            break;
        }
        let payload = cursor.bytes("payload", size)?;
        if let Some(base) = BASE.iter().position(|known| *known == tag)
            && std::mem::replace(&mut seen[base], true)
        {
            container.note(rule(
                at,
                "tag",
                "F-DUP",
                format!("a second {} chunk", tag_text(tag)),
            ));
            continue;
        }
        container.chunks.push(Chunk { tag, at, payload });
    }
    Ok(container)
}

impl Container<'_> {
    /// Keeps the fault with the lowest offset: that is where reading went wrong, later ones follow from it.
    pub fn note(&mut self, fault: ReadError) {
        if self
            .fault
            .as_ref()
            .is_none_or(|known| fault.offset < known.offset)
        {
            self.fault = Some(fault);
        }
    }
}

/// The rules that only need the index: D1, D6, missing chunks.
pub(super) fn index_rules(container: &Container<'_>, findings: &mut Findings) {
    let has = |tag| container.position(tag).is_some();
    let source = has(*b"BRSH") || has(*b"MESH");
    let compiled = container.position(*b"CMPL");
    if (container.flags & HAS_SOURCE != 0) != source {
        let text = format!(
            "The header says {} source, the file has {}",
            yes(!source),
            yes(source)
        );
        findings.add("W-FLAGS", None, Some(8), text);
    }
    if (container.flags & HAS_COMPILED != 0) != compiled.is_some() {
        let text = format!(
            "The header says {} compiled data, the file has {}",
            yes(compiled.is_none()),
            yes(compiled.is_some())
        );
        findings.add("W-FLAGS", None, Some(8), text);
    }
    if !source && compiled.is_none() {
        findings.add("W-NOTHING", None, None, "Neither source nor compiled data");
    }
    if !has(*b"META") {
        findings.add("W-NOMETA", None, None, "No META chunk: defaults are used");
    }
    let Some(compiled) = compiled else { return };
    for tag in [*b"MATS", *b"ENTS"] {
        match container.position(tag) {
            None => findings.add(
                "W-NOTAB",
                None,
                None,
                format_args!("CMPL without a {} chunk", tag_text(tag)),
            ),
            Some(place) if place > compiled => {
                let at = container.chunks[place].at;
                findings.add(
                    "W-ORDER",
                    None,
                    Some(at),
                    format_args!("{} comes after CMPL", tag_text(tag)),
                );
            }
            Some(_) => {}
        }
    }
}

fn yes(there: bool) -> &'static str {
    if there { "some" } else { "none" }
}

/// Reads the format's primitive types.
///
/// Lenient reading is for salvage: the count of a chunk's list that cannot fit is cut to what could, and the list ends before the
/// first record that is not whole.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    cursor: Cursor<'a>,
    lenient: bool,
    /// Offsets of texts that were not UTF-8, the first hundred.
    pub bad_texts: Vec<u64>,
}

impl<'a> Fields<'a> {
    pub fn offset(&self) -> u64 {
        self.cursor.offset()
    }

    pub fn left(&self) -> usize {
        self.cursor.left()
    }

    pub fn bad(&self, field: &'static str, text: impl Into<String>) -> ReadError {
        self.cursor.error(field, ErrorKind::Bad(text.into()))
    }

    pub fn count(&mut self, field: &'static str, smallest: usize) -> Read<usize> {
        if self.lenient {
            let count = self.cursor.u32(field)? as usize;
            return Ok(count.min(self.cursor.left() / smallest.max(1)));
        }
        self.cursor.count(field, smallest)
    }

    /// `count` records, read one after another. Nothing is allocated beyond the records that were there.
    pub fn list<T>(
        &mut self,
        field: &'static str,
        smallest: usize,
        mut one: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let count = self.count(field, smallest)?;
        // A record with a cut list inside is no record.
        let lenient = std::mem::replace(&mut self.lenient, false);
        let mut list = Vec::new();
        for _ in 0..count {
            match one(self) {
                Ok(record) => list.push(record),
                Err(_) if lenient => break,
                Err(error) => return Err(error),
            }
        }
        self.lenient = lenient;
        Ok(list)
    }

    /// Any bytes are accepted; what is no UTF-8 becomes U+FFFD (D12).
    pub fn text(&mut self, field: &'static str) -> Read<String> {
        let at = self.cursor.offset();
        let length = self.cursor.u32(field)? as usize;
        if length > self.cursor.left() {
            let text = format!("text of {length} bytes, {} are left", self.cursor.left());
            return Err(rule(at, field, "F-STR", text));
        }
        let bytes = self.cursor.bytes(field, length)?;
        Ok(match String::from_utf8_lossy(bytes) {
            Cow::Borrowed(text) => text.to_owned(),
            Cow::Owned(text) => {
                if self.bad_texts.len() < 100 {
                    self.bad_texts.push(at);
                }
                text
            }
        })
    }

    pub fn bytes(&mut self, field: &'static str, count: usize) -> Read<&'a [u8]> {
        self.cursor.bytes(field, count)
    }

    pub fn u8(&mut self, field: &'static str) -> Read<u8> {
        self.cursor.u8(field)
    }

    pub fn u32(&mut self, field: &'static str) -> Read<u32> {
        self.cursor.u32(field)
    }

    pub fn u64(&mut self, field: &'static str) -> Read<u64> {
        self.cursor.u64(field)
    }

    pub fn i32(&mut self, field: &'static str) -> Read<i32> {
        self.cursor.i32(field)
    }

    pub fn f32(&mut self, field: &'static str) -> Read<f32> {
        self.cursor.f32(field)
    }

    pub fn vec2(&mut self, field: &'static str) -> Read<Vec2> {
        self.cursor.vec2(field)
    }

    pub fn vec3(&mut self, field: &'static str) -> Read<Vec3> {
        self.cursor.vec3(field)
    }

    pub fn plane(&mut self, field: &'static str) -> Read<Plane3> {
        Ok(Plane3 {
            normal: self.vec3(field)?,
            dist: self.f32(field)?,
        })
    }

    pub fn bounds(&mut self, field: &'static str) -> Read<Box3> {
        Ok(Box3 {
            min: self.vec3(field)?,
            max: self.vec3(field)?,
        })
    }

    pub fn uv(&mut self, field: &'static str) -> Read<Uv> {
        Ok(Uv {
            offset: self.vec2(field)?,
            scale: self.vec2(field)?,
            rotation_deg: self.f32(field)?,
        })
    }
}

/// `guard64` of `hmap.md` X6: CRC-32 of the concatenation in the low half, its length mod 2^32 in the high half.
pub(super) fn guard64<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut hasher = crc32fast::Hasher::new();
    let mut length = 0u64;
    for part in parts {
        hasher.update(part);
        length += part.len() as u64;
    }
    u64::from(hasher.finalize()) | (length & 0xffff_ffff) << 32
}

/// The bytes of `META` that a compile depends on: ambient and unitsPerMeter. Nothing when they are not there.
pub(super) fn compiled_part_of_meta(meta: &[u8]) -> [&[u8]; 2] {
    let Some(length) = meta
        .first_chunk::<4>()
        .map(|bytes| u32::from_le_bytes(*bytes) as usize)
    else {
        return [&[], &[]];
    };
    let Some(rest) = meta[4..].get(length..) else {
        return [&[], &[]];
    };
    match (rest.get(..12), rest.get(16..20)) {
        (Some(ambient), Some(units_per_meter)) => [ambient, units_per_meter],
        _ => [&[], &[]],
    }
}

/// `CMPX.sourceGuard` (6.9) of the payloads that `payload` gives; an absent chunk is empty.
pub(super) fn source_guard<'a>(payload: impl Fn([u8; 4]) -> &'a [u8]) -> u64 {
    let meta = compiled_part_of_meta(payload(*b"META"));
    let chunks = [*b"MATS", *b"BRSH", *b"MESH", *b"ENTS", *b"UVAX", *b"BVTX"].map(payload);
    guard64(meta.into_iter().chain(chunks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guard_is_crc_and_length() {
        // CRC-32 of "123456789" is the check value of the polynomial.
        assert_eq!(
            guard64([b"1234".as_slice(), b"56789"]),
            0xcbf4_3926 | 9 << 32
        );
        assert_eq!(guard64([]), 0);
    }

    fn chunk(tag: &[u8; 4], payload: &[u8]) -> Vec<u8> {
        [
            tag.as_slice(),
            &(payload.len() as u32).to_le_bytes(),
            payload,
        ]
        .concat()
    }

    #[test]
    fn first_fault_is_the_lowest_and_lenient_goes_on() {
        let head = [b"HMAP".as_slice(), &1u32.to_le_bytes(), &0u32.to_le_bytes()].concat();
        let mut bytes = [
            head,
            chunk(b"META", b"ab"),
            chunk(b"META", b"cd"),
            chunk(b"xxxx", b""),
        ]
        .concat();
        bytes.extend_from_slice(b"ENTS\xff\0\0\0tail");
        let mut findings = Findings::default();
        let strict = index(&bytes, false, &mut findings).expect("header is fine");
        assert_eq!(strict.chunks.len(), 2);
        assert_eq!(strict.payload(*b"META"), b"ab");
        let fault = strict.fault.expect("two of them");
        assert_eq!((fault.offset, fault.field), (22, "tag"));
        let lenient = index(&bytes, true, &mut findings).expect("header is fine");
        assert_eq!(lenient.payload(*b"ENTS"), b"tail");
    }
}
