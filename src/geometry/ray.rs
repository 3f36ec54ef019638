//! Rays and what they meet. Distances are in map units along the unit direction; hits behind the origin do not count.

use glam::DVec3;

use crate::geometry::Aabb;
use crate::geometry::Plane;

/// A half line; `dir` is unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub origin: DVec3,
    pub dir: DVec3,
}

/// Where a ray enters a convex solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceHit {
    pub distance: f64,
    /// Index of the plane.
    pub face: usize,
}

impl Ray {
    #[must_use]
    pub fn new(origin: DVec3, dir: DVec3) -> Self {
        Self {
            origin,
            dir: dir.normalize_or(DVec3::NEG_Z),
        }
    }

    /// The point `distance` units along the ray.
    #[must_use]
    pub fn at(self, distance: f64) -> DVec3 {
        self.origin + self.dir * distance
    }

    /// Distance to a plane met from either side; `None` when parallel or behind.
    #[must_use]
    pub fn plane(self, plane: Plane) -> Option<f64> {
        let along = plane.normal.dot(self.dir);
        if along == 0.0 {
            return None;
        }
        let distance = -plane.distance(self.origin) / along;
        (distance >= 0.0 && distance.is_finite()).then_some(distance)
    }

    /// Distance to a triangle, counter-clockwise seen from its front, met from either side.
    #[must_use]
    pub fn triangle(self, a: DVec3, b: DVec3, c: DVec3) -> Option<f64> {
        self.triangle_with_side(a, b, c)
            .map(|(distance, _)| distance)
    }

    /// Distance to a triangle that only its front stops.
    #[must_use]
    pub fn triangle_front(self, a: DVec3, b: DVec3, c: DVec3) -> Option<f64> {
        self.triangle_with_side(a, b, c)
            .filter(|(_, is_front)| *is_front)
            .map(|(distance, _)| distance)
    }

    /// Moeller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.
    fn triangle_with_side(self, a: DVec3, b: DVec3, c: DVec3) -> Option<(f64, bool)> {
        let (ab, ac) = (b - a, c - a);
        let p = self.dir.cross(ac);
        let det = ab.dot(p);
        if det == 0.0 {
            return None;
        }
        let s = self.origin - a;
        let u = s.dot(p) / det;
        let q = s.cross(ab);
        let v = self.dir.dot(q) / det;
        let distance = ac.dot(q) / det;
        // A hair of tolerance so that no ray slips through between two triangles.
        let inside = u >= -1e-12 && v >= -1e-12 && u + v <= 1.0 + 1e-12;
        (inside && distance >= 0.0 && distance.is_finite()).then_some((distance, det > 0.0))
    }

    /// Distance to a box, 0 from inside.
    #[must_use]
    pub fn aabb(self, bounds: Aabb) -> Option<f64> {
        self.slabs().enters(&bounds)
    }

    /// The ray prepared for many boxes.
    #[must_use]
    pub fn slabs(self) -> Slabs {
        Slabs {
            origin: self.origin,
            inverse: self.dir.recip(),
        }
    }

    /// Where the ray enters the solid behind all (unit) planes from outside; `None` from inside.
    #[must_use]
    pub fn convex(self, planes: impl IntoIterator<Item = Plane>) -> Option<FaceHit> {
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut face = usize::MAX;
        for (index, plane) in planes.into_iter().enumerate() {
            let along = plane.normal.dot(self.dir);
            let height = plane.distance(self.origin);
            if along == 0.0 {
                if height > 0.0 {
                    return None;
                }
                continue;
            }
            let distance = -height / along;
            if along < 0.0 {
                if distance > enter {
                    (enter, face) = (distance, index);
                }
            } else {
                leave = leave.min(distance);
            }
            if enter > leave {
                return None;
            }
        }
        (enter >= 0.0 && face != usize::MAX).then_some(FaceHit {
            distance: enter,
            face,
        })
    }

    /// Distance along the ray of its point nearest to a line (point, unit direction), and the parameter along that line;
    /// `None` when they are parallel.
    #[must_use]
    pub fn nearest_on_line(self, point: DVec3, dir: DVec3) -> Option<(f64, f64)> {
        let cos = self.dir.dot(dir);
        let det = 1.0 - cos * cos;
        if det < 1e-12 {
            return None;
        }
        let between = self.origin - point;
        let (a, b) = (self.dir.dot(between), dir.dot(between));
        Some(((cos * b - a) / det, (b - cos * a) / det))
    }
}

