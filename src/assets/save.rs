//! Replacing a file whole or not at all (`hmap.md` 7, steps 2 to 6): on any failure the old file is intact.

use std::fs;
use std::fs::File;
use std::fs::Metadata;
use std::fs::Permissions;
use std::io;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;
use std::time::SystemTime;

use tempfile::NamedTempFile;

/// Symbolic links followed before it must be a circle.
const LINKS: usize = 40;
/// Tries to replace a file that another program holds (Windows), 50 ms apart.
const TRIES: usize = 20;

/// What tells one version of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    pub size: u64,
    /// `None` where the system does not say.
    pub modified: Option<SystemTime>,
    pub crc32: u32,
}

impl FileStamp {
    /// The stamp of a file whose content was just read or written.
    ///
    /// # Errors
    /// When the file cannot be looked at.
    pub fn of(path: &Path, bytes: &[u8]) -> io::Result<Self> {
        let modified = fs::metadata(path)?.modified().ok();
        Ok(Self {
            size: bytes.len() as u64,
            modified,
            crc32: crc32fast::hash(bytes),
        })
    }

    /// The stamp of a file as it is on disk.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(path: &Path) -> io::Result<Self> {
        Self::of(path, &fs::read(path)?)
    }

    /// True for the same content, whenever it was written.
    #[must_use]
    pub fn is_same_content(&self, other: &Self) -> bool {
        (self.size, self.crc32) == (other.size, other.crc32)
    }

    /// True when the file is still the one this stamp was taken of: by size and time, else by content.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn is_of(&self, path: &Path) -> io::Result<bool> {
        let metadata = fs::metadata(path)?;
        if metadata.len() != self.size {
            return Ok(false);
        }
        if self.modified.is_some() && metadata.modified().ok() == self.modified {
            return Ok(true);
        }
        Ok(crc32fast::hash(&fs::read(path)?) == self.crc32)
    }
}

/// How to replace a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct SaveMode {
    /// Keep the old file as `<name>.bak`. Off for the writing that only adds a compile to what was just saved.
    pub keep_backup: bool,
    /// What was last read or written there: anything else stops the saving. `None` = replace whatever is there.
    pub expect: Option<FileStamp>,
}

/// Why a file was not saved. The file that was there is as it was.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    #[error("{} is read-only; save it under another name", .0.display())]
    ReadOnly(PathBuf),
    #[error("{} is a folder", .0.display())]
    IsFolder(PathBuf),
    /// Ask before replacing it: save again without `expect`.
    #[error("{} was changed by another program since it was opened", .0.display())]
    Changed(PathBuf),
    #[error("{} cannot be written to: {error}", folder.display())]
    Folder { folder: PathBuf, error: io::Error },
    #[error("{} could not be saved ({step}): {error}", path.display())]
    Io {
        path: PathBuf,
        step: &'static str,
        error: io::Error,
    },
    /// Another program holds the file; what should have been saved is in `kept`.
    #[error("{} is held by another program; the map is in {} ({error})", path.display(), kept.display())]
    Held {
        path: PathBuf,
        kept: PathBuf,
        error: io::Error,
    },
}

/// Replaces the file at `path` by `bytes`, or makes it.
///
/// # Errors
/// See [`SaveError`]; no temporary file stays behind, except the one that [`SaveError::Held`] names.
pub fn save_file(path: &Path, bytes: &[u8], mode: SaveMode) -> Result<FileStamp, SaveError> {
    let target = replace(path, mode, |file| file.write_all(bytes))?;
    FileStamp::of(&target, bytes).map_err(|error| SaveError::Io {
        path: target,
        step: "looking at the new file",
        error,
    })
}

/// The steps, with `fill` writing the new content; returns the real file. Apart, so that a failing disk can be tested.
fn replace(
    path: &Path,
    mode: SaveMode,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<PathBuf, SaveError> {
    let io = |step| {
        let path = path.to_owned();
        move |error| SaveError::Io { path, step, error }
    };
    let target = followed(path).map_err(io("following links"))?;
    let old = match fs::metadata(&target) {
        Ok(metadata) if metadata.is_dir() => return Err(SaveError::IsFolder(target)),
        Ok(metadata) if metadata.permissions().readonly() => {
            return Err(SaveError::ReadOnly(target));
        }
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(io("looking at the old file")(error)),
    };
    if let (Some(stamp), Some(_)) = (mode.expect, &old)
        && !stamp.is_of(&target).map_err(io("reading the old file"))?
    {
        return Err(SaveError::Changed(target));
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let name = target
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let mut temporary =
        new_beside(&folder, &name, old.as_ref()).map_err(|error| SaveError::Folder {
            folder: folder.clone(),
            error,
        })?;
    fill(temporary.as_file_mut()).map_err(io("writing"))?;
    temporary.as_file_mut().flush().map_err(io("writing"))?;
    temporary
        .as_file()
        .sync_all()
        .map_err(io("writing to disk"))?;
    if let Some(old) = &old {
        temporary
            .as_file()
            .set_permissions(old.permissions())
            .map_err(io("copying permissions"))?;
        if mode.keep_backup {
            back_up(&target, &folder, &name).map_err(io("keeping the old file"))?;
        }
    }
    put_in_place(temporary, &target)?;
    sync_folder(&folder);
    Ok(target)
}

/// The real file behind symbolic links, which need not exist yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
        if !is_link {
            return Ok(path);
        }
        let to = fs::read_link(&path)?;
        path = path
            .parent()
            .map_or_else(|| to.clone(), |folder| folder.join(&to));
    }
    Err(io::Error::other("the symbolic links go round in a circle"))
}

