//! Closed convex polyhedra from planes, and planes from points.
//!
//! A start box is clipped by one plane after the other (`clip.rs`), which keeps the topology consistent; then every corner
//! is computed anew from the three of its planes that meet best, and corners that rounding of the planes pulled apart are
//! merged.

use std::sync::Arc;

use glam::DAffine3;
use glam::DVec3;
use glam::Vec3;

use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::clip::Solid;
use crate::geometry::points;

/// Half the side of the start box: what reaches it does not close. Coordinates beyond 131 072 are legal (`W-FAR`).
const START: f64 = 1_048_576.0;

/// Thinner solids are none (`E-EMPTY`).
const THINNEST: f64 = 0.001;

/// Normals of neighbours whose squared sine is below this are those of one plane, stored twice with `f32` noise.
const SAME_NORMAL_SINE_SQUARED: f64 = 1e-12;

/// Where faces meet at a few degrees, noise makes edges this long.
const LONGEST_NOISE: f64 = 0.05;

/// Why planes enclose no solid (`hmap.md` 5: E-NAN, E-PLANE, E-FACES, E-OPEN, E-EMPTY).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HullFault {
    #[error("a number is not finite")]
    NotFinite,
    #[error("face {0} has no direction")]
    BadPlane(usize),
    #[error("it has fewer than four faces")]
    TooFewFaces,
    #[error("its faces do not close")]
    Open,
    #[error("it has no volume or is thinner than 0.001")]
    Empty,
}

/// A closed convex polyhedron: points, and one loop of point indices per plane, counter-clockwise seen from outside.
/// The loop of a plane that touches nothing, or repeats an earlier one, is empty. A broken hull keeps what could be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    points: Vec<DVec3>,
    /// Shared by the moved and turned copies that previews make.
    loops: Arc<Vec<Vec<u32>>>,
    bounds: Aabb,
    fault: Option<HullFault>,
}

impl Hull {
    /// The solid behind all planes (any normal length >= 1e-6). Loops in the order of the planes.
    #[must_use]
    pub fn from_planes(planes: &[Plane]) -> Self {
        let mut fault = None;
        let mut units: Vec<Option<Plane>> = Vec::with_capacity(planes.len());
        let mut reach: f64 = 0.0;
        for (index, plane) in planes.iter().enumerate() {
            if !plane.normal.is_finite() || !plane.dist.is_finite() {
                fault = Some(HullFault::NotFinite);
            }
            let unit = plane.unit();
            if unit.is_none() && fault.is_none() {
                fault = Some(HullFault::BadPlane(index));
            }
            // The same plane again adds nothing; the first one keeps the face.
            let unit =
                unit.filter(|unit| !units.iter().flatten().any(|earlier| is_same(earlier, unit)));
            reach = unit.map_or(reach, |unit| reach.max(unit.dist.abs()));
            units.push(unit);
        }
        if planes.len() < 4 && fault.is_none() {
            fault = Some(HullFault::TooFewFaces);
        }
        let mut hull = Self::from_units(&mut units, START.max(8.0 * reach));
        if fault.is_some() {
            hull.fault = fault;
        }
        hull
    }

    /// Each `None` gets an empty loop. Planes that turn out to repeat an earlier one become `None`.
    fn from_units(units: &mut [Option<Plane>], start: f64) -> Self {
        loop {
            let half = DVec3::splat(start);
            let solid = clipped(units, &Aabb::new(-half, half));
            let Some(solid) = solid else {
                return Self::nothing(units.len());
            };
            if solid.touches_start() {
                return Self::open(units, &solid);
            }
            let hull = Self::finished(units, &solid);
            match hull.repeated_plane(units) {
                Some(index) => units[index] = None,
                None => return hull,
            }
        }
    }

    fn nothing(faces: usize) -> Self {
        Self {
            points: Vec::new(),
            loops: Arc::new(vec![Vec::new(); faces]),
            bounds: Aabb::EMPTY,
            fault: Some(HullFault::Empty),
        }
    }

