//! Texture frames of polygons with coordinates of their own, and what new polygons beside such ones get of them.

use glam::DVec2;
use glam::DVec3;
use glam::Vec2;

use crate::document::Mesh;
use crate::document::Polygon;
use crate::document::ops::clip::longest_edge;
use crate::geometry::UvAxes;
use crate::geometry::polygon;

/// The frame that a polygon's own coordinates have in its plane, by the widest of its triangles; `None` where it is projected or
/// has no area.
pub(in crate::document::ops) fn own_frame(mesh: &Mesh, polygon: &Polygon) -> Option<UvAxes> {
    let corners = mesh.positions(polygon)?;
    if polygon.uvs.len() != corners.len() {
        return None;
    }
    let third = widest(&corners)?;
    let values = [0, 1, third].map(|i| polygon.uvs[i].as_dvec2());
    UvAxes::through([corners[0], corners[1], corners[third]], values)
}

/// The corner that spans the widest triangle with the first two.
pub(in crate::document::ops) fn widest(corners: &[DVec3]) -> Option<usize> {
    let span = |third: usize| {
        (corners[1] - corners[0])
            .cross(corners[third] - corners[0])
            .length_squared()
    };
    (2..corners.len()).max_by(|&a, &b| span(a).total_cmp(&span(b)))
}

/// Coordinates for a new polygon with these corners: those of `source`, turned over from its plane into the new one. None where
/// the source is projected.
pub(in crate::document::ops) fn wrapped(
    mesh: &Mesh,
    source: &Polygon,
    corners: &[DVec3],
) -> Vec<Vec2> {
    let all = || {
        let frame = own_frame(mesh, source)?;
        let ring = mesh.positions(source)?;
        let (from, to) = (polygon::plane(&ring)?, polygon::plane(corners)?);
        let frame = frame.wrapped(from, to, longest_edge(&ring));
        let uvs: Vec<DVec2> = corners.iter().map(|&corner| frame.at(corner)).collect();
        Some(uvs.iter().map(|uv| uv.as_vec2()).collect())
    };
    all().unwrap_or_default()
}
