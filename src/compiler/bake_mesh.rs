//! The surface of one model while it is being refined: triangles, and edges that know every face which meets at them.

use glam::DVec3;
use smallvec::SmallVec;

use crate::compiler::ModelMesh;
use crate::compiler::Patch;
use crate::compiler::PatchVertex;

pub(super) const NONE: u32 = u32::MAX;

/// One triangle; edge `k` runs from corner `k` to the next.
#[derive(Clone, Copy)]
pub(super) struct Triangle {
    pub patch: u32,
    /// Indices into the patch's vertices.
    pub corners: [u32; 3],
    pub edges: [u32; 3],
}

/// One patch at an edge. Patches of the same class share their samples.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub patch: u32,
    /// The patch's vertices at the two ends of the edge.
    pub vertices: [u32; 2],
    /// Where the edge is the rim of its class: the unit direction to the inside, across the edge.
    pub inward: Option<DVec3>,
    /// How deep the triangle at the edge is.
    pub depth: f64,
}

pub(super) struct Edge {
    /// Positions, the lower index first.
    pub ends: [u32; 2],
    /// Ascending by patch, without repeats.
    pub sides: SmallVec<[Side; 2]>,
    /// Index into this round's cuts.
    pub cut: u32,
}

/// A vertex in the middle of an edge.
pub(super) struct Cut {
    /// One new patch vertex per side.
    pub vertices: SmallVec<[u32; 2]>,
    /// From the first end to the middle, and from there to the second.
    pub halves: [u32; 2],
}

/// The growing surface of a model.
pub(super) struct Surface {
    pub triangles: Vec<Triangle>,
    pub edges: Vec<Edge>,
    /// Per patch: patches with the same number lie in one plane and share samples; [`NONE`] for unlit ones.
    pub class: Vec<u32>,
    /// Per patch and vertex: its sample; [`NONE`] for unlit patches.
    pub samples: Vec<Vec<u32>>,
    /// How many classes and samples there are.
    pub sample_count: u32,
}

impl Surface {
    pub(super) fn new(mesh: &ModelMesh) -> Self {
        let class = classes(mesh);
        let (samples, sample_count) = number_samples(mesh, &class);
        let mut surface = Self {
            triangles: Vec::new(),
            edges: Vec::new(),
            class,
            samples,
            sample_count,
        };
        surface.link(mesh);
        surface
    }

    /// Makes triangles and edges: half edges sorted by their ends, so that the numbers depend on nothing else.
    fn link(&mut self, mesh: &ModelMesh) {
        let mut halves: Vec<([u32; 2], u32, u32, u32)> = Vec::new();
        for (patch_index, patch) in mesh.patches.iter().enumerate() {
            for &corners in &patch.triangles {
                let triangle = self.triangles.len() as u32;
                let places = corners.map(|corner| patch.vertices[corner as usize].position);
                for k in 0..3 {
                    let (a, b) = (places[k], places[(k + 1) % 3]);
                    halves.push(([a.min(b), a.max(b)], patch_index as u32, triangle, k as u32));
                }
                self.triangles.push(Triangle {
                    patch: patch_index as u32,
                    corners,
                    edges: [NONE; 3],
                });
            }
        }
        halves.sort_unstable();
        for group in halves.chunk_by(|a, b| a.0 == b.0) {
            let edge = self.edges.len() as u32;
            let mut sides: SmallVec<[Side; 2]> = SmallVec::new();
            for &(ends, patch, triangle, k) in group {
                self.triangles[triangle as usize].edges[k as usize] = edge;
                if sides.last().is_some_and(|side| side.patch == patch) {
                    continue;
                }
                let class = self.class[patch as usize];
                let shared = group
                    .iter()
                    .filter(|half| self.class[half.1 as usize] == class)
                    .count()
                    > 1;
                sides.push(self.side(mesh, ends, triangle, k as usize, shared));
            }
            self.edges.push(Edge {
                ends: group[0].0,
                sides,
                cut: NONE,
            });
        }
    }

