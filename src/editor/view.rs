//! Cameras: where a view looks from, what a pixel of it means, and where a point appears in it.

use glam::DMat3;
use glam::DVec2;
use glam::DVec3;
use glam::Mat4;

use crate::geometry::Ray;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    Perspective,
    /// Looks along -Y; right +X, up -Z.
    Top,
    /// Looks along -Z; right +X, up +Y.
    Front,
    /// Looks along -X; right -Z, up +Y.
    Side,
}

/// `interactions.md` VIEW-2; numbers as in `VIEW` flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderMode {
    Lit = 0,
    Textured = 1,
    Flat = 2,
    Wire = 3,
}

/// One view of the map. Pixels are logical points from the view's upper left corner, y down.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    pub kind: ViewKind,
    pub mode: RenderMode,
    /// Eye of a perspective view; any point on the axis of a 2D view's centre.
    pub eye: DVec3,
    /// (pitch, yaw) of a perspective view.
    pub pitch_deg: f64,
    pub yaw_deg: f64,
    pub fov_y_deg: f64,
    /// Zoom of a 2D view: points per map unit.
    pub points_per_unit: f64,
    /// Size in points, at least 1.
    pub size: DVec2,
    /// Physical pixels per point.
    pub pixels_per_point: f64,
}

impl Default for View {
    fn default() -> Self {
        Self {
            kind: ViewKind::Perspective,
            mode: RenderMode::Textured,
            eye: DVec3::new(256.0, 256.0, 256.0),
            pitch_deg: -30.0,
            yaw_deg: 45.0,
            fov_y_deg: 75.0,
            points_per_unit: 0.5,
            size: DVec2::new(640.0, 480.0),
            pixels_per_point: 1.0,
        }
    }
}

impl View {
    #[must_use]
    pub fn is_2d(&self) -> bool {
        self.kind != ViewKind::Perspective
    }

    /// Columns are the view's right, up and back (towards the viewer) in the map.
    #[must_use]
    pub fn map_from_view(&self) -> DMat3 {
        match self.kind {
            ViewKind::Perspective => DMat3::from_quat(crate::geometry::rotation_from_angles_deg(
                DVec3::new(self.pitch_deg, self.yaw_deg, 0.0),
            )),
            ViewKind::Top => DMat3::from_cols(DVec3::X, DVec3::NEG_Z, DVec3::Y),
            ViewKind::Front => DMat3::from_cols(DVec3::X, DVec3::Y, DVec3::Z),
            ViewKind::Side => DMat3::from_cols(DVec3::NEG_Z, DVec3::Y, DVec3::X),
        }
    }

    #[must_use]
    pub fn right(&self) -> DVec3 {
        self.map_from_view().x_axis
    }

    #[must_use]
    pub fn up(&self) -> DVec3 {
        self.map_from_view().y_axis
    }

    #[must_use]
    pub fn forward(&self) -> DVec3 {
        -self.map_from_view().z_axis
    }

    /// Points per unit of height at distance 1 of a perspective view.
    fn focal(&self) -> f64 {
        self.size.y.max(1.0) * 0.5 / (self.fov_y_deg.to_radians() * 0.5).tan()
    }

    /// The ray through a point of the view. In 2D it starts far in front of everything.
    #[must_use]
    pub fn ray(&self, at: DVec2) -> Ray {
        let from_center = (at - self.size * 0.5) * DVec2::new(1.0, -1.0);
        let axes = self.map_from_view();
        if self.is_2d() {
            let offset = from_center / self.points_per_unit;
            let origin = self.eye + axes.x_axis * offset.x + axes.y_axis * offset.y;
            // Beyond the largest legal coordinate, whatever depth the eye has.
            let depth = (1 << 19) as f64 - origin.dot(axes.z_axis);
            return Ray {
                origin: origin + axes.z_axis * depth,
                dir: -axes.z_axis,
            };
        }
        let dir = axes * DVec3::new(from_center.x, from_center.y, -self.focal());
        Ray::new(self.eye, dir)
    }

    /// Where a point of the map appears, in points, and its depth in front of the eye; `None` behind a perspective eye.
    #[must_use]
    pub fn project(&self, point: DVec3) -> Option<(DVec2, f64)> {
        let local = self.map_from_view().transpose() * (point - self.eye);
        let half = self.size * 0.5;
        if self.is_2d() {
            return Some((
                half + DVec2::new(local.x, -local.y) * self.points_per_unit,
                -local.z,
            ));
        }
        let depth = -local.z;
        (depth > 1e-3).then(|| {
            (
                half + DVec2::new(local.x, -local.y) * (self.focal() / depth),
                depth,
            )
        })
    }

