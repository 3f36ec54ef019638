//! The Level export: slots of actors, and which model is the world (`unr.md` 4).

use crate::formats::Cursor;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::unr::compact::compact;
use crate::formats::unr::compact::compact_count;
use crate::formats::unr::compact::fixed_count;
use crate::formats::unr::compact::text;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::Reference;

/// Bytes of the smallest reach spec: four numbers of 4 bytes, two references, a byte.
const SMALLEST_REACH_SPEC: usize = 19;

/// Two empty texts.
const SMALLEST_TRAVEL_INFO: usize = 2;

const TEXT_BLOCKS: usize = 16;

/// A Level as it stands in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// One for each slot, in slot order; 0 for an empty one. The same actor may stand in several.
    pub slots: Vec<Reference>,
    pub url: Url,
    /// The world's model.
    pub model: Reference,
    pub reach_specs: usize,
    /// Seconds.
    pub approximate_time: f32,
    pub first_deleted: Reference,
    pub text_blocks: Vec<Reference>,
    pub travel_info: usize,
    /// Bytes that nothing of the above took.
    pub left: usize,
    /// What ended the reading behind the world's model, where nothing is needed any more.
    pub damage: Option<ReadError>,
}

/// The address under which a game ran the level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Url {
    pub protocol: String,
    pub host: String,
    pub map: String,
    pub portal: String,
    pub options: Vec<String>,
    pub port: i32,
    pub is_valid: bool,
}

/// Reads a Level.
///
/// # Errors
/// When its slots or the reference to its model cannot be read.
pub fn level(package: &Package<'_>, export: usize) -> Read<Level> {
    let (_, mut cursor) = package.object(export)?;
    let cursor = &mut cursor;
    let version = package.version();
    let mut level = Level::default();
    // The capacity stands between the count and the slots.
    let count = fixed_count(cursor, "actor slots", 1)?;
    cursor.skip("actor slots", 4)?;
    level.slots.reserve_exact(count.min(cursor.left()));
    for _ in 0..count {
        level.slots.push(reference(cursor, "actor slot")?);
    }
    level.url = url(cursor, version)?;
    level.model = reference(cursor, "world model")?;
    if let Err(error) = behind_model(cursor, version, &mut level) {
        level.damage = Some(error);
    }
    level.left = cursor.left();
    Ok(level)
}

fn reference(cursor: &mut Cursor<'_>, field: &'static str) -> Read<Reference> {
    compact(cursor, field).map(Reference)
}

fn url(cursor: &mut Cursor<'_>, version: u16) -> Read<Url> {
    let mut url = Url {
        protocol: text(cursor, "url protocol", version)?,
        host: text(cursor, "url host", version)?,
        map: text(cursor, "url map", version)?,
        portal: text(cursor, "url portal", version)?,
        ..Url::default()
    };
    for _ in 0..compact_count(cursor, "url options", 1)? {
        url.options.push(text(cursor, "url option", version)?);
    }
    url.port = cursor.i32("url port")?;
    url.is_valid = cursor.i32("url valid")? != 0;
    Ok(url)
}

fn behind_model(cursor: &mut Cursor<'_>, version: u16, level: &mut Level) -> Read<()> {
    let specs = compact_count(cursor, "reach specs", SMALLEST_REACH_SPEC)?;
    for _ in 0..specs {
        cursor.skip("reach spec", 4)?;
        compact(cursor, "reach spec")?;
        compact(cursor, "reach spec")?;
        cursor.skip("reach spec", 3 * 4 + 1)?;
    }
    level.reach_specs = specs;
    level.approximate_time = cursor.f32("time")?;
    level.first_deleted = reference(cursor, "first deleted actor")?;
    for _ in 0..TEXT_BLOCKS {
        level.text_blocks.push(reference(cursor, "text block")?);
    }
    let travel_info = compact_count(cursor, "travel info", SMALLEST_TRAVEL_INFO)?;
    for _ in 0..2 * travel_info {
        text(cursor, "travel info", version)?;
    }
    level.travel_info = travel_info;
    Ok(())
}
