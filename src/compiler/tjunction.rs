//! Every vertex that lies on an edge becomes a corner of it, and polygons become triangles (S5).
//!
//! Done in rounds: diagonals of the first triangles can run through vertices of faces that touch there, so their edges are
//! looked at again. At the end each edge is either whole on both sides or cut alike on both.

use std::collections::BTreeSet;

use glam::DVec3;
use rayon::prelude::*;

use crate::compiler::hash::FastMap;
use crate::compiler::triangulate::triangulate;
use crate::compiler::weld::EPS_EDGE;
use crate::compiler::weld::EPS_WELD;
use crate::compiler::weld::tidy;
use crate::task::Cancelled;
use crate::task::Progress;

/// Rounds at most; two are usual.
const ROUNDS: usize = 16;

/// From this round on vertices move, and polygons get a vertex inside where their own corners do not help.
const STUBBORN: usize = 4;

/// How near an edge a vertex lies on it from then on: what rounding leaves is still less than a hundredth of a unit.
const NEAR: f64 = 1.0 / 80.0;

/// How far, at most.
const SNAP: f64 = 2.0 * EPS_EDGE;

/// What a repair made.
pub(crate) struct Repaired {
    /// By polygon.
    pub(crate) triangles: Vec<Vec<[u32; 3]>>,
    /// How many vertices were put into edges of polygons.
    pub(crate) inserted: usize,
    /// By polygon, in the order of the work: corners that it got, each with the two corners it lies between.
    pub(crate) added: Vec<Vec<Added>>,
}

/// A corner that a polygon got, and the corners it had there before: the ends of the edge, or twice the one that moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Added {
    pub(crate) corner: u32,
    pub(crate) between: [u32; 2],
}

/// Repairs and triangulates the polygons of one model. Each is given by convex pieces (loops of corner numbers) and its unit
/// normal. Points from number `fixed` on are no corners of the map and may be left out. `cell` is the size of the look-up grid in units.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(crate) fn repaired(
    points: &mut Vec<DVec3>,
    mut work: Vec<Vec<Vec<u32>>>,
    normals: &[DVec3],
    fixed: usize,
    cell: f64,
    progress: &Progress,
) -> Result<Repaired, Cancelled> {
    let mut grid = Grid::new(points, work.iter().flatten(), cell);
    work.par_iter_mut()
        .for_each(|pieces| pieces.retain(|corners| corners.len() >= 3));
    let mut added: Vec<Vec<Added>> = vec![Vec::new(); work.len()];
    // Edges that no vertex lies on.
    let mut clean: Vec<(u32, u32)> = Vec::new();
    let mut inserted = 0;
    for round in 0..=ROUNDS {
        progress.check()?;
        let near = if round < STUBBORN { EPS_EDGE } else { NEAR };
        if round > STUBBORN {
            // Vertices that went must not come back.
            grid.keep_used(points.len(), work.iter().flatten());
        }
        let mut edges: Vec<(u32, u32)> = work
            .par_iter()
            .flat_map_iter(|pieces| pieces.iter().flat_map(|corners| edges_of(corners)))
            .collect();
        edges.par_sort_unstable();
        edges.dedup();
        let found: Vec<((u32, u32), Vec<u32>)> = edges
            .par_iter()
            .filter(|edge| clean.binary_search(edge).is_err())
            .map(|&edge| {
                progress.check()?;
                Ok((edge, grid.between(points, edge, near)))
            })
            .collect::<Result<_, Cancelled>>()?;
        let mut cuts: FastMap<(u32, u32), Vec<u32>> = FastMap::default();
        for (edge, inside) in found {
            if inside.is_empty() {
                clean.push(edge);
            } else {
                inserted += if round == 0 { inside.len() } else { 0 };
                cuts.insert(edge, inside);
            }
        }
        clean.par_sort_unstable();
        if cuts.is_empty() && round > 0 {
            break;
        }
        if round < STUBBORN {
            let points = &points[..];
            work.par_iter_mut().zip(&mut added).zip(normals).for_each(
                |((pieces, added), &normal)| {
                    let mut next = Vec::with_capacity(pieces.len() * 2);
                    for corners in std::mem::take(pieces) {
                        let corners = with_cuts(corners, &cuts, added);
                        cut_up(&corners, points, normal, near, &mut next);
                    }
                    *pieces = next;
                },
            );
        } else {
            let into = snaps(points, &cuts, &edges);
            move_corners(&into, &mut work, &mut added, &mut cuts);
            let into = collapses(&work, points, normals, &cuts, &edges, fixed);
            move_corners(&into, &mut work, &mut added, &mut cuts);
            for ((pieces, added), &normal) in work.iter_mut().zip(&mut added).zip(normals) {
                if pieces
                    .iter()
                    .flat_map(|corners| edges_of(corners))
                    .any(|edge| cuts.contains_key(&edge))
                {
                    let mut next = Vec::with_capacity(pieces.len() * 2);
                    for corners in std::mem::take(pieces) {
                        let corners = with_cuts(corners, &cuts, added);
                        let before = next.len();
                        if !cut_up(&corners, points, normal, near, &mut next)
                            && let Some(center) = center(&corners, points, normal, near)
                        {
                            next.truncate(before);
                            let number = points.len() as u32;
                            points.push(center);
                            grid.late.push(number);
                            added.push(Added {
                                corner: number,
                                between: longest(&corners, points),
                            });
                            next.extend(sides_of(&corners).map(|(a, b)| vec![a, b, number]));
                        }
                    }
                    *pieces = next;
                }
            }
        }
    }
    let triangles = work
        .into_iter()
        .map(|pieces| {
            pieces
                .into_iter()
                .filter_map(|corners| corners.try_into().ok())
                .collect()
        })
        .collect();
    Ok(Repaired {
        triangles,
        inserted,
        added,
    })
}

