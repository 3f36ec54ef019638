//! Terms of a query against objects.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;

use super::FindFlag;
use super::query::Measure;
use super::query::Pattern;
use super::query::Property;
use super::query::Term;
use super::query::Test;
use crate::assets::Definitions;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::ViewState;
use crate::editor::naming;
use crate::editor::naming::ByName;
use crate::editor::pick;
use crate::editor::tools::shortest;
use crate::geometry::Aabb;

/// Who is called what, and how often.
#[derive(Default)]
pub(super) struct Names {
    counts: ByName<usize>,
}

/// Names of targets that mean something to the game itself.
const GAME_NAMES: [&str; 3] = ["!activator", "!caller", "!self"];

impl Names {
    pub fn of(doc: &Document, definitions: &Definitions) -> Self {
        let mut names = Self::default();
        for (_, object) in doc.objects() {
            let Some(entity) = object.entity() else {
                continue;
            };
            // What an entity is called twice over counts once.
            let own: BTreeSet<(&str, &str)> = naming::names_of(definitions, entity).collect();
            for (key, name) in own {
                *names.counts.entry(key, name) += 1;
            }
        }
        names
    }

    fn points_nowhere(&self, definitions: &Definitions, entity: &Entity) -> bool {
        naming::targets_of(definitions, entity)
            .any(|(_, name)| self.counts.get(name).is_none() && !GAME_NAMES.contains(&name))
    }

    fn is_shared(&self, definitions: &Definitions, entity: &Entity) -> bool {
        naming::names_of(definitions, entity)
            .any(|(key, name)| self.counts.of(key, name).is_some_and(|&count| count > 1))
    }
}

/// Box of an object with all below it; point entities as they are shown.
pub(super) fn bounds(doc: &Document, definitions: &Definitions, id: ObjectId) -> Aabb {
    doc.subtree(id)
        .into_iter()
        .filter_map(|id| {
            let object = doc.object(id)?;
            match &object.kind {
                Kind::Entity(entity) => {
                    pick::is_point_entity(doc, id, entity).then(|| definitions.entity_box(entity))
                }
                _ => Some(object.bounds()),
            }
        })
        .fold(Aabb::EMPTY, Aabb::union)
}

/// An object that fits.
pub(super) struct Found {
    /// It is just what was typed, not only something like it.
    pub exact: bool,
    /// What of it fits, where that is not obvious.
    pub why: String,
}

/// A query over one state of the map.
pub(super) struct Search<'a> {
    doc: &'a Document,
    look: &'a ViewState,
    definitions: &'a Definitions,
    names: &'a Names,
    terms: &'a [Term],
    /// Entities and brushes as games' compilers number them; only where a term asks for it.
    numbers: HashMap<ObjectId, (u32, Option<u32>)>,
}

impl<'a> Search<'a> {
    pub fn new(
        doc: &'a Document,
        look: &'a ViewState,
        definitions: &'a Definitions,
        names: &'a Names,
        terms: &'a [Term],
    ) -> Self {
        let by_number = terms
            .iter()
            .any(|term| matches!(term.test, Test::EntityNumber(_) | Test::BrushNumber(..)));
        Self {
            doc,
            look,
            definitions,
            names,
            terms,
            numbers: if by_number {
                numbers(doc)
            } else {
                HashMap::new()
            },
        }
    }

    /// Does it fit all terms?
    pub fn object(&self, id: ObjectId, object: &Object) -> Option<Found> {
        let mut found = Found {
            exact: false,
            why: String::new(),
        };
        for term in self.terms {
            let fits = self.test(id, object, &term.test, &mut found);
            if fits == term.not {
                return None;
            }
        }
        Some(found)
    }

