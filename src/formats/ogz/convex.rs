//! Convex solids on the grid of eighths: exact planes, and which corners lie on each.

use crate::formats::ogz::boxes::Brick;
use crate::formats::ogz::boxes::Sides;
use crate::formats::ogz::shape::FACE_CORNERS;
use crate::formats::ogz::shape::Point;
use crate::formats::ogz::shape::cross;
use crate::formats::ogz::shape::dot;
use crate::formats::ogz::shape::sub;
use crate::formats::ogz::shape::triangle_normal;

/// Corners a solid may have: one bit each.
const CORNERS_MAX: usize = 64;

/// A plane with the solid where `dot(normal, p) <= dist`; in eighths of a unit, the normal's numbers without a common divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GridPlane {
    pub normal: Point,
    pub dist: i64,
}

impl GridPlane {
    /// `None` when the normal has no direction.
    #[must_use]
    pub fn through(point: Point, normal: Point) -> Option<Self> {
        let divisor = normal.iter().fold(0, |sum, part| gcd(sum, part.abs()));
        if divisor == 0 {
            return None;
        }
        let normal = normal.map(|part| part / divisor);
        Some(Self {
            normal,
            dist: dot(normal, point),
        })
    }

    #[must_use]
    pub fn flipped(self) -> Self {
        Self {
            normal: self.normal.map(|part| -part),
            dist: -self.dist,
        }
    }

    /// Positive in front, in the normal's length times eighths.
    #[must_use]
    pub fn distance(self, point: Point) -> i64 {
        dot(self.normal, point) - self.dist
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What a facet shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Virtual slot; `None` when it cannot be seen.
    pub slot: Option<u16>,
    /// Number of the cube's face that it was, 0 to 5: decides how the texture lies.
    pub face: u8,
}

impl Surface {
    /// What the two show as one facet; `None` when they differ in what can be seen.
    #[must_use]
    pub fn joined(self, other: Self) -> Option<Self> {
        if self.slot.is_none() {
            return Some(other);
        }
        let agree =
            other.slot.is_none() || (self.slot == other.slot && self.face / 2 == other.face / 2);
        agree.then_some(self)
    }
}

/// One side of a [`Convex`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facet {
    pub plane: GridPlane,
    pub surface: Surface,
    /// Bit `n`: corner `n` lies on it.
    pub corners: u64,
}

/// A convex solid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Convex {
    /// In eighths of a unit.
    pub corners: Vec<Point>,
    pub facets: Vec<Facet>,
    /// Virtual slot of one of its leaves, for facets that cannot be seen.
    pub spare: u16,
    /// Bits of the material that change a solid.
    pub material: u16,
    /// Leaves it was made of.
    pub leaves: u32,
    /// One of them was bent inwards.
    pub is_bent: bool,
    /// One of them showed different things in one plane.
    pub is_mixed: bool,
}

impl Convex {
    /// From triangles that enclose a convex solid of one leaf, and whether there were some in one plane that show different things: of
    /// these the larger wins.
    #[must_use]
    pub fn new(triangles: &[([Point; 3], Surface)], spare: u16, material: u16) -> (Self, bool) {
        let mut solid = Self {
            spare,
            material,
            leaves: 1,
            ..Self::default()
        };
        let mut is_mixed = false;
        // Twice the area of what each facet shows, in the plane normal's length.
        let mut shown: Vec<(Surface, i64)> = Vec::new();
        for &(triangle, surface) in triangles {
            let normal = triangle_normal(triangle);
            let Some(plane) = GridPlane::through(triangle[0], normal) else {
                continue;
            };
            for corner in triangle {
                if !solid.corners.contains(&corner) {
                    solid.corners.push(corner);
                }
            }
            let area = normal.iter().map(|part| part.abs()).sum();
            let Some(index) = solid.facets.iter().position(|facet| facet.plane == plane) else {
                solid.facets.push(Facet {
                    plane,
                    surface,
                    corners: 0,
                });
                shown.push((surface, area));
                continue;
            };
            let facet = &mut solid.facets[index];
            match facet.surface.joined(surface) {
                Some(joined) => {
                    facet.surface = joined;
                    shown[index].1 += area;
                }
                None => {
                    is_mixed = true;
                    if area > shown[index].1 {
                        facet.surface = surface;
                        shown[index] = (surface, area);
                    }
                }
            }
        }
        solid.find_incidence();
        (solid, is_mixed)
    }

    /// A box.
    #[must_use]
    pub fn cuboid(brick: &Brick<Sides>) -> Self {
        let [min, max] = [brick.min, brick.max].map(|corner| corner.map(i64::from));
        let corner = |number: usize| {
            [0, 1, 2].map(|axis| {
                let end = if number >> axis & 1 == 1 { max } else { min };
                end[axis]
            })
        };
        let facet = |face: usize| {
            let corners = FACE_CORNERS[face];
            let mut normal = [0; 3];
            normal[face / 2] = 2 * (face % 2) as i64 - 1;
            Facet {
                plane: GridPlane {
                    normal,
                    dist: dot(normal, corner(corners[0])),
                },
                surface: Surface {
                    slot: brick.about.slots[face],
                    face: face as u8,
                },
                corners: corners.iter().map(|number| 1 << number).sum(),
            }
        };
        Self {
            corners: (0..8).map(corner).collect(),
            facets: (0..6).map(facet).collect(),
            spare: brick.about.spare,
            material: brick.about.material,
            leaves: brick.about.leaves,
            is_bent: false,
            is_mixed: false,
        }
    }