/// Adds the triangles of a loop; `false` where an edge inside it runs through another of its corners.
fn cut_up(
    corners: &[u32],
    points: &[DVec3],
    normal: DVec3,
    near: f64,
    out: &mut Vec<Vec<u32>>,
) -> bool {
    if corners.len() <= 3 {
        if corners.len() == 3 {
            out.push(corners.to_vec());
        }
        return true;
    }
    let mut triangles = Vec::with_capacity(corners.len() - 2);
    let sound = triangulate(corners, points, normal, near, &mut triangles);
    out.extend(triangles.into_iter().map(Vec::from));
    sound
}

/// A point inside a loop that sees all corners, each past the others.
fn center(corners: &[u32], points: &[DVec3], normal: DVec3, near: f64) -> Option<DVec3> {
    let at = |corner: u32| points[corner as usize];
    let first = at(*corners.first()?);
    let (mut sum, mut area) = (DVec3::ZERO, 0.0);
    for (a, b) in sides_of(corners) {
        let twice = (at(a) - first).cross(at(b) - first).dot(normal);
        sum += (first + at(a) + at(b)) * (twice / 3.0);
        area += twice;
    }
    let middle = sum / area;
    let sees_all = |point: &DVec3| {
        sides_of(corners).all(|(a, b)| {
            let (from, way) = (at(a), at(b) - at(a));
            let inside = way.cross(*point - from).dot(normal) > near * way.length();
            let offset = *point - from;
            let along = offset / offset.length();
            let passes = corners.iter().all(|&other| {
                let to = at(other) - from;
                let place = to.dot(along);
                other == a || place <= 0.0 || (to - along * place).length_squared() > near * near
            });
            inside && passes
        })
    };
    let nearer = sides_of(corners).map(|(a, b)| ((at(a) + at(b)) * 0.5).lerp(middle, 0.5));
    std::iter::once(middle)
        .chain(nearer)
        .filter(|point| point.is_finite())
        .find(sees_all)
}

