//! Everything under the pointer (SEL-4).

use glam::DVec2;

use crate::document::ObjectId;
use crate::editor::pick::Scope;
use crate::editor::pick::flat::flat_candidates;
use crate::editor::pick::hit_point;
use crate::editor::spatial::Spatial;
use crate::editor::view::View;

/// Everything under a point of a view, with its distance along the view's ray where a face of it, or its box, is met.
#[must_use]
pub(crate) fn all_under(
    scope: Scope<'_>,
    spatial: &Spatial,
    view: &View,
    at: DVec2,
) -> Vec<(ObjectId, Option<f64>)> {
    let ray = view.ray(at);
    let mut found: Vec<(ObjectId, Option<f64>)> = Vec::new();
    if view.is_2d() {
        for (id, _) in flat_candidates(scope, spatial, view, at) {
            let object = scope.doc.object(id);
            let hit = object.and_then(|object| scope.hit_object(id, object, ray));
            found.push((id, hit.map(|hit| hit.distance)));
        }
        return found;
    }
    let units_per_point = view.units_per_point(view.eye + view.forward());
    spatial.solids().ray(ray, f64::INFINITY, |id, _| {
        if let Some(object) = scope.doc.object(id)
            && let Some(hit) = scope.hit_drawn(id, object, ray, units_per_point)
            && scope.allows(id)
        {
            found.push((id, Some(hit.distance)));
            if hit.object != id {
                // The side of a hole is the carver's.
                found.push((hit.object, Some(hit.distance)));
            }
        }
        f64::INFINITY
    });
    let points = spatial.points().keys().filter(|_| scope.entities);
    found.extend(points.filter_map(|&id| {
        let hit = hit_point(spatial, id, ray, units_per_point)?;
        scope.allows(id).then_some((id, Some(hit.distance)))
    }));
    found.sort_by_key(|(id, _)| *id);
    found.dedup_by_key(|(id, _)| *id);
    found
}
