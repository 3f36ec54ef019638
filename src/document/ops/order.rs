//! Document order, which says what SUBTRACT brushes carve: those before them (CSG-2).

use std::collections::BTreeSet;

use crate::document::Document;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;

/// Room left before the first object when others are moved up, so that the next move to the front is cheap.
const GAP: u32 = 1024;

/// Moves subtractive brushes before everything else: they carve nothing that is not before them.
#[must_use]
pub fn carve_first(ids: Vec<ObjectId>) -> Edit {
    Edit::new("Carve first", move |draft, _| {
        let moved = carvers_among(draft, &ids)?;
        let rest_min = draft
            .objects()
            .filter(|(id, _)| !moved.contains(id))
            .map(|(_, object)| object.order)
            .min();
        let Some(rest_min) = rest_min else {
            return Ok(());
        };
        let first = if rest_min == 0 {
            let others: Vec<ObjectId> = draft
                .objects()
                .map(|(id, _)| id)
                .filter(|id| !moved.contains(id))
                .collect();
            for id in others {
                draft.update(id, |object| {
                    object.order = object.order.saturating_add(GAP);
                });
            }
            GAP - 1
        } else {
            rest_min - 1
        };
        place_all(draft, &moved, first);
        Ok(())
    })
}

/// Moves subtractive brushes behind everything else: they carve all that they touch.
#[must_use]
pub fn carve_last(ids: Vec<ObjectId>) -> Edit {
    Edit::new("Carve last", move |draft, _| {
        let moved = carvers_among(draft, &ids)?;
        let last = draft
            .objects()
            .filter(|(id, _)| !moved.contains(id))
            .map(|(_, object)| object.order)
            .max()
            .unwrap_or(0);
        place_all(draft, &moved, last.saturating_add(1));
        Ok(())
    })
}

/// All of them at one place of the order: among themselves they stay sorted by it, as far as ids allow.
fn place_all(draft: &mut Draft, moved: &BTreeSet<ObjectId>, place: u32) {
    for &id in moved {
        if draft.object(id).is_some_and(|object| object.order != place) {
            draft.update(id, |object| object.order = place);
        }
    }
}

fn carvers_among(draft: &Document, ids: &[ObjectId]) -> Result<BTreeSet<ObjectId>, EditError> {
    let carvers: BTreeSet<ObjectId> = ids
        .iter()
        .copied()
        .filter(|&id| draft.object(id).is_some_and(is_carver))
        .collect();
    if carvers.is_empty() {
        return Err(EditError::refused(
            "Select subtractive brushes first (Ctrl+Alt+K makes them)",
        ));
    }
    Ok(carvers)
}

/// True for a brush that carves.
#[must_use]
pub fn is_carver(object: &Object) -> bool {
    object.flags.has(ObjectFlags::SUBTRACT) && object.brush().is_some()
}

/// Gives new objects the place of the ones they come from: (source, new). Carving stays what it was.
pub(super) fn take_places(draft: &mut Draft, made: &[(ObjectId, ObjectId)]) {
    for &(source, new) in made {
        if let Some(order) = draft.object(source).map(|object| object.order) {
            draft.update(new, |object| object.order = order);
        }
    }
    // Of equal places the lower id is first; a carver between a source and its pieces would carve one and not the others.
    let carvers: Vec<(u32, ObjectId)> = draft
        .objects()
        .filter(|(_, object)| is_carver(object))
        .map(|(id, object)| (object.order, id))
        .collect();
    let parted = made.iter().any(|&(source, new)| {
        draft.object(source).is_some_and(|object| {
            carvers.iter().any(|&(order, carver)| {
                order == object.order && (source..new).contains(&carver) && carver != source
            })
        })
    });
    if !parted {
        return;
    }
    let source_of = |id: ObjectId| {
        made.iter()
            .find(|(_, new)| *new == id)
            .map_or(id, |(source, _)| *source)
    };
    let mut list: Vec<(u32, ObjectId, ObjectId)> = draft
        .objects()
        .map(|(id, object)| (object.order, source_of(id), id))
        .collect();
    list.sort_unstable();
    for (order, (_, _, id)) in (0..).zip(list) {
        if draft.object(id).is_some_and(|object| object.order != order) {
            draft.update(id, |object| object.order = order);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Kind;
    use crate::document::ops::brushes;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::cube_at;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;
    use crate::document::ops::testing::refuses;

    fn order(doc: &Document) -> Vec<u32> {
        doc.objects_in_order()
            .iter()
            .map(|(id, _)| id.get())
            .collect()
    }

    #[test]
    fn csg_2_carve_first_and_last() {
        let mut history = map();
        refuses(&mut history, &carve_last(vec![id(3)]));
        commit(&mut history, &brushes::toggle_subtractive(vec![id(3)]));
        commit(&mut history, &carve_last(vec![id(3), id(1)]));
        assert_eq!(order(&history.committed().doc), vec![1, 2, 4, 5, 6, 3]);
        commit(&mut history, &carve_first(vec![id(3)]));
        assert_eq!(order(&history.committed().doc), vec![3, 1, 2, 4, 5, 6]);
        commit(&mut history, &brushes::toggle_subtractive(vec![id(5)]));
        commit(&mut history, &carve_first(vec![id(5)]));
        assert_eq!(order(&history.committed().doc), vec![5, 3, 1, 2, 4, 6]);
        let made = brushes::add("Add", vec![cube_at(0.0, None)], None);
        commit(&mut history, &made);
        assert_eq!(order(&history.committed().doc).last(), Some(&7));
    }

    #[test]
    fn pieces_stay_before_what_carves_their_source() {
        let mut history = map();
        commit(&mut history, &brushes::toggle_subtractive(vec![id(3)]));
        let doc = history.committed().doc.clone();
        let mut draft = doc.edit();
        let new = draft.insert(Object::new(Kind::Brush(cube_at(0.0, None))));
        take_places(&mut draft, &[(id(1), new)]);
        assert_eq!(order(&draft.peek()), vec![1, new.get(), 2, 3, 4, 5, 6]);
    }
}
