//! Groups: making, dissolving, naming (`interactions.md` 8).

use std::collections::BTreeSet;

use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Group;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::objects;

/// Puts objects into a new group inside the innermost group (or entity) that holds all of them, and selects it (GRP-1).
#[must_use]
pub fn group(ids: Vec<ObjectId>, name: impl Into<String>) -> Edit {
    let name = name.into();
    Edit::new("Group", move |draft, selection| {
        let members = outermost(draft, &ids);
        let Some(&first) = members.first() else {
            return Err(EditError::refused("Select something to group"));
        };
        objects::room_for(draft, 1)?;
        let parent = common_parent(draft, &members);
        let layer = draft.object(first).and_then(|object| object.layer);
        let group = draft.insert(Object {
            parent,
            layer,
            ..Object::new(Kind::Group(Group::new(name.clone())))
        });
        let mut left = Vec::new();
        for &id in &members {
            left.extend(draft.object(id).and_then(|object| object.parent));
            draft.update(id, |object| object.parent = Some(group));
        }
        objects::prune_emptied(draft, left);
        *selection = Selection::from([Pick::Object(group)]);
        Ok(())
    })
}

/// Dissolves groups into what holds them; their members are selected.
#[must_use]
pub fn ungroup(ids: Vec<ObjectId>) -> Edit {
    Edit::new("Ungroup", move |draft, selection| {
        let groups: Vec<ObjectId> = ids
            .iter()
            .copied()
            .filter(|&id| {
                draft
                    .object(id)
                    .is_some_and(|object| object.group().is_some())
            })
            .collect();
        if groups.is_empty() {
            return Err(EditError::refused("Select a group to dissolve"));
        }
        for group in groups {
            let parent = draft.object(group).and_then(|object| object.parent);
            let members: Vec<ObjectId> = draft.children(Some(group)).collect();
            for &member in &members {
                draft.update(member, |object| object.parent = parent);
            }
            draft.remove(group);
            selection.remove(&Pick::Object(group));
            selection.extend(members.into_iter().map(Pick::Object));
        }
        Ok(())
    })
}

#[must_use]
pub fn rename(id: ObjectId, name: impl Into<String>) -> Edit {
    let name = name.into();
    change("Rename group", id, move |group| {
        group.name.clone_from(&name);
    })
}

/// RGBA, sRGB-encoded.
#[must_use]
pub fn set_color(id: ObjectId, color: [u8; 4]) -> Edit {
    change("Group colour", id, move |group| group.color = color)
}

/// Moves objects into a group that is there, or out of all groups with `None`.
#[must_use]
pub fn move_to(ids: Vec<ObjectId>, parent: Option<ObjectId>) -> Edit {
    Edit::new("Move to group", move |draft, _| {
        let mut above: BTreeSet<ObjectId> = parent.iter().copied().collect();
        if let Some(parent) = parent {
            if draft
                .object(parent)
                .is_none_or(|object| object.group().is_none())
            {
                return Err(EditError::refused("That group is no longer there"));
            }
            above.extend(draft.ancestors(parent));
        }
        let members = outermost(draft, &ids);
        if members.iter().any(|id| above.contains(id)) {
            return Err(EditError::refused("A group cannot be put into itself"));
        }
        let mut left = Vec::new();
        for id in members {
            left.extend(
                draft
                    .object(id)
                    .and_then(|object| object.parent)
                    .filter(|&old| Some(old) != parent),
            );
            draft.update(id, |object| object.parent = parent);
        }
        objects::prune_emptied(draft, left);
        Ok(())
    })
}

fn change(
    label: &'static str,
    id: ObjectId,
    change: impl Fn(&mut Group) + Send + Sync + 'static,
) -> Edit {
    Edit::new(label, move |draft, _| {
        draft.update(id, |object| {
            if let Kind::Group(group) = &mut object.kind {
                change(group);
            }
        });
        Ok(())
    })
}

/// Those of the objects that lie below none of the others.
fn outermost(draft: &Draft, ids: &[ObjectId]) -> Vec<ObjectId> {
    let all: BTreeSet<ObjectId> = ids
        .iter()
        .copied()
        .filter(|&id| draft.object(id).is_some())
        .collect();
    all.iter()
        .copied()
        .filter(|&id| !draft.ancestors(id).any(|above| all.contains(&above)))
        .collect()
}

fn common_parent(draft: &Draft, ids: &[ObjectId]) -> Option<ObjectId> {
    let (&first, others) = ids.split_first()?;
    draft.ancestors(first).find(|&above| {
        others
            .iter()
            .all(|&id| draft.ancestors(id).any(|other| other == above))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::SelectionExt as _;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;
    use crate::document::ops::testing::refuses;

    #[test]
    fn grp_1_group_and_ungroup() {
        let mut history = map();
        commit(&mut history, &group(vec![id(1), id(2), id(3)], "all"));
        let doc = &history.committed().doc;
        assert_eq!(
            doc.children(Some(id(7))).collect::<Vec<_>>(),
            vec![id(1), id(2)],
            "what is in a grouped group stays there"
        );
        commit(&mut history, &rename(id(7), "everything"));
        commit(&mut history, &set_color(id(7), [1, 2, 3, 255]));
        assert_eq!(
            history
                .committed()
                .doc
                .object(id(7))
                .and_then(Object::group)
                .expect("group")
                .name,
            "everything"
        );
        refuses(&mut history, &move_to(vec![id(7)], Some(id(2))));
        commit(&mut history, &ungroup(vec![id(7)]));
        assert!(history.committed().doc.object(id(7)).is_none());
        assert_eq!(history.committed().selection.objects(), vec![id(1), id(2)]);
        refuses(&mut history, &ungroup(vec![id(1)]));
        refuses(&mut history, &group(vec![id(99)], ""));
    }

    #[test]
    fn a_group_of_members_lies_in_their_group() {
        let mut history = map();
        commit(&mut history, &group(vec![id(3), id(4)], "inner"));
        let doc = &history.committed().doc;
        assert_eq!(doc.object(id(7)).expect("inner").parent, Some(id(2)));
        assert!(doc.object(id(2)).is_some());
        commit(&mut history, &move_to(vec![id(3), id(4)], None));
        assert!(history.committed().doc.object(id(7)).is_none(), "emptied");
        assert!(
            history.committed().doc.object(id(2)).is_none(),
            "emptied by that"
        );
    }
}
