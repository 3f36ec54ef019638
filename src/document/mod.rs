//! The map as an immutable value, the ways to make the next one, and the list of those made.
//!
//! Must not know files, textures, time, threads or windows.

mod brush;
pub mod carving;
mod draft;
mod entity;
mod group;
mod history;
mod id;
mod issues;
mod layer;
mod material;
mod mesh;
mod object;
pub mod ops;
mod path;
mod selection;
mod subject;
mod table;
mod view;

use std::sync::Arc;

use glam::Vec2;
use glam::Vec3;

pub use self::brush::Brush;
pub use self::brush::BrushError;
pub use self::brush::Contents;
pub use self::brush::Face;
pub use self::brush::Unstorable;
pub use self::brush::UvLock;
pub use self::draft::Draft;
pub use self::draft::EditError;
pub use self::entity::Entity;
pub use self::group::Group;
pub use self::history::Again;
pub use self::history::Edit;
pub use self::history::History;
pub use self::history::State;
pub use self::history::StepView;
pub use self::id::LayerId;
pub use self::id::MaterialId;
pub use self::id::ObjectId;
pub use self::id::PathId;
pub use self::issues::Issue;
pub use self::issues::Problems;
pub use self::issues::Severity;
pub use self::layer::Layer;
pub use self::layer::LayerKind;
pub use self::material::Material;
pub use self::material::SurfaceFlags;
pub use self::mesh::Mesh;
pub use self::mesh::Polygon;
pub use self::object::Kind;
pub use self::object::Object;
pub use self::object::ObjectFlags;
pub use self::path::MapPath;
pub use self::path::PathKind;
pub use self::selection::Pick;
pub use self::selection::Selection;
pub use self::selection::SelectionExt;
pub use self::subject::Subject;
pub use self::table::Difference;
pub use self::table::Differences;
pub use self::table::Table;
pub use self::view::Camera;
pub use self::view::CameraKind;
pub use self::view::ViewState;

/// `META`: what holds for the whole map. The grid step lives in [`ViewState`].
#[derive(Clone, Debug, PartialEq)]
pub struct MapSettings {
    /// Title, free text.
    pub name: String,
    /// sRGB-encoded, 0..1; added to all baked light.
    pub ambient: Vec3,
    /// How many world units make a metre, > 0.
    pub units_per_meter: f32,
}

impl Default for MapSettings {
    fn default() -> Self {
        Self {
            name: String::new(),
            ambient: Vec3::splat(0.1),
            units_per_meter: 32.0,
        }
    }
}

/// A chunk that Mapwright does not know, kept verbatim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawChunk {
    pub tag: [u8; 4],
    pub payload: Arc<[u8]>,
    /// On which side of `CMPL` it stood (D8).
    pub after_compiled: bool,
}

/// One state of the map. Copying costs a few pointers; nothing in it ever changes.
#[derive(Clone, Default)]
pub struct Document {
    objects: Table<ObjectId, Object>,
    /// Index kept by [`Draft`]; the children of one parent are a range.
    children: Table<(Option<ObjectId>, ObjectId), ()>,
    materials: Table<MaterialId, Material>,
    layers: Table<LayerId, Layer>,
    paths: Table<PathId, MapPath>,
    settings: Arc<MapSettings>,
    extra: Arc<Vec<RawChunk>>,
    /// The next free id; 0 counts as 1.
    next_id: u32,
}

/// How an object differs between two documents.
#[derive(Clone, Copy)]
pub enum Change<'a> {
    Added(ObjectId, &'a Object),
    /// The object now and before. Treat as *replaced*: it may be of another kind.
    Changed(ObjectId, &'a Object, &'a Object),
    Removed(ObjectId, &'a Object),
}

impl Change<'_> {
    #[must_use]
    pub fn id(&self) -> ObjectId {
        match self {
            Self::Added(id, _) | Self::Changed(id, ..) | Self::Removed(id, _) => *id,
        }
    }
}

