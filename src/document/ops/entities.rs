//! Entities: class, place, keys, and which brushes belong to one.

use glam::DVec3;

use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::objects;
use crate::geometry::Aabb;

/// Adds a point entity and selects it (ENT-1).
#[must_use]
pub fn create(
    class: impl Into<String>,
    origin: DVec3,
    keys: Vec<(String, String)>,
    layer: Option<LayerId>,
) -> Edit {
    let entity = Entity {
        keys,
        ..Entity::new(class, origin)
    };
    Edit::new("Create entity", move |draft, selection| {
        objects::room_for(draft, 1)?;
        let layer = layer.filter(|&layer| draft.layer(layer).is_some());
        let id = draft.insert(Object {
            layer,
            ..Object::new(Kind::Entity(entity.clone()))
        });
        *selection = Selection::from([Pick::Object(id)]);
        Ok(())
    })
}

/// Sets a key on every entity; an empty name is refused.
#[must_use]
pub fn set_key(ids: Vec<ObjectId>, key: impl Into<String>, value: impl Into<String>) -> Edit {
    let (key, value) = (key.into(), value.into());
    Edit::new("Set property", move |draft, _| {
        if key.is_empty() {
            return Err(EditError::refused("A property needs a name"));
        }
        each(draft, &ids, |entity| entity.set_key(&key, value.clone()));
        Ok(())
    })
}

/// Removes every key of this name.
#[must_use]
pub fn remove_key(ids: Vec<ObjectId>, key: impl Into<String>) -> Edit {
    let key = key.into();
    Edit::new("Remove property", move |draft, _| {
        each(draft, &ids, |entity| entity.remove_key(&key));
        Ok(())
    })
}

/// Renames a key where it stands; refused when an entity has the new name already.
#[must_use]
pub fn rename_key(ids: Vec<ObjectId>, from: impl Into<String>, to: impl Into<String>) -> Edit {
    let (from, to) = (from.into(), to.into());
    Edit::new("Rename property", move |draft, _| {
        if to.is_empty() {
            return Err(EditError::refused("A property needs a name"));
        }
        let clashes = ids.iter().any(|&id| {
            draft
                .entity(id)
                .is_some_and(|entity| entity.key(&from).is_some() && entity.key(&to).is_some())
        });
        if clashes && from != to {
            return Err(EditError::refused(format!(
                "There is a property {to} already"
            )));
        }
        each(draft, &ids, |entity| {
            for (key, _) in &mut entity.keys {
                if *key == from {
                    key.clone_from(&to);
                }
            }
        });
        Ok(())
    })
}

#[must_use]
pub fn set_class(ids: Vec<ObjectId>, class: impl Into<String>) -> Edit {
    let class = class.into();
    Edit::new("Change class", move |draft, _| {
        if class.is_empty() {
            return Err(EditError::refused("An entity needs a class"));
        }
        each(draft, &ids, |entity| entity.class.clone_from(&class));
        Ok(())
    })
}

/// Puts the entities' origins at one place; what they own stays.
#[must_use]
pub fn set_origin(ids: Vec<ObjectId>, origin: DVec3) -> Edit {
    Edit::new("Set origin", move |draft, _| {
        finite(origin)?;
        each(draft, &ids, |entity| entity.origin = origin);
        Ok(())
    })
}

/// (pitch, yaw, roll) in degrees.
#[must_use]
pub fn set_angles(ids: Vec<ObjectId>, angles_deg: DVec3) -> Edit {
    Edit::new("Set angles", move |draft, _| {
        finite(angles_deg)?;
        each(draft, &ids, |entity| entity.angles_deg = angles_deg);
        Ok(())
    })
}

