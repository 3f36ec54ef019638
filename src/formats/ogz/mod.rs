//! Cube 2 maps (`.ogz`): Sauerbraten, and the relatives that kept its format.

mod bent;
mod boxes;
mod classes;
pub mod config;
mod container;
mod convert;
pub mod convex;
mod counts;
pub mod effects;
pub mod emit;
pub mod entities;
mod floor;
mod header;
mod lighting;
mod made;
pub mod mapping;
pub mod materials;
pub mod measure;
pub mod models;
mod octree;
#[cfg(test)]
mod piece_tests;
pub mod pieces;
pub mod raw;
mod read;
#[cfg(test)]
mod read_tests;
mod records;
pub mod records_of;
mod script;
#[cfg(test)]
mod section_tests;
pub mod shape;
pub mod sky;
mod slopes;
pub mod slots;
mod tail;
#[cfg(test)]
mod texture_tests;
mod virtual_slots;
pub mod visible;
pub mod volumes;
pub mod write;

use std::path::Path;

use serde_json::Value;

pub use self::counts::counts;
pub use self::counts::geometry_counts;
pub use self::read::Note;
pub use self::read::read;
use crate::formats::ErrorKind;
use crate::formats::Extras;
use crate::formats::FormatError;
use crate::formats::Imported;
use crate::formats::Importer;
use crate::formats::Match;
use crate::formats::Origin;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::formats::ogz::raw::Family;
use crate::formats::ogz::raw::RawMap;
use crate::task::Progress;

pub struct Ogz;

impl Importer for Ogz {
    fn name(&self) -> &'static str {
        "ogz"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ogz"]
    }

    /// Relatives that cannot be read are ours all the same, so that they are refused by their name.
    fn probe(&self, head: &[u8], path: &Path) -> Match {
        if header::is_magic(&container::head(head)) {
            return Match::Magic;
        }
        let is_ours = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("ogz"));
        if is_ours { Match::Extension } else { Match::No }
    }

    fn import(
        &self,
        bytes: &[u8],
        path: &Path,
        siblings: &dyn Siblings,
        progress: &Progress,
    ) -> Result<Imported, FormatError> {
        progress.stage("Reading", 0.2);
        let (map, notes) = read(bytes, progress).map_err(|error| error.at(path))?;
        let mut report = Report {
            format: self.name(),
            version: version(&map),
            source_counts: counts(&map),
            ..Report::default()
        };
        for note in notes {
            report.warn(note.code, Some(note.offset), None, note.text);
        }
        let converted =
            convert::convert(&map, path, siblings, progress, &mut report).map_err(|cancelled| {
                FormatError::new(path, 0, "file", ErrorKind::Cancelled(cancelled))
            })?;
        let extras = Extras {
            origin: Some(origin(bytes, path, &map, converted.settings)),
            ..Extras::default()
        };
        Ok(Imported {
            doc: converted.doc,
            view: converted.view,
            extras,
            compiled: None,
            report,
        })
    }
}

/// The file's own numbers without converting it.
///
/// # Errors
/// When nothing of the file can be read.
pub fn source_counts(bytes: &[u8], path: &Path) -> Result<Value, FormatError> {
    read(bytes, &Progress::new())
        .map(|(map, _)| counts(&map))
        .map_err(|error| error.at(path))
}

/// Cube 2 shows a surface as its picture times its light times two; the light itself is kept as the maps have it (`ogz.md` 12).
/// `origin`: what a map was imported from.
#[must_use]
pub fn doubles_light(origin: Option<&Origin>) -> bool {
    origin.is_some_and(|origin| origin.format == "ogz")
}

/// The version in words; that of a relative with its name.
fn version(map: &RawMap) -> String {
    match map.family {
        Family::Sauerbraten => map.version.to_string(),
        Family::Tesseract => format!("{} (Tesseract)", map.version),
        Family::Sandbox => format!("{} (Platinum Arts Sandbox)", map.version),
    }
}

fn origin(bytes: &[u8], path: &Path, map: &RawMap, materials: Vec<(String, String)>) -> Origin {
    let mut settings = vec![
        ("version".to_owned(), version(map)),
        ("game".to_owned(), map.game.clone()),
        ("worldSize".to_owned(), map.world_size.to_string()),
        ("axes".to_owned(), "x z y".to_owned()),
        (
            "unitsPerMeter".to_owned(),
            convert::UNITS_PER_METER.to_string(),
        ),
    ];
    let coded = map.facts.coded.iter();
    settings.extend(coded.map(|(name, text)| (format!("{}{name}", effects::TEXT), text.clone())));
    settings.extend(materials);
    Origin::of_file("ogz", bytes, path, settings)
}
