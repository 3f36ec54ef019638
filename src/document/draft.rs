//! The only way to the next state of a map.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

use crate::document::BrushError;
use crate::document::Document;
use crate::document::Kind;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::MapPath;
use crate::document::MapSettings;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::PathId;
use crate::document::RawChunk;

/// Why an edit could not be made. The draft is dropped; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// A sentence for the status line: what stopped it and what can be done.
    #[error("{0}")]
    Refused(String),
    #[error("Brush {id} would be broken: {error}")]
    Brush { id: ObjectId, error: BrushError },
    /// Numbers of this map are used up (`hmap.md` D17).
    #[error("This map has used up all its object numbers; save it and open it again")]
    OutOfIds,
}

impl EditError {
    #[must_use]
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::Refused(reason.into())
    }
}

/// A document under change. Reading goes through `Deref`.
pub struct Draft {
    doc: Document,
    /// What it started from: a broken brush may stay broken, a sound one may not become so.
    base: Document,
    touched: BTreeSet<ObjectId>,
}

impl Deref for Draft {
    type Target = Document;
    fn deref(&self) -> &Document {
        &self.doc
    }
}

impl Draft {
    pub(super) fn new(doc: Document) -> Self {
        Self { base: doc.clone(), doc, touched: BTreeSet::new() }
    }

    fn fresh_id(&mut self) -> u32 {
        let id = self.doc.next_id();
        assert!(id < u32::MAX, "out of object numbers: Draft::has_room is asked before");
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

    /// Highest `order` in use. Nearly always 0, then this costs one look at the last object.
    fn last_order(&self) -> u32 {
        // Readers number either all or no objects, and new ones take the highest, so the newest id has it.
        self.doc.objects.last_key().and_then(|id| self.doc.object(id)).map_or(0, |object| object.order)
    }

    /// Adds or replaces an object under an id of the caller's choice (readers, undo of ids). Raises the next id.
    pub fn put(&mut self, id: ObjectId, object: Object) {
        if let Some(old) = self.doc.object(id) {
            let old_parent = old.parent;
            if old_parent != object.parent {
                self.doc.children.remove((old_parent, id));
            }
        }
        self.doc.children.insert((object.parent, id), Arc::new(()));
        self.doc.objects.insert(id, Arc::new(object));
        self.doc.next_id = self.doc.next_id.max(id.get().saturating_add(1));
        self.touched.insert(id);
    }

    /// Puts a new version of an object that the caller has made (large edits make them in parallel).
    /// Does nothing when the object does not exist.
    pub fn replace(&mut self, id: ObjectId, object: Arc<Object>) {
        let Some(slot) = self.doc.objects.slot(id) else { return };
        let (old, new) = (slot.parent, object.parent);
        *slot = object;
        if old != new {
            self.doc.children.remove((old, id));
            self.doc.children.insert((new, id), Arc::new(()));
        }
        self.touched.insert(id);
    }

    /// Changes an object in place; `None` when it does not exist.
    pub fn update<R>(&mut self, id: ObjectId, change: impl FnOnce(&mut Object) -> R) -> Option<R> {
        let slot = self.doc.objects.slot(id)?;
        let old_parent = slot.parent;
        let object = Arc::make_mut(slot);
        let result = change(object);
        let parent = object.parent;
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
        let paths: Vec<PathId> =
            self.doc.paths().filter(|(_, path)| path.nodes.iter().any(|node| gone.contains(node))).map(|(id, _)| id).collect();
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

    pub fn update_material<R>(&mut self, id: MaterialId, change: impl FnOnce(&mut Material) -> R) -> Option<R> {
        self.doc.materials.slot(id).map(|slot| change(Arc::make_mut(slot)))
    }

    /// Replaces the whole list (purging renumbers; the caller mends the references).
    pub fn set_materials(&mut self, materials: Vec<Material>) {
        self.doc.materials = materials.into_iter().zip(0..).map(|(material, index)| (MaterialId(index), Arc::new(material))).collect();
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

    pub fn update_layer<R>(&mut self, id: LayerId, change: impl FnOnce(&mut Layer) -> R) -> Option<R> {
        self.doc.layers.slot(id).map(|slot| change(Arc::make_mut(slot)))
    }

    /// Removes a layer or visgroup; its members go to the default layer, its children to its parent.
    pub fn remove_layer(&mut self, id: LayerId) {
        let Some(gone) = self.doc.layers.remove(id) else { return };
        let children: Vec<LayerId> = self.doc.layers().filter(|(_, layer)| layer.parent == Some(id)).map(|(id, _)| id).collect();
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
                    object.visgroups = object.visgroups.iter().copied().filter(|&group| group != id).collect();
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

    pub fn update_path<R>(&mut self, id: PathId, change: impl FnOnce(&mut MapPath) -> R) -> Option<R> {
        self.doc.paths.slot(id).map(|slot| change(Arc::make_mut(slot)))
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
    /// [`EditError::Brush`] when a brush that was sound, or is new, would be broken.
    pub fn finish(mut self) -> Result<Document, EditError> {
        for id in std::mem::take(&mut self.touched) {
            let Some(object) = self.doc.objects.get_shared(id).cloned() else { continue };
            if self.base.object_shared(id).is_some_and(|old| Arc::ptr_eq(old, &object)) {
                continue;
            }
            let mut object = object;
            let doc = &self.doc;
            match &object.kind {
                Kind::Brush(brush) => {
                    let before = self.base.object(id).and_then(Object::brush);
                    if before.is_some_and(|before| before == brush) {
                        // Only flags, layer or parent changed: its numbers stay as they came.
                    } else if let Some(committed) = brush.committed(before, &|material| doc.tile_size(material)).map_err(|error| EditError::Brush { id, error })? {
                        Arc::make_mut(&mut object).kind = Kind::Brush(committed);
                    }
                }
                Kind::Mesh(mesh) => {
                    let round = |point: glam::DVec3| point.as_vec3().as_dvec3();
                    if mesh.points.iter().any(|&point| round(point) != point)
                        && let Kind::Mesh(mesh) = &mut Arc::make_mut(&mut object).kind
                    {
                        mesh.points.iter_mut().for_each(|point| *point = round(*point));
                    }
                }
                Kind::Entity(entity) => {
                    let round = |v: glam::DVec3| v.as_vec3().as_dvec3();
                    if round(entity.origin) != entity.origin || round(entity.angles_deg) != entity.angles_deg || round(entity.scale) != entity.scale {
                        let Kind::Entity(entity) = &mut Arc::make_mut(&mut object).kind else { continue };
                        entity.origin = round(entity.origin);
                        entity.angles_deg = round(entity.angles_deg);
                        entity.scale = round(entity.scale);
                    }
                }
                Kind::Group(_) => {}
            }
            if let Some(slot) = self.doc.objects.slot(id)
                && !Arc::ptr_eq(slot, &object)
            {
                *slot = object;
            }
        }
        Ok(self.doc)
    }
}
