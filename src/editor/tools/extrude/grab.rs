//! Which faces a drag takes hold of.

use glam::DVec2;
use glam::DVec3;

use super::Moving;
use crate::document::Brush;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::SelectionExt as _;
use crate::editor::tools::ToolCx;
use crate::editor::view::View;
use crate::geometry::Plane;

/// Faces of several brushes are on one plane when normals and distances agree this well.
const SAME_NORMAL: f64 = 1e-6;
const SAME_DISTANCE: f64 = 1.0 / 64.0;

/// Coordinates beyond this are outside of the map (`W-FAR`).
const REACH: f64 = 131_072.0;

/// Brushes of the selection: selected themselves, inside of what is selected, or with a selected face.
pub(super) fn selected_brushes<'a>(cx: &ToolCx<'a>) -> Vec<(ObjectId, &'a Brush)> {
    let doc = &cx.base.doc;
    let mut ids = cx.base.selection.with_children(doc);
    ids.extend(
        cx.base
            .selection
            .iter()
            .filter(|pick| matches!(pick, Pick::Face(..)))
            .map(|pick| pick.object()),
    );
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter()
        .filter_map(|id| Some((id, doc.object(id)?.brush()?)))
        .filter(|(_, brush)| brush.fault().is_none())
        .collect()
}

/// The face under the pointer, else the one behind the nearest silhouette edge, with the point that was grabbed.
/// Looking along an axis no face can be moved that faces the viewer, so 2D views always take the silhouette.
pub(super) fn grabbed_face(
    cx: &ToolCx<'_>,
    at: DVec2,
    brushes: &[(ObjectId, &Brush)],
) -> Option<(ObjectId, usize, DVec3)> {
    if !cx.view.is_2d()
        && let Some(hit) = (cx.pick)(at)
        && let Some(face) = hit.face
        && brushes.iter().any(|(id, _)| *id == hit.object)
    {
        return Some((hit.object, face as usize, hit.point));
    }
    let mut best: Option<(f64, (ObjectId, usize, DVec3))> = None;
    for &(id, brush) in brushes {
        for (face, from, to) in silhouette(cx.view, brush) {
            let (Some((a, _)), Some((b, _))) = (cx.view.project(from), cx.view.project(to)) else {
                continue;
            };
            let t = ((at - a).dot(b - a) / (b - a).length_squared().max(1e-12)).clamp(0.0, 1.0);
            let distance = (a + (b - a) * t).distance(at);
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, (id, face, from + (to - from) * t)));
            }
        }
    }
    best.map(|(_, found)| found)
}

/// Edges between a face that looks at the viewer and one that does not: (the latter, from, to).
fn silhouette(view: &View, brush: &Brush) -> Vec<(usize, DVec3, DVec3)> {
    let hull = brush.hull();
    let points = hull.points();
    let looks_here = |face: usize| {
        let normal = brush.faces()[face].plane.normal;
        let corner = hull.face_points(face).next().unwrap_or(DVec3::ZERO);
        let towards = if view.is_2d() {
            -view.forward()
        } else {
            view.eye - corner
        };
        normal.normalize_or_zero().dot(towards.normalize_or_zero()) > 1e-6
    };
    let mut sides: std::collections::BTreeMap<[u32; 2], Vec<usize>> =
        std::collections::BTreeMap::new();
    for (face, corners) in hull.loops().iter().enumerate() {
        for (index, &a) in corners.iter().enumerate() {
            let b = corners[(index + 1) % corners.len()];
            sides.entry([a.min(b), a.max(b)]).or_default().push(face);
        }
    }
    sides
        .into_iter()
        .filter_map(|([a, b], faces)| {
            let &[first, second] = faces.as_slice() else {
                return None;
            };
            let hidden = match (looks_here(first), looks_here(second)) {
                (true, false) => second,
                (false, true) => first,
                _ => return None,
            };
            Some((hidden, points[a as usize], points[b as usize]))
        })
        .collect()
}

/// All faces of the selected brushes on the plane, and those that lie back to back with it.
pub(super) fn together(brushes: &[(ObjectId, &Brush)], plane: Plane) -> Vec<Moving> {
    let mut faces = Vec::new();
    for &(id, brush) in brushes {
        for (face, side) in brush.faces().iter().enumerate() {
            let Some(unit) = side.plane.unit() else {
                continue;
            };
            let sign = if unit.normal.distance(plane.normal) < SAME_NORMAL
                && (unit.dist - plane.dist).abs() < SAME_DISTANCE
            {
                1.0
            } else if unit.normal.distance(-plane.normal) < SAME_NORMAL
                && (unit.dist + plane.dist).abs() < SAME_DISTANCE
            {
                -1.0
            } else {
                continue;
            };
            faces.push(Moving {
                id,
                brush: brush.clone(),
                face,
                sign,
            });
        }
    }
    faces
}

/// The corners of a face, and how each slides along its third edge per unit that the face moves outward.
pub(super) fn slides(brush: &Brush, face: usize, normal: DVec3) -> Vec<(DVec3, DVec3)> {
    let hull = brush.hull();
    let Some(corners) = hull.loops().get(face) else {
        return Vec::new();
    };
    let points = hull.points();
    corners
        .iter()
        .map(|&corner| {
            let at = points[corner as usize];
            let edge = hull
                .loops()
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != face)
                .find_map(|(_, ring)| {
                    let place = ring.iter().position(|&index| index == corner)?;
                    let neighbours = [
                        ring[(place + 1) % ring.len()],
                        ring[(place + ring.len() - 1) % ring.len()],
                    ];
                    neighbours
                        .into_iter()
                        .find(|next| !corners.contains(next))
                        .map(|next| points[next as usize] - at)
                });
            let slide = edge
                .filter(|edge| edge.dot(normal).abs() > 1e-9)
                .map_or(normal, |edge| edge / edge.dot(normal));
            (at, slide)
        })
        .collect()
}

/// Parameter of the point on the line (grab, normal) nearest the ray under the pointer.
pub(super) fn along_normal(view: &View, at: DVec2, grab: DVec3, normal: DVec3) -> Option<f64> {
    // In 2D a line along the view has no nearest point; in 3D one seen nearly end on would jump.
    view.ray(at)
        .nearest_on_line(grab, normal)
        .map(|(_, along)| along)
        .filter(|along| along.is_finite() && along.abs() < REACH)
}