/// A ray prepared for many boxes.
#[derive(Clone, Copy, Debug)]
pub struct Slabs {
    origin: DVec3,
    inverse: DVec3,
}

impl Slabs {
    /// Distance to the box, 0 from inside.
    #[must_use]
    #[inline]
    pub fn enters(&self, bounds: &Aabb) -> Option<f64> {
        let (mut enter, mut leave) = (0.0f64, f64::INFINITY);
        for axis in 0..3 {
            let a = (bounds.min[axis] - self.origin[axis]) * self.inverse[axis];
            let b = (bounds.max[axis] - self.origin[axis]) * self.inverse[axis];
            // 0 * infinity: the ray runs in a side of the box, which belongs to it.
            if a.is_nan() || b.is_nan() {
                continue;
            }
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        (enter <= leave).then_some(enter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> [Plane; 6] {
        [
            DVec3::X,
            DVec3::NEG_X,
            DVec3::Y,
            DVec3::NEG_Y,
            DVec3::Z,
            DVec3::NEG_Z,
        ]
        .map(|normal| Plane::new(normal, 1.0))
    }

    #[test]
    fn a_cube_is_entered_through_the_face_that_looks_at_the_ray() {
        let check = |origin: [f64; 3], dir: [f64; 3], expected: Option<(f64, usize)>| {
            let ray = Ray::new(DVec3::from(origin), DVec3::from(dir));
            assert_eq!(
                ray.convex(cube()).map(|hit| (hit.distance, hit.face)),
                expected,
                "{origin:?} {dir:?}"
            );
            if let Some((distance, _)) = expected {
                assert_eq!(
                    ray.aabb(Aabb::new(DVec3::NEG_ONE, DVec3::ONE)),
                    Some(distance)
                );
            }
        };
        check([5.0, 0.5, 0.0], [-1.0, 0.0, 0.0], Some((4.0, 0)));
        check([0.0, -5.0, 0.0], [0.0, 1.0, 0.0], Some((4.0, 3)));
        check([5.0, 0.0, 0.0], [1.0, 0.0, 0.0], None);
        check([5.0, 2.0, 0.0], [-1.0, 0.0, 0.0], None);
        check([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], None);
    }

    #[test]
    fn a_box_holds_rays_that_start_in_it_or_run_in_its_side() {
        let unit = Aabb::new(DVec3::NEG_ONE, DVec3::ONE);
        assert_eq!(Ray::new(DVec3::ZERO, DVec3::X).aabb(unit), Some(0.0));
        assert_eq!(
            Ray::new(DVec3::new(-3.0, 1.0, 0.0), DVec3::X).aabb(unit),
            Some(2.0)
        );
        assert_eq!(
            Ray::new(DVec3::new(-3.0, 1.1, 0.0), DVec3::X).aabb(unit),
            None
        );
        assert_eq!(
            Ray::new(DVec3::new(-3.0, 0.0, 0.0), DVec3::NEG_X).aabb(unit),
            None
        );
    }

    #[test]
    fn triangles_have_two_sides() {
        let (a, b, c) = (DVec3::ZERO, DVec3::X, DVec3::Y);
        let from_front = Ray::new(DVec3::new(0.25, 0.25, 2.0), DVec3::NEG_Z);
        let from_back = Ray::new(DVec3::new(0.25, 0.25, -2.0), DVec3::Z);
        assert_eq!(from_front.triangle_front(a, b, c), Some(2.0));
        assert_eq!(from_back.triangle(a, b, c), Some(2.0));
        assert_eq!(from_back.triangle_front(a, b, c), None);
        assert_eq!(
            Ray::new(DVec3::new(0.75, 0.75, 2.0), DVec3::NEG_Z).triangle(a, b, c),
            None
        );
        assert_eq!(
            Ray::new(DVec3::new(0.25, 0.25, 2.0), DVec3::Z).triangle(a, b, c),
            None
        );
    }

    #[test]
    fn lines_come_nearest_at_one_point() {
        let ray = Ray::new(DVec3::new(3.0, 5.0, 10.0), DVec3::NEG_Z);
        let (along_ray, along_line) = ray
            .nearest_on_line(DVec3::ZERO, DVec3::X)
            .expect("not parallel");
        assert_eq!((along_ray, along_line), (10.0, 3.0));
        assert_eq!(ray.nearest_on_line(DVec3::ZERO, DVec3::Z), None);
        assert_eq!(ray.plane(Plane::new(DVec3::Z, 4.0)), Some(6.0));
        assert_eq!(ray.plane(Plane::new(DVec3::X, 4.0)), None);
    }
}