/// The ends of the longest side of a loop.
fn longest(corners: &[u32], points: &[DVec3]) -> [u32; 2] {
    let length = |&(a, b): &(u32, u32)| points[a as usize].distance_squared(points[b as usize]);
    let side = sides_of(corners).max_by(|a, b| length(a).total_cmp(&length(b)));
    side.map_or([corners[0]; 2], |(a, b)| [a, b])
}

/// Vertices that lie beside an edge and next to its end, so that no triangulation of the sliver between helps: each with the
/// end that it moves to.
fn snaps(
    points: &[DVec3],
    cuts: &FastMap<(u32, u32), Vec<u32>>,
    edges: &[(u32, u32)],
) -> FastMap<u32, u32> {
    let mut into: FastMap<u32, u32> = FastMap::default();
    let mut stays: BTreeSet<u32> = BTreeSet::new();
    for edge in edges {
        for &inside in cuts.get(edge).into_iter().flatten() {
            let near = |end: u32| {
                points[end as usize].distance(points[inside as usize]) < SNAP
                    && !into.contains_key(&end)
                    && !stays.contains(&inside)
            };
            if let Some(end) = [edge.0, edge.1].into_iter().find(|&end| near(end)) {
                into.insert(inside, end);
                stays.insert(end);
            }
        }
    }
    into
}

/// Vertices that can be left out, among those beside an edge and its ends: each with the one that takes its place. No triangle
/// may turn over or leave its plane by that.
fn collapses(
    work: &[Vec<Vec<u32>>],
    points: &[DVec3],
    normals: &[DVec3],
    cuts: &FastMap<(u32, u32), Vec<u32>>,
    edges: &[(u32, u32)],
    fixed: usize,
) -> FastMap<u32, u32> {
    let mut wanted: Vec<[u32; 2]> = Vec::new();
    for edge in edges {
        for &inside in cuts.get(edge).into_iter().flatten() {
            let mut ends = [edge.0, edge.1];
            let way = |end: u32| points[end as usize].distance_squared(points[inside as usize]);
            ends.sort_by(|&a, &b| way(a).total_cmp(&way(b)).then(a.cmp(&b)));
            wanted.extend(ends.iter().flat_map(|&end| [[inside, end], [end, inside]]));
        }
    }
    wanted.retain(|pair| pair[0] as usize >= fixed);
    let mut into: FastMap<u32, u32> = FastMap::default();
    if wanted.is_empty() {
        return into;
    }
    let mut users: FastMap<u32, Vec<(usize, &[u32])>> =
        wanted.iter().map(|pair| (pair[0], Vec::new())).collect();
    for (polygon, corners) in (0..)
        .zip(work)
        .flat_map(|(polygon, pieces)| pieces.iter().map(move |corners| (polygon, &corners[..])))
    {
        for corner in corners {
            if let Some(users) = users.get_mut(corner) {
                users.push((polygon, corners));
            }
        }
    }
    // Corners of triangles that change: they stay as they are in this round.
    let mut touched: BTreeSet<u32> = BTreeSet::new();
    for [from, to] in wanted {
        let mut around = users[&from].iter().flat_map(|user| user.1);
        if around.any(|corner| touched.contains(corner)) || touched.contains(&to) {
            continue;
        }
        let keeps = |&(polygon, corners): &(usize, &[u32])| {
            let normal = normals[polygon];
            let at = |corner: u32| points[if corner == from { to } else { corner } as usize];
            let off = normal.dot(points[to as usize] - points[from as usize]);
            let first = at(corners[0]);
            let twice: f64 = sides_of(corners)
                .map(|(a, b)| (at(a) - first).cross(at(b) - first).dot(normal))
                .sum();
            off.abs() < NEAR && (corners.contains(&to) || twice > 0.0)
        };
        if users[&from].iter().all(keeps) {
            into.insert(from, to);
            let around = users[&from].iter().flat_map(|user| user.1);
            touched.extend(around);
            touched.insert(to);
        }
    }
    into
}

