//! The textures of a package: names, sizes, flags, palettes, and where the pixels lie, so that a file need not stay in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::ops::Range;

use crate::formats::Cursor;
use crate::formats::Read;
use crate::formats::image::Image;
use crate::formats::unr::compact::compact_count;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::Reference;
use crate::formats::unr::picture;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::flag;
use crate::formats::unr::texture::TextureData;
use crate::formats::unr::texture::TextureInfo;
use crate::formats::unr::texture::is_texture_class;
use crate::formats::unr::texture_name::Look;
use crate::formats::unr::texture_name::OWN_PACKAGE;

/// Red, green, blue of each number; those that are not stored are black.
pub type Colors = Box<[[u8; 3]; 256]>;

/// Colours of a palette; more are not addressed by a byte.
const COLORS: usize = 256;

/// Most of what one package may have wrong that is told.
const MAX_PROBLEMS: usize = 50;

/// Objects do not lie over each other; all that are read together may be so many times as long as the file.
const MAX_READ: u64 = 4;

/// Where a texture's colours are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaletteRef {
    /// The number of an export of the same package.
    Own(u32),
    /// Another package's: `Package.Group.Name`.
    Foreign(String),
}

/// A texture of the package.
#[derive(Clone, Debug, PartialEq)]
pub struct PackagedTexture {
    /// Its number in the export table.
    pub export: u32,
    /// Groups from the outermost, joined by points; often empty.
    pub group: String,
    /// The last part of the name.
    pub last_name: String,
    pub class: String,
    pub info: TextureInfo,
    pub data: TextureData,
    pub palette: Option<PaletteRef>,
    /// What a texture that is computed is computed from: `Package.Group.Name`.
    pub source: Option<String>,
    /// The next picture of an animation: `Package.Group.Name`.
    pub next: Option<String>,
}

/// See the module's text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TexturePackage {
    pub version: u16,
    /// What others call it.
    pub name: String,
    /// In the order of the export table.
    pub textures: Vec<PackagedTexture>,
    /// By their numbers in the export table: palettes of one name in several packages are different ones.
    palettes: BTreeMap<u32, Colors>,
    /// Exports of palettes by group and name in lower case, for other packages.
    palette_names: HashMap<String, u32>,
    /// Indices of [`TexturePackage::textures`] by `group.name` in lower case.
    by_name: HashMap<String, usize>,
    /// What cannot be used, one sentence each.
    pub problems: Vec<String>,
}

impl TexturePackage {
    /// `name`: the file's without its ending. Only textures with an own palette or one of another package have pictures; a
    /// damaged one is left out and told in `problems`.
    #[must_use]
    pub fn read(package: &Package<'_>, name: &str) -> Self {
        let mut this = Self {
            version: package.version(),
            name: name.to_owned(),
            ..Self::default()
        };
        let mut left = package.bytes.len() as u64 * MAX_READ;
        let mut palettes = BTreeSet::new();
        for (export, record) in package.tables.exports.iter().enumerate() {
            let class = package.tables.class_name(export);
            let is_palette = class.eq_ignore_ascii_case("Palette");
            if !is_palette && !is_texture_class(class) {
                continue;
            }
            // Palettes are read as a whole and kept.
            let size = u64::from(record.size.max(if is_palette { 1024 } else { 1 }));
            let Some(rest) = left.checked_sub(size) else {
                this.problem("its objects lie over each other; the rest was not read".to_owned());
                break;
            };
            left = rest;
            if is_palette {
                palettes.insert(export as u32);
            } else {
                this.add(package, export);
            }
        }
        for export in palettes {
            match palette(package, export as usize) {
                Ok(colors) => this.add_palette(package, export, colors),
                Err(error) => this.problem(format!(
                    "palette {}: {} ({}, byte {:#x})",
                    package.tables.export_name(export as usize),
                    error.kind,
                    error.field,
                    error.offset
                )),
            }
        }
        this
    }

    /// The textures of the map in which they are.
    #[must_use]
    pub fn of_map(package: &Package<'_>) -> Self {
        Self::read(package, OWN_PACKAGE)
    }