impl Document {
    #[must_use]
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id)
    }

    /// The shared object: who keeps it can tell by its address whether it changed.
    #[must_use]
    pub fn object_shared(&self, id: ObjectId) -> Option<&Arc<Object>> {
        self.objects.get_shared(id)
    }

    #[must_use]
    pub fn entity(&self, id: ObjectId) -> Option<&Entity> {
        self.object(id)?.entity()
    }

    /// All objects by id: deterministic, but not document order.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.iter()
    }

    /// All objects in document order: by (`order`, id).
    #[must_use]
    pub fn objects_in_order(&self) -> Vec<(ObjectId, &Object)> {
        let mut list: Vec<_> = self.objects().collect();
        list.sort_by_key(|(id, object)| (object.order, *id));
        list
    }

    #[must_use]
    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// Objects whose parent is `parent`, by id.
    pub fn children(&self, parent: Option<ObjectId>) -> impl Iterator<Item = ObjectId> {
        let from = (parent, ObjectId::new(1).expect("1 is not 0"));
        self.children
            .range_from(from)
            .map(|((p, id), ())| (p, id))
            .take_while(move |(p, _)| *p == parent)
            .map(|(_, id)| id)
    }

    /// The object and everything below it, parents before children.
    #[must_use]
    pub fn subtree(&self, id: ObjectId) -> Vec<ObjectId> {
        let mut list = vec![id];
        let mut next = 0;
        while let Some(&id) = list.get(next) {
            list.extend(self.children(Some(id)));
            next += 1;
        }
        list
    }

    /// The nearest entity among the ancestors: the file's `owner`; `None` = the world.
    #[must_use]
    pub fn owner(&self, id: ObjectId) -> Option<ObjectId> {
        self.ancestors(id).find(|&id| self.entity(id).is_some())
    }

    /// The parents from the nearest to the outermost.
    pub fn ancestors(&self, id: ObjectId) -> impl Iterator<Item = ObjectId> {
        std::iter::successors(self.object(id).and_then(|object| object.parent), |&id| {
            self.object(id).and_then(|object| object.parent)
        })
    }

    /// The outermost group that holds `id` below `open` (a group that is open for editing), or `id` itself.
    #[must_use]
    pub fn selectable(&self, id: ObjectId, open: Option<ObjectId>) -> ObjectId {
        let mut found = id;
        for ancestor in self.ancestors(id) {
            if Some(ancestor) == open {
                break;
            }
            if self
                .object(ancestor)
                .is_some_and(|object| object.group().is_some())
            {
                found = ancestor;
            }
        }
        found
    }

    #[must_use]
    pub fn material(&self, id: MaterialId) -> Option<&Material> {
        self.materials.get(id)
    }

    pub fn materials(&self) -> impl Iterator<Item = (MaterialId, &Material)> {
        self.materials.iter()
    }

    #[must_use]
    pub fn material_count(&self) -> usize {
        self.materials.len()
    }

    #[must_use]
    pub fn material_named(&self, name: &str) -> Option<MaterialId> {
        self.materials()
            .find(|(_, material)| material.name == name)
            .map(|(id, _)| id)
    }

    /// World units per repeat at uv scale 1; 64 without a material.
    #[must_use]
    pub fn tile_size(&self, material: Option<MaterialId>) -> Vec2 {
        material
            .and_then(|id| self.material(id))
            .map_or(Vec2::splat(64.0), Material::sound_tile_size)
    }

    #[must_use]
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.get(id)
    }

    pub fn layers(&self) -> impl Iterator<Item = (LayerId, &Layer)> {
        self.layers.iter()
    }

    #[must_use]
    pub fn path(&self, id: PathId) -> Option<&MapPath> {
        self.paths.get(id)
    }

    pub fn paths(&self) -> impl Iterator<Item = (PathId, &MapPath)> {
        self.paths.iter()
    }

    #[must_use]
    pub fn settings(&self) -> &MapSettings {
        &self.settings
    }

    #[must_use]
    pub fn extra(&self) -> &[RawChunk] {
        &self.extra
    }

    /// The number the next new object, layer or path gets, >= 1.
    #[must_use]
    pub fn next_id(&self) -> u32 {
        self.next_id.max(1)
    }

    /// The first entity of class `worldspawn`, whose keys are the world's.
    #[must_use]
    pub fn worldspawn(&self) -> Option<(ObjectId, &Entity)> {
        self.objects()
            .filter_map(|(id, object)| Some((object.order, id, object.entity()?)))
            .filter(|(_, _, entity)| entity.class == "worldspawn")
            .min_by_key(|(order, id, _)| (*order, *id))
            .map(|(_, id, entity)| (id, entity))
    }

    /// True when the object's own bit, its layer or one of its visgroups or containers leaves it out of builds.
    #[must_use]
    pub fn is_left_out(&self, id: ObjectId) -> bool {
        let own = |id: ObjectId| {
            let Some(object) = self.object(id) else {
                return false;
            };
            object.flags.has(ObjectFlags::NO_COMPILE)
                || object
                    .layer
                    .iter()
                    .chain(object.visgroups.iter())
                    .any(|&layer| self.layer_left_out(layer))
        };
        own(id) || self.ancestors(id).any(own)
    }

    fn layer_left_out(&self, id: LayerId) -> bool {
        std::iter::successors(Some(id), |&id| {
            self.layer(id).and_then(|layer| layer.parent)
        })
        .take(1024)
        .any(|id| self.layer(id).is_some_and(|layer| layer.no_compile))
    }

    /// Objects that differ from `old`, by id.
    pub fn changes_since<'a>(&'a self, old: &'a Self) -> impl Iterator<Item = Change<'a>> {
        self.objects
            .differences(&old.objects)
            .map(|(id, difference)| match difference {
                Difference::Added(new) => Change::Added(id, new),
                Difference::Changed(new, before) => Change::Changed(id, new, before),
                Difference::Removed(before) => Change::Removed(id, before),
            })
    }

    /// Whether any entity differs from `old`, or is in one of the two alone.
    #[must_use]
    pub fn entities_differ(&self, old: &Self) -> bool {
        let is_entity = |object: &Object| object.entity().is_some();
        self.changes_since(old).any(|change| match change {
            Change::Added(_, object) | Change::Removed(_, object) => is_entity(object),
            Change::Changed(_, now, before) => is_entity(now) || is_entity(before),
        })
    }

    /// Materials that differ from `old`, by id.
    pub fn material_changes_since<'a>(
        &'a self,
        old: &'a Self,
    ) -> Differences<'a, MaterialId, Material> {
        self.materials.differences(&old.materials)
    }

    /// Layers that differ from `old`, by id.
    pub fn layer_changes_since<'a>(&'a self, old: &'a Self) -> Differences<'a, LayerId, Layer> {
        self.layers.differences(&old.layers)
    }

    /// By pointers only: is this the very same state?
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        self.objects.same(&other.objects)
            && self.materials.same(&other.materials)
            && self.layers.same(&other.layers)
            && self.paths.same(&other.paths)
            && Arc::ptr_eq(&self.settings, &other.settings)
            && Arc::ptr_eq(&self.extra, &other.extra)
            && self.next_id == other.next_id
    }

    /// By value; slow, for tests and comparisons of files.
    #[must_use]
    pub fn equals(&self, other: &Self) -> bool {
        self.objects().eq(other.objects())
            && self.materials().eq(other.materials())
            && self.layers().eq(other.layers())
            && self.paths().eq(other.paths())
            && self.settings == other.settings
            && self.extra == other.extra
            && self.next_id() == other.next_id()
    }

    /// Box of all geometry and origins; empty for an empty map.
    #[must_use]
    pub fn bounds(&self) -> crate::geometry::Aabb {
        self.objects()
            .map(|(_, object)| object.bounds())
            .filter(|b| !b.is_empty())
            .fold(crate::geometry::Aabb::EMPTY, crate::geometry::Aabb::union)
    }

    /// Starts the next state.
    #[must_use]
    pub fn edit(&self) -> Draft {
        Draft::new(self.clone())
    }
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document")
            .field("settings", &self.settings)
            .field("objects", &self.objects().collect::<Vec<_>>())
            .field("materials", &self.materials().collect::<Vec<_>>())
            .field("layers", &self.layers().collect::<Vec<_>>())
            .field("paths", &self.paths().collect::<Vec<_>>())
            .field("next_id", &self.next_id)
            .finish_non_exhaustive()
    }
}
