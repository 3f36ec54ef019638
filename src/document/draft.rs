//! The only way to the next state of a map.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;

use crate::document::BrushError;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::MapPath;
use crate::document::MapSettings;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::PathId;
use crate::document::RawChunk;
use crate::document::Unstorable;
use crate::geometry::Aabb;

/// Coordinates beyond this are warned of (`W-FAR`); no edit goes there.
pub const WORLD_LIMIT: f64 = 131_072.0;

/// From so many objects on, settling them pays for waking the workers.
const PARALLEL_FROM: usize = 64;

/// Why an edit could not be made. The draft is dropped; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// A sentence for the status line: what stopped it and what can be done.
    #[error("{0}")]
    Refused(String),
    #[error("Brush {id} would be broken: {error}")]
    Brush { id: ObjectId, error: BrushError },
    /// Far from the origin the numbers of a file are coarse.
    #[error(
        "Brush {id} cannot be stored there: its corners would be off its faces; make it simpler, or keep it nearer to the origin"
    )]
    Inexact { id: ObjectId },
    #[error("That would leave the map's bounds, {WORLD_LIMIT} units from the origin")]
    OutOfBounds { id: ObjectId },
    /// Numbers of this map are used up (`hmap.md` D17).
    #[error("This map has used up all its object numbers; save it and open it again")]
    OutOfIds,
}

impl EditError {
    #[must_use]
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::Refused(reason.into())
    }

    /// Why this brush cannot be committed.
    #[must_use]
    pub fn of_brush(id: ObjectId, error: Unstorable) -> Self {
        match error {
            Unstorable::Broken(error) => Self::Brush { id, error },
            Unstorable::Inexact => Self::Inexact { id },
        }
    }
}

/// A document under change. Reading goes through `Deref`.
pub struct Draft {
    doc: Document,
    /// What it started from: a broken brush may stay broken, a sound one may not become so.
    base: Document,
    touched: BTreeSet<ObjectId>,
    /// Highest `order` in use; found out when first asked for.
    last_order: Option<u32>,
}

impl Deref for Draft {
    type Target = Document;
    fn deref(&self) -> &Document {
        &self.doc
    }
}

impl Draft {
    pub(super) fn new(doc: Document) -> Self {
        Self {
            base: doc.clone(),
            doc,
            touched: BTreeSet::new(),
            last_order: None,
        }
    }

    fn fresh_id(&mut self) -> u32 {
        let id = self.doc.next_id();
        assert!(
            id < u32::MAX,
            "out of object numbers: Draft::has_room is asked before"
        );
        self.doc.next_id = id + 1;
        id
    }

    /// Adds an object with a fresh id, last in document order.
    pub fn insert(&mut self, mut object: Object) -> ObjectId {
        let id = ObjectId::new(self.fresh_id()).expect("fresh ids start at 1");
        object.order = object.order.max(self.last_order());
        self.put(id, object);
        id
    }

    /// Highest `order` in use. Walks the map once per draft; what the draft changes can only raise it, which keeps new objects
    /// last.
    fn last_order(&mut self) -> u32 {
        let doc = &self.doc;
        *self.last_order.get_or_insert_with(|| {
            doc.objects()
                .map(|(_, object)| object.order)
                .max()
                .unwrap_or(0)
        })
    }

    fn raise_order(&mut self, order: u32) {
        self.last_order = self.last_order.map(|last| last.max(order));
    }

    /// Adds or replaces an object under an id of the caller's choice (readers, undo of ids). Raises the next id.
    pub fn put(&mut self, id: ObjectId, object: Object) {
        if let Some(old) = self.doc.object(id) {
            let old_parent = old.parent;
            if old_parent != object.parent {
                self.doc.children.remove((old_parent, id));
            }
        }
        self.raise_order(object.order);
        self.doc.children.insert((object.parent, id), Arc::new(()));
        self.doc.objects.insert(id, Arc::new(object));
        self.doc.next_id = self.doc.next_id.max(id.get().saturating_add(1));
        self.touched.insert(id);
    }

