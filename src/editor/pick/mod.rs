//! Picking: what lies under a ray, exactly, on the CPU (PICK-1, PICK-2).

mod carved;
mod faces;
mod flat;
mod under;

use glam::DVec3;

use self::faces::hit_box;
pub(crate) use self::flat::flat;
pub(crate) use self::under::all_under;

use crate::assets::Definitions;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::ViewState;
use crate::document::carving::Carving;
use crate::editor::selecting;
use crate::editor::shown::BrushUse;
use crate::editor::shown::Shown;
use crate::editor::spatial::Spatial;
use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::Ray;

/// At distances closer than this an entity beats a face.
const ENTITY_BEATS: f64 = 0.05;

/// Point entities are at least this large on screen, in points.
const LEAST_ICON: f64 = 8.0;

/// An edge or centre cross this close to the pointer is hit; points.
const EDGE_NEAR: f64 = 5.0;

/// What a ray met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub object: ObjectId,
    /// Face of a brush or polygon of a mesh.
    pub face: Option<u32>,
    pub point: DVec3,
    /// Outward, unit.
    pub normal: DVec3,
    pub distance: f64,
}

/// True when the entity is shown and hit as a box: it owns no geometry and is not the world itself.
#[must_use]
pub fn is_point_entity(doc: &Document, id: ObjectId, entity: &Entity) -> bool {
    entity.class != "worldspawn" && doc.children(Some(id)).next().is_none()
}

/// What may be hit.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub doc: &'a Document,
    pub look: &'a ViewState,
    /// Boxes of point entities.
    pub definitions: &'a Definitions,
    /// While a group is open the rest is out of reach.
    pub open_group: Option<ObjectId>,
    pub entities: bool,
    /// Brushes of which the game draws nothing are in reach.
    pub tools: bool,
    /// Only faces that the 3D view shows are hit; `None`: all, from the front.
    pub shown: Option<Shown<'a>>,
    /// Which brushes carve which.
    pub carving: &'a Carving,
    /// Nothing outside of this box is in reach (VIEW-4).
    pub cordon: Option<Aabb>,
    /// The nearest solid is looked through (VIEW-5).
    pub xray: bool,
}

impl Scope<'_> {
    pub fn allows(&self, id: ObjectId) -> bool {
        match self.doc.object(id) {
            Some(object) => self.allows_object(id, object),
            None => selecting::is_in_reach(self.doc, self.look, self.open_group, id),
        }
    }

    /// As [`Scope::allows`] for an object that is at hand.
    pub fn allows_object(&self, id: ObjectId, object: &Object) -> bool {
        (self.tools || !BrushUse::of_object(object).is_tool)
            && self.cordon.is_none_or(|cordon| is_within(object, cordon))
            && selecting::is_in_reach(self.doc, self.look, self.open_group, id)
    }

    /// True for objects of which the view draws anything from anywhere.
    pub fn shows(&self, object: &Object) -> bool {
        let Some(shown) = self.shown.filter(|_| object.entity().is_none()) else {
            return true;
        };
        if !self.carving.is_empty() && carved::is_outline(object) {
            return shown.draws_entities();
        }
        shown.draws_any(object)
    }

    /// One object against one ray, what carves it taken off: faces that are seen.
    pub fn hit_object(&self, id: ObjectId, object: &Object, ray: Ray) -> Option<Hit> {
        if self.carving.is_empty() {
            return self.hit_whole(id, object, ray);
        }
        if carved::is_outline(object) {
            return None;
        }
        if let Some(brush) = object.brush() {
            let carvers = self.carving.carvers_of(id);
            if !carvers.is_empty() {
                return self.hit_carved((id, object), brush, &carvers, ray);
            }
        }
        self.hit_whole(id, object, ray)
    }

    /// As [`Scope::hit_object`], whole.
    fn hit_whole(&self, id: ObjectId, object: &Object, ray: Ray) -> Option<Hit> {
        match &object.kind {
            Kind::Brush(brush) => self.hit_brush((id, object), brush, ray),
            Kind::Mesh(mesh) => self.hit_mesh(id, mesh, ray),
            Kind::Entity(entity) => hit_box(id, self.definitions.entity_box(entity), ray),
            Kind::Group(_) => None,
        }
    }

    /// As [`Scope::hit_object`], with the edges of what is drawn by its edges, and nothing outside of the region of work.
    fn hit_drawn(
        &self,
        id: ObjectId,
        object: &Object,
        ray: Ray,
        units_per_point: f64,
    ) -> Option<Hit> {
        let hit = if !self.carving.is_empty() && carved::is_outline(object) {
            if !self.shown.is_none_or(Shown::draws_entities) {
                return None;
            }
            carved::hit_outline(id, object.brush()?, ray, units_per_point)
        } else {
            self.hit_object(id, object, ray)
                .or_else(|| self.hit_edges((id, object), ray, units_per_point))
        };
        hit.filter(|hit| self.is_in_region(hit.point))
    }

    fn is_in_region(&self, point: DVec3) -> bool {
        self.cordon
            .is_none_or(|cordon| cordon.grown(0.01).contains(point))
    }
}

