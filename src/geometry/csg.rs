//! Boolean operations on convex solids (CSG-1): what two share, what is left of one without the other, and whether several
//! together are convex. Sides of results are sides of what went in, bit for bit, so nothing drifts.

use glam::DVec3;

use crate::geometry::Aabb;
use crate::geometry::Hull;
use crate::geometry::Plane;
use crate::geometry::SAME_CORNER;
use crate::geometry::clip::Solid;

/// Pieces thinner than this are dropped.
pub const SLIVER: f64 = 0.01;

/// Points this near to a plane are on it: corners that were put back on the grid may be off their planes by as much.
const ON_PLANE: f64 = SAME_CORNER;

/// More pieces than this are not tried as one; pairs of them are.
const MOST_AT_ONCE: usize = 64;

/// Cutting a solid into so many pieces to see what is left of it is given up.
const MOST_PIECES: usize = 512;

/// A side of a convex solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexSide {
    /// Unit.
    pub plane: Plane,
    /// The caller's number for the face it came from.
    pub source: u32,
    /// Turned round: the solid lies in front of the plane of the face that it came from.
    pub turned: bool,
}

impl ConvexSide {
    #[must_use]
    pub fn turned(self) -> Self {
        Self {
            plane: self.plane.flipped(),
            turned: !self.turned,
            ..self
        }
    }
}

/// A closed convex solid that knows where each of its sides came from.
#[derive(Clone, Debug)]
pub struct Convex {
    sides: Vec<ConvexSide>,
    /// Its faces carry indices of `sides`, and each side has a face.
    solid: Solid,
    bounds: Aabb,
}

impl Convex {
    /// A sound hull with its planes; face `i` gets the number `first_source + i`. `None` for a broken hull.
    #[must_use]
    pub fn new(hull: &Hull, planes: &[Plane], first_source: u32) -> Option<Self> {
        if hull.fault().is_some() {
            return None;
        }
        let mut sides = Vec::with_capacity(planes.len());
        for (source, plane) in (first_source..).zip(planes) {
            sides.push(ConvexSide {
                plane: plane.unit()?,
                source,
                turned: false,
            });
        }
        Some(Self::of_solid(
            sides,
            Solid::of_loops(hull.points(), hull.loops()),
        ))
    }

    /// Sides without a face are forgotten.
    fn of_solid(sides: Vec<ConvexSide>, mut solid: Solid) -> Self {
        let mut number = vec![u32::MAX; sides.len()];
        for (id, _) in solid.faces() {
            if let Some(id) = id {
                number[id as usize] = 0;
            }
        }
        let mut kept = Vec::with_capacity(sides.len());
        for (side, number) in sides.into_iter().zip(&mut number) {
            if *number == 0 {
                *number = kept.len() as u32;
                kept.push(side);
            }
        }
        solid.renumber(|id| number[id as usize]);
        let bounds = Aabb::of_points(solid.corner_points());
        Self {
            sides: kept,
            solid,
            bounds,
        }
    }

    #[must_use]
    pub fn sides(&self) -> &[ConvexSide] {
        &self.sides
    }

    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    #[must_use]
    pub fn volume(&self) -> f64 {
        self.solid.volume()
    }

    /// Corners of one side's face.
    #[must_use]
    pub fn corners(&self, side: usize) -> Vec<DVec3> {
        self.solid
            .faces()
            .find(|(id, _)| *id == Some(side as u32))
            .map_or_else(Vec::new, |(_, corners)| {
                corners.iter().map(|&at| self.solid.point(at)).collect()
            })
    }

    /// Least width along the normal of a side.
    #[must_use]
    pub fn thickness(&self) -> f64 {
        let depth = |side: &ConvexSide| {
            self.solid.corner_points().fold(0.0f64, |depth, point| {
                depth.max(-side.plane.distance(point))
            })
        };
        self.sides.iter().map(depth).fold(f64::INFINITY, f64::min)
    }

    /// How far it reaches in front of a plane; negative when it stays behind.
    fn reach(&self, plane: Plane) -> f64 {
        self.solid
            .corner_points()
            .fold(f64::NEG_INFINITY, |most, point| {
                most.max(plane.distance(point))
            })
    }

