//! The header of each version, and the variables behind it.

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::ogz::raw::Family;
use crate::formats::ogz::raw::Value;

/// The last version of Sauerbraten.
pub const LAST_VERSION: u32 = 33;

/// From this version on settings stand as named variables behind the header.
const FIRST_WITH_VARIABLES: u32 = 29;

/// The engine has a few hundred.
const MAX_VARIABLES: u64 = 1 << 16;

/// A type byte, the lengths of a name and of an empty text.
const VARIABLE_BYTES: u64 = 5;

/// What a file says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub family: Family,
    /// As in the header.
    pub version: u32,
    /// The version of `OCTA` that has the same layout.
    pub layout: u32,
}

impl Kind {
    /// How messages call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.family {
            Family::Sauerbraten => "OCTA (Sauerbraten)",
            Family::Tesseract => "TMAP (Tesseract)",
            Family::Sandbox => "PASM (Platinum Arts Sandbox)",
        }
    }
}

/// Bytes that tell what a file is: magic, version and the length of the header.
pub const HEAD: usize = 12;

/// Is it a map of Cube 2 or of one of its relatives? Those that are only recognised count.
#[must_use]
pub fn is_magic(head: &[u8]) -> bool {
    matches!(
        head.get(..4),
        Some(b"OCTA" | b"TMAP" | b"PASM" | b"MAPZ" | b"CUBE")
    )
}

/// Magic, version and the stale length of the header.
///
/// # Errors
/// By name for relatives that cannot be read and for versions that nobody knows.
pub fn kind(cursor: &mut Cursor<'_>) -> Read<Kind> {
    let magic = cursor.bytes("magic", 4)?;
    let version_at = cursor.offset();
    if !is_magic(magic) {
        return Err(ReadError {
            offset: 0,
            field: "magic",
            kind: ErrorKind::WrongMagic("a Cube 2 map (.ogz)"),
        });
    }
    let version = cursor.i32("version")?;
    cursor.skip("header size", 4)?;
    let refuse = |text: String| {
        Err(ReadError {
            offset: version_at,
            field: "version",
            kind: ErrorKind::Rule {
                code: "F-VERSION",
                text,
            },
        })
    };
    let number = u32::try_from(version).unwrap_or(0);
    let (family, layout) = match (magic, number) {
        (b"MAPZ", _) => {
            return refuse(format!(
                "it is a map of Red Eclipse (MAPZ, version {version}), which is not supported"
            ));
        }
        (b"CUBE", _) => {
            return refuse(format!(
                "it is a map of the first Cube (CUBE, version {version}), which is not supported"
            ));
        }
        (b"OCTA", 1..=LAST_VERSION) => (Family::Sauerbraten, number),
        (b"OCTA", number) if number > LAST_VERSION => {
            return refuse(format!(
                "version {number} is newer than {LAST_VERSION}, the last of Sauerbraten"
            ));
        }
        (b"TMAP", 1) => (Family::Tesseract, LAST_VERSION),
        (b"PASM", 1) => (Family::Sandbox, 29),
        (b"PASM", 2 | 3) => (Family::Sandbox, 30),
        (b"PASM", 4 | 5) => (Family::Sandbox, 31),
        (b"PASM", 6) => (Family::Sandbox, 32),
        (b"TMAP", _) => return refuse(format!("TMAP (Tesseract) version {version} is not known")),
        (b"PASM", _) => {
            return refuse(format!(
                "PASM (Platinum Arts Sandbox) version {version} is not known"
            ));
        }
        _ => return refuse(format!("OCTA version {version} is not known")),
    };
    Ok(Kind {
        family,
        version: number,
        layout,
    })
}

/// Counts of the header. Those that a version does not have are 0.
#[derive(Clone, Debug, Default)]
pub struct Header {
    pub world_size: i32,
    pub entity_count: i32,
    /// Where that count stands.
    pub entity_count_at: u64,
    pub pvs: i32,
    pub lightmaps: i32,
    pub blend_map: i32,
    pub variable_count: i32,
    pub slot_count: i32,
    /// Settings of versions up to 28 that differ from "keep the default".
    pub settings: Vec<(String, Value)>,
    /// See [`coded`], by variable.
    pub coded: Vec<(String, String)>,
}

/// The header behind its first twelve bytes.
pub fn header(cursor: &mut Cursor<'_>, kind: Kind) -> Read<Header> {
    let mut header = Header {
        world_size: cursor.i32("world size")?,
        entity_count_at: cursor.offset(),
        entity_count: cursor.i32("entity count")?,
        pvs: cursor.i32("visible set count")?,
        ..Header::default()
    };
    if kind.family != Family::Tesseract {
        header.lightmaps = cursor.i32("lightmap count")?;
    }
    if kind.layout < FIRST_WITH_VARIABLES {
        old_settings(cursor, &mut header)?;
        return Ok(header);
    }
    header.blend_map = cursor.i32("blend map")?;
    header.variable_count = cursor.i32("variable count")?;
    if kind.layout > FIRST_WITH_VARIABLES {
        header.slot_count = cursor.i32("virtual slot count")?;
    }
    Ok(header)
}

