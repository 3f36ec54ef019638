//! The part of the scene that needs no device: slots, arrays and lists that follow a state by differences.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::BinaryHeap;
use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;
use smallvec::SmallVec;

use crate::document::Document;
use crate::document::Entity;
use crate::document::ObjectId;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::State;
use crate::document::ViewState;
use crate::document::carving::Carving;
use crate::editor::shown::Surface;
use crate::geometry::Aabb;
use crate::viewport::EntityLook;
use crate::viewport::arena::Arena;
use crate::viewport::arena::Span;
use crate::viewport::arena::joined;
use crate::viewport::scene::Sky;
use crate::viewport::scene::carved::make_object;
use crate::viewport::scene::changes::SeenLook;
use crate::viewport::scene::changes::Todo;
use crate::viewport::scene::changes::differences;
use crate::viewport::scene::shape::FaceRun;
use crate::viewport::scene::shape::Segment;
use crate::viewport::scene::shape::Shape;
use crate::viewport::scene::shape::ShapeCx;
use crate::viewport::scene::shape::Vertex;
use crate::viewport::scene::shape::row;
use crate::viewport::scene::surface::ListKey;

/// Slots of one chunk are culled together and share their index lists.
pub(crate) const CHUNK: u32 = 64;

/// From this many shapes on, they are made on all cores.
const PARALLEL: usize = 96;

/// From this many new objects on, neighbours in space get neighbouring slots.
const SORTED: usize = 256;

/// A slot's entry for the shaders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Row {
    /// See [`row`].
    pub bits: u32,
    /// RGBA8.
    pub color: u32,
}

/// Where an object's picture lies.
pub(crate) struct Slot {
    pub id: ObjectId,
    pub vertices: Span,
    pub segments: Span,
    pub faces: SmallVec<[FaceRun; 6]>,
    pub bounds: Option<Aabb>,
    pub(super) bits: u32,
    pub(super) color: u32,
}

impl Slot {
    pub(super) fn role(&self) -> u32 {
        (self.bits >> row::ROLE_SHIFT) & 15
    }

    /// A brush that carves.
    fn is_outline(&self) -> bool {
        self.bits & (row::ENTITY | row::TOOL) == row::TOOL && self.faces.is_empty()
    }

    /// Neither the box of an entity nor a brush that is only a tool.
    pub(super) fn is_geometry(&self) -> bool {
        self.bits & (row::ENTITY | row::TOOL) == 0
    }
}

#[derive(Default)]
pub(super) struct Chunk {
    pub(super) bounds: Option<Aabb>,
    lists: Vec<(ListKey, Span)>,
    /// Edges of geometry and of point entities.
    pub(super) segments: [Vec<Span>; 2],
    pub(super) bounds_dirty: bool,
    lists_dirty: bool,
    segments_dirty: bool,
}

/// How entities look, as the shell says.
pub(crate) type LookFn = Arc<dyn Fn(&Entity) -> EntityLook + Send + Sync>;

/// The scene without a device: [`Store::sync`] is what the benches measure.
pub struct Store {
    pub(super) slots: Vec<Option<Slot>>,
    pub(super) free: BinaryHeap<Reverse<u32>>,
    pub(super) by_id: HashMap<ObjectId, u32>,
    pub(crate) vertices: Arena<Vertex>,
    pub(crate) segments: Arena<Segment>,
    pub(crate) indices: Arena<u32>,
    pub(crate) rows: Arena<Row>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) dirty_chunks: BTreeSet<u32>,
    /// Per list, its spans of indices by chunk.
    pub(super) lists: BTreeMap<ListKey, Vec<(u32, Span)>>,
    pub(super) surfaces: Vec<Surface>,
    pub(super) entity_look: LookFn,
    pub(super) doc: Document,
    /// Which brushes carve which.
    pub(super) carving: Carving,
    pub(super) selection: Selection,
    pub(super) look: SeenLook,
    pub(super) selected: BTreeSet<ObjectId>,
    /// Edges of selected objects.
    pub(super) selected_segments: Vec<Span>,
    /// Edges of brushes that are drawn as outlines in every mode.
    pub(super) outlines: Vec<Span>,
    pub(super) generation: u64,
    /// Raised when faces moved to other places of the arrays, or the selection changed.
    pub(super) topology: u64,
    pub(super) sky: Sky,
    /// Raised when `sky` changed.
    pub(super) sky_generation: u64,
    /// Room for a shape, used again and again.
    buffer: Shape,
}