    /// Puts a new version of an object that the caller has made (large edits make them in parallel).
    /// Does nothing when the object does not exist.
    pub fn replace(&mut self, id: ObjectId, object: Arc<Object>) {
        let Some(slot) = self.doc.objects.slot(id) else {
            return;
        };
        let (old, new, order) = (slot.parent, object.parent, object.order);
        *slot = object;
        self.raise_order(order);
        if old != new {
            self.doc.children.remove((old, id));
            self.doc.children.insert((new, id), Arc::new(()));
        }
        self.touched.insert(id);
    }

    /// As [`Draft::replace`] for many at once; ids ascend. Objects that do not exist are passed over.
    pub fn replace_all(&mut self, made: Vec<(ObjectId, Arc<Object>)>) {
        let mut touched = Vec::with_capacity(made.len());
        let mut order = None;
        let mut moved = Vec::new();
        self.doc.objects.update_sorted(made, |id, slot, object| {
            order = order.max(Some(object.order));
            if slot.parent != object.parent {
                moved.push((id, slot.parent, object.parent));
            }
            *slot = object;
            touched.push(id);
        });
        if let Some(order) = order {
            self.raise_order(order);
        }
        for (id, old, new) in moved {
            self.doc.children.remove((old, id));
            self.doc.children.insert((new, id), Arc::new(()));
        }
        // A set of sorted entries is made at once.
        self.touched.append(&mut touched.into_iter().collect());
    }

    /// Changes an object in place; `None` when it does not exist.
    pub fn update<R>(&mut self, id: ObjectId, change: impl FnOnce(&mut Object) -> R) -> Option<R> {
        let slot = self.doc.objects.slot(id)?;
        let old_parent = slot.parent;
        let object = Arc::make_mut(slot);
        let result = change(object);
        let (parent, order) = (object.parent, object.order);
        self.raise_order(order);
        if parent != old_parent {
            self.doc.children.remove((old_parent, id));
            self.doc.children.insert((parent, id), Arc::new(()));
        }
        self.touched.insert(id);
        Some(result)
    }

    /// Removes an object with everything below it; paths forget it.
    pub fn remove(&mut self, id: ObjectId) {
        if self.doc.object(id).is_none() {
            return;
        }
        let gone = self.doc.subtree(id);
        for &id in gone.iter().rev() {
            if let Some(object) = self.doc.objects.remove(id) {
                self.doc.children.remove((object.parent, id));
            }
            self.touched.remove(&id);
        }
        let paths: Vec<PathId> = self
            .doc
            .paths()
            .filter(|(_, path)| path.nodes.iter().any(|node| gone.contains(node)))
            .map(|(id, _)| id)
            .collect();
        for path in paths {
            self.update_path(path, |path| path.nodes.retain(|node| !gone.contains(node)));
        }
    }

    /// Adds a material at the end of `MATS`.
    pub fn insert_material(&mut self, material: Material) -> MaterialId {
        let id = MaterialId(self.doc.materials.last_key().map_or(0, |id| id.0 + 1));
        self.doc.materials.insert(id, Arc::new(material));
        id
    }

    pub fn update_material<R>(
        &mut self,
        id: MaterialId,
        change: impl FnOnce(&mut Material) -> R,
    ) -> Option<R> {
        self.doc
            .materials
            .slot(id)
            .map(|slot| change(Arc::make_mut(slot)))
    }

    /// Replaces the whole list (purging renumbers; the caller mends the references).
    pub fn set_materials(&mut self, materials: Vec<Material>) {
        self.doc.materials = materials
            .into_iter()
            .zip(0..)
            .map(|(material, index)| (MaterialId(index), Arc::new(material)))
            .collect();
    }

    pub fn insert_layer(&mut self, layer: Layer) -> LayerId {
        let id = LayerId::new(self.fresh_id()).expect("fresh ids start at 1");
        self.put_layer(id, layer);
        id
    }

    pub fn put_layer(&mut self, id: LayerId, layer: Layer) {
        self.doc.layers.insert(id, Arc::new(layer));
        self.doc.next_id = self.doc.next_id.max(id.get().saturating_add(1));
    }

