//! `.ol` prefab libraries: whole RMF documents of any version behind an index (`rmf.md` 9).

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::rmf::raw::RawLibrary;
use crate::formats::rmf::raw::RawPrefab;
use crate::formats::rmf::raw::Text;
use crate::formats::rmf::read::read_map;

pub const MAGIC: &[u8; 28] = b"Worldcraft Prefab Library\r\n\x1a";

/// J.A.C.K.'s own library format, which is another one.
pub const JACK_MAGIC: &[u8; 4] = b"JHOL";

const ENTRY_BYTES: u64 = 544;

/// # Errors
/// When the index cannot be read. An entry that cannot is kept with its own error.
pub fn read_library(bytes: &[u8]) -> Read<RawLibrary<'_>> {
    let mut cursor = Cursor::new(bytes);
    if cursor.peek(MAGIC.len()) != MAGIC {
        return Err(cursor.error(
            "magic",
            ErrorKind::WrongMagic("a Worldcraft prefab library"),
        ));
    }
    cursor.skip("magic", MAGIC.len())?;
    let version = cursor.f32("library version")?;
    let index_at = u64::from(cursor.u32("index offset")?);
    let count_at = cursor.offset();
    let count = u64::from(cursor.u32("entry count")?);
    let description = Text(cursor.bytes("description", 500)?);
    let file_bytes = bytes.len() as u64;
    if index_at > file_bytes {
        let kind = ErrorKind::Bad(format!(
            "the index would begin at byte {index_at}, past the end of the file"
        ));
        return Err(ReadError {
            offset: count_at - 4,
            field: "index offset",
            kind,
        });
    }
    if count * ENTRY_BYTES > file_bytes - index_at {
        return Err(ReadError {
            offset: count_at,
            field: "entry count",
            kind: ErrorKind::CountTooLarge { count },
        });
    }
    let mut index = Cursor::part(&bytes[index_at as usize..], index_at);
    // Documents lie back to back; an index that names the same bytes again and again must not multiply the work.
    let mut bytes_left = file_bytes;
    let mut entries = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let offset = index.offset();
        let start = u64::from(index.u32("entry offset")?);
        let length = u64::from(index.u32("entry length")?);
        let name = Text(index.bytes("entry name", 31)?);
        let description = Text(index.bytes("entry description", 500)?);
        index.skip("entry tail", 5)?;
        let map = if start + length > file_bytes {
            Err(ReadError {
                offset,
                field: "entry length",
                kind: ErrorKind::CutShort {
                    needed: start + length - file_bytes,
                },
            })
        } else if length > bytes_left {
            let kind = ErrorKind::Bad("the entries overlap".to_owned());
            Err(ReadError {
                offset,
                field: "entry length",
                kind,
            })
        } else {
            bytes_left -= length;
            read_map(&bytes[start as usize..(start + length) as usize], start)
        };
        entries.push(RawPrefab {
            offset,
            name,
            description,
            map,
        });
    }
    Ok(RawLibrary {
        version,
        description,
        entries,
    })
}
