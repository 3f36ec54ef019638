//! Classes as they stand in packages: what is above them, and with which values their objects begin.
//!
//! Layout of a class (Unreal Engine 1): the field (super and next), the struct (script text, first child, friendly name, line
//! and place in the text, size of the byte code in memory, the code), the state (two masks of probes, offset of the labels,
//! flags), the class (flags, GUID, dependencies, package imports, the class it lives within, the name of its configuration),
//! and tagged properties: the defaults that differ from those of the class above.
//!
//! The code is larger in memory than in the file, so its end is searched for: what follows it has to take the object to its
//! last byte. Nothing here is an error; what cannot be read stays unknown.

use crate::formats::Cursor;
use crate::formats::unr::compact::compact;
use crate::formats::unr::compact::compact_count;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::Reference;
use crate::formats::unr::package::Tables;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::property_read::properties;

/// From this version on a class tells what it lives within and how its configuration is called.
const FIRST_WITH_WITHIN: u16 = 62;

/// Bytes that may be looked at while the end of the code is searched for, as multiples of the class's data.
const MAX_LOOKS: u64 = 64;

/// A class of a package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassRecord {
    /// The class above it; 0 for none.
    pub above: Reference,
    /// Those that differ from the class above; none where they cannot be read.
    pub defaults: Option<Properties>,
}

/// Reads a class. What is above it stands in the export table too, so that is always told.
#[must_use]
pub fn class(package: &Package<'_>, export: usize) -> ClassRecord {
    let record = package.tables.exports.get(export);
    ClassRecord {
        above: record.map_or(Reference(0), |record| record.super_),
        defaults: defaults(package, export),
    }
}

fn defaults(package: &Package<'_>, export: usize) -> Option<Properties> {
    let mut cursor = package.data(export).ok()?;
    let size = cursor.left() as u64;
    let tables = &*package.tables;
    for _ in 0..4 {
        compact(&mut cursor, "class").ok()?;
    }
    tables.read_name(&mut cursor, "class").ok()?;
    cursor.skip("class", 8).ok()?;
    let code_in_memory = cursor.u32("class").ok()? as usize;
    let code_at_most = code_in_memory.min(cursor.left());
    let mut looks_left = size.saturating_mul(MAX_LOOKS);
    for _ in 0..=code_at_most {
        let mut behind = cursor.clone();
        if let Some(found) = behind_code(&mut behind, tables, code_in_memory) {
            return Some(found);
        }
        looks_left = looks_left.checked_sub(1 + behind.offset() - cursor.offset())?;
        cursor.skip("class", 1).ok()?;
    }
    None
}

/// The defaults, if state, class and defaults stand here and fill the object.
fn behind_code(cursor: &mut Cursor<'_>, tables: &Tables, code: usize) -> Option<Properties> {
    let field = "class";
    cursor.skip(field, 16).ok()?;
    let labels = cursor.u16(field).ok()?;
    if labels != u16::MAX && usize::from(labels) > code {
        return None;
    }
    cursor.skip(field, 4).ok()?;
    if tables.header.version < FIRST_WITH_WITHIN {
        // Size of the class's objects in memory.
        cursor.skip(field, 4).ok()?;
    }
    cursor.skip(field, 4 + 16).ok()?;
    for _ in 0..compact_count(cursor, field, 9).ok()? {
        let class = Reference(compact(cursor, field).ok()?);
        tables.object_path(class)?;
        let is_deep = cursor.u32(field).ok()?;
        if is_deep > 1 {
            return None;
        }
        cursor.skip(field, 4).ok()?;
    }
    for _ in 0..compact_count(cursor, field, 1).ok()? {
        tables.read_name(cursor, field).ok()?;
    }
    if tables.header.version >= FIRST_WITH_WITHIN {
        let within = Reference(compact(cursor, field).ok()?);
        if within != Reference(0) {
            tables.object_path(within)?;
        }
        tables.read_name(cursor, field).ok()?;
    }
    let found = properties(cursor, tables).ok()?;
    cursor.is_at_end().then_some(found)
}
