//! Records -> document: ids, owners, material references, exact axes and corners, the tree, the view.

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;

use super::container::Container;
use super::extensions::AxesRecord;
use super::extensions::CornersRecord;
use super::extensions::Extensions;
use super::extensions::PathRecord;
use super::findings::Findings;
use super::layers;
use super::layers::Member;
use super::layers::Placed;
use super::rules;
use super::source::BrushRecord;
use super::source::MeshRecord;
use super::source::Source;
use super::source::plane_guard;
use crate::document::Brush;
use crate::document::Contents;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Face;
use crate::document::Kind;
use crate::document::MapPath;
use crate::document::MapSettings;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::PathId;
use crate::document::Polygon;
use crate::document::RawChunk;
use crate::document::SurfaceFlags;
use crate::document::ViewState;
use crate::geometry::Plane;
use crate::geometry::Uv;
use crate::geometry::UvAxes;
use crate::task::Cancelled;
use crate::task::Progress;

/// Gives out ids (D17): each once, 0 never.
struct Ids {
    used: BTreeSet<u32>,
    next: u32,
}

impl Ids {
    /// `wanted` when it is free and not 0, else the next free one.
    fn take(&mut self, wanted: u32) -> u32 {
        if wanted != 0 && self.used.insert(wanted) {
            return wanted;
        }
        while !self.used.insert(self.next.max(1)) {
            // Past the end the numbers left free below are taken; a file cannot hold 2^32 objects.
            self.next = self.next.wrapping_add(1);
        }
        self.next.max(1)
    }
}

/// The ids objects have in the document, in the order of their lists.
struct Assigned {
    entities: Vec<u32>,
    brushes: Vec<u32>,
    meshes: Vec<u32>,
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
        let given = ids.take(id);
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
        given
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
fn orders(ids: &[u32]) -> impl Fn(usize) -> u32 {
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
    match &source.meta {
        Some(meta) => {
            let (settings, grid) = rules::meta(meta, chunk_at(*b"META"), findings);
            *draft.settings_mut() = settings;
            view.grid = grid;
        }
        None => {
            let name = path
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default();
            *draft.settings_mut() = MapSettings {
                name,
                ..MapSettings::default()
            };
        }
    }
    let assigned = assign(&source, extensions, chunk_at(*b"META"), findings);
    let materials = rules::materials(source.materials, findings);
    let material_count = materials.len();
    draft.set_materials(materials);
    progress.check()?;

    // The first entity of an id is the one that others mean by it.
    let entity_ids: HashMap<u32, u32> = source
        .entities
        .iter()
        .map(|record| record.id)
        .zip(assigned.entities.iter().copied())
        .rev()
        .collect();
    let mut owner_of = |owner: u32, id: u32, at: u64| -> Option<ObjectId> {
        if owner == 0 {
            return None;
        }
        let found = entity_ids.get(&owner).and_then(|&id| ObjectId::new(id));
        if found.is_none() {
            findings.add(
                "E-OWNER",
                Some(id),
                Some(at),
                format_args!("Owner {owner} of object {id} is no entity; it goes to the world"),
            );
        }
        found
    };
    let ids = |list: &[u32]| -> Vec<ObjectId> {
        list.iter().filter_map(|&id| ObjectId::new(id)).collect()
    };
    let mut members: Vec<Member> = Vec::new();
    members.extend(
        ids(&assigned.entities)
            .into_iter()
            .map(|id| Member { id, owner: None }),
    );
    for (record, id) in source.brushes.iter().zip(ids(&assigned.brushes)) {
        members.push(Member {
            id,
            owner: owner_of(record.owner, id.get(), record.at),
        });
    }
    for (record, id) in source.meshes.iter().zip(ids(&assigned.meshes)) {
        members.push(Member {
            id,
            owner: owner_of(record.owner, id.get(), record.at),
        });
    }
    let before = findings.total();
    let mut tree = layers::read(
        extensions.layers.take().unwrap_or_default(),
        &members,
        chunk_at(*b"LAYR"),
        findings,
    );
    if findings.total() > before {
        extensions.noisy.push(*b"LAYR");
    }

    let mut objects: Vec<(ObjectId, Object)> =
        Vec::with_capacity(members.len() + tree.groups.len());
    let exact = exact_data(
        &source.brushes,
        extensions,
        [chunk_at(*b"UVAX"), chunk_at(*b"BVTX")],
        findings,
    );
    let references = References {
        materials: material_count,
    };
    progress.check()?;
    let brushes = brushes(
        &source.brushes,
        &assigned.brushes,
        exact,
        references,
        extensions,
        chunk_at(*b"BVTX"),
        findings,
    );
    progress.check()?;
    let mut put = |id: ObjectId, order: u32, flags: u32, kind: Kind| {
        let placed = tree.placed.remove(&id).unwrap_or_default();
        if flags & ObjectFlags::HIDDEN.0 != 0 {
            view.hidden.insert(id);
        }
        if flags & ObjectFlags::LOCKED.0 != 0 {
            view.locked.insert(id);
        }
        objects.push((id, object(placed, order, flags, kind)));
    };
    let order = orders(&assigned.brushes);
    for (index, (brush, id)) in brushes.into_iter().zip(ids(&assigned.brushes)).enumerate() {
        put(
            id,
            order(index),
            source.brushes[index].flags,
            Kind::Brush(brush),
        );
    }
    let order = orders(&assigned.meshes);
    for (index, (record, id)) in source
        .meshes
        .into_iter()
        .zip(ids(&assigned.meshes))
        .enumerate()
    {
        let flags = record.flags;
        rules::mesh(&record, id.get(), findings);
        put(
            id,
            order(index),
            flags,
            Kind::Mesh(mesh(record, id.get(), references, findings)),
        );
    }
    let order = orders(&assigned.entities);
    for (index, (mut record, id)) in source
        .entities
        .into_iter()
        .zip(ids(&assigned.entities))
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
        put(id, order(index), record.flags, Kind::Entity(entity));
    }
    for (id, placed, group, flags) in tree.groups {
        objects.push((id, object(placed, 0, flags.0, Kind::Group(group))));
    }
    objects.sort_by_key(|(id, _)| *id);
    for (id, object) in objects {
        draft.put(id, object);
    }
    for (id, layer) in tree.layers {
        draft.put_layer(id, layer);
    }
    view.hidden.extend(tree.hidden);
    view.locked.extend(tree.locked);
    view.hidden_layers.extend(tree.hidden_layers);
    view.locked_layers.extend(tree.locked_layers);
    let before = findings.total();
    paths(
        extensions.paths.take().unwrap_or_default(),
        chunk_at(*b"PATH"),
        &mut draft,
        findings,
    );
    if findings.total() > before {
        extensions.noisy.push(*b"PATH");
    }
    cameras(extensions, chunk_at(*b"VIEW"), &mut view, findings);
    draft.set_extra(unknown_chunks(container));
    draft.set_next_id(source.meta.map_or(0, |meta| meta.next_id));
    Ok(Converted {
        doc: draft.as_read(),
        view,
    })
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
fn paths(
    records: Vec<PathRecord>,
    at: u64,
    draft: &mut crate::document::Draft,
    findings: &mut Findings,
) {
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
            || crate::document::LayerId::new(record.id).is_some_and(|id| draft.layer(id).is_some());
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
