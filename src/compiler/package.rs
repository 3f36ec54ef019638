//! Patches as batches, and the boxes of everything (S10, D33 to D35).

use glam::DVec3;
use glam::Vec2;
use glam::Vec3;
use rayon::prelude::*;

use crate::compiler::Batch;
use crate::compiler::BatchSource;
use crate::compiler::Box3;
use crate::compiler::ModelMesh;
use crate::compiler::OriginRun;
use crate::compiler::Origins;
use crate::compiler::Patch;
use crate::compiler::PatchUv;
use crate::compiler::Vertex;
use crate::compiler::fragments::BLOCK;
use crate::compiler::hash::FastMap;
use crate::geometry::Aabb;
use crate::task::Cancelled;
use crate::task::Progress;

/// A batch is split before it has more vertices (D34).
const MOST_VERTICES: usize = 1_048_576;

/// Triangles whose written positions span less (twice the area) are not drawn.
const NOTHING: f32 = 1e-6;

/// What one batch shares, in the order of batches.
type Key = (i32, BatchSource, i32);

/// Batches with the origins of their triangles, sorted by (model, source, material); inside a batch by block, then by place.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(crate) fn batches(
    meshes: &[ModelMesh],
    base: f64,
    progress: &Progress,
) -> Result<(Vec<Batch>, Vec<Origins>), Cancelled> {
    let mut keyed: Vec<(Key, [i32; 3], u64, u32, u32)> = meshes
        .par_iter()
        .enumerate()
        .flat_map_iter(|(mesh, model)| {
            model.patches.iter().zip(0u32..).map(move |(patch, index)| {
                let material = patch.material.map_or(-1, |id| id.0 as i32);
                let (block, morton) = place(model, patch, base);
                (
                    (model.model as i32, patch.source, material),
                    block,
                    morton,
                    mesh as u32,
                    index,
                )
            })
        })
        .collect();
    keyed.par_sort_unstable();
    let groups: Vec<_> = keyed.chunk_by(|a, b| a.0 == b.0).collect();
    let made: Vec<Vec<(Batch, Origins)>> = groups
        .par_iter()
        .map(|group| {
            let mut packer = Packer::new(group[0].0);
            for &(_, _, _, mesh, patch) in *group {
                progress.check()?;
                let model = &meshes[mesh as usize];
                packer.add(model, &model.patches[patch as usize]);
            }
            Ok(packer.finish())
        })
        .collect::<Result<_, Cancelled>>()?;
    Ok(made.into_iter().flatten().unzip())
}

/// Block, and Morton order of the centre in it.
fn place(model: &ModelMesh, patch: &Patch, base: f64) -> ([i32; 3], u64) {
    let bounds = Aabb::of_points(
        patch
            .vertices
            .iter()
            .map(|vertex| model.positions[vertex.position as usize]),
    );
    if bounds.is_empty() {
        return ([0; 3], 0);
    }
    let at = bounds.center() / (BLOCK * base);
    let cell = at.floor();
    let inside = ((at - cell) * 1024.0)
        .as_uvec3()
        .min(glam::UVec3::splat(1023));
    let mut morton = 0u64;
    for bit in (0..10).rev() {
        for axis in 0..3 {
            morton = morton << 1 | u64::from(inside[axis] >> bit & 1);
        }
    }
    (cell.as_ivec3().to_array(), morton)
}

struct Packer {
    key: Key,
    done: Vec<(Batch, Origins)>,
    batch: Batch,
    origins: Origins,
    known: FastMap<[u32; 9], u32>,
}

impl Packer {
    fn new(key: Key) -> Self {
        Self {
            key,
            done: Vec::new(),
            batch: empty(key),
            origins: Vec::new(),
            known: FastMap::default(),
        }
    }

