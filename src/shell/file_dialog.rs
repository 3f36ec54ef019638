//! Our own file dialog, for systems without a desktop portal and for tests. Native dialogs are asked on a thread.

mod drawn;
mod native;

use std::path::Path;
use std::path::PathBuf;
use std::time::SystemTime;

pub use self::native::ask_native;
pub use self::native::has_native;
use crate::assets::export::EXPORTS;
use crate::shell::say;

/// What a file is picked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    OpenMap,
    SaveMap,
    /// A map in another game's format.
    Export,
    /// A folder or a texture container.
    AddTextures,
    /// A file with entity classes.
    AddDefinitions,
}

impl Purpose {
    fn title(self) -> &'static str {
        match self {
            Self::OpenMap => "Open a map",
            Self::SaveMap => "Save the map as",
            Self::Export => "Export the map as",
            Self::AddTextures => "Add a folder or a file with textures",
            Self::AddDefinitions => "Add entity definitions",
        }
    }

    fn button(self) -> &'static str {
        match self {
            Self::OpenMap => "Open",
            Self::SaveMap => "Save",
            Self::Export => "Export",
            Self::AddTextures | Self::AddDefinitions => "Add",
        }
    }

    /// A name is asked for, of a file that need not be there.
    fn is_for_writing(self) -> bool {
        matches!(self, Self::SaveMap | Self::Export)
    }

    /// Endings that are listed; none lists everything.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::OpenMap => &["hmap", "rmf", "ol", "map", "ogz", "unr", "dx", "un2", "t3d"],
            Self::SaveMap => &["hmap"],
            Self::Export => EXPORTS,
            Self::AddDefinitions => &["fgd"],
            Self::AddTextures => &[
                "wad", "utx", "zip", "u", "unr", "dx", "png", "jpg", "tga", "bmp", "dds",
            ],
        }
    }
}

#[derive(Clone, Debug)]
struct Row {
    name: String,
    path: PathBuf,
    is_folder: bool,
    bytes: u64,
    time: Option<SystemTime>,
}

/// The open dialog.
pub struct FileDialog {
    purpose: Purpose,
    folder: PathBuf,
    /// What stands in the path field while it is typed.
    folder_text: String,
    name: String,
    search: String,
    all_files: bool,
    rows: Vec<Row>,
    selected: Option<usize>,
    /// Why the folder cannot be listed.
    error: Option<String>,
    /// The name is taken; asked once before it is given out.
    asks_overwrite: bool,
    places: Vec<(String, PathBuf)>,
    just_opened: bool,
}

/// What came of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Open,
    Cancelled,
    Picked(PathBuf),
}

impl FileDialog {
    /// Starts in the folder of `start`; a file name in it is the suggestion.
    #[must_use]
    pub fn new(purpose: Purpose, start: &Path, recent: &[PathBuf]) -> Self {
        let (folder, name) = if start.is_dir() {
            (start.to_owned(), String::new())
        } else {
            let folder = start.parent().filter(|folder| folder.is_dir());
            (
                folder.map_or_else(home, Path::to_owned),
                start
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
            )
        };
        let mut dialog = Self {
            purpose,
            folder: PathBuf::new(),
            folder_text: String::new(),
            name: if purpose.is_for_writing() {
                name
            } else {
                String::new()
            },
            search: String::new(),
            all_files: false,
            rows: Vec::new(),
            selected: None,
            error: None,
            asks_overwrite: false,
            places: places(recent),
            just_opened: true,
        };
        dialog.go(&folder);
        dialog
    }

    #[must_use]
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    fn go(&mut self, folder: &Path) {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        self.folder_text = folder.to_string_lossy().into_owned();
        self.folder = folder;
        self.selected = None;
        self.search.clear();
        self.list();
    }