/// The rest of the 196 bytes that all versions up to 28 have.
fn old_settings(cursor: &mut Cursor<'_>, header: &mut Header) -> Read<()> {
    let mut set = |name: &str, value: i32, zero_counts: bool| {
        if value != 0 || zero_counts {
            header.settings.push((name.to_owned(), Value::Int(value)));
        }
    };
    set("lightprecision", cursor.i32("light precision")?, false);
    set("lighterror", cursor.i32("light error")?, false);
    set("lightlod", cursor.i32("light detail")?, true);
    set("ambient", i32::from(cursor.u8("ambient light")?), false);
    set("watercolour", color(cursor, "water colour")?, false);
    let blend_map = cursor.u8("blend map")?;
    set("lerpangle", i32::from(cursor.u8("lerp angle")?), false);
    set(
        "lerpsubdiv",
        i32::from(cursor.u8("lerp subdivision")?),
        false,
    );
    set(
        "lerpsubdivsize",
        i32::from(cursor.u8("lerp subdivision size")?),
        false,
    );
    set("bumperror", i32::from(cursor.u8("bump error")?), false);
    set("skylight", color(cursor, "sky light")?, true);
    set("lavacolour", color(cursor, "lava colour")?, true);
    set("waterfallcolour", color(cursor, "waterfall colour")?, true);
    cursor.skip("reserved", 10)?;
    let title = cursor.bytes("map title", 128)?;
    header.blend_map = i32::from(blend_map);
    let title = title.split(|&byte| byte == 0).next().unwrap_or_default();
    let codes = coded(title).map(|title| ("maptitle".to_owned(), title));
    header.coded.extend(codes);
    if !title.is_empty() {
        header
            .settings
            .push(("maptitle".to_owned(), Value::Text(text(title))));
    }
    Ok(())
}

/// 0xRRGGBB.
fn color(cursor: &mut Cursor<'_>, field: &'static str) -> Read<i32> {
    let bytes = cursor.bytes(field, 3)?;
    Ok(i32::from(bytes[0]) << 16 | i32::from(bytes[1]) << 8 | i32::from(bytes[2]))
}

/// Begins a colour code of the game's console, of two bytes.
const COLOR_CODE: u8 = 0x0C;

/// A text with its colour codes, which begin with `^f`; `^` is doubled. `None` where there are none.
#[must_use]
pub fn coded(bytes: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            COLOR_CODE => text.push_str("^f"),
            b'^' => text.push_str("^^"),
            0 => {}
            byte => text.push(char::from(byte)),
        }
    }
    bytes.contains(&COLOR_CODE).then_some(text)
}

/// The way back from [`coded`].
#[must_use]
pub fn uncoded(coded: &str) -> String {
    let mut text = String::with_capacity(coded.len());
    let mut letters = coded.chars();
    while let Some(letter) = letters.next() {
        text.push(match letter {
            '^' => match letters.next() {
                Some('f') => char::from(COLOR_CODE),
                Some(other) => other,
                None => '^',
            },
            letter => letter,
        });
    }
    text
}

/// Text for the game: one byte a letter, a question mark for those that it does not have.
#[must_use]
pub fn bytes_of(text: &str) -> Vec<u8> {
    let letters = text.chars();
    letters
        .map(|letter| u8::try_from(letter).unwrap_or(b'?'))
        .collect()
}

/// Text of the game: one byte a letter; the colour codes of its console are left out.
#[must_use]
pub fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes.iter();
    while let Some(&byte) = rest.next() {
        match byte {
            COLOR_CODE => {
                rest.next();
            }
            0 => {}
            byte => text.push(char::from(byte)),
        }
    }
    text
}

/// The variables of versions from 29 on. `codes`: gets those that have colour codes, see [`coded`].
pub fn variables(
    cursor: &mut Cursor<'_>,
    count: i32,
    codes: &mut Vec<(String, String)>,
) -> Read<Vec<(String, Value)>> {
    let count = u64::try_from(count).unwrap_or(0);
    if count > MAX_VARIABLES || count * VARIABLE_BYTES > cursor.left() as u64 {
        return Err(cursor.error("variable count", ErrorKind::CountTooLarge { count }));
    }
    let mut variables = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let type_at = cursor.offset();
        let kind = cursor.u8("variable type")?;
        let length = cursor.u16("variable name")?;
        let name = text(cursor.bytes("variable name", usize::from(length))?);
        let value = match kind {
            0 => Value::Int(cursor.i32("variable value")?),
            1 => Value::Float(cursor.f32("variable value")?),
            2 => {
                let length = cursor.u16("variable value")?;
                let bytes = cursor.bytes("variable value", usize::from(length))?;
                codes.extend(coded(bytes).map(|coded| (name.clone(), coded)));
                Value::Text(text(bytes))
            }
            other => {
                return Err(ReadError {
                    offset: type_at,
                    field: "variable type",
                    kind: ErrorKind::Bad(format!("variables have no type {other}")),
                });
            }
        };
        variables.push((name, value));
    }
    Ok(variables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_codes_are_kept_beside_a_text() {
        let bytes = b"\x0C6\x0C4Race^2 by \xE9";
        assert_eq!(text(bytes), "Race^2 by \u{e9}");
        let kept = coded(bytes).expect("it has codes");
        assert_eq!(kept, "^f6^f4Race^^2 by \u{e9}");
        assert_eq!(bytes_of(&uncoded(&kept)), bytes);
        assert_eq!(coded(b"plain^f"), None);
        assert_eq!(bytes_of("a\u{416}b"), b"a?b");
    }
}
