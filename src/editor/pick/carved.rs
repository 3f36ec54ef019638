//! Picking where brushes carve others (CSG-2): rays pass through holes, meet their sides, and catch the outline of what carves.
//! And picking behind the nearest solid (VIEW-5).

use crate::document::Brush;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::ops::order;
use crate::editor::pick::EDGE_NEAR;
use crate::editor::pick::Hit;
use crate::editor::pick::Scope;
use crate::editor::shown::BrushUse;
use crate::editor::spatial::Spatial;
use crate::geometry::Plane;
use crate::geometry::Ray;

/// Distances along a ray closer than this are one place.
const SAME_PLACE: f64 = 1e-4;

/// What a ray passes of a convex solid, with the faces it goes in and out by.
#[derive(Clone, Copy)]
pub(super) struct Passage {
    pub enter: f64,
    pub enter_face: usize,
    pub leave: f64,
    pub leave_face: usize,
}

impl Passage {
    pub fn of(brush: &Brush, ray: Ray) -> Option<Self> {
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
            if passage.enter >= passage.leave || passage.leave <= 0.0 {
                return None;
            }
        }
        // A face that an earlier one repeats has no loop; those that are there are named.
        Some(passage)
    }

    /// True when the solid has what lies next to a place of the ray: behind it, or before it.
    fn holds(&self, distance: f64, behind: bool) -> bool {
        if behind {
            self.enter <= distance + SAME_PLACE && distance + SAME_PLACE < self.leave
        } else {
            self.enter < distance - SAME_PLACE && distance - SAME_PLACE <= self.leave
        }
    }
}

fn unit(brush: &Brush, face: usize) -> Option<Plane> {
    brush.faces()[face].plane.unit()
}

/// A face of a brush that a ray goes through.
struct Crossing<'a> {
    distance: f64,
    object: ObjectId,
    brush: &'a Brush,
    face: usize,
    /// It bounds a hole.
    is_hole: bool,
    /// The ray goes into what is solid there.
    is_front: bool,
}

impl Scope<'_> {
    /// Where a ray meets what is left of a brush.
    pub(super) fn hit_carved(
        &self,
        (id, object): (ObjectId, &Object),
        brush: &Brush,
        carvers: &[ObjectId],
        ray: Ray,
    ) -> Option<Hit> {
        let own = Passage::of(brush, ray)?;
        let holes: Vec<(ObjectId, &Brush, Passage)> = carvers
            .iter()
            .filter_map(|&id| {
                let brush = self.doc.object(id)?.brush()?;
                Some((id, brush, Passage::of(brush, ray)?))
            })
            .collect();
        let brush_use = BrushUse::of(brush, object.flags);
        let mut best: Option<Crossing<'_>> = None;
        let solids = std::iter::once((id, brush, own, false)).chain(
            holes
                .iter()
                .map(|&(id, brush, hole)| (id, brush, hole, true)),
        );
        let crossings = solids.flat_map(|(object, brush, passage, is_hole)| {
            let at = |distance, face, is_front| Crossing {
                distance,
                object,
                brush,
                face,
                is_hole,
                is_front,
            };
            [
                at(passage.enter, passage.enter_face, !is_hole),
                at(passage.leave, passage.leave_face, is_hole),
            ]
        });
        for crossing in crossings {
            let distance = crossing.distance;
            let is_surface = distance >= 0.0
                && own.holds(distance, crossing.is_front)
                && !holes
                    .iter()
                    .any(|(_, _, hole)| hole.holds(distance, crossing.is_front));
            if !is_surface || best.as_ref().is_some_and(|best| best.distance <= distance) {
                continue;
            }
            let sides = self.face_sides(crossing.object, crossing.brush, crossing.face, brush_use);
            if (crossing.is_front && sides.front) || (!crossing.is_front && sides.back) {
                best = Some(crossing);
            }
        }
        let best = best?;
        Some(Hit {
            object: best.object,
            face: Some(best.face as u32),
            point: ray.at(best.distance),
            normal: unit(best.brush, best.face)?.normal * if best.is_hole { -1.0 } else { 1.0 },
            distance: best.distance,
        })
    }
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

/// In x-ray: the nearest behind the nearest.
pub(super) fn second(
    scope: Scope<'_>,
    spatial: &Spatial,
    ray: Ray,
    hit_any: impl Fn(ObjectId, &Object) -> Option<Hit>,
) -> Option<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    spatial.solids().ray(ray, f64::INFINITY, |id, _| {
        if let Some(object) = scope.doc.object(id)
            && let Some(hit) = hit_any(id, object)
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
