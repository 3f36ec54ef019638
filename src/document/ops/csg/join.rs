//! Joining brushes whose union is convex (CSG-1).

use std::collections::BTreeMap;

use super::Pool;
use super::brush_of;
use super::tile_of;
use super::two_or_more;
use crate::document::Brush;
use crate::document::Document;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::ops::objects;
use crate::document::ops::order;
use crate::geometry::csg;
use crate::geometry::csg::Convex;

/// What brushes must have in common to become one.
type Place = (Option<ObjectId>, Option<LayerId>, Vec<LayerId>, u32, u32);

/// Merges brushes whose union is convex, as far as that goes; the space they fill stays the same. Refused when nothing can be
/// joined.
#[must_use]
pub fn join(ids: Vec<ObjectId>) -> Edit {
    Edit::new("Join", move |draft, selection| {
        let brushes = two_or_more(draft, &ids)?;
        let doc: &Document = draft;
        let carvers: Vec<(u32, ObjectId)> = doc
            .objects()
            .filter(|(_, object)| order::is_carver(object))
            .map(|(id, object)| (object.order, id))
            .collect();
        let mut places: BTreeMap<Place, Vec<ObjectId>> = BTreeMap::new();
        for &id in &brushes {
            if let Some(place) = doc.object(id).and_then(place_of) {
                places.entry(place).or_default().push(id);
            }
        }
        let mut results: Vec<(Vec<ObjectId>, Brush)> = Vec::new();
        let mut differ = false;
        for members in places.into_values() {
            differ |= join_in_place(doc, &members, &carvers, &mut results);
        }
        if results.is_empty() {
            return Err(EditError::refused(if differ {
                "These brushes are convex together, but their textures differ where faces would become one; Ctrl+J merges them anyway"
            } else {
                "No two of the selected brushes are convex together"
            }));
        }
        for (members, result) in results {
            draft.update(members[0], |object| object.kind = Kind::Brush(result));
            objects::remove(draft, &members[1..]);
        }
        selection.retain(|pick| draft.object(pick.object()).is_some());
        Ok(())
    })
}

fn place_of(object: &Object) -> Option<Place> {
    let brush = object.brush()?;
    Some((
        object.parent,
        object.layer,
        object.visgroups.to_vec(),
        object.flags.0,
        brush.contents().0,
    ))
}

/// Joins brushes of one place, in document order; true when some stay apart only because of how they look.
fn join_in_place(
    doc: &Document,
    members: &[ObjectId],
    carvers: &[(u32, ObjectId)],
    results: &mut Vec<(Vec<ObjectId>, Brush)>,
) -> bool {
    let mut pool = Pool::default();
    let (ids, solids): (Vec<ObjectId>, Vec<Convex>) = members
        .iter()
        .filter_map(|&id| Some((id, pool.add(brush_of(doc, id)?)?)))
        .unzip();
    let tile = tile_of(doc);
    let differ = std::cell::Cell::new(false);
    let is_carving = doc
        .object(members[0])
        .is_some_and(|object| object.flags.has(ObjectFlags::SUBTRACT));
    let place = |at: usize| doc.object(ids[at]).map(|object| (object.order, ids[at]));
    let groups = csg::joined(&solids, |parts, whole| {
        // A carver between two of them carves one and not the other; between carvers nothing else may stand.
        let mut places: Vec<(u32, ObjectId)> = parts.iter().filter_map(|&at| place(at)).collect();
        places.sort_unstable();
        let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
            return false;
        };
        let range = first..last;
        let parted = if is_carving {
            doc.objects().any(|(id, object)| {
                object.brush().is_some()
                    && !ids.contains(&id)
                    && range.contains(&(object.order, id))
                    && object.bounds().touches(whole.bounds())
            })
        } else {
            carvers.iter().any(|&carver| range.contains(&carver))
        };
        let all: Vec<&Convex> = parts.iter().map(|&at| &solids[at]).collect();
        let agrees = pool.agree(whole, &all, &tile);
        differ.set(differ.get() || !agrees);
        !parted && agrees
    });
    for (whole, parts) in groups {
        let Some(first) = parts.first().and_then(|&at| brush_of(doc, ids[at])) else {
            continue;
        };
        if let Some(result) = pool.brush(&whole, first.contents(), &tile) {
            results.push((parts.iter().map(|&at| ids[at]).collect(), result));
        }
    }
    differ.get()
}
