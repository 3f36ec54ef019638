//! Euler angles and rotations: `R = Ry(yaw) * Rx(pitch) * Rz(roll)` on column vectors; zero looks along -Z.

use glam::DAffine3;
use glam::DMat3;
use glam::DQuat;
use glam::DVec3;

use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::UvAxes;

/// Rotation of (pitch, yaw, roll) in degrees.
#[must_use]
pub fn rotation_from_angles_deg(angles_deg: DVec3) -> DQuat {
    let (pitch, yaw, roll) = (
        angles_deg.x.to_radians(),
        angles_deg.y.to_radians(),
        angles_deg.z.to_radians(),
    );
    DQuat::from_rotation_y(yaw) * DQuat::from_rotation_x(pitch) * DQuat::from_rotation_z(roll)
}

/// (pitch, yaw, roll) in degrees of a rotation, pitch in -90..=90; at +-90 roll is 0.
#[must_use]
pub fn angles_deg_from_rotation(rotation: DQuat) -> DVec3 {
    // Columns of Ry * Rx * Rz: z = (sin y cos p, -sin p, cos y cos p), row y = (cos p sin r, cos p cos r, -sin p).
    let m = DMat3::from_quat(rotation.normalize());
    let sine = (-m.z_axis.y).clamp(-1.0, 1.0);
    // Straight up or down, yaw and roll turn about one axis; within 1e-6 degrees the cosine is noise.
    if m.x_axis.y.hypot(m.y_axis.y) < 1e-7 {
        let yaw = (-m.x_axis.z).atan2(m.x_axis.x);
        return tidy(DVec3::new(90f64.copysign(sine), yaw.to_degrees(), 0.0));
    }
    let pitch = sine.atan2(m.x_axis.y.hypot(m.y_axis.y));
    let yaw = m.z_axis.x.atan2(m.z_axis.z);
    let roll = m.x_axis.y.atan2(m.y_axis.y);
    tidy(DVec3::new(pitch, yaw, roll).map(f64::to_degrees))
}

/// Whole degrees that trigonometry missed by its last digits, and no negative zero.
fn tidy(angles_deg: DVec3) -> DVec3 {
    angles_deg.map(|angle| {
        if (angle - angle.round()).abs() < 1e-9 {
            angle.round() + 0.0
        } else {
            angle
        }
    })
}

/// The exact matrix of `turns` quarter turns counter-clockwise about a world axis (0 = X, 1 = Y, 2 = Z): only 0 and +-1.
#[must_use]
pub fn quarter_turns(axis: usize, turns: i32) -> DMat3 {
    let (cos, sin) =
        [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][turns.rem_euclid(4) as usize];
    axis_rotation(axis, cos, sin)
}

/// Rotation about a world axis (0 = X, 1 = Y, 2 = Z), exact for multiples of 90 degrees.
#[must_use]
pub fn rotation_about_axis_deg(axis: usize, angle_deg: f64) -> DMat3 {
    let quarter = angle_deg / 90.0;
    if quarter == quarter.round() && quarter.abs() < 1e6 {
        return quarter_turns(axis, quarter as i32);
    }
    let (sin, cos) = angle_deg.to_radians().sin_cos();
    axis_rotation(axis, cos, sin)
}

fn axis_rotation(axis: usize, cos: f64, sin: f64) -> DMat3 {
    match axis {
        0 => DMat3::from_cols(
            DVec3::X,
            DVec3::new(0.0, cos, sin),
            DVec3::new(0.0, -sin, cos),
        ),
        1 => DMat3::from_cols(
            DVec3::new(cos, 0.0, -sin),
            DVec3::Y,
            DVec3::new(sin, 0.0, cos),
        ),
        _ => DMat3::from_cols(
            DVec3::new(cos, sin, 0.0),
            DVec3::new(-sin, cos, 0.0),
            DVec3::Z,
        ),
    }
}

/// The linear map applied about a point that stays where it is.
#[must_use]
pub fn about(pivot: DVec3, linear: DMat3) -> DAffine3 {
    DAffine3::from_mat3_translation(linear, pivot - linear * pivot)
}