/// Puts other vertices in the place of some, and forgets these in `cuts`.
fn move_corners(
    into: &FastMap<u32, u32>,
    work: &mut [Vec<Vec<u32>>],
    added: &mut [Vec<Added>],
    cuts: &mut FastMap<(u32, u32), Vec<u32>>,
) {
    if into.is_empty() {
        return;
    }
    cuts.retain(|_, inside| {
        inside.retain(|corner| !into.contains_key(corner));
        !inside.is_empty()
    });
    for (pieces, added) in work.iter_mut().zip(added) {
        for corners in pieces.iter_mut() {
            for corner in corners.iter_mut() {
                if let Some(&end) = into.get(corner) {
                    added.push(Added {
                        corner: end,
                        between: [*corner; 2],
                    });
                    *corner = end;
                }
            }
            tidy(corners);
        }
    }
}

/// Each corner of a loop with the next.
fn sides_of(corners: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    corners.iter().enumerate().map(|(i, &a)| {
        let b = corners[if i + 1 == corners.len() { 0 } else { i + 1 }];
        (a, b)
    })
}

/// Edges of a loop, lower number first.
fn edges_of(corners: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    sides_of(corners).map(|(a, b)| (a.min(b), a.max(b)))
}

/// The loop with the vertices that lie on its edges.
fn with_cuts(
    corners: Vec<u32>,
    cuts: &FastMap<(u32, u32), Vec<u32>>,
    added: &mut Vec<Added>,
) -> Vec<u32> {
    if !edges_of(&corners).any(|edge| cuts.contains_key(&edge)) {
        return corners;
    }
    let mut out = Vec::with_capacity(corners.len() + 4);
    for (a, b) in sides_of(&corners) {
        out.push(a);
        if let Some(inside) = cuts.get(&(a.min(b), a.max(b))) {
            added.extend(inside.iter().map(|&corner| Added {
                corner,
                between: [a, b],
            }));
            if a < b {
                out.extend(inside);
            } else {
                out.extend(inside.iter().rev());
            }
        }
    }
    tidy(&mut out);
    out
}

/// Which points are corners.
fn used<'a>(count: usize, loops: impl Iterator<Item = &'a Vec<u32>>) -> Vec<bool> {
    let mut used = vec![false; count];
    loops
        .flatten()
        .for_each(|&corner| used[corner as usize] = true);
    used
}

/// Used points by cell.
struct Grid {
    cell: f64,
    runs: FastMap<[i32; 3], (u32, u32)>,
    order: Vec<u32>,
    /// Points that came later, not by cell: there are few.
    late: Vec<u32>,
    /// By point.
    used: Vec<bool>,
}

