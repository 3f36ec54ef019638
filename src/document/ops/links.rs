//! Names and what points at them, when objects are copied (DUP-1).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::document::Draft;
use crate::document::Entity;
use crate::document::ObjectId;

/// Keys that every game of this family uses.
const NAMES: [&str; 1] = ["targetname"];
const TARGETS: [&str; 11] = [
    "target",
    "target2",
    "target3",
    "target4",
    "killtarget",
    "pathtarget",
    "deathtarget",
    "master",
    "parent",
    "parentname",
    "lookattarget",
];

/// Entities of this class name their targets by keys; a number after `#` tells repeated ones apart.
const BY_KEY: &str = "multi_manager";

/// Which keys hold names, and which hold the names of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkKeys {
    pub names: BTreeSet<String>,
    pub targets: BTreeSet<String>,
}

impl Default for LinkKeys {
    fn default() -> Self {
        Self {
            names: NAMES.map(str::to_owned).into(),
            targets: TARGETS.map(str::to_owned).into(),
        }
    }
}

impl LinkKeys {
    /// The names that an entity points at.
    fn targets_of<'a>(&'a self, entity: &'a Entity) -> impl Iterator<Item = &'a str> {
        let by_key = entity.class == BY_KEY;
        entity.keys.iter().flat_map(move |(key, value)| {
            let named = self.targets.contains(key).then_some(value.as_str());
            let own = by_key.then(|| bare(key));
            named.into_iter().chain(own)
        })
    }

    fn names_of<'a>(&'a self, entity: &'a Entity) -> impl Iterator<Item = &'a str> {
        let keys = entity.keys.iter();
        keys.filter(|(key, _)| self.names.contains(key))
            .map(|(_, name)| name.as_str())
            .filter(|name| !name.is_empty())
    }
}

/// The name in a key such as `door#2`.
fn bare(key: &str) -> &str {
    key.split_once('#').map_or(key, |(name, _)| name)
}

/// Among copies, a name that others of them point at gets a fresh number where the map outside of them has it too, and the links
/// between them follow. What only things outside point at keeps its name.
pub fn follow(draft: &mut Draft, copies: &BTreeSet<ObjectId>, links: &LinkKeys) {
    let entities = || {
        copies
            .iter()
            .filter_map(|&id| Some((id, draft.entity(id)?)))
    };
    let own: BTreeSet<&str> = entities()
        .flat_map(|(_, entity)| links.names_of(entity))
        .collect();
    let linked: BTreeSet<String> = entities()
        .flat_map(|(_, entity)| links.targets_of(entity))
        .filter(|name| own.contains(name))
        .map(str::to_owned)
        .collect();
    if linked.is_empty() {
        return;
    }
    let mut used: BTreeSet<String> = BTreeSet::new();
    for (id, object) in draft.objects() {
        if let Some(entity) = object.entity().filter(|_| !copies.contains(&id)) {
            used.extend(links.names_of(entity).map(str::to_owned));
        }
    }
    let clashing: Vec<String> = linked
        .into_iter()
        .filter(|name| used.contains(name))
        .collect();
    used.extend(own.into_iter().map(str::to_owned));
    let mut new_name: BTreeMap<String, String> = BTreeMap::new();
    for name in clashing {
        let fresh = fresh_name(&name, &used);
        used.insert(fresh.clone());
        new_name.insert(name, fresh);
    }
    if new_name.is_empty() {
        return;
    }
    for &id in copies {
        let Some(changed) = draft
            .entity(id)
            .and_then(|entity| renamed(entity, links, &new_name))
        else {
            continue;
        };
        draft.update(id, |object| {
            object.kind = crate::document::Kind::Entity(changed);
        });
    }
}

