//! Pushing and pulling a face of the selected brushes (EXT-1): only that face's plane moves, tapered sides go on.

use glam::DVec2;
use glam::DVec3;

use crate::document::Brush;
use crate::document::Edit;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::editor::edits;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::snapping;
use crate::editor::tools::Outcome;
use crate::editor::tools::ToolCx;
use crate::editor::tools::shortest;
use crate::editor::tools::signed;
use crate::editor::view::View;
use crate::geometry::Plane;

/// Faces of several brushes are on one plane when normals and distances agree this well.
const SAME_NORMAL: f64 = 1e-6;
const SAME_DISTANCE: f64 = 1.0 / 64.0;

/// Coordinates beyond this are outside of the map (`W-FAR`).
const REACH: f64 = 131_072.0;

/// A face that moves; `sign` -1: it lies back to back with the grabbed one and moves against its own normal.
#[derive(Clone, Debug)]
struct Moving {
    id: ObjectId,
    brush: Brush,
    face: usize,
    sign: f64,
}

/// An extrusion under way.
#[derive(Clone, Debug)]
pub(super) struct Extrude {
    faces: Vec<Moving>,
    grab: DVec3,
    normal: DVec3,
    /// Parameter of the grab along the normal at the press, so that nothing jumps.
    start: Option<f64>,
    /// Typed distance (0.8); it is not snapped.
    typed: Option<f64>,
    last_at: DVec2,
    distance: f64,
    stopped: bool,
}

impl Extrude {
    /// `None` when no face of the selection is at or near the pointer.
    pub fn new(cx: &ToolCx<'_>, at: DVec2) -> Option<Self> {
        let brushes = selected_brushes(cx);
        let (id, face, grab) = grabbed_face(cx, at, &brushes)?;
        let brush = cx.doc().object(id)?.brush()?;
        let plane = brush.faces()[face].plane.unit()?;
        let faces = together(cx, &brushes, plane);
        let start = along_normal(cx.view, at, grab, plane.normal);
        Some(Self {
            faces,
            grab,
            normal: plane.normal,
            start,
            typed: None,
            last_at: at,
            distance: 0.0,
            stopped: false,
        })
    }

