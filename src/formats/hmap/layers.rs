//! `LAYR` -> the tree (`hmap.md` 6.2): containers and members become layers, groups and parent links.

use std::collections::HashMap;

use super::extensions::ContainerRecord;
use super::extensions::LayerRecords;
use super::findings::Findings;
use crate::document::Group;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::ObjectFlags;
use crate::document::ObjectId;

pub(super) const LAYER: u8 = 0;
pub(super) const VISGROUP: u8 = 1;
pub(super) const GROUP: u8 = 2;

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
pub(super) fn read(
    records: LayerRecords,
    members: &[Member],
    at: u64,
    findings: &mut Findings,
) -> Tree {
    let mut findings_at = |text: String| findings.add("W-XREF", None, Some(at), text);
    let known: HashMap<u32, Option<ObjectId>> = members
        .iter()
        .map(|member| (member.id.get(), member.owner))
        .collect();
    let (mut containers, by_id) = containers(records.containers, &known, &mut findings_at);
    break_cycles(&mut containers, &mut findings_at);
    let order = by_depth(&containers);
    let mut of_object: HashMap<u32, Records> = HashMap::new();
    for (object, container) in records.members {
        let (true, Some(&index)) = (known.contains_key(&object), by_id.get(&container)) else {
            findings_at(format!(
                "LAYR: member {object} of {container} does not exist and is dropped"
            ));
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
            findings_at(format!(
                "LAYR: object {object} is in more than one layer or group; the first counts"
            ));
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
            findings(format!(
                "LAYR: container id {} is 0 or already used; it is ignored",
                record.id
            ));
        } else if record.kind > GROUP {
            findings(format!(
                "LAYR: container {} is of kind {}, which is not known; it is ignored",
                record.id, record.kind
            ));
        } else {
            by_id.insert(record.id, list.len());
            list.push(Container {
                record,
                parent: None,
                owners: Owners::Nobody,
                left_out: false,
                layer: None,
            });
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
            None => findings(format!(
                "LAYR: container {} has no usable parent {}; it moves to the top",
                record.id, record.parent
            )),
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
                findings(format!(
                    "LAYR: container {} is its own ancestor; it moves to the top",
                    containers[first].record.id
                ));
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
        let counts = |parent: &usize| {
            !inside
                || (containers[*parent].record.kind == GROUP
                    && containers[*parent].owners == owners)
        };
        containers[index].left_out = own
            || parent
                .filter(counts)
                .is_some_and(|parent| containers[parent].left_out);
        containers[index].layer = parent.and_then(|parent| match containers[parent].record.kind {
            LAYER => Some(parent),
            _ => containers[parent].layer,
        });
    }
}

fn layer_id(container: &Container) -> Option<LayerId> {
    LayerId::new(container.record.id)
}

fn place(
    containers: Vec<Container>,
    of_object: &HashMap<u32, Records>,
    members: &[Member],
) -> Tree {
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
    let inside =
        |group: usize, owner: ObjectId| containers[group].owners == Owners::All(owner.get());
    for member in members {
        let records = records(member.id);
        let visgroups = {
            let mut list: Vec<LayerId> = records
                .visgroups
                .iter()
                .filter_map(|&index| layer_id(&containers[index]))
                .collect();
            list.sort_unstable();
            list
        };
        let group = records
            .group
            .filter(|&group| member.owner.is_none_or(|owner| inside(group, owner)));
        let layer = world_layer(member.owner.unwrap_or(member.id));
        let own_layer = layer.filter(|_| member.owner.is_none());
        let left_out = records
            .visgroups
            .iter()
            .copied()
            .chain(group)
            .chain(own_layer)
            .any(|index| containers[index].left_out);
        let placed = Placed {
            parent: group
                .and_then(|group| ObjectId::new(containers[group].record.id))
                .or(member.owner),
            layer: layer.and_then(|layer| layer_id(&containers[layer])),
            visgroups,
            left_out,
        };
        tree.placed.insert(member.id, placed);
    }
    for container in &containers {
        let record = &container.record;
        let (hidden, locked) = (
            record.flags & ObjectFlags::HIDDEN.0 != 0,
            record.flags & ObjectFlags::LOCKED.0 != 0,
        );
        let no_compile = record.flags & ObjectFlags::NO_COMPILE.0;
        let flags = record.flags & !NAMED_BITS;
        if record.kind != GROUP {
            let Some(id) = LayerId::new(record.id) else {
                continue;
            };
            let layer = Layer {
                kind: if record.kind == LAYER {
                    LayerKind::Layer
                } else {
                    LayerKind::Visgroup
                },
                parent: container
                    .parent
                    .and_then(|parent| layer_id(&containers[parent])),
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
        let Some(id) = ObjectId::new(record.id) else {
            continue;
        };
        let parent_group = container
            .parent
            .filter(|&parent| containers[parent].record.kind == GROUP);
        let owner = match container.owners {
            Owners::All(owner) => ObjectId::new(owner),
            _ => None,
        };
        // A group that lies inside an entity hangs on it, unless a group around it does.
        let parent_group =
            parent_group.filter(|&parent| owner.is_none_or(|owner| inside(parent, owner)));
        let layer = owner.map_or(container.layer, world_layer);
        let placed = Placed {
            parent: parent_group
                .and_then(|parent| ObjectId::new(containers[parent].record.id))
                .or(owner),
            layer: layer.and_then(|layer| layer_id(&containers[layer])),
            visgroups: Vec::new(),
            left_out: false,
        };
        let group = Group {
            name: record.name.clone(),
            color: record.color,
            flags,
            rank: record.rank,
        };
        tree.groups
            .push((id, placed, group, ObjectFlags(no_compile)));
        tree.hidden.extend(hidden.then_some(id));
        tree.locked.extend(locked.then_some(id));
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(number: u32) -> ObjectId {
        ObjectId::new(number).expect("not 0")
    }

    fn container(id: u32, kind: u8, parent: u32, flags: u32) -> ContainerRecord {
        ContainerRecord {
            id,
            parent,
            kind,
            flags,
            rank: 0,
            color: [0; 4],
            name: String::new(),
        }
    }

    /// Entity 1 owns 2 and 3; 4 and 5 belong to the world.
    fn members() -> Vec<Member> {
        let owner = |id: u32| (2..=3).contains(&id).then(|| object(1));
        (1..=5)
            .map(|id| Member {
                id: object(id),
                owner: owner(id),
            })
            .collect()
    }

    fn tree(
        containers: Vec<ContainerRecord>,
        members_of: Vec<(u32, u32)>,
        expected: usize,
    ) -> Tree {
        let mut findings = Findings::default();
        let tree = read(
            LayerRecords {
                containers,
                members: members_of,
            },
            &members(),
            0,
            &mut findings,
        );
        let list = findings.finish();
        assert_eq!(list.len(), expected, "{list:?}");
        assert!(list.iter().all(|finding| finding.code == "W-XREF"));
        tree
    }

    fn parent(tree: &Tree, id: u32) -> Option<u32> {
        let group = tree
            .groups
            .iter()
            .find(|(group, ..)| group.get() == id)
            .map(|(_, placed, ..)| placed);
        group
            .or_else(|| tree.placed.get(&object(id)))
            .and_then(|placed| placed.parent)
            .map(ObjectId::get)
    }

    fn layer(tree: &Tree, id: u32) -> Option<u32> {
        let group = tree
            .groups
            .iter()
            .find(|(group, ..)| group.get() == id)
            .map(|(_, placed, ..)| placed);
        group
            .or_else(|| tree.placed.get(&object(id)))
            .and_then(|placed| placed.layer)
            .map(LayerId::get)
    }

    #[test]
    fn a_group_of_owned_members_lies_inside_their_entity() {
        // 11 in 10: both hold only what entity 1 owns. 1 itself is in layer 20.
        let containers = vec![
            container(20, LAYER, 0, 0),
            container(10, GROUP, 0, 0),
            container(11, GROUP, 10, 0),
        ];
        let tree = tree(containers, vec![(1, 20), (2, 10), (3, 11)], 0);
        assert_eq!(
            [10, 11, 2, 3, 1].map(|id| parent(&tree, id)),
            [Some(1), Some(10), Some(10), Some(11), None]
        );
        assert_eq!([1, 2, 3, 10, 11].map(|id| layer(&tree, id)), [Some(20); 5]);
    }

    #[test]
    fn a_group_that_holds_the_entity_lies_around_it() {
        // Records of what the entity owns are redundant; a group with owned and world members keeps only the latter.
        let containers = vec![
            container(20, LAYER, 0, 4),
            container(10, GROUP, 20, 0),
            container(11, GROUP, 0, 0),
        ];
        let tree = tree(containers, vec![(1, 10), (2, 10), (3, 11), (4, 11)], 0);
        assert_eq!(
            [1, 2, 3, 4, 10].map(|id| parent(&tree, id)),
            [Some(10), Some(1), Some(1), Some(11), None]
        );
        assert_eq!(
            [1, 2, 4].map(|id| layer(&tree, id)),
            [Some(20), Some(20), None]
        );
        let left_out = |id: u32| tree.placed[&object(id)].left_out;
        assert_eq!(
            [1, 2, 4].map(left_out),
            [true, false, false],
            "owned geometry follows its entity"
        );
    }

    #[test]
    fn dangling_and_circular_records_are_ignored() {
        let circle = vec![
            container(10, GROUP, 11, 0),
            container(11, GROUP, 12, 0),
            container(12, GROUP, 10, 0),
        ];
        let tree_of_circle = tree(circle, vec![(4, 12)], 1);
        assert_eq!(
            [10, 11, 12, 4].map(|id| parent(&tree_of_circle, id)),
            [None, Some(12), Some(10), Some(12)]
        );
        for (containers, members) in [
            (vec![container(10, GROUP, 99, 0)], vec![]),
            (vec![container(10, GROUP, 10, 0)], vec![]),
            (vec![container(10, 7, 0, 0)], vec![]),
            (vec![container(4, LAYER, 0, 0)], vec![]),
            (vec![container(0, LAYER, 0, 0)], vec![]),
            (
                vec![container(10, VISGROUP, 0, 0), container(11, GROUP, 10, 0)],
                vec![],
            ),
            (
                vec![container(10, LAYER, 0, 0), container(10, LAYER, 0, 0)],
                vec![],
            ),
            (vec![container(10, LAYER, 0, 0)], vec![(99, 10)]),
            (vec![container(10, LAYER, 0, 0)], vec![(4, 11)]),
            (
                vec![container(10, LAYER, 0, 0), container(11, LAYER, 0, 0)],
                vec![(4, 10), (4, 11)],
            ),
        ] {
            tree(containers, members, 1);
        }
    }
}
