//! Points, planes and polygons of the hull tool.

use glam::DVec3;

use crate::document::Object;
use crate::editor::tools::ToolCx;
use crate::geometry::Plane;
use crate::geometry::projection_axis;

/// Points nearer to each other are one.
pub(super) const SAME: f64 = 0.01;

pub(super) trait WithDepth {
    fn with_depth(self, axis: usize, value: f64) -> Self;
}

impl WithDepth for DVec3 {
    fn with_depth(mut self, axis: usize, value: f64) -> Self {
        self[axis] = value;
        self
    }
}

/// The exact normal of a face that was hit, else that of the hit.
pub(super) fn face_normal(cx: &ToolCx<'_>, hit: &crate::editor::pick::Hit) -> Option<DVec3> {
    let brush = cx.doc().object(hit.object).and_then(Object::brush);
    let face = brush.zip(hit.face).and_then(|(brush, face)| {
        let plane = brush.faces().get(face as usize)?.plane.unit()?;
        Some(plane.normal)
    });
    face.or_else(|| hit.normal.try_normalize())
}

pub(super) fn corners_of(object: &Object, face: u32) -> Vec<DVec3> {
    if let Some(brush) = object.brush() {
        return brush.hull().face_points(face as usize).collect();
    }
    let crate::document::Kind::Mesh(mesh) = &object.kind else {
        return Vec::new();
    };
    let polygon = mesh.polygons.get(face as usize);
    polygon
        .into_iter()
        .flat_map(|polygon| &polygon.corners)
        .filter_map(|&corner| mesh.points.get(corner as usize).copied())
        .collect()
}

/// The plane of points that all lie on one and span it.
pub(super) fn flat(points: &[DVec3]) -> Option<Plane> {
    let &first = points.first()?;
    let mut best = DVec3::ZERO;
    for pair in points.windows(2) {
        let cross = (pair[0] - first).cross(pair[1] - first);
        if cross.length_squared() > best.length_squared() {
            best = cross;
        }
    }
    let normal = best.try_normalize()?;
    let plane = Plane::new(normal, normal.dot(first));
    points
        .iter()
        .all(|&point| plane.distance(point).abs() < SAME)
        .then_some(plane)
}

/// The rectangle on a plane with these opposite corners, its sides along the world's axes as seen along the plane's main one.
pub(super) fn rectangle(start: DVec3, end: DVec3, normal: DVec3) -> [DVec3; 4] {
    let main = projection_axis(normal);
    let (first, second) = ((main + 1) % 3, (main + 2) % 3);
    let corner = |a: f64, b: f64| {
        let mut point = start;
        point[first] = a;
        point[second] = b;
        let off = (point - start).dot(normal);
        point[main] -= off / normal[main];
        point
    };
    [
        corner(start[first], start[second]),
        corner(end[first], start[second]),
        corner(end[first], end[second]),
        corner(start[first], end[second]),
    ]
}

/// Corners of a flat polygon in order around its middle.
pub(super) fn around(points: &[DVec3], normal: DVec3) -> Vec<DVec3> {
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    let right = normal.any_orthonormal_vector();
    let up = normal.cross(right);
    let angle = |point: &DVec3| {
        let away = *point - middle;
        away.dot(up).atan2(away.dot(right))
    };
    let mut corners = points.to_vec();
    corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    corners
}
