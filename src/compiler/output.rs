//! What a compile makes: the chunks `CMPL`, `CMPX`, `LMAP` and `PVS ` as plain data (`hmap.md` 3, 6.9 to 6.11).

use std::sync::Arc;

use glam::DVec3;
use glam::Vec2;
use glam::Vec3;

use crate::document::Document;
use crate::document::Issue;
use crate::document::ObjectId;

/// A box as the file holds it. The box of nothing is six zeros (D33).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Box3 {
    pub min: Vec3,
    pub max: Vec3,
}

/// A plane as the file holds it: points with `dot(normal, p) == dist`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane3 {
    pub normal: Vec3,
    pub dist: f32,
}

/// A vertex as the file holds it, 36 bytes.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Vertex {
    pub position: Vec3,
    /// Unit length, on the side of the winding.
    pub normal: Vec3,
    /// In repeats.
    pub uv: Vec2,
    /// R, G, B, A; sRGB-encoded light, alpha 255.
    pub rgba: [u8; 4],
}

/// Where the triangles of a batch come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BatchSource {
    BrushFaces,
    MeshPolygons,
}

/// Triangles of one (model, source, material), counter-clockwise front.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Index into `MATS`, -1 = none.
    pub material: i32,
    pub source: BatchSource,
    /// Index into the models.
    pub model: i32,
    pub vertices: Vec<Vertex>,
    /// Three per triangle.
    pub indices: Vec<u32>,
}

/// A convex solid of the collision data (D38).
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionBrush {
    pub contents: u32,
    /// Id of the brush it comes from.
    pub source_id: u32,
    pub bounds: Box3,
    pub planes: Vec<Plane3>,
}

/// Index 0 is the world; then one per entity that owns compiled geometry, ascending by entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub entity_id: u32,
    pub bounds: Box3,
    /// Empty for the world, whose brushes are in the BSP (D35).
    pub brushes: Vec<CollisionBrush>,
}

/// Front is `dot(n, p) - d >= 0`. A link `c >= 0` is node `c`, `c < 0` is leaf `!c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub plane: i32,
    pub front: i32,
    pub back: i32,
}

/// A run of `Bsp::leaf_brushes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub first_brush: u32,
    pub brush_count: u32,
}

/// An index over the world's collision brushes (D36, D37).
#[derive(Clone, Debug, PartialEq)]
pub struct Bsp {
    pub root: i32,
    pub depth: u32,
    pub bounds: Box3,
    pub planes: Vec<Plane3>,
    pub nodes: Vec<Node>,
    pub leaves: Vec<Leaf>,
    pub leaf_brushes: Vec<u32>,
    pub brushes: Vec<CollisionBrush>,
}

impl Default for Bsp {
    /// The empty map: no nodes, one empty leaf.
    fn default() -> Self {
        Self {
            root: -1,
            depth: 0,
            bounds: Box3::default(),
            planes: Vec::new(),
            nodes: Vec::new(),
            leaves: vec![Leaf {
                first_brush: 0,
                brush_count: 0,
            }],
            leaf_brushes: Vec::new(),
            brushes: Vec::new(),
        }
    }
}

/// Collision triangles of one mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshCollision {
    pub object_id: u32,
    pub bounds: Box3,
    /// Three per triangle, counter-clockwise front.
    pub vertices: Vec<Vec3>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LightKind {
    Point,
    Spot,
    Sun,
}

/// A light as baked (D39).
#[derive(Clone, Debug, PartialEq)]
pub struct LightRecord {
    pub kind: LightKind,
    pub position: Vec3,
    /// Unit vector along which light travels; (0, -1, 0) for points.
    pub direction: Vec3,
    /// sRGB-encoded.
    pub color: Vec3,
    /// Irradiance at one metre (sun: anywhere).
    pub intensity: f32,
    /// Units, 0 = no limit.
    pub radius: f32,
    /// Half angles.
    pub inner_deg: f32,
    pub outer_deg: f32,
    pub entity_id: u32,
}

