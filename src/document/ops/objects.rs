//! Adding, copying and deleting whole objects.

use std::collections::BTreeMap;

use glam::DAffine3;
use glam::DVec3;

use crate::document::Document;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::UvLock;
use crate::document::ops::links;
use crate::document::ops::links::LinkKeys;
use crate::document::ops::transform;
use crate::document::ops::transform::Orientation;

/// Adds an object and selects it.
#[must_use]
pub fn add(label: &'static str, object: Object) -> Edit {
    Edit::new(label, move |draft, selection| {
        room_for(draft, 1)?;
        let id = draft.insert(object.clone());
        *selection = Selection::from([Pick::Object(id)]);
        Ok(())
    })
}

/// Copies objects with everything below them, moves the copies and selects them. Names that only others than the copies point at
/// stay as they are; links among the copies follow them.
#[must_use]
pub fn duplicate(ids: Vec<ObjectId>, delta: DVec3, lock: UvLock) -> Edit {
    duplicate_linked(ids, delta, lock, LinkKeys::default())
}

/// As [`duplicate`], with the keys that hold names and links.
#[must_use]
pub fn duplicate_linked(ids: Vec<ObjectId>, delta: DVec3, lock: UvLock, links: LinkKeys) -> Edit {
    let again = move |draft: &mut Draft, ids: &[ObjectId]| {
        let copies = copy_linked(draft, ids, &links)?;
        let map = DAffine3::from_translation(delta);
        transform::apply(draft, &copies, &map, lock, &Orientation::Kept)?;
        Ok(copies)
    };
    let first = again.clone();
    Edit::new("Duplicate", move |draft, selection| {
        let copies = first(draft, &ids)?;
        *selection = copies.into_iter().map(Pick::Object).collect();
        Ok(())
    })
    .repeatable(again)
}

/// Copies objects once for each map, mapped by it, and selects the copies (DUP-2).
#[must_use]
pub fn array(
    ids: Vec<ObjectId>,
    maps: Vec<DAffine3>,
    lock: UvLock,
    orientation: Orientation,
    links: LinkKeys,
) -> Edit {
    let again = move |draft: &mut Draft, ids: &[ObjectId]| {
        let mut made = Vec::new();
        for map in &maps {
            let copies = copy_linked(draft, ids, &links)?;
            transform::apply(draft, &copies, map, lock, &orientation)?;
            made.extend(copies);
        }
        Ok(made)
    };
    let first = again.clone();
    Edit::new("Array", move |draft, selection| {
        let made = first(draft, &ids)?;
        *selection = made.into_iter().map(Pick::Object).collect();
        Ok(())
    })
    .repeatable(again)
}

/// Copies objects with everything below them; the copies of `ids`, in their order. An id that lies below another one is
/// copied with it and gives its copy there.
///
/// # Errors
/// When the map has no numbers left.
pub fn copy(draft: &mut Draft, ids: &[ObjectId]) -> Result<Vec<ObjectId>, EditError> {
    copy_linked(draft, ids, &LinkKeys::default())
}

/// As [`copy`], with the keys that hold names and links.
///
/// # Errors
/// When the map has no numbers left.
pub fn copy_linked(
    draft: &mut Draft,
    ids: &[ObjectId],
    links: &LinkKeys,
) -> Result<Vec<ObjectId>, EditError> {
    let all = transform::with_children(draft, ids);
    room_for(draft, all.len())?;
    let mut copy_of: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
    for &id in &all {
        if let Some(object) = draft.object(id).cloned() {
            copy_of.insert(id, draft.insert(Object { order: 0, ..object }));
        }
    }
    // Parents may have higher ids than their children, so they are set when all copies are there.
    let parents: Vec<(ObjectId, ObjectId)> = copy_of
        .values()
        .filter_map(|&copy| Some((copy, *copy_of.get(&draft.object(copy)?.parent?)?)))
        .collect();
    for (copy, parent) in parents {
        draft.update(copy, |object| object.parent = Some(parent));
    }
    links::follow(draft, &copy_of.values().copied().collect(), links);
    Ok(ids
        .iter()
        .filter_map(|id| copy_of.get(id).copied())
        .collect())
}

/// Deletes objects with everything below them, and what they leave empty: groups, and entities that lose their last brush.
#[must_use]
pub fn delete(ids: Vec<ObjectId>) -> Edit {
    Edit::new("Delete", move |draft, selection| {
        remove(draft, &ids);
        selection.retain(|pick| draft.object(pick.object()).is_some());
        Ok(())
    })
}

