//! Planes: `dot(normal, p) = dist`, with the solid where `dot(normal, p) < dist`.

use glam::DAffine3;
use glam::DVec3;

use crate::geometry::transform::Mapping;

/// A plane holding the points with `dot(normal, p) == dist`; the normal points out of the solid.
///
/// Stored as it came: a file may hold a normal that is not unit length. Use [`Plane::unit`] before computing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    pub normal: DVec3,
    pub dist: f64,
}

/// On which side of a plane something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `dot(n, p) > dist`: outside the solid.
    Front,
    /// `dot(n, p) < dist`: inside the solid.
    Back,
    On,
}

impl Plane {
    #[must_use]
    pub const fn new(normal: DVec3, dist: f64) -> Self {
        Self { normal, dist }
    }

    /// The plane through `point` with this normal (normalised); `None` when the normal has no direction.
    #[must_use]
    pub fn through(point: DVec3, normal: DVec3) -> Option<Self> {
        let normal = normal.try_normalize()?;
        Some(Self {
            normal,
            dist: normal.dot(point),
        })
    }

    /// The plane through three points that run counter-clockwise seen from the front; `None` when they lie on a line.
    #[must_use]
    pub fn from_points(a: DVec3, b: DVec3, c: DVec3) -> Option<Self> {
        let (ab, ac) = (b - a, c - a);
        let cross = ab.cross(ac);
        // Relative to the edges, so that small triangles far from the origin count as well as large ones.
        if cross.length_squared() <= 1e-24 * ab.length_squared() * ac.length_squared() {
            return None;
        }
        Self::through(a, cross)
    }

    /// The same plane with a unit normal; `None` when the normal is shorter than 1e-6 or not finite (`E-PLANE`, `E-NAN`).
    #[must_use]
    pub fn unit(self) -> Option<Self> {
        let length = self.normal.length();
        (length >= 1e-6 && length.is_finite() && self.dist.is_finite()).then(|| Self {
            normal: self.normal / length,
            dist: self.dist / length,
        })
    }

    /// Signed distance of `point` in units of the normal's length, positive in front.
    #[must_use]
    pub fn distance(self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.dist
    }

    #[must_use]
    pub fn side(self, point: DVec3, epsilon: f64) -> Side {
        let distance = self.distance(point);
        if distance > epsilon {
            Side::Front
        } else if distance < -epsilon {
            Side::Back
        } else {
            Side::On
        }
    }

    #[must_use]
    pub fn flipped(self) -> Self {
        Self {
            normal: -self.normal,
            dist: -self.dist,
        }
    }

    /// Nearest point of a unit plane to `point`.
    #[must_use]
    pub fn project(self, point: DVec3) -> DVec3 {
        point - self.normal * self.distance(point)
    }

    /// Every number rounded to the nearest `f32`, which is what a file can hold.
    #[must_use]
    pub fn rounded(self) -> Self {
        Self {
            normal: self.normal.as_vec3().as_dvec3(),
            dist: f64::from(self.dist as f32),
        }
    }

    /// The plane of the mapped points. A pure move keeps every bit of the normal (`hmap.md` D23).
    #[must_use]
    pub fn transformed(self, map: &DAffine3) -> Self {
        Mapping::new(*map).plane(self)
    }

    /// Where three unit planes meet; `None` when the determinant is below 1e-8.
    #[must_use]
    pub fn meet(a: Self, b: Self, c: Self) -> Option<DVec3> {
        let bc = b.normal.cross(c.normal);
        let det = a.normal.dot(bc);
        if det.abs() < 1e-8 {
            return None;
        }
        let sum =
            bc * a.dist + c.normal.cross(a.normal) * b.dist + a.normal.cross(b.normal) * c.dist;
        Some(sum / det)
    }
}
