//! Numbers and texts of varying length (`unr.md` 1, 2).

use encoding_rs::UTF_16LE;
use encoding_rs::WINDOWS_1252;

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;

/// From this version on texts carry their length; before it they end with a zero.
pub const FIRST_WITH_LENGTHS: u16 = 64;

/// Bytes of the longest number.
const MAX_BYTES: usize = 5;

/// A signed number of one to five bytes.
///
/// # Errors
/// When the file ends in it, a sixth byte is announced, or it has more than 32 bits.
pub fn compact(cursor: &mut Cursor<'_>, field: &'static str) -> Read<i32> {
    let offset = cursor.offset();
    let first = cursor.u8(field)?;
    let mut magnitude = i64::from(first & 0x3F);
    if first & 0x40 != 0 {
        let mut shift = 6;
        for place in 1..MAX_BYTES {
            let byte = cursor.u8(field)?;
            magnitude |= i64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
            if place == MAX_BYTES - 1 {
                return Err(too_large(offset, field));
            }
        }
    }
    let number = if first & 0x80 == 0 {
        magnitude
    } else {
        -magnitude
    };
    i32::try_from(number).map_err(|_| too_large(offset, field))
}

fn too_large(offset: u64, field: &'static str) -> ReadError {
    let text = "a number of varying length has more than 32 bits".to_owned();
    ReadError {
        offset,
        field,
        kind: ErrorKind::Bad(text),
    }
}

/// A count of records of at least `smallest` bytes, checked against what is left before anything is allocated.
///
/// # Errors
/// As [`compact`]; [`ErrorKind::CountTooLarge`] with the offset of the count itself, also for a negative one.
pub fn compact_count(cursor: &mut Cursor<'_>, field: &'static str, smallest: usize) -> Read<usize> {
    let offset = cursor.offset();
    let count = compact(cursor, field)?;
    checked(cursor, offset, field, count, smallest)
}

/// The same for a count of four bytes.
///
/// # Errors
/// As [`compact_count`].
pub fn fixed_count(cursor: &mut Cursor<'_>, field: &'static str, smallest: usize) -> Read<usize> {
    let offset = cursor.offset();
    let count = cursor.i32(field)?;
    checked(cursor, offset, field, count, smallest)
}

fn checked(
    cursor: &Cursor<'_>,
    offset: u64,
    field: &'static str,
    count: i32,
    smallest: usize,
) -> Read<usize> {
    match usize::try_from(count) {
        Ok(fits) if fits.saturating_mul(smallest) <= cursor.left() => Ok(fits),
        Ok(_) => Err(ReadError {
            offset,
            field,
            kind: ErrorKind::CountTooLarge {
                count: count.unsigned_abs().into(),
            },
        }),
        Err(_) => Err(ReadError {
            offset,
            field,
            kind: ErrorKind::Bad(format!("a count cannot be {count}")),
        }),
    }
}

/// A text by the rule of the package's version. What stands behind a zero in it is left out.
///
/// # Errors
/// When the file ends before the text does.
pub fn text(cursor: &mut Cursor<'_>, field: &'static str, version: u16) -> Read<String> {
    if version < FIRST_WITH_LENGTHS {
        return zero_ended(cursor, field);
    }
    let offset = cursor.offset();
    let length = compact(cursor, field)?;
    let units = length.unsigned_abs() as usize;
    if length < 0 {
        let wide = cursor.bytes(field, units.saturating_mul(2));
        let wide = wide.map_err(|error| ReadError { offset, ..error })?;
        let (decoded, _) = UTF_16LE.decode_without_bom_handling(wide);
        return Ok(before_zero(&decoded).to_owned());
    }
    let bytes = cursor.bytes(field, units);
    let bytes = bytes.map_err(|error| ReadError { offset, ..error })?;
    Ok(single_bytes(bytes))
}

fn zero_ended(cursor: &mut Cursor<'_>, field: &'static str) -> Read<String> {
    let rest = cursor.peek(cursor.left());
    let Some(length) = rest.iter().position(|&byte| byte == 0) else {
        return Err(cursor.error(field, ErrorKind::CutShort { needed: 1 }));
    };
    let decoded = single_bytes(&rest[..length]);
    cursor.skip(field, length + 1)?;
    Ok(decoded)
}

/// Windows-1252 up to the first zero.
#[must_use]
pub fn single_bytes(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0);
    let bytes = &bytes[..end.unwrap_or(bytes.len())];
    WINDOWS_1252
        .decode_without_bom_handling(bytes)
        .0
        .into_owned()
}