    fn test(&self, id: ObjectId, object: &Object, test: &Test, found: &mut Found) -> bool {
        let entity = object.entity();
        match test {
            Test::Word(pattern) => self.word(id, object, pattern, found),
            Test::Class(pattern) => entity.is_some_and(|entity| {
                found.exact |= pattern.is(&entity.class);
                pattern.fits(&entity.class)
            }),
            Test::Key(pattern) => entity
                .is_some_and(|entity| self.property(entity, found, |key, _| pattern.fits(key))),
            Test::Value(pattern) => entity
                .is_some_and(|entity| self.property(entity, found, |_, value| pattern.fits(value))),
            Test::Is { key, value, not } => entity.is_some_and(|entity| {
                if key.is("classname") || key.is("class") {
                    return value.fits(&entity.class) != *not;
                }
                if *not {
                    let named = entity.keys.iter().filter(|(name, _)| key.fits(name));
                    return named.map(|(_, text)| text).all(|text| !value.fits(text));
                }
                self.property(entity, found, |name, text| {
                    key.fits(name) && value.fits(text)
                })
            }),
            Test::Number {
                key,
                comparison,
                value,
            } => entity.is_some_and(|entity| {
                self.property(entity, found, |name, text| {
                    let number = text.split_whitespace().next().unwrap_or("").parse::<f64>();
                    name.eq_ignore_ascii_case(key)
                        && number.is_ok_and(|number| comparison.holds(number, *value))
                })
            }),
            Test::Measured(measure, comparison, value) => self
                .measure(id, object, *measure)
                .is_some_and(|measured| comparison.holds(measured, *value)),
            Test::Material(Pattern::Any, _) => !materials(object).is_empty(),
            Test::Material(_, wanted) => self.material(object, wanted, found),
            Test::Group(pattern) => self.in_group(id, object, pattern, found),
            Test::Layer(pattern) => self.in_layer(id, pattern, found),
            Test::Id(from, to) => (*from..=*to).contains(&id.get()),
            Test::EntityNumber(wanted) => self
                .numbers
                .get(&id)
                .is_some_and(|&(entity, brush)| entity == *wanted && brush.is_none()),
            Test::BrushNumber(entity, brush) => {
                self.numbers.get(&id) == Some(&(*entity, Some(*brush)))
            }
            Test::Property(property) => self.has(id, object, *property),
        }
    }

    fn word(&self, id: ObjectId, object: &Object, pattern: &Pattern, found: &mut Found) -> bool {
        if *pattern == Pattern::Any {
            return true;
        }
        if pattern.is(&id.get().to_string()) {
            found.exact = true;
            return true;
        }
        let here = match &object.kind {
            Kind::Entity(entity) => {
                found.exact |= pattern.is(&entity.class)
                    || entity
                        .key("targetname")
                        .is_some_and(|name| pattern.is(name));
                pattern.fits(&entity.class)
                    || self.property(entity, found, |key, value| {
                        pattern.fits(key) || pattern.fits(value)
                    })
            }
            Kind::Group(group) => {
                found.exact |= pattern.is(&group.name);
                pattern.fits(&group.name)
            }
            Kind::Mesh(mesh) => pattern.fits(&mesh.name),
            Kind::Brush(_) => false,
        };
        here || self.in_group(id, object, pattern, found)
            || self.in_layer(id, pattern, found)
            || self.worded_material(object, pattern, found)
    }

    fn worded_material(&self, object: &Object, pattern: &Pattern, found: &mut Found) -> bool {
        let fitting = materials(object)
            .into_iter()
            .filter(|(id, _)| {
                self.doc
                    .material(*id)
                    .is_some_and(|material| pattern.fits(&material.name))
            })
            .map(|(id, _)| id)
            .collect();
        self.material(object, &fitting, found)
    }

    fn property(
        &self,
        entity: &Entity,
        found: &mut Found,
        fits: impl Fn(&str, &str) -> bool,
    ) -> bool {
        let Some((key, value)) = entity.keys.iter().find(|(key, value)| fits(key, value)) else {
            return false;
        };
        found.why = format!("{key} = {value}");
        true
    }

    fn material(&self, object: &Object, wanted: &BTreeSet<MaterialId>, found: &mut Found) -> bool {
        let used: Vec<(MaterialId, usize)> = materials(object)
            .into_iter()
            .filter(|(id, _)| wanted.contains(id))
            .collect();
        let Some((first, _)) = used.first() else {
            return false;
        };
        let faces: usize = used.iter().map(|(_, count)| count).sum();
        let name = self
            .doc
            .material(*first)
            .map_or("", |material| material.name.as_str());
        let more = if used.len() > 1 { " and others" } else { "" };
        let s = if faces == 1 { "" } else { "s" };
        found.why = format!("{faces} face{s} of {name}{more}");
        true
    }

    fn in_group(
        &self,
        id: ObjectId,
        object: &Object,
        pattern: &Pattern,
        found: &mut Found,
    ) -> bool {
        if object
            .group()
            .is_some_and(|group| pattern.fits(&group.name))
        {
            return true;
        }
        let group = self.doc.ancestors(id).find_map(|id| {
            let group = self.doc.object(id)?.group()?;
            pattern.fits(&group.name).then_some(group)
        });
        if let Some(group) = group {
            found.why = format!("in group {}", group.name);
        }
        group.is_some()
    }