    /// What can be drawn of an open solid: the faces cut off a little beyond the corners that there are.
    fn open(units: &[Option<Plane>], solid: &Solid) -> Self {
        let corners = Aabb::of_points(solid.inner_points());
        let mut hull = Self::nothing(units.len());
        if !corners.is_empty() {
            let margin = 16.0 + corners.size().max_element() * 0.25;
            if let Some(cut) = clipped(units, &corners.grown(margin)) {
                hull = Self::of_solid(units.len(), &cut);
            }
        }
        hull.fault = Some(HullFault::Open);
        hull
    }

    /// Loops and points as they were clipped, points numbered in the order of the loops.
    fn of_solid(faces: usize, solid: &Solid) -> Self {
        let mut loops = vec![Vec::new(); faces];
        let mut number = vec![u32::MAX; solid.point_count()];
        let mut points = Vec::with_capacity(solid.point_count().min(2 * faces + 8));
        let mut order: Vec<(u32, usize)> = solid
            .faces()
            .enumerate()
            .filter_map(|(slot, (plane, _))| Some((plane?, slot)))
            .collect();
        order.sort_unstable();
        for (plane, slot) in order {
            loops[plane as usize] = solid
                .face(slot)
                .iter()
                .map(|&old| {
                    let number = &mut number[old as usize];
                    if *number == u32::MAX {
                        *number = points.len() as u32;
                        points.push(solid.point(old));
                    }
                    *number
                })
                .collect();
        }
        let bounds = Aabb::of_points(points.iter().copied());
        Self {
            points,
            loops: Arc::new(loops),
            bounds,
            fault: None,
        }
    }

    /// A closed solid: corners from their planes, corners that are one merged, thickness checked.
    fn finished(units: &[Option<Plane>], solid: &Solid) -> Self {
        let mut hull = Self::of_solid(units.len(), solid);
        hull.sharpen(units);
        // A merged corner is known better and may show the next edge to be noise.
        for _ in 0..4 {
            let Some(merged) = hull.merged(units) else {
                break;
            };
            hull = merged;
            hull.sharpen(units);
        }
        hull.bounds = Aabb::of_points(hull.points.iter().copied());
        if hull.thickness(units) < THINNEST {
            hull.fault = Some(HullFault::Empty);
        }
        hull
    }

    /// Every corner computed from the best of its planes: clipping from a far start box costs digits.
    fn sharpen(&mut self, units: &[Option<Plane>]) {
        let mut first = vec![[u32::MAX; 3]; self.points.len()];
        let mut many: Vec<(u32, u32)> = Vec::new();
        for (face, corners) in self.loops.iter().enumerate() {
            for &corner in corners {
                let seen = &mut first[corner as usize];
                match seen.iter_mut().find(|slot| **slot == u32::MAX) {
                    Some(slot) => *slot = face as u32,
                    None => many.push((corner, face as u32)),
                }
            }
        }
        many.sort_unstable();
        let unit = |face: u32| units.get(face as usize).copied().flatten();
        for (index, seen) in first.iter().enumerate() {
            let (Some(a), Some(b), Some(c)) = (unit(seen[0]), unit(seen[1]), unit(seen[2])) else {
                continue;
            };
            let start = many.partition_point(|entry| (entry.0 as usize) < index);
            let extra = many[start..]
                .iter()
                .take_while(|entry| entry.0 as usize == index)
                .count();
            let corner = if extra == 0 {
                Plane::meet(a, b, c)
            } else {
                let mut around = vec![a, b, c];
                around.extend(
                    many[start..start + extra]
                        .iter()
                        .filter_map(|entry| unit(entry.1)),
                );
                best_meeting(&around)
            };
            // A triple that hardly meets says less than the clipping did.
            if let Some(corner) = corner
                && corner.distance_squared(self.points[index]) < 1.0
            {
                self.points[index] = corner;
            }
        }
    }

