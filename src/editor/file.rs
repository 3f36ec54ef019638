//! What the editor knows of the file that the map lives in. How it is replaced stands in [`crate::assets::save`].

use std::path::PathBuf;

use crate::assets::save::FileStamp;
use crate::document::Document;
use crate::document::ViewState;
use crate::formats::Extras;

/// What the editor knows of its file.
#[derive(Clone, Debug, Default)]
pub struct FileState {
    /// The `.hmap`; `None` while it has no name.
    pub path: Option<PathBuf>,
    /// The foreign file it came from; never written to.
    pub imported_from: Option<PathBuf>,
    /// An import that was not saved yet is unsaved work.
    pub is_import: bool,
    pub stamp: Option<FileStamp>,
    /// Set in this session; the settings keep it by path.
    pub(crate) fly_speed: Option<f64>,
    /// What the last save wrote, for adding the compile to it.
    pub(crate) written: Option<Written>,
    /// The user chose to keep the map although its file changed: do not ask again about this content.
    pub(crate) kept: Option<FileStamp>,
}

/// The snapshot that is on disk.
#[derive(Clone)]
pub(crate) struct Written {
    pub doc: Document,
    pub look: ViewState,
    pub extras: Extras,
}

impl std::fmt::Debug for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Written").finish_non_exhaustive()
    }
}
