//! Faces against a ray, as far as the view shows them.

use glam::DVec3;

use crate::document::Brush;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::editor::pick::Hit;
use crate::editor::pick::Scope;
use crate::editor::pick::carved::Passage;
use crate::editor::pick::carved::hit_outline;
use crate::editor::shown::BrushUse;
use crate::editor::shown::Sides;
use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::Ray;
use crate::geometry::polygon;

impl Scope<'_> {
    /// From where a face of a brush is seen. `brush_use`: of the brush that it bounds.
    pub(super) fn face_sides(
        &self,
        id: ObjectId,
        brush: &Brush,
        index: usize,
        brush_use: BrushUse,
    ) -> Sides {
        self.shown.map_or(Sides::FRONT, |shown| {
            shown.face_sides(id, brush, index, brush_use)
        })
    }

    pub(super) fn hit_brush(
        &self,
        (id, object): (ObjectId, &Object),
        brush: &Brush,
        ray: Ray,
    ) -> Option<Hit> {
        let brush_use = BrushUse::of(brush, object.flags);
        if brush.fault().is_some() {
            return self.hit_loops((id, brush), brush_use, ray);
        }
        let passage = Passage::of(brush, ray)?;
        let hit = |face: usize, distance: f64| {
            let normal = unit(brush, face)?.normal;
            Some(Hit {
                object: id,
                face: Some(face as u32),
                point: ray.at(distance),
                normal,
                distance,
            })
        };
        let (enter, leave) = (passage.enter_face, passage.leave_face);
        if passage.enter >= 0.0 && self.face_sides(id, brush, enter, brush_use).front {
            return hit(enter, passage.enter);
        }
        if self.face_sides(id, brush, leave, brush_use).back {
            return hit(leave, passage.leave);
        }
        None
    }

    /// Brushes that do not close: the faces there are, one by one.
    fn hit_loops(
        &self,
        (id, brush): (ObjectId, &Brush),
        brush_use: BrushUse,
        ray: Ray,
    ) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        for index in 0..brush.faces().len() {
            let corners: Vec<DVec3> = brush.hull().face_points(index).collect();
            let (Some(plane), [first, rest @ ..]) = (unit(brush, index), corners.as_slice()) else {
                continue;
            };
            let reach = best.map_or(f64::INFINITY, |best| best.distance);
            let sides = || self.face_sides(id, brush, index, brush_use);
            let distance = rest
                .windows(2)
                .find_map(|pair| meet([*first, pair[0], pair[1]], ray, reach, sides));
            if let Some(distance) = distance {
                best = Some(Hit {
                    object: id,
                    face: Some(index as u32),
                    point: ray.at(distance),
                    normal: plane.normal,
                    distance,
                });
            }
        }
        best
    }

    pub(super) fn hit_mesh(&self, id: ObjectId, mesh: &Mesh, ray: Ray) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        for (index, polygon) in mesh.polygons.iter().enumerate() {
            let Some(corners) = mesh.positions(polygon) else {
                continue;
            };
            let Some(normal) = polygon::normal(&corners) else {
                continue;
            };
            let sides = || {
                self.shown.map_or(Sides::FRONT, |shown| {
                    shown.polygon_sides(id, index, polygon.material)
                })
            };
            for triangle in polygon::triangles(&corners) {
                let triangle = triangle.map(|at| corners[at as usize]);
                let reach = best.map_or(f64::INFINITY, |best| best.distance);
                if let Some(distance) = meet(triangle, ray, reach, sides) {
                    best = Some(Hit {
                        object: id,
                        face: Some(index as u32),
                        point: ray.at(distance),
                        normal,
                        distance,
                    });
                }
            }
        }
        best
    }

    /// The edges of a brush that is seen through but whose edges are drawn. `units_per_point`: how large a point of the screen is
    /// at distance 1.
    pub(super) fn hit_edges(
        &self,
        (id, object): (ObjectId, &Object),
        ray: Ray,
        units_per_point: f64,
    ) -> Option<Hit> {
        let shown = self.shown?;
        let brush = object.brush().filter(|brush| brush.fault().is_none())?;
        if !shown.draws_edges(object) {
            return None;
        }
        Passage::of(brush, ray)?;
        hit_outline(id, brush, ray, units_per_point)
    }
}

/// Distance of a triangle from a side that it is seen from, if it is nearer than `reach`.
fn meet([a, b, c]: [DVec3; 3], ray: Ray, reach: f64, sides: impl Fn() -> Sides) -> Option<f64> {
    let nearer = |distance: &f64| *distance < reach;
    if let Some(distance) = ray.triangle_front(a, b, c).filter(nearer) {
        return sides().front.then_some(distance);
    }
    let distance = ray.triangle_front(a, c, b).filter(nearer)?;
    sides().back.then_some(distance)
}

fn unit(brush: &Brush, face: usize) -> Option<Plane> {
    brush.faces().get(face)?.plane.unit()
}

/// A solid box from outside.
pub(super) fn hit_box(id: ObjectId, bounds: Aabb, ray: Ray) -> Option<Hit> {
    let sides = [DVec3::X, DVec3::Y, DVec3::Z]
        .into_iter()
        .enumerate()
        .flat_map(|(axis, normal)| {
            [
                Plane::new(normal, bounds.max[axis]),
                Plane::new(-normal, -bounds.min[axis]),
            ]
        });
    let found = ray.convex(sides)?;
    let axis = [DVec3::X, DVec3::Y, DVec3::Z][found.face / 2];
    let normal = if found.face % 2 == 0 { axis } else { -axis };
    Some(Hit {
        object: id,
        face: None,
        point: ray.at(found.distance),
        normal,
        distance: found.distance,
    })
}
