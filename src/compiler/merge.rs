//! Fragments of one plane that look alike become larger convex polygons (S4).

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;

use crate::compiler::fragments::BLOCK;
use crate::compiler::fragments::Fragment;
use crate::compiler::hash::FastMap;
use crate::compiler::planes::PlaneId;
use crate::compiler::planes::Planes;
use crate::compiler::solids::Class;
use crate::compiler::solids::Solid;
use crate::compiler::solids::Surface;
use crate::compiler::weld::Welder;
use crate::document::MaterialId;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::geometry::Aabb;
use crate::task::Cancelled;
use crate::task::Progress;

/// A corner whose edges turn by less than this (sine) is none.
const STRAIGHT: f64 = 1e-6;

/// Rounds of merging.
const ROUNDS: usize = 8;

/// A convex polygon of one model, counter-clockwise seen from its front.
#[derive(Clone, Debug)]
pub(crate) struct Poly {
    pub(crate) model: u32,
    pub(crate) plane: PlaneId,
    pub(crate) surface: Arc<Surface>,
    pub(crate) class: Class,
    /// The brush casts no shadow.
    pub(crate) no_shadow: bool,
    pub(crate) points: Vec<DVec3>,
    /// Faces it shows, in document order.
    pub(crate) from: Vec<(ObjectId, u32)>,
}

/// What polygons must share to become one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Look {
    model: u32,
    plane: PlaneId,
    material: Option<MaterialId>,
    flags: u32,
    class: Class,
    no_shadow: bool,
    frame: [u64; 8],
}

/// Polygons of all fragments, by look; their order does not depend on threads.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(crate) fn merged(
    solids: &[Solid],
    fragments: Vec<Fragment>,
    planes: &Planes,
    base: f64,
    progress: &Progress,
) -> Result<Vec<Poly>, Cancelled> {
    let mut keyed: Vec<(Look, u32)> = fragments
        .par_iter()
        .zip(0..fragments.len() as u32)
        .map(|(fragment, index)| (look(solids, fragment), index))
        .collect();
    keyed.par_sort_unstable();
    let groups: Vec<&[(Look, u32)]> = keyed.chunk_by(|a, b| a.0 == b.0).collect();
    let polys: Vec<Vec<Poly>> = groups
        .par_iter()
        .map(|group| {
            progress.check()?;
            let list: Vec<Poly> = group
                .iter()
                .map(|&(look, index)| poly(solids, &fragments[index as usize], look))
                .collect();
            Ok(if list.len() == 1 {
                list
            } else {
                merge_group(list, planes, base)
            })
        })
        .collect::<Result<_, Cancelled>>()?;
    Ok(polys.into_iter().flatten().collect())
}

fn look(solids: &[Solid], fragment: &Fragment) -> Look {
    let solid = &solids[fragment.solid as usize];
    let face = &solid.faces[fragment.face as usize];
    let frame = &face.surface.frame;
    Look {
        model: solid.model,
        plane: face.plane,
        material: face.surface.material,
        flags: face.surface.flags.0,
        class: solid.class,
        no_shadow: solid.flags.has(ObjectFlags::NO_SHADOW),
        // Adding zero makes -0 and 0 one.
        frame: [
            frame.u.x,
            frame.u.y,
            frame.u.z,
            frame.u_offset,
            frame.v.x,
            frame.v.y,
            frame.v.z,
            frame.v_offset,
        ]
        .map(|x| (x + 0.0).to_bits()),
    }
}

fn poly(solids: &[Solid], fragment: &Fragment, look: Look) -> Poly {
    let face = &solids[fragment.solid as usize].faces[fragment.face as usize];
    Poly {
        model: look.model,
        plane: look.plane,
        surface: face.surface.clone(),
        class: look.class,
        no_shadow: look.no_shadow,
        points: fragment.corners.iter().map(|corner| corner.at).collect(),
        from: vec![face.surface.from],
    }
}

struct Group<'a> {
    points: &'a [DVec3],
    normal: DVec3,
    block: f64,
    /// Corners by polygon; empty where it went into another one.
    loops: Vec<Vec<u32>>,
    /// Polygon that took this one, or itself.
    into: Vec<u32>,
}

fn merge_group(mut list: Vec<Poly>, planes: &Planes, base: f64) -> Vec<Poly> {
    let mut welder = Welder::default();
    let loops = list
        .iter()
        .map(|poly| welder.add_loop(&poly.points))
        .collect();
    let points = welder.into_points();
    let normal = planes.get(list[0].plane).normal;
    let into = (0..list.len() as u32).collect();
    let mut group = Group {
        points: &points,
        normal,
        block: BLOCK * base,
        loops,
        into,
    };
    let untouched: Vec<usize> = group.loops.iter().map(Vec::len).collect();
    let mut changed = vec![false; list.len()];
    for _ in 0..ROUNDS {
        if !group.round(&mut changed) {
            break;
        }
    }
    for index in 0..list.len() {
        let root = group.root(index as u32) as usize;
        if root != index {
            let from = std::mem::take(&mut list[index].from);
            list[root].from.extend(from);
        }
    }
    let mut kept = Vec::with_capacity(list.len());
    for (index, mut poly) in list.into_iter().enumerate() {
        if group.into[index] as usize != index || untouched[index] < 3 {
            continue;
        }
        if changed[index] {
            poly.points = group.loops[index]
                .iter()
                .map(|&point| points[point as usize])
                .collect();
            let mut seen = Vec::with_capacity(poly.from.len());
            poly.from.retain(|face| {
                !seen.contains(face) && {
                    seen.push(*face);
                    true
                }
            });
        }
        kept.push(poly);
    }
    kept
}

