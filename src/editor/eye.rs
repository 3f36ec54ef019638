//! The 3D camera in 2D views (CAM-13): an eye with its frustum, which can be put, aimed and dragged.

use glam::DVec2;
use glam::DVec3;

use crate::editor::Editor;
use crate::editor::camera;
use crate::editor::drawn::ring_of;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Role;
use crate::editor::view::View;

/// The eye is grabbed within this many points.
const GRAB: f64 = 8.0;

/// Radius of the drawn eye, in points.
const RING: f64 = 6.0;

/// Length of the drawn frustum, in points.
const SIGHT: f64 = 60.0;

impl Editor {
    /// The pane of the camera that 2D views draw: the 3D view that was used last, or the first one shown.
    pub(crate) fn eye_pane(&self) -> Option<usize> {
        let is_3d = |&pane: &usize| self.views.get(pane).is_some_and(|view| !view.is_2d());
        self.layout.visible().iter().copied().find(is_3d)
    }

    /// True when a point of a 2D pane is on the eye.
    pub(crate) fn is_on_eye(&self, pane: usize, at: DVec2) -> bool {
        let (Some(eye), Some(view)) = (self.eye_pane(), self.views.get(pane)) else {
            return false;
        };
        view.is_2d()
            && view
                .project(self.views[eye].eye)
                .is_some_and(|(place, _)| place.distance(at) <= GRAB)
    }

    /// Puts the camera under a point of a 2D pane; its depth there stays.
    pub(crate) fn put_eye(&mut self, pane: usize, at: DVec2) {
        let Some(eye) = self.eye_pane() else { return };
        let place = in_plane(&self.views[pane], at, self.views[eye].eye);
        self.camera.stop_easing_of(eye);
        self.views[eye].eye = place;
    }

    /// Turns the camera towards a point of a 2D pane. Seen from above only its yaw follows; from a side the pitch as well.
    pub(crate) fn aim_eye(&mut self, pane: usize, at: DVec2) {
        let Some(eye) = self.eye_pane() else { return };
        let flat = &self.views[pane];
        let towards = in_plane(flat, at, self.views[eye].eye) - self.views[eye].eye;
        if towards.length() * flat.points_per_unit < 1.0 {
            return;
        }
        let from_above = flat.forward().y.abs() > 0.5;
        let view = &mut self.views[eye];
        // Yaw 0 looks along -Z, positive turns to -X.
        let level = DVec2::new(towards.x, towards.z);
        if level.length() > 1e-9 * towards.length() {
            view.yaw_deg = (-towards.x).atan2(-towards.z).to_degrees();
        }
        if !from_above {
            view.pitch_deg = towards
                .y
                .atan2(level.length())
                .to_degrees()
                .clamp(-camera::MAX_PITCH_DEG, camera::MAX_PITCH_DEG);
        }
    }

    /// The eye and the sides of what it sees, over a 2D pane.
    pub(crate) fn draw_eye(&self, pane: usize, out: &mut Overlay) {
        let (Some(eye), Some(flat)) = (self.eye_pane(), self.views.get(pane)) else {
            return;
        };
        if !flat.is_2d() {
            return;
        }
        let view = &self.views[eye];
        let hovered = self
            .pointer_at()
            .is_some_and(|(at, place)| at == pane && self.is_on_eye(pane, place));
        let length = SIGHT / flat.points_per_unit;
        let half_y = (view.fov_y_deg.to_radians() * 0.5).tan();
        let half_x = half_y * view.size.x.max(1.0) / view.size.y.max(1.0);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| {
            let across = view.right() * (half_x * x) + view.up() * (half_y * y);
            view.eye + (view.forward() + across) * length
        });
        let mut line = |from: DVec3, to: DVec3| {
            out.lines.push(Line {
                from,
                to,
                role: Role::Guide,
                width: 1.0,
                through: true,
                arrow: false,
                dashed: false,
            });
        };
        for index in 0..4 {
            line(view.eye, corners[index]);
            line(corners[index], corners[(index + 1) % 4]);
        }
        let role = if hovered { Role::Hover } else { Role::Guide };
        ring_of(flat, view.eye, RING, role, out);
    }
}

/// The point under `at` at the depth of another point.
fn in_plane(flat: &View, at: DVec2, depth_of: DVec3) -> DVec3 {
    let ray = flat.ray(at);
    ray.at((depth_of - ray.origin).dot(ray.dir))
}
