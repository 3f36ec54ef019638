//! Where packages of Unreal Engine 1 lie around a map (`unr.md` 11).

use std::collections::HashMap;
use std::collections::HashSet;
use std::path::Path;
use std::path::PathBuf;

use crate::assets::paths::find_in;
use crate::assets::paths::sorted;

/// Endings of packages, in the order in which one is looked for by its name.
pub const ENDINGS: [&str; 5] = ["utx", "u", "unr", "dx", "un2"];

/// Folders of a game that packages lie in.
const FOLDERS: [&str; 3] = ["Textures", "System", "Maps"];

/// Whether a file has the ending of a package.
#[must_use]
pub fn is_package(path: &Path) -> bool {
    path.extension().is_some_and(|ending| {
        ENDINGS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}

/// The packages in some folders, best folder first.
#[derive(Debug, Default)]
pub struct PackageFolders {
    /// Paths by file name in lower case.
    folders: Vec<HashMap<String, PathBuf>>,
}

impl PackageFolders {
    /// Each of `places` is searched itself, then the folders of a game beside it and in it.
    #[must_use]
    pub fn around<'p>(places: impl IntoIterator<Item = &'p Path>) -> Self {
        let mut folders: Vec<PathBuf> = Vec::new();
        let mut add = |folder: PathBuf| {
            if folder.is_dir() && !folders.contains(&folder) {
                folders.push(folder);
            }
        };
        for place in places {
            let place = std::path::absolute(place).unwrap_or_else(|_| place.to_owned());
            add(place.clone());
            for base in [place.parent(), Some(&place)].into_iter().flatten() {
                for folder in FOLDERS.iter().filter_map(|name| find_in(base, name)) {
                    add(folder);
                }
            }
        }
        let folders = folders.iter().map(|folder| packages_in(folder));
        Self {
            folders: folders.collect(),
        }
    }

    /// A file by its name, without regard to case.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&Path> {
        let name = name.to_lowercase();
        let found = self.folders.iter().find_map(|folder| folder.get(&name));
        found.map(PathBuf::as_path)
    }

    /// All files with this ending, each name once, best folder first and sorted in each.
    #[must_use]
    pub fn with_ending(&self, ending: &str) -> Vec<&Path> {
        let mut known = HashSet::new();
        let mut found = Vec::new();
        for folder in &self.folders {
            let mut names: Vec<(&String, &PathBuf)> = folder.iter().collect();
            names.sort();
            let fits = names.into_iter().filter(|(name, path)| {
                let has_ending = path
                    .extension()
                    .is_some_and(|own| own.eq_ignore_ascii_case(ending));
                has_ending && known.insert(name.as_str())
            });
            found.extend(fits.map(|(_, path)| path.as_path()));
        }
        found
    }

    /// A package by its name: a `.utx` anywhere before a `.u`, and these before maps.
    #[must_use]
    pub fn package(&self, name: &str) -> Option<&Path> {
        let mut endings = ENDINGS.iter();
        endings.find_map(|ending| self.file(&format!("{name}.{ending}")))
    }
}

fn packages_in(folder: &Path) -> HashMap<String, PathBuf> {
    let mut found = HashMap::new();
    for path in sorted(folder) {
        if is_package(&path)
            && let Some(name) = path.file_name()
        {
            found
                .entry(name.to_string_lossy().to_lowercase())
                .or_insert(path);
        }
    }
    found
}
