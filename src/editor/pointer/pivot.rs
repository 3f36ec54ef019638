//! Where things turn and scale about, put there by the pointer (MOV-9).

use glam::DVec2;
use glam::DVec3;

use crate::editor::Editor;
use crate::editor::request::StatusKind;
use crate::editor::snapping;

/// The pivot, and vertices to put it on, are hit within this many points.
const PIVOT_REACH: f64 = 8.0;

impl Editor {
    /// MOV-9: the vertex or surface point under the pointer becomes the pivot; the pivot itself, clicked again, goes back to the
    /// middle of the selection.
    pub(super) fn put_pivot(&mut self, at: DVec2) {
        let view = self.view();
        let on_pivot = self
            .pivot
            .and_then(|pivot| view.project(pivot))
            .is_some_and(|(place, _)| place.distance(at) <= PIVOT_REACH);
        if on_pivot {
            return self.reset_pivot();
        }
        match self.pivot_under(at) {
            Some(pivot) => {
                self.pivot = Some(pivot);
                let [x, y, z] = pivot.to_array().map(crate::editor::tools::shortest);
                self.say(
                    StatusKind::Info,
                    format!("Pivot at {x}, {y}, {z}; click it again to put it back"),
                );
            }
            None => self.say(
                StatusKind::Refused,
                "There is nothing here to put the pivot on",
            ),
        }
    }

    fn pivot_under(&self, at: DVec2) -> Option<DVec3> {
        let pane = self.pointer.pane;
        let view = self.view();
        let hit = self.pick(pane, at);
        let vertex =
            snapping::vertex_near(self.scope_in(pane), &self.spatial, view, at, PIVOT_REACH);
        if vertex.is_some() {
            return vertex;
        }
        if view.is_2d() {
            // Across the view the pivot stays where it is.
            let (ray, forward) = (view.ray(at), view.forward());
            let depth = (self.pivot() - ray.origin).dot(ray.dir);
            let mut point = self.grid.snap(ray.at(depth));
            let across = crate::geometry::transform::nearest_axis(forward).0;
            point[across] = self.pivot()[across];
            return Some(point);
        }
        hit.map(|hit| snapping::on_face(&self.grid, hit.point, hit.normal))
    }

    /// The pivot goes back to the snapped middle of the selection.
    pub(crate) fn reset_pivot(&mut self) {
        self.pivot = None;
        self.say(
            StatusKind::Info,
            "The pivot is the middle of the selection again",
        );
    }
}