    fn list(&mut self) {
        self.rows.clear();
        self.error = None;
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.error = Some(format!("This folder cannot be read: {error}"));
                return;
            }
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            let path = entry.path();
            let Ok(info) = std::fs::metadata(&path) else {
                continue;
            };
            let is_folder = info.is_dir();
            if !is_folder && !self.all_files && !self.is_wanted(&path) {
                continue;
            }
            self.rows.push(Row {
                name,
                path,
                is_folder,
                bytes: info.len(),
                time: info.modified().ok(),
            });
        }
        self.rows
            .sort_by_key(|row| (!row.is_folder, row.name.to_lowercase(), row.name.clone()));
    }

    fn is_wanted(&self, path: &Path) -> bool {
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        self.purpose.endings().contains(&ending.as_str())
    }

    /// What the button would give out.
    fn choice(&self) -> Option<PathBuf> {
        let row = self.selected.and_then(|index| self.rows.get(index));
        match self.purpose {
            Purpose::SaveMap | Purpose::Export => {
                let name = self.name.trim();
                if name.is_empty() || name.contains('\0') {
                    return None;
                }
                // A whole path may be typed: from here, from the root, or from home.
                let typed = match name.strip_prefix("~/") {
                    Some(rest) => home().join(rest),
                    None => self.folder.join(name),
                };
                if typed.is_dir() {
                    return Some(typed);
                }
                let is_there = typed.parent().is_some_and(Path::is_dir);
                (is_there && !name.ends_with('/'))
                    .then(|| with_ending(typed, self.purpose.endings()[0]))
            }
            Purpose::AddTextures => {
                Some(row.map_or_else(|| self.folder.clone(), |row| row.path.clone()))
            }
            Purpose::OpenMap | Purpose::AddDefinitions => row.map(|row| row.path.clone()),
        }
    }
}

fn with_ending(path: PathBuf, wanted: &str) -> PathBuf {
    let has_it = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case(wanted));
    if has_it {
        return path;
    }
    let mut name = path.into_os_string();
    name.push(".");
    name.push(wanted);
    name.into()
}

/// The user's home folder, else the current one.
#[must_use]
pub fn home() -> PathBuf {
    directories::UserDirs::new()
        .map_or_else(|| PathBuf::from("."), |dirs| dirs.home_dir().to_owned())
}

fn places(recent: &[PathBuf]) -> Vec<(String, PathBuf)> {
    let mut list: Vec<(String, PathBuf)> = Vec::new();
    let mut add = |name: String, path: &Path| {
        if path.is_dir() && !list.iter().any(|(_, known)| known == path) {
            list.push((name, path.to_owned()));
        }
    };
    add("Home".to_owned(), &home());
    if let Some(dirs) = directories::UserDirs::new() {
        for folder in [dirs.document_dir(), dirs.download_dir(), dirs.desktop_dir()]
            .into_iter()
            .flatten()
        {
            add(say::file_name(folder), folder);
        }
    }
    if let Ok(here) = std::env::current_dir() {
        add("Current folder".to_owned(), &here);
    }
    for folder in recent.iter().filter_map(|path| path.parent()).take(6) {
        add(say::file_name(folder), folder);
    }
    #[cfg(unix)]
    add("File system".to_owned(), Path::new("/"));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_lists_folders_first_and_only_maps() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for name in ["b.rmf", "a.HMAP", "notes.txt", ".hidden.rmf"] {
            std::fs::write(dir.path().join(name), b"x").expect("written");
        }
        std::fs::create_dir(dir.path().join("zz")).expect("made");
        let mut dialog = FileDialog::new(Purpose::OpenMap, dir.path(), &[]);
        let names = |dialog: &FileDialog| {
            dialog
                .rows
                .iter()
                .map(|row| row.name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&dialog), ["zz", "a.HMAP", "b.rmf"]);
        dialog.all_files = true;
        dialog.list();
        assert_eq!(names(&dialog), ["zz", "a.HMAP", "b.rmf", "notes.txt"]);
        dialog.go(&dir.path().join("gone"));
        assert!(dialog.error.is_some());
    }

    #[test]
    fn a_saved_name_gets_its_ending_and_may_be_a_path() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let mut dialog = FileDialog::new(Purpose::SaveMap, &dir.path().join("keep.hmap"), &[]);
        let folder = dialog.folder.clone();
        std::fs::create_dir(folder.join("sub")).expect("made");
        assert_eq!(dialog.choice(), Some(folder.join("keep.hmap")));
        for (typed, path) in [
            ("tower", folder.join("tower.hmap")),
            ("tower.v2", folder.join("tower.v2.hmap")),
            ("sub/tower", folder.join("sub/tower.hmap")),
            ("sub", folder.join("sub")),
        ] {
            dialog.name = typed.to_owned();
            assert_eq!(dialog.choice(), Some(path), "{typed:?}");
        }
        dialog.name = folder.join("sub/abs.HMAP").to_string_lossy().into_owned();
        assert_eq!(dialog.choice(), Some(folder.join("sub/abs.HMAP")));
        for bad in ["", " ", "none/x", "new/"] {
            dialog.name = bad.to_owned();
            assert_eq!(dialog.choice(), None, "{bad:?}");
        }
    }
}
