//! The container of everything: its header, its tables, and the data of its objects (`unr.md` 1, 3).

use std::sync::Arc;

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::unr::compact::compact;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::property_read::properties;
pub use crate::formats::unr::tables::Export;
pub use crate::formats::unr::tables::Import;
pub use crate::formats::unr::tables::Reference;
pub use crate::formats::unr::tables::Tables;

/// The bytes that every package begins with.
pub const MAGIC: [u8; 4] = [0xC1, 0x83, 0x2A, 0x9E];

/// Versions of Unreal Engine 1.
pub const VERSIONS: std::ops::RangeInclusive<u16> = 60..=99;

/// From this version on the header has a GUID and generations in place of the heritage table.
const FIRST_WITH_GENERATIONS: u16 = 68;

/// Flag of an export: a state frame precedes its properties.
const HAS_STATE_FRAME: u32 = 0x0200_0000;

/// A package with its bytes. The tables own themselves, so that a cache may keep them beside the bytes.
#[derive(Clone)]
pub struct Package<'a> {
    pub bytes: &'a [u8],
    pub tables: Arc<Tables>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    pub version: u16,
    pub licensee: u16,
    pub flags: u32,
    pub name_count: u32,
    pub name_offset: u32,
    pub export_count: u32,
    pub export_offset: u32,
    pub import_count: u32,
    pub import_offset: u32,
    /// The last one of the heritage table before version 68; zero where there is none.
    pub guid: [u8; 16],
    /// Exports and names of each.
    pub generations: Vec<[u32; 2]>,
    /// Where the header and the tables end.
    pub header_end: u64,
    pub name_end: u64,
    pub import_end: u64,
    pub export_end: u64,
}

/// The version of a package, without reading more.
///
/// # Errors
/// When it is no package.
pub fn version(bytes: &[u8]) -> Read<u16> {
    let mut cursor = Cursor::new(bytes);
    magic(&mut cursor)?;
    cursor.u16("version")
}

/// Refuses the maps of other engines by their names.
///
/// # Errors
/// For versions outside of [`VERSIONS`].
pub fn check_version(version: u16, licensee: u16) -> Read<()> {
    if VERSIONS.contains(&version) {
        return Ok(());
    }
    let engine = match version {
        0..60 => "older than Unreal",
        100..170 => "Unreal Engine 2",
        170..0x8000 => "Unreal Engine 3",
        _ => "Unreal Engine 4 or later",
    };
    let which = if version >= 0x8000 {
        engine.to_owned()
    } else {
        format!("{engine}, package version {version}/{licensee}")
    };
    Err(ReadError {
        offset: 4,
        field: "version",
        kind: ErrorKind::Rule {
            code: "F-VERSION",
            text: format!(
                "it is a package of another engine ({which}); only Unreal Engine 1 (versions {} to {}) can be read",
                VERSIONS.start(),
                VERSIONS.end()
            ),
        },
    })
}

fn magic(cursor: &mut Cursor<'_>) -> Read<()> {
    let error = cursor.error("magic", ErrorKind::WrongMagic("an Unreal package"));
    match cursor.bytes("magic", 4) {
        Ok(bytes) if bytes == MAGIC => Ok(()),
        _ => Err(error),
    }
}

impl<'a> Package<'a> {
    /// Reads the tables. Any version is tried; [`check_version`] tells those of this engine.
    ///
    /// # Errors
    /// When a table cannot be read. Objects whose data lies outside of the file are kept: asking for the data is an error then.
    pub fn read(bytes: &'a [u8]) -> Read<Self> {
        let tables = Tables::read(bytes, header(bytes)?)?;
        Ok(Self {
            bytes,
            tables: Arc::new(tables),
        })
    }

    #[must_use]
    pub fn version(&self) -> u16 {
        self.tables.header.version
    }

    /// The data of an export from its first byte, state frame included.
    ///
    /// # Errors
    /// When it lies outside of the file, or there is no such export.
    pub fn data(&self, export: usize) -> Read<Cursor<'a>> {
        let record = self.tables.exports.get(export).ok_or(ReadError {
            offset: 0,
            field: "export",
            kind: ErrorKind::Bad(format!("there is no export {export}")),
        })?;
        let start = record.offset as usize;
        let part = self.bytes.get(start..start + record.size as usize);
        part.map(|part| Cursor::part(part, u64::from(record.offset)))
            .ok_or(ReadError {
                offset: u64::from(record.offset),
                field: "export data",
                kind: ErrorKind::Bad(format!(
                    "the data of {} lies outside of the file",
                    self.tables.export_name(export)
                )),
            })
    }

    /// The data of an export behind its state frame.
    ///
    /// # Errors
    /// As [`Package::data`]; when the frame is cut short.
    pub fn data_behind_frame(&self, export: usize) -> Read<Cursor<'a>> {
        let mut cursor = self.data(export)?;
        let has_frame = |export: &Export| export.flags & HAS_STATE_FRAME != 0;
        if self.tables.exports.get(export).is_some_and(has_frame) {
            let node = compact(&mut cursor, "state frame")?;
            compact(&mut cursor, "state frame")?;
            cursor.skip("state frame", 8 + 4)?;
            if node != 0 {
                compact(&mut cursor, "state frame")?;
            }
        }
        Ok(cursor)
    }

    /// The properties of an export, and a cursor at what follows them. Not for classes.
    ///
    /// # Errors
    /// As [`Package::data_behind_frame`]; when the list of properties is broken.
    pub fn object(&self, export: usize) -> Read<(Properties, Cursor<'a>)> {
        let mut cursor = self.data_behind_frame(export)?;
        if cursor.is_at_end() {
            return Ok((Properties::default(), cursor));
        }
        let properties = properties(&mut cursor, &self.tables)?;
        Ok((properties, cursor))
    }
}

fn header(bytes: &[u8]) -> Read<Header> {
    let mut cursor = Cursor::new(bytes);
    let cursor = &mut cursor;
    magic(cursor)?;
    let mut header = Header {
        version: cursor.u16("version")?,
        licensee: cursor.u16("licensee version")?,
        flags: cursor.u32("package flags")?,
        name_count: cursor.u32("name count")?,
        name_offset: cursor.u32("name offset")?,
        export_count: cursor.u32("export count")?,
        export_offset: cursor.u32("export offset")?,
        import_count: cursor.u32("import count")?,
        import_offset: cursor.u32("import offset")?,
        ..Header::default()
    };
    if header.version < FIRST_WITH_GENERATIONS {
        let count = cursor.u32("heritage count")?;
        let offset = cursor.u32("heritage offset")?;
        header.guid = heritage(bytes, count, offset).unwrap_or_default();
    } else {
        let guid = cursor.bytes("guid", 16)?;
        header.guid.copy_from_slice(guid);
        for _ in 0..cursor.count("generation count", 8)? {
            let exports = cursor.u32("generation")?;
            header
                .generations
                .push([exports, cursor.u32("generation")?]);
        }
    }
    header.header_end = cursor.offset();
    Ok(header)
}

/// The last GUID of the table. Nothing depends on it, so a table outside of the file is no fault.
fn heritage(bytes: &[u8], count: u32, offset: u32) -> Option<[u8; 16]> {
    let last = 16 * (count as usize).checked_sub(1)?;
    let start = offset as usize + last;
    bytes.get(start..start + 16)?.try_into().ok()
}