    /// What is behind one more side; `None` when that is nothing.
    fn cut(&self, side: ConvexSide) -> Option<Self> {
        let reach = self.reach(side.plane);
        if reach <= ON_PLANE {
            return Some(self.clone());
        }
        let mut sides = self.sides.clone();
        sides.push(side);
        let mut epsilon = ON_PLANE;
        // Where rounding tangles the topology, coarser sides make it clear.
        for _ in 0..3 {
            let mut solid = self.solid.clone();
            match solid.clip(side.plane, sides.len() as u32 - 1, epsilon) {
                Ok(true) => return Some(Self::of_solid(sides, solid)),
                Ok(false) => return None,
                Err(_) => epsilon *= 4.0,
            }
        }
        // Only a sliver along an edge is in question.
        if reach <= epsilon {
            Some(self.clone())
        } else {
            None
        }
    }

    /// What both share; `None` when that is thinner than `thin`. Where faces lie on one plane, this one's is kept.
    #[must_use]
    pub fn shared(&self, other: &Self, thin: f64) -> Option<Self> {
        if !overlap(self.bounds, other.bounds) {
            return None;
        }
        let mut left = self.clone();
        for &side in &other.sides {
            left = left.cut(side)?;
        }
        (left.thickness() >= thin).then_some(left)
    }

    /// What is left without `other`, in convex pieces; `None` when it is not touched. Pieces thinner than `thin` are dropped.
    ///
    /// Each side of `other` that bounds the shared part inside of this solid has to cut once and no other cuts at all, so
    /// their order changes the shapes but not how many there are: the largest piece goes first.
    #[must_use]
    pub fn without(&self, other: &Self, thin: f64) -> Option<Vec<Self>> {
        let shared = self.shared(other, thin)?;
        // The shared part's own sides come first and keep their order; the rest is of `other`.
        let own = shared
            .sides
            .iter()
            .filter(|side| self.sides.contains(side))
            .count();
        let mut open: Vec<ConvexSide> = shared.sides[own..].to_vec();
        let mut rest = self.clone();
        let mut pieces = Vec::with_capacity(open.len());
        while !open.is_empty() {
            let mut best: Option<(f64, usize, Self)> = None;
            let mut at = 0;
            while at < open.len() {
                let piece = rest.cut(open[at].turned()).filter(|piece| {
                    piece.reach(open[at].plane) >= thin && piece.thickness() >= thin
                });
                let Some(piece) = piece else {
                    // A sliver: left to the others.
                    open.remove(at);
                    if let Some((_, chosen, _)) = &mut best
                        && *chosen > at
                    {
                        *chosen -= 1;
                    }
                    continue;
                };
                let volume = if open.len() == 1 { 0.0 } else { piece.volume() };
                if best
                    .as_ref()
                    .is_none_or(|(most, ..)| volume > most * (1.0 + 1e-9))
                {
                    best = Some((volume, at, piece));
                }
                at += 1;
            }
            let Some((_, chosen, piece)) = best else {
                break;
            };
            pieces.push(piece);
            let side = open.remove(chosen);
            if !open.is_empty() {
                match rest.cut(side) {
                    Some(smaller) => rest = smaller,
                    None => break,
                }
            }
        }
        Some(pieces)
    }

    /// True when no point of `other` is further than the tolerance in front of the side.
    fn respects(&self, plane: Plane) -> bool {
        self.reach(plane) <= ON_PLANE
    }
}

/// Boxes that share more than a sliver.
fn overlap(a: Aabb, b: Aabb) -> bool {
    a.min.cmplt(b.max - ON_PLANE).all() && b.min.cmplt(a.max - ON_PLANE).all()
}

