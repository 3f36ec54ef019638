//! Looks of the faces by the polygons that lie on them (`unr.md` 8.2 step 4). A face has one look: where there are several, the
//! solid is divided.

use glam::DVec3;

use crate::formats::unr::mapping::Mapping;
use crate::formats::unr::part::ON_PLANE;
use crate::formats::unr::part::Part;
use crate::formats::unr::patches::Overlap;
use crate::formats::unr::patches::Patches;
use crate::formats::unr::patches::overlap;
use crate::formats::unr::pieces::PieceFace;
use crate::formats::unr::transform::settled;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// Smaller overlaps of a polygon and a face do not count: square units.
const LEAST_AREA: f64 = 0.5;

/// Mappings that differ by no more than this at the corners of a face are one.
const SAME_TEXELS: f64 = 0.002;

/// A polygon lies on both sides of a cut when it reaches this far over it.
const OVER_EDGE: f64 = 0.1;

/// A part is not divided into more.
const MOST_PARTS: usize = 512;

/// More cuts are not tried on one face.
const MOST_CUTS: usize = 512;

/// A part with faces of one look each.
#[derive(Clone, Debug)]
pub struct Dressed {
    pub faces: Vec<PieceFace>,
    /// Every polygon on it belongs to the sky, and there is one.
    pub is_sky: bool,
}

/// A side of a part with what lies on it.
struct Side {
    plane: Plane,
    corners: Vec<DVec3>,
    overlaps: Vec<Overlap>,
    /// For each overlap the number of its look on this side, from 0.
    looks: Vec<usize>,
    look_count: usize,
}

impl Side {
    fn new(plane: Plane, corners: Vec<DVec3>, overlaps: Vec<Overlap>, patches: &Patches) -> Self {
        let mut found: Vec<&Mapping> = Vec::new();
        let mut looks = Vec::with_capacity(overlaps.len());
        for overlap in &overlaps {
            let mapping = patches.mapping(overlap);
            let known = found
                .iter()
                .position(|look| look.is_alike(mapping, &corners, SAME_TEXELS));
            looks.push(known.unwrap_or_else(|| {
                found.push(mapping);
                found.len() - 1
            }));
        }
        Self {
            plane,
            corners,
            look_count: found.len(),
            overlaps,
            looks,
        }
    }

    /// The look with the largest area, as the largest of its polygons has it.
    fn mapping(&self, patches: &Patches) -> Option<Mapping> {
        let mut areas = vec![0.0; self.look_count];
        for (overlap, &look) in self.overlaps.iter().zip(&self.looks) {
            areas[look] += overlap.area;
        }
        let first_largest = |areas: &mut dyn Iterator<Item = (usize, f64)>| {
            areas.fold(None, |best: Option<(usize, f64)>, (at, area)| match best {
                Some((_, most)) if area <= most => best,
                _ => Some((at, area)),
            })
        };
        let (look, _) = first_largest(&mut areas.into_iter().enumerate())?;
        let of_look = self.overlaps.iter().enumerate();
        let of_look = of_look.filter(|(at, _)| self.looks[*at] == look);
        let (at, _) = first_largest(&mut of_look.map(|(at, overlap)| (at, overlap.area)))?;
        Some(*patches.mapping(&self.overlaps[at]))
    }

    /// Planes through edges of the polygons, square to the face, the best first. Equal ones are in the order of where they lie,
    /// so that the order of the polygons does not matter.
    fn cuts(&self) -> Vec<Plane> {
        let mut cuts: Vec<((usize, usize), [i64; 4], Plane)> = Vec::new();
        for overlap in &self.overlaps {
            for (at, &from) in overlap.corners.iter().enumerate() {
                let to = overlap.corners[(at + 1) % overlap.corners.len()];
                let Some(cut) = Plane::through(from, (to - from).cross(self.plane.normal)) else {
                    continue;
                };
                let cut = upright(settled(cut));
                let (front, back) = reach(&self.corners, cut);
                let is_known = |(.., known): &(_, _, Plane)| {
                    let (front, back) = reach(&[from, to], *known);
                    known.normal.dot(cut.normal) > 0.999_999 && front.max(back) < ON_PLANE
                };
                let divides = front > ON_PLANE && back > ON_PLANE;
                if divides && cuts.len() < MOST_CUTS && !cuts.iter().any(is_known) {
                    cuts.push((self.score(cut), place(cut), cut));
                }
            }
        }
        cuts.sort_by_key(|(score, place, _)| (*score, *place));
        cuts.into_iter().map(|(.., cut)| cut).collect()
    }