    fn side(
        &self,
        mesh: &ModelMesh,
        ends: [u32; 2],
        triangle: u32,
        k: usize,
        shared: bool,
    ) -> Side {
        let triangle = &self.triangles[triangle as usize];
        let patch = &mesh.patches[triangle.patch as usize];
        let corner = |k: usize| triangle.corners[k % 3];
        let place = |k: usize| place_of(mesh, patch, corner(k));
        let (a, b, opposite) = (place(k), place(k + 1), place(k + 2));
        let inward = patch.plane.normal.cross(b - a).normalize_or_zero();
        let forwards = patch.vertices[corner(k) as usize].position == ends[0];
        let vertices = if forwards {
            [corner(k), corner(k + 1)]
        } else {
            [corner(k + 1), corner(k)]
        };
        let inner = shared || inward == DVec3::ZERO;
        Side {
            patch: triangle.patch,
            vertices,
            inward: (!inner).then_some(inward),
            depth: inward.dot(opposite - a).abs(),
        }
    }

    /// Cuts an edge at `share` of its way: a new position, and a vertex in every patch that meets there. Samples are given
    /// later. The halves are new edges.
    pub(super) fn cut(&mut self, mesh: &mut ModelMesh, edge_index: u32, share: f64) -> Cut {
        let [first, second] = self.edges[edge_index as usize].ends;
        let position = mesh.positions.len() as u32;
        let place = mesh.positions[first as usize].lerp(mesh.positions[second as usize], share);
        mesh.positions.push(place);
        let sides = self.edges[edge_index as usize].sides.clone();
        let mut vertices = SmallVec::new();
        let mut halves = [sides.clone(), sides.clone()];
        for (at, side) in sides.iter().enumerate() {
            let patch = &mut mesh.patches[side.patch as usize];
            let vertex = patch.vertices.len() as u32;
            let [a, b] = side.vertices.map(|vertex| patch.vertices[vertex as usize]);
            patch.vertices.push(between(
                patch.plane.normal.as_vec3(),
                a,
                b,
                share as f32,
                position,
            ));
            self.samples[side.patch as usize].push(NONE);
            vertices.push(vertex);
            halves[0][at].vertices[1] = vertex;
            halves[1][at].vertices[0] = vertex;
        }
        let [near, far] = halves;
        let (left, right) = (self.edges.len() as u32, self.edges.len() as u32 + 1);
        // New positions have the highest index, so the old end comes first in both.
        self.edges.push(Edge {
            ends: [first, position],
            sides: near,
            cut: NONE,
        });
        let turned = far
            .into_iter()
            .map(|side| Side {
                vertices: [side.vertices[1], side.vertices[0]],
                ..side
            })
            .collect();
        self.edges.push(Edge {
            ends: [second, position],
            sides: turned,
            cut: NONE,
        });
        Cut {
            vertices,
            halves: [left, right],
        }
    }

    /// Rebuilds the triangles at cut edges; returns the first of the edges that this makes inside old triangles.
    pub(super) fn rebuild(&mut self, mesh: &ModelMesh, cuts: &[Cut]) -> usize {
        let first_new = self.edges.len();
        let old = std::mem::take(&mut self.triangles);
        for triangle in old {
            let count = triangle
                .edges
                .iter()
                .filter(|&&edge| self.edges[edge as usize].cut != NONE)
                .count();
            match count {
                0 => self.triangles.push(triangle),
                1 => self.rebuild_one(mesh, cuts, triangle),
                2 => self.rebuild_two(mesh, cuts, triangle),
                _ => self.rebuild_three(mesh, cuts, triangle),
            }
        }
        self.join_twins(first_new);
        first_new
    }