/// `None` when nothing in it changes.
fn renamed(
    entity: &Entity,
    links: &LinkKeys,
    new_name: &BTreeMap<String, String>,
) -> Option<Entity> {
    let by_key = entity.class == BY_KEY;
    let keys: Vec<(String, String)> = entity
        .keys
        .iter()
        .map(|(key, value)| {
            let holds_name = links.names.contains(key) || links.targets.contains(key);
            if let Some(new) = new_name.get(value).filter(|_| holds_name) {
                return (key.clone(), new.clone());
            }
            if let Some(new) = new_name.get(bare(key)).filter(|_| by_key) {
                return (format!("{new}{}", &key[bare(key).len()..]), value.clone());
            }
            (key.clone(), value.clone())
        })
        .collect();
    (keys != entity.keys).then(|| Entity {
        keys,
        ..entity.clone()
    })
}

/// `door1` becomes `door2`, `door` becomes `door1`; the next number that is free.
fn fresh_name(name: &str, used: &BTreeSet<String>) -> String {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    // A number that cannot be counted on is a part of the name.
    let (base, number) = match name[base.len()..].parse::<u64>() {
        Ok(number) if number < u64::MAX / 2 => (base, number),
        Ok(_) | Err(_) => (name, 0),
    };
    let mut next = number + 1;
    while used.contains(&format!("{base}{next}")) {
        next += 1;
    }
    format!("{base}{next}")
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::document::Document;
    use crate::document::History;
    use crate::document::Kind;
    use crate::document::Object;
    use crate::document::SelectionExt as _;
    use crate::document::UvLock;
    use crate::document::ops;

    fn entity(draft: &mut Draft, class: &str, keys: &[(&str, &str)]) -> ObjectId {
        let mut entity = Entity::new(class, DVec3::ZERO);
        for (key, value) in keys {
            entity.set_key(key, *value);
        }
        draft.insert(Object::new(Kind::Entity(entity)))
    }

    #[test]
    fn dup_1_links_inside_the_copies_follow() {
        let mut draft = Document::default().edit();
        let button = entity(
            &mut draft,
            "func_button",
            &[("target", "door1"), ("note", "door1")],
        );
        let door = entity(&mut draft, "func_door", &[("targetname", "door1")]);
        let lamp = entity(
            &mut draft,
            "light",
            &[("targetname", "lamp"), ("target", "door2")],
        );
        entity(&mut draft, "func_door", &[("targetname", "door2")]);
        let manager = entity(
            &mut draft,
            "multi_manager",
            &[("door1", "0.5"), ("door1#1", "2"), ("lamp", "1")],
        );
        let mut history = History::new(draft.finish().expect("sound"));
        let copied = vec![button, door, lamp, manager];
        history
            .commit(&ops::objects::duplicate(copied, DVec3::X, UvLock::World))
            .expect("copies");
        let state = history.committed();
        let copies = state.selection.objects();
        let keys = |index: usize| state.doc.entity(copies[index]).expect("copy").keys.clone();
        let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs
                .iter()
                .map(|&(key, value)| (key.to_owned(), value.to_owned()))
                .collect()
        };
        assert_eq!(keys(0), pairs(&[("target", "door3"), ("note", "door1")]));
        assert_eq!(keys(1), pairs(&[("targetname", "door3")]));
        assert_eq!(
            keys(2),
            pairs(&[("targetname", "lamp1"), ("target", "door2")]),
            "what it points at outside stays"
        );
        assert_eq!(
            keys(3),
            pairs(&[("door3", "0.5"), ("door3#1", "2"), ("lamp1", "1")])
        );
        // A door alone keeps its name: whatever opens the one opens the other.
        history
            .commit(&ops::objects::duplicate(
                vec![door],
                DVec3::X,
                UvLock::World,
            ))
            .expect("a copy");
        let state = history.committed();
        let copy = state.selection.objects()[0];
        assert_eq!(
            state.doc.entity(copy).expect("copy").key("targetname"),
            Some("door1")
        );
    }

    #[test]
    fn fresh_names_count_on() {
        let used = ["a", "a1", "b9", "b10", "18446744073709551615"]
            .map(str::to_owned)
            .into();
        for (name, expected) in [
            ("a", "a2"),
            ("b9", "b11"),
            ("c", "c1"),
            ("b09", "b11"),
            ("18446744073709551615", "184467440737095516151"),
        ] {
            assert_eq!(fresh_name(name, &used), expected);
        }
    }
}