/// All parts as one solid, when together they are convex; nothing is added and nothing lost.
#[must_use]
pub fn union_if_convex(parts: &[&Convex]) -> Option<Convex> {
    let bounds = parts
        .iter()
        .map(|part| part.bounds)
        .fold(Aabb::EMPTY, Aabb::union);
    let mut sides: Vec<ConvexSide> = Vec::new();
    for part in parts {
        sides.extend(
            part.sides
                .iter()
                .filter(|side| parts.iter().all(|part| part.respects(side.plane))),
        );
    }
    // What all sides that none of the parts crosses enclose: the union can only be this.
    let mut solid = Solid::cuboid(&bounds.grown(1.0));
    for (id, side) in (0..).zip(&sides) {
        if !solid.clip(side.plane, id, ON_PLANE).ok()? {
            return None;
        }
    }
    if solid.touches_start() {
        return None;
    }
    let whole = Convex::of_solid(sides, solid);
    let mut gaps = vec![whole.clone()];
    for part in parts {
        let mut left = Vec::with_capacity(gaps.len());
        for gap in gaps {
            match gap.without(part, ON_PLANE) {
                None => left.push(gap),
                Some(pieces) => left.extend(pieces),
            }
        }
        gaps = left;
        if gaps.len() > MOST_PIECES {
            return None;
        }
    }
    gaps.is_empty().then_some(whole)
}

/// Joins what can be joined: groups of `parts` whose union is convex and that `allowed` lets be one. Returns the joined solids
/// with the numbers of their parts; parts that stay alone are not among them.
#[must_use]
pub fn joined(
    parts: &[Convex],
    allowed: impl Fn(&[usize], &Convex) -> bool,
) -> Vec<(Convex, Vec<usize>)> {
    let mut groups: Vec<(Convex, Vec<usize>)> = Vec::new();
    for members in touching_sets(parts) {
        if members.len() > 1 && members.len() <= MOST_AT_ONCE {
            let all: Vec<&Convex> = members.iter().map(|&at| &parts[at]).collect();
            if let Some(whole) = union_if_convex(&all).filter(|whole| allowed(&members, whole)) {
                groups.push((whole, members));
                continue;
            }
        }
        let single = members
            .iter()
            .map(|&at| (parts[at].clone(), vec![at]))
            .collect();
        groups.extend(joined_in_pairs(single, &allowed));
    }
    groups.retain(|(_, members)| members.len() > 1);
    groups
}

/// Two by two, until no two of them are convex together.
fn joined_in_pairs(
    mut groups: Vec<(Convex, Vec<usize>)>,
    allowed: &impl Fn(&[usize], &Convex) -> bool,
) -> Vec<(Convex, Vec<usize>)> {
    let mut first = 0;
    while first < groups.len() {
        let found = (0..groups.len()).find_map(|second| {
            let (a, b) = (&groups[first], &groups[second]);
            if first == second || !a.0.bounds.grown(ON_PLANE).touches(b.0.bounds) {
                return None;
            }
            let whole = union_if_convex(&[&a.0, &b.0])?;
            let mut members = [a.1.as_slice(), b.1.as_slice()].concat();
            members.sort_unstable();
            allowed(&members, &whole).then_some((second, whole, members))
        });
        match found {
            Some((second, whole, members)) => {
                let (low, high) = (first.min(second), first.max(second));
                groups.remove(high);
                groups[low] = (whole, members);
                // What is larger now may go with those before it.
                first = 0;
            }
            None => first += 1,
        }
    }
    groups
}

/// Sets of parts whose boxes touch each other, directly or through others.
fn touching_sets(parts: &[Convex]) -> Vec<Vec<usize>> {
    let mut set_of: Vec<Option<usize>> = vec![None; parts.len()];
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for start in 0..parts.len() {
        if set_of[start].is_some() {
            continue;
        }
        let number = sets.len();
        let mut members = vec![start];
        set_of[start] = Some(number);
        let mut next = 0;
        while let Some(&at) = members.get(next) {
            next += 1;
            let around = parts[at].bounds.grown(ON_PLANE);
            for other in 0..parts.len() {
                if set_of[other].is_none() && around.touches(parts[other].bounds) {
                    set_of[other] = Some(number);
                    members.push(other);
                }
            }
        }
        members.sort_unstable();
        sets.push(members);
    }
    sets
}

#[cfg(test)]
#[path = "csg_tests.rs"]
mod tests;
