//! New numbers for a map that has used them up (`hmap.md` D17).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::document::Document;
use crate::document::LayerId;
use crate::document::MapPath;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::PathId;
use crate::document::ViewState;

/// The map with ids from 1 on, in their old order, when its next id has reached the end of the number space; else `None`.
#[must_use]
pub fn renumbered(doc: &Document, view: &ViewState) -> Option<(Document, ViewState)> {
    if doc.next_id() < u32::MAX {
        return None;
    }
    let objects = doc.objects().map(|(id, _)| id.get());
    let layers = doc.layers().map(|(id, _)| id.get());
    let paths = doc.paths().map(|(id, _)| id.get());
    let old: BTreeSet<u32> = objects.chain(layers).chain(paths).collect();
    let numbers: BTreeMap<u32, u32> = old.into_iter().zip(1..).collect();
    let object = |id: ObjectId| ObjectId::new(*numbers.get(&id.get())?);
    let layer = |id: LayerId| LayerId::new(*numbers.get(&id.get())?);

    let mut draft = Document::default().edit();
    *draft.settings_mut() = doc.settings().clone();
    draft.set_materials(
        doc.materials()
            .map(|(_, material)| material.clone())
            .collect(),
    );
    draft.set_extra(doc.extra().to_vec());
    for (id, old) in doc.objects() {
        let Some(id) = object(id) else { continue };
        let new = Object {
            parent: old.parent.and_then(object),
            layer: old.layer.and_then(layer),
            visgroups: old.visgroups.iter().filter_map(|&id| layer(id)).collect(),
            ..old.clone()
        };
        draft.put(id, new);
    }
    for (id, old) in doc.layers() {
        let Some(id) = layer(id) else { continue };
        let mut new = old.clone();
        new.parent = old.parent.and_then(layer);
        draft.put_layer(id, new);
    }
    for (id, old) in doc.paths() {
        let Some(id) = numbers.get(&id.get()).and_then(|&id| PathId::new(id)) else {
            continue;
        };
        draft.put_path(
            id,
            MapPath {
                nodes: old.nodes.iter().filter_map(|&id| object(id)).collect(),
                ..old.clone()
            },
        );
    }
    let view = ViewState {
        hidden: view.hidden.iter().filter_map(|&id| object(id)).collect(),
        locked: view.locked.iter().filter_map(|&id| object(id)).collect(),
        hidden_layers: view
            .hidden_layers
            .iter()
            .filter_map(|&id| layer(id))
            .collect(),
        locked_layers: view
            .locked_layers
            .iter()
            .filter_map(|&id| layer(id))
            .collect(),
        current_layer: view.current_layer.and_then(layer),
        ..view.clone()
    };
    Some((draft.as_read(), view))
}
