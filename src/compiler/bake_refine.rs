//! Which edges are cut so that vertex colours can draw the light, and which diagonals are turned at the end.

use glam::DVec3;
use glam::Vec3;
use smallvec::SmallVec;

use crate::compiler::BakeScene;
use crate::compiler::ModelMesh;
use crate::compiler::bake_mesh::Edge;
use crate::compiler::bake_mesh::NONE;
use crate::compiler::bake_mesh::Side;
use crate::compiler::bake_mesh::Surface;
use crate::compiler::bake_mesh::place_of;
use crate::compiler::bake_sample::Sample;
use crate::compiler::bake_sample::Spot;
use crate::compiler::bake_sample::Worker;
use crate::compiler::display;

/// A shadow of a light with less than this share of all light is not followed.
const SHARE: f32 = 0.02;
/// Steps of the display that interpolation may be off.
const DISPLAY_STEP: f64 = 4.0 / 255.0;
/// Edges longer than this share of `base` are cut in the middle.
const HALVED_ABOVE: f64 = 0.25;
/// Cuts at a shadow edge keep this share of the edge from its ends, or nearly `min` where that is less: then the part that the
/// shadow edge crosses needs no more cuts.
const CUT_MARGIN: f64 = 0.15;
/// Known light is looked at this many times between the ends of an edge at most.
const LOOKS: usize = 32;
/// How far rays are pulled in from the rim of a surface.
const PULL_IN: f64 = 0.25;

/// Lengths in units between which edges are cut.
#[derive(Clone, Copy)]
pub(super) struct Lengths {
    /// Edges up to this are never cut.
    pub min: f64,
    /// Edges above this always are.
    pub base: f64,
}

/// An edge to cut.
pub(super) struct Decision {
    pub edge: u32,
    pub share: f64,
    /// How much is wrong without the cut, about in shares of white.
    pub error: f32,
    /// Light at the cut, one per class of the edge.
    pub samples: SmallVec<[(u32, Sample); 2]>,
}

/// Everything that decisions read.
pub(super) struct Refiner<'a> {
    pub scene: &'a BakeScene<'a>,
    pub mesh: &'a ModelMesh,
    pub surface: &'a Surface,
    pub samples: &'a [Sample],
    /// Per patch, the lights that can reach it.
    pub candidates: &'a [Box<[u32]>],
    pub lengths: Lengths,
}

