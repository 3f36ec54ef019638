//! `LAYR` and the tree (`hmap.md` 6.2): containers and members become layers, groups and parent links, and back.

use std::collections::BTreeMap;
use std::collections::HashMap;

use super::extensions::ContainerRecord;
use super::extensions::EXTENSION_VERSION;
use super::extensions::LayerRecords;
use super::findings::Findings;
use crate::document::Document;
use crate::document::Group;
use crate::document::Kind;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::ViewState;
use crate::formats::writer::Writer;

const LAYER: u8 = 0;
const VISGROUP: u8 = 1;
const GROUP: u8 = 2;

/// The bits of a container that have a place of their own in the document and the view.
const VIEW_BITS: u32 = ObjectFlags::HIDDEN.0 | ObjectFlags::LOCKED.0;
pub(super) const NAMED_BITS: u32 = VIEW_BITS | ObjectFlags::NO_COMPILE.0;

/// Who owns the members of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owners {
    Nobody,
    /// This entity owns them all.
    All(u32),
    /// The world, or several.
    Mixed,
}

impl Owners {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nobody, one) | (one, Self::Nobody) => one,
            (a, b) if a == b => a,
            _ => Self::Mixed,
        }
    }
}

/// One container that counts, with what follows from its place.
struct Container {
    record: ContainerRecord,
    /// Index of the parent container.
    parent: Option<usize>,
    owners: Owners,
    /// Its own bit or one above it leaves members out of builds.
    left_out: bool,
    /// Groups: the layer of the outermost group.
    layer: Option<usize>,
}

/// Where an object goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Placed {
    pub parent: Option<ObjectId>,
    pub layer: Option<LayerId>,
    pub visgroups: Vec<LayerId>,
    /// In a container with NO_COMPILE: its own bit is only that container's.
    pub left_out: bool,
}

/// An object as its chunk has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub id: ObjectId,
    /// The owning entity; `None` for entities and what the world owns.
    pub owner: Option<ObjectId>,
}

/// Everything that `LAYR` gives.
#[derive(Default)]
pub(super) struct Tree {
    /// By object; those without an entry are owned by the world or `Member::owner`, in the default layer.
    pub placed: HashMap<ObjectId, Placed>,
    pub groups: Vec<(ObjectId, Placed, Group, ObjectFlags)>,
    pub layers: Vec<(LayerId, Layer)>,
    pub hidden: Vec<ObjectId>,
    pub locked: Vec<ObjectId>,
    pub hidden_layers: Vec<LayerId>,
    pub locked_layers: Vec<LayerId>,
}

/// What an object's records name, as indices of containers.
#[derive(Clone, Default)]
struct Records {
    layer: Option<usize>,
    group: Option<usize>,
    visgroups: Vec<usize>,
}

/// Makes the tree. `members`: all brushes, meshes and entities. Raises W-XREF.
pub(super) fn read(records: LayerRecords, members: &[Member], at: u64, findings: &mut Findings) -> Tree {
    let mut findings_at = |text: String| findings.add("W-XREF", None, Some(at), text);
    let known: HashMap<u32, Option<ObjectId>> = members.iter().map(|member| (member.id.get(), member.owner)).collect();
    let (mut containers, by_id) = containers(records.containers, &known, &mut findings_at);
    break_cycles(&mut containers, &mut findings_at);
    let order = by_depth(&containers);
    let mut of_object: HashMap<u32, Records> = HashMap::new();
    for (object, container) in records.members {
        let (true, Some(&index)) = (known.contains_key(&object), by_id.get(&container)) else {
            findings_at(format!("LAYR: member {object} of {container} does not exist and is dropped"));
            continue;
        };
        let place = of_object.entry(object).or_default();
        let slot = match containers[index].record.kind {
            LAYER => &mut place.layer,
            GROUP => &mut place.group,
            _ => {
                if !place.visgroups.contains(&index) {
                    place.visgroups.push(index);
                }
                continue;
            }
        };
        if slot.is_some_and(|before| before != index) {
            findings_at(format!("LAYR: object {object} is in more than one layer or group; the first counts"));
        }
        slot.get_or_insert(index);
    }
    for (object, place) in &of_object {
        if let Some(group) = place.group {
            let owner = known[object].map_or(Owners::Mixed, |owner| Owners::All(owner.get()));
            containers[group].owners = containers[group].owners.and(owner);
        }
    }
    propagate(&mut containers, &order);
    place(containers, &of_object, members)
}

