//! Light that is known already, as that of an imported map: coloured triangles, asked for the light of places on them.

use std::fmt;

use glam::DVec3;
use glam::Vec3;
use smallvec::SmallVec;

use crate::compiler::Cmpl;
use crate::compiler::display;
use crate::geometry::Aabb;

/// A place takes the light of a triangle at most this far away, in units.
const REACH: f64 = 2.0;

/// Cosine between surfaces that are the same one.
const ALONG: f64 = 0.98;

/// Triangles of one leaf.
const LEAF: usize = 8;

/// Light by place. Of several triangles the nearest counts, so a place in the middle of one asks no other.
#[derive(Default)]
pub struct GivenLight {
    triangles: Vec<Lit>,
    nodes: Vec<Node>,
}

struct Lit {
    corners: [Vec3; 3],
    /// Unit; the mean of the corners'.
    normal: Vec3,
    /// Linear, at the corners.
    light: [Vec3; 3],
}

/// Children lie one after the other.
struct Node {
    bounds: Aabb,
    /// First child, or first triangle of a leaf.
    first: u32,
    /// Triangles of a leaf; 0 for a node with children.
    count: u32,
}

impl GivenLight {
    /// Of all batches; triangles without an area light nothing.
    #[must_use]
    pub fn of(cmpl: &Cmpl) -> Self {
        let decoded: Vec<f32> = (0..=255_u8)
            .map(|byte| display::decode(f64::from(byte) / 255.0) as f32)
            .collect();
        let mut triangles = Vec::new();
        for batch in &cmpl.batches {
            for indices in batch.indices.chunks_exact(3) {
                let corners = [0, 1, 2].map(|at| batch.vertices.get(indices[at] as usize));
                let [Some(a), Some(b), Some(c)] = corners else {
                    continue;
                };
                let vertices = [a, b, c];
                let corners = vertices.map(|vertex| vertex.position);
                let [a, b, c] = corners.map(Vec3::as_dvec3);
                let normal: DVec3 = vertices.map(|vertex| vertex.normal.as_dvec3()).iter().sum();
                let cross = (b - a).cross(c - a);
                let Some(normal) = normal.try_normalize() else {
                    continue;
                };
                if cross.length_squared() > 0.0 && cross.is_finite() {
                    let light = vertices.map(|vertex| {
                        let [red, green, blue, _] = vertex.rgba;
                        Vec3::from([red, green, blue].map(|byte| decoded[usize::from(byte)]))
                    });
                    triangles.push(Lit {
                        corners,
                        normal: normal.as_vec3(),
                        light,
                    });
                }
            }
        }
        let nodes = build(&mut triangles);
        Self { triangles, nodes }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Linear light at a place of a surface with this unit normal; `None` where no triangle lies.
    #[must_use]
    pub fn at(&self, place: DVec3, normal: DVec3) -> Option<Vec3> {
        let mut best: Option<(f64, Vec3)> = None;
        let mut waiting: SmallVec<[u32; 64]> = SmallVec::new();
        waiting.extend((!self.nodes.is_empty()).then_some(0));
        while let Some(index) = waiting.pop() {
            let node = &self.nodes[index as usize];
            let nearest = place.clamp(node.bounds.min, node.bounds.max);
            let limit = best.map_or(REACH * REACH, |best| best.0);
            if nearest.distance_squared(place) > limit {
                continue;
            }
            if node.count == 0 {
                waiting.extend([node.first + 1, node.first]);
                continue;
            }
            let leaf = node.first as usize..(node.first + node.count) as usize;
            for triangle in &self.triangles[leaf] {
                if triangle.normal.as_dvec3().dot(normal) < ALONG {
                    continue;
                }
                let corners = triangle.corners.map(Vec3::as_dvec3);
                let shares = nearest_shares(corners, place);
                let nearest: DVec3 = (0..3).map(|at| corners[at] * shares[at]).sum();
                let distance = nearest.distance_squared(place);
                if distance.is_nan()
                    || distance > REACH * REACH
                    || best.is_some_and(|best| best.0 <= distance)
                {
                    continue;
                }
                let light = (0..3).map(|at| triangle.light[at] * shares[at] as f32);
                best = Some((distance, light.sum()));
            }
        }
        best.map(|best| best.1)
    }
}

impl fmt::Debug for GivenLight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GivenLight({} triangles)", self.triangles.len())
    }
}