    pub fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        self.typed = values.first().copied().flatten();
        self.drag(cx, self.last_at)
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        self.last_at = at;
        let grid = cx.grid;
        // A held snap key brings the face onto the height of what it finds (0.9).
        let target = snapping::snapped_point(cx, at)
            .map(|point| (point - self.grab).dot(self.normal))
            .or(self.typed);
        let snapped = target.or_else(|| {
            let now = along_normal(cx.view, at, self.grab, self.normal)?;
            let wanted = now - *self.start.get_or_insert(now);
            Some(self.nearest_candidate(&grid, wanted))
        });
        if let Some(snapped) = snapped {
            self.stopped = !self.allows(snapped);
            self.distance = if self.stopped {
                self.limit(&grid, snapped)
            } else {
                snapped
            };
        }
        if self.distance == 0.0 {
            Outcome::Unchanged
        } else {
            Outcome::Preview(self.edit())
        }
    }

    pub fn end(&self, _cx: &ToolCx<'_>) -> Outcome {
        if self.distance == 0.0 {
            Outcome::Unchanged
        } else {
            Outcome::Commit(self.edit())
        }
    }

    fn edit(&self) -> Edit {
        let faces = |sign: f64| {
            self.faces
                .iter()
                .filter(|moving| moving.sign == sign)
                .map(|moving| (moving.id, moving.face as u32))
                .collect()
        };
        edits::extrude(faces(1.0), faces(-1.0), self.distance)
    }

    /// Multiples of the grid along the normal, and distances that put a corner of the face on a grid plane.
    fn nearest_candidate(&self, grid: &crate::geometry::Grid, wanted: f64) -> f64 {
        let mut best = grid.snap_length(wanted);
        if let Some(first) = self.faces.iter().find(|moving| moving.sign > 0.0) {
            for (corner, slide) in slides(&first.brush, first.face, self.normal) {
                for axis in 0..3 {
                    if slide[axis].abs() < 1e-9 {
                        continue;
                    }
                    let reached = corner[axis] + slide[axis] * wanted;
                    let on_grid = grid.snap(DVec3::splat(reached))[axis];
                    let candidate = (on_grid - corner[axis]) / slide[axis];
                    if (candidate - wanted).abs() < (best - wanted).abs() - 1e-9 {
                        best = candidate;
                    }
                }
            }
        }
        best
    }

    /// Would every brush keep all its faces and stay inside the map?
    fn allows(&self, distance: f64) -> bool {
        self.faces.iter().all(|moving| {
            let faces = edits::pushed(moving.brush.faces(), moving.face, distance * moving.sign);
            let Ok(brush) = Brush::solid(moving.brush.contents(), faces) else {
                return false;
            };
            let had = moving.brush.hull().loops();
            let kept = brush
                .hull()
                .loops()
                .iter()
                .zip(had)
                .all(|(new, old)| old.is_empty() || new.len() >= 3);
            let bounds = brush.hull().bounds();
            kept && bounds.min.min_element() >= -REACH && bounds.max.max_element() <= REACH
        })
    }

    /// The furthest whole step towards `wanted` that is allowed.
    fn limit(&self, grid: &crate::geometry::Grid, wanted: f64) -> f64 {
        let (mut good, mut bad) = (0.0, wanted);
        for _ in 0..24 {
            let middle = (good + bad) * 0.5;
            if self.allows(middle) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        let step = grid.step();
        let stepped = (good / step).trunc() * step;
        if self.allows(stepped) { stepped } else { 0.0 }
    }

    pub fn overlay(&self, out: &mut Overlay) {
        for moving in &self.faces {
            let offset = self.normal * self.distance;
            let corners: Vec<DVec3> = slides(&moving.brush, moving.face, self.normal)
                .into_iter()
                .map(|(corner, slide)| {
                    if moving.sign > 0.0 {
                        corner + slide * self.distance
                    } else {
                        corner + offset
                    }
                })
                .collect();
            for (index, &from) in corners.iter().enumerate() {
                let to = corners[(index + 1) % corners.len()];
                out.lines.push(Line {
                    from,
                    to,
                    role: Role::HandleSelected,
                    width: 2.0,
                    through: true,
                    arrow: false,
                    dashed: false,
                });
            }
        }
        let to = self.grab + self.normal * self.distance;
        out.lines.push(Line {
            from: self.grab,
            to,
            role: Role::Guide,
            width: 1.5,
            through: true,
            arrow: true,
            dashed: false,
        });
    }

    pub fn readout(&self) -> Readout {
        let faces = if self.faces.len() > 1 {
            format!(" ({} faces)", self.faces.len())
        } else {
            String::new()
        };
        if self.stopped {
            return Readout {
                text: format!("{}: a face would vanish", shortest(self.distance)),
                refused: true,
            };
        }
        Readout {
            text: format!("{}{faces}", signed(self.distance)),
            refused: false,
        }
    }
}

/// Brushes of the selection: selected themselves, inside of what is selected, or with a selected face.
fn selected_brushes<'a>(cx: &ToolCx<'a>) -> Vec<(ObjectId, &'a Brush)> {
    use crate::document::SelectionExt as _;
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
fn grabbed_face(
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
fn together(_cx: &ToolCx<'_>, brushes: &[(ObjectId, &Brush)], plane: Plane) -> Vec<Moving> {
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
fn slides(brush: &Brush, face: usize, normal: DVec3) -> Vec<(DVec3, DVec3)> {
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
fn along_normal(view: &View, at: DVec2, grab: DVec3, normal: DVec3) -> Option<f64> {
    // In 2D a line along the view has no nearest point; in 3D one seen nearly end on would jump.
    view.ray(at)
        .nearest_on_line(grab, normal)
        .map(|(_, along)| along)
        .filter(|along| along.is_finite() && along.abs() < REACH)
}