impl Default for Store {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: BinaryHeap::new(),
            by_id: HashMap::new(),
            vertices: Arena::default(),
            segments: Arena::default(),
            indices: Arena::default(),
            rows: Arena::default(),
            chunks: Vec::new(),
            dirty_chunks: BTreeSet::new(),
            lists: BTreeMap::new(),
            surfaces: Vec::new(),
            entity_look: Arc::new(EntityLook::by_class),
            doc: Document::default(),
            carving: Carving::default(),
            selection: Selection::new(),
            look: SeenLook::default(),
            selected: BTreeSet::new(),
            selected_segments: Vec::new(),
            outlines: Vec::new(),
            generation: 0,
            topology: 0,
            sky: Sky::default(),
            sky_generation: 0,
            buffer: Shape::default(),
        }
    }
}

impl Store {
    /// Catches up with a state. True when anything that is seen may have changed.
    pub fn sync(&mut self, state: &State, look: &ViewState) -> bool {
        let same_doc = self.doc.same(&state.doc);
        let same_look = self.look.is(look);
        let same_selection = self.selection == state.selection;
        if same_doc && same_look && same_selection {
            return false;
        }
        let mut todo = if same_doc {
            Todo::default()
        } else {
            let layers_matter = self.look.has_layers();
            differences(&self.doc, &state.doc, layers_matter, &mut self.surfaces)
        };
        let carved = self.carving.sync(&state.doc);
        if !carved.is_empty() {
            todo.make.extend(carved);
            todo.make.sort_unstable();
            todo.make.dedup();
        }
        todo.all_rows |= !same_look;
        self.doc = state.doc.clone();
        if !same_look {
            self.look = SeenLook::of(look);
        }
        for &id in &todo.removed {
            self.remove(id);
        }
        let mut rows = Vec::new();
        let moved = self.make_all(&todo.make, &mut rows);
        let reselected = !same_selection || (todo.tree && !state.selection.is_empty());
        if !same_selection {
            self.selection.clone_from(&state.selection);
        }
        if (moved || !todo.removed.is_empty())
            && !(self.carving.is_empty() && self.outlines.is_empty())
        {
            let outlines = self.slots.iter().flatten().filter(|slot| slot.is_outline());
            self.outlines = self.segment_spans(outlines.map(|slot| slot.id));
        }
        self.update_rows(look, &todo, reselected, rows);
        if reselected || moved {
            self.selected_segments = self.segment_spans(self.selected.iter().copied());
            self.topology += 1;
        }
        self.rebuild_chunks();
        self.generation += 1;
        true
    }

    /// How point entities look; all of them are made anew.
    pub fn set_entity_look(&mut self, look: LookFn) {
        self.entity_look = look;
        let entities: Vec<ObjectId> = self
            .doc
            .objects()
            .filter(|(_, object)| object.entity().is_some())
            .map(|(id, _)| id)
            .collect();
        self.make_all(&entities, &mut Vec::new());
        for &id in &entities {
            self.write_row_bits(id);
        }
        self.rebuild_chunks();
        self.generation += 1;
        self.topology += 1;
    }

    /// Makes objects and puts them into their slots; true when any edges moved to another place. Ids whose row may have
    /// changed go to `rows`.
    fn make_all(&mut self, ids: &[ObjectId], rows: &mut Vec<ObjectId>) -> bool {
        let new = ids.iter().filter(|id| !self.by_id.contains_key(id)).count();
        if new >= SORTED {
            rows.extend_from_slice(ids);
            return self.make_new(ids);
        }
        let left;
        let ids = if ids.len() >= PARALLEL {
            left = self.remake(ids, rows);
            &left
        } else {
            ids
        };
        rows.extend_from_slice(ids);
        let doc = self.doc.clone();
        let mut shape = std::mem::take(&mut self.buffer);
        let mut moved = false;
        for &id in ids {
            let Some(object) = doc.object(id) else {
                continue;
            };
            let has_children = object.entity().is_some() && doc.children(Some(id)).next().is_some();
            let cx = ShapeCx {
                surfaces: &self.surfaces,
                entity_look: &*self.entity_look,
            };
            shape.clear();
            let maps = (&doc, &self.carving);
            make_object(&mut shape, maps, (id, object), has_children, &cx);
            moved |= self.put(id, &mut shape);
        }
        self.buffer = shape;
        moved
    }

    /// As [`Store::make_all`] for many that are new.
    fn make_new(&mut self, ids: &[ObjectId]) -> bool {
        let doc = self.doc.clone();
        let cx = ShapeCx {
            surfaces: &self.surfaces,
            entity_look: &*self.entity_look,
        };
        let maps = (&doc, &self.carving);
        let make = |&id: &ObjectId| {
            let object = doc.object(id)?;
            let has_children = object.entity().is_some() && doc.children(Some(id)).next().is_some();
            let mut shape = Shape::default();
            make_object(&mut shape, maps, (id, object), has_children, &cx);
            Some((id, shape))
        };
        let mut shapes: Vec<(ObjectId, Shape)> = ids.par_iter().filter_map(make).collect();
        shapes.sort_by_cached_key(|(_, shape)| shape.bounds.map(|bounds| morton(bounds.center())));
        let mut moved = false;
        for (id, shape) in &mut shapes {
            moved |= self.put(*id, shape);
        }
        moved
    }

