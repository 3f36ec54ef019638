//! A convex solid that others are cut from (`unr.md` 8.2, Numerics).

use glam::DVec3;

use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::Solid;

/// A cut needs points on both sides that are farther from its plane than this.
pub const ON_PLANE: f64 = 0.02;

/// Smaller parts are dropped: cubic units.
const SMALLEST: f64 = 1.0;

/// Thinner parts are dropped.
const THINNEST: f64 = 0.05;

/// Planes with normals this alike (cosine) and distances this near are one.
const SAME_NORMAL: f64 = 0.99999;
const SAME_DISTANCE: f64 = 0.05;

/// Sides whose normals have a smaller cosine face opposite ways,
const OPPOSITE: f64 = -0.95;

/// and their edge may lie this far from where they meet.
const STRAY: f64 = 0.05;

/// So many edges of a part are looked after.
const MOST_BLUNTED: usize = 4;

/// A convex solid with the planes of its sides.
#[derive(Clone, Debug)]
pub struct Part {
    sides: Vec<Plane>,
    /// Its faces carry indices of `sides`.
    solid: Solid,
    bounds: Aabb,
}

/// How a part lies about a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    Front,
    Back,
    Across,
}

impl Part {
    #[must_use]
    pub fn cuboid(bounds: Aabb) -> Self {
        let sides = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| {
            [
                Plane::new(axis, bounds.max.dot(axis)),
                Plane::new(-axis, -bounds.min.dot(axis)),
            ]
        });
        Self {
            sides: sides.collect(),
            solid: Solid::cuboid(&bounds).with_numbered_start(0),
            bounds,
        }
    }

    /// What lies behind all planes inside the box; `None` when that is nothing to speak of.
    #[must_use]
    pub fn of_planes(planes: &[Plane], bounds: Aabb) -> Option<Self> {
        let around = Self::cuboid(bounds.grown(1.0));
        let closed = planes
            .iter()
            .try_fold(around, |part, plane| part.behind(*plane))?;
        closed.within(bounds)?.checked()
    }

    /// The same, with the box as sides wherever it reaches it.
    #[must_use]
    pub fn of_planes_in(planes: &[Plane], bounds: Aabb) -> Option<Self> {
        if bounds.is_empty() {
            return None;
        }
        let around = Self::cuboid(bounds);
        planes
            .iter()
            .try_fold(around, |part, plane| part.behind(*plane))?
            .checked()
    }

    /// Cut off where it reaches out of a box by more than noise.
    #[must_use]
    pub fn within(self, bounds: Aabb) -> Option<Self> {
        let slack = self.bounds.max - bounds.max;
        let slack = slack.max(bounds.min - self.bounds.min).max_element();
        if slack < 0.9 {
            return Some(self);
        }
        let sides = Self::cuboid(bounds).sides;
        sides
            .into_iter()
            .try_fold(self, |part, side| part.behind(side))
    }

    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    #[must_use]
    pub fn volume(&self) -> f64 {
        self.solid.volume()
    }

    /// Each side's plane and corners, counter-clockwise seen from outside.
    pub fn faces(&self) -> impl Iterator<Item = (Plane, impl Iterator<Item = DVec3> + '_)> + '_ {
        self.solid.faces().filter_map(|(side, corners)| {
            let plane = *self.sides.get(side? as usize)?;
            Some((plane, corners.iter().map(|&at| self.solid.point(at))))
        })
    }

    #[must_use]
    pub fn sides(&self) -> &[Plane] {
        &self.sides
    }

    #[must_use]
    pub fn lie(&self, plane: Plane) -> Lie {
        let (mut is_front, mut is_back) = (false, false);
        for &point in self.solid.points() {
            let distance = plane.distance(point);
            is_front |= distance > ON_PLANE;
            is_back |= distance < -ON_PLANE;
        }
        match (is_front, is_back) {
            (true, true) => Lie::Across,
            (true, false) => Lie::Front,
            _ => Lie::Back,
        }
    }

    /// True when no plane of either keeps the two apart.
    #[must_use]
    pub fn may_meet(&self, other: &Self) -> bool {
        let apart = |side: &Plane, points: &[DVec3]| {
            points
                .iter()
                .all(|&point| side.distance(point) >= -ON_PLANE)
        };
        !other
            .sides
            .iter()
            .any(|side| apart(side, self.solid.points()))
            && !self
                .sides
                .iter()
                .any(|side| apart(side, other.solid.points()))
    }

    /// The part behind a plane; `None` when that is nothing.
    #[must_use]
    pub fn behind(mut self, plane: Plane) -> Option<Self> {
        match self.lie(plane) {
            Lie::Front => return None,
            Lie::Back => return Some(self),
            Lie::Across => {}
        }
        let before = self.solid.clone();
        let id = self.sides.len() as u32;
        let mut epsilon = ON_PLANE;
        for _ in 0..3 {
            match self.solid.clip(plane, id, epsilon) {
                Ok(true) => {
                    self.sides.push(plane);
                    self.settle();
                    return Some(self);
                }
                Ok(false) => return None,
                // Where rounding tangles the topology, coarser sides make it clear.
                Err(_) => {
                    epsilon *= 4.0;
                    self.solid = before.clone();
                }
            }
        }
        Some(self)
    }

    /// What lies in front of and behind a plane.
    #[must_use]
    pub fn split(self, plane: Plane) -> (Option<Self>, Option<Self>) {
        match self.lie(plane) {
            Lie::Front => (Some(self), None),
            Lie::Back => (None, Some(self)),
            Lie::Across => (self.clone().behind(plane.flipped()), self.behind(plane)),
        }
    }

    /// Forgets sides and points that no face uses any more.
    fn settle(&mut self) {
        let mut number = vec![u32::MAX; self.sides.len()];
        let mut sides = Vec::with_capacity(self.sides.len());
        for (side, _) in self.solid.faces() {
            if let Some(side) = side
                && number[side as usize] == u32::MAX
            {
                number[side as usize] = sides.len() as u32;
                sides.push(self.sides[side as usize]);
            }
        }
        self.solid.renumber(|side| number[side as usize]);
        self.sides = sides;
        self.solid.compact();
        self.bounds = Aabb::of_points(self.solid.points().iter().copied());
    }

    /// Least width along the normal of a side.
    #[must_use]
    pub fn thickness(&self) -> f64 {
        let depth = |side: &Plane| {
            let points = self.solid.points().iter();
            points.fold(0.0f64, |depth, &point| depth.max(-side.distance(point)))
        };
        self.sides.iter().map(depth).fold(f64::INFINITY, f64::min)
    }

    /// `None` for a sliver.
    #[must_use]
    pub fn checked(self) -> Option<Self> {
        (self.volume() >= SMALLEST && self.thickness() >= THINNEST).then_some(self)
    }

    /// Without edges that lie elsewhere than where the planes of their sides meet: between two sides that face nearly opposite
    /// ways noise moves that line far out, and the planes alone would tell of a spike.
    #[must_use]
    pub fn blunted(mut self) -> Self {
        for _ in 0..MOST_BLUNTED {
            let Some(cut) = self.stray_edge() else { break };
            let Some(blunted) = self.clone().behind(cut) else {
                break;
            };
            self = blunted;
        }
        self
    }

    /// A plane that cuts off such an edge.
    fn stray_edge(&self) -> Option<Plane> {
        let faces: Vec<(Plane, &[u32])> = self
            .solid
            .faces()
            .filter_map(|(side, corners)| Some((*self.sides.get(side? as usize)?, corners)))
            .collect();
        for (number, &(plane, corners)) in faces.iter().enumerate() {
            for &(other, others) in &faces[number + 1..] {
                if plane.normal.dot(other.normal) > OPPOSITE {
                    continue;
                }
                let edge = (0..corners.len()).find_map(|at| {
                    let (from, to) = (corners[at], corners[(at + 1) % corners.len()]);
                    let back = (0..others.len())
                        .any(|at| others[at] == to && others[(at + 1) % others.len()] == from);
                    back.then_some([from, to])
                });
                let Some(edge) = edge.map(|ends| ends.map(|at| self.solid.point(at))) else {
                    continue;
                };
                let sine = plane.normal.cross(other.normal).length();
                let strays = edge.iter().any(|&end| {
                    let off = plane.distance(end).abs().max(other.distance(end).abs());
                    off > STRAY * sine
                });
                let outwards = (plane.normal + other.normal).try_normalize();
                if let Some(normal) = outwards.filter(|_| strays) {
                    let inner = normal.dot(edge[0]).min(normal.dot(edge[1]));
                    return Some(Plane::new(normal, inner - STRAY));
                }
            }
        }
        None
    }

    /// What is left without a cell, in convex parts; the part itself when they share nothing.
    #[must_use]
    pub fn without(self, cell: &Self) -> Remains {
        if !self.may_meet(cell) {
            return Remains::Untouched(self);
        }
        // Only the planes that bound what both share have to cut.
        let shared = cell
            .sides
            .iter()
            .try_fold(self.clone(), |part, side| part.behind(*side));
        let shared = shared.filter(|shared| shared.thickness() >= THINNEST);
        let Some(shared) = shared else {
            return Remains::Untouched(self);
        };
        let mut rest = Some(self);
        let mut parts = Vec::new();
        for side in &cell.sides {
            if !shared.sides.contains(side) {
                continue;
            }
            let Some(whole) = rest.take() else { break };
            let (front, back) = whole.split(*side);
            parts.extend(front.and_then(Self::checked));
            rest = back;
        }
        Remains::Cut(parts)
    }
}

/// What a subtraction leaves.
#[derive(Clone, Debug)]
pub enum Remains {
    Untouched(Part),
    Cut(Vec<Part>),
}

/// True when two planes are one but for noise.
#[must_use]
pub fn is_same_plane(a: Plane, b: Plane) -> bool {
    a.normal.dot(b.normal) > SAME_NORMAL && (a.dist - b.dist).abs() < SAME_DISTANCE
}

#[cfg(test)]
#[path = "part_tests.rs"]
mod tests;