/// The containers that count, and their places by id.
fn containers(
    records: Vec<ContainerRecord>,
    known: &HashMap<u32, Option<ObjectId>>,
    findings: &mut impl FnMut(String),
) -> (Vec<Container>, HashMap<u32, usize>) {
    let mut by_id: HashMap<u32, usize> = HashMap::new();
    let mut list = Vec::new();
    for record in records {
        if record.id == 0 || known.contains_key(&record.id) || by_id.contains_key(&record.id) {
            findings(format!("LAYR: container id {} is 0 or already used; it is ignored", record.id));
        } else if record.kind > GROUP {
            findings(format!("LAYR: container {} is of kind {}, which is not known; it is ignored", record.id, record.kind));
        } else {
            by_id.insert(record.id, list.len());
            list.push(Container { record, parent: None, owners: Owners::Nobody, left_out: false, layer: None });
        }
    }
    for index in 0..list.len() {
        let record = &list[index].record;
        if record.parent == 0 {
            continue;
        }
        let parent = by_id.get(&record.parent).copied();
        // Groups lie in groups or layers, layers and visgroups in each other.
        let fits = |parent: usize| match record.kind {
            GROUP => list[parent].record.kind != VISGROUP,
            _ => list[parent].record.kind != GROUP,
        };
        match parent.filter(|&parent| fits(parent)) {
            Some(parent) => list[index].parent = Some(parent),
            None => findings(format!("LAYR: container {} has no usable parent {}; it moves to the top", record.id, record.parent)),
        }
    }
    (list, by_id)
}

/// Of each cycle, the first container in the file moves to the top.
fn break_cycles(containers: &mut [Container], findings: &mut impl FnMut(String)) {
    // 0: not seen, else the number of the walk that came by.
    let mut walked = vec![0usize; containers.len()];
    for start in 0..containers.len() {
        let walk = start + 1;
        let mut next = Some(start);
        while let Some(index) = next {
            if walked[index] == walk {
                let mut first = index;
                let mut around = containers[index].parent.unwrap_or(index);
                while around != index {
                    first = first.min(around);
                    around = containers[around].parent.unwrap_or(index);
                }
                findings(format!("LAYR: container {} is its own ancestor; it moves to the top", containers[first].record.id));
                containers[first].parent = None;
                break;
            }
            if walked[index] != 0 {
                break;
            }
            walked[index] = walk;
            next = containers[index].parent;
        }
    }
}

/// Indices with parents before children.
fn by_depth(containers: &[Container]) -> Vec<usize> {
    let mut order = Vec::with_capacity(containers.len());
    let mut done = vec![false; containers.len()];
    let mut way = Vec::new();
    for start in 0..containers.len() {
        let mut next = Some(start);
        while let Some(index) = next.filter(|&index| !done[index]) {
            done[index] = true;
            way.push(index);
            next = containers[index].parent;
        }
        order.extend(way.drain(..).rev());
    }
    order
}

/// Owners go up, NO_COMPILE and the layer of the outermost group go down.
fn propagate(containers: &mut [Container], order: &[usize]) {
    for &index in order.iter().rev() {
        if let Some(parent) = containers[index].parent
            && containers[index].record.kind == GROUP
            && containers[parent].record.kind == GROUP
        {
            containers[parent].owners = containers[parent].owners.and(containers[index].owners);
        }
    }
    for &index in order {
        let parent = containers[index].parent;
        let own = containers[index].record.flags & ObjectFlags::NO_COMPILE.0 != 0;
        // A group inside an entity follows the entity, not the layer or group around that.
        let owners = containers[index].owners;
        let inside = containers[index].record.kind == GROUP && matches!(owners, Owners::All(_));
        let counts = |parent: &usize| !inside || (containers[*parent].record.kind == GROUP && containers[*parent].owners == owners);
        containers[index].left_out = own || parent.filter(counts).is_some_and(|parent| containers[parent].left_out);
        containers[index].layer = parent.and_then(|parent| match containers[parent].record.kind {
            LAYER => Some(parent),
            _ => containers[parent].layer,
        });
    }
}

fn layer_id(container: &Container) -> Option<LayerId> {
    LayerId::new(container.record.id)
}