    fn put(&mut self, id: ObjectId, shape: &mut Shape) -> bool {
        let at = if let Some(&at) = self.by_id.get(&id) {
            at
        } else {
            let at = self
                .free
                .pop()
                .map_or(self.slots.len() as u32, |Reverse(at)| at);
            if at as usize >= self.slots.len() {
                self.slots.push(None);
            }
            self.by_id.insert(id, at);
            at
        };
        for vertex in &mut shape.vertices {
            vertex.slot = at;
        }
        for segment in &mut shape.segments {
            segment.slot = at;
        }
        let old = self.slots[at as usize].take();
        let chunk_number = at / CHUNK;
        if self.chunks.len() <= chunk_number as usize {
            self.chunks
                .resize_with(chunk_number as usize + 1, Chunk::default);
        }
        let chunk = &mut self.chunks[chunk_number as usize];
        let (mut vertices, mut segments) = old
            .as_ref()
            .map_or((Span::default(), Span::default()), |old| {
                (old.vertices, old.segments)
            });
        let mut moved = false;
        if vertices.len as usize != shape.vertices.len() {
            self.vertices.free(vertices);
            vertices = self.vertices.alloc(shape.vertices.len() as u32);
            chunk.lists_dirty = true;
        }
        // A replaced object may be of another kind.
        chunk.segments_dirty |= old
            .as_ref()
            .is_some_and(|old| (old.bits ^ shape.bits) & row::ENTITY != 0);
        if segments.len as usize != shape.segments.len() {
            self.segments.free(segments);
            segments = self.segments.alloc(shape.segments.len() as u32);
            chunk.segments_dirty = true;
            moved = true;
        }
        if old.as_ref().is_none_or(|old| old.faces != shape.faces) {
            chunk.lists_dirty = true;
        }
        chunk.bounds_dirty |= old.as_ref().is_none_or(|old| old.bounds != shape.bounds);
        moved |= chunk.lists_dirty;
        if chunk.lists_dirty || chunk.segments_dirty || chunk.bounds_dirty {
            self.dirty_chunks.insert(chunk_number);
        }
        self.vertices.write(vertices, &shape.vertices);
        self.segments.write(segments, &shape.segments);
        self.slots[at as usize] = Some(Slot {
            id,
            vertices,
            segments,
            faces: shape.faces.clone(),
            bounds: shape.bounds,
            bits: shape.bits,
            color: shape.color,
        });
        moved
    }

    fn remove(&mut self, id: ObjectId) {
        let Some(at) = self.by_id.remove(&id) else {
            return;
        };
        let Some(slot) = self.slots[at as usize].take() else {
            return;
        };
        self.vertices.free(slot.vertices);
        self.segments.free(slot.segments);
        self.free.push(Reverse(at));
        let chunk = &mut self.chunks[(at / CHUNK) as usize];
        chunk.lists_dirty = true;
        chunk.segments_dirty = true;
        chunk.bounds_dirty = true;
        self.dirty_chunks.insert(at / CHUNK);
        self.topology += 1;
    }

    /// `rows`: those whose own bits may have changed.
    fn update_rows(
        &mut self,
        look: &ViewState,
        todo: &Todo,
        reselected: bool,
        mut rows: Vec<ObjectId>,
    ) {
        if reselected {
            let selected: BTreeSet<ObjectId> = self
                .selection
                .with_children(&self.doc)
                .into_iter()
                .collect();
            rows.extend(selected.symmetric_difference(&self.selected));
            self.selected = selected;
        }
        if todo.all_rows {
            rows = self.by_id.keys().copied().collect();
        } else {
            rows.extend(&todo.elsewhere);
            if todo.tree {
                rows.extend(&todo.make);
            }
        }
        rows.sort_unstable();
        rows.dedup();
        for id in rows {
            let Some(&at) = self.by_id.get(&id) else {
                continue;
            };
            let Some(slot) = &self.slots[at as usize] else {
                continue;
            };
            let mut bits = with_owner(slot.bits, self.doc.owner(id).is_some());
            if self.selected.contains(&id) {
                bits |= row::SELECTED;
            }
            if look.is_hidden(&self.doc, id) {
                bits |= row::HIDDEN;
            }
            if look.is_locked(&self.doc, id) {
                bits |= row::LOCKED;
            }
            self.rows.set(
                at,
                Row {
                    bits,
                    color: slot.color,
                },
            );
        }
    }

