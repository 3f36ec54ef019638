//! A brush from moved corners: what is allowed (VTX-3), which face each new face comes from, and where its texture goes.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::DVec3;
use glam::Vec2;

use crate::document::Brush;
use crate::document::Face;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::document::ops::brushes::WORLD_LIMIT;
use crate::document::ops::components::shape::SAME_VERTEX;
use crate::geometry::Hull;
use crate::geometry::Plane;

/// Tile size of a material.
pub type Tiles<'a> = &'a dyn Fn(Option<MaterialId>) -> Vec2;

/// Thinner solids are none: no drag may end in what a commit refuses.
const THINNEST: f64 = 0.01;

/// Which rule a shape would break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    #[error("Nothing would be left of the brush")]
    NoVolume,
    #[error("A corner that stays would no longer stick out")]
    FixedLost,
    #[error("A moved corner would end inside the brush")]
    MovedLost,
    #[error("A new corner must stick out of the brush")]
    NotOutside,
    #[error("The brush would leave the map's bounds")]
    OutOfBounds,
    #[error("Nothing would be left of the mesh")]
    NoPolygon,
    #[error("A face is too small for this")]
    TooSmall,
    #[error("Together they would be no flat, convex polygon")]
    NotOnePolygon,
    #[error("There is nothing to join: pick an edge between two polygons, or several of them")]
    NothingToJoin,
    #[error("Pick vertices, edges or faces first")]
    NoPick,
}

/// A brush with moved corners.
#[derive(Clone, Debug)]
pub struct Moved {
    pub brush: Brush,
    /// The only moving corner became part of the rest: there its drag ends (VTX-3).
    pub absorbed: bool,
}

/// A corner of the shape to come.
#[derive(Clone, Debug)]
struct Corner {
    /// The corner of the brush that it was; `None` for a new one.
    from: Option<u32>,
    /// Where it was, or where it was put on a face.
    was: DVec3,
    to: DVec3,
    /// Faces that a new one lies on.
    on: Vec<u32>,
}

/// A brush whose corners are about to move: what does not depend on where to is found out once.
#[derive(Clone, Debug)]
pub struct Reshaper {
    brush: Brush,
    moving: BTreeSet<u32>,
    /// Faces around each corner.
    around: Vec<Vec<u32>>,
    /// Corners that its own hull has: others lie in faces and may go.
    sticks_out: Vec<bool>,
    /// Planes of what is left without the only moving corner.
    rest: Option<(Vec<Plane>, Hull)>,
}

impl Reshaper {
    #[must_use]
    pub fn new(brush: Brush, moving: BTreeSet<u32>) -> Self {
        let points = brush.hull().points();
        let mut around = vec![Vec::new(); points.len()];
        for (face, corners) in brush.hull().loops().iter().enumerate() {
            for &corner in corners {
                around[corner as usize].push(face as u32);
            }
        }
        let own = Hull::from_points(points);
        let sticks_out = points
            .iter()
            .map(|point| {
                own.as_ref()
                    .is_some_and(|(_, hull)| hull.points().contains(point))
            })
            .collect();
        let rest = match moving.first() {
            Some(&only) if moving.len() == 1 => Hull::from_points(&without(points, only)),
            _ => None,
        };
        Self {
            brush,
            moving,
            around,
            sticks_out,
            rest,
        }
    }

    #[must_use]
    pub fn brush(&self) -> &Brush {
        &self.brush
    }

    #[must_use]
    pub fn moving(&self) -> &BTreeSet<u32> {
        &self.moving
    }

    fn corners(&self) -> Vec<Corner> {
        (0..)
            .zip(self.brush.hull().points())
            .map(|(index, &at)| Corner {
                from: Some(index),
                was: at,
                to: at,
                on: Vec::new(),
            })
            .collect()
    }