/// The chunk `CMPL`, field for field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cmpl {
    pub ambient: Vec3,
    pub units_per_meter: f32,
    /// 0 or 1: vertex colours hold the light.
    pub baked: u8,
    pub bounds: Box3,
    pub batches: Vec<Batch>,
    pub models: Vec<Model>,
    pub bsp: Bsp,
    pub mesh_collisions: Vec<MeshCollision>,
    pub lights: Vec<LightRecord>,
}

impl Cmpl {
    /// True when any light shines: ambient light alone is no light to look at a map by, and lights of no colour give none.
    #[must_use]
    pub fn has_light(&self) -> bool {
        self.lights
            .iter()
            .any(|light| light.intensity > 0.0 && light.color.max_element() > 0.0)
    }
}

/// One page of `LMAP`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LightmapPage {
    pub width: u32,
    pub height: u32,
    /// 0 = RGBA8 encoded, 1 = RGB9E5 linear.
    pub format: u8,
    pub bytes: Vec<u8>,
}

/// The chunk `LMAP` (6.10).
#[derive(Clone, Debug, PartialEq)]
pub struct Lightmaps {
    pub pages: Vec<LightmapPage>,
    /// Per batch: page (-1 = none) and one coordinate per vertex, or none.
    pub batches: Vec<(i32, Vec<Vec2>)>,
}

/// The chunk `PVS ` (6.11), carried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visibility {
    pub clusters: u32,
    pub leaf_cluster: Vec<i32>,
    pub row_bytes: u32,
    pub rows: Vec<u8>,
    /// cluster, batch, first index, index count.
    pub ranges: Vec<[u32; 4]>,
}

/// A run of triangles of a batch and the faces they show (several after merging).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginRun {
    pub first_triangle: u32,
    pub triangle_count: u32,
    /// (object, face of a brush or polygon of a mesh).
    pub faces: Vec<(ObjectId, u32)>,
}

/// Origins of one batch's triangles, ascending and without gaps.
pub type Origins = Vec<OriginRun>;

/// A way from an entity to the outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Leak {
    pub from: ObjectId,
    pub path: Vec<DVec3>,
    /// Units, at the narrowest place.
    pub width: f64,
    pub brushes: Vec<ObjectId>,
}

/// Counts of a compile, as `compile --json` names them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Stage and seconds, in the order they ran; empty without `Options::clock`.
    pub stages: Vec<(&'static str, f64)>,
    pub seconds: f64,
    pub threads: usize,
    pub brushes: usize,
    pub faces_in: usize,
    pub fragments: usize,
    pub merged: usize,
    pub t_junctions: usize,
    pub vertices: usize,
    pub triangles: usize,
    pub batches: usize,
    pub models: usize,
    pub planes: usize,
    pub nodes: usize,
    pub leaves: usize,
    pub leaf_refs: usize,
    pub depth: usize,
    pub lights: usize,
    pub rays: u64,
    /// Square units of drawn triangles.
    pub drawn_area: f64,
}

/// A finished compile, or what a file held of one.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The document it was made of; `None` when a file says that it is old.
    pub source: Option<Document>,
    pub cmpl: Arc<Cmpl>,
    /// `CMPX`: model of each mesh collision.
    pub mesh_model: Vec<i32>,
    pub lightmaps: Option<Arc<Lightmaps>>,
    pub visibility: Option<Arc<Visibility>>,
    /// Per batch; empty when it came from a file.
    pub origins: Vec<Origins>,
    /// `None` while the leak stage did not run.
    pub sealed: Option<bool>,
    pub leak: Option<Leak>,
    pub issues: Vec<Issue>,
    pub stats: Stats,
}

impl Compiled {
    /// Surfaces and collision alone, as if made of `source`: no mesh collisions, and nothing that only a run of the compiler tells.
    #[must_use]
    pub fn of(cmpl: Cmpl, source: Option<Document>) -> Self {
        Self {
            source,
            cmpl: Arc::new(cmpl),
            mesh_model: Vec::new(),
            lightmaps: None,
            visibility: None,
            origins: Vec::new(),
            sealed: None,
            leak: None,
            issues: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// True when it was made of exactly this document.
    #[must_use]
    pub fn is_current(&self, doc: &Document) -> bool {
        self.source.as_ref().is_some_and(|source| source.same(doc))
    }
}
