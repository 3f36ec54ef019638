//! The entity table's model (ENT-3): what the selection's entities have in common, ready to be shown and edited.

use std::collections::BTreeMap;

use crate::document::ObjectId;
use crate::document::State;

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

/// A key that at least one of the entities has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub key: String,
    pub value: Mixed<String>,
    /// Every entity has it.
    pub everywhere: bool,
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

/// The table of the selection; `None` when it means no entity.
#[must_use]
pub fn property_table(state: &State) -> Option<PropertyTable> {
    let ids = entities_of(state);
    let entities: Vec<_> = ids.iter().filter_map(|&id| state.doc.entity(id)).collect();
    let class = Mixed::of(entities.iter().map(|entity| entity.class.clone()))?;
    let mut order: Vec<&str> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for entity in &entities {
        for (key, _) in &entity.keys {
            known.entry(key).or_insert_with(|| {
                order.push(key);
                order.len()
            });
        }
    }
    let rows = order
        .into_iter()
        .map(|key| {
            let values: Vec<Option<&str>> = entities.iter().map(|entity| entity.key(key)).collect();
            let everywhere = values.iter().all(Option::is_some);
            let value = match Mixed::of(values) {
                Some(Mixed::Same(Some(value))) => Mixed::Same(value.to_owned()),
                _ => Mixed::Mixed,
            };
            Row {
                key: key.to_owned(),
                value,
                everywhere,
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
}
