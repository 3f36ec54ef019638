//! What the passes ask the store.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::document::Document;
use crate::document::ObjectId;
use crate::document::Selection;
use crate::document::carving::Carving;
use crate::geometry::Aabb;
use crate::viewport::arena::Span;
use crate::viewport::arena::joined;
use crate::viewport::scene::Sky;
use crate::viewport::scene::Store;
use crate::viewport::scene::cpu::CHUNK;
use crate::viewport::scene::cpu::Slot;
use crate::viewport::scene::shape::FaceRun;
use crate::viewport::scene::shape::row;
use crate::viewport::scene::surface::ListKey;

impl Store {
    /// Raised by every change of what is seen.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    pub(crate) fn topology(&self) -> u64 {
        self.topology
    }

    pub(crate) fn sky(&self) -> &Sky {
        &self.sky
    }

    pub(crate) fn sky_generation(&self) -> u64 {
        self.sky_generation
    }

    pub(crate) fn doc(&self) -> &Document {
        &self.doc
    }

    pub(crate) fn carving(&self) -> &Carving {
        &self.carving
    }

    pub(crate) fn selection(&self) -> &Selection {
        &self.selection
    }

    pub(crate) fn selected(&self) -> &BTreeSet<ObjectId> {
        &self.selected
    }

    pub(crate) fn outlines(&self) -> &[Span] {
        &self.outlines
    }

    pub(crate) fn selected_segments(&self) -> &[Span] {
        &self.selected_segments
    }

    pub(crate) fn lists(&self) -> &BTreeMap<ListKey, Vec<(u32, Span)>> {
        &self.lists
    }

    /// Bounds of a chunk; `None` when nothing of it is drawn.
    pub(crate) fn chunk_bounds(&self, chunk: u32) -> Option<Aabb> {
        self.chunks.get(chunk as usize)?.bounds
    }

    /// Edges of the chunks that `seen` accepts, in few spans: those of point entities, or those of geometry.
    pub(crate) fn chunk_segments(
        &self,
        of_entities: bool,
        seen: impl Fn(u32) -> bool,
    ) -> Vec<Span> {
        let chunks = self
            .chunks
            .iter()
            .enumerate()
            .filter(|(number, _)| seen(*number as u32));
        joined(
            chunks.flat_map(|(_, chunk)| chunk.segments[usize::from(of_entities)].iter().copied()),
        )
    }

    pub(crate) fn chunk_count(&self) -> u32 {
        self.chunks.len() as u32
    }

    pub(crate) fn slot(&self, id: ObjectId) -> Option<&Slot> {
        self.slots.get(*self.by_id.get(&id)? as usize)?.as_ref()
    }

    /// True when a row says so.
    pub(crate) fn is_hidden(&self, id: ObjectId) -> bool {
        self.by_id
            .get(&id)
            .and_then(|&at| self.rows.data().get(at as usize))
            .is_some_and(|entry| entry.bits & row::HIDDEN != 0)
    }

    /// Drawn objects that are hidden, by id.
    pub(crate) fn hidden(&self) -> Vec<ObjectId> {
        if self.look.hidden.is_empty() && self.look.hidden_layers.is_empty() {
            return Vec::new();
        }
        let hidden = |slot: &Slot, at: usize| {
            (self.rows.data()[at].bits & row::HIDDEN != 0).then_some(slot.id)
        };
        let mut list: Vec<ObjectId> = self
            .slots
            .iter()
            .enumerate()
            .filter_map(|(at, slot)| hidden(slot.as_ref()?, at))
            .collect();
        list.sort_unstable();
        list
    }

    /// Edges of objects, in order and joined.
    pub(crate) fn segment_spans(&self, ids: impl Iterator<Item = ObjectId>) -> Vec<Span> {
        let mut spans: Vec<Span> = ids.filter_map(|id| Some(self.slot(id)?.segments)).collect();
        spans.sort_unstable_by_key(|span| span.start);
        joined(spans)
    }

    /// The faces of an object, or one of them. Those of a carving brush are the sides of its holes, which lie in the slots of
    /// the brushes that it carves.
    pub(crate) fn runs(
        &self,
        id: ObjectId,
        face: Option<u32>,
    ) -> impl Iterator<Item = (&Slot, &FaceRun)> {
        let own = self
            .slot(id)
            .into_iter()
            .flat_map(|slot| slot.faces.iter().map(move |run| (slot, run)))
            .filter(|(_, run)| run.of.is_none());
        let in_others = self
            .carving
            .carvers()
            .get(id)
            .into_iter()
            .flat_map(|bounds| self.slots_touching(bounds))
            .flat_map(|slot| slot.faces.iter().map(move |run| (slot, run)))
            .filter(move |(_, run)| run.of == Some(id));
        own.chain(in_others)
            .filter(move |(_, run)| face.is_none_or(|face| run.face == face))
    }

    fn slots_touching(&self, bounds: Aabb) -> impl Iterator<Item = &Slot> {
        let near = move |own: &Option<Aabb>| own.is_some_and(|own| own.touches(bounds));
        self.chunks
            .iter()
            .zip(self.slots.chunks(CHUNK as usize))
            .filter(move |(chunk, _)| near(&chunk.bounds))
            .flat_map(|(_, slots)| slots.iter().flatten())
            .filter(move |slot| near(&slot.bounds))
    }
}
