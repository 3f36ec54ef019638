//! Where the map lives on disk: is the file still the one we wrote, and how it is replaced safely (`hmap.md` 7).

use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::document::Document;
use crate::document::ViewState;
use crate::formats::Extras;

/// Identifies the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    pub bytes: u64,
    pub modified: Option<SystemTime>,
    pub crc32: u32,
}

impl FileStamp {
    /// Of a file whose content is at hand.
    ///
    /// # Errors
    /// The system's error.
    pub fn of(path: &Path, content: &[u8]) -> std::io::Result<Self> {
        let data = std::fs::metadata(path)?;
        Ok(Self {
            bytes: content.len() as u64,
            modified: data.modified().ok(),
            crc32: crc32fast::hash(content),
        })
    }

    /// Of a file on disk.
    ///
    /// # Errors
    /// The system's error.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        let content = std::fs::read(path)?;
        Self::of(path, &content)
    }

    /// Is the file on disk still this one? Size and time first; only a changed time is worth reading it.
    #[must_use]
    pub fn is_still(&self, path: &Path) -> bool {
        let Ok(data) = std::fs::metadata(path) else {
            return false;
        };
        if data.len() != self.bytes {
            return false;
        }
        (data.modified().ok() == self.modified && self.modified.is_some())
            || Self::read(path).is_ok_and(|now| now.crc32 == self.crc32)
    }
}

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

/// Whether the version before is kept beside the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backup {
    Keep,
    /// The writing that only adds the compile: the backup stays the version before the save.
    None,
}

/// Replaces a file by way of a temporary one beside it: written, flushed, the old one kept as `.bak`, then renamed over it.
/// On any failure the old file is intact and the temporary one is gone.
///
/// # Errors
/// The system's error.
pub(crate) fn replace(path: &Path, content: &[u8], backup: Backup) -> std::io::Result<FileStamp> {
    // Through a symbolic link to the file itself.
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = real
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let old = std::fs::metadata(&real).ok();
    if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
        return Err(std::io::Error::new(
            std::io::ErrorKind::PermissionDenied,
            "the file is read-only",
        ));
    }
    let name = real
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let mut file = tempfile::Builder::new()
        .prefix(&format!(".{name}."))
        .suffix(".tmp")
        .tempfile_in(folder)?;
    file.write_all(content)?;
    file.flush()?;
    match &old {
        Some(old) => file.as_file().set_permissions(old.permissions())?,
        None => readable(file.as_file())?,
    }
    file.as_file().sync_all()?;
    if backup == Backup::Keep && old.is_some() {
        keep_backup(&real, folder)?;
    }
    persist(file, &real)?;
    // Where a folder can be synced the rename survives a power cut.
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    FileStamp::of(&real, content)
}

/// Temporary files are private; a new map is an ordinary file.
#[cfg(unix)]
fn readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_file: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

/// `name.hmap.bak`: a hard link where the file system has them, else a copy.
fn keep_backup(real: &Path, folder: &Path) -> std::io::Result<()> {
    let mut name = real.file_name().unwrap_or_default().to_owned();
    name.push(".bak");
    let backup = folder.join(name);
    match std::fs::remove_file(&backup) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    if std::fs::hard_link(real, &backup).is_err() {
        std::fs::copy(real, &backup)?;
    }
    Ok(())
}

/// Renames over the target; where another program holds it for a moment (Windows), tries for a second.
fn persist(mut file: tempfile::NamedTempFile, target: &Path) -> std::io::Result<()> {
    for attempt in 0.. {
        match file.persist(target) {
            Ok(_) => return Ok(()),
            Err(error) if cfg!(windows) && attempt < 10 => {
                file = error.file;
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            Err(error) => return Err(error.error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacing_keeps_the_version_before_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().expect("temp dir");
        let path = folder.path().join("a.hmap");
        let first = replace(&path, b"one", Backup::Keep).expect("written");
        assert!(first.is_still(&path));
        replace(&path, b"two", Backup::Keep).expect("written");
        let third = replace(&path, b"three", Backup::None).expect("written");
        assert!(!first.is_still(&path));
        assert!(third.is_still(&path));
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("there");
        assert_eq!(
            (read("a.hmap"), read("a.hmap.bak")),
            ("three".to_owned(), "one".to_owned())
        );
        assert_eq!(std::fs::read_dir(folder.path()).expect("folder").count(), 2);
    }

    #[test]
    fn a_read_only_file_is_left_alone() {
        let folder = tempfile::tempdir().expect("temp dir");
        let path = folder.path().join("a.hmap");
        std::fs::write(&path, "old").expect("written");
        let mut permissions = std::fs::metadata(&path).expect("data").permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&path, permissions).expect("set");
        assert!(replace(&path, b"new", Backup::Keep).is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("there"), "old");
    }

    #[test]
    fn a_touched_file_with_the_same_content_is_still_ours() {
        let folder = tempfile::tempdir().expect("temp dir");
        let path = folder.path().join("a.hmap");
        let stamp = replace(&path, b"same", Backup::Keep).expect("written");
        let file = std::fs::File::options()
            .write(true)
            .open(&path)
            .expect("open");
        file.set_modified(SystemTime::UNIX_EPOCH).expect("touched");
        assert!(stamp.is_still(&path));
        std::fs::write(&path, "othr").expect("written");
        assert!(!stamp.is_still(&path));
    }
}