impl Group<'_> {
    fn root(&self, mut poly: u32) -> u32 {
        while self.into[poly as usize] != poly {
            poly = self.into[poly as usize];
        }
        poly
    }

    /// Goes once through all shared edges, the longest first; true when something was merged.
    fn round(&mut self, changed: &mut [bool]) -> bool {
        let mut owner: FastMap<(u32, u32), u32> = FastMap::default();
        for (index, corners) in self.loops.iter().enumerate() {
            for (i, &a) in corners.iter().enumerate() {
                owner.insert((a, corners[(i + 1) % corners.len()]), index as u32);
            }
        }
        let mut shared: Vec<(u64, u32, u32, u32, u32)> = Vec::new();
        for (index, corners) in self.loops.iter().enumerate() {
            for (i, &a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % corners.len()];
                if a < b
                    && let Some(&other) = owner.get(&(b, a))
                    && other != index as u32
                {
                    let length = self.points[a as usize].distance(self.points[b as usize]);
                    // Longest first: lengths are positive, so their bits sort as they do.
                    shared.push((u64::MAX - length.to_bits(), a, b, index as u32, other));
                }
            }
        }
        shared.sort_unstable();
        let mut any = false;
        for (_, a, b, p, q) in shared {
            let (p, q) = (self.root(p), self.root(q));
            if p == q {
                continue;
            }
            if let Some(joined) = self.joined(p, q, a, b) {
                let (keep, gone) = (p.min(q), p.max(q));
                self.loops[keep as usize] = joined;
                self.loops[gone as usize] = Vec::new();
                self.into[gone as usize] = keep;
                changed[keep as usize] = true;
                any = true;
            }
        }
        any
    }

    /// Both polygons as one, when they still share the edge a-b (in `p` from a to b) and the result is convex.
    fn joined(&self, p: u32, q: u32, a: u32, b: u32) -> Option<Vec<u32>> {
        let (first, second) = (&self.loops[p as usize], &self.loops[q as usize]);
        let at_b = position_after(first, a, b)?;
        let at_a = position_after(second, b, a)?;
        let (n, m) = (first.len(), second.len());
        let around = |list: &[u32], at: usize| list[at % list.len()];
        // From b round the first polygon to a, then round the second one back to b.
        let turn_a = self.turn(around(first, at_b + n - 2), a, around(second, at_a + 1))?;
        let turn_b = self.turn(around(second, at_a + m - 2), b, around(first, at_b + 1))?;
        let mut joined = Vec::with_capacity(n + m - 2);
        joined.extend((0..n).map(|i| around(first, at_b + i)));
        joined.extend((1..m - 1).map(|i| around(second, at_a + i)));
        let is_straight =
            |corner| (corner == a && turn_a < STRAIGHT) || (corner == b && turn_b < STRAIGHT);
        joined.retain(|&corner| !is_straight(corner));
        (joined.len() >= 3 && self.fits(first, second, &joined)).then_some(joined)
    }

    /// Sine of the turn at a corner; `None` when it turns outwards or back.
    fn turn(&self, before: u32, corner: u32, after: u32) -> Option<f64> {
        let [before, corner, after] =
            [before, corner, after].map(|point| self.points[point as usize]);
        let (come, go) = (
            (corner - before).normalize_or_zero(),
            (after - corner).normalize_or_zero(),
        );
        let sine = come.cross(go).dot(self.normal);
        (sine > -STRAIGHT && (sine > STRAIGHT || come.dot(go) > 0.0)).then_some(sine)
    }

    /// True when the result crosses no more than one block border on each axis, or no more than a part of it did.
    fn fits(&self, first: &[u32], second: &[u32], joined: &[u32]) -> bool {
        let spread = |corners: &[u32]| {
            let bounds = Aabb::of_points(corners.iter().map(|&point| self.points[point as usize]));
            ((bounds.max - 0.5) / self.block).floor() - ((bounds.min + 0.5) / self.block).floor()
        };
        spread(joined)
            .cmple(spread(first).max(spread(second)).max(DVec3::ONE))
            .all()
    }
}

/// Place of `b` where it follows `a`.
fn position_after(corners: &[u32], a: u32, b: u32) -> Option<usize> {
    (0..corners.len())
        .find(|&i| corners[i] == b && corners[(i + corners.len() - 1) % corners.len()] == a)
}
