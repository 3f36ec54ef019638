//! Vertex light: refines the triangles of every model until colours at vertices can draw the light, then lights them.
//!
//! The result depends on the scene and the meshes alone: work is dealt in runs whose results are put together in their order.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use glam::DVec3;
use glam::Vec3;
use rayon::prelude::*;
use smallvec::SmallVec;

use crate::compiler::ModelMesh;
use crate::compiler::Options;
use crate::compiler::Quality;
use crate::compiler::bake_close;
use crate::compiler::bake_mesh::Cut;
use crate::compiler::bake_mesh::NONE;
use crate::compiler::bake_mesh::Surface;
use crate::compiler::bake_mesh::place_of;
use crate::compiler::bake_refine::Decision;
use crate::compiler::bake_refine::Lengths;
use crate::compiler::bake_refine::Refiner;
use crate::compiler::bake_refine::flip_edges;
use crate::compiler::bake_refine::pull;
use crate::compiler::bake_refine::spot_normal;
use crate::compiler::bake_sample::Sample;
use crate::compiler::bake_sample::Spot;
use crate::compiler::bake_sample::Worker;
use crate::compiler::bake_sample::byte_of;
pub use crate::compiler::bake_scene::BakeScene;
use crate::geometry::Aabb;
use crate::task::Cancelled;
use crate::task::Progress;

/// No edge is cut more often.
const ROUNDS: usize = 6;
/// Vertices of one patch.
const PATCH_LIMIT: usize = 4096;
/// Vertices of a map.
const BUDGET: f64 = 4_000_000.0;
/// Points or edges that a worker takes at once: about a millisecond.
const RUN: usize = 64;

/// What a bake did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BakeStats {
    /// Visibility rays against what blocks light.
    pub rays: u64,
    /// Vertices of all patches afterwards.
    pub vertices: usize,
}

/// Refines and lights all models. Patches keep their places; positions, vertices and triangles are added, colours set.
///
/// # Errors
/// [`Cancelled`] when `progress` was cancelled; the meshes are then half done and of no use.
pub fn bake(
    scene: &BakeScene,
    meshes: &mut [ModelMesh],
    options: &Options,
    progress: &Progress,
) -> Result<BakeStats, Cancelled> {
    let base = scene.base_units();
    let (rounds, lengths) = match options.quality {
        Quality::Fast => (
            0,
            Lengths {
                min: base / 32.0,
                base,
            },
        ),
        Quality::Normal => (
            ROUNDS,
            Lengths {
                min: base / 32.0,
                base,
            },
        ),
        Quality::Full => (
            ROUNDS + 1,
            Lengths {
                min: base / 64.0,
                base,
            },
        ),
    };
    let areas: Vec<f64> = meshes.iter().map(area).collect();
    let total: f64 = areas.iter().sum::<f64>().max(1e-9);
    let work = Work {
        done: AtomicU64::new(0),
        total: meshes.iter().map(weight).sum::<u64>() * steps(rounds),
        progress,
    };
    let stats: Vec<BakeStats> = meshes
        .par_iter_mut()
        .zip(&areas)
        .map(|(mesh, area)| {
            let budget = (BUDGET * area / total) as usize;
            Model {
                scene,
                mesh,
                lengths,
                budget,
                work: &work,
            }
            .bake(rounds)
        })
        .collect::<Result<_, _>>()?;
    Ok(stats
        .iter()
        .fold(BakeStats::default(), |sum, one| BakeStats {
            rays: sum.rays + one.rays,
            vertices: sum.vertices + one.vertices,
        }))
}

fn area(mesh: &ModelMesh) -> f64 {
    let of_patch = |patch: &crate::compiler::Patch| -> f64 {
        let triangles = patch
            .triangles
            .iter()
            .map(|corners| corners.map(|corner| place_of(mesh, patch, corner)));
        triangles
            .map(|[a, b, c]| (b - a).cross(c - a).length() * 0.5)
            .sum()
    };
    mesh.patches.iter().map(of_patch).sum()
}