    fn in_layer(&self, id: ObjectId, pattern: &Pattern, found: &mut Found) -> bool {
        let Some(object) = self.doc.object(id) else {
            return false;
        };
        let layer = object
            .layer
            .iter()
            .chain(object.visgroups.iter())
            .filter_map(|&id| self.doc.layer(id))
            .find(|layer| pattern.fits(&layer.name));
        if let Some(layer) = layer {
            found.why = format!("in layer {}", layer.name);
        }
        layer.is_some()
    }

    fn measure(&self, id: ObjectId, object: &Object, measure: Measure) -> Option<f64> {
        match measure {
            Measure::Size | Measure::Extent(_) => {
                let bounds = bounds(self.doc, self.definitions, id);
                if bounds.is_empty() {
                    return None;
                }
                let size = bounds.size();
                Some(match measure {
                    Measure::Extent(axis) => size[axis],
                    _ => size.max_element(),
                })
            }
            Measure::Volume => object.brush().map(|brush| brush.hull().volume()),
            Measure::Faces => match &object.kind {
                Kind::Brush(brush) => Some(brush.faces().len() as f64),
                Kind::Mesh(mesh) => Some(mesh.polygons.len() as f64),
                Kind::Entity(_) | Kind::Group(_) => None,
            },
        }
    }

    fn has(&self, id: ObjectId, object: &Object, property: Property) -> bool {
        match property {
            Property::Brush => object.brush().is_some(),
            Property::Mesh => object.mesh().is_some(),
            Property::Entity => object.entity().is_some(),
            Property::Group => object.group().is_some(),
            Property::Hidden => self.look.is_hidden(self.doc, id),
            Property::Locked => self.look.is_locked(self.doc, id),
            Property::Undefined => object
                .entity()
                .is_some_and(|entity| self.names.points_nowhere(self.definitions, entity)),
            Property::Duplicate => object
                .entity()
                .is_some_and(|entity| self.names.is_shared(self.definitions, entity)),
        }
    }

    pub fn flag(&self, id: ObjectId) -> Option<FindFlag> {
        let object = self.doc.object(id)?;
        [
            (Property::Undefined, FindFlag::UndefinedTarget),
            (Property::Duplicate, FindFlag::DuplicateName),
            (Property::Locked, FindFlag::Locked),
            (Property::Hidden, FindFlag::Hidden),
        ]
        .into_iter()
        .find(|(property, _)| self.has(id, object, *property))
        .map(|(_, flag)| flag)
    }

    /// What a row says of an object when its name is why it was found: its size.
    pub fn about(&self, id: ObjectId) -> String {
        let bounds = bounds(self.doc, self.definitions, id);
        if bounds.is_empty() {
            return String::new();
        }
        let size = bounds.size();
        format!(
            "{} x {} x {}",
            shortest(size.x),
            shortest(size.y),
            shortest(size.z)
        )
    }
}

/// Materials of an object and how many faces have them.
fn materials(object: &Object) -> BTreeMap<MaterialId, usize> {
    let mut found = BTreeMap::new();
    let mut add = |material: Option<MaterialId>| {
        if let Some(material) = material {
            *found.entry(material).or_default() += 1;
        }
    };
    match &object.kind {
        Kind::Brush(brush) => brush.faces().iter().for_each(|face| add(face.material)),
        Kind::Mesh(mesh) => mesh
            .polygons
            .iter()
            .for_each(|polygon| add(polygon.material)),
        Kind::Entity(_) | Kind::Group(_) => {}
    }
    found
}

/// Numbers of entities in document order, the world first, and of the brushes of each.
fn numbers(doc: &Document) -> HashMap<ObjectId, (u32, Option<u32>)> {
    let mut found = HashMap::new();
    let objects = doc.objects_in_order();
    let mut next = 1;
    for (id, object) in &objects {
        let Some(entity) = object.entity() else {
            continue;
        };
        if entity.class == "worldspawn" {
            found.insert(*id, (0, None));
        } else {
            found.insert(*id, (next, None));
            next += 1;
        }
    }
    let mut brushes: BTreeMap<u32, u32> = BTreeMap::new();
    for (id, _) in objects
        .iter()
        .filter(|(_, object)| object.brush().is_some())
    {
        let owner = doc.owner(*id).and_then(|owner| found.get(&owner));
        let entity = owner.map_or(0, |&(entity, _)| entity);
        let number = brushes.entry(entity).or_default();
        found.insert(*id, (entity, Some(*number)));
        *number += 1;
    }
    found
}
