//! Files beside a map, and the sizes of its textures: what importers may ask for.

use std::collections::HashSet;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::OnceLock;

use crate::assets::Resolver;
use crate::assets::Source;
use crate::assets::archive::Archive;
use crate::assets::class_packages::ClassPackages;
use crate::assets::class_packages::class_packages;
use crate::assets::package_folders::PackageFolders;
use crate::assets::package_folders::is_package;
use crate::assets::paths;
use crate::assets::source::is_picture;
use crate::formats::Extras;
use crate::formats::Origin;
use crate::formats::Siblings;
use crate::formats::unr::texture::TextureInfo;
use crate::formats::unr::texture_name::PACKAGES_SETTING;

/// See the module's text. Nothing is looked at before the first question.
pub struct MapFiles {
    map: PathBuf,
    /// Folders and files that the user set.
    roots: Vec<PathBuf>,
    /// Made at the first question about a texture, when the containers that the map names are known.
    resolver: OnceLock<Arc<Resolver>>,
    places: OnceLock<Places>,
    packages: OnceLock<PackageFolders>,
    classes: OnceLock<ClassPackages>,
}

/// Where files are looked for, best first.
struct Places {
    /// With the names in each, in lower case: most questions are for files that are nowhere.
    folders: Vec<(PathBuf, HashSet<String>)>,
    zips: Vec<Archive>,
}

impl Places {
    fn file(&self, relative: &str) -> Option<PathBuf> {
        let first = relative.split('/').next().unwrap_or("").to_lowercase();
        let folders = self
            .folders
            .iter()
            .filter(|(_, names)| names.contains(&first));
        folders
            .filter_map(|(folder, _)| paths::find_in(folder, relative))
            .find(|path| path.is_file())
    }
}

fn names_in(folder: &Path) -> HashSet<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().to_lowercase()))
        .collect()
}

impl MapFiles {
    /// `map`: the map's path; `roots`: folders and files the user set.
    #[must_use]
    pub fn new(map: &Path, roots: &[PathBuf]) -> Self {
        Self {
            map: map.to_owned(),
            roots: roots.to_vec(),
            resolver: OnceLock::new(),
            places: OnceLock::new(),
            packages: OnceLock::new(),
            classes: OnceLock::new(),
        }
    }

    /// The index that the importer used, if it asked for a texture at all.
    #[must_use]
    pub fn into_resolver(self) -> Option<Arc<Resolver>> {
        self.resolver.into_inner()
    }

    fn sources(&self, wads: &[String]) -> Vec<Source> {
        paths::sources_for(Some(&self.map), wads, &self.roots, &Extras::default())
    }

    fn packages(&self) -> &PackageFolders {
        self.packages
            .get_or_init(|| paths::package_folders(Some(&self.map), &self.roots, None))
    }

    fn resolver(&self, wads: &[String]) -> &Resolver {
        self.resolver
            .get_or_init(|| Arc::new(Resolver::new(self.sources(wads))))
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| {
            let own = paths::folder_of(&self.map).map(Path::to_owned);
            let game = paths::game_root(&self.map);
            let user = self.roots.iter().filter(|root| root.is_dir());
            // Who names the game's packages means the game: files are asked for from its root.
            let user = user.flat_map(|root| {
                let is_packages = root
                    .file_name()
                    .is_some_and(|name| name.eq_ignore_ascii_case("packages"));
                let game = root.parent().filter(|_| is_packages);
                std::iter::once(root.clone()).chain(game.map(Path::to_owned))
            });
            let zips = self.sources(&[]).into_iter().filter_map(|source| {
                if let Source::Zip(path) = source {
                    Archive::open(&path).ok()
                } else {
                    None
                }
            });
            let folders = own.into_iter().chain(game).chain(user).map(|folder| {
                let names = names_in(&folder);
                (folder, names)
            });
            Places {
                folders: folders.collect(),
                zips: zips.collect(),
            }
        })
    }
}

impl Siblings for MapFiles {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let relative = name.replace('\\', "/");
        let relative = relative.trim_start_matches("./");
        if is_package(Path::new(relative)) && !relative.contains('/') {
            return std::fs::read(self.packages().file(relative)?).ok();
        }
        let places = self.places();
        if let Some(path) = places.file(relative) {
            return std::fs::read(path).ok();
        }
        let mut zips = places.zips.iter();
        zips.find_map(|zip| zip.read_whole(zip.find(relative)?).ok())
    }

    fn has(&self, name: &str) -> bool {
        if is_picture(Path::new(name)) {
            return self.resolver(&[]).has_file(name);
        }
        let relative = name.replace('\\', "/");
        if is_package(Path::new(&relative)) && !relative.contains('/') {
            return self.packages().file(&relative).is_some();
        }
        let places = self.places();
        places.file(&relative).is_some()
            || places.zips.iter().any(|zip| zip.find(&relative).is_some())
    }

    fn package_of_class(&self, class: &str) -> Option<String> {
        let find = || class_packages(&self.packages().with_ending("u"));
        let found = self.classes.get_or_init(find).get(&class.to_lowercase())?;
        found.clone()
    }

    fn texture_size(&self, texture: &str, wads: &[String]) -> Option<[u32; 2]> {
        self.resolver(wads).size(texture)
    }

    fn texture_info(&self, texture: &str, packages: &[String]) -> Option<TextureInfo> {
        let resolver = self.resolver.get_or_init(|| {
            // As the map will be looked for again when it has been saved.
            let origin = Origin {
                settings: vec![(PACKAGES_SETTING.to_owned(), packages.join(";"))],
                ..Origin::default()
            };
            let extras = Extras {
                origin: Some(origin),
                ..Extras::default()
            };
            let sources = paths::sources_for(Some(&self.map), &[], &self.roots, &extras);
            Arc::new(Resolver::new(sources))
        });
        let packaged = resolver.packaged_info(texture).cloned();
        packaged.or_else(|| {
            // A picture that somebody took out of its package.
            Some(TextureInfo {
                name: texture.to_owned(),
                size: resolver.size(texture)?,
                draw_scale: 1.0,
                ..TextureInfo::default()
            })
        })
    }
}
