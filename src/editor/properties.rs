//! The entity table's model (ENT-3): what the selection's entities have in common, ready to be shown and edited.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::assets::Definitions;
use crate::document::Entity;
use crate::document::ObjectId;
use crate::document::State;
use crate::formats::fgd::Property;

/// A value of several entities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mixed<T> {
    Same(T),
    /// They differ, or some have none.
    Mixed,
}

impl<T: PartialEq> Mixed<T> {
    fn of(values: impl IntoIterator<Item = T>) -> Option<Self> {
        let mut values = values.into_iter();
        let first = values.next()?;
        Some(if values.all(|value| value == first) {
            Self::Same(first)
        } else {
            Self::Mixed
        })
    }
}

/// A key that at least one of the entities has, or that their class defines.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub key: String,
    /// An entity that lacks the key has the default of its definition.
    pub value: Mixed<String>,
    /// Every entity has it.
    pub everywhere: bool,
    /// No entity has it: `value` is the default of the definition.
    pub is_default: bool,
    /// What is known of the key, where all entities agree on it: kind, label, choices, flags, default.
    pub definition: Option<Arc<Property>>,
}

/// Entities behind the selection, with the union of their keys in the order in which they first appear.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyTable {
    /// Edits go to all of these.
    pub entities: Vec<ObjectId>,
    pub class: Mixed<String>,
    pub rows: Vec<Row>,
}

