//! Rays against the triangles that cast shadows: an 8-wide box tree with packs of 8 triangles.
//!
//! The test of a triangle is the watertight one of Woop, Benthin and Wald (JCGT 2, 2013): corners are sheared into the plane
//! across the ray, each by itself, so that all triangles of an edge or a corner see the same numbers and no ray slips between them.
//! No fused multiply-add anywhere: the AVX2 path and the plain one give the same answers bit for bit.
#![allow(unsafe_code)] // one call of a function that needs AVX2, after asking whether the machine has it

use glam::DVec3;
use glam::Vec3;

use crate::compiler::raycast_build;

pub(super) const WIDTH: usize = 8;
/// A child that is not there.
pub(super) const NONE: u32 = u32::MAX;
/// Marks a child that is a pack of triangles.
pub(super) const PACK: u32 = 1 << 31;

pub(super) type Lane = [f32; WIDTH];

/// Eight boxes and what is in them.
#[repr(C, align(32))]
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub min: [Lane; 3],
    pub max: [Lane; 3],
    pub child: [u32; WIDTH],
}

/// Corners of eight triangles. Places left over hold a triangle without area, which nothing hits.
#[repr(C, align(32))]
#[derive(Clone, Copy)]
pub(super) struct Pack {
    pub corner: [[Lane; 3]; 3],
}

/// Triangles prepared for many rays. Positions are kept relative to the middle of all, where `f32` is finest.
#[derive(Default)]
pub struct TriangleTree {
    nodes: Vec<Node>,
    packs: Vec<Pack>,
    center: DVec3,
    /// Whether the AVX2 path may run.
    wide: bool,
}

/// A piece of a line, `from + t * delta` for t in 0..1.
#[derive(Clone, Copy)]
struct Segment {
    from: Vec3,
    inverse: Vec3,
    /// Axes of the shear: two across the ray, then the one it runs along most.
    axes: [usize; 3],
    /// What the shear takes off along the first two axes, and the scale along the third.
    shear: Vec3,
}

/// What one thread keeps between rays: room for the walk, and a guess at what is in the way.
#[derive(Default)]
pub struct RayState {
    stack: Vec<u32>,
}

impl TriangleTree {
    /// A tree over these triangles. Two-sided; triangles that are not finite are left out.
    #[must_use]
    pub fn build(triangles: &[[DVec3; 3]]) -> Self {
        let finite = |triangle: &&[DVec3; 3]| triangle.iter().all(|corner| corner.is_finite());
        let bounds =
            crate::geometry::Aabb::of_points(triangles.iter().filter(finite).flatten().copied());
        if bounds.is_empty() {
            return Self::default();
        }
        let center = bounds.center();
        let corners: Vec<[Vec3; 3]> = triangles
            .iter()
            .filter(finite)
            .map(|triangle| triangle.map(|corner| (corner - center).as_vec3()))
            .collect();
        let (nodes, packs) = raycast_build::tree_of(corners);
        Self {
            nodes,
            packs,
            center,
            wide: has_avx2(),
        }
    }

