//! Polygons that show what faces of the solids look like, found by where they lie (`unr.md` 8.2 step 4).

use glam::DVec3;

use crate::formats::unr::claims::Claims;
use crate::formats::unr::mapping::Mapping;
use crate::formats::unr::raw::Node;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::raw::flag;
use crate::formats::unr::replay::Operation;
use crate::formats::unr::replay::Step;
use crate::formats::unr::sky::SkyPart;
use crate::formats::unr::transform::PlacedPolygon;
use crate::geometry::Aabb;
use crate::geometry::Bvh;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// Polygons whose normals have at least this cosine lie in one plane,
const SAME_NORMAL: f64 = 0.9995;

/// if their corners are no farther from it than this.
const NEAR_PLANE: f64 = 0.3;

/// A convex polygon that shows how faces in its place look.
#[derive(Clone, Debug)]
pub struct Patch {
    pub normal: DVec3,
    /// Counter-clockwise about the normal by the usual formula.
    pub corners: Vec<DVec3>,
    /// Index in [`Patches::looks`].
    pub look: u32,
    pub is_sky: bool,
    /// Farthest distance of a corner from its own plane.
    pub off_plane: f64,
    /// Number of its brush in the order of effect, and what that does; the world's polygons have none.
    pub step: u32,
    pub operation: Operation,
}

/// Patches by place.
#[derive(Debug, Default)]
pub struct Patches {
    pub patches: Vec<Patch>,
    pub looks: Vec<Mapping>,
    boxes: Bvh<u32>,
    /// For a map without a BSP: patches may lie on each other.
    claims: Option<Claims>,
}

/// A part of a patch on a face.
#[derive(Clone, Debug)]
pub struct Overlap {
    /// Index in [`Patches::patches`].
    pub patch: u32,
    pub corners: Vec<DVec3>,
    pub area: f64,
}

impl Patches {
    fn new(patches: Vec<Patch>, looks: Vec<Mapping>) -> Self {
        let boxes = patches.iter().enumerate();
        let boxes = boxes.map(|(key, patch)| {
            let bounds = Aabb::of_points(patch.corners.iter().copied());
            (key as u32, bounds.grown(NEAR_PLANE + patch.off_plane))
        });
        Self {
            boxes: Bvh::build(boxes),
            patches,
            looks,
            claims: None,
        }
    }

    /// The solid polygons of the world.
    #[must_use]
    pub fn of_world(model: &RawModel, sky: &SkyPart) -> Self {
        let mut look_of = vec![u32::MAX; model.surfaces.len()];
        let mut looks = Vec::new();
        let mut patches = Vec::new();
        for node in &model.nodes {
            let surface_index = node.surface as usize;
            let Some(surface) = model.surfaces.get(surface_index) else {
                continue;
            };
            let never_solid = surface.flags & (flag::NOT_SOLID | flag::PORTAL) != 0;
            if node.vertex_count < 3 || node.flags & Node::NOT_CSG != 0 || never_solid {
                continue;
            }
            let plane = Plane::new(node.normal.as_dvec3(), f64::from(node.distance));
            let Some(plane) = plane.unit() else {
                continue;
            };
            if look_of[surface_index] == u32::MAX {
                let Some(mapping) = Mapping::of_surface(model, surface) else {
                    continue;
                };
                look_of[surface_index] = looks.len() as u32;
                looks.push(mapping);
            }
            let corners = model.polygon(node);
            if !corners.iter().all(|corner| corner.is_finite()) {
                continue;
            }
            patches.push(Patch {
                normal: plane.normal,
                off_plane: off_plane(plane, &corners),
                corners,
                look: look_of[surface_index],
                is_sky: sky.has_node(node),
                step: 0,
                operation: Operation::Add,
            });
        }
        Self::new(patches, looks)
    }

    /// A brush's own polygons.
    #[must_use]
    pub fn of_polygons(polygons: &[PlacedPolygon]) -> Self {
        let mut found = Found::default();
        found.add(polygons, 0, Operation::Add);
        Self::new(found.patches, found.looks)
    }

    /// Polygons of all brushes, those of carving ones turned round.
    #[must_use]
    pub fn of_steps(steps: &[Step]) -> Self {
        let mut found = Found::default();
        for (number, step) in (0..).zip(steps) {
            if step.is_solid() {
                found.add(&step.polygons, number, step.operation);
            }
        }
        let mut patches = Self::new(found.patches, found.looks);
        patches.claims = Some(Claims::new(steps));
        patches
    }

    /// What lies on a face and looks the same way, in the order of the patches. Areas under `least` square units do not count.
    #[must_use]
    pub fn on_face(&self, plane: Plane, corners: &[DVec3], least: f64) -> Vec<Overlap> {
        let mut found = Vec::new();
        let bounds = Aabb::of_points(corners.iter().copied());
        self.boxes.query(bounds, |key| {
            let patch = &self.patches[key as usize];
            let slack = NEAR_PLANE + patch.off_plane;
            let is_near = |&corner: &DVec3| plane.distance(corner).abs() <= slack;
            if patch.normal.dot(plane.normal) > SAME_NORMAL && patch.corners.iter().all(is_near) {
                found.push(key);
            }
        });
        found.sort_unstable();
        let overlap = |patch: u32| {
            let start = self.patches[patch as usize].corners.clone();
            overlap(patch, start, plane, corners, least)
        };
        let overlaps: Vec<Overlap> = found.into_iter().filter_map(overlap).collect();
        match &self.claims {
            Some(claims) => claims.settled(plane, corners, &overlaps, &self.patches, least),
            None => overlaps,
        }
    }

    #[must_use]
    pub fn mapping(&self, overlap: &Overlap) -> &Mapping {
        let patch = &self.patches[overlap.patch as usize];
        &self.looks[patch.look as usize]
    }
}

#[derive(Default)]
struct Found {
    patches: Vec<Patch>,
    looks: Vec<Mapping>,
}

impl Found {
    fn add(&mut self, polygons: &[PlacedPolygon], step: u32, operation: Operation) {
        for polygon in polygons {
            let plane = match operation {
                Operation::Add => polygon.plane,
                Operation::Subtract => polygon.plane.flipped(),
            };
            for part in polygon::convex_parts(&polygon.corners) {
                let corners = part.into_iter().map(|at| polygon.corners[at as usize]);
                let mut corners: Vec<DVec3> = corners.collect();
                if operation == Operation::Subtract {
                    corners.reverse();
                }
                self.patches.push(Patch {
                    normal: plane.normal,
                    off_plane: off_plane(plane, &corners),
                    corners,
                    look: self.looks.len() as u32,
                    is_sky: false,
                    step,
                    operation,
                });
            }
            self.looks.push(polygon.mapping);
        }
    }
}

fn off_plane(plane: Plane, corners: &[DVec3]) -> f64 {
    let distances = corners.iter().map(|&corner| plane.distance(corner).abs());
    distances.fold(0.0, f64::max)
}

/// What of a polygon lies on a face.
#[must_use]
pub fn overlap(
    patch: u32,
    start: Vec<DVec3>,
    plane: Plane,
    corners: &[DVec3],
    least: f64,
) -> Option<Overlap> {
    let mut left = start;
    for (at, &from) in corners.iter().enumerate() {
        let to = corners[(at + 1) % corners.len()];
        let Some(edge) = Plane::through(from, (to - from).cross(plane.normal)) else {
            continue;
        };
        left = polygon::clip_back(&left, edge, 1e-9);
        if left.len() < 3 {
            return None;
        }
    }
    let area = polygon::area(&left);
    (area >= least).then_some(Overlap {
        patch,
        corners: left,
        area,
    })
}
