//! What a clip is about, and what the tool draws of it: the plane, its points, red hatching over what goes.

use glam::DVec3;

use super::ClipTool;
use super::placing::Point;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::SelectionExt as _;
use crate::document::ops;
use crate::document::ops::clip::Keep;
use crate::editor::overlay::Area;
use crate::editor::overlay::Handle;
use crate::editor::overlay::Label;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Role;
use crate::editor::tools::ToolCx;
use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// Of more dropped parts than this only the first ones are hatched.
const MOST_HATCHED: usize = 128;

/// Hatching lines over the longest side of what goes.
const HATCHES: f64 = 24.0;

/// Faces of the parts that go, and the box of what is cut.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    dropped: Vec<Vec<DVec3>>,
    hatching: Vec<(DVec3, DVec3)>,
    bounds: Aabb,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            dropped: Vec::new(),
            hatching: Vec::new(),
            bounds: Aabb::EMPTY,
        }
    }
}

impl Shown {
    pub fn of(cx: &ToolCx<'_>, ids: &[ObjectId], plane: Plane, keep: Keep) -> Self {
        let mut shown = Self::default();
        for (count, &id) in ids.iter().enumerate() {
            let Some(object) = cx.doc().object(id) else {
                continue;
            };
            shown.bounds = shown.bounds.union(object.bounds());
            if keep != Keep::Both && count < MOST_HATCHED {
                shown.drop_of(&object.kind, plane, keep);
            }
        }
        shown.hatch();
        shown
    }

    fn drop_of(&mut self, kind: &Kind, plane: Plane, keep: Keep) {
        let goes = |front: bool| front == (keep == Keep::Back);
        match kind {
            Kind::Brush(brush) => {
                let Some((front, back)) = ops::clip::split(brush, plane, None) else {
                    return;
                };
                let part = if goes(true) { front } else { back };
                for face in 0..part.faces().len() {
                    self.dropped.push(part.hull().face_points(face).collect());
                }
            }
            Kind::Mesh(mesh) => {
                let Ok(Some((front, back))) = ops::clip_mesh::split(mesh, plane, None) else {
                    return;
                };
                let part = if goes(true) { front } else { back };
                self.dropped
                    .extend(part.polygons.iter().filter_map(|face| part.positions(face)));
            }
            Kind::Entity(_) | Kind::Group(_) => {}
        }
    }

    /// Lines across the dropped faces where slanted planes cut them.
    fn hatch(&mut self) {
        let all = Aabb::of_points(self.dropped.iter().flatten().copied());
        if all.is_empty() {
            return;
        }
        let slant = DVec3::new(1.0, 1.0, 1.0).normalize();
        let step = all.size().max_element() / HATCHES;
        if step <= 0.0 {
            return;
        }
        for corners in &self.dropped {
            let along = corners.iter().map(|corner| corner.dot(slant));
            let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), d| {
                (l.min(d), h.max(d))
            });
            let mut at = (low / step).ceil() * step;
            while at < high {
                let line = Plane::new(slant, at);
                let ends: Vec<DVec3> = crossings(corners, line);
                if let [from, to] = ends[..] {
                    self.hatching.push((from, to));
                }
                at += step;
            }
        }
    }
}

/// Where a plane cuts the outline of a convex polygon.
fn crossings(corners: &[DVec3], plane: Plane) -> Vec<DVec3> {
    (0..corners.len())
        .filter_map(|i| {
            let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
            let (from, to) = (plane.distance(a), plane.distance(b));
            ((from < 0.0) != (to < 0.0)).then(|| a.lerp(b, from / (from - to)))
        })
        .collect()
}