    /// Ends of edges that only the noise of `f32` planes made become one corner. `None` when there are none, or when no solid
    /// would be left.
    fn merged(&self, units: &[Option<Plane>]) -> Option<Self> {
        let mut target: Vec<u32> = (0..self.points.len() as u32).collect();
        let mut any = false;
        for corners in self.loops.iter() {
            for (i, &a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % corners.len()];
                if a < b && self.is_noise(a, b, units) {
                    let (root_a, root_b) = (root(&target, a), root(&target, b));
                    target[root_a.max(root_b) as usize] = root_a.min(root_b);
                    any = true;
                }
            }
        }
        if !any {
            return None;
        }
        let mut number = vec![u32::MAX; self.points.len()];
        let mut points = Vec::new();
        let mut loops = Vec::with_capacity(self.loops.len());
        for corners in self.loops.iter() {
            let mut merged: Vec<u32> = corners
                .iter()
                .map(|&corner| root(&target, corner))
                .collect();
            merged.dedup();
            while merged.len() > 1 && merged.first() == merged.last() {
                merged.pop();
            }
            if merged.len() < 3 {
                merged.clear();
            }
            loops.push(merged);
        }
        if loops.iter().filter(|corners| !corners.is_empty()).count() < 4
            || loops.iter().any(|corners| has_repeats(corners))
        {
            return None;
        }
        for corner in loops.iter_mut().flatten() {
            let number = &mut number[*corner as usize];
            if *number == u32::MAX {
                *number = points.len() as u32;
                points.push(self.points[*corner as usize]);
            }
            *corner = *number;
        }
        let bounds = Aabb::of_points(points.iter().copied());
        Some(Self {
            points,
            loops: Arc::new(loops),
            bounds,
            fault: None,
        })
    }

    /// True when an edge's ends would be one corner but for the rounding of planes: they are nearly in one place, or one
    /// lies on all of the other's faces as well as such planes allow.
    fn is_noise(&self, a: u32, b: u32, units: &[Option<Plane>]) -> bool {
        let (p, q) = (self.points[a as usize], self.points[b as usize]);
        let length = p.distance(q);
        if length < merge_distance(p) {
            return true;
        }
        if length > LONGEST_NOISE {
            return false;
        }
        let tolerance = 2e-5 + 2e-7 * p.abs().max_element();
        let fits = |place: DVec3, corner: u32| {
            let mut faces = self
                .loops
                .iter()
                .zip(units)
                .filter(|(corners, _)| corners.contains(&corner));
            faces.all(|(_, unit)| unit.is_some_and(|unit| unit.distance(place).abs() <= tolerance))
        };
        fits(p, b) || fits(q, a)
    }

    /// Least width measured along a face's normal.
    fn thickness(&self, units: &[Option<Plane>]) -> f64 {
        let mut least = f64::INFINITY;
        for (unit, corners) in units.iter().zip(self.loops.iter()) {
            let Some(unit) = unit else { continue };
            if corners.is_empty() {
                continue;
            }
            let deepest = self
                .points
                .iter()
                .fold(0.0, |depth: f64, &point| depth.max(-unit.distance(point)));
            least = least.min(deepest);
        }
        if least.is_finite() { least } else { 0.0 }
    }

    /// The later one of two neighbours that are the same plane up to noise.
    fn repeated_plane(&self, units: &[Option<Plane>]) -> Option<usize> {
        let used = |i: usize| units[i].filter(|_| !self.loops[i].is_empty());
        (0..units.len()).find_map(|later| {
            let b = used(later)?;
            let same = |a: Plane| {
                a.normal.dot(b.normal) > 0.0
                    && a.normal.cross(b.normal).length_squared() < SAME_NORMAL_SINE_SQUARED
            };
            (0..later)
                .any(|earlier| used(earlier).is_some_and(same))
                .then_some(later)
        })
    }

    /// The convex hull of points: its planes (unit) and itself; nearly coplanar triangles (0.01) are one face. Corners are
    /// the given points. `None` without volume.
    #[must_use]
    pub fn from_points(given: &[DVec3]) -> Option<(Vec<Plane>, Self)> {
        let planes = points::face_planes(given)?;
        let mut hull = Self::from_planes(&planes);
        if hull.fault.is_some() {
            return None;
        }
        // A face that nothing is left of is no face of the hull.
        let planes: Vec<Plane> = planes
            .iter()
            .zip(hull.loops.iter())
            .filter(|(_, corners)| !corners.is_empty())
            .map(|(plane, _)| *plane)
            .collect();
        Arc::make_mut(&mut hull.loops).retain(|corners| !corners.is_empty());
        let reach = 8.0 * points::flatness(given);
        for corner in &mut hull.points {
            let nearest = given.iter().copied().min_by(|a, b| {
                a.distance_squared(*corner)
                    .total_cmp(&b.distance_squared(*corner))
            });
            if let Some(nearest) = nearest
                && nearest.distance(*corner) <= reach
            {
                *corner = nearest;
            }
        }
        hull.bounds = Aabb::of_points(hull.points.iter().copied());
        Some((planes, hull))
    }

    /// The same solid with its faces in another order: face `i` of the result is face `order[i]` of this.
    #[must_use]
    pub fn reordered(mut self, order: &[usize]) -> Self {
        let loops = order.iter().map(|&face| self.loops[face].clone()).collect();
        self.loops = Arc::new(loops);
        self
    }

    /// Corners restored by rule D24 (`hmap.md` 2.3), then by the nearest of the exact positions given within
    /// `0.002 + 2e-6 * max|coordinate|` (6.6).
    #[must_use]
    pub fn restored(mut self, exact: Option<&[Vec3]>) -> Self {
        for point in &mut self.points {
            let derived = *point;
            let tolerance = (1e-4 + 5e-7 * derived.abs().max_element()).min(1.0 / 32.0);
            let on_eighth = (derived * 8.0).round() / 8.0;
            *point = DVec3::select(
                (on_eighth - derived).abs().cmple(DVec3::splat(tolerance)),
                on_eighth,
                derived,
            );
            if let Some(wanted) = exact.and_then(|exact| nearest_exact(exact, derived)) {
                *point = wanted;
            }
        }
        self.bounds = Aabb::of_points(self.points.iter().copied());
        self
    }

    /// Of the wanted corners those to store in `BVTX`: all that are corners, deduplicated, when at least one corner of this (restored)
    /// hull is not bit-equal to its nearest wanted one while within the tolerance of 6.6; `None` when nothing needs storing.
    #[must_use]
    pub fn unrestored(&self, wanted: &[Vec3]) -> Option<Vec<Vec3>> {
        let needs = self
            .points
            .iter()
            .any(|&corner| nearest_exact(wanted, corner).is_some_and(|nearest| nearest != corner));
        if !needs {
            return None;
        }
        let mut unique: Vec<Vec3> = Vec::with_capacity(wanted.len());
        for &point in wanted {
            // Readers take no list with a point that is no corner (W-HINT).
            let tolerance = 0.002 + 2e-6 * f64::from(point.abs().max_element());
            let is_corner = self
                .points
                .iter()
                .any(|corner| corner.distance(point.as_dvec3()) <= tolerance);
            if point.is_finite() && is_corner && !unique.contains(&point) {
                unique.push(point);
            }
        }
        Some(unique)
    }

    /// Points mapped, loops turned round when the map mirrors.
    #[must_use]
    pub fn transformed(&self, map: &DAffine3) -> Self {
        let points: Vec<DVec3> = self
            .points
            .iter()
            .map(|&point| map.transform_point3(point))
            .collect();
        let mut loops = Arc::clone(&self.loops);
        if map.matrix3.determinant() < 0.0 {
            for corners in Arc::make_mut(&mut loops) {
                corners.reverse();
            }
        }
        let bounds = Aabb::of_points(points.iter().copied());
        Self {
            points,
            loops,
            bounds,
            fault: self.fault,
        }
    }

    #[must_use]
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// One per plane; empty when the plane touches nothing.
    #[must_use]
    pub fn loops(&self) -> &[Vec<u32>] {
        &self.loops
    }

    /// Corner positions of one face; nothing for a face out of range.
    pub fn face_points(&self, face: usize) -> impl Iterator<Item = DVec3> + '_ {
        self.loops
            .get(face)
            .into_iter()
            .flatten()
            .map(|&index| self.points[index as usize])
    }

    /// Every edge once, as point indices, lower first, sorted.
    #[must_use]
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let mut edges: Vec<[u32; 2]> = Vec::new();
        for corners in self.loops.iter() {
            for (i, &a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % corners.len()];
                edges.push([a.min(b), a.max(b)]);
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    #[must_use]
    pub fn fault(&self) -> Option<HullFault> {
        self.fault
    }

    /// Cubic units; 0 for a broken hull.
    #[must_use]
    pub fn volume(&self) -> f64 {
        if self.fault.is_some() {
            return 0.0;
        }
        // Tetrahedra from one of the corners, so that a place far from the origin costs no digits.
        let Some(&apex) = self.points.first() else {
            return 0.0;
        };
        let corner = |index: u32| self.points[index as usize] - apex;
        let mut six = 0.0;
        for corners in self.loops.iter() {
            for i in 2..corners.len() {
                six += corner(corners[0]).dot(corner(corners[i - 1]).cross(corner(corners[i])));
            }
        }
        six / 6.0
    }

    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.points.capacity() * size_of::<DVec3>()
            + self
                .loops
                .iter()
                .map(|l| size_of_val(l) + l.capacity() * 4)
                .sum::<usize>()
    }
}