    /// The brush with its moving corners where `to` says.
    ///
    /// # Errors
    /// The rule that it would break.
    pub fn moved(
        &self,
        to: &BTreeMap<u32, DVec3>,
        hold: bool,
        tile: Tiles<'_>,
    ) -> Result<Moved, Stop> {
        let absorbed = |made: Made| Moved {
            brush: made.brush,
            absorbed: true,
        };
        let points = self.brush.hull().points();
        let mut corners = self.corners();
        for (&index, &to) in to {
            if let Some(corner) = corners.get_mut(index as usize) {
                corner.to = to;
            }
        }
        if let (Some(&only), 1) = (self.moving.first(), self.moving.len()) {
            let (from, to) = (points[only as usize], corners[only as usize].to);
            // On its way it met the rest of the brush: there it became part of it (VTX-3).
            if let Some((planes, _)) = &self.rest
                && meets(planes, from, to)
            {
                corners.remove(only as usize);
                return self.made(&corners, hold, tile).map(absorbed);
            }
        }
        let merged = merge(&mut corners, &self.moving);
        let made = self.made(&corners, hold, tile)?;
        for (index, &sticks_out) in (0..).zip(&self.sticks_out) {
            let kept = made.kept.contains(&index) || merged.contains(&index);
            if kept || !sticks_out {
                continue;
            }
            return Err(match (self.moving.contains(&index), self.moving.len()) {
                (false, _) => Stop::FixedLost,
                // A single one in the outline of the rest has become part of it too.
                (true, 1) => {
                    corners.retain(|corner| corner.from != Some(index));
                    return self.made(&corners, hold, tile).map(absorbed);
                }
                (true, _) => Stop::MovedLost,
            });
        }
        let is_single = self.moving.len() == 1;
        Ok(Moved {
            absorbed: is_single && self.moving.is_disjoint(&made.kept),
            brush: made.brush,
        })
    }

    /// The hull of wherever `to` puts the corners, without the rules of a drag: snapping (VTX-6).
    ///
    /// # Errors
    /// When it has no volume or leaves the map.
    pub fn settled_at(
        &self,
        to: &BTreeMap<u32, DVec3>,
        hold: bool,
        tile: Tiles<'_>,
    ) -> Result<Brush, Stop> {
        let mut corners = self.corners();
        for (&index, &to) in to {
            if let Some(corner) = corners.get_mut(index as usize) {
                corner.to = to;
            }
        }
        merge(&mut corners, &self.moving);
        self.made(&corners, hold, tile).map(|made| made.brush)
    }

    /// The hull of all corners but the moving ones (VTX-4).
    ///
    /// # Errors
    /// When it has no volume.
    pub fn removed(&self, hold: bool, tile: Tiles<'_>) -> Result<Brush, Stop> {
        let mut corners = self.corners();
        corners.retain(|corner| corner.from.is_none_or(|from| !self.moving.contains(&from)));
        self.made(&corners, hold, tile).map(|made| made.brush)
    }

    /// The hull with one more corner, which lay at `start` on the faces `on` before it was pulled out (VTX-4).
    ///
    /// # Errors
    /// When it does not stick out, or another one would not any more.
    pub fn with_added(
        &self,
        (start, at): (DVec3, DVec3),
        on: &[u32],
        hold: bool,
        tile: Tiles<'_>,
    ) -> Result<Brush, Stop> {
        let points = self.brush.hull().points();
        if points.iter().any(|point| point.distance(at) <= SAME_VERTEX) {
            return Err(Stop::NotOutside);
        }
        let mut corners = self.corners();
        corners.push(Corner {
            from: None,
            was: start,
            to: at,
            on: on.to_vec(),
        });
        let made = self.made(&corners, hold, tile)?;
        if !made.has_new {
            return Err(Stop::NotOutside);
        }
        let lost = (0..)
            .zip(&self.sticks_out)
            .any(|(index, &sticks_out)| sticks_out && !made.kept.contains(&index));
        if lost {
            return Err(Stop::FixedLost);
        }
        Ok(made.brush)
    }

