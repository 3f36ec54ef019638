//! Unreal Engine 1 maps (`.unr`, `.dx`): Unreal, Unreal Tournament, Deus Ex, Harry Potter 1 and 2; `.t3d` text and `.utx` textures.

pub mod ancestry;
pub mod brushes;
mod cameras;
pub mod cells;
pub mod claims;
mod class_read;
pub mod classes;
pub mod compact;
pub mod convert;
mod counts;
pub mod defaults;
pub mod emit;
pub mod entities;
pub mod hulls;
mod keys;
pub mod layers;
pub mod level;
pub mod lightmaps;
pub mod lights;
pub mod looks;
#[cfg(test)]
pub(crate) mod made_package;
pub mod mapping;
pub mod meshes;
pub mod model;
pub mod models;
pub mod movers;
pub mod moving;
pub mod original;
pub mod own_textures;
pub mod package;
pub mod part;
pub mod patches;
pub mod picture;
pub mod pieces;
pub mod polys;
pub mod properties;
pub mod property_read;
pub mod raw;
mod read;
#[cfg(test)]
mod read_tests;
pub mod replay;
mod resolve;
pub mod seen;
pub mod self_check;
pub mod sky;
pub mod solid;
pub mod solidity;
pub mod space;
pub mod sparse;
pub mod surfaces;
mod tables;
pub mod tell;
mod tell_textures;
#[cfg(test)]
mod testing;
mod text;
mod text_polygon;
#[cfg(test)]
mod text_tests;
mod text_value;
pub mod texture;
pub mod texture_name;
pub mod texture_package;
#[cfg(test)]
mod texture_tests;
pub mod transform;
pub mod vertex_mesh;
pub mod visgroups;
pub mod zones;

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

pub use self::counts::counts;
pub use self::read::Note;
pub use self::read::read;
pub use self::text::is_text;
pub use self::text::read_text;
use crate::formats::ErrorKind;
use crate::formats::Extras;
use crate::formats::FormatError;
use crate::formats::ImportOptions;
use crate::formats::Imported;
use crate::formats::Importer;
use crate::formats::Match;
use crate::formats::Origin;
use crate::formats::Read;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::texture_name::PACKAGES_SETTING;
use crate::task::Progress;

/// What `probe` looks at.
const HEAD_BYTES: usize = 1024;

pub struct Unr;

impl Importer for Unr {
    fn name(&self) -> &'static str {
        "unr"
    }

    /// `.un2` are maps of the next engine: they are ours so that they are refused by its name.
    fn extensions(&self) -> &'static [&'static str] {
        &["unr", "dx", "un2", "t3d"]
    }

    /// Every package is ours, so that those that hold no map are refused by what they hold.
    fn probe(&self, head: &[u8], path: &Path) -> Match {
        if head.starts_with(&package::MAGIC) || is_text(head) {
            return Match::Magic;
        }
        let is_ours = path.extension().is_some_and(|ending| {
            let mut endings = self.extensions().iter();
            endings.any(|known| ending.eq_ignore_ascii_case(known))
        });
        if is_ours { Match::Extension } else { Match::No }
    }

    fn import(
        &self,
        bytes: &[u8],
        path: &Path,
        siblings: &dyn Siblings,
        progress: &Progress,
    ) -> Result<Imported, FormatError> {
        self.import_with(bytes, path, siblings, ImportOptions::default(), progress)
    }

    fn import_with(
        &self,
        bytes: &[u8],
        path: &Path,
        siblings: &dyn Siblings,
        options: ImportOptions,
        progress: &Progress,
    ) -> Result<Imported, FormatError> {
        progress.stage("Reading", 0.1);
        let cancelled =
            |cancelled| FormatError::new(path, 0, "file", ErrorKind::Cancelled(cancelled));
        let (mut map, notes) = read_any(bytes, path, progress).map_err(|error| error.at(path))?;
        let mut report = Report {
            format: self.name(),
            version: version(&map),
            source_counts: counts(&map),
            ..Report::default()
        };
        for note in notes {
            report.warn(note.code, Some(note.offset), None, note.text);
        }
        ancestry::find_ancestors(bytes, &mut map, siblings, progress).map_err(cancelled)?;
        let models = models::find(&mut map, bytes, siblings, progress).map_err(cancelled)?;
        let converted = convert::convert(&map, &models, siblings, options, progress, &mut report);
        let converted = converted.map_err(cancelled)?;
        let (textures, faults) = own_textures::embedded(&map.own_textures, bytes, &converted.doc);
        for fault in faults {
            report.warn("I-BAD-TEXTURE", None, None, fault);
        }
        let extras = Extras {
            origin: Some(origin(bytes, path, &map, converted.settings)),
            original_light: converted.original_light,
            textures: Arc::new(textures),
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

/// A package, or text.
fn read_any(bytes: &[u8], path: &Path, progress: &Progress) -> Read<(RawMap, Vec<Note>)> {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let is_named_text = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("t3d"));
    if is_text(head) || (is_named_text && !head.starts_with(&package::MAGIC)) {
        read_text(bytes, progress)
    } else {
        read(bytes, progress)
    }
}

/// The file's own numbers without converting it.
///
/// # Errors
/// When nothing of the file can be read.
pub fn source_counts(bytes: &[u8], path: &Path) -> Result<Value, FormatError> {
    read_any(bytes, path, &Progress::new())
        .map(|(map, _)| counts(&map))
        .map_err(|error| error.at(path))
}

/// The version in words.
fn version(map: &RawMap) -> String {
    match (map.is_text, map.licensee) {
        (true, _) => "text".to_owned(),
        (false, 0) => map.version.to_string(),
        (false, licensee) => format!("{}/{licensee}", map.version),
    }
}

fn origin(bytes: &[u8], path: &Path, map: &RawMap, materials: Vec<(String, String)>) -> Origin {
    let mut settings = vec![
        ("version".to_owned(), version(map)),
        ("axes".to_owned(), "y z -x".to_owned()),
        (
            "unitsPerMeter".to_owned(),
            space::UNITS_PER_METER.to_string(),
        ),
        (PACKAGES_SETTING.to_owned(), map.facts.packages.join(";")),
    ];
    settings.extend(materials);
    Origin::of_file("unr", bytes, path, settings)
}