    /// The object's own bits, with what its row said about selection, hiding and locking.
    fn write_row_bits(&mut self, id: ObjectId) {
        let Some(&at) = self.by_id.get(&id) else {
            return;
        };
        let Some(slot) = &self.slots[at as usize] else {
            return;
        };
        let state = row::SELECTED | row::HIDDEN | row::LOCKED;
        let before = self
            .rows
            .data()
            .get(at as usize)
            .map_or(0, |entry| entry.bits & state);
        self.rows.set(
            at,
            Row {
                bits: slot.bits | before,
                color: slot.color,
            },
        );
    }

    fn rebuild_chunks(&mut self) {
        let dirty = std::mem::take(&mut self.dirty_chunks);
        let mut made: Vec<(ListKey, u32, Vec<u32>)> = Vec::new();
        for &number in &dirty {
            let first = number * CHUNK;
            let slots = &self.slots[first as usize..self.slots.len().min((first + CHUNK) as usize)];
            let chunk = &mut self.chunks[number as usize];
            if std::mem::take(&mut chunk.bounds_dirty) {
                let bounds = slots.iter().flatten().filter_map(|slot| slot.bounds);
                chunk.bounds = bounds.reduce(Aabb::union);
            }
            if std::mem::take(&mut chunk.segments_dirty) {
                for (of_entities, list) in [false, true].into_iter().zip(&mut chunk.segments) {
                    let of_kind = slots
                        .iter()
                        .flatten()
                        .filter(|slot| (slot.bits & row::ENTITY != 0) == of_entities);
                    let mut spans: Vec<Span> = of_kind.map(|slot| slot.segments).collect();
                    spans.sort_unstable_by_key(|span| span.start);
                    *list = joined(spans);
                }
            }
            if std::mem::take(&mut chunk.lists_dirty) {
                for (key, span) in chunk.lists.drain(..) {
                    self.indices.free(span);
                    if let Some(list) = self.lists.get_mut(&key)
                        && let Ok(at) = list.binary_search_by_key(&number, |(chunk, _)| *chunk)
                    {
                        list.remove(at);
                    }
                }
                let mut lists: BTreeMap<ListKey, Vec<u32>> = BTreeMap::new();
                for slot in slots.iter().flatten() {
                    for run in &slot.faces {
                        push_run(slot, run, lists.entry(run.key).or_default());
                    }
                }
                made.extend(
                    lists
                        .into_iter()
                        .map(|(key, indices)| (key, number, indices)),
                );
            }
        }
        // Lists of one material side by side: neighbours are drawn with one call.
        made.sort_by_key(|(key, number, _)| (*key, *number));
        for (key, number, indices) in made {
            let span = self.indices.alloc(indices.len() as u32);
            self.indices.write(span, &indices);
            self.chunks[number as usize].lists.push((key, span));
            let list = self.lists.entry(key).or_default();
            let at = list.partition_point(|(chunk, _)| *chunk < number);
            list.insert(at, (number, span));
        }
        self.lists.retain(|_, list| !list.is_empty());
        if !dirty.is_empty() {
            let sky = Sky::of(self);
            if sky != self.sky {
                self.sky = sky;
                self.sky_generation += 1;
            }
        }
    }
}

/// Geometry of an entity has a role of its own.
fn with_owner(bits: u32, owned: bool) -> u32 {
    let role = (bits >> row::ROLE_SHIFT) & 15;
    if owned && (role == row::ROLE_BRUSH || role == row::ROLE_MESH) {
        return bits & !(15 << row::ROLE_SHIFT) | (row::ROLE_BRUSH_ENTITY << row::ROLE_SHIFT);
    }
    bits
}

/// Triangles of a face as indices.
pub(crate) fn push_run(slot: &Slot, run: &FaceRun, out: &mut Vec<u32>) {
    push_fan(slot.vertices.start + run.first, run.count, out);
}

fn push_fan(first: u32, count: u32, out: &mut Vec<u32>) {
    for at in 2..count {
        out.extend([first, first + at - 1, first + at]);
    }
}

/// Order along a curve that keeps neighbours together; cells of 64 units within the legal coordinates.
pub(crate) fn morton(point: glam::DVec3) -> u64 {
    let cell = |value: f64| (((value + 131_072.0) / 64.0).clamp(0.0, 4095.0)) as u64;
    let spread = |value: u64| (0..12).fold(0, |sum, bit| sum | ((value >> bit & 1) << (bit * 3)));
    spread(cell(point.x)) | spread(cell(point.y)) << 1 | spread(cell(point.z)) << 2
}

#[cfg(test)]
#[path = "cpu_tests.rs"]
mod tests;