/// The start box cut by all planes; `None` when nothing is left. Topology that rounding made a mess of is tried again with
/// coarser sides.
fn clipped(units: &[Option<Plane>], start: &Aabb) -> Option<Solid> {
    let span = start.min.abs().max(start.max.abs()).max_element();
    let mut epsilon = (span * 1e-12).max(1e-7);
    for _ in 0..3 {
        let mut solid = Solid::cuboid(start);
        let mut sound = true;
        for (index, unit) in units.iter().enumerate() {
            let Some(unit) = unit else { continue };
            match solid.clip(*unit, index as u32, epsilon) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(_) => {
                    sound = false;
                    break;
                }
            }
        }
        if sound {
            return Some(solid);
        }
        epsilon *= 32.0;
    }
    None
}

fn is_same(a: &Plane, b: &Plane) -> bool {
    a.normal.abs_diff_eq(b.normal, 1e-9) && (a.dist - b.dist).abs() <= 1e-9 * (1.0 + a.dist.abs())
}

/// How far apart corners may be that are one: `f32` planes move a corner by up to about `1e-4 + 5e-7` of its coordinate.
fn merge_distance(point: DVec3) -> f64 {
    (2.5e-4 + 1e-6 * point.abs().max_element()).min(1.0 / 32.0)
}