/// An affine map made ready for many planes and texture frames.
#[derive(Clone, Copy, Debug)]
pub struct Mapping {
    pub map: DAffine3,
    /// Nothing but a move: normals and texture axes keep every bit.
    is_move: bool,
    /// Takes normals along; for mirrored maps they point out of the solid, too.
    cofactor: DMat3,
    /// The inverse transpose, which takes texture axes along; `None` for a map that flattens space.
    back: Option<DMat3>,
}

impl Mapping {
    #[must_use]
    pub fn new(map: DAffine3) -> Self {
        let m = map.matrix3;
        // Cofactors serve mirrored and degenerate matrices alike.
        let cofactor = DMat3::from_cols(
            m.y_axis.cross(m.z_axis),
            m.z_axis.cross(m.x_axis),
            m.x_axis.cross(m.y_axis),
        );
        let det = m.determinant();
        Self {
            map,
            is_move: m == DMat3::IDENTITY,
            cofactor: cofactor * det.signum(),
            back: (det != 0.0).then(|| m.inverse().transpose()),
        }
    }

    /// The plane of the mapped points. A pure move keeps every bit of the normal (`hmap.md` D23).
    #[must_use]
    pub fn plane(&self, plane: Plane) -> Plane {
        if self.is_move {
            return Plane {
                normal: plane.normal,
                dist: plane.dist + plane.normal.dot(self.map.translation),
            };
        }
        let length = plane.normal.length();
        if length == 0.0 {
            return plane;
        }
        let normal = (self.cofactor * plane.normal).normalize_or_zero() * length;
        let on_plane = plane.normal * (plane.dist / (length * length));
        Plane {
            normal,
            dist: normal.dot(self.map.transform_point3(on_plane)),
        }
    }

    /// Alignment lock: the frame with `frame(M p) == old(p)` for every point (`interactions.md` 6.1). A map that flattens space
    /// leaves it as it is.
    #[must_use]
    pub fn frame(&self, frame: UvAxes) -> UvAxes {
        let Some(back) = &self.back else {
            return frame;
        };
        let (u, v) = if self.is_move {
            (frame.u, frame.v)
        } else {
            (*back * frame.u, *back * frame.v)
        };
        UvAxes {
            u,
            u_offset: frame.u_offset - u.dot(self.map.translation),
            v,
            v_offset: frame.v_offset - v.dot(self.map.translation),
        }
    }
}

/// Mirror in the plane `axis = position`.
#[must_use]
pub fn mirrored(axis: usize, position: f64) -> DAffine3 {
    let mut scale = DVec3::ONE;
    scale[axis] = -1.0;
    let mut shift = DVec3::ZERO;
    shift[axis] = 2.0 * position;
    DAffine3::from_mat3_translation(DMat3::from_diagonal(scale), shift)
}

/// The map that takes one box onto another, axis by axis; an axis without extent is only moved.
#[must_use]
pub fn fitted(from: Aabb, to: Aabb) -> DAffine3 {
    let (old, new) = (from.size(), to.size());
    let factor = DVec3::from_array(std::array::from_fn(|axis| {
        if old[axis] > 0.0 {
            new[axis] / old[axis]
        } else {
            1.0
        }
    }));
    DAffine3::from_mat3_translation(DMat3::from_diagonal(factor), to.min - from.min * factor)
}

/// Shifts everything in proportion to its place along `axis`: nothing at coordinate `fixed`, all of `shift` at `moved`.
#[must_use]
pub fn sheared(axis: usize, fixed: f64, moved: f64, shift: DVec3) -> DAffine3 {
    let mut per_unit = shift / (moved - fixed);
    per_unit[axis] = 0.0;
    let mut linear = DMat3::IDENTITY;
    *linear.col_mut(axis) += per_unit;
    DAffine3::from_mat3_translation(linear, -per_unit * fixed)
}

/// The world axis nearest to a direction, with the sign it has there; the earlier axis of equals.
#[must_use]
pub fn nearest_axis(direction: DVec3) -> (usize, f64) {
    let size = direction.abs();
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    (axis, 1f64.copysign(direction[axis]))
}