/// Makes one entity of brushes and meshes (ENT-2): its origin is the middle of their bounds. Entities that lose their last
/// brush by it go. The new entity is selected.
#[must_use]
pub fn tie(ids: Vec<ObjectId>, class: impl Into<String>) -> Edit {
    let class = class.into();
    Edit::new("Tie to entity", move |draft, selection| {
        let solids = geometry_below(draft, &ids);
        let Some(&first) = solids.first() else {
            return Err(EditError::refused(
                "Select brushes or meshes to make an entity of",
            ));
        };
        objects::room_for(draft, 1)?;
        let bounds = solids
            .iter()
            .filter_map(|&id| draft.object(id))
            .map(Object::bounds)
            .filter(|b| !b.is_empty())
            .fold(Aabb::EMPTY, Aabb::union);
        let origin = if bounds.is_empty() {
            DVec3::ZERO
        } else {
            bounds.center()
        };
        let group = group_of(draft, first);
        let layer = draft.object(first).and_then(|object| object.layer);
        let entity = Object {
            parent: group,
            layer,
            ..Object::new(Kind::Entity(Entity::new(class.clone(), origin)))
        };
        let id = draft.insert(entity);
        give(draft, &solids, Some(id));
        *selection = Selection::from([Pick::Object(id)]);
        Ok(())
    })
}

/// Adds brushes and meshes to an entity that is there.
#[must_use]
pub fn move_to_entity(ids: Vec<ObjectId>, entity: ObjectId) -> Edit {
    Edit::new("Move to entity", move |draft, selection| {
        if draft.entity(entity).is_none() {
            return Err(EditError::refused("That entity is no longer there"));
        }
        let solids = geometry_below(draft, &ids);
        give(draft, &solids, Some(entity));
        *selection = Selection::from([Pick::Object(entity)]);
        Ok(())
    })
}

/// Gives brushes and meshes back to the world, or to the group their entity is in; empty entities go.
#[must_use]
pub fn to_world(ids: Vec<ObjectId>) -> Edit {
    Edit::new("Back to world", move |draft, selection| {
        let solids: Vec<ObjectId> = geometry_below(draft, &ids)
            .into_iter()
            .filter(|&id| draft.owner(id).is_some())
            .collect();
        if solids.is_empty() {
            return Err(EditError::refused("No selected brush belongs to an entity"));
        }
        for &id in &solids {
            let group = draft.owner(id).and_then(|owner| group_of(draft, owner));
            give(draft, &[id], group);
        }
        *selection = solids.into_iter().map(Pick::Object).collect();
        Ok(())
    })
}

/// Brushes and meshes among the objects and below them.
fn geometry_below(draft: &Draft, ids: &[ObjectId]) -> Vec<ObjectId> {
    let all = crate::document::ops::transform::with_children(draft, ids);
    all.into_iter()
        .filter(|&id| {
            draft
                .object(id)
                .is_some_and(|object| matches!(object.kind, Kind::Brush(_) | Kind::Mesh(_)))
        })
        .collect()
}

/// The nearest group above an object, past entities.
fn group_of(draft: &Draft, id: ObjectId) -> Option<ObjectId> {
    draft.ancestors(id).find(|&id| {
        draft
            .object(id)
            .is_some_and(|object| object.group().is_some())
            && draft.owner(id).is_none()
    })
}

fn give(draft: &mut Draft, ids: &[ObjectId], parent: Option<ObjectId>) {
    let mut left: Vec<ObjectId> = Vec::new();
    for &id in ids {
        let old = draft.object(id).and_then(|object| object.parent);
        if old != parent {
            draft.update(id, |object| object.parent = parent);
            left.extend(old);
        }
    }
    objects::prune_emptied(draft, left);
}

fn each(draft: &mut Draft, ids: &[ObjectId], change: impl Fn(&mut Entity)) {
    for &id in ids {
        let Some(old) = draft.entity(id) else {
            continue;
        };
        let mut new = old.clone();
        change(&mut new);
        if new != *old {
            draft.update(id, |object| object.kind = Kind::Entity(new));
        }
    }
}