    /// Edges from `first` on that have equal ends become one: both sides of a surface that is drawn from both are cut alike.
    fn join_twins(&mut self, first: usize) {
        let mut order: Vec<([u32; 2], usize)> = self.edges[first..]
            .iter()
            .zip(first..)
            .map(|(edge, index)| (edge.ends, index))
            .collect();
        order.sort_unstable();
        if order.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            return;
        }
        // By old number: the lowest of the twins.
        let mut lowest: Vec<usize> = (first..self.edges.len()).collect();
        for twins in order.chunk_by(|a, b| a.0 == b.0) {
            let mut sides: SmallVec<[Side; 2]> = SmallVec::new();
            for &(_, index) in twins {
                lowest[index - first] = twins[0].1;
                sides.extend(self.edges[index].sides.iter().copied());
            }
            sides.sort_by_key(|side| side.patch);
            sides.dedup_by_key(|side| side.patch);
            self.edges[twins[0].1].sides = sides;
        }
        let mut number = vec![NONE; lowest.len()];
        let mut kept = first;
        for old in first..first + lowest.len() {
            if lowest[old - first] == old {
                number[old - first] = kept as u32;
                self.edges.swap(kept, old);
                kept += 1;
            }
        }
        self.edges.truncate(kept);
        for edge in self.triangles.iter_mut().flat_map(|t| &mut t.edges) {
            if let Some(old) = (*edge as usize).checked_sub(first) {
                *edge = number[lowest[old] - first];
            }
        }
    }

    /// The vertex in the middle of a triangle's edge `k`, and the halves in the order of the triangle.
    fn middle(
        &self,
        cuts: &[Cut],
        triangle: &Triangle,
        k: usize,
        mesh: &ModelMesh,
    ) -> (u32, u32, u32) {
        let edge = &self.edges[triangle.edges[k] as usize];
        let cut = &cuts[edge.cut as usize];
        let side = edge
            .sides
            .iter()
            .position(|side| side.patch == triangle.patch)
            .expect("a triangle's patch is a side of its edges");
        let start =
            mesh.patches[triangle.patch as usize].vertices[triangle.corners[k] as usize].position;
        let [near, far] = if edge.ends[0] == start {
            cut.halves
        } else {
            [cut.halves[1], cut.halves[0]]
        };
        (cut.vertices[side], near, far)
    }

    /// A new edge inside a patch.
    fn inner_edge(&mut self, mesh: &ModelMesh, patch: u32, a: u32, b: u32) -> u32 {
        let position =
            |vertex: u32| mesh.patches[patch as usize].vertices[vertex as usize].position;
        let (a, b) = if position(a) < position(b) {
            (a, b)
        } else {
            (b, a)
        };
        let side = Side {
            patch,
            vertices: [a, b],
            inward: None,
            depth: 0.0,
        };
        self.edges.push(Edge {
            ends: [position(a), position(b)],
            sides: SmallVec::from_slice(&[side]),
            cut: NONE,
        });
        self.edges.len() as u32 - 1
    }

    fn push(&mut self, patch: u32, corners: [u32; 3], edges: [u32; 3]) {
        self.triangles.push(Triangle {
            patch,
            corners,
            edges,
        });
    }

    fn rebuild_one(&mut self, mesh: &ModelMesh, cuts: &[Cut], triangle: Triangle) {
        let k = (0..3)
            .find(|&k| self.is_cut(triangle.edges[k]))
            .expect("one edge is cut");
        let ([a, b, c], [_, bc, ca]) = (turned(triangle.corners, k), turned(triangle.edges, k));
        let (m, near, far) = self.middle(cuts, &triangle, k, mesh);
        let inner = self.inner_edge(mesh, triangle.patch, m, c);
        self.push(triangle.patch, [a, m, c], [near, inner, ca]);
        self.push(triangle.patch, [m, b, c], [far, bc, inner]);
    }

    fn rebuild_two(&mut self, mesh: &ModelMesh, cuts: &[Cut], triangle: Triangle) {
        let whole = (0..3)
            .find(|&k| !self.is_cut(triangle.edges[k]))
            .expect("one edge is whole");
        let k = (whole + 1) % 3;
        let ([a, b, c], [_, _, ca]) = (turned(triangle.corners, k), turned(triangle.edges, k));
        let (m, m_near, m_far) = self.middle(cuts, &triangle, k, mesh);
        let (n, n_near, n_far) = self.middle(cuts, &triangle, (k + 1) % 3, mesh);
        let patch = &mesh.patches[triangle.patch as usize];
        let length =
            |p: u32, q: u32| place_of(mesh, patch, p).distance_squared(place_of(mesh, patch, q));
        let lowest = |p: u32, q: u32| {
            patch.vertices[p as usize]
                .position
                .min(patch.vertices[q as usize].position)
        };
        let (to_n, to_c) = (length(a, n), length(m, c));
        let from_a = to_n < to_c || (to_n == to_c && lowest(a, n) < lowest(m, c));
        let inner = self.inner_edge(mesh, triangle.patch, m, n);
        self.push(triangle.patch, [m, b, n], [m_far, n_near, inner]);
        if from_a {
            let diagonal = self.inner_edge(mesh, triangle.patch, a, n);
            self.push(triangle.patch, [a, m, n], [m_near, inner, diagonal]);
            self.push(triangle.patch, [a, n, c], [diagonal, n_far, ca]);
        } else {
            let diagonal = self.inner_edge(mesh, triangle.patch, m, c);
            self.push(triangle.patch, [a, m, c], [m_near, diagonal, ca]);
            self.push(triangle.patch, [m, n, c], [inner, n_far, diagonal]);
        }
    }

    fn rebuild_three(&mut self, mesh: &ModelMesh, cuts: &[Cut], triangle: Triangle) {
        let middles: [(u32, u32, u32); 3] =
            std::array::from_fn(|k| self.middle(cuts, &triangle, k, mesh));
        let inner: [u32; 3] = std::array::from_fn(|k| {
            self.inner_edge(mesh, triangle.patch, middles[(k + 2) % 3].0, middles[k].0)
        });
        for k in 0..3 {
            let before = middles[(k + 2) % 3];
            self.push(
                triangle.patch,
                [before.0, triangle.corners[k], middles[k].0],
                [before.2, middles[k].1, inner[k]],
            );
        }
        // inner[k] joins the middles before and after corner k.
        self.push(
            triangle.patch,
            middles.map(|middle| middle.0),
            [inner[1], inner[2], inner[0]],
        );
    }

    fn is_cut(&self, edge: u32) -> bool {
        self.edges[edge as usize].cut != NONE
    }
}