fn place(containers: Vec<Container>, of_object: &HashMap<u32, Records>, members: &[Member]) -> Tree {
    let mut tree = Tree::default();
    let none = Records::default();
    let records = |id: ObjectId| of_object.get(&id.get()).unwrap_or(&none);
    // What the world owns first: the layer of an entity is that of all it owns.
    let world_layer = |id: ObjectId| {
        let records = records(id);
        match records.group {
            Some(group) => containers[group].layer,
            None => records.layer,
        }
    };
    let inside = |group: usize, owner: ObjectId| containers[group].owners == Owners::All(owner.get());
    for member in members {
        let records = records(member.id);
        let visgroups = {
            let mut list: Vec<LayerId> = records.visgroups.iter().filter_map(|&index| layer_id(&containers[index])).collect();
            list.sort_unstable();
            list
        };
        let group = records.group.filter(|&group| member.owner.is_none_or(|owner| inside(group, owner)));
        let layer = world_layer(member.owner.unwrap_or(member.id));
        let own_layer = layer.filter(|_| member.owner.is_none());
        let left_out = records.visgroups.iter().copied().chain(group).chain(own_layer).any(|index| containers[index].left_out);
        let placed = Placed {
            parent: group.and_then(|group| ObjectId::new(containers[group].record.id)).or(member.owner),
            layer: layer.and_then(|layer| layer_id(&containers[layer])),
            visgroups,
            left_out,
        };
        tree.placed.insert(member.id, placed);
    }
    for container in &containers {
        let record = &container.record;
        let (hidden, locked) = (record.flags & ObjectFlags::HIDDEN.0 != 0, record.flags & ObjectFlags::LOCKED.0 != 0);
        let no_compile = record.flags & ObjectFlags::NO_COMPILE.0;
        let flags = record.flags & !NAMED_BITS;
        if record.kind != GROUP {
            let Some(id) = LayerId::new(record.id) else { continue };
            let layer = Layer {
                kind: if record.kind == LAYER { LayerKind::Layer } else { LayerKind::Visgroup },
                parent: container.parent.and_then(|parent| layer_id(&containers[parent])),
                name: record.name.clone(),
                color: record.color,
                flags,
                rank: record.rank,
                no_compile: no_compile != 0,
            };
            tree.layers.push((id, layer));
            tree.hidden_layers.extend(hidden.then_some(id));
            tree.locked_layers.extend(locked.then_some(id));
            continue;
        }
        let Some(id) = ObjectId::new(record.id) else { continue };
        let parent_group = container.parent.filter(|&parent| containers[parent].record.kind == GROUP);
        let owner = match container.owners {
            Owners::All(owner) => ObjectId::new(owner),
            _ => None,
        };
        // A group that lies inside an entity hangs on it, unless a group around it does.
        let parent_group = parent_group.filter(|&parent| owner.is_none_or(|owner| inside(parent, owner)));
        let layer = owner.map_or(container.layer, world_layer);
        let placed = Placed {
            parent: parent_group.and_then(|parent| ObjectId::new(containers[parent].record.id)).or(owner),
            layer: layer.and_then(|layer| layer_id(&containers[layer])),
            visgroups: Vec::new(),
            left_out: false,
        };
        let group = Group { name: record.name.clone(), color: record.color, flags, rank: record.rank };
        tree.groups.push((id, placed, group, ObjectFlags(no_compile)));
        tree.hidden.extend(hidden.then_some(id));
        tree.locked.extend(locked.then_some(id));
    }
    tree
}

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
        let Some(object) = doc.object(at) else { return false };
        if at != id {
            match object.kind {
                Kind::Group(_) if object.flags.has(ObjectFlags::NO_COMPILE) => return true,
                Kind::Group(_) => {}
                _ => return false,
            }
        }
        let layer = object.layer.filter(|_| !owned);
        if layer.into_iter().chain(object.visgroups.iter().copied()).any(layer_out) {
            return true;
        }
        next = object.parent;
    }
    false
}

/// The payload of `LAYR`, `None` when there is nothing to say (X5). `as_they_came`: ids of containers in the order of the file.
pub(super) fn write(doc: &Document, view: &ViewState, as_they_came: &[u32]) -> Option<Vec<u8>> {
    let rank: BTreeMap<u32, usize> = as_they_came.iter().rev().copied().zip((0..as_they_came.len()).rev()).collect();
    let mut containers: Vec<ContainerRecord> = doc.layers().map(|(id, layer)| layer_record(view, id, layer)).collect();
    let groups = doc.objects().filter_map(|(id, object)| Some((id, object, object.group()?)));
    containers.extend(groups.map(|(id, object, group)| {
        let parent = object.parent.filter(|&parent| doc.object(parent).is_some_and(|parent| parent.group().is_some()));
        let bits = view_bits(view.hidden.contains(&id), view.locked.contains(&id)) | object.flags.0 & ObjectFlags::NO_COMPILE.0;
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
    containers.sort_by_key(|container| (rank.get(&container.id).copied().unwrap_or(usize::MAX), container.id));
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
    u32::from(hidden) * ObjectFlags::HIDDEN.0 | u32::from(locked) * ObjectFlags::LOCKED.0
}

fn layer_record(view: &ViewState, id: LayerId, layer: &Layer) -> ContainerRecord {
    let bits = view_bits(view.hidden_layers.contains(&id), view.locked_layers.contains(&id));
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
        while let Some((at, group)) = next.and_then(|at| Some((at, doc.object(at)?))).filter(|(_, object)| object.group().is_some()) {
            if at == parent.unwrap_or(at) {
                list.push((id.get(), at.get()));
            }
            visgroups.extend(group.visgroups.iter());
            next = group.parent;
        }
        if parent.is_none() {
            list.extend(object.layer.filter(|&layer| doc.layer(layer).is_some()).map(|layer| (id.get(), layer.get())));
        }
        list.extend(visgroups.into_iter().filter(|&layer| doc.layer(layer).is_some()).map(|layer| (id.get(), layer.get())));
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
