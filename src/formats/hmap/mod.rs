//! `.hmap` version 1, our own format: a header and chunks (`hmap.md`).
//!
//! Reading takes two steps. *Read* makes structs that mirror the file (`container`, `source`, `extensions`, `compiled`);
//! *convert* makes the document (`convert`, `objects`, `layers`). Every broken rule becomes a [`Finding`]; a fault in a base chunk makes the
//! file unreadable, nothing else does. A `CMPL` is used only when it passes all its rules (`verify`, `verify_tree`).
//! Writing (`write`, `canonical`) is a pure function of document, view, extras and compile.

mod canonical;
mod compiled;
mod container;
mod convert;
mod extensions;
mod findings;
mod layers;
mod layers_write;
mod objects;
mod read;
mod recover;
mod renumber;
mod rules;
mod source;
#[cfg(test)]
mod tests;
mod verify;
mod verify_tree;
mod write;

use std::path::Path;

pub use self::findings::Finding;
pub use self::findings::Level;
pub use self::recover::recover;
pub use self::renumber::renumbered;
pub use self::write::write;
pub use self::write::write_runtime;
use crate::document::ObjectId;
use crate::formats::Extras;
use crate::formats::FormatError;
use crate::formats::Imported;
use crate::formats::Importer;
use crate::formats::Match;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::task::Progress;

pub struct Hmap;

impl Importer for Hmap {
    fn name(&self) -> &'static str {
        "hmap"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["hmap"]
    }

    fn probe(&self, head: &[u8], path: &Path) -> Match {
        if head.starts_with(container::MAGIC) {
            Match::Magic
        } else if path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("hmap"))
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
        _siblings: &dyn Siblings,
        progress: &Progress,
    ) -> Result<Imported, FormatError> {
        let loaded = read::load(bytes, path, false, progress).map_err(|error| error.at(path))?;
        match loaded.refused {
            Some(error) => Err(error.at(path)),
            None => Ok(imported(loaded)),
        }
    }
}

fn imported(loaded: read::Loaded) -> Imported {
    let mut report = Report {
        source_counts: serde_json::json!({}),
        format: "hmap",
        version: container::VERSION.to_string(),
        ..Report::default()
    };
    for finding in loaded.findings.finish() {
        report.warn(
            finding.code,
            finding.byte,
            finding.object.and_then(ObjectId::new),
            finding.text,
        );
    }
    Imported {
        doc: loaded.doc,
        view: loaded.view,
        extras: loaded.extras,
        compiled: loaded.compiled,
        report,
    }
}

/// Every broken rule of a file. A file that does not open gives one finding of level fatal.
#[must_use]
pub fn check(bytes: &[u8], path: &Path) -> Vec<Finding> {
    match read::load(bytes, path, false, &Progress::new()) {
        Ok(loaded) => loaded.findings.finish(),
        Err(error) => {
            let byte = Some(error.offset);
            let error = error.at(path);
            let text = format!("{} ({}, byte {:#x})", error.kind, error.field, error.offset);
            vec![Finding {
                code: error.code(),
                level: Level::Fatal,
                object: None,
                byte,
                text,
            }]
        }
    }
}

/// "Open what is readable": the chunks before and after what is damaged, and the records before it within. Never fails;
/// bytes that are no `.hmap` give an empty map. The result is a new, unsaved map: it never overwrites the file by itself.
#[must_use]
pub fn salvage(bytes: &[u8], path: &Path) -> Imported {
    match read::load(bytes, path, true, &Progress::new()) {
        Ok(mut loaded) => {
            loaded.compiled = None;
            imported(loaded)
        }
        Err(error) => {
            let mut report = Report {
                format: "hmap",
                ..Report::default()
            };
            let offset = Some(error.offset);
            let error = error.at(path);
            report.warn(error.code(), offset, None, error.to_string());
            Imported {
                doc: Default::default(),
                view: Default::default(),
                extras: Extras::default(),
                compiled: None,
                report,
            }
        }
    }
}
