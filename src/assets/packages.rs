//! Textures in packages of Unreal Engine 1: an index over their tables. Pixels are read when they are asked for.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::io::Seek as _;
use std::io::SeekFrom;
use std::ops::Range;
use std::path::Path;
use std::path::PathBuf;

use crate::assets::Picture;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::version;
use crate::formats::unr::raw::flag;
use crate::formats::unr::sparse;
use crate::formats::unr::sparse::Parts;
use crate::formats::unr::texture::TextureInfo;
use crate::formats::unr::texture_name::Look;
use crate::formats::unr::texture_package::Colors;
use crate::formats::unr::texture_package::PackagedTexture;
use crate::formats::unr::texture_package::PaletteRef;
use crate::formats::unr::texture_package::TexturePackage;

/// A larger file is not read.
const MAX_BYTES: u64 = 512 << 20;

/// Versions whose textures are tried: patched engines count on beyond the maps'.
pub(super) const VERSIONS: std::ops::RangeInclusive<u16> = 60..=109;

/// Textures that are computed from each other are followed so far.
const MAX_SOURCES: usize = 4;

/// A texture of an index: number of the package, number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packaged(usize, usize);

/// A file and what is in it.
pub struct PackageFile {
    path: PathBuf,
    textures: TexturePackage,
}

/// Parts of a package in their places; see [`sparse::bytes_of`].
pub(super) fn read_parts(path: &Path, parts: Parts) -> Result<Vec<u8>, String> {
    let mut file = File::open(path).map_err(|error| error.to_string())?;
    let size = file.metadata().map_err(|error| error.to_string())?.len();
    if size > MAX_BYTES {
        return Err("it is too large to be a package".to_owned());
    }
    let read = sparse::bytes_of(size as usize, parts, |at, part| {
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(part)
    });
    read.map_err(|error: std::io::Error| error.to_string())
}

impl PackageFile {
    /// Reads the tables and what each texture says of itself.
    ///
    /// # Errors
    /// A sentence.
    pub fn open(path: &Path) -> Result<Self, String> {
        let fail =
            |error: &dyn std::fmt::Display| format!("Could not read {}: {error}", path.display());
        let bytes = read_parts(path, Parts::Textures).map_err(|fault| fail(&fault))?;
        let version = version(&bytes).map_err(|error| error.at(path).to_string())?;
        if !VERSIONS.contains(&version) {
            return Err(fail(&format!(
                "it is a package of another engine (version {version})"
            )));
        }
        let package = Package::read(&bytes).map_err(|error| error.at(path).to_string())?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(Self {
            path: path.to_owned(),
            textures: TexturePackage::read(&package, &name),
        })
    }

    fn bytes(&self, range: &Range<u64>) -> Result<Cow<'static, [u8]>, String> {
        let fail = |error: std::io::Error| format!("{}: {error}", self.path.display());
        let mut file = File::open(&self.path).map_err(fail)?;
        file.seek(SeekFrom::Start(range.start)).map_err(fail)?;
        let mut bytes = Vec::new();
        let count = range.end - range.start;
        file.take(count).read_to_end(&mut bytes).map_err(fail)?;
        Ok(Cow::Owned(bytes))
    }
}

/// See the module's text. Names are without regard to case.
#[derive(Default)]
pub struct Packages {
    files: Vec<PackageFile>,
    /// By the package's name; the first of a name counts.
    by_package: HashMap<String, usize>,
    /// By `package.group.name`.
    by_name: HashMap<String, Packaged>,
    /// By `package.name`, whatever the group is; `None` for what is there more than once.
    by_ends: HashMap<String, Option<Packaged>>,
    /// By the last part alone; `None` for what is there more than once.
    by_last: HashMap<String, Option<Packaged>>,
}

impl Packages {
    #[must_use]
    pub fn has_file(&self, path: &Path) -> bool {
        self.files.iter().any(|file| file.path == path)
    }

    /// Gives what is wrong with it, one sentence each.
    pub fn add(&mut self, file: PackageFile) -> Vec<String> {
        let number = self.files.len();
        let package = file.textures.name.to_lowercase();
        let faults = file
            .textures
            .problems
            .iter()
            .map(|problem| format!("{}: {problem}", file.path.display()))
            .collect();
        // Another of the same name would only be in the way.
        if !self.by_package.contains_key(&package) {
            for (index, texture) in file.textures.textures.iter().enumerate() {
                let place = Packaged(number, index);
                let last = texture.last_name.to_lowercase();
                let once = |found: &mut Option<Packaged>| *found = None;
                self.by_name
                    .entry(texture.info.name.to_lowercase())
                    .or_insert(place);
                self.by_ends
                    .entry(format!("{package}.{last}"))
                    .and_modify(once)
                    .or_insert(Some(place));
                self.by_last
                    .entry(last)
                    .and_modify(once)
                    .or_insert(Some(place));
            }
            self.by_package.insert(package, number);
        }
        self.files.push(file);
        faults
    }

    /// `Package.Group.Name`, or without the group where only one has the name, or the name alone where only one package has it:
    /// texts give no more.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Packaged> {
        if self.files.is_empty() {
            return None;
        }
        let name = name.to_lowercase();
        if let Some(&found) = self.by_name.get(&name) {
            return Some(found);
        }
        let Some((package, rest)) = name.split_once('.') else {
            return self.by_last.get(&name).copied().flatten();
        };
        let last = rest.rsplit('.').next().unwrap_or(rest);
        let ends = self.by_ends.get(&format!("{package}.{last}"));
        ends.copied().flatten()
    }

    fn texture(&self, Packaged(file, texture): Packaged) -> &PackagedTexture {
        &self.files[file].textures.textures[texture]
    }

    #[must_use]
    pub fn path(&self, Packaged(file, _): Packaged) -> &Path {
        &self.files[file].path
    }

    #[must_use]
    pub fn info(&self, place: Packaged) -> &TextureInfo {
        &self.texture(place).info
    }

    /// Every texture, package by package.
    pub fn all(&self) -> impl Iterator<Item = Packaged> + '_ {
        let files = self.files.iter().enumerate();
        files.flat_map(|(number, file)| {
            (0..file.textures.textures.len()).map(move |index| Packaged(number, index))
        })
    }

    fn foreign(&self, texture: &PackagedTexture) -> Option<&Colors> {
        let Some(PaletteRef::Foreign(name)) = &texture.palette else {
            return None;
        };
        let (package, rest) = name.split_once('.')?;
        let file = *self.by_package.get(&package.to_lowercase())?;
        self.files[file].textures.palette_named(rest)
    }

    /// # Errors
    /// A sentence when it cannot be decoded.
    pub fn load(&self, place: Packaged, look: Look) -> Result<Picture, String> {
        let is_masked = self.info(place).flags & flag::MASKED != 0;
        let look = if look == Look::Plain && is_masked {
            Look::Masked
        } else {
            look
        };
        let mut at = place;
        for _ in 0..MAX_SOURCES {
            let texture = self.texture(at);
            let source = texture.source.as_deref();
            match source.and_then(|source| self.find(source)) {
                Some(source) if texture.data.pixels.is_empty() => at = source,
                _ => break,
            }
        }
        let file = &self.files[at.0];
        let foreign = self.foreign(self.texture(at));
        file.textures
            .picture(at.1, look, &|range| file.bytes(range), foreign)
    }
}
