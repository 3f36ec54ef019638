//! Where textures lie: an index over folders, texture containers and what ships inside the program.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use crate::assets::Picture;
use crate::assets::archive::Archive;
use crate::assets::builtin;
use crate::assets::package_folders::is_package;
use crate::assets::packages::PackageFile;
use crate::assets::packages::Packaged;
use crate::assets::packages::Packages;
use crate::formats::EmbeddedTexture;
use crate::formats::image;
use crate::formats::image::MAX_SIDE;
use crate::formats::unr::texture::TextureInfo;
use crate::formats::unr::texture_name;
use crate::formats::unr::texture_name::Look;
use crate::formats::wad::Wad;

/// Where textures come from; the first that has a name wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A folder of pictures and texture containers, searched with its subfolders.
    Folder(PathBuf),
    /// A WAD2 or WAD3 file.
    Wad(PathBuf),
    /// A `.zip` package with the folders of a game in it.
    Zip(PathBuf),
    /// A package of Unreal Engine 1 with textures in it.
    Package(PathBuf),
    /// What ships inside the program.
    Builtin,
    /// `TEXS` of the open map.
    Embedded(Arc<Vec<EmbeddedTexture>>),
}

/// Folders below a source that are looked into; deeper ones are not.
const MAX_DEPTH: usize = 8;
/// Files of one folder source that are looked at; a whole disk given by mistake must not stop the program.
const MAX_FILES: usize = 200_000;
/// A texture container larger than this is not read.
const MAX_WAD: u64 = 512 << 20;

/// Pictures that are looked for in folders.
pub const EXTENSIONS: &[&str] = &["png", "jpg", "jpeg", "tga", "bmp", "dds"];

/// The folder of a game of the Cube family that pictures lie in. A name that begins with it is a path, and no other picture will
/// do that happens to be called alike.
pub const PACKAGES: &str = "packages/";

/// A place that holds one texture.
#[derive(Clone, Debug)]
enum Place {
    File(PathBuf),
    /// Index into the open containers, and the name there.
    Wad(usize, String),
    /// Index into the open packages, and the path there.
    Zip(usize, String),
    Builtin(usize),
    Embedded(usize, usize),
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
enum Found<'a> {
    At(&'a Place),
    Packaged(Packaged, Look),
}

/// Where a texture comes from, in words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// It is in the open map itself.
    Embedded,
    /// The folder of a picture, as far as the source does not say it.
    Folder(String),
    /// The file name of a texture container.
    Container(String),
    /// It ships inside the program.
    Builtin,
}

/// One texture of [`Resolver::listed`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<'a> {
    pub name: &'a str,
    pub origin: Origin,
}

/// An immutable index of sources; made on a worker, shared by readers.
#[derive(Default)]
pub struct Resolver {
    sources: Vec<Source>,
    wads: Vec<(PathBuf, Wad)>,
    zips: Vec<Archive>,
    embedded: Vec<Arc<Vec<EmbeddedTexture>>>,
    packages: Packages,
    /// By whole name: relative path or container name, folded.
    by_name: BTreeMap<String, Place>,
    /// By last part alone, folded: second choice.
    by_stem: BTreeMap<String, Place>,
    /// Folders worth watching: those that hold a picture or a container.
    folders: Vec<PathBuf>,
    /// What could not be read, one sentence each.
    faults: Vec<String>,
}