    /// Map units that one point covers at `point`.
    #[must_use]
    pub fn units_per_point(&self, point: DVec3) -> f64 {
        if self.is_2d() {
            return 1.0 / self.points_per_unit;
        }
        ((point - self.eye).dot(self.forward()).abs().max(1e-3)) / self.focal()
    }

    /// Clip space (wgpu: y up, z 1 near to 0 far, reversed) from the map; infinite far plane in 3D.
    #[must_use]
    pub fn clip_from_map(&self) -> Mat4 {
        let axes = self.map_from_view();
        if self.is_2d() {
            let half = (self.size * 0.5 / self.points_per_unit).max(DVec2::splat(1e-9));
            let reach = f64::from(1 << 19);
            let row = |axis: DVec3, scale: f64| (axis * scale, -axis.dot(self.eye) * scale);
            let (x, x0) = row(axes.x_axis, 1.0 / half.x);
            let (y, y0) = row(axes.y_axis, 1.0 / half.y);
            // Nearer to the viewer is larger: depth 1 at +reach along back, 0 at -reach.
            let z = axes.z_axis * (0.5 / reach);
            return glam::DMat4::from_cols(
                glam::DVec4::new(x.x, y.x, z.x, 0.0),
                glam::DVec4::new(x.y, y.y, z.y, 0.0),
                glam::DVec4::new(x.z, y.z, z.z, 0.0),
                glam::DVec4::new(x0, y0, 0.5, 1.0),
            )
            .as_mat4();
        }
        let aspect = self.size.x.max(1.0) / self.size.y.max(1.0);
        let focal = 1.0 / (self.fov_y_deg.to_radians() * 0.5).tan();
        let near = 1.0;
        let view =
            glam::DMat4::from_mat3(axes.transpose()) * glam::DMat4::from_translation(-self.eye);
        let proj = glam::DMat4::from_cols(
            glam::DVec4::new(focal / aspect, 0.0, 0.0, 0.0),
            glam::DVec4::new(0.0, focal, 0.0, 0.0),
            glam::DVec4::new(0.0, 0.0, 0.0, -1.0),
            glam::DVec4::new(0.0, 0.0, near, 0.0),
        );
        (proj * view).as_mat4()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_and_projection_agree_in_every_kind_of_view() {
        for kind in [
            ViewKind::Perspective,
            ViewKind::Top,
            ViewKind::Front,
            ViewKind::Side,
        ] {
            let view = View {
                kind,
                eye: DVec3::new(10.0, 20.0, 30.0),
                ..View::default()
            };
            for at in [
                DVec2::new(0.0, 0.0),
                DVec2::new(320.0, 240.0),
                DVec2::new(600.0, 17.0),
            ] {
                let ray = view.ray(at);
                let point = ray.at(if view.is_2d() { 524_288.0 } else { 300.0 });
                let (back, _) = view.project(point).expect("in front");
                assert!((back - at).length() < 1e-6, "{kind:?} {at} {back}");
                let clip = view.clip_from_map().project_point3(point.as_vec3());
                let ndc = DVec2::new(
                    at.x / view.size.x * 2.0 - 1.0,
                    1.0 - at.y / view.size.y * 2.0,
                );
                assert!(
                    (clip.truncate().as_dvec2() - ndc).length() < 1e-3,
                    "{kind:?} {clip} {ndc}"
                );
                assert!(clip.z > 0.0 && clip.z <= 1.0);
            }
        }
    }

    #[test]
    fn two_d_views_have_the_axes_of_the_table() {
        let axes = |kind| {
            let view = View {
                kind,
                ..View::default()
            };
            (view.forward(), view.right(), view.up())
        };
        assert_eq!(axes(ViewKind::Top), (DVec3::NEG_Y, DVec3::X, DVec3::NEG_Z));
        assert_eq!(axes(ViewKind::Front), (DVec3::NEG_Z, DVec3::X, DVec3::Y));
        assert_eq!(axes(ViewKind::Side), (DVec3::NEG_X, DVec3::NEG_Z, DVec3::Y));
    }
}
