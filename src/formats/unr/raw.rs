//! An Unreal Engine 1 map as structs: what the file holds, references resolved to indices or names, in its own space and units:
//! left-handed, X forward, Y right, Z up.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;
use glam::Vec3;

use crate::formats::unr::properties::Properties;
use crate::formats::unr::texture_package::TexturePackage;

/// Everything that is read of a map, from a package or from text.
#[derive(Clone, Debug, Default)]
pub struct RawMap {
    /// Package version; 0 for text.
    pub version: u16,
    pub licensee: u16,
    /// Came from `.t3d` text: there is no world model, reach spec or zone.
    pub is_text: bool,
    /// In the order of the Level's slots, each export once; cameras, the builder brush and deleted actors included as far as a
    /// slot names them. Slot order is the order of the CSG operations.
    pub actors: Vec<RawActor>,
    /// Every texture that a surface or a polygon names, once.
    pub textures: Vec<Arc<ObjectPath>>,
    /// `None` for text, and for a package whose world cannot be read. Empty worlds are legal.
    pub world: Option<RawModel>,
    /// Defaults of classes that the package, or one it names, holds itself, by class name in lower case.
    pub class_defaults: BTreeMap<String, Properties>,
    /// Textures that are in the map's file itself.
    pub own_textures: TexturePackage,
    pub facts: Facts,
}

/// What only counts and reports speak of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub slots: usize,
    pub empty_slots: usize,
    pub repeated_slots: usize,
    pub reach_specs: usize,
    /// Packages that the import table names, sorted.
    pub packages: Vec<String>,
    /// Nodes, surfaces or polygons left out because an index or a number in them is not sound.
    pub bad_nodes: usize,
    pub bad_polygons: usize,
    /// Lightmaps whose bits, lights or sizes are not sound: unlit here.
    pub bad_lightmaps: usize,
    /// Actors that could not be read.
    pub bad_actors: usize,
}

/// An object of this or another package by name: `Package.Group.Name` of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectPath {
    pub class: String,
    /// Empty: this package.
    pub package: String,
    /// Groups from the outermost, joined by points; often empty.
    pub group: String,
    pub name: String,
    /// Its number in this package's export table, from 0.
    pub export: Option<u32>,
}

impl ObjectPath {
    /// `Package.Group.Name`, as far as there is.
    #[must_use]
    pub fn full_name(&self) -> String {
        let parts = [&self.package, &self.group, &self.name];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.map(String::as_str).collect::<Vec<_>>().join(".")
    }
}

/// An actor of a Level slot.
#[derive(Clone, Debug, Default)]
pub struct RawActor {
    /// Of its data in the file; for text of its first line.
    pub offset: u64,
    /// Name of the export: `Light12`.
    pub name: String,
    pub class: Arc<ObjectPath>,
    /// Names of the classes above its own, nearest first, as far as the packages at hand tell.
    pub ancestors: Vec<String>,
    pub properties: Properties,
    /// Polygons of the model that its property `Brush` names; `None` without such a property.
    pub polygons: Option<Arc<Vec<RawPolygon>>>,
}

/// A polygon of a brush, in the brush's own space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawPolygon {
    pub base: Vec3,
    pub normal: Vec3,
    /// Texels per unit along their directions.
    pub u: Vec3,
    pub v: Vec3,
    /// Counter-clockwise about the normal by the usual formula on the raw numbers.
    /// Fewer than 3 for one that is not sound: it keeps its place, since others go by its number.
    pub vertices: Vec<Vec3>,
    pub flags: u32,
    /// Index in [`RawMap::textures`].
    pub texture: Option<u32>,
    pub item: String,
    /// Number of the polygon whose alignment this one shares; -1 for none.
    pub link: i32,
    /// Texels.
    pub pan: [i16; 2],
}

/// The world's BSP. All indices are in range: what is not was left out by the reader and counted. Only node numbers in
/// `leaf_hulls` are as they stand in the file. No node is reached by two links, so that walks from the first one end.
#[derive(Clone, Debug, Default)]
pub struct RawModel {
    /// Normals and texture axes; not of unit length.
    pub vectors: Vec<Vec3>,
    pub points: Vec<Vec3>,
    pub nodes: Vec<Node>,
    pub surfaces: Vec<Surface>,
    /// Indices in `points`, with the side number.
    pub vertices: Vec<(u32, i32)>,
    pub shared_sides: i32,
    pub zones: Vec<Zone>,
    pub lightmaps: Vec<Lightmap>,
    pub light_bits: Vec<u8>,
    pub bounds: usize,
    /// Collision hulls, one after the other: node numbers with a flip bit, -1, the bits of a box.
    pub leaf_hulls: Vec<i32>,
    pub leaves: Vec<Leaf>,
    pub lights: Vec<LightEntry>,
    pub is_root_outside: bool,
    pub is_linked: bool,
}

