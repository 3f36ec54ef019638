//! Bytes <-> documents, textures, definitions.
//!
//! Must not know windows, the GPU or global state. Reads no file by itself except through what it is given.

mod cursor;
mod error;
pub mod fgd;
pub mod hmap;
pub mod image;
pub mod lights;
pub mod map;
pub mod ogz;
pub mod palette;
mod report;
pub mod rmf;
pub mod unr;
pub mod wad;
pub mod writer;

use std::path::Path;
use std::sync::Arc;

pub use self::cursor::Cursor;
pub use self::cursor::Read;
pub use self::cursor::ReadError;
pub use self::error::ErrorKind;
pub use self::error::FormatError;
pub use self::report::Report;
pub use self::report::Warning;
pub use self::report::WarningKind;
use crate::compiler::Compiled;
use crate::document::Document;
use crate::document::ViewState;
use crate::formats::unr::texture::TextureInfo;
use crate::task::Progress;

/// How sure an importer is that a file is its own. Content wins over name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    No,
    Extension,
    Magic,
}

/// Files beside the map: configuration, packages, texture containers.
pub trait Siblings: Sync {
    /// The bytes of a file named relative to the map's folder or one of the asset roots, without regard to case;
    /// `None` when there is none.
    fn read(&self, name: &str) -> Option<Vec<u8>>;

    /// Whether [`Siblings::read`] would find the file.
    fn has(&self, name: &str) -> bool {
        self.read(name).is_some()
    }

    /// Pixel size of a texture by its name in the map, looked for in the packages the map names (`wads`: file names, best first)
    /// and the asset roots, without decoding the picture.
    fn texture_size(&self, texture: &str, wads: &[String]) -> Option<[u32; 2]>;

    /// The package of Unreal Engine 1 that holds a class of this name, without regard to case; `None` where none has it, or several.
    fn package_of_class(&self, _class: &str) -> Option<String> {
        None
    }

    /// What a package of Unreal Engine 1 says about a texture: `Package.Group.Name`, or the last part alone where only one package
    /// has it. `packages`: names without endings of those that the map was made with; the first question of a map settles them.
    fn texture_info(&self, texture: &str, _packages: &[String]) -> Option<TextureInfo> {
        let size = self.texture_size(texture, &[])?;
        Some(TextureInfo {
            name: texture.to_owned(),
            size,
            draw_scale: 1.0,
            ..TextureInfo::default()
        })
    }
}

/// Nothing beside the map.
pub struct NoSiblings;

impl Siblings for NoSiblings {
    fn read(&self, _name: &str) -> Option<Vec<u8>> {
        None
    }

    fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        None
    }
}

/// What a user may ask of an import; formats to which it means nothing pass over it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// Brushes that carve stay brushes that carve (SUBTRACT), instead of the pieces that they leave of the world.
    pub keeps_carving: bool,
    /// The light that the map came with is worked out for views ([`Extras::original_light`]); it costs time and memory.
    pub original_light: bool,
}

/// A foreign format, or our own: bytes in, document and warnings out.
pub trait Importer: Sync {
    fn name(&self) -> &'static str;
    fn extensions(&self) -> &'static [&'static str];
    /// `head`: the first kilobyte or the whole of a smaller file.
    fn probe(&self, head: &[u8], path: &Path) -> Match;
    /// # Errors
    /// When nothing can be shown of the file.
    fn import(
        &self,
        bytes: &[u8],
        path: &Path,
        siblings: &dyn Siblings,
        progress: &Progress,
    ) -> Result<Imported, FormatError>;
    /// As [`Importer::import`], the way that the user asked for.
    ///
    /// # Errors
    /// When nothing can be shown of the file.
    fn import_with(
        &self,
        bytes: &[u8],
        path: &Path,
        siblings: &dyn Siblings,
        _options: ImportOptions,
        progress: &Progress,
    ) -> Result<Imported, FormatError> {
        self.import(bytes, path, siblings, progress)
    }
}

pub static IMPORTERS: &[&dyn Importer] = &[&hmap::Hmap, &rmf::Rmf, &ogz::Ogz, &unr::Unr];

/// The importer for a file: the surest; among equals the first.
#[must_use]
pub fn importer_for(head: &[u8], path: &Path) -> Option<&'static dyn Importer> {
    let mut best = None;
    for &importer in IMPORTERS {
        let sure = importer.probe(head, path);
        if sure > best.map_or(Match::No, |(sure, _)| sure) {
            best = Some((sure, importer));
        }
    }
    best.map(|(_, importer)| importer)
}

/// What came out of a file.
pub struct Imported {
    pub doc: Document,
    pub view: ViewState,
    pub extras: Extras,
    /// Only `.hmap` files hold one.
    pub compiled: Option<Compiled>,
    pub report: Report,
}

/// What a `.hmap` carries beside map, view and compile; not undoable. Importers fill origin and textures.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// Unknown bits of the header (D3).
    pub header_bits: u32,
    pub thumbnail: Option<Thumbnail>,
    pub textures: Arc<Vec<EmbeddedTexture>>,
    pub origin: Option<Origin>,
    /// What is seen of an imported map with the light that its game baked. It is no build: there is nothing to walk in, and no file
    /// keeps it but by a build that takes it over ([`crate::compiler::GivenLight`]).
    pub original_light: Option<Arc<Compiled>>,
    /// Write `SUMS`.
    pub sums: bool,
    /// Extension chunks as read, for X8, and those that stay opaque (W-XVER, W-XBAD).
    pub as_read: Arc<Vec<AsRead>>,
    pub shape: FileShape,
}

/// What a `.hmap` that was read held, where nothing else tells: lets a file that is not changed be saved as it came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileShape {
    /// `guard64` of its `CMPL`.
    pub compiled_guard: Option<u64>,
    /// `CMPX` was there and belonged to it.
    pub has_cmpx: bool,
    /// `CMPL`, but neither `BRSH` nor `MESH`.
    pub runtime_only: bool,
    pub has_meta: bool,
}

/// `PRVW`: a PNG of at most 512 x 512 and 256 KiB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thumbnail {
    pub width: u32,
    pub height: u32,
    pub png: Arc<[u8]>,
}

/// A row of `TEXS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedTexture {
    /// Equals a material's `texture`.
    pub name: String,
    /// 0 PNG, 1 raw RGBA8 rows, top first.
    pub encoding: u8,
    pub width: u32,
    pub height: u32,
    pub bytes: Arc<[u8]>,
}

/// `ORIG`: what the map was imported from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    pub format: String,
    pub file_name: String,
    pub file_size: u64,
    pub crc32: u32,
    pub tool: String,
    pub settings: Vec<(String, String)>,
}

impl Origin {
    /// Of a file that this program reads. `settings`: key and value of what it was imported with.
    #[must_use]
    pub fn of_file(
        format: &str,
        bytes: &[u8],
        path: &Path,
        settings: Vec<(String, String)>,
    ) -> Self {
        Self {
            format: format.to_owned(),
            file_name: path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default(),
            file_size: bytes.len() as u64,
            crc32: crc32fast::hash(bytes),
            tool: concat!("Mapwright ", env!("CARGO_PKG_VERSION")).to_owned(),
            settings,
        }
    }
}

/// An extension chunk as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsRead {
    pub tag: [u8; 4],
    /// The payload, byte for byte.
    pub payload: Arc<[u8]>,
    /// The canonical encoding of what was understood of it; `None` for a chunk that stays opaque.
    pub canonical: Option<Arc<[u8]>>,
}