fn weight(mesh: &ModelMesh) -> u64 {
    mesh.patches
        .iter()
        .map(|patch| patch.vertices.len() as u64)
        .sum()
}

/// Of about one length each: the first look at the light, the rounds, and, where edges were cut, turning edges and closing.
fn steps(rounds: usize) -> u64 {
    let after = if rounds > 0 { 2 } else { 0 };
    1 + rounds as u64 + after
}

/// Progress over all models.
struct Work<'a> {
    done: AtomicU64,
    total: u64,
    progress: &'a Progress,
}

impl Work<'_> {
    fn add(&self, amount: u64) {
        let done = self.done.fetch_add(amount, Ordering::Relaxed) + amount;
        self.progress.set(done as f32 / self.total.max(1) as f32);
    }
}

/// The bake of one model.
struct Model<'a> {
    scene: &'a BakeScene<'a>,
    mesh: &'a mut ModelMesh,
    lengths: Lengths,
    /// Vertices this model may have.
    budget: usize,
    work: &'a Work<'a>,
}

impl Model<'_> {
    fn bake(mut self, rounds: usize) -> Result<BakeStats, Cancelled> {
        let step = weight(self.mesh);
        let fixed = self.mesh.positions.len();
        let mut surface = Surface::new(self.mesh);
        let candidates = self.candidates();
        let (mut samples, mut rays) = self.light_vertices(&surface, &candidates)?;
        self.work.add(step);
        let mut active: Vec<u32> = (0..surface.edges.len() as u32).collect();
        for _ in 0..rounds {
            if !active.is_empty() {
                let (decisions, more_rays) =
                    self.decide(&surface, &samples, &candidates, &active)?;
                rays += more_rays;
                active = self.cut(&mut surface, &mut samples, decisions);
            }
            self.work.add(step);
        }
        settle_invalid(&surface, &mut samples);
        if rounds > 0 {
            flip_edges(self.mesh, &mut surface, &samples);
        }
        self.write_back(&surface, &samples);
        if rounds > 0 {
            self.work.add(step);
            let cell = self.lengths.base / 8.0;
            bake_close::close(self.mesh, &surface.class, fixed, cell, self.work.progress)?;
            self.work.add(step);
        }
        Ok(BakeStats {
            rays,
            vertices: self
                .mesh
                .patches
                .iter()
                .map(|patch| patch.vertices.len())
                .sum(),
        })
    }

    /// Per patch the lights that can reach it, ascending. Runs of patches first, then each.
    fn candidates(&self) -> Vec<Box<[u32]>> {
        let scene = self.scene;
        let reaches: Vec<f64> = scene
            .lights
            .iter()
            .map(|light| light.reach(scene.units_per_meter))
            .collect();
        let bounds_of = |patch: &crate::compiler::Patch| {
            Aabb::of_points(
                patch
                    .vertices
                    .iter()
                    .map(|vertex| self.mesh.positions[vertex.position as usize]),
            )
        };
        let of_run = |run: &[crate::compiler::Patch]| -> Vec<Box<[u32]>> {
            let boxes: Vec<Aabb> = run.iter().map(bounds_of).collect();
            let around = boxes
                .iter()
                .fold(Aabb::EMPTY, |sum, bounds| sum.union(*bounds));
            let near: Vec<u32> = (0..scene.lights.len() as u32)
                .filter(|&index| {
                    let light = &scene.lights[index as usize];
                    let reach = reaches[index as usize];
                    let place = light.position.clamp(around.min, around.max);
                    reach.is_infinite() || place.distance_squared(light.position) <= reach * reach
                })
                .collect();
            run.iter()
                .zip(boxes)
                .map(|(patch, bounds)| {
                    let reaches = |&&index: &&u32| {
                        scene.lights[index as usize].may_light(
                            bounds,
                            patch.plane,
                            reaches[index as usize],
                        )
                    };
                    if patch.unlit {
                        Box::default()
                    } else {
                        near.iter().filter(reaches).copied().collect()
                    }
                })
                .collect()
        };
        self.mesh
            .patches
            .par_chunks(RUN)
            .flat_map_iter(of_run)
            .collect()
    }

    /// Light at all vertices as they are, by sample, and the number of rays.
    fn light_vertices(
        &self,
        surface: &Surface,
        candidates: &[Box<[u32]>],
    ) -> Result<(Vec<Sample>, u64), Cancelled> {
        let spots = self.spots(surface);
        self.in_runs(&spots, |worker, (spot, patch), out| {
            out.push(worker.sample(spot, &candidates[*patch as usize]));
        })
    }

    /// The place of every sample and the patch whose lights reach it.
    fn spots(&self, surface: &Surface) -> Vec<(Spot, u32)> {
        let mut pulls: Vec<SmallVec<[(DVec3, f64); 2]>> =
            vec![SmallVec::new(); surface.sample_count as usize];
        for side in surface.edges.iter().flat_map(|edge| &edge.sides) {
            let Some(inward) = side.inward else { continue };
            for vertex in side.vertices {
                let sample = surface.samples[side.patch as usize][vertex as usize];
                if sample != NONE {
                    pulls[sample as usize].push((inward, pull(side.depth)));
                }
            }
        }
        let mut spots: Vec<Option<(Spot, u32)>> = vec![None; surface.sample_count as usize];
        for (index, patch) in self.mesh.patches.iter().enumerate() {
            for (vertex, &sample) in patch.vertices.iter().zip(&surface.samples[index]) {
                let Some(slot) = spots.get_mut(sample as usize) else {
                    continue;
                };
                if slot.is_some() {
                    continue;
                }
                let position = self.mesh.positions[vertex.position as usize];
                let start = pulled_in(position, &pulls[sample as usize]);
                let plane_normal = patch.plane.normal;
                let normal = spot_normal(plane_normal, vertex.normal);
                *slot = Some((
                    Spot {
                        position,
                        plane_normal,
                        normal,
                        start,
                    },
                    index as u32,
                ));
            }
        }
        spots
            .into_iter()
            .map(|spot| spot.expect("samples are numbered by vertices"))
            .collect()
    }

    /// Judges edges; the decisions to cut come in the order of `active`.
    fn decide(
        &self,
        surface: &Surface,
        samples: &[Sample],
        candidates: &[Box<[u32]>],
        active: &[u32],
    ) -> Result<(Vec<Decision>, u64), Cancelled> {
        let refiner = Refiner {
            scene: self.scene,
            mesh: self.mesh,
            surface,
            samples,
            candidates,
            lengths: self.lengths,
        };
        self.in_runs(active, |worker, &edge, out| {
            out.extend(refiner.judge(worker, edge));
        })
    }

    /// Does `work` for all items in parallel; results keep the order of the items.
    fn in_runs<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&mut Worker, &T, &mut Vec<R>) + Sync,
    ) -> Result<(Vec<R>, u64), Cancelled> {
        let runs: Vec<(Vec<R>, u64)> = items
            .par_chunks(RUN)
            .map_init(
                || Worker::new(self.scene),
                |worker, run| {
                    self.work.progress.check()?;
                    let before = worker.ray_count;
                    let mut out = Vec::new();
                    for item in run {
                        work(worker, item, &mut out);
                    }
                    Ok((out, worker.ray_count - before))
                },
            )
            .collect::<Result<_, Cancelled>>()?;
        let rays = runs.iter().map(|run| run.1).sum();
        Ok((runs.into_iter().flat_map(|run| run.0).collect(), rays))
    }

    /// Cuts the edges that limits allow; returns the edges that this makes.
    fn cut(
        &mut self,
        surface: &mut Surface,
        samples: &mut Vec<Sample>,
        mut decisions: Vec<Decision>,
    ) -> Vec<u32> {
        let used: usize = self
            .mesh
            .patches
            .iter()
            .map(|patch| patch.vertices.len())
            .sum();
        let room = self.budget.saturating_sub(used) / 2;
        if decisions.len() > room {
            decisions.sort_by(|a, b| b.error.total_cmp(&a.error).then(a.edge.cmp(&b.edge)));
            decisions.truncate(room);
            decisions.sort_by_key(|decision| decision.edge);
        }
        let mut cuts: Vec<Cut> = Vec::new();
        for decision in decisions {
            let edge = &surface.edges[decision.edge as usize];
            let full = |side: &crate::compiler::bake_mesh::Side| {
                self.mesh.patches[side.patch as usize].vertices.len() >= PATCH_LIMIT
            };
            if edge.sides.iter().any(full) {
                continue;
            }
            let patches: SmallVec<[u32; 2]> = edge.sides.iter().map(|side| side.patch).collect();
            let cut = surface.cut(self.mesh, decision.edge, decision.share);
            for (class, sample) in decision.samples {
                for (&patch, &vertex) in patches.iter().zip(&cut.vertices) {
                    if surface.class[patch as usize] == class {
                        surface.samples[patch as usize][vertex as usize] = samples.len() as u32;
                    }
                }
                samples.push(sample);
            }
            surface.edges[decision.edge as usize].cut = cuts.len() as u32;
            cuts.push(cut);
        }
        let mut made: Vec<u32> = cuts.iter().flat_map(|cut| cut.halves).collect();
        if !cuts.is_empty() {
            let first = surface.rebuild(self.mesh, &cuts);
            made.extend(first as u32..surface.edges.len() as u32);
        }
        made
    }

    fn write_back(&mut self, surface: &Surface, samples: &[Sample]) {
        for patch in &mut self.mesh.patches {
            patch.triangles.clear();
        }
        for triangle in &surface.triangles {
            self.mesh.patches[triangle.patch as usize]
                .triangles
                .push(triangle.corners);
        }
        self.mesh
            .patches
            .par_iter_mut()
            .zip(&surface.samples)
            .for_each(|(patch, of_vertex)| {
                for (vertex, &sample) in patch.vertices.iter_mut().zip(of_vertex) {
                    let light = samples
                        .get(sample as usize)
                        .map_or(Vec3::ONE, |sample| sample.linear);
                    vertex.rgba = [byte_of(light.x), byte_of(light.y), byte_of(light.z), 255];
                }
            });
    }
}