/// Whether a name that ends so is a picture's.
#[must_use]
pub fn is_picture_ending(ending: &str) -> bool {
    EXTENSIONS
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

/// Names compare without regard to case, `\` against `/`, or a picture's extension.
#[must_use]
pub fn folded(name: &str) -> String {
    let mut name = name.trim().replace('\\', "/").to_lowercase();
    if let Some((stem, extension)) = name.rsplit_once('.')
        && is_picture_ending(extension)
    {
        name.truncate(stem.len());
    }
    name
}

/// How textures are told apart: as [`folded`], whatever a surface makes of them.
#[must_use]
pub fn plain_name(name: &str) -> String {
    folded(texture_name::split(name.trim()).0)
}

fn file_words(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

fn stem(folded: &str) -> &str {
    folded.rsplit('/').next().unwrap_or(folded)
}

impl Resolver {
    /// Looks through all sources. Reads directories and the tables of containers, no picture.
    #[must_use]
    pub fn new(sources: Vec<Source>) -> Self {
        let mut this = Self::default();
        let packages = sources.iter().filter_map(|source| {
            if let Source::Package(path) = source {
                Some(path.clone())
            } else {
                None
            }
        });
        this.add_packages(packages.collect());
        for source in &sources {
            match source {
                Source::Package(_) => {}
                Source::Folder(folder) => this.add_folder(folder),
                Source::Wad(path) => this.add_wad(path),
                Source::Zip(path) => this.add_zip(path, false),
                Source::Builtin => {
                    for (index, (name, _)) in builtin::TEXTURES.iter().enumerate() {
                        this.add(name, Place::Builtin(index));
                    }
                }
                Source::Embedded(textures) => this.add_embedded(Arc::clone(textures)),
            }
        }
        this.folders.sort();
        this.folders.dedup();
        this.sources = sources;
        this
    }

    /// Adds the textures of a map to what was looked for before it was read.
    pub fn embed(&mut self, textures: Arc<Vec<EmbeddedTexture>>) {
        let before = self
            .sources
            .iter()
            .position(|source| *source == Source::Builtin);
        let source = Source::Embedded(Arc::clone(&textures));
        self.sources
            .insert(before.unwrap_or(self.sources.len()), source);
        self.add_embedded(textures);
    }

    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Folders that hold something of ours, sorted.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Sources that could not be read, one sentence each.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Every whole name, sorted; names of the program's own textures included.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Every texture once, those of packages first and the others sorted by name, with where it comes from: for browsers.
    #[must_use]
    pub fn listed(&self) -> Vec<Listed<'_>> {
        let mut list = Vec::with_capacity(self.by_name.len());
        list.extend(self.packages.all().map(|packaged| Listed {
            name: &self.packages.info(packaged).name,
            origin: self.origin_of_packaged(packaged),
        }));
        for (name, place) in &self.by_name {
            // Containers give each name twice, with and without their own; the bare one is enough while it means the same.
            if let Place::Wad(index, inside) = place
                && name.contains('/')
                && matches!(self.by_name.get(&folded(inside)), Some(Place::Wad(other, _)) if other == index)
            {
                continue;
            }
            list.push(Listed {
                name,
                origin: self.origin_of(name, place),
            });
        }
        list
    }

    /// Where the texture of this name comes from; `None` when no source has it.
    #[must_use]
    pub fn origin(&self, name: &str) -> Option<Origin> {
        Some(match self.find(name)? {
            Found::At(place) => self.origin_of(&folded(name), place),
            Found::Packaged(packaged, _) => self.origin_of_packaged(packaged),
        })
    }

    fn origin_of_packaged(&self, packaged: Packaged) -> Origin {
        Origin::Container(file_words(self.packages.path(packaged)))
    }

    fn origin_of(&self, name: &str, place: &Place) -> Origin {
        match place {
            Place::Wad(index, _) => Origin::Container(file_words(&self.wads[*index].0)),
            Place::Zip(index, _) => Origin::Container(file_words(self.zips[*index].path())),
            Place::Builtin(_) => Origin::Builtin,
            Place::Embedded(..) => Origin::Embedded,
            Place::File(path) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                // The part below the source if there is one, else the name of the source itself.
                let below = name.rsplit_once('/').map(|(folder, _)| folder);
                Origin::Folder(below.map_or_else(|| file_words(folder), str::to_owned))
            }
        }
    }

    fn add(&mut self, name: &str, place: Place) {
        let name = folded(name);
        if name.is_empty() {
            return;
        }
        self.by_stem
            .entry(stem(&name).to_owned())
            .or_insert_with(|| place.clone());
        self.by_name.entry(name).or_insert(place);
    }

    fn add_embedded(&mut self, textures: Arc<Vec<EmbeddedTexture>>) {
        let set = self.embedded.len();
        for (index, texture) in textures.iter().enumerate() {
            self.add(&texture.name, Place::Embedded(set, index));
        }
        self.embedded.push(textures);
    }

    /// Reads them at the same time; they count in this order.
    fn add_packages(&mut self, mut paths: Vec<PathBuf>) {
        paths.retain(|path| !self.packages.has_file(path));
        let files: Vec<Result<PackageFile, String>> = paths
            .par_iter()
            .map(|path| PackageFile::open(path))
            .collect();
        for (path, file) in paths.iter().zip(files) {
            match file {
                Ok(file) => {
                    let faults = self.packages.add(file);
                    self.faults.extend(faults);
                    self.folders.extend(path.parent().map(Path::to_owned));
                }
                Err(fault) => self.faults.push(fault),
            }
        }
    }

    fn add_folder(&mut self, root: &Path) {
        // A list instead of recursion: depth and number are bounded, links that lead round in a circle too.
        let mut waiting = vec![(root.to_owned(), 0)];
        let mut seen = 0;
        let (mut wads, mut zips, mut packages) = (Vec::new(), Vec::new(), Vec::new());
        while let Some((folder, depth)) = waiting.pop() {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    self.faults
                        .push(format!("Could not look into {}: {error}", folder.display()));
                    continue;
                }
            };
            let mut entries: Vec<PathBuf> = entries
                .filter_map(|entry| Some(entry.ok()?.path()))
                .collect();
            entries.sort();
            let mut deeper = Vec::new();
            let mut holds = false;
            for path in entries {
                seen += 1;
                if seen > MAX_FILES {
                    self.faults.push(format!(
                        "{} holds more than {MAX_FILES} files; the rest was not looked at",
                        root.display()
                    ));
                    return;
                }
                let extension = path
                    .extension()
                    .map(|e| e.to_string_lossy().to_lowercase())
                    .unwrap_or_default();
                if is_picture(&path) {
                    holds = true;
                    if let Ok(relative) = path.strip_prefix(root) {
                        self.add(&relative.to_string_lossy(), Place::File(path.clone()));
                    }
                } else if extension == "wad" {
                    holds = true;
                    wads.push(path);
                } else if extension == "zip" {
                    zips.push(path);
                } else if extension == "utx" {
                    packages.push(path);
                } else if depth < MAX_DEPTH && path.is_dir() && !is_hidden(&path) {
                    deeper.push((path, depth + 1));
                }
            }
            if holds {
                self.folders.push(folder);
            }
            waiting.extend(deeper.into_iter().rev());
        }
        for path in wads {
            self.add_wad(&path);
        }
        for path in zips {
            self.add_zip(&path, true);
        }
        self.add_packages(packages);
    }

    /// `is_by_the_way`: nobody named it, so it counts only when it is made like a game's folder.
    fn add_zip(&mut self, path: &Path, is_by_the_way: bool) {
        if self.zips.iter().any(|known| known.path() == path) {
            return;
        }
        let archive = match Archive::open(path) {
            Ok(archive) => archive,
            Err(_) if is_by_the_way => return,
            Err(fault) => return self.faults.push(fault),
        };
        if is_by_the_way && !archive.is_package() {
            return;
        }
        let index = self.zips.len();
        let names: Vec<String> = archive
            .names()
            .filter(|name| is_picture(Path::new(name)))
            .map(str::to_owned)
            .collect();
        self.zips.push(archive);
        if let Some(folder) = path.parent() {
            self.folders.push(folder.to_owned());
        }
        for name in names {
            self.add(&name, Place::Zip(index, name.clone()));
        }
    }

    fn add_wad(&mut self, path: &Path) {
        if self.wads.iter().any(|(known, _)| known == path) {
            return;
        }
        let size = std::fs::metadata(path).map_or(0, |data| data.len());
        if size > MAX_WAD {
            self.faults.push(format!(
                "{} is too large to be a texture file",
                path.display()
            ));
            return;
        }
        let read = std::fs::read(path)
            .map_err(|error| format!("Could not read {}: {error}", path.display()));
        match read
            .and_then(|bytes| Wad::read(bytes.into(), path).map_err(|error| error.to_string()))
        {
            Ok(wad) => {
                let index = self.wads.len();
                let package = folded(&path.file_stem().unwrap_or_default().to_string_lossy());
                let names: Vec<String> = wad
                    .entries()
                    .iter()
                    .map(|entry| entry.name.clone())
                    .collect();
                self.faults.extend(
                    wad.problems()
                        .iter()
                        .map(|problem| format!("{}: {problem}", path.display())),
                );
                self.wads.push((path.to_owned(), wad));
                if let Some(folder) = path.parent() {
                    self.folders.push(folder.to_owned());
                }
                for name in names {
                    self.add(&name, Place::Wad(index, name.clone()));
                    self.add(
                        &format!("{package}/{name}"),
                        Place::Wad(index, name.clone()),
                    );
                }
            }
            Err(fault) => self.faults.push(fault),
        }
    }

    /// The whole name first, then ever shorter ends of it: `halflife/CRATE1` finds `CRATE1` in any container. What a package of
    /// Unreal Engine 1 has comes before what is only alike at its end.
    fn find(&self, name: &str) -> Option<Found<'_>> {
        if let Some(place) = self.by_name.get(&folded(name)) {
            return Some(Found::At(place));
        }
        let (object, look) = texture_name::split(name.trim());
        if look != Look::Plain
            && let Some(place) = self.by_name.get(&folded(object))
        {
            return Some(Found::At(place));
        }
        if let Some(packaged) = self.packages.find(object) {
            return Some(Found::Packaged(packaged, look));
        }
        self.find_alike(object).map(Found::At)
    }

    fn find_alike(&self, name: &str) -> Option<&Place> {
        let name = folded(name);
        if let Some(inside) = name.strip_prefix(PACKAGES) {
            // The source may be the game's folder or the one of its packages.
            return self.by_name.get(name.as_str()).or_else(|| {
                let place = self.by_name.get(inside);
                place.filter(|place| matches!(place, Place::File(_) | Place::Zip(..)))
            });
        }
        let mut rest = name.as_str();
        loop {
            if let Some(place) = self.by_name.get(rest) {
                return Some(place);
            }
            match rest.split_once('/') {
                Some((_, shorter)) => rest = shorter,
                None => return self.by_stem.get(stem(&name)),
            }
        }
    }

    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Whether there is a picture file of this name with this very ending.
    #[must_use]
    pub fn has_file(&self, name: &str) -> bool {
        match self.find(name) {
            Some(Found::At(Place::File(path))) => has_same_ending(&as_asked(name, path), name),
            Some(Found::At(Place::Zip(_, inside))) => has_same_ending(Path::new(inside), name),
            _ => false,
        }
    }

    /// The file that holds a texture, for matching with changed paths.
    #[must_use]
    pub fn file_of(&self, name: &str) -> Option<&Path> {
        let place = match self.find(name)? {
            Found::At(place) => place,
            Found::Packaged(packaged, _) => return Some(self.packages.path(packaged)),
        };
        match place {
            Place::File(path) => Some(path),
            Place::Wad(index, _) => Some(&self.wads[*index].0),
            Place::Zip(index, _) => Some(self.zips[*index].path()),
            Place::Builtin(_) | Place::Embedded(..) => None,
        }
    }

    /// What a package of Unreal Engine 1 says about a texture; `None` where none has it.
    #[must_use]
    pub fn packaged_info(&self, name: &str) -> Option<&TextureInfo> {
        let (object, _) = texture_name::split(name.trim());
        let packaged = self.packages.find(object)?;
        Some(self.packages.info(packaged))
    }

    /// Whether this file is one that textures come from.
    #[must_use]
    pub fn uses(&self, path: &Path) -> bool {
        self.packages.has_file(path)
            || self.wads.iter().any(|(known, _)| known == path)
            || self.zips.iter().any(|zip| zip.path() == path)
    }

    /// Decodes a texture. `None` when no source has it.
    ///
    /// # Errors
    /// A sentence when it exists but cannot be decoded.
    pub fn load(&self, name: &str) -> Option<Result<Picture, String>> {
        let place = match self.find(name)? {
            Found::At(place) => place,
            Found::Packaged(packaged, look) => return Some(self.packages.load(packaged, look)),
        };
        Some(match place {
            Place::File(path) => {
                let path = as_asked(name, path);
                load_file(&path).or_else(|fault| {
                    // The same picture with another ending may be whole.
                    others_of(&path)
                        .find_map(|other| load_file(&other).ok())
                        .ok_or(fault)
                })
            }
            Place::Zip(index, inside) => self.zips[*index]
                .read_whole(inside)
                .and_then(|bytes| decode(&bytes, Path::new(inside))),
            Place::Wad(index, name) => {
                let (path, wad) = &self.wads[*index];
                wad.texture(name)
                    .ok_or_else(|| format!("{}: texture {name} is damaged", path.display()))
            }
            Place::Builtin(index) => {
                let (name, bytes) = builtin::TEXTURES[*index];
                decode(bytes, Path::new(name))
            }
            Place::Embedded(set, index) => decode_embedded(&self.embedded[*set][*index]),
        })
    }

    /// Pixel size without decoding the whole picture; of one in a package, as large as the package says that it is drawn.
    #[must_use]
    pub fn size(&self, name: &str) -> Option<[u32; 2]> {
        let place = match self.find(name)? {
            Found::At(place) => place,
            Found::Packaged(packaged, _) => return self.packages.info(packaged).drawn_size(),
        };
        match place {
            Place::File(path) => {
                let path = as_asked(name, path);
                size_of_file(&path)
                    .or_else(|| others_of(&path).find_map(|other| size_of_file(&other)))
            }
            Place::Zip(index, inside) => {
                let (zip, path) = (&self.zips[*index], Path::new(inside));
                let head = zip.read(inside, HEAD).ok()?;
                image::size_of(&head, path)
                    .or_else(|error| {
                        let whole = zip.read_whole(inside).map_err(|_| error)?;
                        image::size_of(&whole, path)
                    })
                    .ok()
            }
            Place::Wad(index, name) => self.wads[*index].1.size(name),
            Place::Builtin(index) => {
                let (name, bytes) = builtin::TEXTURES[*index];
                image::size_of(bytes, Path::new(name)).ok()
            }
            Place::Embedded(set, index) => {
                let texture = &self.embedded[*set][*index];
                Some([texture.width, texture.height])
            }
        }
    }
}