    /// Looks on both sides together, then polygons that are cut: the fewer the better.
    fn score(&self, cut: Plane) -> (usize, usize) {
        let mut on_sides = vec![[false; 2]; self.look_count];
        let mut divided = 0;
        for (overlap, &look) in self.overlaps.iter().zip(&self.looks) {
            let (front, back) = reach(&overlap.corners, cut);
            let (is_front, is_back) = (front > OVER_EDGE, back > OVER_EDGE);
            on_sides[look][0] |= is_front;
            on_sides[look][1] |= is_back;
            divided += usize::from(is_front && is_back);
        }
        let count = |side: usize| on_sides.iter().filter(|sides| sides[side]).count();
        // What shows nothing on one side parts nothing.
        let useless = usize::from(count(0) == 0 || count(1) == 0) * self.overlaps.len() * 2;
        (count(0) + count(1) + useless, divided)
    }
}

/// The same plane whichever way it was turned.
fn upright(plane: Plane) -> Plane {
    let first = plane
        .normal
        .to_array()
        .into_iter()
        .find(|along| along.abs() > 1e-6);
    if first.is_some_and(|along| along < 0.0) {
        plane.flipped()
    } else {
        plane
    }
}

/// Where a plane lies, in steps larger than noise.
fn place(plane: Plane) -> [i64; 4] {
    let [x, y, z] = (plane.normal * 1000.0).round().to_array();
    [x, y, z, (plane.dist * 8.0).round()].map(|number| number as i64)
}

/// How far points reach in front of and behind a plane.
fn reach(points: &[DVec3], plane: Plane) -> (f64, f64) {
    points
        .iter()
        .fold((0.0, 0.0), |(front, back): (f64, f64), &point| {
            let distance = plane.distance(point);
            (front.max(distance), back.max(-distance))
        })
}

/// Smallest overlap that counts on a face of this area.
fn least_area(corners: &[DVec3]) -> f64 {
    LEAST_AREA.min(polygon::area(corners) * 0.5)
}

/// The part with a look for each face, divided where a face has several.
#[must_use]
pub fn dressed(part: Part, patches: &Patches) -> Vec<Dressed> {
    let sides = part.faces().map(|(plane, corners)| {
        let corners: Vec<DVec3> = corners.collect();
        let overlaps = patches.on_face(plane, &corners, least_area(&corners));
        Side::new(plane, corners, overlaps, patches)
    });
    let sides = sides.collect();
    let mut open: Vec<(Part, Vec<Side>)> = vec![(part, sides)];
    let mut done = Vec::new();
    while let Some((part, sides)) = open.pop() {
        let halves = if open.len() + done.len() < MOST_PARTS {
            divided(&part, &sides)
        } else {
            None
        };
        let Some(halves) = halves else {
            done.push(finished(sides, patches));
            continue;
        };
        for half in halves {
            let of_half = inherited(&half, &sides, patches);
            open.push((half, of_half));
        }
    }
    done
}

/// As one solid, each face with the look of the largest area on it.
#[must_use]
pub fn dressed_whole(part: &Part, patches: &Patches) -> Dressed {
    let sides = part.faces().map(|(plane, corners)| {
        let corners: Vec<DVec3> = corners.collect();
        let overlaps = patches.on_face(plane, &corners, least_area(&corners));
        Side::new(plane, corners, overlaps, patches)
    });
    finished(sides.collect(), patches)
}

/// By the best cut through a face with several looks that leaves two sound parts.
fn divided(part: &Part, sides: &[Side]) -> Option<[Part; 2]> {
    let several = sides.iter().filter(|side| side.look_count > 1);
    several.flat_map(Side::cuts).find_map(|cut| {
        let (front, back) = part.clone().split(cut);
        Some([front?.checked()?.blunted(), back?.checked()?.blunted()])
    })
}

/// What lies on the sides of a half: what lay on those of the whole. The cut itself is inside of the solid.
fn inherited(half: &Part, sides: &[Side], patches: &Patches) -> Vec<Side> {
    let side = |(plane, corners): (Plane, Vec<DVec3>)| {
        let least = least_area(&corners);
        let whole = sides.iter().filter(|side| side.plane == plane);
        let overlaps = whole.flat_map(|side| &side.overlaps).filter_map(|whole| {
            overlap(whole.patch, whole.corners.clone(), plane, &corners, least)
        });
        let overlaps = overlaps.collect();
        Side::new(plane, corners, overlaps, patches)
    };
    let faces = half.faces();
    faces
        .map(|(plane, corners)| side((plane, corners.collect())))
        .collect()
}

fn finished(sides: Vec<Side>, patches: &Patches) -> Dressed {
    let mut overlaps = sides.iter().flat_map(|side| &side.overlaps).peekable();
    let is_sky = overlaps.peek().is_some()
        && overlaps.all(|overlap| patches.patches[overlap.patch as usize].is_sky);
    let face = |side: Side| PieceFace {
        normal: side.plane.normal,
        distance: side.plane.dist,
        mapping: side.mapping(patches),
        corners: side.corners,
    };
    Dressed {
        faces: sides.into_iter().map(face).collect(),
        is_sky,
    }
}