/// Orders the triangles and makes boxes around them: halves along the longest side, until few are left. An own stack instead of
/// recursion.
fn build(triangles: &mut [Lit]) -> Vec<Node> {
    let mut nodes = Vec::new();
    if triangles.is_empty() {
        return nodes;
    }
    let empty = || Node {
        bounds: Aabb::EMPTY,
        first: 0,
        count: 0,
    };
    nodes.push(empty());
    let mut waiting = vec![(0, 0, triangles.len())];
    while let Some((node, from, to)) = waiting.pop() {
        let part = &mut triangles[from..to];
        let bounds = Aabb::of_points(
            part.iter()
                .flat_map(|triangle| triangle.corners.map(Vec3::as_dvec3)),
        );
        let first = if part.len() <= LEAF {
            from
        } else {
            let size = bounds.size();
            let axis = (0..3).fold(
                0,
                |best, axis| {
                    if size[axis] > size[best] { axis } else { best }
                },
            );
            let middle = part.len() / 2;
            let sum = |triangle: &Lit| -> f64 {
                let along = triangle
                    .corners
                    .iter()
                    .map(|corner| f64::from(corner[axis]));
                along.sum()
            };
            part.select_nth_unstable_by(middle, |a, b| sum(a).total_cmp(&sum(b)));
            let first = nodes.len();
            nodes.push(empty());
            nodes.push(empty());
            waiting.push((first + 1, from + middle, to));
            waiting.push((first, from, from + middle));
            first
        };
        nodes[node] = Node {
            bounds,
            first: first as u32,
            count: if to - from <= LEAF {
                (to - from) as u32
            } else {
                0
            },
        };
    }
    nodes
}

/// How much each corner counts at the place of a triangle that is nearest to a point; they sum to 1. (By the region of the plane
/// that the point is over: a corner's, an edge's or the inside.)
fn nearest_shares([a, b, c]: [DVec3; 3], point: DVec3) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    let (from_a, from_b, from_c) = (point - a, point - b, point - c);
    let (a_ab, a_ac) = (ab.dot(from_a), ac.dot(from_a));
    if a_ab <= 0.0 && a_ac <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let (b_ab, b_ac) = (ab.dot(from_b), ac.dot(from_b));
    if b_ab >= 0.0 && b_ac <= b_ab {
        return [0.0, 1.0, 0.0];
    }
    let beside_ab = a_ab * b_ac - b_ab * a_ac;
    if beside_ab <= 0.0 && a_ab >= 0.0 && b_ab <= 0.0 {
        let share = a_ab / (a_ab - b_ab);
        return [1.0 - share, share, 0.0];
    }
    let (c_ab, c_ac) = (ab.dot(from_c), ac.dot(from_c));
    if c_ac >= 0.0 && c_ab <= c_ac {
        return [0.0, 0.0, 1.0];
    }
    let beside_ac = c_ab * a_ac - a_ab * c_ac;
    if beside_ac <= 0.0 && a_ac >= 0.0 && c_ac <= 0.0 {
        let share = a_ac / (a_ac - c_ac);
        return [1.0 - share, 0.0, share];
    }
    let beside_bc = b_ab * c_ac - c_ab * b_ac;
    let (along, back) = (b_ac - b_ab, c_ab - c_ac);
    if beside_bc <= 0.0 && along >= 0.0 && back >= 0.0 {
        let share = along / (along + back);
        return [0.0, 1.0 - share, share];
    }
    let whole = beside_ab + beside_ac + beside_bc;
    let (of_b, of_c) = (beside_ac / whole, beside_ab / whole);
    [1.0 - of_b - of_c, of_b, of_c]
}

#[cfg(test)]
#[path = "given_light_tests.rs"]
mod tests;