/// The three values, beginning with number `k`.
fn turned(values: [u32; 3], k: usize) -> [u32; 3] {
    std::array::from_fn(|i| values[(k + i) % 3])
}

pub(super) fn place_of(mesh: &ModelMesh, patch: &Patch, vertex: u32) -> DVec3 {
    mesh.positions[patch.vertices[vertex as usize].position as usize]
}

pub(super) fn between(
    plane_normal: glam::Vec3,
    a: PatchVertex,
    b: PatchVertex,
    share: f32,
    position: u32,
) -> PatchVertex {
    // A flat patch keeps its normal bit for bit.
    let normal = if a.normal == b.normal {
        a.normal
    } else {
        a.normal.lerp(b.normal, share).normalize_or(plane_normal)
    };
    PatchVertex {
        position,
        normal,
        uv: a.uv.lerp(b.uv, share),
        rgba: a.rgba,
    }
}

/// True when the vertex normals are the plane's.
fn is_flat(patch: &Patch) -> bool {
    let normal = patch.plane.normal.as_vec3();
    patch
        .vertices
        .iter()
        .all(|vertex| vertex.normal.distance_squared(normal) < 1e-8)
}

/// Numbers the planes, in the order of the patches. Smooth patches are each a class of their own.
fn classes(mesh: &ModelMesh) -> Vec<u32> {
    let key = |patch: &Patch| {
        let plane = patch.plane;
        // + 0.0 makes -0.0 equal to 0.0.
        [plane.normal.x, plane.normal.y, plane.normal.z, plane.dist]
            .map(|number| (number + 0.0).to_bits())
    };
    let mut order: Vec<([u64; 4], u32, u32)> = Vec::new();
    for (index, patch) in mesh.patches.iter().enumerate() {
        if !patch.unlit {
            let index = index as u32;
            order.push((
                key(patch),
                if is_flat(patch) { 0 } else { index + 1 },
                index,
            ));
        }
    }
    order.sort_unstable();
    let mut class = vec![NONE; mesh.patches.len()];
    for group in order.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        // The lowest patch of the plane names it.
        for item in group {
            class[item.2 as usize] = group[0].2;
        }
    }
    class
}

/// One sample per (class, position). Numbered in the order of the patches, so that neighbours are near.
fn number_samples(mesh: &ModelMesh, class: &[u32]) -> (Vec<Vec<u32>>, u32) {
    let mut samples: Vec<Vec<u32>> = mesh
        .patches
        .iter()
        .map(|patch| vec![NONE; patch.vertices.len()])
        .collect();
    let mut places: Vec<(u32, u32, u32, u32)> = Vec::new();
    for (index, patch) in mesh.patches.iter().enumerate() {
        if class[index] != NONE {
            for (at, vertex) in patch.vertices.iter().enumerate() {
                places.push((class[index], vertex.position, index as u32, at as u32));
            }
        }
    }
    places.sort_unstable();
    let mut count = 0;
    for group in places.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        for &(_, _, patch, vertex) in group {
            samples[patch as usize][vertex as usize] = count;
        }
        count += 1;
    }
    (samples, count)
}