/// The nearest thing along a ray of a 3D view. `units_per_point`: how large a point of the screen is at distance 1, for icons.
#[must_use]
pub(crate) fn nearest(
    scope: Scope<'_>,
    spatial: &Spatial,
    ray: Ray,
    units_per_point: f64,
) -> Option<Hit> {
    let hit_any = |id: ObjectId, object: &Object| scope.hit_drawn(id, object, ray, units_per_point);
    let mut best: Option<Hit> = if scope.xray {
        carved::second(scope, spatial, ray, hit_any)
    } else {
        None
    };
    spatial.solids().ray(ray, f64::INFINITY, |id, _| {
        let reach = best.map_or(f64::INFINITY, |hit| hit.distance);
        let Some(object) = scope.doc.object(id).filter(|_| !scope.xray) else {
            return reach;
        };
        if let Some(hit) = hit_any(id, object).filter(|hit| {
            hit.distance < reach || (hit.distance == reach && best.is_some_and(|b| id < b.object))
        }) && scope.allows(id)
        {
            best = Some(hit);
        }
        best.map_or(f64::INFINITY, |hit| hit.distance)
    });
    if !scope.entities {
        return best;
    }
    let face_distance = best.map_or(f64::INFINITY, |hit| hit.distance);
    let mut entity: Option<Hit> = None;
    for &id in spatial.points().keys() {
        let Some(hit) = hit_point(spatial, id, ray, units_per_point) else {
            continue;
        };
        let nearer = entity.is_none_or(|best| hit.distance < best.distance);
        if nearer && hit.distance <= face_distance + ENTITY_BEATS && scope.allows(id) {
            entity = Some(hit);
        }
    }
    entity.or(best)
}

/// The box of a point entity, at least as large as an icon.
fn hit_point(spatial: &Spatial, id: ObjectId, ray: Ray, units_per_point: f64) -> Option<Hit> {
    let bounds = *spatial.points().get(&id)?;
    let center = bounds.center();
    let along = (center - ray.origin).dot(ray.dir);
    let least = along.max(0.0) * units_per_point * LEAST_ICON * 0.5;
    let bounds = Aabb {
        min: bounds.min.min(center - least),
        max: bounds.max.max(center + least),
    };
    hit_box(id, bounds, ray)
}

/// True when something of the object is inside of the box.
pub(crate) fn is_within(object: &Object, cordon: Aabb) -> bool {
    let bounds = object.bounds();
    match &object.kind {
        Kind::Entity(entity) => cordon.contains(entity.origin),
        _ => bounds.min.cmplt(cordon.max).all() && cordon.min.cmplt(bounds.max).all(),
    }
}

/// Brushes and meshes that may be picked and whose boxes a (unit) plane crosses, by id.
#[must_use]
pub(crate) fn crossed(scope: Scope<'_>, spatial: &Spatial, plane: Plane) -> Vec<ObjectId> {
    let mut found = Vec::new();
    spatial.solids().planes(&[plane, plane.flipped()], |id, _| {
        if scope.allows(id) {
            found.push(id);
        }
    });
    found.sort_unstable();
    found
}

#[cfg(test)]
mod drawn_tests;
#[cfg(test)]
mod tests;