fn decode(bytes: &[u8], name: &Path) -> Result<Picture, String> {
    image::decode(bytes, name).map_err(|error| format!("{}: {error}", name.display()))
}

fn load_file(path: &Path) -> Result<Picture, String> {
    std::fs::read(path)
        .map_err(|error| format!("Could not read {}: {error}", path.display()))
        .and_then(|bytes| decode(&bytes, path))
}

/// Whether a file holds many textures.
#[must_use]
pub fn is_container(path: &Path) -> bool {
    let is = |known: &str| {
        path.extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case(known))
    };
    is("wad") || is("zip") || is_package(path)
}

/// Whether the name has the ending of a picture.
#[must_use]
pub fn is_picture(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

fn has_same_ending(path: &Path, name: &str) -> bool {
    match (path.extension(), Path::new(name).extension()) {
        (Some(ending), Some(asked)) => ending.eq_ignore_ascii_case(asked),
        _ => false,
    }
}

/// The file with the ending that was asked for, where there are several of one name.
fn as_asked(name: &str, found: &Path) -> PathBuf {
    let asked = Path::new(name);
    if let Some(ending) = asked.extension()
        && is_picture(asked)
        && !has_same_ending(found, name)
    {
        let lower = ending.to_ascii_lowercase();
        let path = [ending, &lower].map(|ending| found.with_extension(ending));
        if let Some(path) = path.into_iter().find(|path| path.is_file()) {
            return path;
        }
    }
    found.to_owned()
}

/// Files of the same name with other endings of pictures.
fn others_of(path: &Path) -> impl Iterator<Item = PathBuf> {
    EXTENSIONS
        .iter()
        .map(move |ending| path.with_extension(ending))
        .filter(move |other| other != path && other.is_file())
}

/// Enough for the size of most pictures.
const HEAD: u64 = 4096;

/// From the head of the file; of the whole where that does not tell (JPEG with long notes before the picture).
fn size_of_file(path: &Path) -> Option<[u32; 2]> {
    let mut head = Vec::new();
    std::fs::File::open(path)
        .ok()?
        .take(HEAD)
        .read_to_end(&mut head)
        .ok()?;
    image::size_of(&head, path)
        .or_else(|error| {
            std::fs::read(path)
                .map_err(|_| error)
                .and_then(|all| image::size_of(&all, path))
        })
        .ok()
}

fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

fn decode_embedded(texture: &EmbeddedTexture) -> Result<Picture, String> {
    let name = Path::new(&texture.name);
    if texture.encoding == 0 {
        return decode(&texture.bytes, name);
    }
    if texture.width > MAX_SIDE || texture.height > MAX_SIDE {
        return Err(format!(
            "{}: the embedded picture is larger than {MAX_SIDE} on a side",
            texture.name
        ));
    }
    Picture::from_rgba(texture.width, texture.height, texture.bytes.to_vec()).ok_or_else(|| {
        format!(
            "{}: the embedded picture has the wrong length",
            texture.name
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_compare_without_case_slash_or_extension() {
        for (a, b) in [
            ("Foo\\Bar.PNG", "foo/bar"),
            ("TEXTURES/X.TGA", "textures/x"),
            ("+0BTN.1", "+0btn.1"),
            (" {grate ", "{grate"),
        ] {
            assert_eq!(folded(a), b);
        }
    }

    #[test]
    fn the_first_source_wins_and_ends_of_names_find() {
        let dir = tempfile::tempdir().expect("temp dir");
        let sub = dir.path().join("Stone");
        std::fs::create_dir(&sub).expect("mkdir");
        let png = |r: u8, path: &Path| {
            let picture = ::image::RgbaImage::from_pixel(2, 1, ::image::Rgba([r, 0, 0, 255]));
            picture.save(path).expect("save png");
        };
        png(1, &sub.join("Wall.png"));
        png(2, &dir.path().join("wall.png"));
        let resolver = Resolver::new(vec![Source::Folder(dir.path().to_owned()), Source::Builtin]);
        let red = |name: &str| {
            resolver
                .load(name)
                .map(|picture| picture.expect("decodes").rgba[0])
        };
        assert_eq!(red("stone/wall"), Some(1));
        assert_eq!(red("WALL"), Some(2));
        assert_eq!(red("pkg/Stone\\WALL.TGA"), Some(1));
        assert_eq!(red("nothing"), None);
        assert_eq!(resolver.size("wall"), Some([2, 1]));
        assert!(resolver.folders().contains(&sub));
    }
}
