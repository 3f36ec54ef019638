//! Triangles of flat, nearly convex polygons, collinear corners included (S5).

use glam::DVec3;

use crate::compiler::weld::EPS_WELD;

/// Up to this many corners the shortest triangulation is sought.
const EXACT: usize = 32;

/// Smaller triangles are made only where collinear corners force them (square units).
const EPS_AREA: f64 = 1.0 / 256.0;

/// Triangles thinner than this (twice the area, square units) are none at all.
const NOTHING: f64 = 1e-6;

/// Costs more than any length: a triangle without area, or turned over.
const BAD: f64 = 1e9;

/// What an edge through another corner costs besides.
const RUNS_THROUGH: f64 = 8.0 * BAD;

/// Triangles over corner numbers, counter-clockwise seen against `normal`. Triangles without area are left out. Returns `false`
/// where an edge inside had to pass another corner within `near`.
pub(crate) fn triangulate(
    corners: &[u32],
    points: &[DVec3],
    normal: DVec3,
    near: f64,
    out: &mut Vec<[u32; 3]>,
) -> bool {
    let mut sound = true;
    let mut stack = vec![corners.to_vec()];
    while let Some(corners) = stack.pop() {
        let polygon = Polygon {
            corners: &corners,
            points,
            normal,
            near,
        };
        if corners.len() <= 3 {
            polygon.push(0, 1, 2, out);
        } else if corners.len() <= EXACT {
            sound &= polygon.shortest(out);
        } else if let Some((i, j)) = polygon.chord() {
            stack.push(corners[i..=j].to_vec());
            stack.push(corners[j..].iter().chain(&corners[..=i]).copied().collect());
        } else {
            for i in 1..corners.len() - 1 {
                polygon.push(0, i, i + 1, out);
            }
        }
    }
    sound
}

struct Polygon<'a> {
    corners: &'a [u32],
    points: &'a [DVec3],
    normal: DVec3,
    near: f64,
}

impl Polygon<'_> {
    fn at(&self, i: usize) -> DVec3 {
        self.points[self.corners[i] as usize]
    }

    fn double_area(&self, i: usize, j: usize, k: usize) -> f64 {
        let a = self.at(i);
        (self.at(j) - a).cross(self.at(k) - a).dot(self.normal)
    }

    fn push(&self, i: usize, j: usize, k: usize, out: &mut Vec<[u32; 3]>) {
        if k < self.corners.len() && self.double_area(i, j, k) > NOTHING {
            out.push([self.corners[i], self.corners[j], self.corners[k]]);
        }
    }

    /// Cost of a diagonal: its length, and a lot when it runs through another corner, where it would have to be cut again.
    fn diagonal(&self, i: usize, k: usize) -> f64 {
        let (from, to) = (self.at(i), self.at(k));
        let length = from.distance(to);
        let along = (to - from) / length.max(EPS_WELD);
        let runs_through = (0..self.corners.len()).any(|j| {
            let offset = self.at(j) - from;
            let place = offset.dot(along);
            place > EPS_WELD
                && place < length - EPS_WELD
                && (offset - along * place).length_squared() < self.near * self.near
        });
        if runs_through {
            length + RUNS_THROUGH
        } else {
            length
        }
    }

    /// Least total length of diagonals, by dynamic programming. `false` where a diagonal runs through another corner.
    fn shortest(&self, out: &mut Vec<[u32; 3]>) -> bool {
        let n = self.corners.len();
        let mut cost = [[0.0f64; EXACT]; EXACT];
        let mut apex = [[0u8; EXACT]; EXACT];
        for span in 2..n {
            for i in 0..n - span {
                let k = i + span;
                let edge = if i == 0 && k == n - 1 {
                    0.0
                } else {
                    self.diagonal(i, k)
                };
                let price = |j: usize| {
                    let area = self.double_area(i, j, k);
                    let sound = area >= 2.0 * EPS_AREA;
                    let fault = 1.0 + 2.0 * EPS_AREA - area.max(-1e3);
                    cost[i][j] + cost[j][k] + edge + if sound { 0.0 } else { BAD * fault }
                };
                let mut best = (f64::INFINITY, i + 1);
                for j in i + 1..k {
                    let total = price(j);
                    if total < best.0 {
                        best = (total, j);
                    }
                }
                cost[i][k] = best.0;
                apex[i][k] = best.1 as u8;
            }
        }
        let mut stack = vec![(0, n - 1)];
        while let Some((i, k)) = stack.pop() {
            if k - i < 2 {
                continue;
            }
            let j = usize::from(apex[i][k]);
            self.push(i, j, k, out);
            stack.push((j, k));
            stack.push((i, j));
        }
        cost[0][n - 1] < RUNS_THROUGH
    }

    /// The shortest chord over half of the corners that leaves area on both sides.
    fn chord(&self) -> Option<(usize, usize)> {
        let n = self.corners.len();
        let area = |from: usize, to: usize| {
            let a = self.at(from % n);
            (from + 1..to)
                .map(|i| {
                    (self.at(i % n) - a)
                        .cross(self.at((i + 1) % n) - a)
                        .dot(self.normal)
                })
                .sum::<f64>()
        };
        let mut best: Option<(f64, usize)> = None;
        for i in 0..n / 2 {
            let j = i + n / 2;
            let length = self.at(i).distance_squared(self.at(j));
            if best.is_none_or(|best| length < best.0)
                && area(i, j) > 4.0 * EPS_AREA
                && area(j, i + n) > 4.0 * EPS_AREA
            {
                best = Some((length, i));
            }
        }
        best.map(|(_, i)| (i, i + n / 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
        triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| points[i as usize]);
                (b - a).cross(c - a).z * 0.5
            })
            .sum()
    }

    #[test]
    fn every_corner_is_used_and_no_triangle_is_empty() {
        // Squares with many points on their sides.
        for per_side in [1, 2, 5, 8, 20, 60] {
            let mut points = Vec::new();
            for side in 0..4 {
                let (from, to) = (
                    [(0.0, 0.0), (64.0, 0.0), (64.0, 64.0), (0.0, 64.0)][side],
                    [(64.0, 0.0), (64.0, 64.0), (0.0, 64.0), (0.0, 0.0)][side],
                );
                for i in 0..per_side {
                    let t = f64::from(i) / f64::from(per_side);
                    points.push(DVec3::new(
                        from.0 + (to.0 - from.0) * t,
                        from.1 + (to.1 - from.1) * t,
                        5.0,
                    ));
                }
            }
            let corners: Vec<u32> = (0..points.len() as u32).collect();
            let mut triangles = Vec::new();
            triangulate(&corners, &points, DVec3::Z, 1.0 / 64.0, &mut triangles);
            assert_eq!(
                triangles.len(),
                corners.len() - 2,
                "{per_side} points a side"
            );
            assert!((area(&points, &triangles) - 4096.0).abs() < 1e-6);
            assert!(
                corners
                    .iter()
                    .all(|corner| triangles.iter().flatten().any(|c| c == corner))
            );
        }
    }
}
