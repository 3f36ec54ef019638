//! Meshes: convex, planar polygons over shared points.

use glam::DVec3;
use glam::Vec2;

use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::geometry::Aabb;
use crate::geometry::Uv;

#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    pub name: String,
    /// World space (D21).
    pub points: Vec<DVec3>,
    pub polygons: Vec<Polygon>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    pub material: Option<MaterialId>,
    /// Set of 32 smoothing groups, 0 = flat (D27).
    pub smooth: u32,
    pub proj: Uv,
    /// Indices into the mesh's points, counter-clockwise seen from the front.
    pub corners: Vec<u32>,
    /// None, or one per corner, in repeats.
    pub uvs: Vec<Vec2>,
}

impl Mesh {
    /// Box of the finite points.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(
            self.points
                .iter()
                .copied()
                .filter(|point| point.is_finite()),
        )
    }

    /// The polygon's corner positions; `None` when an index is out of range (`E-INDEX`).
    #[must_use]
    pub fn positions(&self, polygon: &Polygon) -> Option<Vec<DVec3>> {
        polygon
            .corners
            .iter()
            .map(|&index| self.points.get(index as usize).copied())
            .collect()
    }

    /// True when the polygon has at least three different corners in range and only finite numbers.
    #[must_use]
    pub fn is_sound(&self, polygon: &Polygon) -> bool {
        let corners = &polygon.corners;
        let in_range = corners.iter().all(|&index| {
            self.points
                .get(index as usize)
                .is_some_and(|point| point.is_finite())
        });
        let mut seen = corners.clone();
        seen.sort_unstable();
        seen.dedup();
        in_range && corners.len() >= 3 && seen.len() == corners.len()
    }

    /// Surface flags that hold for a polygon: those of its material.
    #[must_use]
    pub fn surface(material: Option<&crate::document::Material>) -> SurfaceFlags {
        material.map_or(SurfaceFlags::default(), |material| material.flags)
    }
}
