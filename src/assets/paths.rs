//! Which sources a map's textures come from, in which order.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::assets::Source;
use crate::assets::archive::Archive;
use crate::assets::package_folders::PackageFolders;
use crate::assets::package_folders::is_package;
use crate::assets::source::is_picture;
use crate::document::Document;
use crate::formats::Extras;
use crate::formats::Origin;
use crate::formats::unr::texture_name::PACKAGES_SETTING;

/// File names of the texture containers that a map's `wad` key lists: `\sierra\valve\halflife.wad;...` -> `halflife.wad`.
#[must_use]
pub fn map_wads(doc: &Document) -> Vec<String> {
    let Some((_, world)) = doc.worldspawn() else {
        return Vec::new();
    };
    let Some((_, value)) = world
        .keys
        .iter()
        .find(|(key, _)| key.eq_ignore_ascii_case("wad"))
    else {
        return Vec::new();
    };
    value
        .split(';')
        .filter_map(|path| path.trim().rsplit(['\\', '/']).next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The setting of a map's origin that names the folder of the game it was made for.
pub const ROOT_SETTING: &str = "gameRoot";

/// Folders above a map that are looked at for the game's.
const MAX_ABOVE: usize = 8;

/// Folders that `packages` of a game has.
const PACKAGE_FOLDERS: [&str; 4] = ["base", "textures", "models", "skyboxes"];

/// The folder of a game of the Cube family that holds the map, or that lies above it: the one with `packages` in it. A folder of
/// this name alone says little, so it must hold the map or have a folder of the game in it; right beside the map, pictures suffice.
#[must_use]
pub fn game_root(map: &Path) -> Option<PathBuf> {
    let map = std::path::absolute(map).ok()?;
    map.ancestors().skip(1).take(MAX_ABOVE).find_map(|folder| {
        let packages = find_in(folder, "packages").filter(|path| path.is_dir())?;
        let has_own = || {
            let mut names = PACKAGE_FOLDERS.iter();
            names.any(|name| find_in(&packages, name).is_some_and(|path| path.is_dir()))
        };
        let is_beside = || map.parent() == Some(folder) && has_pictures(&packages);
        let is_games = map.starts_with(&packages) || has_own() || is_beside();
        is_games.then(|| folder.to_owned())
    })
}

/// Whether pictures lie right in a folder of this one.
fn has_pictures(packages: &Path) -> bool {
    let folders = sorted(packages).into_iter().filter(|path| path.is_dir());
    folders
        .flat_map(|folder| sorted(&folder))
        .any(|path| is_picture(&path))
}

fn setting<'o>(origin: Option<&'o Origin>, wanted: &str) -> Option<&'o str> {
    let mut settings = origin?.settings.iter();
    settings.find_map(|(key, value)| (key == wanted).then_some(value.as_str()))
}

/// Packages of Unreal Engine 1 that a map was made with, as far as they are there: in its folder and those of the game beside it,
/// where it was imported from, and where the user keeps textures.
fn named_packages(map: Option<&Path>, user: &[PathBuf], origin: Option<&Origin>) -> Vec<PathBuf> {
    let Some(names) = setting(origin, PACKAGES_SETTING) else {
        return Vec::new();
    };
    let folders = package_folders(map, user, setting(origin, ROOT_SETTING).map(Path::new));
    let names = names.split(';').map(str::trim);
    let found = names.filter_map(|name| folders.package(name));
    found.map(Path::to_owned).collect()
}

/// `kept`: where the map was imported from.
pub(super) fn package_folders(
    map: Option<&Path>,
    user: &[PathBuf],
    kept: Option<&Path>,
) -> PackageFolders {
    let own = map.and_then(folder_of);
    let user = user.iter().map(PathBuf::as_path);
    PackageFolders::around(
        own.into_iter()
            .chain(kept)
            .chain(user.filter(|path| path.is_dir())),
    )
}

/// Folders of games in which a map's pictures lie: the one that it was imported from, and the one that it is in.
fn game_roots(map: Option<&Path>, origin: Option<&Origin>) -> Vec<PathBuf> {
    let kept = setting(origin, ROOT_SETTING).map(PathBuf::from);
    let near = map.and_then(game_root);
    let mut roots: Vec<PathBuf> = near.into_iter().chain(kept).collect();
    roots.dedup();
    roots
}

/// Packages in the folder that are made like a game's folder, in order.
fn packages_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    // It may be where a browser puts everything.
    const MOST: usize = 64;
    let zips = sorted(folder)
        .into_iter()
        .filter(|path| has_ending(path, "zip"));
    zips.take(MOST)
        .filter(|path| Archive::open(path).is_ok_and(|archive| archive.is_package()))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}

/// The folder that a map is in.
pub(super) fn folder_of(map: &Path) -> Option<&Path> {
    map.parent().map(|folder| {
        if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        }
    })
}

