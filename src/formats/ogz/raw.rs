//! A Cube 2 map as structs: what the file holds after the engine's own conversions of old versions (entity types and angles,
//! old edges, materials), in its own space: left-handed, Z up, one unit a cube of the smallest grid.

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `OCTA`, versions 1 to 33.
    Sauerbraten,
    /// `TMAP` 1, or `OCTA` with the game ident "Tesseract": other entity types from 8 on.
    Tesseract,
    /// `PASM`, versions 1 to 6.
    Sandbox,
}

/// Everything that is read; lightmaps, potentially visible sets and the blend map are passed over.
#[derive(Clone, Debug)]
pub struct RawMap {
    pub family: Family,
    /// As in the header.
    pub version: u32,
    /// The world is the box `[0, world_size]³`; a power of two.
    pub world_size: u32,
    /// Name of the game the map was made for: "fps" for Sauerbraten and all files without one.
    pub game: String,
    /// In file order; maps older than 29 give the fields of their header that differ from zero under the variables' names.
    pub variables: Vec<(String, Value)>,
    pub entities: Vec<RawEntity>,
    pub slots: Vec<VirtualSlot>,
    pub tree: Octree,
    /// Counts that only a report speaks of.
    pub facts: Facts,
}

/// A variable's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Int(i32),
    Float(f32),
    Text(String),
}

/// Words of the header and of the tail that mean nothing to a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub lightmaps: i32,
    pub pvs: i32,
    pub blend_map: i32,
    /// Variables and virtual slots as the header counts them.
    pub variable_count: i32,
    pub slot_count: i32,
    /// Bytes after each entity that belong to another game.
    pub extra_entity_bytes: u16,
    /// Entities over the engine's limit of 10 000, not kept.
    pub entities_over: usize,
    /// Cubes whose edges the engine refuses, made empty.
    pub degenerate_leaves: usize,
    /// Empty leaves that stand for the part of a damaged tree that could not be read; they come last.
    pub missing_leaves: usize,
    /// Different slots on the faces of leaves that the file does not call empty.
    pub slots_used: usize,
    /// Bytes behind the last section.
    pub trailing_bytes: u64,
    /// The gzip trailer's checksum did not fit the data.
    pub checksum_wrong: bool,
    /// Names of variables whose texts have colour codes, and these with them (see [`crate::formats::ogz::header::coded`]).
    pub coded: Vec<(String, String)>,
}

/// An entity of 24 bytes, its type and angles those of version 33.
#[derive(Clone, Debug, PartialEq)]
pub struct RawEntity {
    /// Offset in the inflated file.
    pub offset: u64,
    pub position: [f32; 3],
    /// `PASM` files may hold more than five.
    pub attributes: Vec<i32>,
    pub kind: u8,
    pub extra: Vec<u8>,
}

/// A virtual slot as stored; what is `None` comes from the texture slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VirtualSlot {
    /// Stored as "unmodified": it is the texture slot of its own number among the unmodified ones.
    pub unmodified: bool,
    /// Slot this one is a variant of; -1 for none.
    pub previous: i32,
    pub shader_parameters: Vec<(String, [f32; 4])>,
    pub scale: Option<f32>,
    /// 0 to 7.
    pub rotation: Option<u8>,
    /// Texels.
    pub offset: Option<[i32; 2]>,
    pub scroll: Option<[f32; 2]>,
    pub layer: Option<i32>,
    /// Front and back.
    pub alpha: Option<[f32; 2]>,
    pub color: Option<[f32; 3]>,
}

/// The cubes; without any in a file that holds only entities. Child `i` of a cube lies at
/// `origin + size * (i & 1, (i >> 1) & 1, i >> 2)`, `size` its own.
#[derive(Clone, Debug, Default)]
pub struct Octree {
    /// Children of each split cube, in depth-first order; 0 is the root, whose children have half the world's size.
    pub splits: Vec<[Node; 8]>,
    /// In file order, which is depth-first.
    pub leaves: Vec<Leaf>,
    /// Levels of the deepest leaf: 1 for a child of the root.
    pub depth: u32,
}

/// A child of a split cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Index in [`Octree::splits`].
    Split(u32),
    /// Index in [`Octree::leaves`].
    Leaf(u32),
}

/// What a leaf is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    Empty,
    Solid,
    /// Its [`Leaf::edges`] tell its shape, which may still be a box.
    Deformed,
}

/// A cube without children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Lowest corner, in units.
    pub origin: [i32; 3],
    /// Edge length in units, a power of two.
    pub size: i32,
    pub fill: Fill,
    /// Four along X, four along Y, four along Z: low nibble start, high nibble end, in eighths of the size. 0x80 when solid.
    pub edges: [u8; 12],
    /// Virtual slot of the faces -X, +X, -Y, +Y, -Z, +Z.
    pub textures: [u16; 6],
    /// In the bits of version 33: see [`material`].
    pub material: u16,
}

/// Bits of [`Leaf::material`].
pub mod material {
    /// Which of four liquids or glasses.
    pub const INDEX: u16 = 0x0003;
    pub const VOLUME: u16 = 0x001C;
    pub const WATER: u16 = 0x0004;
    pub const LAVA: u16 = 0x0008;
    pub const GLASS: u16 = 0x000C;
    pub const CLIP_BITS: u16 = 0x00E0;
    pub const NO_CLIP: u16 = 0x0020;
    pub const CLIP: u16 = 0x0040;
    pub const GAME_CLIP: u16 = 0x0060;
    pub const DEATH: u16 = 0x0100;
    pub const ALPHA: u16 = 0x0400;
}