impl Grid {
    fn new<'a>(points: &[DVec3], loops: impl Iterator<Item = &'a Vec<u32>>, cell: f64) -> Self {
        let used = used(points.len(), loops);
        let mut keyed: Vec<([i32; 3], u32)> = (0..points.len() as u32)
            .filter(|&i| used[i as usize])
            .map(|i| ((points[i as usize] / cell).floor().as_ivec3().to_array(), i))
            .collect();
        keyed.par_sort_unstable();
        let mut runs = FastMap::default();
        let mut start = 0;
        for run in keyed.chunk_by(|a, b| a.0 == b.0) {
            runs.insert(run[0].0, (start, start + run.len() as u32));
            start += run.len() as u32;
        }
        Self {
            cell,
            runs,
            order: keyed.into_iter().map(|(_, point)| point).collect(),
            late: Vec::new(),
            used,
        }
    }

    /// Leaves out the points that are corners of nothing any more.
    fn keep_used<'a>(&mut self, count: usize, loops: impl Iterator<Item = &'a Vec<u32>>) {
        self.used = used(count, loops);
    }

    /// Points inside an edge, within `near` of it, in order from its lower numbered end.
    fn between(&self, points: &[DVec3], (a, b): (u32, u32), near: f64) -> Vec<u32> {
        let (from, to) = (points[a as usize], points[b as usize]);
        let way = to - from;
        let length = way.length();
        let mut found: Vec<(f64, u32)> = Vec::new();
        if length <= 2.0 * EPS_WELD {
            return Vec::new();
        }
        let along = way / length;
        let mut consider = |point: u32| {
            if !self.used.get(point as usize).is_none_or(|used| *used) {
                return;
            }
            let offset = points[point as usize] - from;
            let place = offset.dot(along);
            let inside = place > EPS_WELD && place < length - EPS_WELD && point != a && point != b;
            if inside && (offset - along * place).length_squared() < near * near {
                found.push((place, point));
            }
        };
        let steps = (length / self.cell).ceil().max(1.0);
        for step in 0..steps as u32 {
            let (start, end) = (
                from + way * (f64::from(step) / steps),
                from + way * (f64::from(step + 1) / steps),
            );
            let low = ((start.min(end) - EPS_EDGE) / self.cell).floor().as_ivec3();
            let high = ((start.max(end) + EPS_EDGE) / self.cell).floor().as_ivec3();
            for x in low.x..=high.x {
                for y in low.y..=high.y {
                    for z in low.z..=high.z {
                        let Some(&(first, last)) = self.runs.get(&[x, y, z]) else {
                            continue;
                        };
                        self.order[first as usize..last as usize]
                            .iter()
                            .for_each(|&point| consider(point));
                    }
                }
            }
        }
        self.late.iter().for_each(|&point| consider(point));
        found.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        found.dedup();
        found.into_iter().map(|(_, point)| point).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many vertices lie beside the edges of triangles, and the area of all triangles, all facing up.
    fn faults(points: &[DVec3], repaired: &Repaired) -> (usize, f64) {
        let triangles: Vec<Vec<u32>> = repaired
            .triangles
            .iter()
            .flatten()
            .map(|corners| corners.to_vec())
            .collect();
        let grid = Grid::new(points, triangles.iter(), 16.0);
        let edges = triangles.iter().flat_map(|corners| edges_of(corners));
        let beside = edges.map(|edge| grid.between(points, edge, 0.01).len());
        let area = triangles.iter().map(|corners| {
            let [a, b, c] = [0, 1, 2].map(|i| points[corners[i] as usize]);
            (b - a).cross(c - a).y * 0.5
        });
        (beside.sum(), area.sum())
    }

    #[test]
    fn vertices_beside_edges_become_corners() {
        // A floor in two halves whose border runs past a corner that neither diagonal of the corners around it avoids.
        let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z);
        let border = [
            corner(-400.0, -181.571428),
            corner(-397.121951, -180.073170),
            corner(-397.0, -180.0),
            corner(-394.5, -178.5),
        ];
        for movable in [false, true] {
            let mut points = border.to_vec();
            points.extend([corner(-400.0, -150.0), corner(-394.5, -150.0)]);
            points.extend([corner(-394.5, -200.0), corner(-400.0, -200.0)]);
            // The sliver between the border and its ends, and what lies on both sides.
            let work = vec![
                vec![vec![3, 2, 1, 0]],
                vec![vec![0, 4, 5, 3]],
                vec![vec![0, 2, 3, 6, 7]],
            ];
            let whole = 5.5 * 50.0;
            let fixed = if movable { 1 } else { points.len() };
            let repaired = repaired(
                &mut points,
                work,
                &[DVec3::Y; 3],
                fixed,
                64.0,
                &Progress::new(),
            )
            .expect("nobody cancels");
            let (beside, area) = faults(&points, &repaired);
            assert_eq!(beside, 0, "movable {movable}");
            assert!((area - whole).abs() < 0.1, "movable {movable}: {area}");
            for (polygon, added) in repaired.added.iter().enumerate() {
                for added in added {
                    assert!(
                        added
                            .between
                            .iter()
                            .all(|&end| (end as usize) < points.len()),
                        "polygon {polygon}: {added:?}"
                    );
                }
            }
        }
    }
}