    fn add(&mut self, model: &ModelMesh, patch: &Patch) {
        if self.batch.vertices.len() + patch.vertices.len() > MOST_VERTICES {
            self.close();
        }
        let vertices: Vec<Vertex> = patch
            .vertices
            .iter()
            .map(|vertex| {
                let position = canonical(model.positions[vertex.position as usize].as_vec3());
                let uv = match patch.uv {
                    PatchUv::Frame(frame) => frame.at(position.as_dvec3()).as_vec2(),
                    PatchUv::PerVertex => vertex.uv,
                };
                let uv = if uv.is_finite() { uv } else { Vec2::ZERO };
                Vertex {
                    position,
                    normal: canonical(vertex.normal),
                    uv: uv + Vec2::ZERO,
                    rgba: vertex.rgba,
                }
            })
            .collect();
        let first_triangle = self.batch.indices.len() as u32 / 3;
        for triangle in &patch.triangles {
            let corners = triangle.map(|i| vertices[i as usize]);
            let [a, b, c] = corners.map(|vertex| vertex.position.as_dvec3());
            let cross = (b - a).cross(c - a);
            let front = corners
                .iter()
                .fold(DVec3::ZERO, |sum, vertex| sum + vertex.normal.as_dvec3());
            // Rounding to f32 can flatten or turn a sliver.
            if cross.length() > f64::from(NOTHING) && cross.dot(front) >= 0.0 {
                for vertex in corners {
                    let number = self.number(vertex);
                    self.batch.indices.push(number);
                }
            }
        }
        let triangle_count = self.batch.indices.len() as u32 / 3 - first_triangle;
        if triangle_count > 0 {
            match self.origins.last_mut() {
                Some(run) if run.faces == patch.from => run.triangle_count += triangle_count,
                _ => self.origins.push(OriginRun {
                    first_triangle,
                    triangle_count,
                    faces: patch.from.clone(),
                }),
            }
        }
    }

    fn number(&mut self, vertex: Vertex) -> u32 {
        let Vertex {
            position: p,
            normal: n,
            uv,
            rgba,
        } = vertex;
        let bits = [p.x, p.y, p.z, n.x, n.y, n.z, uv.x, uv.y].map(f32::to_bits);
        let key = std::array::from_fn(|i| bits.get(i).copied().unwrap_or(u32::from_le_bytes(rgba)));
        let vertices = &mut self.batch.vertices;
        *self.known.entry(key).or_insert_with(|| {
            vertices.push(vertex);
            vertices.len() as u32 - 1
        })
    }

    fn close(&mut self) {
        let batch = std::mem::replace(&mut self.batch, empty(self.key));
        let origins = std::mem::take(&mut self.origins);
        self.known.clear();
        if !batch.indices.is_empty() {
            self.done.push((batch, origins));
        }
    }

    fn finish(mut self) -> Vec<(Batch, Origins)> {
        self.close();
        self.done
    }
}

fn empty(key: Key) -> Batch {
    Batch {
        material: key.2,
        source: key.1,
        model: key.0,
        vertices: Vec::new(),
        indices: Vec::new(),
    }
}

/// Without negative zeros, which would make equal vertices differ.
fn canonical(v: Vec3) -> Vec3 {
    v + Vec3::ZERO
}

/// Square units of a batch's triangles.
#[must_use]
pub(crate) fn area(batch: &Batch) -> f64 {
    let twice = |triangle: &[u32]| {
        let at = |i: usize| batch.vertices[triangle[i] as usize].position.as_dvec3();
        (at(1) - at(0)).cross(at(2) - at(0)).length()
    };
    batch
        .indices
        .chunks_exact(3)
        .map(twice)
        .fold(0.0, |sum, twice| sum + twice * 0.5)
}

/// The box around boxes and points; nothing is six zeros.
#[derive(Clone, Copy)]
pub(crate) struct Bounds(Option<Box3>);

impl Bounds {
    pub(crate) const EMPTY: Self = Self(None);

    pub(crate) fn add(&mut self, point: Vec3) {
        let old = self.0.unwrap_or(Box3 {
            min: point,
            max: point,
        });
        self.0 = Some(Box3 {
            min: old.min.min(point),
            max: old.max.max(point),
        });
    }

    pub(crate) fn add_box(&mut self, bounds: Box3) {
        self.add(bounds.min);
        self.add(bounds.max);
    }

    pub(crate) fn get(self) -> Box3 {
        self.0.unwrap_or_default()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.is_none()
    }
}