    fn made(&self, corners: &[Corner], hold: bool, tile: Tiles<'_>) -> Result<Made, Stop> {
        let points: Vec<DVec3> = corners.iter().map(|corner| corner.to).collect();
        let reach = points.iter().fold(0.0, |reach: f64, point| {
            reach.max(point.abs().max_element())
        });
        if reach > WORLD_LIMIT || points.iter().any(|point| !point.is_finite()) {
            return Err(Stop::OutOfBounds);
        }
        let (planes, hull) = Hull::from_points(&points)
            .filter(|(planes, _)| is_thick(planes, &points))
            .ok_or(Stop::NoVolume)?;
        let of_point: Vec<Option<usize>> = hull
            .points()
            .iter()
            .map(|point| points.iter().position(|given| given == point))
            .collect();
        let at = |face: usize| -> Vec<&Corner> {
            hull.loops()[face]
                .iter()
                .filter_map(|&point| of_point[point as usize])
                .map(|index| &corners[index])
                .collect()
        };
        let mut order: Vec<(usize, usize)> = (0..planes.len())
            .map(|face| (self.source(&at(face), planes[face]), face))
            .collect();
        order.sort_unstable();
        let faces = order
            .iter()
            .map(|&(source, face)| self.face(source, &at(face), planes[face], hold, tile))
            .collect();
        let kept = of_point
            .iter()
            .flatten()
            .filter_map(|&index| corners[index].from)
            .collect();
        let has_new = of_point
            .iter()
            .flatten()
            .any(|&index| corners[index].from.is_none());
        let order: Vec<usize> = order.into_iter().map(|(_, face)| face).collect();
        Ok(Made {
            brush: Brush::on_hull(self.brush.contents(), faces, hull.reordered(&order)),
            kept,
            has_new,
        })
    }

    /// The face of the brush that a new face comes from: most corners in common, then the nearest direction.
    fn source(&self, corners: &[&Corner], plane: Plane) -> usize {
        let mut shared: BTreeMap<u32, usize> = BTreeMap::new();
        for corner in corners {
            let faces = corner
                .from
                .map_or(&corner.on, |from| &self.around[from as usize]);
            for &face in faces {
                *shared.entry(face).or_default() += 1;
            }
        }
        let likeness = |face: u32| {
            let normal = self.brush.faces()[face as usize].plane.normal;
            normal.normalize_or_zero().dot(plane.normal)
        };
        shared
            .into_iter()
            .map(|(face, count)| (count, likeness(face), face))
            .max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(b.2.cmp(&a.2)))
            .map_or(0, |(_, _, face)| face as usize)
    }

    fn face(
        &self,
        source: usize,
        corners: &[&Corner],
        plane: Plane,
        hold: bool,
        tile: Tiles<'_>,
    ) -> Face {
        let old = &self.brush.faces()[source];
        let pairs: Vec<(DVec3, DVec3)> = corners
            .iter()
            .map(|corner| (corner.was, corner.to))
            .collect();
        let (plane, same) = kept_plane(old.plane, plane, &pairs);
        let mut face = Face {
            plane,
            ..old.clone()
        };
        let Some(unit) = plane.unit() else {
            return face;
        };
        if hold && let Some([a, b, c]) = held_corners(&pairs) {
            let moves = [a, b, c].iter().any(|(from, to)| from != to);
            if moves
                && let Some(frame) = old
                    .frame(tile(old.material))
                    .held([a.0, b.0, c.0], [a.1, b.1, c.1])
            {
                face.axes = Some(frame.in_plane(unit));
                return face;
            }
            if !moves && same {
                return face;
            }
        }
        let turns = old.axes.is_some() || old.flags.has(SurfaceFlags::FACE_ALIGNED);
        if !same
            && turns
            && let Some(from) = old.plane.unit()
        {
            let along = from.normal.any_orthonormal_vector();
            let frame = old.frame(tile(old.material)).wrapped(from, unit, along);
            face.axes = Some(frame);
        }
        face
    }
}

/// What a set of corners came to.
struct Made {
    brush: Brush,
    /// Corners of the old brush that are corners of it.
    kept: BTreeSet<u32>,
    /// It has the corner that is new.
    has_new: bool,
}

/// False for what rounding could leave nothing of.
fn is_thick(planes: &[Plane], points: &[DVec3]) -> bool {
    planes.iter().all(|plane| {
        points
            .iter()
            .any(|&point| plane.distance(point) < -THINNEST)
    })
}

