//! Axis-aligned boxes.

use glam::DAffine3;
use glam::DVec3;

/// An axis-aligned box in map units. [`Aabb::EMPTY`] (min > max) holds nothing and is the start of every union.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    pub min: DVec3,
    pub max: DVec3,
}

impl Aabb {
    pub const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    #[must_use]
    pub const fn new(min: DVec3, max: DVec3) -> Self {
        Self { min, max }
    }

    /// The box between two opposite corners in any order.
    #[must_use]
    pub fn between(a: DVec3, b: DVec3) -> Self {
        Self {
            min: a.min(b),
            max: a.max(b),
        }
    }

    #[must_use]
    pub fn around(center: DVec3, half: DVec3) -> Self {
        Self {
            min: center - half,
            max: center + half,
        }
    }

    #[must_use]
    pub fn of_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }

    #[must_use]
    pub fn with(self, point: DVec3) -> Self {
        Self {
            min: self.min.min(point),
            max: self.max.max(point),
        }
    }

    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    #[must_use]
    pub fn grown(self, by: f64) -> Self {
        Self {
            min: self.min - by,
            max: self.max + by,
        }
    }

    #[must_use]
    pub fn is_empty(self) -> bool {
        !(self.min.x <= self.max.x && self.min.y <= self.max.y && self.min.z <= self.max.z)
    }

    #[must_use]
    pub fn center(self) -> DVec3 {
        (self.min + self.max) * 0.5
    }

    #[must_use]
    pub fn size(self) -> DVec3 {
        self.max - self.min
    }

    /// Closed on all sides.
    #[must_use]
    pub fn contains(self, point: DVec3) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// True when the closed boxes share a point.
    #[must_use]
    pub fn touches(self, other: Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    #[must_use]
    pub fn encloses(self, other: Self) -> bool {
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }

    #[must_use]
    pub fn corners(self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            DVec3::new(
                if i & 1 == 0 { self.min.x } else { self.max.x },
                if i & 2 == 0 { self.min.y } else { self.max.y },
                if i & 4 == 0 { self.min.z } else { self.max.z },
            )
        })
    }

    /// The box around the mapped corners; empty stays empty.
    #[must_use]
    pub fn transformed(self, map: &DAffine3) -> Self {
        if self.is_empty() {
            return self;
        }
        Self::of_points(
            self.corners()
                .into_iter()
                .map(|corner| map.transform_point3(corner)),
        )
    }

    /// Half the surface area, the cost measure of box trees; 0 for an empty box.
    #[must_use]
    pub fn half_area(self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let s = self.size();
        s.x * s.y + s.y * s.z + s.z * s.x
    }
}