impl Refiner<'_> {
    /// Looks at one edge; depends on nothing but the edge and the faces that meet at it.
    pub(super) fn judge(&self, worker: &mut Worker, edge_index: u32) -> Option<Decision> {
        let edge = &self.surface.edges[edge_index as usize];
        let [a, b] = edge.ends.map(|end| self.mesh.positions[end as usize]);
        let length = a.distance(b);
        if length <= self.lengths.min {
            return None;
        }
        let mut middles: SmallVec<[(u32, Sample); 2]> = SmallVec::new();
        let mut error = if length > self.lengths.base {
            1e-6
        } else {
            0.0_f32
        };
        let mut shadow: Option<(Shadow, Side)> = None;
        for side in lit_sides(self.surface, edge) {
            let middle = worker.sample(
                &self.spot(edge, side, 0.5),
                &self.candidates[side.patch as usize],
            );
            let [start, end] = side
                .vertices
                .map(|vertex| self.sample_of(side.patch, vertex));
            if start.valid && end.valid && middle.valid {
                if let Some(found) = self.shadow_between(start, &middle, end)
                    && shadow
                        .as_ref()
                        .is_none_or(|(best, _)| found.share > best.share)
                {
                    shadow = Some((found, *side));
                }
                let off = if start.given && middle.given && end.given {
                    // Known light has small shadows that no light of the map tells of: nothing long is left uncut.
                    if length > self.lengths.base * HALVED_ABOVE {
                        error = error.max(1e-6);
                    }
                    self.given_error(worker, edge, side, [start.linear, end.linear])
                } else {
                    display_error(start.linear, middle.linear, end.linear)
                };
                if off > DISPLAY_STEP {
                    error = error.max(off as f32);
                }
            }
            middles.push((self.surface.class[side.patch as usize], middle));
        }
        if let Some((found, _)) = &shadow {
            error = error.max(found.share);
        }
        if middles.is_empty() || (error == 0.0 && shadow.is_none()) {
            return None;
        }
        // Long edges are halved first: cuts at the shadow edge alone leave long thin triangles where it turns a corner.
        let Some((shadow, side)) = shadow.filter(|_| length <= self.lengths.base * HALVED_ABOVE)
        else {
            return Some(Decision {
                edge: edge_index,
                share: 0.5,
                error,
                samples: middles,
            });
        };
        let margin = CUT_MARGIN.min(0.9 * self.lengths.min / length);
        let share = self
            .shadow_edge(worker, edge, &side, &shadow)
            .clamp(margin, 1.0 - margin);
        let sides = lit_sides(self.surface, edge);
        let samples = sides
            .map(|side| {
                let sample = worker.sample(
                    &self.spot(edge, side, share),
                    &self.candidates[side.patch as usize],
                );
                (self.surface.class[side.patch as usize], sample)
            })
            .collect();
        Some(Decision {
            edge: edge_index,
            share,
            error,
            samples,
        })
    }

    /// How far the display is off at the worst place that was looked at, when the ends are interpolated over known light.
    fn given_error(&self, worker: &Worker, edge: &Edge, side: &Side, ends: [Vec3; 2]) -> f64 {
        let [a, b] = edge.ends.map(|end| self.mesh.positions[end as usize]);
        let looks = (a.distance(b) / self.lengths.min).ceil() as usize * 2;
        let looks = looks.clamp(2, LOOKS);
        let mut worst = 0.0_f64;
        for look in 1..looks {
            let share = look as f64 / looks as f64;
            if let Some(light) = worker.given(&self.spot(edge, side, share)) {
                let shown = ends[0].lerp(ends[1], share as f32);
                worst = worst.max(display_difference(shown, light));
            }
        }
        worst
    }

    fn sample_of(&self, patch: u32, vertex: u32) -> &Sample {
        &self.samples[self.surface.samples[patch as usize][vertex as usize] as usize]
    }

    /// A place on an edge, seen as part of one of its patches.
    fn spot(&self, edge: &Edge, side: &Side, share: f64) -> Spot {
        let [a, b] = edge.ends.map(|end| self.mesh.positions[end as usize]);
        let position = a.lerp(b, share);
        let patch = &self.mesh.patches[side.patch as usize];
        let plane_normal = patch.plane.normal;
        let [from, to] = side
            .vertices
            .map(|vertex| patch.vertices[vertex as usize].normal);
        let start = side
            .inward
            .map_or(position, |inward| position + inward * pull(side.depth));
        Spot {
            position,
            plane_normal,
            normal: spot_normal(plane_normal, from.lerp(to, share as f32)),
            start,
        }
    }

    /// The light with the largest share that reaches some of the three points but not all.
    fn shadow_between(&self, start: &Sample, middle: &Sample, end: &Sample) -> Option<Shadow> {
        let ambient = self.scene.ambient.max_element() as f32;
        let total = ambient
            + start
                .open_strength()
                .max(middle.open_strength())
                .max(end.open_strength());
        let mut best: Option<Shadow> = None;
        for seen in &middle.seen {
            let of = |sample: &Sample| {
                sample
                    .seen
                    .binary_search_by_key(&seen.light, |seen| seen.light)
                    .ok()
                    .map(|at| sample.seen[at])
            };
            let (before, after) = (of(start), of(end));
            let differs =
                [before, after].map(|other| other.is_some_and(|other| other.open != seen.open));
            if differs == [false, false] {
                continue;
            }
            let strength = [before, after]
                .into_iter()
                .flatten()
                .fold(seen.strength, |most, seen| most.max(seen.strength));
            let share = strength / total.max(strength);
            if share > SHARE && best.as_ref().is_none_or(|best| share > best.share) {
                let first_half = differs[0];
                let (low, high) = if first_half { (0.0, 0.5) } else { (0.5, 1.0) };
                // Whether the light is seen at the low end.
                let open_low = if first_half { !seen.open } else { seen.open };
                best = Some(Shadow {
                    light: seen.light,
                    share,
                    low,
                    high,
                    open_low,
                });
            }
        }
        best
    }

    /// Where along the edge the shadow ends, by four rays.
    fn shadow_edge(&self, worker: &mut Worker, edge: &Edge, side: &Side, shadow: &Shadow) -> f64 {
        let (mut low, mut high) = (shadow.low, shadow.high);
        for _ in 0..4 {
            let middle = f64::midpoint(low, high);
            let open = worker.visibility_at(shadow.light, &self.spot(edge, side, middle)) >= 0.5;
            if open == shadow.open_low {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }
}

/// A light that is seen from one end of a stretch and not from the other.
struct Shadow {
    light: u32,
    share: f32,
    low: f64,
    high: f64,
    open_low: bool,
}

/// One side per class, without the unlit ones.
fn lit_sides<'a>(surface: &'a Surface, edge: &'a Edge) -> impl Iterator<Item = &'a Side> {
    let class = |side: &Side| surface.class[side.patch as usize];
    edge.sides.iter().enumerate().filter_map(move |(at, side)| {
        let own = class(side);
        (own != NONE && edge.sides[..at].iter().all(|earlier| class(earlier) != own))
            .then_some(side)
    })
}

/// How far a start is pulled in from a rim behind which the surface is this deep.
pub(super) fn pull(depth: f64) -> f64 {
    PULL_IN.min(depth * 0.25)
}

/// The smoothed normal, or exactly the plane's where they agree.
pub(super) fn spot_normal(plane_normal: DVec3, smoothed: Vec3) -> DVec3 {
    if smoothed.distance_squared(plane_normal.as_vec3()) < 1e-8 {
        return plane_normal;
    }
    smoothed.as_dvec3().try_normalize().unwrap_or(plane_normal)
}

/// How far the display is off in the middle when the ends are interpolated (in linear light, as the viewport does).
fn display_error(start: Vec3, middle: Vec3, end: Vec3) -> f64 {
    display_difference((start + end) * 0.5, middle)
}

/// Of two linear lights on the display; 0 for what is less than a step.
fn display_difference(one: Vec3, other: Vec3) -> f64 {
    // The curve is nowhere steeper than 12.92, and for most edges this settles it.
    if (one - other).abs().max_element() * 12.92 < DISPLAY_STEP as f32 {
        return 0.0;
    }
    (display::encode_rgb(one.as_dvec3()) - display::encode_rgb(other.as_dvec3()))
        .abs()
        .max_element()
}

/// Turns the diagonals between two triangles of one patch that cross a shadow edge, where the other diagonal does not and joins
/// more equal colours. (On smooth light equal ends say nothing about the middle, which the cuts have settled.)
pub(super) fn flip_edges(mesh: &ModelMesh, surface: &mut Surface, samples: &[Sample]) {
    let mut users = vec![[NONE; 2]; surface.edges.len()];
    for (index, triangle) in surface.triangles.iter().enumerate() {
        for edge in triangle.edges {
            let users = &mut users[edge as usize];
            // A third triangle makes the edge unfit; it keeps two users but has several sides.
            let free = usize::from(users[0] != NONE);
            users[free] = index as u32;
        }
    }
    let mut turned = vec![false; surface.triangles.len()];
    for (edge, &[first, second]) in users.iter().enumerate() {
        let inside = surface.edges[edge].sides.len() == 1;
        if !inside || second == NONE || turned[first as usize] || turned[second as usize] {
            continue;
        }
        let Some(flip) = Flip::new(mesh, surface, edge as u32, first, second) else {
            continue;
        };
        let of = |vertex: u32| {
            samples.get(surface.samples[flip.patch as usize][vertex as usize] as usize)
        };
        let (Some(a), Some(b), Some(c), Some(d)) = (of(flip.a), of(flip.b), of(flip.c), of(flip.d))
        else {
            continue;
        };
        if crosses_shadow(a, b) && !crosses_shadow(c, d) && difference(c, d) < difference(a, b) {
            flip.apply(mesh, surface, edge as u32, first, second);
            turned[first as usize] = true;
            turned[second as usize] = true;
        }
    }
}

/// True when a light that matters is seen from one of the two only.
fn crosses_shadow(a: &Sample, b: &Sample) -> bool {
    let weak = a.open_strength().max(b.open_strength()) * SHARE;
    a.seen.iter().any(|seen| {
        let other = b
            .seen
            .binary_search_by_key(&seen.light, |seen| seen.light)
            .ok()
            .map(|at| b.seen[at]);
        other.is_some_and(|other| {
            other.open != seen.open && other.strength.max(seen.strength) > weak
        })
    })
}

fn difference(a: &Sample, b: &Sample) -> f32 {
    (a.linear - b.linear).abs().max_element()
}

/// Two triangles a-b-c and b-a-d that could become d-c-a and c-d-b.
struct Flip {
    patch: u32,
    a: u32,
    b: u32,
    c: u32,
    d: u32,
    /// Outer edges: b-c, c-a, a-d, d-b.
    rim: [u32; 4],
}

impl Flip {
    /// `None` where the four corners are not clearly convex.
    fn new(
        mesh: &ModelMesh,
        surface: &Surface,
        edge: u32,
        first: u32,
        second: u32,
    ) -> Option<Self> {
        let (one, two) = (
            &surface.triangles[first as usize],
            &surface.triangles[second as usize],
        );
        let k = one.edges.iter().position(|&e| e == edge)?;
        let l = two.edges.iter().position(|&e| e == edge)?;
        let (a, b, c) = (
            one.corners[k],
            one.corners[(k + 1) % 3],
            one.corners[(k + 2) % 3],
        );
        let d = two.corners[(l + 2) % 3];
        if two.corners[l] != b || two.corners[(l + 1) % 3] != a || one.patch != two.patch {
            return None;
        }
        let rim = [
            one.edges[(k + 1) % 3],
            one.edges[(k + 2) % 3],
            two.edges[(l + 1) % 3],
            two.edges[(l + 2) % 3],
        ];
        let patch = &mesh.patches[one.patch as usize];
        let area = |p: u32, q: u32, r: u32| {
            let (p, q, r) = (
                place_of(mesh, patch, p),
                place_of(mesh, patch, q),
                place_of(mesh, patch, r),
            );
            (q - p).cross(r - p).dot(patch.plane.normal)
        };
        let whole = area(a, b, c) + area(b, a, d);
        // Neither new triangle may be a splinter.
        (area(d, c, a) > 0.1 * whole && area(c, d, b) > 0.1 * whole).then_some(Self {
            patch: one.patch,
            a,
            b,
            c,
            d,
            rim,
        })
    }

    fn apply(&self, mesh: &ModelMesh, surface: &mut Surface, edge: u32, first: u32, second: u32) {
        let [bc, ca, ad, db] = self.rim;
        let one = &mut surface.triangles[first as usize];
        one.corners = [self.d, self.c, self.a];
        one.edges = [edge, ca, ad];
        let two = &mut surface.triangles[second as usize];
        two.corners = [self.c, self.d, self.b];
        two.edges = [edge, db, bc];
        let vertices = &mesh.patches[self.patch as usize].vertices;
        surface.edges[edge as usize].ends = [
            vertices[self.c as usize].position,
            vertices[self.d as usize].position,
        ];
    }
}