/// As [`delete`], over a draft.
pub fn remove(draft: &mut Draft, ids: &[ObjectId]) {
    let parents: Vec<ObjectId> = ids
        .iter()
        .filter_map(|&id| draft.object(id)?.parent)
        .collect();
    for &id in ids {
        draft.remove(id);
    }
    prune_emptied(draft, parents);
}

/// Removes those of the former parents that have nothing left below them, and then theirs.
pub(super) fn prune_emptied(draft: &mut Draft, parents: impl IntoIterator<Item = ObjectId>) {
    for parent in parents {
        let mut at = Some(parent);
        while let Some(id) = at {
            let Some(object) = draft.object(id) else {
                break;
            };
            let holds = matches!(object.kind, Kind::Group(_) | Kind::Entity(_));
            if !holds || draft.children(Some(id)).next().is_some() {
                break;
            }
            at = object.parent;
            draft.remove(id);
        }
    }
}

/// Sets and clears flags of objects, members of groups included.
#[must_use]
pub fn set_flags(ids: Vec<ObjectId>, set: ObjectFlags, clear: ObjectFlags) -> Edit {
    Edit::new("Object flags", move |draft, _| {
        for id in transform::with_children(draft, &ids) {
            let Some(object) = draft.object(id) else {
                continue;
            };
            let flags = object.flags.without(clear).with(set);
            if flags != object.flags {
                draft.update(id, |object| object.flags = flags);
            }
        }
        Ok(())
    })
}

/// # Errors
/// When the map has fewer numbers left.
pub(super) fn room_for(doc: &Document, objects: usize) -> Result<(), EditError> {
    let left = u64::from(u32::MAX - doc.next_id());
    if (objects as u64) < left {
        Ok(())
    } else {
        Err(EditError::OutOfIds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::SelectionExt as _;
    use crate::document::ops::testing::bounds;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;

    #[test]
    fn dup_1_copies_keep_their_tree() {
        let mut history = map();
        commit(
            &mut history,
            &duplicate(vec![id(2)], DVec3::Z * 64.0, UvLock::World),
        );
        let state = history.committed();
        assert_eq!(state.selection.objects().len(), 1);
        let copy = state.selection.objects()[0];
        let below = state.doc.subtree(copy);
        assert_eq!(below.len(), 4);
        assert!(below.iter().all(|id| id.get() > 6));
        assert_eq!(state.doc.object(copy).expect("copy").parent, None);
        let brush = below
            .iter()
            .find(|&&id| state.doc.owner(id).is_some())
            .copied()
            .expect("the door's brush");
        assert_eq!(
            bounds(&history, brush.get()).min,
            DVec3::new(128.0, 0.0, 64.0)
        );
        assert_eq!(bounds(&history, 5).min.z, 0.0);
    }

    #[test]
    fn a_copy_of_a_member_stays_in_the_group() {
        let mut history = map();
        commit(
            &mut history,
            &duplicate(vec![id(3)], DVec3::ZERO, UvLock::World),
        );
        let copy = history.committed().selection.objects()[0];
        assert_eq!(
            history.committed().doc.object(copy).expect("copy").parent,
            Some(id(2))
        );
    }

    #[test]
    fn deleting_takes_what_becomes_empty() {
        let mut history = map();
        commit(&mut history, &delete(vec![id(5)]));
        assert!(
            history.committed().doc.object(id(4)).is_none(),
            "a door without a brush is none"
        );
        assert!(history.committed().doc.object(id(2)).is_some());
        commit(&mut history, &delete(vec![id(3)]));
        assert!(
            history.committed().doc.object(id(2)).is_none(),
            "an empty group is none"
        );
        assert_eq!(history.committed().doc.object_count(), 2);
        commit(&mut history, &delete(vec![id(6), id(99)]));
        assert_eq!(history.committed().doc.object_count(), 1);
    }

    #[test]
    fn flags_reach_the_members() {
        let mut history = map();
        commit(
            &mut history,
            &set_flags(vec![id(2)], ObjectFlags::DETAIL, ObjectFlags::NO_SHADOW),
        );
        assert!(
            history
                .committed()
                .doc
                .object(id(5))
                .expect("brush")
                .flags
                .has(ObjectFlags::DETAIL)
        );
        assert!(
            !history
                .committed()
                .doc
                .object(id(1))
                .expect("brush")
                .flags
                .has(ObjectFlags::DETAIL)
        );
    }
}