    pub fn update_layer<R>(
        &mut self,
        id: LayerId,
        change: impl FnOnce(&mut Layer) -> R,
    ) -> Option<R> {
        self.doc
            .layers
            .slot(id)
            .map(|slot| change(Arc::make_mut(slot)))
    }

    /// Removes a layer or visgroup; its members go to the default layer, its children to its parent.
    pub fn remove_layer(&mut self, id: LayerId) {
        let Some(gone) = self.doc.layers.remove(id) else {
            return;
        };
        let children: Vec<LayerId> = self
            .doc
            .layers()
            .filter(|(_, layer)| layer.parent == Some(id))
            .map(|(id, _)| id)
            .collect();
        for child in children {
            self.update_layer(child, |layer| layer.parent = gone.parent);
        }
        let members: Vec<ObjectId> = self
            .doc
            .objects()
            .filter(|(_, object)| object.layer == Some(id) || object.visgroups.contains(&id))
            .map(|(id, _)| id)
            .collect();
        for member in members {
            self.update(member, |object| {
                if object.layer == Some(id) {
                    object.layer = None;
                }
                if object.visgroups.contains(&id) {
                    object.visgroups = object
                        .visgroups
                        .iter()
                        .copied()
                        .filter(|&group| group != id)
                        .collect();
                }
            });
        }
    }

    pub fn insert_path(&mut self, path: MapPath) -> PathId {
        let id = PathId::new(self.fresh_id()).expect("fresh ids start at 1");
        self.put_path(id, path);
        id
    }

    pub fn put_path(&mut self, id: PathId, path: MapPath) {
        self.doc.paths.insert(id, Arc::new(path));
        self.doc.next_id = self.doc.next_id.max(id.get().saturating_add(1));
    }

    pub fn update_path<R>(
        &mut self,
        id: PathId,
        change: impl FnOnce(&mut MapPath) -> R,
    ) -> Option<R> {
        self.doc
            .paths
            .slot(id)
            .map(|slot| change(Arc::make_mut(slot)))
    }

    pub fn remove_path(&mut self, id: PathId) {
        self.doc.paths.remove(id);
    }

    pub fn settings_mut(&mut self) -> &mut MapSettings {
        Arc::make_mut(&mut self.doc.settings)
    }

    pub fn set_extra(&mut self, extra: Vec<RawChunk>) {
        self.doc.extra = Arc::new(extra);
    }

    /// For readers: the number that `META` holds.
    pub fn set_next_id(&mut self, next_id: u32) {
        self.doc.next_id = next_id.max(self.doc.next_id);
    }

    /// For previews: as it is, nothing rounded.
    #[must_use]
    pub fn peek(self) -> Document {
        self.doc
    }

    /// For readers: as it is; what they store is what the file held.
    #[must_use]
    pub fn as_read(self) -> Document {
        self.doc
    }

    /// For commits: rounds what was touched to numbers the file can hold, rebuilds hulls and checks.
    ///
    /// # Errors
    /// [`EditError::Brush`] when a brush that was sound, or is new, would be broken; [`EditError::Inexact`] when its corners would
    /// not lie behind its planes; [`EditError::OutOfBounds`] when something would leave the map.
    pub fn finish(mut self) -> Result<Document, EditError> {
        let touched: Vec<ObjectId> = std::mem::take(&mut self.touched).into_iter().collect();
        // Each object is settled by itself; the results come in the order of the ids, and so does the first error.
        let settled: Vec<Result<Option<Object>, EditError>> = if touched.len() < PARALLEL_FROM {
            touched.iter().map(|&id| self.settled(id)).collect()
        } else {
            touched.par_iter().map(|&id| self.settled(id)).collect()
        };
        for (id, settled) in touched.into_iter().zip(settled) {
            if let Some(object) = settled?
                && let Some(slot) = self.doc.objects.slot(id)
            {
                *slot = Arc::new(object);
            }
        }
        Ok(self.doc)
    }

