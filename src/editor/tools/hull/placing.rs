//! Where the pointer puts points, rectangles and sides of the hull.

use glam::DVec2;
use glam::DVec3;

use super::HullTool;
use super::points::WithDepth as _;
use super::points::face_normal;
use super::points::flat;
use crate::editor::snapping;
use crate::editor::tools::ToolCx;
use crate::editor::tools::meet_drag_plane;
use crate::geometry::Hull;
use crate::geometry::projection_axis;

impl HullTool {
    /// Where a new point goes, and the normal of the plane there.
    pub(super) fn place(&self, cx: &ToolCx<'_>, at: DVec2) -> Option<(DVec3, DVec3)> {
        if cx.view.is_2d() {
            let forward = cx.view.forward();
            let mut point = cx.ray(at).origin;
            let axis = projection_axis(forward);
            point[axis] = 0.0;
            let mut point = cx.grid.snap(point);
            // The depth is nobody's to snap: it is that of the last point.
            point[axis] = self.depth(cx, axis);
            return Some((point, -forward));
        }
        let hit = (cx.pick)(at)?;
        let normal = face_normal(cx, &hit)?;
        Some((snapping::on_face(&cx.grid, hit.point, normal), normal))
    }

    fn depth(&self, cx: &ToolCx<'_>, axis: usize) -> f64 {
        match self.points.last() {
            Some(point) => point[axis],
            None if cx.last_bounds.is_empty() => 0.0,
            None => cx.last_bounds.min[axis],
        }
    }

    /// Where a dragged point goes: what a snap key finds, the face under the pointer, else the horizontal plane through it.
    pub(super) fn moved_point(&self, cx: &ToolCx<'_>, at: DVec2, from: DVec3) -> DVec3 {
        if let Some(point) = snapping::snapped_point(cx, at) {
            return point;
        }
        if cx.view.is_2d() {
            let axis = projection_axis(cx.view.forward());
            let mut point = cx.grid.snap(cx.ray(at).origin.with_depth(axis, 0.0));
            point[axis] = from[axis];
            return point;
        }
        if cx.modifiers.alt {
            let forward = cx.view.forward().with_y(0.0).normalize_or(DVec3::Z);
            let up = meet_drag_plane(cx.view, cx.ray(at), from, forward);
            let rise = up.map_or(0.0, |point| cx.grid.snap_delta(point - from).y);
            return from + DVec3::Y * rise;
        }
        if let Some(hit) = (cx.pick)(at)
            && let Some(normal) = face_normal(cx, &hit)
        {
            return snapping::on_face(&cx.grid, hit.point, normal);
        }
        meet_drag_plane(cx.view, cx.ray(at), from, DVec3::Y).map_or(from, |point| {
            let snapped = cx.grid.snap(point);
            DVec3::new(snapped.x, from.y, snapped.z)
        })
    }

    pub(super) fn rectangle_end(
        &self,
        cx: &ToolCx<'_>,
        at: DVec2,
        start: DVec3,
        normal: DVec3,
    ) -> Option<DVec3> {
        if let Some(point) = snapping::snapped_point(cx, at) {
            return Some(point - normal * (point - start).dot(normal));
        }
        if cx.view.is_2d() {
            let axis = projection_axis(normal);
            let mut point = cx.grid.snap(cx.ray(at).origin.with_depth(axis, 0.0));
            point[axis] = start[axis];
            return Some(point);
        }
        let point = meet_drag_plane(cx.view, cx.ray(at), start, normal)?;
        Some(snapping::on_face(&cx.grid, point, normal))
    }

    /// The side of the hull under the pointer, or the flat polygon that the points are so far: its corners, the point hit and
    /// the normal towards the viewer.
    pub(super) fn polygon_at(
        &self,
        cx: &ToolCx<'_>,
        at: DVec2,
    ) -> Option<(Vec<DVec3>, DVec3, DVec3)> {
        let ray = cx.ray(at);
        if let Some((planes, hull)) = Hull::from_points(&self.points) {
            let hit = ray.convex(planes.iter().copied())?;
            let corners = hull.face_points(hit.face).collect();
            return Some((corners, ray.at(hit.distance), planes[hit.face].normal));
        }
        let plane = flat(&self.points)?;
        let normal = if plane.normal.dot(ray.dir) > 0.0 {
            -plane.normal
        } else {
            plane.normal
        };
        // Seen from its edge the polygon is a line; then any place will do.
        let grab = ray
            .plane(plane)
            .map_or(self.points[0], |distance| ray.at(distance));
        let inside = |point: DVec3| {
            let middle = self.points.iter().sum::<DVec3>() / self.points.len() as f64;
            let reach = |point: DVec3| point.distance(middle);
            let widest = self
                .points
                .iter()
                .map(|&point| reach(point))
                .fold(0.0, f64::max);
            reach(point) <= widest
        };
        let grab = if cx.view.is_2d() {
            self.points[0]
        } else {
            grab
        };
        inside(grab).then(|| (self.points.clone(), grab, normal))
    }
}