fn without(points: &[DVec3], index: u32) -> Vec<DVec3> {
    (0..)
        .zip(points)
        .filter(|(other, _)| *other != index)
        .map(|(_, &point)| point)
        .collect()
}

/// True when the way from outside of the planes' solid meets it (within the width of a vertex).
fn meets(planes: &[Plane], from: DVec3, to: DVec3) -> bool {
    // A corner that hardly sticks out must be able to leave.
    let out = planes
        .iter()
        .map(|plane| plane.distance(from))
        .fold(f64::NEG_INFINITY, f64::max);
    let margin = SAME_VERTEX.min(out * 0.5);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for plane in planes {
        let (start, end) = (plane.distance(from) - margin, plane.distance(to) - margin);
        if start > 0.0 && end > 0.0 {
            return false;
        }
        if start > 0.0 {
            enter = enter.max(start / (start - end));
        } else if end > 0.0 {
            leave = leave.min(start / (start - end));
        }
    }
    enter <= leave
}

/// Moved corners at the place of another one are dropped; the result: those that were, by number.
fn merge(corners: &mut Vec<Corner>, moving: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut merged = BTreeSet::new();
    for index in moving {
        let Some(place) = corners
            .iter()
            .position(|corner| corner.from == Some(*index))
        else {
            continue;
        };
        let at = corners[place].to;
        let meets = corners
            .iter()
            .enumerate()
            .any(|(other, corner)| other != place && corner.to.distance(at) <= SAME_VERTEX);
        if meets {
            corners.remove(place);
            merged.insert(*index);
        }
    }
    merged
}

/// The plane of a face that comes from `old`, and whether it is still that one: bits that need not change do not.
fn kept_plane(old: Plane, new: Plane, pairs: &[(DVec3, DVec3)]) -> (Plane, bool) {
    let Some(unit) = old.unit() else {
        return (new, false);
    };
    let noise = |point: DVec3| 2e-5 + 2e-7 * point.abs().max_element();
    let facing = unit.normal.dot(new.normal) > 0.5;
    let lies = |point: DVec3| unit.distance(point).abs() <= noise(point);
    if facing && pairs.iter().all(|pair| lies(pair.1)) {
        return (old, true);
    }
    if facing
        && let Some(&(from, to)) = pairs.first()
        && pairs
            .iter()
            .all(|pair| lies(pair.0) && (pair.1 - pair.0).abs_diff_eq(to - from, 1e-9))
    {
        let dist = old.dist + old.normal.dot(to - from);
        return (Plane::new(old.normal, dist), false);
    }
    (new, false)
}

/// Three corners, before and after, that span the face both times; those that moved least are preferred (LOCK-2).
fn held_corners(pairs: &[(DVec3, DVec3)]) -> Option<[(DVec3, DVec3); 3]> {
    let mut order = pairs.to_vec();
    order.sort_by(|a, b| a.0.distance(a.1).total_cmp(&b.0.distance(b.1)));
    let span = |a: DVec3, b: DVec3, c: DVec3| {
        let (ab, ac) = (b - a, c - a);
        ab.cross(ac).length() / (ab.length() * ac.length()).max(f64::MIN_POSITIVE)
    };
    let width = |triple: &[(DVec3, DVec3); 3]| {
        span(triple[0].0, triple[1].0, triple[2].0).min(span(triple[0].1, triple[1].1, triple[2].1))
    };
    let mut best: Option<(f64, [(DVec3, DVec3); 3])> = None;
    for k in 2..order.len() {
        for j in 1..k {
            for i in 0..j {
                let triple = [order[i], order[j], order[k]];
                let width = width(&triple);
                // Wide enough: the first such triple moved least.
                if width > 0.1 {
                    return Some(triple);
                }
                if best.as_ref().is_none_or(|(most, _)| width > *most) {
                    best = Some((width, triple));
                }
            }
        }
        if k > 24 {
            break;
        }
    }
    best.filter(|(width, _)| *width > 1e-6)
        .map(|(_, triple)| triple)
}