fn before_zero(text: &str) -> &str {
    text.split('\0').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The way the game writes a number.
    fn written(number: i32) -> Vec<u8> {
        let mut magnitude = number.unsigned_abs();
        let sign = if number < 0 { 0x80 } else { 0 };
        let mut bytes = Vec::new();
        let first = (magnitude & 0x3F) as u8 | sign;
        magnitude >>= 6;
        bytes.push(if magnitude > 0 { first | 0x40 } else { first });
        while magnitude > 0 {
            let byte = (magnitude & 0x7F) as u8;
            magnitude >>= 7;
            bytes.push(if magnitude > 0 { byte | 0x80 } else { byte });
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Read<(i32, usize)> {
        let mut cursor = Cursor::new(bytes);
        compact(&mut cursor, "number").map(|number| (number, cursor.left()))
    }

    #[test]
    fn numbers_of_varying_length() {
        assert_eq!(read(&[0x3F]), Ok((63, 0)));
        assert_eq!(read(&[0x40, 0x01]), Ok((64, 0)));
        assert_eq!(read(&[0x7F, 0x7F]), Ok((8191, 0)));
        assert_eq!(read(&[0x81]), Ok((-1, 0)));
        assert_eq!(read(&[0x80, 7]), Ok((0, 1)));
        assert_eq!(read(&[0x7F, 0xFF, 0xFF, 0xFF, 0x0F]), Ok((i32::MAX, 0)));
        assert_eq!(read(&[0xC0, 0x80, 0x80, 0x80, 0x10]), Ok((i32::MIN, 0)));
    }

    #[test]
    fn numbers_that_cannot_be() {
        for bytes in [
            &[0x7F, 0xFF, 0xFF, 0xFF, 0x8F, 0x00][..],
            &[0x40, 0x80, 0x80, 0x80, 0x10],
            &[0x7F, 0xFF, 0xFF, 0xFF, 0x7F],
        ] {
            let error = read(bytes).expect_err("too many bits");
            assert!(matches!(error.kind, ErrorKind::Bad(_)), "{error:?}");
            assert_eq!(error.offset, 0);
        }
        for bytes in [&[][..], &[0x40], &[0x7F, 0xFF]] {
            let error = read(bytes).expect_err("cut short");
            assert!(matches!(error.kind, ErrorKind::CutShort { .. }));
        }
    }

    #[test]
    fn counts_stay_within_the_file() {
        let mut cursor = Cursor::part(&[0x02, 1, 2, 3], 50);
        let error = compact_count(&mut cursor, "points", 12).expect_err("too many");
        assert_eq!(error.offset, 50);
        assert_eq!(error.kind, ErrorKind::CountTooLarge { count: 2 });
        let error = compact_count(&mut Cursor::new(&[0x81]), "points", 0).expect_err("negative");
        assert!(matches!(error.kind, ErrorKind::Bad(_)));
        let mut cursor = Cursor::new(&[2, 0, 0, 0, 9, 9]);
        assert_eq!(fixed_count(&mut cursor, "zones", 1), Ok(2));
    }

    #[test]
    fn texts_by_version() {
        let read = |bytes: &[u8], version| text(&mut Cursor::new(bytes), "name", version);
        assert_eq!(read(b"Light\0", 63), Ok("Light".to_owned()));
        assert!(read(b"Light", 63).is_err());
        assert_eq!(read(b"\x06Light\0", 64), Ok("Light".to_owned()));
        assert_eq!(read(b"\x02\xE9\0", 69), Ok("\u{e9}".to_owned()));
        assert_eq!(read(b"\x82\x3B\x04\0\0", 69), Ok("\u{43b}".to_owned()));
        assert_eq!(read(b"\0", 69), Ok(String::new()));
        assert!(read(b"\x07Light\0", 69).is_err());
        // A length of 2^31 units.
        assert!(read(&[0xC0, 0x80, 0x80, 0x80, 0x10], 69).is_err());
    }

    proptest! {
        #[test]
        fn every_number_comes_back(number in any::<i32>()) {
            let bytes = written(number);
            prop_assert!(bytes.len() <= MAX_BYTES);
            prop_assert_eq!(read(&bytes), Ok((number, 0)));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..12)) {
            if let Ok((_, left)) = read(&bytes) {
                prop_assert!(bytes.len() - left <= MAX_BYTES);
            }
            for version in [61, 69] {
                let _ = text(&mut Cursor::new(&bytes), "name", version);
            }
        }
    }
}
