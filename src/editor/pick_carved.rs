//! Picking where brushes carve others (CSG-2): rays pass through holes, meet their sides, and catch the outline of what carves.
//! And picking behind the nearest solid (VIEW-5).

use crate::document::Brush;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::ops::order;
use crate::editor::pick::EDGE_NEAR;
use crate::editor::pick::Hit;
use crate::editor::pick::Scope;
use crate::editor::spatial::Spatial;
use crate::geometry::Plane;
use crate::geometry::Ray;

/// Distances along a ray closer than this are one place.
const SAME_PLACE: f64 = 1e-4;

/// What a ray passes of a convex solid, with the faces it goes in and out by.
#[derive(Clone, Copy)]
struct Passage {
    enter: f64,
    enter_face: usize,
    leave: f64,
    leave_face: usize,
}

impl Passage {
    fn of(brush: &Brush, ray: Ray) -> Option<Self> {
        let mut passage = Self {
            enter: f64::NEG_INFINITY,
            enter_face: 0,
            leave: f64::INFINITY,
            leave_face: 0,
        };
        for (index, face) in brush.faces().iter().enumerate() {
            let plane = unit(brush, index).unwrap_or(face.plane);
            let along = plane.normal.dot(ray.dir);
            let height = plane.distance(ray.origin);
            if along == 0.0 {
                if height > 0.0 {
                    return None;
                }
                continue;
            }
            let distance = -height / along;
            if along < 0.0 && distance > passage.enter {
                (passage.enter, passage.enter_face) = (distance, index);
            } else if along > 0.0 && distance < passage.leave {
                (passage.leave, passage.leave_face) = (distance, index);
            }
        }
        (passage.enter < passage.leave && passage.leave > 0.0).then_some(passage)
    }

    fn holds(&self, distance: f64) -> bool {
        self.enter <= distance + SAME_PLACE && distance + SAME_PLACE < self.leave
    }
}

fn unit(brush: &Brush, face: usize) -> Option<Plane> {
    brush.faces()[face].plane.unit()
}

/// Where a ray meets what is left of a brush.
pub(super) fn hit_carved(
    scope: &Scope<'_>,
    (id, brush): (ObjectId, &Brush),
    carvers: &[ObjectId],
    ray: Ray,
) -> Option<Hit> {
    let own = Passage::of(brush, ray)?;
    let holes: Vec<(ObjectId, &Brush, Passage)> = carvers
        .iter()
        .filter_map(|&id| {
            let brush = scope.doc.object(id)?.brush()?;
            Some((id, brush, Passage::of(brush, ray)?))
        })
        .collect();
    let mut best: Option<(f64, ObjectId, &Brush, usize, f64)> = None;
    let starts = std::iter::once((own.enter, id, brush, own.enter_face, 1.0)).chain(
        holes
            .iter()
            .map(|(id, brush, hole)| (hole.leave, *id, *brush, hole.leave_face, -1.0)),
    );
    for start in starts {
        let distance = start.0;
        let is_surface = distance >= 0.0
            && distance + SAME_PLACE >= own.enter
            && distance + SAME_PLACE < own.leave
            && !holes.iter().any(|(_, _, hole)| hole.holds(distance));
        if is_surface && best.is_none_or(|best| distance < best.0) {
            best = Some(start);
        }
    }
    let (distance, object, of, face, side) = best?;
    Some(Hit {
        object,
        face: Some(face as u32),
        point: ray.at(distance),
        normal: unit(of, face)?.normal * side,
        distance,
    })
}

/// The back of a brush that the ray starts in (x-ray).
pub(super) fn hit_back(id: ObjectId, brush: &Brush, ray: Ray) -> Option<Hit> {
    let passage = Passage::of(brush, ray).filter(|passage| passage.enter < 0.0)?;
    Some(Hit {
        object: id,
        face: Some(passage.leave_face as u32),
        point: ray.at(passage.leave),
        normal: unit(brush, passage.leave_face)?.normal,
        distance: passage.leave,
    })
}

/// True for a brush that is drawn as an outline only.
pub(super) fn is_outline(object: &Object) -> bool {
    order::is_carver(object) && object.brush().is_some_and(|brush| brush.fault().is_none())
}

/// The edges of a carving brush near a ray. `units_per_point`: how large a point of the screen is at distance 1. What bounds a
/// hole lies where its edges are; these win.
pub(super) fn hit_outline(
    id: ObjectId,
    brush: &Brush,
    ray: Ray,
    units_per_point: f64,
) -> Option<Hit> {
    let points = brush.hull().points();
    let mut best: Option<(f64, f64, [u32; 2])> = None;
    for [a, b] in brush.hull().edges() {
        let (from, to) = (points[a as usize], points[b as usize]);
        let length = from.distance(to);
        let dir = (to - from) / length.max(f64::MIN_POSITIVE);
        let Some((_, along)) = ray.nearest_on_line(from, dir) else {
            continue;
        };
        let on_edge = from + dir * along.clamp(0.0, length);
        let distance = (on_edge - ray.origin).dot(ray.dir);
        let reach = EDGE_NEAR * units_per_point * distance;
        if distance <= 0.0 || ray.at(distance).distance(on_edge) > reach {
            continue;
        }
        if best.is_none_or(|best| distance < best.0) {
            best = Some((distance, reach, [a, b]));
        }
    }
    let (distance, reach, [a, b]) = best?;
    let face = brush
        .hull()
        .loops()
        .iter()
        .position(|corners| corners.contains(&a) && corners.contains(&b))?;
    Some(Hit {
        object: id,
        face: Some(face as u32),
        point: ray.at(distance),
        normal: unit(brush, face)?.normal,
        distance: (distance - 2.0 * reach).max(0.0),
    })
}

/// In x-ray: the nearest behind the nearest. What the eye is inside of shows its back, which counts.
pub(super) fn second(
    scope: Scope<'_>,
    spatial: &Spatial,
    ray: Ray,
    hit_any: impl Fn(ObjectId, &Object) -> Option<Hit>,
) -> Option<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    spatial.solids().ray(ray, f64::INFINITY, |id, _| {
        if let Some(object) = scope.doc.object(id)
            && let Some(hit) = hit_any(id, object).or_else(|| {
                let brush = object.brush().filter(|brush| brush.fault().is_none())?;
                hit_back(id, brush, ray)
            })
            && scope.allows(id)
        {
            hits.push(hit);
        }
        f64::INFINITY
    });
    hits.sort_by(|a, b| {
        a.distance
            .total_cmp(&b.distance)
            .then(a.object.cmp(&b.object))
    });
    hits.get(1).copied()
}