    fn problem(&mut self, text: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(text);
        }
    }

    fn add_palette(&mut self, package: &Package<'_>, export: u32, colors: Colors) {
        let reference = Reference(export as i32 + 1);
        if let Some(path) = package.tables.object_path(reference) {
            let name = key(&path.group, &path.name);
            self.palette_names.entry(name).or_insert(export);
        }
        self.palettes.insert(export, colors);
    }

    fn add(&mut self, package: &Package<'_>, export: usize) {
        let reference = Reference(export as i32 + 1);
        let Some(path) = package.tables.object_path(reference) else {
            return;
        };
        match self.texture(package, export, &path) {
            Ok(texture) => {
                if let Some(fault) = &texture.data.fault {
                    self.problem(format!("{}: {fault}", texture.info.name));
                }
                self.by_name
                    .entry(key(&texture.group, &texture.last_name))
                    .or_insert(self.textures.len());
                self.textures.push(texture);
            }
            Err(error) => self.problem(format!(
                "{}: {} ({}, byte {:#x})",
                path.name, error.kind, error.field, error.offset
            )),
        }
    }

    fn texture(
        &self,
        package: &Package<'_>,
        export: usize,
        path: &ObjectPath,
    ) -> Read<PackagedTexture> {
        let (properties, mut cursor) = package.object(export)?;
        let data = TextureData::read(&mut cursor, package.version(), &path.class, &properties)?;
        let size = data.pixels.first().map(|pixels| pixels.size);
        let name = self.full_name(path);
        let palette = properties
            .object("Palette")
            .map(|palette| match palette.export {
                Some(export) => PaletteRef::Own(export),
                None => PaletteRef::Foreign(palette.full_name()),
            });
        Ok(PackagedTexture {
            export: export as u32,
            group: path.group.clone(),
            last_name: path.name.clone(),
            class: path.class.clone(),
            info: TextureInfo::new(name, &path.class, &properties, size),
            data,
            palette,
            source: self.named(&properties, "SourceTexture"),
            next: self.named(&properties, "AnimNext"),
        })
    }

    fn named(&self, properties: &Properties, property: &str) -> Option<String> {
        let path = properties.object(property)?;
        Some(if path.export.is_some() {
            self.full_name(path)
        } else {
            path.full_name()
        })
    }

    fn full_name(&self, path: &ObjectPath) -> String {
        let parts = [&self.name, &path.group, &path.name];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.map(String::as_str).collect::<Vec<_>>().join(".")
    }

    /// A texture by group and name, without regard to case. `group`: may be empty where there is no group.
    #[must_use]
    pub fn find(&self, group: &str, name: &str) -> Option<usize> {
        self.by_name.get(&key(group, name)).copied()
    }

    /// The colours of a palette of this package.
    #[must_use]
    pub fn own_palette(&self, export: u32) -> Option<&Colors> {
        self.palettes.get(&export)
    }

    /// The colours of a palette for another package, by group and name.
    #[must_use]
    pub fn palette_named(&self, group_and_name: &str) -> Option<&Colors> {
        let export = self.palette_names.get(&group_and_name.to_lowercase())?;
        self.own_palette(*export)
    }

    /// Decodes a texture. `bytes`: of a range of the package's file. `foreign`: the palette, where it is another package's. One that
    /// is computed by the game and has no pixels is of one colour.
    ///
    /// # Errors
    /// A sentence with the texture's name.
    pub fn picture<'b>(
        &self,
        index: usize,
        look: Look,
        bytes: &dyn Fn(&Range<u64>) -> Result<Cow<'b, [u8]>, String>,
        foreign: Option<&Colors>,
    ) -> Result<Image, String> {
        let Some(texture) = self.textures.get(index) else {
            return Err(format!("{} has no texture {index}", self.name));
        };
        let colors = self.colors_of(texture, foreign);
        let is_masked = match look {
            Look::Plain => texture.info.flags & flag::MASKED != 0,
            Look::Masked => true,
            Look::Translucent | Look::Modulated => false,
        };
        let mut fault = texture.data.fault.clone();
        for pixels in &texture.data.pixels {
            let decoded = bytes(&pixels.range)
                .and_then(|bytes| picture::decode(pixels, &bytes, colors, is_masked));
            match decoded {
                Ok(picture) => return Ok(picture::with_look(picture, look)),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        match fault {
            Some(fault) => Err(format!("{}: {fault}", texture.info.name)),
            None => {
                let color = Self::middle_color(texture, colors);
                let plain = picture::plain(color, texture.info.size);
                Ok(picture::with_look(plain, look))
            }
        }
    }

    fn colors_of<'c>(
        &'c self,
        texture: &PackagedTexture,
        foreign: Option<&'c Colors>,
    ) -> Option<&'c Colors> {
        match texture.palette {
            Some(PaletteRef::Own(export)) => self.own_palette(export),
            Some(PaletteRef::Foreign(_)) => foreign,
            None => None,
        }
    }

    /// The mean colour of a texture that has no pixels: what the package says, else the middle of its palette.
    fn middle_color(texture: &PackagedTexture, colors: Option<&Colors>) -> [u8; 3] {
        const MIDDLE: u8 = 128;
        let told = texture.info.mip_zero.filter(|color| *color != [0; 3]);
        told.or_else(|| colors.map(|colors| colors[usize::from(MIDDLE)]))
            .unwrap_or([MIDDLE; 3])
    }
}

fn key(group: &str, name: &str) -> String {
    let name = name.to_lowercase();
    if group.is_empty() {
        name
    } else {
        format!("{}.{name}", group.to_lowercase())
    }
}

/// The colours of a palette object. Its alpha means nothing here: holes are what has colour 0 where something is masked.
fn palette(package: &Package<'_>, export: usize) -> Read<Colors> {
    let (_, mut cursor) = package.object(export)?;
    colors(&mut cursor)
}

fn colors(cursor: &mut Cursor<'_>) -> Read<Colors> {
    let count = compact_count(cursor, "palette", 4)?;
    let mut colors: Colors = Box::new([[0; 3]; COLORS]);
    let bytes = cursor.bytes("palette", count * 4)?;
    for (color, [red, green, blue, _]) in colors.iter_mut().zip(bytes.as_chunks().0) {
        *color = [*red, *green, *blue];
    }
    Ok(colors)
}