    /// The object with numbers that the file can hold; `None` when it has them already.
    fn settled(&self, id: ObjectId) -> Result<Option<Object>, EditError> {
        let Some(object) = self.doc.object_shared(id) else {
            return Ok(None);
        };
        if self
            .base
            .object_shared(id)
            .is_some_and(|old| Arc::ptr_eq(old, object))
        {
            return Ok(None);
        }
        let old_bounds = self.base.object(id).map(Object::bounds);
        if reach(object.bounds()) > old_bounds.map_or(WORLD_LIMIT, reach).max(WORLD_LIMIT) {
            return Err(EditError::OutOfBounds { id });
        }
        let with = |kind: Kind| {
            Some(Object {
                kind,
                ..Object::clone(object)
            })
        };
        Ok(match &object.kind {
            Kind::Brush(brush) => {
                let before = self.base.object(id).and_then(Object::brush);
                if before.is_some_and(|before| before == brush) {
                    // Only flags, layer or parent changed: its numbers stay as they came.
                    return Ok(None);
                }
                let committed = brush
                    .committed(before, &|material| self.doc.tile_size(material))
                    .map_err(|error| EditError::of_brush(id, error))?;
                committed.and_then(|brush| with(Kind::Brush(brush)))
            }
            Kind::Mesh(mesh) if mesh.points.iter().any(|&point| !is_rounded(point)) => {
                with(Kind::Mesh(Mesh {
                    points: mesh.points.iter().map(|&point| rounded(point)).collect(),
                    ..mesh.clone()
                }))
            }
            Kind::Entity(entity)
                if !(is_rounded(entity.origin)
                    && is_rounded(entity.angles_deg)
                    && is_rounded(entity.scale)) =>
            {
                with(Kind::Entity(Entity {
                    origin: rounded(entity.origin),
                    angles_deg: rounded(entity.angles_deg),
                    scale: rounded(entity.scale),
                    ..entity.clone()
                }))
            }
            Kind::Mesh(_) | Kind::Entity(_) | Kind::Group(_) => None,
        })
    }
}

/// The largest coordinate; 0 for nothing, and for what is no number.
fn reach(bounds: Aabb) -> f64 {
    if bounds.is_empty() {
        return 0.0;
    }
    bounds.min.abs().max(bounds.max.abs()).max_element()
}

fn rounded(v: DVec3) -> DVec3 {
    v.as_vec3().as_dvec3()
}

