//! Objects that changed but kept their number of corners, edges and faces, as in every drag: drawn anew where they lie, on
//! all cores.

use rayon::prelude::*;

use crate::document::Document;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::carving::Carving;
use crate::geometry::Aabb;
use crate::viewport::scene::carved::make_object;
use crate::viewport::scene::cpu::CHUNK;
use crate::viewport::scene::cpu::Slot;
use crate::viewport::scene::cpu::Store;
use crate::viewport::scene::shape::Segment;
use crate::viewport::scene::shape::Shape;
use crate::viewport::scene::shape::ShapeCx;
use crate::viewport::scene::shape::Vertex;

/// Objects that one thread takes at a time.
const AT_ONCE: usize = 64;

/// An object with its room in the arrays.
struct Job<'a> {
    id: ObjectId,
    at: u32,
    object: &'a Object,
    slot: &'a Slot,
    vertices: &'a mut [Vertex],
    segments: &'a mut [Segment],
}

/// What a slot has to know of the new shape.
struct Done {
    at: u32,
    bounds: Option<Aabb>,
    bits: u32,
    color: u32,
}

impl Store {
    /// Draws what keeps its room; the rest comes back. Ids whose row has to be written go to `rows`.
    pub(super) fn remake(&mut self, ids: &[ObjectId], rows: &mut Vec<ObjectId>) -> Vec<ObjectId> {
        let doc = self.doc.clone();
        let mut left = Vec::new();
        let mut found: Vec<(ObjectId, u32, &Object)> = Vec::with_capacity(ids.len());
        for &id in ids {
            match (self.by_id.get(&id), doc.object(id)) {
                // An entity gains or loses its box with its children, which only the slow way knows.
                (Some(&at), Some(object)) if object.entity().is_none() => {
                    found.push((id, at, object));
                }
                _ => left.push(id),
            }
        }
        let slots = &self.slots;
        let slot_of = |at: u32| slots[at as usize].as_ref().expect("a slot of `by_id`");
        let spans = |of: fn(&Slot) -> crate::viewport::arena::Span| -> Vec<_> {
            found.iter().map(|&(_, at, _)| of(slot_of(at))).collect()
        };
        let (vertex_spans, segment_spans) =
            (spans(|slot| slot.vertices), spans(|slot| slot.segments));
        let vertices = self.vertices.slices_mut(&vertex_spans);
        let segments = self.segments.slices_mut(&segment_spans);
        let mut jobs: Vec<Job<'_>> = found
            .iter()
            .zip(vertices.into_iter().zip(segments))
            .map(|(&(id, at, object), (vertices, segments))| Job {
                id,
                at,
                object,
                slot: slot_of(at),
                vertices,
                segments,
            })
            .collect();
        let cx = ShapeCx {
            surfaces: &self.surfaces,
            entity_look: &*self.entity_look,
        };
        let maps = (&doc, &self.carving);
        let done: Vec<Option<Done>> = jobs
            .par_iter_mut()
            .with_min_len(AT_ONCE)
            .map_init(Shape::default, |shape, job| draw(shape, job, maps, &cx))
            .collect();
        drop(jobs);
        for (done, &(id, ..)) in done.into_iter().zip(&found) {
            match done {
                Some(done) => self.settle(id, &done, rows),
                None => left.push(id),
            }
        }
        left
    }

    fn settle(&mut self, id: ObjectId, done: &Done, rows: &mut Vec<ObjectId>) {
        let Some(slot) = &mut self.slots[done.at as usize] else {
            return;
        };
        if (slot.bits, slot.color) != (done.bits, done.color) {
            (slot.bits, slot.color) = (done.bits, done.color);
            rows.push(id);
        }
        if slot.bounds != done.bounds {
            slot.bounds = done.bounds;
            let chunk = done.at / CHUNK;
            if !self.chunks[chunk as usize].bounds_dirty {
                self.chunks[chunk as usize].bounds_dirty = true;
                self.dirty_chunks.insert(chunk);
            }
        }
    }
}

/// `None` when the shape does not fit where the old one was.
fn draw(
    shape: &mut Shape,
    job: &mut Job<'_>,
    maps: (&Document, &Carving),
    cx: &ShapeCx<'_>,
) -> Option<Done> {
    shape.clear();
    make_object(shape, maps, (job.id, job.object), false, cx);
    let fits = shape.vertices.len() == job.vertices.len()
        && shape.segments.len() == job.segments.len()
        && shape.faces == job.slot.faces;
    if !fits {
        return None;
    }
    for vertex in &mut shape.vertices {
        vertex.slot = job.at;
    }
    for segment in &mut shape.segments {
        segment.slot = job.at;
    }
    job.vertices.copy_from_slice(&shape.vertices);
    job.segments.copy_from_slice(&shape.segments);
    Some(Done {
        at: job.at,
        bounds: shape.bounds,
        bits: shape.bits,
        color: shape.color,
    })
}
