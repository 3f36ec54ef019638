//! Records -> document: ids, owners, the tree, paths, the view.

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::container::Container;
use super::extensions::Extensions;
use super::extensions::PathRecord;
use super::findings::Findings;
use super::layers;
use super::layers::Member;
use super::layers::Placed;
use super::layers::Tree;
use super::objects;
use super::objects::References;
use super::rules;
use super::source::Source;
use crate::document::Document;
use crate::document::Draft;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::MapPath;
use crate::document::MapSettings;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::PathId;
use crate::document::RawChunk;
use crate::document::ViewState;
use crate::task::Cancelled;
use crate::task::Progress;

/// Gives out ids (D17): each once, 0 never.
struct Ids {
    used: BTreeSet<u32>,
    next: u32,
}

impl Ids {
    /// `wanted` when it is free and not 0, else the next free one.
    fn take(&mut self, wanted: u32) -> ObjectId {
        if let Some(id) = ObjectId::new(wanted)
            && self.used.insert(wanted)
        {
            return id;
        }
        while !self.used.insert(self.next.max(1)) {
            // Past the end the numbers left free below are taken; a file cannot hold 2^32 objects.
            self.next = self.next.wrapping_add(1);
        }
        ObjectId::new(self.next.max(1)).expect("at least 1")
    }
}

/// The ids objects have in the document, in the order of their lists.
struct Assigned {
    entities: Vec<ObjectId>,
    brushes: Vec<ObjectId>,
    meshes: Vec<ObjectId>,
}

/// E-ID0, E-DUPID, W-NEXTID. Entities keep theirs before brushes and meshes.
fn assign(
    source: &Source,
    extensions: &Extensions,
    meta_at: u64,
    findings: &mut Findings,
) -> Assigned {
    let base = source.entities.iter().map(|record| record.id);
    let base = base
        .chain(source.brushes.iter().map(|record| record.id))
        .chain(source.meshes.iter().map(|record| record.id));
    let containers = extensions
        .layers
        .iter()
        .flat_map(|layers| &layers.containers)
        .map(|record| record.id);
    let paths = extensions.paths.iter().flatten().map(|record| record.id);
    let highest = base.chain(containers).chain(paths).max().unwrap_or(0);
    let mut next = highest.saturating_add(1);
    if let Some(meta) = &source.meta {
        if meta.next_id <= highest {
            let text = format!(
                "nextId {} is not above the highest id {highest}; it is raised",
                meta.next_id
            );
            findings.add("W-NEXTID", None, Some(meta_at), text);
        }
        next = next.max(meta.next_id);
    }
    let mut ids = Ids {
        used: BTreeSet::new(),
        next,
    };
    let mut take = |what: &str, id: u32, at: u64| {
        let object = ids.take(id);
        let given = object.get();
        if id == 0 {
            findings.add(
                "E-ID0",
                Some(given),
                Some(at),
                format_args!("A {what} has id 0, which stands for the world; it becomes {given}"),
            );
        } else if given != id {
            findings.add(
                "E-DUPID",
                Some(given),
                Some(at),
                format_args!("A {what} has id {id}, which is in use; it becomes {given}"),
            );
        }
        object
    };
    Assigned {
        entities: source
            .entities
            .iter()
            .map(|record| take("entity", record.id, record.at))
            .collect(),
        brushes: source
            .brushes
            .iter()
            .map(|record| take("brush", record.id, record.at))
            .collect(),
        meshes: source
            .meshes
            .iter()
            .map(|record| take("mesh", record.id, record.at))
            .collect(),
    }
}

/// `order` of a list's objects: 0 where it ascends by id, else the place in the list.
fn orders(ids: &[ObjectId]) -> impl Fn(usize) -> u32 {
    let ascending = ids.is_sorted_by(|a, b| a < b);
    move |index| if ascending { 0 } else { index as u32 }
}

/// What the reader makes of the source and the extensions.
pub(super) struct Converted {
    pub doc: Document,
    pub view: ViewState,
}

