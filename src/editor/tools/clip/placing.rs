//! Where clip points go: on the face under the pointer, on the grid of a 2D view, onto geometry (CLP-1).

use glam::DVec2;
use glam::DVec3;

use crate::editor::selecting;
use crate::editor::snapping;
use crate::editor::tools::ToolCx;
use crate::editor::tools::grips;
use crate::editor::view::View;
use crate::geometry::Plane;
use crate::geometry::snap;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub at: DVec3,
    /// With only two points the plane holds this direction of the first one.
    pub along: DVec3,
}

impl Point {
    pub fn new(at: DVec3, along: DVec3) -> Self {
        Self { at, along }
    }
}

/// The placed point under the pointer.
pub(super) fn handle_at(view: &View, points: &[Point], at: DVec2) -> Option<usize> {
    grips::under(view, points.iter().map(|point| point.at), at)
}

/// The point that the pointer means; `None` where a 3D view shows no surface. `anchor`: what `Shift` measures from.
pub(super) fn place(cx: &ToolCx<'_>, at: DVec2, anchor: Option<Point>) -> Option<Point> {
    if cx.view.is_2d() {
        return Some(place_flat(cx, at, anchor));
    }
    let hit = (cx.pick)(at);
    if let Some(point) = snapping::snapped_point(cx, at) {
        let along = hit.map_or(-cx.view.forward(), |hit| hit.normal);
        return Some(Point::new(point, along));
    }
    let hit = hit?;
    Some(Point::new(
        snapping::on_face(&cx.grid, hit.point, hit.normal),
        hit.normal,
    ))
}

fn place_flat(cx: &ToolCx<'_>, at: DVec2, anchor: Option<Point>) -> Point {
    let towards = -cx.view.forward();
    if let Some(point) = snapping::snapped_point(cx, at) {
        return Point::new(point, towards);
    }
    let ray = cx.ray(at);
    let bounds = selecting::bounds(cx.base, cx.definitions);
    let depth = if bounds.is_empty() {
        0.0
    } else {
        // Depth 0 of the bounds is the side nearest to the viewer.
        let near = bounds.corners().map(|corner| corner.dot(towards));
        near.into_iter().fold(f64::NEG_INFINITY, f64::max)
    };
    let mut point = ray.at((ray.origin.dot(towards)) - depth);
    let keep_depth = point.dot(towards);
    if cx.modifiers.shift
        && let Some(anchor) = anchor
    {
        return Point::new(constrained(cx, point, anchor.at), towards);
    }
    point = cx.grid.snap(point);
    Point::new(point + towards * (keep_depth - point.dot(towards)), towards)
}

/// The nearest of 8 directions from the anchor, in whole grid steps.
fn constrained(cx: &ToolCx<'_>, point: DVec3, anchor: DVec3) -> DVec3 {
    let (right, up) = (cx.view.right(), cx.view.up());
    let way = DVec2::new((point - anchor).dot(right), (point - anchor).dot(up));
    let turn = snap::snap_angle_deg(way.y.atan2(way.x).to_degrees(), 45.0).rem_euclid(360.0);
    let (x, y) = match turn {
        0.0 => (1.0, 0.0),
        45.0 => (1.0, 1.0),
        90.0 => (0.0, 1.0),
        135.0 => (-1.0, 1.0),
        180.0 => (-1.0, 0.0),
        225.0 => (-1.0, -1.0),
        270.0 => (0.0, -1.0),
        _ => (1.0, -1.0),
    };
    let direction = DVec2::new(x, y);
    let steps = cx
        .grid
        .snap_length(way.dot(direction) / direction.length_squared());
    anchor + (right * x + up * y) * steps
}

/// Plane and three far apart corners of the face under the pointer.
pub(super) fn face_at(cx: &ToolCx<'_>, at: DVec2) -> Option<(Plane, [DVec3; 3])> {
    let hit = (cx.pick)(at)?;
    let corners = selecting::face_corners(cx.doc(), hit.object, hit.face?);
    let plane = Plane::through(*corners.first()?, hit.normal)?;
    let third = corners.len() / 3;
    (corners.len() >= 3).then(|| (plane, [corners[0], corners[third], corners[2 * third]]))
}
