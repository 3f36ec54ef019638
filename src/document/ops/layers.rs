//! Layers and visgroups: the list, and who is in which (LAY-1).

use std::sync::Arc;

use crate::document::Edit;
use crate::document::EditError;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::ObjectId;
use crate::document::ops::objects;
use crate::document::ops::transform::with_children;

/// Adds a layer or visgroup at the end of its list.
#[must_use]
pub fn create(kind: LayerKind, name: impl Into<String>, parent: Option<LayerId>) -> Edit {
    let name = name.into();
    let label = if kind == LayerKind::Layer {
        "New layer"
    } else {
        "New visgroup"
    };
    Edit::new(label, move |draft, _| {
        objects::room_for(draft, 1)?;
        let parent =
            parent.filter(|&parent| draft.layer(parent).is_some_and(|layer| layer.kind == kind));
        let rank = draft
            .layers()
            .filter(|(_, layer)| layer.kind == kind)
            .map(|(_, layer)| layer.rank.saturating_add(1))
            .max()
            .unwrap_or(0);
        draft.insert_layer(Layer {
            parent,
            rank,
            ..Layer::new(kind, name.clone())
        });
        Ok(())
    })
}

/// Removes a layer or visgroup; its members go to the default layer.
#[must_use]
pub fn delete(id: LayerId) -> Edit {
    Edit::new("Delete layer", move |draft, _| {
        draft.remove_layer(id);
        Ok(())
    })
}

#[must_use]
pub fn rename(id: LayerId, name: impl Into<String>) -> Edit {
    let name = name.into();
    change("Rename layer", id, move |layer| {
        layer.name.clone_from(&name);
    })
}

/// RGBA, sRGB-encoded.
#[must_use]
pub fn set_color(id: LayerId, color: [u8; 4]) -> Edit {
    change("Layer colour", id, move |layer| layer.color = color)
}

/// Whether members are left out of builds.
#[must_use]
pub fn set_no_compile(id: LayerId, no_compile: bool) -> Edit {
    change("Leave out of builds", id, move |layer| {
        layer.no_compile = no_compile;
    })
}

/// Moves objects with everything below them to a layer; `None` is the default layer.
#[must_use]
pub fn move_to_layer(ids: Vec<ObjectId>, layer: Option<LayerId>) -> Edit {
    Edit::new("Move to layer", move |draft, _| {
        if layer.is_some_and(|layer| {
            draft
                .layer(layer)
                .is_none_or(|layer| layer.kind != LayerKind::Layer)
        }) {
            return Err(EditError::refused("That layer is no longer there"));
        }
        for id in with_children(draft, &ids) {
            if draft.object(id).is_some_and(|object| object.layer != layer) {
                draft.update(id, |object| object.layer = layer);
            }
        }
        Ok(())
    })
}

/// Puts objects with everything below them into a visgroup, or takes them out.
#[must_use]
pub fn set_visgroup(ids: Vec<ObjectId>, visgroup: LayerId, member: bool) -> Edit {
    Edit::new("Visgroup membership", move |draft, _| {
        if draft
            .layer(visgroup)
            .is_none_or(|layer| layer.kind != LayerKind::Visgroup)
        {
            return Err(EditError::refused("That visgroup is no longer there"));
        }
        for id in with_children(draft, &ids) {
            let Some(object) = draft.object(id) else {
                continue;
            };
            if object.visgroups.contains(&visgroup) == member {
                continue;
            }
            let mut list: Vec<LayerId> = object
                .visgroups
                .iter()
                .copied()
                .filter(|&id| id != visgroup)
                .collect();
            if member {
                list.push(visgroup);
                list.sort_unstable();
            }
            draft.update(id, |object| object.visgroups = Arc::from(list));
        }
        Ok(())
    })
}

fn change(
    label: &'static str,
    id: LayerId,
    change: impl Fn(&mut Layer) + Send + Sync + 'static,
) -> Edit {
    Edit::new(label, move |draft, _| {
        draft.update_layer(id, &change);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;
    use crate::document::ops::testing::refuses;

    #[test]
    fn members_follow_and_survive_their_layer() {
        let mut history = map();
        commit(&mut history, &create(LayerKind::Layer, "detail", None));
        commit(&mut history, &create(LayerKind::Visgroup, "lights", None));
        let ids: Vec<LayerId> = history.committed().doc.layers().map(|(id, _)| id).collect();
        let (layer, visgroup) = (ids[0], ids[1]);
        commit(&mut history, &move_to_layer(vec![id(2)], Some(layer)));
        assert_eq!(
            history.committed().doc.object(id(5)).expect("brush").layer,
            Some(layer)
        );
        refuses(&mut history, &move_to_layer(vec![id(2)], Some(visgroup)));
        commit(&mut history, &set_visgroup(vec![id(2)], visgroup, true));
        commit(&mut history, &set_visgroup(vec![id(3)], visgroup, false));
        refuses(&mut history, &set_visgroup(vec![id(3)], layer, true));
        let doc = &history.committed().doc;
        assert!(doc.object(id(3)).expect("brush").visgroups.is_empty());
        assert_eq!(doc.object(id(5)).expect("brush").visgroups[..], [visgroup]);
        commit(&mut history, &set_no_compile(visgroup, true));
        assert!(
            history.committed().doc.is_left_out(id(5))
                && !history.committed().doc.is_left_out(id(1))
        );
        commit(&mut history, &rename(layer, "trim"));
        commit(&mut history, &set_color(layer, [9; 4]));
        assert_eq!(
            history.committed().doc.layer(layer).expect("layer").name,
            "trim"
        );
        commit(&mut history, &delete(layer));
        commit(&mut history, &delete(visgroup));
        let object = history
            .committed()
            .doc
            .object(id(5))
            .expect("brush")
            .clone();
        assert!(object.layer.is_none() && object.visgroups.is_empty());
    }
}
