//! Where things are: a box tree that follows the committed document by its differences.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::OnceLock;

use crate::assets::Definitions;
use crate::document::Change;
use crate::document::Document;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::document::carving::Carving;
use crate::editor::pick;
use crate::editor::shown::SkySides;
use crate::editor::shown::Surface;
use crate::editor::shown::has_sky;
use crate::editor::shown::update_surfaces;
use crate::geometry::Aabb;
use crate::geometry::Bvh;

/// More changes than this share of the map are cheaper built anew.
const REBUILD_SHARE: usize = 2;

/// Boxes of brushes and meshes in a tree; point entities, which grow with distance, in a list.
#[derive(Default)]
pub(crate) struct Spatial {
    seen: Document,
    /// Boxes of point entities.
    definitions: Arc<Definitions>,
    solids: Bvh<ObjectId>,
    points: BTreeMap<ObjectId, Aabb>,
    carving: Carving,
    /// By material number.
    surfaces: Vec<Surface>,
    /// Objects that have faces of the sky.
    sky_objects: BTreeSet<ObjectId>,
    /// Found when it is first asked for after a change.
    sky: OnceLock<SkySides>,
}

impl Spatial {
    #[must_use]
    pub fn new(definitions: Arc<Definitions>) -> Self {
        Self {
            definitions,
            ..Self::default()
        }
    }

    #[must_use]
    pub fn solids(&self) -> &Bvh<ObjectId> {
        &self.solids
    }

    #[must_use]
    pub fn points(&self) -> &BTreeMap<ObjectId, Aabb> {
        &self.points
    }

    /// Which brushes carve which.
    #[must_use]
    pub fn carving(&self) -> &Carving {
        &self.carving
    }

    /// What materials mean for views, by number.
    #[must_use]
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    /// Which faces of the sky are seen.
    #[must_use]
    pub fn sky(&self) -> &SkySides {
        self.sky.get_or_init(|| {
            if self.sky_objects.is_empty() {
                return SkySides::default();
            }
            let solids = self
                .seen
                .objects()
                .filter_map(|(_, object)| solid_bounds(object));
            let boxes = solids.chain(self.points.values().copied());
            SkySides::of(
                (&self.seen, &self.surfaces),
                &self.sky_objects,
                &self.solids,
                boxes,
            )
        })
    }

    /// Catches up with `doc`.
    pub fn sync(&mut self, doc: &Document) {
        if doc.same(&self.seen) {
            return;
        }
        self.carving.sync(doc);
        let seen = std::mem::replace(&mut self.seen, doc.clone());
        self.sky = OnceLock::new();
        let is_resurfaced = !update_surfaces(&seen, doc, &mut self.surfaces).is_empty();
        let changes: Vec<Change<'_>> = doc.changes_since(&seen).collect();
        if is_resurfaced {
            self.find_sky(doc);
        }
        if changes.len() * REBUILD_SHARE > doc.object_count() {
            self.rebuild(doc);
            return;
        }
        // An entity is a point or an owner of geometry; that changes with its children.
        let mut entities = BTreeSet::new();
        for change in changes {
            let (id, now, before) = match change {
                Change::Added(id, now) => (id, Some(now), None),
                Change::Changed(id, now, before) => (id, Some(now), Some(before)),
                Change::Removed(id, before) => (id, None, Some(before)),
            };
            if now.is_some_and(|object| has_sky(&self.surfaces, object)) {
                self.sky_objects.insert(id);
            } else {
                self.sky_objects.remove(&id);
            }
            entities.insert(id);
            entities.extend(now.and_then(|object| object.parent));
            entities.extend(before.and_then(|object| object.parent));
            match now.and_then(solid_bounds) {
                Some(bounds) => self.solids.insert(id, bounds),
                None => {
                    self.solids.remove(id);
                }
            }
        }
        for id in entities {
            match self.point_bounds(doc, id) {
                Some(bounds) => self.points.insert(id, bounds),
                None => self.points.remove(&id),
            };
        }
    }

    fn rebuild(&mut self, doc: &Document) {
        self.solids = Bvh::build(
            doc.objects()
                .filter_map(|(id, object)| Some((id, solid_bounds(object)?))),
        );
        self.points = doc
            .objects()
            .filter_map(|(id, _)| Some((id, self.point_bounds(doc, id)?)))
            .collect();
        self.find_sky(doc);
    }

    fn find_sky(&mut self, doc: &Document) {
        self.sky_objects.clear();
        let is_sky = |surface: &Surface| surface.flags.has(SurfaceFlags::SKY);
        if !self.surfaces.iter().any(is_sky) {
            return;
        }
        self.sky_objects = doc
            .objects()
            .filter(|(_, object)| has_sky(&self.surfaces, object))
            .map(|(id, _)| id)
            .collect();
    }

    fn point_bounds(&self, doc: &Document, id: ObjectId) -> Option<Aabb> {
        let entity = doc.entity(id)?;
        (pick::is_point_entity(doc, id, entity) && entity.origin.is_finite())
            .then(|| self.definitions.entity_box(entity))
    }
}

fn solid_bounds(object: &Object) -> Option<Aabb> {
    let bounds = match &object.kind {
        Kind::Brush(_) | Kind::Mesh(_) => object.bounds(),
        Kind::Entity(_) | Kind::Group(_) => return None,
    };
    (!bounds.is_empty() && bounds.min.is_finite() && bounds.max.is_finite()).then_some(bounds)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::document::Brush;
    use crate::document::Entity;

    #[test]
    fn an_entity_is_a_point_until_it_owns_a_brush() {
        let mut draft = Document::default().edit();
        let entity = draft.insert(Object::new(Kind::Entity(Entity::new(
            "func_door",
            DVec3::ZERO,
        ))));
        for i in 0..8 {
            let at = DVec3::new(f64::from(i) * 100.0, 0.0, 0.0);
            draft.insert(Object::new(Kind::Brush(Brush::cuboid(
                Aabb::around(at, DVec3::splat(16.0)),
                None,
            ))));
        }
        let doc = draft.finish().expect("sound");
        let mut spatial = Spatial::default();
        spatial.sync(&doc);
        assert_eq!((spatial.solids().len(), spatial.points().len()), (8, 1));

        let brush = doc.objects().nth(1).expect("brush").0;
        let mut draft = doc.edit();
        draft.update(brush, |object| object.parent = Some(entity));
        let owned = draft.finish().expect("sound");
        spatial.sync(&owned);
        assert_eq!(spatial.points().len(), 0);

        let mut draft = owned.edit();
        draft.remove(brush);
        spatial.sync(&draft.finish().expect("sound"));
        assert_eq!((spatial.solids().len(), spatial.points().len()), (7, 1));
        spatial.sync(&doc);
        assert_eq!((spatial.solids().len(), spatial.points().len()), (8, 1));
    }
}
