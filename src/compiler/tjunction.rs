//! Every vertex that lies on an edge becomes a corner of it, and polygons become triangles (S5).
//!
//! Done in rounds: diagonals of the first triangles can run through vertices of faces that touch there, so their edges are
//! looked at again. At the end each edge is either whole on both sides or cut alike on both.

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
const ROUNDS: usize = 8;

/// From this round on vertices move instead.
const STUBBORN: usize = 4;

/// How far, at most.
const SNAP: f64 = 2.0 * EPS_EDGE;

/// Triangles by polygon, and how many vertices were put into edges of polygons.
pub(crate) struct Repaired {
    pub(crate) triangles: Vec<Vec<[u32; 3]>>,
    pub(crate) inserted: usize,
}

/// Repairs and triangulates the polygons (corner numbers and unit normals) of one model. `cell` is the size of the look-up
/// grid in units.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(crate) fn repaired(
    points: &[DVec3],
    loops: &[Vec<u32>],
    normals: &[DVec3],
    cell: f64,
    progress: &Progress,
) -> Result<Repaired, Cancelled> {
    let grid = Grid::new(points, loops, cell);
    let mut work: Vec<Vec<Vec<u32>>> = loops
        .par_iter()
        .map(|corners| {
            if corners.len() < 3 {
                Vec::new()
            } else {
                vec![corners.clone()]
            }
        })
        .collect();
    // Edges that no vertex lies on.
    let mut clean: Vec<(u32, u32)> = Vec::new();
    let mut inserted = 0;
    for round in 0..=ROUNDS {
        progress.check()?;
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
                Ok((edge, grid.between(points, edge)))
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
        if round >= STUBBORN && !cuts.is_empty() {
            snap(&mut work, points, &cuts, &edges);
            continue;
        }
        if cuts.is_empty() && round > 0 {
            break;
        }
        work.par_iter_mut()
            .zip(normals)
            .for_each(|(pieces, &normal)| {
                let mut next = Vec::with_capacity(pieces.len() * 2);
                for mut corners in std::mem::take(pieces) {
                    if edges_of(&corners).any(|edge| cuts.contains_key(&edge)) {
                        corners = with_cuts(&corners, &cuts);
                    }
                    if corners.len() == 3 {
                        next.push(corners);
                    } else if corners.len() > 3 {
                        let mut triangles = Vec::with_capacity(corners.len() - 2);
                        triangulate(&corners, points, normal, &mut triangles);
                        next.extend(triangles.into_iter().map(Vec::from));
                    }
                }
                *pieces = next;
            });
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
    })
}

/// A vertex that lies beside an edge and next to its end, so that no triangulation of the sliver between helps, moves to the
/// end; other vertices are left as they are.
fn snap(
    work: &mut [Vec<Vec<u32>>],
    points: &[DVec3],
    cuts: &FastMap<(u32, u32), Vec<u32>>,
    edges: &[(u32, u32)],
) {
    let mut into: FastMap<u32, u32> = FastMap::default();
    for edge in edges {
        for &inside in cuts.get(edge).into_iter().flatten() {
            let near = |end: u32| {
                points[end as usize].distance(points[inside as usize]) < SNAP
                    && !into.contains_key(&end)
            };
            if let Some(end) = [edge.0, edge.1].into_iter().find(|&end| near(end)) {
                into.insert(inside, end);
            }
        }
    }
    for pieces in work {
        for corners in pieces.iter_mut() {
            for corner in corners.iter_mut() {
                *corner = into.get(corner).copied().unwrap_or(*corner);
            }
            tidy(corners);
        }
    }
}

/// Edges of a loop, lower number first.
fn edges_of(corners: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    corners.iter().enumerate().map(|(i, &a)| {
        let b = corners[if i + 1 == corners.len() { 0 } else { i + 1 }];
        (a.min(b), a.max(b))
    })
}

fn with_cuts(corners: &[u32], cuts: &FastMap<(u32, u32), Vec<u32>>) -> Vec<u32> {
    let mut out = Vec::with_capacity(corners.len() + 4);
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        out.push(a);
        if let Some(inside) = cuts.get(&(a.min(b), a.max(b))) {
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

/// Used points by cell.
struct Grid {
    cell: f64,
    runs: FastMap<[i32; 3], (u32, u32)>,
    order: Vec<u32>,
}

impl Grid {
    fn new(points: &[DVec3], loops: &[Vec<u32>], cell: f64) -> Self {
        let mut used = vec![false; points.len()];
        loops
            .iter()
            .flatten()
            .for_each(|&corner| used[corner as usize] = true);
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
        }
    }

    /// Points inside an edge, in order from its lower numbered end.
    fn between(&self, points: &[DVec3], (a, b): (u32, u32)) -> Vec<u32> {
        let (from, to) = (points[a as usize], points[b as usize]);
        let way = to - from;
        let length = way.length();
        let mut found: Vec<(f64, u32)> = Vec::new();
        if length <= 2.0 * EPS_WELD {
            return Vec::new();
        }
        let along = way / length;
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
                        for &point in &self.order[first as usize..last as usize] {
                            let offset = points[point as usize] - from;
                            let place = offset.dot(along);
                            let inside = place > EPS_WELD
                                && place < length - EPS_WELD
                                && point != a
                                && point != b;
                            if inside
                                && (offset - along * place).length_squared() < EPS_EDGE * EPS_EDGE
                            {
                                found.push((place, point));
                            }
                        }
                    }
                }
            }
        }
        found.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        found.dedup();
        found.into_iter().map(|(_, point)| point).collect()
    }
}
