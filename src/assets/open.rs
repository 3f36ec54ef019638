//! Opening a map: read the file, find its importer, import it with what lies beside it.

use std::io::Read as _;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::assets::MapFiles;
use crate::assets::Resolver;
use crate::assets::game_root;
use crate::assets::map_wads;
use crate::assets::paths::ROOT_SETTING;
use crate::assets::paths::folder_of;
use crate::assets::sources_for;
use crate::formats::FormatError;
use crate::formats::ImportOptions;
use crate::formats::Imported;
use crate::formats::importer_for;
use crate::task::Progress;

/// Larger files are not maps; they are refused before they are read.
const MAX_BYTES: u64 = 4 << 30;

/// Why a map could not be opened, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("Could not read {}: {error}", path.display())]
    Read {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("Could not open {}: it is none of the formats Mapwright reads (.hmap, .rmf, .ol, .ogz, .unr, .dx, .t3d)", .0.display())]
    Unknown(PathBuf),
    #[error("Could not open {0}")]
    Format(#[from] FormatError),
}

/// A map and where its textures come from.
pub struct Opened {
    pub imported: Imported,
    pub format: &'static str,
    /// Length of the file.
    pub bytes: u64,
    pub resolver: Arc<Resolver>,
}

/// The whole file, as long as it may be a map.
///
/// # Errors
/// The system's error, or that it is too large or a folder.
pub fn read_map(path: &Path) -> Result<Vec<u8>, OpenError> {
    let fail = |error| OpenError::Read {
        path: path.to_owned(),
        error,
    };
    let file = std::fs::File::open(path).map_err(fail)?;
    let data = file.metadata().map_err(fail)?;
    if data.is_dir() {
        return Err(fail(std::io::Error::new(
            std::io::ErrorKind::IsADirectory,
            "it is a folder",
        )));
    }
    if data.len() > MAX_BYTES {
        return Err(fail(std::io::Error::new(
            std::io::ErrorKind::FileTooLarge,
            "it is larger than 4 GiB",
        )));
    }
    let mut bytes = Vec::with_capacity(data.len() as usize);
    file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(fail)?;
    Ok(bytes)
}

/// Opens a map of any format. `roots`: folders and files in which the user keeps textures.
///
/// # Errors
/// One sentence: the file, the byte, the field and the reason.
pub fn open_map(path: &Path, roots: &[PathBuf], progress: &Progress) -> Result<Opened, OpenError> {
    open_map_with(path, roots, ImportOptions::default(), progress)
}

/// As [`open_map`], the way that the user asked for.
///
/// # Errors
/// One sentence: the file, the byte, the field and the reason.
pub fn open_map_with(
    path: &Path,
    roots: &[PathBuf],
    options: ImportOptions,
    progress: &Progress,
) -> Result<Opened, OpenError> {
    progress.stage("read", 0.2);
    let bytes = read_map(path)?;
    let head = &bytes[..bytes.len().min(1024)];
    let importer = importer_for(head, path).ok_or_else(|| OpenError::Unknown(path.to_owned()))?;
    progress.stage("import", 0.8);
    let files = MapFiles::new(path, roots);
    let mut imported = importer.import_with(&bytes, path, &files, options, progress)?;
    // A map that is saved elsewhere must find its pictures again.
    let root = match importer.name() {
        "ogz" => game_root(path),
        "unr" => folder_of(path).and_then(|folder| std::path::absolute(folder).ok()),
        _ => None,
    };
    if let Some(origin) = &mut imported.extras.origin
        && let Some(root) = root
    {
        let root = root.to_string_lossy().into_owned();
        origin.settings.push((ROOT_SETTING.to_owned(), root));
    }
    let own = &imported.extras.textures;
    let resolver = match files.into_resolver().map(Arc::try_unwrap) {
        Some(Err(resolver)) if own.is_empty() => resolver,
        Some(Ok(mut resolver)) => {
            if !own.is_empty() {
                resolver.embed(Arc::clone(own));
            }
            Arc::new(resolver)
        }
        _ => Arc::new(Resolver::new(sources_for(
            Some(path),
            &map_wads(&imported.doc),
            roots,
            &imported.extras,
        ))),
    };
    Ok(Opened {
        imported,
        format: importer.name(),
        bytes: bytes.len() as u64,
        resolver,
    })
}