    /// Lowest and highest coordinates, in eighths of a unit.
    #[must_use]
    pub fn bounds(&self) -> [Point; 2] {
        let bound = |pick: fn(i64, i64) -> i64| {
            [0, 1, 2].map(|axis| {
                let along = self.corners.iter().map(|corner| corner[axis]);
                along.reduce(pick).unwrap_or(0)
            })
        };
        [bound(i64::min), bound(i64::max)]
    }

    /// Not one facet can be seen.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.facets.iter().all(|facet| facet.surface.slot.is_none())
    }

    fn find_incidence(&mut self) {
        for facet in &mut self.facets {
            facet.corners = 0;
            for (index, &corner) in self.corners.iter().enumerate() {
                if facet.plane.distance(corner) == 0 {
                    facet.corners |= 1 << index;
                }
            }
        }
        self.drop_corners();
    }

    /// Forgets corners that are none: fewer than three facets meet there.
    fn drop_corners(&mut self) {
        let (mut once, mut twice, mut corners) = (0u64, 0u64, 0u64);
        for facet in &self.facets {
            corners |= twice & facet.corners;
            twice |= once & facet.corners;
            once |= facet.corners;
        }
        let count = self.corners.len();
        if corners.count_ones() as usize == count {
            return;
        }
        let mut kept = 0;
        self.corners.retain(|_| {
            kept += 1;
            corners >> (kept - 1) & 1 == 1
        });
        for facet in &mut self.facets {
            let mut squeezed = 0u64;
            let mut to = 0;
            for from in 0..count {
                if corners >> from & 1 == 1 {
                    squeezed |= (facet.corners >> from & 1) << to;
                    to += 1;
                }
            }
            facet.corners = squeezed;
        }
    }

    /// Positions of a facet's corners, in no order.
    pub fn facet_corners(&self, facet: &Facet) -> impl Iterator<Item = Point> + '_ {
        let mut left = facet.corners;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let index = left.trailing_zeros();
            left &= left - 1;
            Some(self.corners[index as usize])
        })
    }

    /// A facet's corners in order, counter-clockwise seen from outside.
    #[must_use]
    pub fn facet_loop(&self, facet: &Facet) -> Vec<Point> {
        let normal = facet.plane.normal;
        let mut corners: Vec<Point> = self.facet_corners(facet).collect();
        // Seen from one corner of a convex polygon, no two others lie in one direction.
        if let Some((&mut start, others)) = corners.split_first_mut() {
            let from = |point: Point| sub(point, start);
            others.sort_unstable_by(|&a, &b| 0.cmp(&dot(cross(from(a), from(b)), normal)));
        }
        corners
    }

    /// True when both have the same corners on facets that look at each other.
    #[must_use]
    pub fn shares(&self, facet: &Facet, other: &Self, across: &Facet) -> bool {
        facet.corners.count_ones() == across.corners.count_ones()
            && facet.plane == across.plane.flipped()
            && self
                .facet_corners(facet)
                .all(|corner| other.facet_corners(across).any(|there| there == corner))
    }

    /// Both as one solid, when they touch with the whole of facet `index` and facet `other_index` and their union is convex and shows the
    /// same.
    #[must_use]
    pub fn united(&self, index: usize, other: &Self, other_index: usize) -> Option<Self> {
        if self.material != other.material
            || !self.is_behind(other, index)
            || !other.is_behind(self, other_index)
        {
            return None;
        }
        let mut corners = self.corners.clone();
        let numbers: Vec<usize> = other
            .corners
            .iter()
            .map(|corner| {
                corners
                    .iter()
                    .position(|own| own == corner)
                    .unwrap_or_else(|| {
                        corners.push(*corner);
                        corners.len() - 1
                    })
            })
            .collect();
        if corners.len() > CORNERS_MAX {
            return None;
        }
        let mut facets = Vec::with_capacity(self.facets.len() + other.facets.len() - 2);
        facets.extend_from_slice(&self.facets);
        facets.swap_remove(index);
        for (at, facet) in other.facets.iter().enumerate() {
            if at == other_index {
                continue;
            }
            let mut bits = 0;
            for (bit, &number) in numbers.iter().enumerate() {
                bits |= (facet.corners >> bit & 1) << number;
            }
            let moved = Facet {
                corners: bits,
                ..*facet
            };
            match facets.iter_mut().find(|own| own.plane == facet.plane) {
                Some(own) => {
                    own.surface = own.surface.joined(facet.surface)?;
                    own.corners |= bits;
                }
                None => facets.push(moved),
            }
        }
        let mut solid = Self {
            corners,
            facets,
            spare: self.spare,
            material: self.material,
            leaves: self.leaves + other.leaves,
            is_bent: self.is_bent || other.is_bent,
            is_mixed: self.is_mixed || other.is_mixed,
        };
        solid.drop_corners();
        Some(solid)
    }

    /// True when no corner of `other` lies in front of a facet other than `except`.
    fn is_behind(&self, other: &Self, except: usize) -> bool {
        self.facets.iter().enumerate().all(|(index, facet)| {
            index == except
                || other
                    .corners
                    .iter()
                    .all(|&corner| facet.plane.distance(corner) <= 0)
        })
    }
}