fn has_repeats(corners: &[u32]) -> bool {
    corners
        .iter()
        .enumerate()
        .any(|(i, corner)| corners[..i].contains(corner))
}

fn root(target: &[u32], mut index: u32) -> u32 {
    while target[index as usize] != index {
        index = target[index as usize];
    }
    index
}

/// Where the triple with the largest determinant meets; of very many planes every n-th is looked at.
fn best_meeting(planes: &[Plane]) -> Option<DVec3> {
    let step = planes.len().div_ceil(9);
    let few: Vec<Plane> = planes.iter().copied().step_by(step).collect();
    let mut best: Option<(f64, [usize; 3])> = None;
    for i in 0..few.len() {
        for j in i + 1..few.len() {
            let cross = few[i].normal.cross(few[j].normal);
            for (k, third) in few.iter().enumerate().skip(j + 1) {
                let det = cross.dot(third.normal).abs();
                if best.is_none_or(|(most, _)| det > most) {
                    best = Some((det, [i, j, k]));
                }
            }
        }
    }
    let (_, [i, j, k]) = best?;
    Plane::meet(few[i], few[j], few[k])
}

/// The nearest finite position within the tolerance of `BVTX`.
fn nearest_exact(exact: &[Vec3], corner: DVec3) -> Option<DVec3> {
    let tolerance = 0.002 + 2e-6 * corner.abs().max_element();
    exact
        .iter()
        .filter(|point| point.is_finite())
        .map(|point| point.as_dvec3())
        .min_by(|a, b| {
            a.distance_squared(corner)
                .total_cmp(&b.distance_squared(corner))
        })
        .filter(|point| point.distance(corner) <= tolerance)
}

#[cfg(test)]
mod tests;