    /// True when a triangle meets the line between the two points, both ends excluded. `guess` is a pack that was hit by a ray
    /// like this one (any number is fine); it is set to the one hit now and has no influence on the answer.
    pub fn is_blocked(
        &self,
        from: DVec3,
        to: DVec3,
        guess: &mut u32,
        state: &mut RayState,
    ) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let segment = self.segment(from, to);
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: `wide` is set only where the processor has AVX2.
            return unsafe { avx2::is_blocked(self, &segment, guess, &mut state.stack) };
        }
        plain::is_blocked(self, &segment, guess, &mut state.stack)
    }

    /// The nearest meeting with the line between the points, as a share 0..1 of the way.
    #[must_use]
    pub fn nearest(&self, from: DVec3, to: DVec3, state: &mut RayState) -> Option<f32> {
        if self.nodes.is_empty() {
            return None;
        }
        let segment = self.segment(from, to);
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: as above.
            return unsafe { avx2::nearest(self, &segment, &mut state.stack) };
        }
        plain::nearest(self, &segment, &mut state.stack)
    }

    fn segment(&self, from: DVec3, to: DVec3) -> Segment {
        let start = (from - self.center).as_vec3();
        let delta = (to - from).as_vec3();
        // Keeps 0 * infinity out of the box test.
        let sound = |d: f32| {
            if d.abs() < 1e-20 {
                1e-20_f32.copysign(d)
            } else {
                d
            }
        };
        let inverse = Vec3::new(
            1.0 / sound(delta.x),
            1.0 / sound(delta.y),
            1.0 / sound(delta.z),
        );
        let longest = delta.abs();
        let along = if longest.x > longest.y && longest.x > longest.z {
            0
        } else {
            1 + usize::from(longest.z > longest.y)
        };
        let axes = [(along + 1) % 3, (along + 2) % 3, along];
        let scale = 1.0 / delta[along];
        let shear = Vec3::new(delta[axes[0]] * scale, delta[axes[1]] * scale, scale);
        Segment {
            from: start,
            inverse,
            axes,
            shear,
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
const fn has_avx2() -> bool {
    false
}

/// Far sides of boxes count a little farther, which makes up for rounding in the slab test.
const SLACK: f32 = 1.000_000_6;

/// The walk, the same for both kinds of arithmetic; `boxes` and `triangles` are what differs.
macro_rules! walks {
    ($(#[$target:meta])*) => {
        $(#[$target])*
        pub(super) fn is_blocked(tree: &TriangleTree, segment: &Segment, guess: &mut u32, stack: &mut Vec<u32>) -> bool {
            if let Some(pack) = tree.packs.get(*guess as usize)
                && triangles(pack, segment, &mut [0.0; WIDTH]) != 0
            {
                return true;
            }
            stack.clear();
            stack.push(0);
            while let Some(at) = stack.pop() {
                let node = &tree.nodes[at as usize];
                let mut mask = boxes(node, segment, 1.0);
                while mask != 0 {
                    let child = node.child[mask.trailing_zeros() as usize];
                    mask &= mask - 1;
                    if child & PACK == 0 {
                        stack.push(child);
                    } else if child != NONE {
                        let pack = child & !PACK;
                        if triangles(&tree.packs[pack as usize], segment, &mut [0.0; WIDTH]) != 0 {
                            *guess = pack;
                            return true;
                        }
                    }
                }
            }
            false
        }

        $(#[$target])*
        pub(super) fn nearest(tree: &TriangleTree, segment: &Segment, stack: &mut Vec<u32>) -> Option<f32> {
            let mut best = 1.0_f32;
            let mut found = false;
            stack.clear();
            stack.push(0);
            while let Some(at) = stack.pop() {
                let node = &tree.nodes[at as usize];
                let mut mask = boxes(node, segment, best);
                while mask != 0 {
                    let child = node.child[mask.trailing_zeros() as usize];
                    mask &= mask - 1;
                    if child & PACK == 0 {
                        stack.push(child);
                    } else if child != NONE {
                        let mut at_share = [0.0; WIDTH];
                        let mut hits = triangles(&tree.packs[(child & !PACK) as usize], segment, &mut at_share);
                        while hits != 0 {
                            best = best.min(at_share[hits.trailing_zeros() as usize]);
                            found = true;
                            hits &= hits - 1;
                        }
                    }
                }
            }
            found.then_some(best)
        }
    };
}

/// Arithmetic on arrays, which the compiler turns into whatever the target has.
mod plain {
    use super::*;

    walks!();

    pub(super) fn boxes(node: &Node, segment: &Segment, limit: f32) -> u32 {
        let mut near = [0.0_f32; WIDTH];
        let mut far = [limit; WIDTH];
        for axis in 0..3 {
            let (from, inverse) = (segment.from[axis], segment.inverse[axis]);
            let (first, last) = if inverse < 0.0 {
                (&node.max[axis], &node.min[axis])
            } else {
                (&node.min[axis], &node.max[axis])
            };
            for i in 0..WIDTH {
                let enter = (first[i] - from) * inverse;
                let leave = (last[i] - from) * inverse * SLACK;
                near[i] = if enter > near[i] { enter } else { near[i] };
                far[i] = if leave < far[i] { leave } else { far[i] };
            }
        }
        (0..WIDTH).fold(0, |mask, i| mask | (u32::from(near[i] <= far[i]) << i))
    }

    /// Which triangles the segment meets; `share` gets where.
    pub(super) fn triangles(pack: &Pack, segment: &Segment, share: &mut Lane) -> u32 {
        let (axes, shear) = (segment.axes, segment.shear);
        let mut mask = 0;
        for (i, share) in share.iter_mut().enumerate() {
            let corner = |c: usize| -> [f32; 3] {
                let [x, y, z] = axes.map(|axis| pack.corner[c][axis][i] - segment.from[axis]);
                [x - shear.x * z, y - shear.y * z, shear.z * z]
            };
            let (a, b, c) = (corner(0), corner(1), corner(2));
            let edge = |p: [f32; 3], q: [f32; 3]| p[0] * q[1] - p[1] * q[0];
            let (u, v, w) = (edge(c, b), edge(a, c), edge(b, a));
            let sum = u + v + w;
            let t = (u * a[2] + v * b[2] + w * c[2]) / sum;
            let inside = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
            *share = t;
            mask |= u32::from(inside && sum != 0.0 && t > 0.0 && t < 1.0) << i;
        }
        mask
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::*;

    walks!(#[target_feature(enable = "avx2")]);

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(lane: &Lane) -> __m256 {
        bytemuck::cast(*lane)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn boxes(node: &Node, segment: &Segment, limit: f32) -> u32 {
        let mut near = _mm256_setzero_ps();
        let mut far = _mm256_set1_ps(limit);
        let slack = _mm256_set1_ps(SLACK);
        for axis in 0..3 {
            let inverse = _mm256_set1_ps(segment.inverse[axis]);
            let from = _mm256_set1_ps(segment.from[axis]);
            let (first, last) = if segment.inverse[axis] < 0.0 {
                (&node.max[axis], &node.min[axis])
            } else {
                (&node.min[axis], &node.max[axis])
            };
            let enter = _mm256_mul_ps(_mm256_sub_ps(load(first), from), inverse);
            let leave = _mm256_mul_ps(
                _mm256_mul_ps(_mm256_sub_ps(load(last), from), inverse),
                slack,
            );
            near = _mm256_max_ps(enter, near);
            far = _mm256_min_ps(leave, far);
        }
        _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(near, far)) as u32
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn triangles(pack: &Pack, segment: &Segment, share: &mut Lane) -> u32 {
        let from = segment.axes.map(|axis| _mm256_set1_ps(segment.from[axis]));
        let shear = [
            _mm256_set1_ps(segment.shear.x),
            _mm256_set1_ps(segment.shear.y),
            _mm256_set1_ps(segment.shear.z),
        ];
        let corner = |c: usize| -> [__m256; 3] {
            let place = |k: usize| _mm256_sub_ps(load(&pack.corner[c][segment.axes[k]]), from[k]);
            let (x, y, z) = (place(0), place(1), place(2));
            [
                _mm256_sub_ps(x, _mm256_mul_ps(shear[0], z)),
                _mm256_sub_ps(y, _mm256_mul_ps(shear[1], z)),
                _mm256_mul_ps(shear[2], z),
            ]
        };
        let (a, b, c) = (corner(0), corner(1), corner(2));
        let edge = |p: &[__m256; 3], q: &[__m256; 3]| {
            _mm256_sub_ps(_mm256_mul_ps(p[0], q[1]), _mm256_mul_ps(p[1], q[0]))
        };
        let (u, v, w) = (edge(&c, &b), edge(&a, &c), edge(&b, &a));
        let zero = _mm256_setzero_ps();
        let front = |x: __m256| _mm256_cmp_ps::<_CMP_GE_OQ>(x, zero);
        let back = |x: __m256| _mm256_cmp_ps::<_CMP_LE_OQ>(x, zero);
        let all = |x: __m256, y: __m256, z: __m256| _mm256_and_ps(_mm256_and_ps(x, y), z);
        let inside = _mm256_or_ps(
            all(front(u), front(v), front(w)),
            all(back(u), back(v), back(w)),
        );
        if _mm256_movemask_ps(inside) == 0 {
            return 0;
        }
        let sum = _mm256_add_ps(_mm256_add_ps(u, v), w);
        let above = _mm256_add_ps(
            _mm256_add_ps(_mm256_mul_ps(u, a[2]), _mm256_mul_ps(v, b[2])),
            _mm256_mul_ps(w, c[2]),
        );
        let t = _mm256_div_ps(above, sum);
        *share = bytemuck::cast(t);
        let between = all(
            _mm256_cmp_ps::<_CMP_GT_OQ>(t, zero),
            _mm256_cmp_ps::<_CMP_LT_OQ>(t, _mm256_set1_ps(1.0)),
            _mm256_cmp_ps::<_CMP_NEQ_OQ>(sum, zero),
        );
        _mm256_movemask_ps(_mm256_and_ps(inside, between)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn unit(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 40) as f64 / f64::from(1 << 24)
        }

        fn point(&mut self, size: f64) -> DVec3 {
            (DVec3::new(self.unit(), self.unit(), self.unit()) - 0.5) * size
        }
    }

    /// Möller-Trumbore in f64.
    fn meets(triangle: &[DVec3; 3], from: DVec3, to: DVec3) -> Option<f64> {
        let delta = to - from;
        let (e1, e2) = (triangle[1] - triangle[0], triangle[2] - triangle[0]);
        let p = delta.cross(e2);
        let det = e1.dot(p);
        let s = from - triangle[0];
        let (u, q) = (s.dot(p) / det, s.cross(e1));
        let (v, t) = (delta.dot(q) / det, e2.dot(q) / det);
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0 && t < 1.0).then_some(t)
    }

    #[test]
    fn same_answers_as_testing_every_triangle_in_f64() {
        let mut random = Random(7);
        let triangles: Vec<[DVec3; 3]> = (0..600)
            .map(|_| {
                let place = random.point(1000.0) + DVec3::new(4000.0, 0.0, -9000.0);
                [
                    place,
                    place + random.point(150.0),
                    place + random.point(150.0),
                ]
            })
            .collect();
        let tree = TriangleTree::build(&triangles);
        let (mut state, mut guess, mut blocked, mut differ) = (RayState::default(), 0, 0, 0);
        for _ in 0..4000 {
            let from = random.point(1200.0) + DVec3::new(4000.0, 0.0, -9000.0);
            let to = from + random.point(900.0);
            let nearest = triangles
                .iter()
                .filter_map(|triangle| meets(triangle, from, to))
                .min_by(f64::total_cmp);
            let is_blocked = tree.is_blocked(from, to, &mut guess, &mut state);
            let plain = plain::is_blocked(
                &tree,
                &tree.segment(from, to),
                &mut u32::MAX.clone(),
                &mut state.stack,
            );
            assert_eq!(is_blocked, plain, "both paths agree");
            blocked += u32::from(is_blocked);
            differ += u32::from(is_blocked != nearest.is_some());
            let plain_share = plain::nearest(&tree, &tree.segment(from, to), &mut state.stack);
            assert_eq!(
                tree.nearest(from, to, &mut state),
                plain_share,
                "both paths agree"
            );
            if let (Some(t), Some(nearest)) = (tree.nearest(from, to, &mut state), nearest) {
                assert!((f64::from(t) - nearest).abs() < 1e-3, "{t} {nearest}");
            }
        }
        assert!(
            blocked > 300 && blocked < 3700,
            "{blocked} of 4000 blocked: the test shows something"
        );
        // Rays through the very edge may fall either way in f32.
        assert!(differ <= 4, "{differ} differ");
    }

    #[test]
    fn no_ray_slips_through_shared_edges() {
        // A bumpy sheet of 24 x 24 cells; rays aim at its corners and points of its edges.
        let mut random = Random(3);
        let size = 24;
        let corners: Vec<DVec3> = (0..=size)
            .flat_map(|z| (0..=size).map(move |x| (x, z)))
            .map(|(x, z)| DVec3::new(f64::from(x) * 37.3, 0.0, f64::from(z) * 41.7))
            .map(|place| place + DVec3::Y * random.unit() * 30.0)
            .collect();
        let at = |x: i32, z: i32| corners[(z * (size + 1) + x) as usize];
        let mut triangles = Vec::new();
        for z in 0..size {
            for x in 0..size {
                triangles.push([at(x, z), at(x, z + 1), at(x + 1, z)]);
                triangles.push([at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)]);
            }
        }
        let tree = TriangleTree::build(&triangles);
        let (mut state, mut guess) = (RayState::default(), 0);
        for _ in 0..20_000 {
            let (x, z) = (
                (random.unit() * 22.0) as i32 + 1,
                (random.unit() * 22.0) as i32 + 1,
            );
            let along = if random.unit() < 0.3 {
                0.0
            } else {
                random.unit()
            };
            let target = at(x, z).lerp(at(x + 1, z), along);
            let from = target
                + DVec3::new(
                    random.unit() * 40.0 - 20.0,
                    300.0,
                    random.unit() * 40.0 - 20.0,
                );
            let to = target + (target - from);
            assert!(
                tree.is_blocked(from, to, &mut guess, &mut state),
                "{from} -> {to}"
            );
        }
    }

    #[test]
    fn nothing_and_nonsense_block_nothing() {
        let mut state = RayState::default();
        let bad = [[DVec3::NAN; 3], [DVec3::ZERO; 3]];
        for triangles in [&bad[..0], &bad[..1], &bad[..]] {
            let tree = TriangleTree::build(triangles);
            assert!(!tree.is_blocked(DVec3::NEG_X, DVec3::X, &mut 0, &mut state));
            assert_eq!(tree.nearest(DVec3::NEG_X, DVec3::X, &mut state), None);
        }
        // Many equal triangles cannot be told apart by any plane.
        let same = vec![[DVec3::ZERO, DVec3::X, DVec3::Y]; 1000];
        let tree = TriangleTree::build(&same);
        assert!(tree.is_blocked(
            DVec3::new(0.2, 0.2, -1.0),
            DVec3::new(0.2, 0.2, 1.0),
            &mut 0,
            &mut state
        ));
        assert!(!tree.is_blocked(
            DVec3::new(0.2, 0.2, -1.0),
            DVec3::new(0.2, 0.2, -0.1),
            &mut 0,
            &mut state
        ));
    }
}