/// Moves a start away from every rim that meets at its vertex.
fn pulled_in(position: DVec3, rims: &[(DVec3, f64)]) -> DVec3 {
    let mut start = position;
    for _ in 0..2 {
        for (inward, depth) in rims {
            let have = (start - position).dot(*inward);
            start += *inward * (depth - have).max(0.0);
        }
    }
    start
}

/// Vertices whose rays start inside a solid take the mean of their valid neighbours along the surface; where there is none
/// they keep what they got.
fn settle_invalid(surface: &Surface, samples: &mut [Sample]) {
    if samples.iter().all(|sample| sample.valid) {
        return;
    }
    let mut sums = vec![(Vec3::ZERO, 0.0_f32); samples.len()];
    for triangle in &surface.triangles {
        let of = triangle
            .corners
            .map(|corner| surface.samples[triangle.patch as usize][corner as usize]);
        for k in 0..3 {
            for other in [of[(k + 1) % 3], of[(k + 2) % 3]] {
                if of[k] != NONE && !samples[of[k] as usize].valid && samples[other as usize].valid
                {
                    let sum = &mut sums[of[k] as usize];
                    *sum = (sum.0 + samples[other as usize].linear, sum.1 + 1.0);
                }
            }
        }
    }
    for (sample, (sum, count)) in samples.iter_mut().zip(sums) {
        if count > 0.0 {
            sample.linear = sum / count;
        }
    }
}