/// A node of the BSP: `normal . p = distance` is its plane, the front side is `>= distance`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    pub normal: Vec3,
    pub distance: f32,
    pub flags: u8,
    pub zone_mask: u64,
    /// First vertex in the pool, and how many.
    pub first_vertex: u32,
    /// 0 for a node without a polygon, whose other numbers but plane and links mean nothing.
    pub vertex_count: u8,
    pub surface: u32,
    pub back: Option<u32>,
    pub front: Option<u32>,
    /// The next node on the same plane, which only carries another polygon.
    pub coplanar: Option<u32>,
    /// Start of its record in `leaf_hulls`.
    pub hull: Option<u32>,
    /// Behind and in front.
    pub zones: [u8; 2],
    /// Behind and in front; `None`: solid.
    pub leaves: [Option<u32>; 2],
}

impl Node {
    /// Bit of `flags`: does not separate solid from empty.
    pub const NOT_CSG: u8 = 1;
}

/// What polygons of the BSP look like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Index in [`RawMap::textures`].
    pub texture: Option<u32>,
    pub flags: u32,
    /// Index in `points`.
    pub base: u32,
    /// Indices in `vectors`.
    pub normal: u32,
    pub u: u32,
    pub v: u32,
    pub lightmap: Option<u32>,
    /// Number of the polygon in the brush that made it.
    pub polygon: i32,
    pub pan: [i16; 2],
    /// Index in [`RawMap::actors`]; `None` when no slot holds the brush any more.
    pub actor: Option<u32>,
}

/// A zone of the world; zone 0 is the world outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    /// Index in [`RawMap::actors`].
    pub actor: Option<u32>,
    pub connectivity: u64,
    pub visibility: u64,
}

/// Where the shadow bits of a surface lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lightmap {
    /// In `light_bits`.
    pub offset: u32,
    pub pan: Vec3,
    /// Texels.
    pub size: [u32; 2],
    /// Units of the texture axes on one texel.
    pub scale: [f32; 2],
    /// First entry in `lights`; `None`: unlit.
    pub first_light: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub zone: i32,
    pub permeating: i32,
    pub volumetric: i32,
    pub visible_zones: u64,
}

/// Lists of light actors, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LightEntry {
    /// Index in [`RawMap::actors`].
    Actor(u32),
    /// An actor that no slot holds any more.
    Gone,
    /// A list ends here.
    End,
}

/// Bits of polygons and surfaces.
pub mod flag {
    pub const INVISIBLE: u32 = 0x0000_0001;
    pub const MASKED: u32 = 0x0000_0002;
    pub const TRANSLUCENT: u32 = 0x0000_0004;
    pub const NOT_SOLID: u32 = 0x0000_0008;
    pub const ENVIRONMENT: u32 = 0x0000_0010;
    pub const SEMISOLID: u32 = 0x0000_0020;
    pub const MODULATED: u32 = 0x0000_0040;
    pub const FAKE_BACKDROP: u32 = 0x0000_0080;
    pub const TWO_SIDED: u32 = 0x0000_0100;
    pub const AUTO_U_PAN: u32 = 0x0000_0200;
    pub const AUTO_V_PAN: u32 = 0x0000_0400;
    pub const NO_SMOOTH: u32 = 0x0000_0800;
    pub const SMALL_WAVY: u32 = 0x0000_2000;
    pub const CLOUD_WAVY: u32 = 0x0002_0000;
    pub const SPECIAL_LIT: u32 = 0x0010_0000;
    pub const UNLIT: u32 = 0x0040_0000;
    pub const PORTAL: u32 = 0x0400_0000;
    pub const MIRROR: u32 = 0x0800_0000;
    /// What an editor remembered; means nothing.
    pub const EDITOR: u32 = 0xD300_0000;
}

impl RawModel {
    /// Corner positions of a node's polygon, counter-clockwise about its plane's normal by the raw numbers; empty for a node
    /// without one.
    #[must_use]
    pub fn polygon(&self, node: &Node) -> Vec<DVec3> {
        let first = node.first_vertex as usize;
        let pool = self
            .vertices
            .get(first..first + usize::from(node.vertex_count));
        let pool = pool.unwrap_or_default();
        pool.iter()
            .filter_map(|&(point, _)| self.points.get(point as usize))
            .map(|point| point.as_dvec3())
            .collect()
    }
}