/// Makes the document. Raises every finding about source and extensions that needs to know more than one record.
///
/// # Errors
/// [`Cancelled`].
pub(super) fn convert(
    container: &Container<'_>,
    source: Source,
    extensions: &mut Extensions,
    path: &Path,
    findings: &mut Findings,
    progress: &Progress,
) -> Result<Converted, Cancelled> {
    let chunk_at = |tag: [u8; 4]| container.first(tag).map_or(0, |chunk| chunk.at);
    let mut draft = Document::default().edit();
    let mut view = ViewState::default();
    (*draft.settings_mut(), view.grid) = settings(&source, chunk_at(*b"META"), path, findings);
    let next_id = source.meta.as_ref().map_or(0, |meta| meta.next_id);
    let assigned = assign(&source, extensions, chunk_at(*b"META"), findings);
    let members = members(&source, &assigned, findings);
    let before = findings.total();
    let records = extensions.layers.take().unwrap_or_default();
    let mut tree = layers::read(records, &members, chunk_at(*b"LAYR"), findings);
    if findings.total() > before {
        extensions.noisy.push(*b"LAYR");
    }
    progress.check()?;

    let places = [chunk_at(*b"UVAX"), chunk_at(*b"BVTX")];
    let mut list = objects(source, assigned, extensions, places, &mut draft, findings);
    progress.check()?;
    list.sort_by_key(|made| made.id);
    for Made {
        id,
        order,
        flags,
        kind,
    } in list
    {
        if flags & ObjectFlags::HIDDEN.0 != 0 {
            view.hidden.insert(id);
        }
        if flags & ObjectFlags::LOCKED.0 != 0 {
            view.locked.insert(id);
        }
        let placed = tree.placed.remove(&id).unwrap_or_default();
        draft.put(id, object(placed, order, flags, kind));
    }
    containers(tree, &mut draft, &mut view);
    let before = findings.total();
    let records = extensions.paths.take().unwrap_or_default();
    paths(records, chunk_at(*b"PATH"), &mut draft, findings);
    if findings.total() > before {
        extensions.noisy.push(*b"PATH");
    }
    cameras(extensions, chunk_at(*b"VIEW"), &mut view, findings);
    draft.set_extra(unknown_chunks(container));
    draft.set_next_id(next_id);
    Ok(Converted {
        doc: draft.as_read(),
        view,
    })
}

/// Settings and grid step of `META`, or those of D10.
fn settings(source: &Source, at: u64, path: &Path, findings: &mut Findings) -> (MapSettings, f32) {
    if let Some(meta) = &source.meta {
        return rules::meta(meta, at, findings);
    }
    let name = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    (
        MapSettings {
            name,
            ..MapSettings::default()
        },
        ViewState::default().grid,
    )
}

/// All objects with their owners (E-OWNER: the world's, then).
fn members(source: &Source, assigned: &Assigned, findings: &mut Findings) -> Vec<Member> {
    // The first entity of an id is the one that others mean by it.
    let entities = source
        .entities
        .iter()
        .map(|record| record.id)
        .zip(assigned.entities.iter().copied());
    let entities: HashMap<u32, ObjectId> = entities.rev().collect();
    let mut members: Vec<Member> = assigned
        .entities
        .iter()
        .map(|&id| Member { id, owner: None })
        .collect();
    let mut add = |id: ObjectId, owner: u32, at: u64| {
        let found = entities.get(&owner).copied().filter(|_| owner != 0);
        if found.is_none() && owner != 0 {
            let text =
                format_args!("Owner {owner} of object {id} is no entity; it goes to the world");
            findings.add("E-OWNER", Some(id.get()), Some(at), text);
        }
        members.push(Member { id, owner: found });
    };
    for (record, &id) in source.brushes.iter().zip(&assigned.brushes) {
        add(id, record.owner, record.at);
    }
    for (record, &id) in source.meshes.iter().zip(&assigned.meshes) {
        add(id, record.owner, record.at);
    }
    members
}

/// An object before it has its place in the tree.
struct Made {
    id: ObjectId,
    order: u32,
    /// As the file has them.
    flags: u32,
    kind: Kind,
}

/// Materials, brushes, meshes and entities. `places`: offsets of `UVAX` and `BVTX`.
fn objects(
    source: Source,
    assigned: Assigned,
    extensions: &mut Extensions,
    places: [u64; 2],
    draft: &mut Draft,
    findings: &mut Findings,
) -> Vec<Made> {
    let materials = rules::materials(source.materials, findings);
    let references = References {
        materials: materials.len(),
    };
    draft.set_materials(materials);
    let exact = objects::exact_data(&source.brushes, extensions, places, findings);
    let brushes = objects::brushes(
        &source.brushes,
        &assigned.brushes,
        exact,
        references,
        extensions,
        places[1],
        findings,
    );
    let mut list = Vec::new();
    let order = orders(&assigned.brushes);
    for (index, (brush, &id)) in brushes.into_iter().zip(&assigned.brushes).enumerate() {
        list.push(Made {
            id,
            order: order(index),
            flags: source.brushes[index].flags,
            kind: Kind::Brush(brush),
        });
    }
    let order = orders(&assigned.meshes);
    for (index, (record, &id)) in source.meshes.into_iter().zip(&assigned.meshes).enumerate() {
        let flags = record.flags;
        rules::mesh(&record, id.get(), findings);
        let mesh = objects::mesh(record, id.get(), references, findings);
        list.push(Made {
            id,
            order: order(index),
            flags,
            kind: Kind::Mesh(mesh),
        });
    }
    let order = orders(&assigned.entities);
    for (index, (mut record, &id)) in source
        .entities
        .into_iter()
        .zip(&assigned.entities)
        .enumerate()
    {
        rules::entity(&mut record, id.get(), findings);
        let entity = Entity {
            class: record.class,
            origin: record.origin.as_dvec3(),
            angles_deg: record.angles.as_dvec3(),
            scale: record.scale.as_dvec3(),
            keys: record.keys,
        };
        list.push(Made {
            id,
            order: order(index),
            flags: record.flags,
            kind: Kind::Entity(entity),
        });
    }
    list
}

