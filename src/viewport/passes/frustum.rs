//! What a view can see.

use glam::DVec3;
use glam::DVec4;

use crate::editor::view::View;
use crate::geometry::Aabb;

/// What a view can see.
pub(super) struct Frustum {
    /// Inside where `dot(plane.xyz, p) + plane.w >= 0`.
    planes: [DVec4; 5],
}

impl Frustum {
    pub(super) fn of(view: &View) -> Self {
        let rows = view.clip_from_map().as_dmat4().transpose();
        let [x, y, z, w] = [rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis];
        // No far plane: depth is infinite.
        Self {
            planes: [w + x, w - x, w + y, w - y, w - z],
        }
    }

    pub(super) fn sees(&self, bounds: Aabb) -> bool {
        self.planes.iter().all(|plane| {
            let normal = plane.truncate();
            let farthest = DVec3::select(normal.cmpge(DVec3::ZERO), bounds.max, bounds.min);
            normal.dot(farthest) + plane.w >= 0.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::view::ViewKind;

    #[test]
    fn frustums_see_what_is_in_front_however_far() {
        let view = View {
            eye: DVec3::ZERO,
            pitch_deg: 0.0,
            yaw_deg: 0.0,
            ..View::default()
        };
        let check = |view: &View, center: [f64; 3], expected: bool| {
            let bounds = Aabb::around(DVec3::from(center), DVec3::splat(8.0));
            assert_eq!(Frustum::of(view).sees(bounds), expected, "{center:?}");
        };
        check(&view, [0.0, 0.0, -100.0], true);
        check(&view, [0.0, 0.0, -1e6], true);
        check(&view, [0.0, 0.0, 100.0], false);
        check(&view, [500.0, 0.0, -100.0], false);
        check(&view, [0.0, 500.0, -100.0], false);
        check(&view, [0.0, 0.0, 4.0], true);
        let top = View {
            kind: ViewKind::Top,
            eye: DVec3::ZERO,
            points_per_unit: 1.0,
            ..View::default()
        };
        check(&top, [300.0, 90_000.0, 200.0], true);
        check(&top, [340.0, 0.0, 0.0], false);
    }
}