fn is_rounded(v: DVec3) -> bool {
    // By bits, so that a value that is no number counts as rounded.
    rounded(v).to_array().map(f64::to_bits) == v.to_array().map(f64::to_bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Brush;
    use crate::document::Contents;
    use crate::document::Face;
    use crate::document::LayerKind;
    use crate::document::PathKind;
    use crate::geometry::Aabb;
    use crate::geometry::Plane;

    fn brush(half: f64) -> Object {
        Object::new(Kind::Brush(Brush::cuboid(
            Aabb::around(DVec3::ZERO, DVec3::splat(half)),
            None,
        )))
    }

    fn entity(origin: DVec3) -> Object {
        Object::new(Kind::Entity(Entity::new("e", origin)))
    }

    #[test]
    fn new_objects_come_last() {
        let mut draft = Document::default().edit();
        let id = |n: u32| ObjectId::new(n).expect("not 0");
        draft.put(
            id(5),
            Object {
                order: 9,
                ..brush(4.0)
            },
        );
        draft.put(
            id(7),
            Object {
                order: 3,
                ..brush(4.0)
            },
        );
        let first = draft.insert(brush(4.0));
        assert_eq!((first, draft.object(first).expect("new").order), (id(8), 9));
        draft.update(id(5), |object| object.order = 20);
        let second = draft.insert(brush(4.0));
        assert_eq!(draft.objects_in_order().last().expect("some").0, second);
        assert_eq!(draft.object(second).expect("new").order, 20);
    }

    #[test]
    fn removing_takes_the_tree_and_paths_forget() {
        let mut draft = Document::default().edit();
        let top = draft.insert(entity(DVec3::ZERO));
        let below = draft.insert(Object {
            parent: Some(top),
            ..brush(4.0)
        });
        let other = draft.insert(entity(DVec3::ONE));
        let path = draft.insert_path(MapPath {
            name: String::new(),
            kind: PathKind::OneWay,
            flags: 0,
            nodes: vec![top, other],
        });
        draft.remove(top);
        assert!(draft.object(below).is_none() && draft.children(Some(top)).next().is_none());
        assert_eq!(draft.path(path).expect("path").nodes, vec![other]);
        assert_eq!(draft.next_id(), 5, "numbers are not given twice");
    }

    #[test]
    fn members_outlive_their_layer() {
        let mut draft = Document::default().edit();
        let outer = draft.insert_layer(Layer::new(LayerKind::Layer, "outer"));
        let inner = draft.insert_layer(Layer {
            parent: Some(outer),
            ..Layer::new(LayerKind::Layer, "inner")
        });
        let member = draft.insert(Object {
            layer: Some(outer),
            ..brush(4.0)
        });
        draft.remove_layer(outer);
        assert_eq!(draft.object(member).expect("member").layer, None);
        assert_eq!(draft.layer(inner).expect("inner").parent, None);
    }

    #[test]
    fn a_commit_rounds_what_was_touched_only() {
        let odd = DVec3::splat(0.1);
        let mut draft = Document::default().edit();
        let kept = draft.insert(entity(odd));
        let base = draft.as_read();
        let mut draft = base.edit();
        let new = draft.insert(entity(odd));
        let solid = draft.insert(brush(0.1));
        let doc = draft.finish().expect("sound");
        assert_eq!(doc.entity(kept).expect("kept").origin, odd);
        assert_eq!(
            doc.entity(new).expect("new").origin,
            odd.as_vec3().as_dvec3()
        );
        let faces = doc
            .object(solid)
            .and_then(Object::brush)
            .expect("brush")
            .faces();
        assert!(
            faces
                .iter()
                .all(|face| face.plane.dist == f64::from(0.1f32))
        );
    }

    #[test]
    fn edits_stay_within_the_map() {
        let at = |x: f64| {
            Object::new(Kind::Brush(Brush::cuboid(
                Aabb::around(DVec3::X * x, DVec3::splat(8.0)),
                None,
            )))
        };
        let mut draft = Document::default().edit();
        let (near, far) = (draft.insert(at(0.0)), draft.insert(at(200_000.0)));
        let lamp = draft.insert(entity(DVec3::ZERO));
        let base = draft.as_read();
        let put = |id: ObjectId, object: Object| {
            let mut draft = base.edit();
            draft.put(id, object);
            draft.finish().err()
        };
        assert_eq!(put(near, at(131_064.0)), None);
        assert_eq!(
            put(near, at(131_065.0)),
            Some(EditError::OutOfBounds { id: near })
        );
        let lost = entity(DVec3::NEG_Z * 131_073.0);
        assert_eq!(put(lamp, lost), Some(EditError::OutOfBounds { id: lamp }));
        assert_eq!(
            put(far, at(190_000.0)),
            None,
            "what came from a file may come nearer"
        );
        assert_eq!(
            put(far, at(201_000.0)),
            Some(EditError::OutOfBounds { id: far })
        );
    }

    #[test]
    fn sound_brushes_stay_sound_and_broken_ones_may_stay_broken() {
        let open = |count: usize| {
            let planes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y];
            let faces = planes[..count]
                .iter()
                .map(|&normal| Face::new(Plane::new(normal, 4.0), None))
                .collect();
            Kind::Brush(Brush::as_stored(Contents::SOLID, faces))
        };
        let mut draft = Document::default().edit();
        let (broken, sound) = (draft.insert(Object::new(open(5))), draft.insert(brush(4.0)));
        assert!(
            draft.doc.clone().edit().finish().is_ok(),
            "untouched is unchecked"
        );
        let base = draft.as_read();
        let put = |id: ObjectId| {
            let mut draft = base.edit();
            draft.update(id, |object| object.kind = open(4));
            draft.finish()
        };
        assert!(put(broken).is_ok());
        assert_eq!(
            put(sound).err(),
            Some(EditError::Brush {
                id: sound,
                error: BrushError::Open
            })
        );
        let mut draft = base.edit();
        let new = draft.insert(Object::new(open(5)));
        assert!(matches!(draft.finish(), Err(EditError::Brush { id, .. }) if id == new));
    }
}
