//! The tree -> `LAYR` (`hmap.md` 6.2), and what layers mean for the base chunks.

use std::collections::BTreeMap;

use super::extensions::ContainerRecord;
use super::extensions::EXTENSION_VERSION;
use super::layers::GROUP;
use super::layers::LAYER;
use super::layers::NAMED_BITS;
use super::layers::VISGROUP;
use crate::document::Document;
use crate::document::Kind;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::ViewState;
use crate::formats::writer::Writer;

/// True when a layer, visgroup or group (not an entity) leaves the object out of builds: the bit that goes on its record.
/// Owned geometry follows its entity, so only what stands between the two counts.
pub(super) fn container_leaves_out(doc: &Document, id: ObjectId) -> bool {
    let owned = doc.owner(id).is_some();
    let layer_out = |layer: LayerId| {
        std::iter::successors(Some(layer), |&layer| doc.layer(layer)?.parent)
            .take(1024)
            .any(|layer| doc.layer(layer).is_some_and(|layer| layer.no_compile))
    };
    let mut next = Some(id);
    while let Some(at) = next {
        let Some(object) = doc.object(at) else {
            return false;
        };
        if at != id {
            match object.kind {
                Kind::Group(_) if object.flags.has(ObjectFlags::NO_COMPILE) => return true,
                Kind::Group(_) => {}
                _ => return false,
            }
        }
        let layer = object.layer.filter(|_| !owned);
        if layer
            .into_iter()
            .chain(object.visgroups.iter().copied())
            .any(layer_out)
        {
            return true;
        }
        next = object.parent;
    }
    false
}

/// The payload of `LAYR`, `None` when there is nothing to say (X5). `as_they_came`: ids of containers in the order of the file.
pub(super) fn write(doc: &Document, view: &ViewState, as_they_came: &[u32]) -> Option<Vec<u8>> {
    let rank: BTreeMap<u32, usize> = as_they_came
        .iter()
        .rev()
        .copied()
        .zip((0..as_they_came.len()).rev())
        .collect();
    let mut containers: Vec<ContainerRecord> = doc
        .layers()
        .map(|(id, layer)| layer_record(view, id, layer))
        .collect();
    let groups = doc
        .objects()
        .filter_map(|(id, object)| Some((id, object, object.group()?)));
    containers.extend(groups.map(|(id, object, group)| {
        let parent = object.parent.filter(|&parent| {
            doc.object(parent)
                .is_some_and(|parent| parent.group().is_some())
        });
        let bits = view_bits(view.hidden.contains(&id), view.locked.contains(&id))
            | object.flags.0 & ObjectFlags::NO_COMPILE.0;
        ContainerRecord {
            id: id.get(),
            parent: parent.map_or(object.layer.map_or(0, LayerId::get), ObjectId::get),
            kind: GROUP,
            flags: group.flags & !NAMED_BITS | bits,
            rank: group.rank,
            color: group.color,
            name: group.name.clone(),
        }
    }));
    if containers.is_empty() {
        return None;
    }
    containers.sort_by_key(|container| {
        (
            rank.get(&container.id).copied().unwrap_or(usize::MAX),
            container.id,
        )
    });
    let mut w = Writer::new();
    w.u32(EXTENSION_VERSION);
    w.count(containers.len());
    for container in &containers {
        w.u32(container.id);
        w.u32(container.parent);
        w.u8(container.kind);
        w.u32(container.flags);
        w.u32(container.rank);
        w.raw(&container.color);
        w.text(&container.name);
    }
    let members = members(doc);
    w.count(members.len());
    for (object, container) in members {
        w.u32(object);
        w.u32(container);
    }
    Some(w.into_bytes())
}

fn view_bits(hidden: bool, locked: bool) -> u32 {
    (u32::from(hidden) * ObjectFlags::HIDDEN.0) | (u32::from(locked) * ObjectFlags::LOCKED.0)
}

fn layer_record(view: &ViewState, id: LayerId, layer: &Layer) -> ContainerRecord {
    let bits = view_bits(
        view.hidden_layers.contains(&id),
        view.locked_layers.contains(&id),
    );
    let no_compile = u32::from(layer.no_compile) * ObjectFlags::NO_COMPILE.0;
    ContainerRecord {
        id: id.get(),
        parent: layer.parent.map_or(0, LayerId::get),
        kind: match layer.kind {
            LayerKind::Layer => LAYER,
            LayerKind::Visgroup => VISGROUP,
        },
        flags: layer.flags & !NAMED_BITS | bits | no_compile,
        rank: layer.rank,
        color: layer.color,
        name: layer.name.clone(),
    }
}

/// Records by object, then container, without redundant ones: members of groups and what entities own get no layer record.
/// Visgroups of a group are those of its members, since groups have no records.
fn members(doc: &Document) -> Vec<(u32, u32)> {
    let mut list = Vec::new();
    for (id, object) in doc.objects().filter(|(_, object)| object.group().is_none()) {
        let first = list.len();
        let parent = object.parent.filter(|&parent| doc.object(parent).is_some());
        let mut visgroups = object.visgroups.to_vec();
        let mut next = parent;
        while let Some((at, group)) = next
            .and_then(|at| Some((at, doc.object(at)?)))
            .filter(|(_, object)| object.group().is_some())
        {
            if at == parent.unwrap_or(at) {
                list.push((id.get(), at.get()));
            }
            visgroups.extend(group.visgroups.iter());
            next = group.parent;
        }
        if parent.is_none() {
            list.extend(
                object
                    .layer
                    .filter(|&layer| doc.layer(layer).is_some())
                    .map(|layer| (id.get(), layer.get())),
            );
        }
        list.extend(
            visgroups
                .into_iter()
                .filter(|&layer| doc.layer(layer).is_some())
                .map(|layer| (id.get(), layer.get())),
        );
        list[first..].sort_unstable();
        let keep = dedup_from(&mut list, first);
        list.truncate(keep);
    }
    list
}

/// Removes repeats in the sorted tail that begins at `first`; returns the new length.
fn dedup_from(list: &mut [(u32, u32)], first: usize) -> usize {
    let mut keep = first;
    for index in first..list.len() {
        if index == first || list[index] != list[keep - 1] {
            list[keep] = list[index];
            keep += 1;
        }
    }
    keep
}
