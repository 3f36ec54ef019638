//! Who fires or follows whom: arrows from an entity to those that it names (VIEW-2).

use std::collections::BTreeSet;

use glam::DVec3;

use crate::assets::Definitions;
use crate::document::Document;
use crate::document::ObjectId;
use crate::document::SelectionExt as _;
use crate::editor::Editor;
use crate::editor::naming;
use crate::editor::naming::ByName;
use crate::editor::overlay::Label;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Role;
use crate::editor::toggles::ShownOf;

/// More arrows than this hide the map.
const MOST: usize = 400;

/// And of more than this, names shared by many make nonsense anyway; some of them may be hidden.
const MOST_KEPT: usize = 16 * MOST;

/// One arrow.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityLink {
    pub from: ObjectId,
    pub to: ObjectId,
    /// The property that holds the name.
    pub key: String,
}

/// The links of a document, found anew only when an entity of it changed.
#[derive(Default)]
pub(crate) struct Links {
    seen: Document,
    list: Vec<EntityLink>,
}

impl Links {
    /// Catches up with `doc`.
    pub fn sync(&mut self, doc: &Document, definitions: &Definitions) {
        if doc.same(&self.seen) {
            return;
        }
        let concerned = doc.entities_differ(&self.seen);
        self.seen = doc.clone();
        if concerned {
            self.list = found(doc, definitions);
        }
    }

    /// Forgets everything: the definitions are others now.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Links among the entities of a document, in their order.
fn found(doc: &Document, definitions: &Definitions) -> Vec<EntityLink> {
    let entities: Vec<_> = doc
        .objects()
        .filter_map(|(id, object)| Some((id, object.entity()?)))
        .collect();
    let mut named: ByName<Vec<ObjectId>> = ByName::default();
    for (id, entity) in &entities {
        for (key, name) in naming::names_of(definitions, entity) {
            let called = named.entry(key, name);
            if called.last() != Some(id) {
                called.push(*id);
            }
        }
    }
    let mut links = Vec::new();
    if named.is_empty() {
        return links;
    }
    for (id, entity) in &entities {
        for (key, name) in naming::targets_of(definitions, entity) {
            let Some(targets) = named.get(name) else {
                continue;
            };
            for &to in targets.iter().filter(|to| *to != id) {
                if links.len() == MOST_KEPT {
                    return links;
                }
                let (from, key) = (*id, key.to_owned());
                links.push(EntityLink { from, to, key });
            }
        }
    }
    links
}

impl Editor {
    /// The links of so much of the map, at most a few hundred; hidden entities have none.
    #[must_use]
    pub fn links(&self, of: ShownOf) -> Vec<EntityLink> {
        if of == ShownOf::Nothing || self.links.list.is_empty() {
            return Vec::new();
        }
        let doc = self.doc();
        let selected = self.linked_by_selection();
        self.links
            .list
            .iter()
            .filter(|link| {
                of == ShownOf::Everything
                    || selected.contains(&link.from)
                    || selected.contains(&link.to)
            })
            .filter(|link| {
                !self.look.is_hidden(doc, link.from) && !self.look.is_hidden(doc, link.to)
            })
            .take(MOST)
            .cloned()
            .collect()
    }

    /// What is selected, with the entities that own some of it.
    fn linked_by_selection(&self) -> BTreeSet<ObjectId> {
        let doc = self.doc();
        let mut selected: BTreeSet<ObjectId> =
            self.selection().with_children(doc).into_iter().collect();
        let owners: Vec<_> = selected.iter().filter_map(|&id| doc.owner(id)).collect();
        selected.extend(owners);
        selected
    }

    /// Where an arrow ends at an entity: its origin, or the middle of its brushes.
    fn link_end(&self, id: ObjectId) -> Option<DVec3> {
        let doc = self.doc();
        if doc.children(Some(id)).next().is_some() {
            let bounds = self.bounds_of(id);
            return (!bounds.is_empty()).then(|| bounds.center());
        }
        Some(doc.entity(id)?.origin)
    }

    /// Draws links; those of selected entities say which property they are.
    pub(crate) fn draw_links(&self, of: ShownOf, out: &mut Overlay) {
        let links = self.links(of);
        if links.is_empty() {
            return;
        }
        let selected = self.linked_by_selection();
        for link in links {
            let (Some(from), Some(to)) = (self.link_end(link.from), self.link_end(link.to)) else {
                continue;
            };
            let near = selected.contains(&link.from) || selected.contains(&link.to);
            out.lines.push(Line {
                from,
                to,
                role: Role::Link,
                width: if near { 2.0 } else { 1.5 },
                through: true,
                arrow: true,
                dashed: !near,
            });
            if near {
                out.labels.push(Label {
                    at: (from + to) * 0.5,
                    text: link.key,
                    role: Role::Link,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Entity;
    use crate::document::Kind;
    use crate::document::Object;

    fn links(format: &str, entities: &[(&str, &[(&str, &str)])]) -> Vec<(u32, u32, String)> {
        let mut draft = Document::default().edit();
        for (class, keys) in entities {
            let mut entity = Entity::new(*class, DVec3::ZERO);
            for (key, value) in *keys {
                entity.set_key(key, *value);
            }
            draft.insert(Object::new(Kind::Entity(entity)));
        }
        let definitions = Definitions::for_map(Some(format), &[]);
        found(&draft.as_read(), &definitions)
            .into_iter()
            .map(|link| (link.from.get(), link.to.get(), link.key))
            .collect()
    }

    #[test]
    fn events_of_unreal_point_at_tags_whatever_their_case() {
        let entities: &[(&str, &[(&str, &str)])] = &[
            (
                "Trigger",
                &[("name", "Trigger0"), ("Tag", "Trigger"), ("Event", "GATE")],
            ),
            (
                "Mover",
                &[("name", "Mover3"), ("Tag", "Gate"), ("Event", "None")],
            ),
            (
                "Dispatcher",
                &[
                    ("Tag", "none"),
                    ("OutEvents", "gate"),
                    ("OutEvents(3)", "lamp"),
                ],
            ),
            ("light", &[("_class", "TriggerLight"), ("Tag", "Lamp")]),
            ("Teleporter", &[("Tag", "up"), ("URL", "Down")]),
            ("Teleporter", &[("Tag", "down"), ("URL", "other.unr#up")]),
            // No key of links to anybody.
            ("Trigger", &[("Message", "gate")]),
        ];
        let link = |from, to, key: &str| (from, to, key.to_owned());
        let expected = [
            link(1, 2, "Event"),
            link(3, 2, "OutEvents"),
            link(3, 4, "OutEvents(3)"),
            link(5, 6, "URL"),
        ];
        assert_eq!(links("unr", entities), expected);
        assert_eq!(links("rmf", entities), []);
    }

    #[test]
    fn names_of_other_games_are_told_apart_by_case() {
        let entities: &[(&str, &[(&str, &str)])] = &[
            ("func_button", &[("target", "Door")]),
            ("func_door", &[("targetname", "Door")]),
            ("func_door", &[("targetname", "door")]),
        ];
        assert_eq!(links("rmf", entities), [(1, 2, "target".to_owned())]);
    }
}