/// An empty `.<name>.<unique>.tmp` in the folder; with the usual permissions of a new file when there was none.
fn new_beside(folder: &Path, name: &str, old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    if let (None, Some(permissions)) = (old, usual_permissions()) {
        builder.permissions(permissions);
    }
    builder.tempfile_in(folder)
}

#[cfg(unix)]
fn usual_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    // What the user's mask takes away is taken away when the file is made.
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<Permissions> {
    None
}

/// Puts the present content under `<name>.bak` while `target` keeps it too: a hard link, else a copy, under a new name first, so
/// that an older backup is replaced whole.
fn back_up(target: &Path, folder: &Path, name: &str) -> io::Result<()> {
    let place = tempfile::Builder::new()
        .prefix(&format!(".{name}."))
        .suffix(".bak.tmp")
        .make_in(folder, |path| fs::hard_link(target, path));
    let place = match place {
        Ok(place) => place.into_temp_path(),
        Err(_) => {
            let copy = new_beside(folder, name, None)?;
            fs::copy(target, copy.path())?;
            copy.as_file().sync_all()?;
            copy.into_temp_path()
        }
    };
    place
        .persist(folder.join(format!("{name}.bak")))
        .map_err(|error| error.error)
}

/// Renames the new file over the old one.
fn put_in_place(mut temporary: NamedTempFile, target: &Path) -> Result<(), SaveError> {
    for attempt in 1.. {
        let Err(error) = temporary.persist(target) else {
            return Ok(());
        };
        temporary = error.file;
        let held = cfg!(windows) && error.error.kind() == io::ErrorKind::PermissionDenied;
        if !held {
            return Err(SaveError::Io {
                path: target.to_owned(),
                step: "replacing the old file",
                error: error.error,
            });
        }
        if attempt == TRIES {
            let kept = temporary.path().to_owned();
            return match temporary.keep() {
                Ok(_) => Err(SaveError::Held {
                    path: target.to_owned(),
                    kept,
                    error: error.error,
                }),
                Err(_) => Err(SaveError::Io {
                    path: target.to_owned(),
                    step: "replacing the old file",
                    error: error.error,
                }),
            };
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Makes the rename last through a power cut, where the system can.
fn sync_folder(folder: &Path) {
    if cfg!(unix)
        && let Err(error) = File::open(folder).and_then(|folder| folder.sync_all())
    {
        tracing::debug!("{} could not be synced: {error}", folder.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEEP: SaveMode = SaveMode {
        keep_backup: true,
        expect: None,
    };

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("folder")
            .map(|entry| {
                entry
                    .expect("entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).expect("file")
    }

    #[test]
    fn the_backup_is_the_file_before() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.hmap");
        let backup = folder.path().join("a.hmap.bak");
        let first = save_file(&path, b"one", KEEP).expect("new");
        assert_eq!((text(&path).as_str(), backup.exists()), ("one", false));
        let second = save_file(
            &path,
            b"two!",
            SaveMode {
                expect: Some(first),
                ..KEEP
            },
        )
        .expect("again");
        assert_eq!((second.size, second.crc32), (4, crc32fast::hash(b"two!")));
        assert_eq!(
            (text(&path).as_str(), text(&backup).as_str()),
            ("two!", "one")
        );
        save_file(
            &path,
            b"three",
            SaveMode {
                keep_backup: false,
                expect: Some(second),
            },
        )
        .expect("again");
        assert_eq!(
            (text(&path).as_str(), text(&backup).as_str()),
            ("three", "one"),
            "a second writing leaves the backup alone"
        );
        save_file(&path, b"four", KEEP).expect("again");
        assert_eq!(
            (text(&path).as_str(), text(&backup).as_str()),
            ("four", "three")
        );
        assert_eq!(names(folder.path()), ["a.hmap", "a.hmap.bak"]);
    }

    #[test]
    fn a_file_changed_by_others_is_not_replaced() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.hmap");
        let stamp = save_file(&path, b"ours", KEEP).expect("new");
        fs::write(&path, b"them").expect("other program");
        // Another time, the same size: the content decides.
        let later = SystemTime::now() + Duration::from_secs(5);
        File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_modified(later))
            .expect("touched");
        let error = save_file(
            &path,
            b"new",
            SaveMode {
                expect: Some(stamp),
                ..KEEP
            },
        )
        .expect_err("changed");
        assert!(matches!(error, SaveError::Changed(_)), "{error}");
        assert_eq!(text(&path), "them");
        fs::write(&path, b"ours").expect("put back");
        File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_modified(later))
            .expect("touched");
        save_file(
            &path,
            b"new",
            SaveMode {
                expect: Some(stamp),
                ..KEEP
            },
        )
        .expect("only the time differs");
        fs::remove_file(&path).expect("vanishes");
        save_file(
            &path,
            b"new",
            SaveMode {
                expect: Some(stamp),
                ..KEEP
            },
        )
        .expect("a file that is gone is written again");
        assert_eq!(text(&path), "new");
    }

    #[test]
    fn a_touched_file_with_the_same_content_is_still_ours() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.hmap");
        let stamp = save_file(&path, b"same", KEEP).expect("new");
        let file = File::options().write(true).open(&path).expect("open");
        file.set_modified(SystemTime::UNIX_EPOCH).expect("touched");
        assert!(stamp.is_of(&path).expect("there"));
        let touched = FileStamp::read(&path).expect("there");
        assert!(touched != stamp && touched.is_same_content(&stamp));
        fs::write(&path, "othr").expect("written");
        assert!(!stamp.is_of(&path).expect("there"));
        assert!(stamp.is_of(&folder.path().join("none")).is_err());
    }

    #[test]
    fn a_full_disk_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.hmap");
        save_file(&path, b"old", KEEP).expect("new");
        let full = |file: &mut File| {
            file.write_all(b"half of it")?;
            Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"))
        };
        let error = replace(&path, KEEP, full).expect_err("full");
        assert!(
            error.to_string().contains("no space left") && error.to_string().contains("a.hmap"),
            "{error}"
        );
        assert_eq!(text(&path), "old");
        assert_eq!(names(folder.path()), ["a.hmap"]);
    }

    #[test]
    fn a_folder_or_a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().expect("folder");
        let error = save_file(folder.path(), b"x", KEEP).expect_err("a folder");
        assert!(matches!(error, SaveError::IsFolder(_)), "{error}");
        let error = save_file(&folder.path().join("no/a.hmap"), b"x", KEEP).expect_err("no folder");
        assert!(matches!(error, SaveError::Folder { .. }), "{error}");
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_read_only_file_is_not_touched() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.hmap");
        fs::write(&path, b"old").expect("file");
        let mut permissions = fs::metadata(&path).expect("there").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).expect("set");
        let error = save_file(&path, b"new", KEEP).expect_err("read-only");
        assert!(matches!(error, SaveError::ReadOnly(_)), "{error}");
        assert_eq!(
            (text(&path).as_str(), names(folder.path()).len()),
            ("old", 1)
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::PermissionsExt;
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("folder");
        let real = folder.path().join("real");
        fs::create_dir(&real).expect("folder");
        let target = real.join("map.hmap");
        fs::write(&target, b"old").expect("file");
        fs::set_permissions(&target, Permissions::from_mode(0o640)).expect("set");
        let link = folder.path().join("link.hmap");
        symlink("real/map.hmap", &link).expect("link");
        save_file(&link, b"new", KEEP).expect("saved");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(
            (
                text(&target).as_str(),
                text(&real.join("map.hmap.bak")).as_str()
            ),
            ("new", "old")
        );
        assert_eq!(
            fs::metadata(&target).expect("there").permissions().mode() & 0o777,
            0o640
        );
        // A link to a file that is not there yet.
        let dangling = folder.path().join("dangling.hmap");
        symlink("real/other.hmap", &dangling).expect("link");
        save_file(&dangling, b"x", KEEP).expect("saved");
        let mode = fs::metadata(real.join("other.hmap"))
            .expect("there")
            .permissions()
            .mode();
        assert_ne!(
            mode & 0o600,
            0,
            "a new file is no private temporary file: {mode:o}"
        );
        let round = folder.path().join("round");
        symlink("round", &round).expect("link");
        assert!(save_file(&round, b"x", KEEP).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_read_only_folder_is_not_touched() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.hmap");
        fs::write(&path, b"old").expect("file");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).expect("set");
        if fs::write(folder.path().join("probe"), b"").is_ok() {
            eprintln!("skipped: this user may write everywhere");
            return;
        }
        let error = save_file(&path, b"new", KEEP).expect_err("read-only folder");
        assert!(matches!(error, SaveError::Folder { .. }), "{error}");
        assert_eq!(
            (text(&path).as_str(), names(folder.path()).len()),
            ("old", 1)
        );
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("set back");
    }
}
