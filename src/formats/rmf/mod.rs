//! Worldcraft and Hammer `.rmf` maps and `.ol` prefab libraries.

mod beside;
mod convert;
mod counts;
mod entities;
mod library;
pub mod raw;
mod read;
mod solid;
mod special;
#[cfg(test)]
mod tests;
mod textures;

use std::path::Path;

use serde_json::Value;

use crate::document::Document;
use crate::formats::ErrorKind;
use crate::formats::Extras;
use crate::formats::FormatError;
use crate::formats::Imported;
use crate::formats::Importer;
use crate::formats::Match;
use crate::formats::Origin;
use crate::formats::ReadError;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::formats::rmf::convert::Part;
use crate::formats::rmf::convert::UNITS_PER_METER;
use crate::formats::rmf::raw::RawLibrary;
use crate::formats::rmf::raw::RawMap;
use crate::task::Cancelled;
use crate::task::Progress;

pub use self::library::read_library;
pub use self::read::read_map;

/// The document of a map that was read from somewhere else in the same terms (`.map` text).
///
/// # Errors
/// Only when cancelled.
pub(crate) fn document_of(
    map: &RawMap<'_>,
    siblings: &dyn Siblings,
    progress: &Progress,
    report: &mut Report,
) -> Result<Document, Cancelled> {
    let part = Part { map, group: None };
    convert::convert(&[part], siblings, progress, report).map(|(doc, _)| doc)
}

pub struct Rmf;

impl Importer for Rmf {
    fn name(&self) -> &'static str {
        "rmf"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["rmf", "rmx", "ol"]
    }

    fn probe(&self, head: &[u8], path: &Path) -> Match {
        if head.get(4..7) == Some(b"RMF")
            || head.starts_with(library::MAGIC)
            || head.starts_with(library::JACK_MAGIC)
        {
            return Match::Magic;
        }
        let ending = path
            .extension()
            .and_then(|ending| ending.to_str())
            .unwrap_or("");
        if self
            .extensions()
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
        {
            Match::Extension
        } else {
            Match::No
        }
    }

    fn import(
        &self,
        bytes: &[u8],
        path: &Path,
        siblings: &dyn Siblings,
        progress: &Progress,
    ) -> Result<Imported, FormatError> {
        progress.stage("Reading", 0.1);
        let file = File::read(bytes).map_err(|error| error.at(path))?;
        let mut report = Report {
            format: file.format(),
            version: file.version(),
            source_counts: file.counts(),
            ..Report::default()
        };
        let parts = file.parts(&mut report);
        progress.stage("Converting", 0.9);
        let (doc, view) =
            convert::convert(&parts, siblings, progress, &mut report).map_err(|cancelled| {
                FormatError::new(path, 0, "file", ErrorKind::Cancelled(cancelled))
            })?;
        let mut packages: Vec<String> = Vec::new();
        for name in parts.iter().flat_map(|part| convert::wads(part.map)) {
            if !packages.contains(&name) {
                packages.push(name);
            }
        }
        let extras = Extras {
            origin: Some(origin(bytes, path, &file, &packages)),
            ..Extras::default()
        };
        Ok(Imported {
            doc,
            view,
            extras,
            compiled: None,
            report,
        })
    }
}

/// The file's own numbers without converting it: an object, or for a `.ol` a list with one per prefab.
///
/// # Errors
/// When nothing of the file can be read.
pub fn source_counts(bytes: &[u8], path: &Path) -> Result<Value, FormatError> {
    File::read(bytes)
        .map(|file| file.counts())
        .map_err(|error| error.at(path))
}

/// Either kind of file.
enum File<'a> {
    Map(RawMap<'a>),
    Library(RawLibrary<'a>),
}

impl<'a> File<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, ReadError> {
        if bytes.starts_with(library::JACK_MAGIC) {
            let text = "an object library of J.A.C.K. (JHOL) is not supported; save its objects as an RMF map".to_owned();
            return Err(ReadError {
                offset: 0,
                field: "magic",
                kind: ErrorKind::Rule {
                    code: "F-MAGIC",
                    text,
                },
            });
        }
        if !bytes.starts_with(library::MAGIC) {
            return Ok(Self::Map(read_map(bytes, 0)?));
        }
        let library = read_library(bytes)?;
        // An index full of damaged entries shows nothing.
        if !library.entries.is_empty()
            && let Some(Err(error)) = library
                .entries
                .iter()
                .map(|entry| &entry.map)
                .min_by_key(|map| map.is_err())
        {
            return Err(error.clone());
        }
        Ok(Self::Library(library))
    }

    fn format(&self) -> &'static str {
        match self {
            Self::Map(_) => "rmf",
            Self::Library(_) => "ol",
        }
    }

    fn version(&self) -> String {
        match self {
            Self::Map(map) => map.version.to_string(),
            Self::Library(library) => format!("{:.1}", library.version),
        }
    }

    fn counts(&self) -> Value {
        match self {
            Self::Map(map) => counts::counts(map),
            Self::Library(library) => library
                .entries
                .iter()
                .filter_map(|entry| entry.map.as_ref().ok())
                .map(counts::counts)
                .collect(),
        }
    }

    fn parts(&self, report: &mut Report) -> Vec<Part<'_, 'a>> {
        let library = match self {
            Self::Map(map) => return vec![Part { map, group: None }],
            Self::Library(library) => library,
        };
        let mut parts = Vec::with_capacity(library.entries.len());
        for entry in &library.entries {
            let name = entry.name.decoded();
            match &entry.map {
                Ok(map) => {
                    let text = format!(
                        "{name}: RMF {}; {}",
                        map.version,
                        entry.description.decoded()
                    );
                    report.warn("I-PREFAB", Some(entry.offset), None, text);
                    parts.push(Part {
                        map,
                        group: Some(name.into_owned()),
                    });
                }
                Err(error) => {
                    let text = format!(
                        "prefab {name} cannot be read and was left out: {} ({})",
                        error.kind, error.field
                    );
                    report.warn("I-BROKEN-PREFAB", Some(error.offset), None, text);
                }
            }
        }
        parts
    }
}

fn origin(bytes: &[u8], path: &Path, file: &File<'_>, packages: &[String]) -> Origin {
    let mut settings = vec![
        ("version".to_owned(), file.version()),
        ("axes".to_owned(), "x z -y".to_owned()),
        ("unitsPerMeter".to_owned(), UNITS_PER_METER.to_string()),
    ];
    if !packages.is_empty() {
        settings.push(("packages".to_owned(), packages.join(";")));
    }
    Origin::of_file(file.format(), bytes, path, settings)
}