/// Order of search: containers and packages named by the map, what the user set, the map's folder and its neighbours `textures`, the game that
/// it belongs to, pictures inside the map file, then the program's own.
#[must_use]
pub fn sources_for(
    map: Option<&Path>,
    wads: &[String],
    user: &[PathBuf],
    extras: &Extras,
) -> Vec<Source> {
    // One place is one source, however it is named.
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = map.and_then(folder_of).map(absolute);
    let folder = folder.as_deref();
    let user: Vec<PathBuf> = user.iter().map(|path| absolute(path)).collect();
    let mut sources = Vec::new();
    let mut roots: Vec<PathBuf> = user.iter().filter(|path| path.is_dir()).cloned().collect();
    roots.extend(folder.map(Path::to_owned));
    for wad in wads {
        if let Some(path) = roots.iter().find_map(|root| find_below(root, wad)) {
            push(&mut sources, Source::Wad(path));
        }
    }
    for path in named_packages(map, &user, extras.origin.as_ref()) {
        push(&mut sources, Source::Package(path));
    }
    for path in &user {
        push(
            &mut sources,
            if has_ending(path, "wad") {
                Source::Wad(path.clone())
            } else if has_ending(path, "zip") {
                Source::Zip(path.clone())
            } else if is_package(path) {
                Source::Package(path.clone())
            } else {
                Source::Folder(path.clone())
            },
        );
    }
    if let Some(folder) = folder {
        // Only containers and a folder of textures right beside the map: its folder may be a whole home directory.
        for path in sorted(folder) {
            if has_ending(&path, "wad") {
                push(&mut sources, Source::Wad(path));
            } else if has_ending(&path, "utx") {
                push(&mut sources, Source::Package(path));
            }
        }
        for name in ["textures", "materials"] {
            for base in [Some(folder), folder.parent()].into_iter().flatten() {
                if let Some(path) = find_in(base, name).filter(|path| path.is_dir()) {
                    push(&mut sources, Source::Folder(path));
                }
            }
        }
    }
    let games = game_roots(map, extras.origin.as_ref());
    for root in &games {
        if let Some(packages) = find_in(root, "packages").filter(|path| path.is_dir()) {
            push(&mut sources, Source::Folder(packages));
        }
    }
    for folder in games.iter().map(PathBuf::as_path).chain(folder) {
        for path in packages_in(folder) {
            push(&mut sources, Source::Zip(path));
        }
    }
    if !extras.textures.is_empty() {
        sources.push(Source::Embedded(Arc::clone(&extras.textures)));
    }
    sources.push(Source::Builtin);
    sources
}

fn push(sources: &mut Vec<Source>, source: Source) {
    if !sources.contains(&source) {
        sources.push(source);
    }
}

pub(super) fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    paths
}

/// A file by relative path, each part without regard to case. Never leaves the folder.
#[must_use]
pub fn find_in(folder: &Path, relative: &str) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for part in relative
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
    {
        if part == ".." || part.contains(':') {
            return None;
        }
        let exact = path.join(part);
        path = if exact.exists() {
            exact
        } else {
            sorted(&path).into_iter().find(|entry| {
                entry
                    .file_name()
                    .is_some_and(|name| name.to_string_lossy().eq_ignore_ascii_case(part))
            })?
        };
    }
    Some(path)
}

/// A file by name in the folder or up to three levels below it, nearest first.
fn find_below(root: &Path, name: &str) -> Option<PathBuf> {
    let mut level = vec![root.to_owned()];
    for _ in 0..4 {
        let mut next = Vec::new();
        for folder in &level {
            for path in sorted(folder) {
                if path
                    .file_name()
                    .is_some_and(|file| file.to_string_lossy().eq_ignore_ascii_case(name))
                    && path.is_file()
                {
                    return Some(path);
                }
                if next.len() < 4096 && path.is_dir() {
                    next.push(path);
                }
            }
        }
        level = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Entity;
    use crate::document::Kind;
    use crate::document::Object;

    #[test]
    fn wad_key_is_split_into_file_names() {
        let mut draft = Document::default().edit();
        let mut world = Entity::new("worldspawn", glam::DVec3::ZERO);
        world.set_key(
            "WAD",
            "\\sierra\\half-life\\valve\\halflife.wad;C:/x/Liquids.WAD;;",
        );
        draft.insert(Object::new(Kind::Entity(world)));
        assert_eq!(map_wads(&draft.as_read()), ["halflife.wad", "Liquids.WAD"]);
    }

    #[test]
    fn containers_are_found_without_case_and_paths_stay_inside() {
        let dir = tempfile::tempdir().expect("temp dir");
        std::fs::create_dir_all(dir.path().join("valve/maps")).expect("mkdir");
        std::fs::write(dir.path().join("valve/HalfLife.WAD"), b"x").expect("write");
        let map = dir.path().join("valve/maps/a.rmf");
        let sources = sources_for(
            Some(&map),
            &["halflife.wad".into()],
            &[dir.path().to_owned()],
            &Extras::default(),
        );
        assert_eq!(
            sources[0],
            Source::Wad(dir.path().join("valve/HalfLife.WAD"))
        );
        assert_eq!(
            find_in(dir.path(), "VALVE/halflife.wad"),
            Some(dir.path().join("valve/HalfLife.WAD"))
        );
        assert_eq!(find_in(dir.path(), "valve/../valve"), None);
    }
}
