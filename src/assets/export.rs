//! Writing a map in another game's format, with the files that belong beside it.

use std::path::Path;
use std::path::PathBuf;

use crate::assets::Resolver;
use crate::assets::save::SaveMode;
use crate::assets::save::save_file;
use crate::document::Document;
use crate::document::Material;
use crate::formats::Origin;
use crate::formats::Report;
use crate::formats::ogz;
use crate::task::Progress;

/// Endings of the formats that can be written beside our own.
pub const EXPORTS: &[&str] = &["ogz"];

/// Whether a name ends like a format that can be written.
#[must_use]
pub fn can_export(path: &Path) -> bool {
    path.extension().is_some_and(|ending| {
        EXPORTS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}

/// What was written.
#[derive(Debug)]
pub struct Exported {
    /// The map, and what lies beside it.
    pub files: Vec<PathBuf>,
    /// Length of the map.
    pub bytes: u64,
    /// Brushes that are in it.
    pub brushes: usize,
    /// What the format cannot say.
    pub report: Report,
}

/// Writes a Cube 2 map and its configuration, `<name>.cfg`, which tells its pictures. Files that were there are kept as `.bak`.
/// `origin`: what the map was imported from; `textures`: where pictures are looked for, to know their sizes.
///
/// # Errors
/// A sentence; also when cancelled.
pub fn export(
    doc: &Document,
    origin: Option<&Origin>,
    textures: Option<&Resolver>,
    path: &Path,
    progress: &Progress,
) -> Result<Exported, String> {
    if !can_export(path) {
        return Err(format!(
            "Could not export to {}: Mapwright writes .ogz",
            path.display()
        ));
    }
    let size_of = |material: &Material| textures?.size(&material.texture);
    let written =
        ogz::write::write(doc, origin, &size_of, progress).map_err(|error| error.to_string())?;
    let bytes = written.bytes();
    let config = path.with_extension("cfg");
    let mode = SaveMode {
        keep_backup: true,
        expect: None,
    };
    // The map last: it is of no use without its configuration.
    for (file, content) in [
        (config.as_path(), written.config.as_bytes()),
        (path, &bytes),
    ] {
        save_file(file, content, mode)
            .map_err(|error| format!("Could not export to {}: {error}", file.display()))?;
    }
    Ok(Exported {
        files: vec![path.to_owned(), config],
        bytes: bytes.len() as u64,
        brushes: written.brushes,
        report: written.report,
    })
}