/// Groups, layers, and what of them is hidden and locked.
fn containers(tree: Tree, draft: &mut Draft, view: &mut ViewState) {
    for (id, placed, group, flags) in tree.groups {
        draft.put(id, object(placed, 0, flags.0, Kind::Group(group)));
    }
    for (id, layer) in tree.layers {
        draft.put_layer(id, layer);
    }
    view.hidden.extend(tree.hidden);
    view.locked.extend(tree.locked);
    view.hidden_layers.extend(tree.hidden_layers);
    view.locked_layers.extend(tree.locked_layers);
}

fn object(placed: Placed, order: u32, flags: u32, kind: Kind) -> Object {
    let mut flags = ObjectFlags(flags)
        .without(ObjectFlags::HIDDEN)
        .without(ObjectFlags::LOCKED);
    if placed.left_out {
        flags = flags.without(ObjectFlags::NO_COMPILE);
    }
    Object {
        parent: placed.parent,
        layer: placed.layer,
        visgroups: Arc::from(placed.visgroups),
        order,
        flags,
        kind,
    }
}

/// Chunks that are neither base nor extension, with their side of `CMPL` (before it when there is none).
fn unknown_chunks(container: &Container<'_>) -> Vec<RawChunk> {
    let compiled = container.position(*b"CMPL").unwrap_or(usize::MAX);
    let known =
        |tag| super::container::BASE.contains(tag) || super::container::EXTENSIONS.contains(tag);
    container
        .chunks
        .iter()
        .enumerate()
        .filter(|(_, chunk)| !known(&chunk.tag))
        .map(|(index, chunk)| RawChunk {
            tag: chunk.tag,
            payload: Arc::from(chunk.payload),
            after_compiled: index > compiled,
        })
        .collect()
}

/// Nodes that are no entities are dropped; an id in use gives way to a fresh one (W-XREF).
fn paths(records: Vec<PathRecord>, at: u64, draft: &mut Draft, findings: &mut Findings) {
    let mut clashing = Vec::new();
    for record in records {
        let mut nodes = Vec::new();
        for node in record.nodes {
            match ObjectId::new(node).filter(|&id| draft.entity(id).is_some()) {
                Some(id) => nodes.push(id),
                None => findings.add(
                    "W-XREF",
                    None,
                    Some(at),
                    format_args!(
                        "PATH {}: node {node} is no entity and is dropped",
                        record.id
                    ),
                ),
            }
        }
        let path = MapPath {
            name: record.name,
            kind: record.kind,
            flags: record.flags,
            nodes,
        };
        let taken = ObjectId::new(record.id).is_some_and(|id| draft.object(id).is_some())
            || LayerId::new(record.id).is_some_and(|id| draft.layer(id).is_some());
        match PathId::new(record.id).filter(|&id| !taken && draft.path(id).is_none()) {
            Some(id) => draft.put_path(id, path),
            None => {
                findings.add(
                    "W-XREF",
                    None,
                    Some(at),
                    format_args!(
                        "PATH id {} is 0 or in use; the path gets another",
                        record.id
                    ),
                );
                clashing.push(path);
            }
        }
    }
    for path in clashing {
        if draft.next_id() < u32::MAX {
            draft.insert_path(path);
        }
    }
}

fn cameras(extensions: &mut Extensions, at: u64, view: &mut ViewState, findings: &mut Findings) {
    let Some(record) = extensions.view.take() else {
        return;
    };
    view.active_camera = u32::try_from(record.active)
        .ok()
        .filter(|&active| (active as usize) < record.cameras.len());
    if view.active_camera.is_none() && record.active != -1 {
        findings.add(
            "W-XREF",
            None,
            Some(at),
            format_args!("VIEW: there is no camera {}; none is active", record.active),
        );
        extensions.noisy.push(*b"VIEW");
    }
    view.cameras = record.cameras;
}
