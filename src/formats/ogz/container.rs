//! The gzip member around a map, read without trust in its checksum: that of genuine maps of versions 26 to 28 is wrong.

use flate2::Crc;
use flate2::Decompress;
use flate2::FlushDecompress;
use flate2::Status;

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::ogz::header::HEAD;

/// Larger maps are refused; the largest public one has 43 MB.
pub const MAX_INFLATED: usize = 1 << 30;

const GZIP: [u8; 2] = [0x1F, 0x8B];
const DEFLATE: u8 = 8;

/// Flags of the gzip header: what follows its ten bytes.
const HAS_CHECKSUM: u8 = 2;
const HAS_EXTRA: u8 = 4;
const HAS_NAME: u8 = 8;
const HAS_COMMENT: u8 = 16;

/// The bytes of a map.
pub struct Inflated {
    pub bytes: Vec<u8>,
    /// All data came out, but its CRC-32 is another than the trailer's.
    pub checksum_wrong: bool,
    /// Why data is missing at the end.
    pub damage: Option<&'static str>,
    /// There is more than was asked for, which was not looked at.
    pub is_part: bool,
}

/// What a compressed or plain map begins with; fewer bytes when there are no more.
#[must_use]
pub fn head(bytes: &[u8]) -> Vec<u8> {
    let Ok(Some(body)) = deflate_body(bytes) else {
        return bytes[..bytes.len().min(HEAD)].to_vec();
    };
    let mut head = Vec::with_capacity(HEAD);
    let mut stream = Decompress::new(false);
    let _ = stream.decompress_vec(body, &mut head, FlushDecompress::None);
    head.truncate(HEAD);
    head
}

/// The first bytes of a map, `most` or a few more, or the whole. Bytes that are no gzip member are given as they are; what follows the
/// member is not read.
///
/// # Errors
/// A gzip header that is cut short or of another method, or more data than a map can have.
pub fn inflate(bytes: &[u8], most: usize) -> Read<Inflated> {
    let Some(body) = deflate_body(bytes)? else {
        return Ok(Inflated {
            bytes: bytes.to_vec(),
            checksum_wrong: false,
            damage: None,
            is_part: false,
        });
    };
    let mut stream = Decompress::new(false);
    let mut inflated: Vec<u8> = Vec::new();
    let mut damage = None;
    let mut is_part = false;
    loop {
        if inflated.len() == inflated.capacity() {
            if inflated.len() >= MAX_INFLATED {
                return Err(ReadError {
                    offset: 0,
                    field: "file",
                    kind: ErrorKind::Bad(
                        "it unpacks to more than 1 GiB, which no map does".to_owned(),
                    ),
                });
            }
            if inflated.len() >= most {
                is_part = true;
                break;
            }
            // Not double: the memory is part of what a map may take.
            inflated.reserve_exact((inflated.len() / 2).clamp(1 << 16, 1 << 25));
        }
        let (read, written) = (stream.total_in(), inflated.len());
        let rest = &body[read as usize..];
        match stream.decompress_vec(rest, &mut inflated, FlushDecompress::None) {
            Ok(Status::StreamEnd) => break,
            Ok(Status::Ok | Status::BufError) => {
                if stream.total_in() == read && inflated.len() == written {
                    damage = Some("the compressed data ends too early");
                    break;
                }
            }
            Err(_) => {
                damage = Some("the compressed data is damaged");
                break;
            }
        }
    }
    let trailer = body[stream.total_in() as usize..].first_chunk::<4>();
    let checksum_wrong = damage.is_none()
        && !is_part
        && trailer.is_none_or(|stored| u32::from_le_bytes(*stored) != checksum(&inflated));
    Ok(Inflated {
        bytes: inflated,
        checksum_wrong,
        damage,
        is_part,
    })
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// What follows the gzip header (layout: RFC 1952); `None` when there is none.
fn deflate_body(bytes: &[u8]) -> Read<Option<&[u8]>> {
    if !bytes.starts_with(&GZIP) {
        return Ok(None);
    }
    let mut cursor = Cursor::new(bytes);
    cursor.skip("gzip header", GZIP.len())?;
    let method_at = cursor.offset();
    if cursor.u8("gzip method")? != DEFLATE {
        return Err(ReadError {
            offset: method_at,
            field: "gzip method",
            kind: ErrorKind::Bad("it is packed in an unknown way".to_owned()),
        });
    }
    let flags = cursor.u8("gzip flags")?;
    cursor.skip("gzip header", 6)?;
    if flags & HAS_EXTRA != 0 {
        let length = cursor.u16("gzip extra field")?;
        cursor.skip("gzip extra field", usize::from(length))?;
    }
    for (flag, field) in [(HAS_NAME, "gzip name"), (HAS_COMMENT, "gzip comment")] {
        if flags & flag != 0 {
            while cursor.u8(field)? != 0 {}
        }
    }
    if flags & HAS_CHECKSUM != 0 {
        cursor.skip("gzip header checksum", 2)?;
    }
    Ok(Some(cursor.peek(cursor.left())))
}