/// The rotation nearest to a linear map (for orientations under scale, shear and mirror): its axes made orthonormal, Z kept.
#[must_use]
pub fn rotation_part(linear: DMat3) -> DQuat {
    let linear = if linear.determinant() < 0.0 {
        DMat3::from_cols(-linear.x_axis, linear.y_axis, linear.z_axis)
    } else {
        linear
    };
    let Some(z) = linear.z_axis.try_normalize() else {
        return DQuat::IDENTITY;
    };
    let Some(x) = linear.y_axis.cross(z).try_normalize() else {
        return DQuat::IDENTITY;
    };
    DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z)).normalize()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn zero_looks_along_minus_z_and_signs_are_those_of_the_format() {
        let forward = |pitch, yaw, roll| {
            rotation_from_angles_deg(DVec3::new(pitch, yaw, roll)) * DVec3::NEG_Z
        };
        let check = |angles: [f64; 3], expected: DVec3| {
            let found = forward(angles[0], angles[1], angles[2]);
            assert!(
                found.distance(expected) < 1e-12,
                "{angles:?}: {found} is not {expected}"
            );
        };
        check([0.0, 0.0, 0.0], DVec3::NEG_Z);
        check([0.0, 90.0, 0.0], DVec3::NEG_X);
        check([90.0, 0.0, 0.0], DVec3::Y);
        let right = rotation_from_angles_deg(DVec3::new(0.0, 0.0, 30.0)) * DVec3::X;
        assert!(right.y > 0.0, "positive roll lifts the right side");
    }

    #[test]
    fn straight_up_has_no_roll() {
        for sign in [1.0, -1.0] {
            let angles = DVec3::new(90.0 * sign, 40.0, 25.0);
            let back = angles_deg_from_rotation(rotation_from_angles_deg(angles));
            assert_eq!((back.x, back.z), (90.0 * sign, 0.0));
            assert!(
                rotation_from_angles_deg(back).angle_between(rotation_from_angles_deg(angles))
                    < 1e-7
            );
        }
    }

    #[test]
    fn quarter_turns_are_exact_and_add_up() {
        for axis in 0..3 {
            let turn = quarter_turns(axis, 1);
            assert_eq!(turn * turn * turn * turn, DMat3::IDENTITY);
            assert_eq!(turn, rotation_about_axis_deg(axis, 90.0));
            let near = rotation_about_axis_deg(axis, 90.0 + 1e-9);
            assert!(
                turn.abs_diff_eq(near, 1e-10),
                "same direction as the general rotation"
            );
        }
        assert_eq!(
            quarter_turns(1, 1) * DVec3::NEG_Z,
            DVec3::NEG_X,
            "positive yaw turns left"
        );
    }

    #[test]
    fn a_mirror_twice_is_nothing() {
        let mirror = mirrored(0, 24.0);
        assert_eq!(
            mirror.transform_point3(DVec3::new(10.0, 3.0, 4.0)),
            DVec3::new(38.0, 3.0, 4.0)
        );
        assert_eq!(mirror * mirror, DAffine3::IDENTITY);
    }

    #[test]
    fn boxes_fit_and_shears_keep_one_side() {
        let from = Aabb::new(DVec3::new(-16.0, 0.0, 8.0), DVec3::new(16.0, 32.0, 8.0));
        let to = Aabb::new(DVec3::new(0.0, 0.0, 24.0), DVec3::new(48.0, 8.0, 24.0));
        let map = fitted(from, to);
        assert_eq!(map.transform_point3(from.min), to.min);
        assert_eq!(map.transform_point3(from.max), to.max);
        let map = sheared(1, 16.0, 48.0, DVec3::new(8.0, 5.0, -4.0));
        let at = DVec3::new(1.0, 16.0, 2.0);
        assert_eq!(map.transform_point3(at), at);
        let top = DVec3::new(1.0, 48.0, 2.0);
        assert_eq!(map.transform_point3(top), DVec3::new(9.0, 48.0, -2.0));
        assert_eq!(nearest_axis(DVec3::new(0.2, -0.9, 0.3)), (1, -1.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn angles_come_back(pitch in -89.9..89.9f64, yaw in -179.9..179.9f64, roll in -179.9..179.9f64) {
            let angles = DVec3::new(pitch, yaw, roll);
            let back = angles_deg_from_rotation(rotation_from_angles_deg(angles));
            prop_assert!(back.distance(angles) < 1e-6, "{} became {}", angles, back);
        }
    }
}