/// Entities that the selection means: selected ones, those in selected groups, and the owners of selected brushes and faces.
/// With nothing of an entity selected: the world's, if the map has one.
#[must_use]
pub fn entities_of(state: &State) -> Vec<ObjectId> {
    use crate::document::SelectionExt as _;
    let doc = &state.doc;
    let mut found = Vec::new();
    let inside = state.selection.with_children(doc);
    let faces = state.selection.faces().into_iter().map(|(id, _)| id);
    for id in inside.into_iter().chain(faces) {
        found.extend(if doc.entity(id).is_some() {
            Some(id)
        } else {
            doc.owner(id)
        });
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() && !state.selection.is_empty() {
        found.extend(doc.worldspawn().map(|(id, _)| id));
    }
    found
}

/// The table of the selection without regard to definitions; `None` when it means no entity.
#[must_use]
pub fn property_table(state: &State) -> Option<PropertyTable> {
    table(state, |_| &[])
}

/// The table of the selection: defined keys first, in the order of the definition, whether set or not; then the others.
/// `None` when it means no entity.
#[must_use]
pub fn defined_table(state: &State, definitions: &Definitions) -> Option<PropertyTable> {
    table(state, |class| {
        definitions
            .find(class)
            .map_or(&[], |class| class.properties.as_slice())
    })
}

fn table<'a>(
    state: &State,
    defined: impl Fn(&str) -> &'a [Arc<Property>],
) -> Option<PropertyTable> {
    let ids = entities_of(state);
    let entities: Vec<&Entity> = ids.iter().filter_map(|&id| state.doc.entity(id)).collect();
    let class = Mixed::of(entities.iter().map(|entity| entity.class.clone()))?;
    let known: Vec<&[Arc<Property>]> = entities
        .iter()
        .map(|entity| defined(&entity.class))
        .collect();
    let definition_of = |index: usize, key: &str| {
        known[index]
            .iter()
            .find(|property| property.key.eq_ignore_ascii_case(key))
    };
    let mut keys: Vec<&str> = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    // Only what all of them define: a door's speed says nothing about a light.
    if let Some((first, others)) = known.split_first() {
        let shared = first.iter().filter(|property| {
            others.iter().all(|other| {
                other
                    .iter()
                    .any(|one| one.key.eq_ignore_ascii_case(&property.key))
            })
        });
        keys.extend(shared.map(|property| property.key.as_str()));
        seen.extend(&keys);
    }
    for entity in &entities {
        for (key, _) in &entity.keys {
            // The spelling of the map counts where it differs from the definition's.
            match keys
                .iter_mut()
                .find(|known| known.eq_ignore_ascii_case(key))
            {
                Some(known) if !entities.iter().any(|entity| entity.key(known).is_some()) => {
                    *known = key;
                    seen.insert(key);
                }
                _ if seen.insert(key) => keys.push(key),
                _ => {}
            }
        }
    }
    let rows = keys
        .into_iter()
        .map(|key| {
            let set: Vec<Option<&str>> = entities.iter().map(|entity| entity.key(key)).collect();
            let found: Vec<Option<&Arc<Property>>> = (0..entities.len())
                .map(|index| definition_of(index, key))
                .collect();
            let effective = set.iter().zip(&found).map(|(value, definition)| {
                value.or_else(|| definition.map(|property| property.default.as_str()))
            });
            let value = match Mixed::of(effective) {
                Some(Mixed::Same(Some(value))) => Mixed::Same(value.to_owned()),
                _ => Mixed::Mixed,
            };
            let definition = match Mixed::of(found.iter().copied()) {
                Some(Mixed::Same(definition)) => definition.cloned(),
                _ => None,
            };
            Row {
                key: key.to_owned(),
                value,
                everywhere: set.iter().all(Option::is_some),
                is_default: set.iter().all(Option::is_none),
                definition,
            }
        })
        .collect();
    Some(PropertyTable {
        entities: ids,
        class,
        rows,
    })
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::document::Document;
    use crate::document::Entity;
    use crate::document::Kind;
    use crate::document::Object;
    use crate::document::Pick;
    use crate::document::Selection;

    #[test]
    fn ent_3_union_of_keys() {
        let mut draft = Document::default().edit();
        let mut add = |class: &str, keys: &[(&str, &str)]| {
            let keys = keys
                .iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect();
            draft.insert(Object::new(Kind::Entity(Entity {
                keys,
                ..Entity::new(class, DVec3::ZERO)
            })))
        };
        let a = add("light", &[("color", "1 1 1"), ("radius", "64")]);
        let b = add(
            "light",
            &[("radius", "64"), ("color", "0 0 0"), ("style", "3")],
        );
        let state = State {
            doc: draft.finish().expect("sound"),
            selection: Selection::from([Pick::Object(a), Pick::Object(b)]),
        };
        let table = property_table(&state).expect("entities");
        assert_eq!(table.class, Mixed::Same("light".to_owned()));
        let row = |key: &str| table.rows.iter().find(|row| row.key == key).expect(key);
        assert_eq!(row("color").value, Mixed::Mixed);
        assert_eq!(row("radius").value, Mixed::Same("64".to_owned()));
        assert_eq!(
            (row("style").value.clone(), row("style").everywhere),
            (Mixed::Mixed, false)
        );
        assert_eq!(
            table
                .rows
                .iter()
                .map(|row| row.key.as_str())
                .collect::<Vec<_>>(),
            ["color", "radius", "style"]
        );
    }

    #[test]
    fn ent_3_defaults_are_shown_until_they_are_set() {
        let definitions = Definitions::builtin();
        let check = |entities: &[(&str, &[(&str, &str)])],
                     key: &str,
                     value: Option<&str>,
                     is_default,
                     everywhere| {
            let mut draft = Document::default().edit();
            let ids: Vec<_> = entities
                .iter()
                .map(|(class, keys)| {
                    let keys = keys
                        .iter()
                        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                        .collect();
                    draft.insert(Object::new(Kind::Entity(Entity {
                        keys,
                        ..Entity::new(*class, DVec3::ZERO)
                    })))
                })
                .collect();
            let state = State {
                doc: draft.finish().expect("sound"),
                selection: ids.into_iter().map(Pick::Object).collect(),
            };
            let table = defined_table(&state, &definitions).expect("entities");
            let found: Vec<_> = table.rows.iter().filter(|row| row.key == key).collect();
            let Some(value) = value else {
                assert!(found.is_empty(), "{key}: {found:?}");
                return;
            };
            assert_eq!(found.len(), 1, "{key}: {:?}", table.rows);
            let expected = if value == "*" {
                Mixed::Mixed
            } else {
                Mixed::Same(value.to_owned())
            };
            assert_eq!(
                (&found[0].value, found[0].is_default, found[0].everywhere),
                (&expected, is_default, everywhere),
                "{key}"
            );
        };
        let bare: (&str, &[(&str, &str)]) = ("light", &[]);
        let set: (&str, &[(&str, &str)]) = ("light", &[("radius", "64")]);
        let same: (&str, &[(&str, &str)]) = ("light", &[("radius", "320")]);
        let other_case: (&str, &[(&str, &str)]) = ("light", &[("Radius", "64")]);
        let target: (&str, &[(&str, &str)]) = ("info_null", &[("note", "x")]);
        check(&[bare], "radius", Some("320"), true, false);
        check(&[set], "radius", Some("64"), false, true);
        check(&[bare, set], "radius", Some("*"), false, false);
        check(&[bare, same], "radius", Some("320"), false, false);
        check(&[other_case], "Radius", Some("64"), false, true);
        check(&[other_case], "radius", None, false, false);
        // Only what both classes define.
        check(&[bare, target], "radius", None, false, false);
        check(&[bare, target], "targetname", Some(""), true, false);
        check(&[bare, target], "note", Some("*"), false, false);
        check(&[set, target], "radius", Some("*"), false, false);
    }
}
