//! Who fires or follows whom: arrows from an entity to those that it names (VIEW-2).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::DVec3;

use crate::assets::Definitions;
use crate::document::Change;
use crate::document::Document;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::SelectionExt as _;
use crate::editor::Editor;
use crate::editor::overlay::Label;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Role;
use crate::editor::toggles::ShownOf;
use crate::formats::fgd::PropertyKind;

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
        let is_entity = |object: &Object| object.entity().is_some();
        let concerned = doc.changes_since(&self.seen).any(|change| match change {
            Change::Added(_, object) | Change::Removed(_, object) => is_entity(object),
            Change::Changed(_, now, before) => is_entity(now) || is_entity(before),
        });
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
    let mut named: BTreeMap<&str, Vec<ObjectId>> = BTreeMap::new();
    for (id, entity) in &entities {
        if let Some(name) = entity.key("targetname").filter(|name| !name.is_empty()) {
            named.entry(name).or_default().push(*id);
        }
    }
    let mut links = Vec::new();
    if named.is_empty() {
        return links;
    }
    for (id, entity) in &entities {
        for (key, value) in &entity.keys {
            let points = matches!(key.as_str(), "target" | "killtarget")
                || definitions
                    .property(&entity.class, key)
                    .is_some_and(|known| known.kind == PropertyKind::TargetDestination);
            let Some(targets) = named.get(value.as_str()).filter(|_| points) else {
                continue;
            };
            for &to in targets.iter().filter(|to| *to != id) {
                if links.len() == MOST_KEPT {
                    return links;
                }
                let (from, key) = (*id, key.clone());
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