fn finite(v: DVec3) -> Result<(), EditError> {
    if v.as_vec3().is_finite() {
        Ok(())
    } else {
        Err(EditError::refused("That is not a number a map can hold"))
    }
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
    fn keys_are_edited_in_place() {
        let mut history = map();
        commit(
            &mut history,
            &set_key(vec![id(4), id(6), id(1)], "speed", "100"),
        );
        commit(&mut history, &set_key(vec![id(4)], "targetname", "door2"));
        commit(&mut history, &rename_key(vec![id(4)], "targetname", "name"));
        let keys = |history: &crate::document::History, number| {
            history
                .committed()
                .doc
                .entity(id(number))
                .expect("entity")
                .keys
                .clone()
        };
        assert_eq!(
            keys(&history, 4),
            vec![
                ("name".to_owned(), "door2".to_owned()),
                ("speed".to_owned(), "100".to_owned())
            ]
        );
        refuses(&mut history, &rename_key(vec![id(4)], "name", "speed"));
        refuses(&mut history, &set_key(vec![id(4)], "", "1"));
        commit(&mut history, &remove_key(vec![id(4), id(6)], "speed"));
        assert!(keys(&history, 6).is_empty());
        let steps = history.undo_labels().count();
        commit(&mut history, &remove_key(vec![id(6)], "speed"));
        assert_eq!(
            history.undo_labels().count(),
            steps,
            "nothing to remove is no step"
        );
    }

    #[test]
    fn place_and_class() {
        let mut history = map();
        commit(
            &mut history,
            &create(
                "light_spot",
                DVec3::splat(0.1),
                vec![("color".to_owned(), "1 1 1".to_owned())],
                None,
            ),
        );
        let made = history.committed().selection.objects();
        let origin = history
            .committed()
            .doc
            .entity(made[0])
            .expect("made")
            .origin;
        assert_eq!(origin, DVec3::splat(f64::from(0.1f32)), "rounded at commit");
        commit(&mut history, &set_origin(made.clone(), DVec3::ONE));
        commit(
            &mut history,
            &set_angles(made.clone(), DVec3::new(-90.0, 0.0, 0.0)),
        );
        commit(&mut history, &set_class(made.clone(), "light"));
        assert_eq!(
            history.committed().doc.entity(made[0]).expect("made").class,
            "light"
        );
        refuses(&mut history, &set_class(made.clone(), ""));
        refuses(&mut history, &set_origin(made, DVec3::splat(f64::NAN)));
    }

    #[test]
    fn ent_2_to_an_entity_and_back() {
        let mut history = map();
        commit(&mut history, &tie(vec![id(1), id(5)], "func_wall"));
        let doc = &history.committed().doc;
        assert_eq!(
            (doc.owner(id(1)), doc.owner(id(5))),
            (Some(id(7)), Some(id(7)))
        );
        assert!(doc.object(id(4)).is_none(), "the door has no brush left");
        assert_eq!(
            doc.entity(id(7)).expect("entity").origin,
            DVec3::new(80.0, 16.0, 16.0)
        );
        commit(&mut history, &to_world(vec![id(7)]));
        let doc = &history.committed().doc;
        assert!(doc.object(id(7)).is_none());
        assert_eq!(doc.object(id(1)).expect("brush").parent, None);
        refuses(&mut history, &tie(vec![id(6)], "func_wall"));
        refuses(&mut history, &to_world(vec![id(1)]));
    }

    #[test]
    fn brushes_stay_in_the_group_of_their_entity() {
        let mut history = map();
        commit(&mut history, &move_to_entity(vec![id(1)], id(4)));
        assert_eq!(history.committed().doc.owner(id(1)), Some(id(4)));
        commit(&mut history, &to_world(vec![id(4)]));
        assert_eq!(
            history.committed().doc.object(id(1)).expect("brush").parent,
            Some(id(2))
        );
        refuses(&mut history, &move_to_entity(vec![id(1)], id(4)));
    }
}
