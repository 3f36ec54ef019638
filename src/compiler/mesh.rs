//! Triangles between geometry (weld, T-junctions) and packaging: what the bake refines and lights.

use glam::DVec3;
use glam::Vec2;
use glam::Vec3;

use crate::compiler::BatchSource;
use crate::document::MaterialId;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::geometry::Plane;
use crate::geometry::UvAxes;

/// The drawn surface of one model. Patches that share an edge share its two positions, so a split of the edge that both sides
/// decide alike leaves no crack and no T-junction.
#[derive(Clone, Debug, Default)]
pub struct ModelMesh {
    /// Index of the model in `Cmpl::models`.
    pub model: u32,
    /// `f64` map units; the output rounds them to `f32`.
    pub positions: Vec<DVec3>,
    pub patches: Vec<Patch>,
}

/// One flat polygon (or polygon of a mesh), triangulated.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Unit; triangles run counter-clockwise seen from its front.
    pub plane: Plane,
    pub material: Option<MaterialId>,
    pub source: BatchSource,
    /// Flags of face and material, or-ed.
    pub flags: SurfaceFlags,
    /// How texture coordinates follow from positions.
    pub uv: PatchUv,
    /// Smoothed normals differ from the plane's only for meshes.
    pub vertices: Vec<PatchVertex>,
    /// Indices into `vertices`.
    pub triangles: Vec<[u32; 3]>,
    /// Faces this surface shows, the first of them deciding.
    pub from: Vec<(ObjectId, u32)>,
    /// Neither lit nor cut: sky and UNLIT.
    pub unlit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PatchUv {
    /// Computed from the written position.
    Frame(UvAxes),
    /// Stored per vertex, interpolated when an edge is split.
    PerVertex,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchVertex {
    /// Index into `ModelMesh::positions`.
    pub position: u32,
    pub normal: Vec3,
    /// In repeats; used with [`PatchUv::PerVertex`].
    pub uv: Vec2,
    /// Light: sRGB-encoded, alpha 255; white before the bake.
    pub rgba: [u8; 4],
}