pub(super) fn overlay(tool: &ClipTool, cx: &ToolCx<'_>, out: &mut Overlay) {
    for corners in &tool.cut.shown.dropped {
        out.areas.push(Area {
            corners: corners.clone(),
            role: Role::Refused,
            alpha: 0.12,
        });
        for i in 0..corners.len() {
            let to = corners[(i + 1) % corners.len()];
            out.lines.push(line(corners[i], to, Role::Refused, 1.5));
        }
    }
    let hatching = tool.cut.shown.hatching.iter();
    out.lines
        .extend(hatching.map(|&(from, to)| line(from, to, Role::Refused, 1.0)));
    if let Some(plane) = tool.cut.plane {
        plane_quad(tool, cx, plane, out);
    }
    for (index, pair) in tool.points.windows(2).enumerate() {
        let label = Label {
            at: pair[0].at.midpoint(pair[1].at),
            text: super::shortest(pair[0].at.distance(pair[1].at)),
            role: Role::Guide,
        };
        out.lines
            .push(line(pair[0].at, pair[1].at, Role::Guide, 2.0));
        if index < 2 {
            out.labels.push(label);
        }
    }
    for (index, point) in tool.points.iter().enumerate() {
        let is_dragged = tool.dragged.as_ref().is_some_and(|d| d.index == index);
        out.handles.push(Handle {
            at: point.at,
            role: if is_dragged {
                Role::HandleSelected
            } else {
                Role::Handle
            },
            hovered: is_dragged,
        });
    }
}

/// The plane as far as what it cuts reaches, with an arrow to its front.
fn plane_quad(tool: &ClipTool, cx: &ToolCx<'_>, plane: Plane, out: &mut Overlay) {
    let points = Aabb::of_points(tool.points.iter().map(|point| point.at));
    let bounds = tool.cut.shown.bounds.union(points).grown(cx.grid.size);
    let (right, up) = plane.normal.any_orthonormal_pair();
    let center = plane.project(bounds.center());
    let reach = bounds.size().length();
    let mut corners: Vec<DVec3> = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, y)| center + (right * x + up * y) * reach)
        .to_vec();
    for axis in DVec3::AXES {
        for side in [
            Plane::new(axis, bounds.max.dot(axis)),
            Plane::new(-axis, -bounds.min.dot(axis)),
        ] {
            corners = polygon::clip_back(&corners, side, 1e-9);
        }
    }
    for i in 0..corners.len() {
        let to = corners[(i + 1) % corners.len()];
        out.lines.push(line(corners[i], to, Role::Guide, 1.5));
    }
    if corners.len() >= 3 {
        out.areas.push(Area {
            corners,
            role: Role::Guide,
            alpha: 0.18,
        });
    }
    let from = middle(&tool.points);
    let length = cx.view.units_per_point(from) * 40.0;
    let mut arrow = line(from, from + plane.normal * length, Role::Handle, 2.0);
    arrow.arrow = true;
    out.lines.push(arrow);
    out.labels.push(Label {
        at: arrow.to,
        text: "front".to_owned(),
        role: Role::Handle,
    });
}

fn line(from: DVec3, to: DVec3, role: Role, width: f32) -> Line {
    Line {
        from,
        to,
        role,
        width,
        through: true,
        arrow: false,
        dashed: false,
    }
}

/// Objects of the selection that can be cut; `None` = nothing is selected.
pub(super) fn picked(cx: &ToolCx<'_>) -> Option<Vec<ObjectId>> {
    let selection = &cx.base.selection;
    if selection.is_empty() {
        return None;
    }
    let mut ids = selection.with_children(cx.doc());
    ids.extend(
        selection
            .iter()
            .filter(|pick| !matches!(pick, Pick::Object(_)))
            .map(|pick| pick.object()),
    );
    ids.sort_unstable();
    ids.dedup();
    ids.retain(|&id| {
        cx.doc()
            .object(id)
            .is_some_and(|object| object.brush().is_some() || object.mesh().is_some())
    });
    Some(ids)
}

pub(super) fn is_crossed(cx: &ToolCx<'_>, id: ObjectId, plane: Plane) -> bool {
    let Some(object) = cx.doc().object(id) else {
        return false;
    };
    let points = match (object.brush(), object.mesh()) {
        (Some(brush), _) if brush.fault().is_none() => brush.hull().points(),
        (_, Some(mesh)) => &mesh.points,
        _ => return false,
    };
    ops::clip::crosses(points, plane)
}

/// The middle of the placed points.
fn middle(points: &[Point]) -> DVec3 {
    points.iter().map(|point| point.at).sum::<DVec3>() / points.len().max(1) as f64
}
