//! What entities are called, and whom they name: the usual keys, and those of which the definitions say so.

use std::collections::BTreeMap;

use crate::assets::Definitions;
use crate::document::Entity;
use crate::formats::fgd::PropertyKind;

/// The key that holds a name in most games.
const USUAL_NAME: &str = "targetname";
/// Keys that hold the names of others in most games.
const USUAL_TARGETS: [&str; 2] = ["target", "killtarget"];

/// Something for every name. Names in the usual key are told apart by the case of their letters; those in keys of a game's own
/// (tags of Unreal) are not.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByName<T> {
    exact: BTreeMap<String, T>,
    folded: BTreeMap<String, T>,
}

impl<T: Default> ByName<T> {
    /// Of the name that a key holds.
    pub fn entry(&mut self, key: &str, name: &str) -> &mut T {
        if key == USUAL_NAME {
            self.exact.entry(name.to_owned()).or_default()
        } else {
            self.folded.entry(name.to_lowercase()).or_default()
        }
    }
}

impl<T> ByName<T> {
    /// For whoever points at a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        let exact = self.exact.get(name);
        if exact.is_some() || self.folded.is_empty() {
            return exact;
        }
        self.folded.get(&name.to_lowercase())
    }

    /// For whoever has a name, in this key.
    pub fn of(&self, key: &str, name: &str) -> Option<&T> {
        if key == USUAL_NAME {
            self.exact.get(name)
        } else {
            self.folded.get(&name.to_lowercase())
        }
    }

    pub fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.folded.is_empty()
    }
}

/// Keys of an entity with the names that it has.
pub(crate) fn names_of<'a>(
    definitions: &'a Definitions,
    entity: &'a Entity,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    values(definitions, entity, PropertyKind::TargetSource)
}

/// Keys of an entity with the names of others that they hold.
pub(crate) fn targets_of<'a>(
    definitions: &'a Definitions,
    entity: &'a Entity,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    values(definitions, entity, PropertyKind::TargetDestination)
}

fn values<'a>(
    definitions: &'a Definitions,
    entity: &'a Entity,
    wanted: PropertyKind,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let keys = entity
        .keys
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()));
    keys.filter(move |&(key, value)| {
        let is_usual = match wanted {
            PropertyKind::TargetSource => key == USUAL_NAME,
            _ => USUAL_TARGETS.contains(&key),
        };
        let is_defined = || {
            // Unreal's word for no name.
            !value.eq_ignore_ascii_case("none")
                && definitions
                    .property(&entity.class, key)
                    .is_some_and(|known| known.kind == wanted)
        };
        !value.is_empty() && (is_usual || is_defined())
    })
}
