//! `Group` of actors as visgroups of the map: names parted by commas.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::Draft;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::formats::unr::properties::Properties;

/// Visgroups, made when an actor first names them; names compare without regard to case.
#[derive(Debug, Default)]
pub struct Visgroups {
    by_name: BTreeMap<String, LayerId>,
}

impl Visgroups {
    /// Those of an actor.
    pub fn of(&mut self, properties: &Properties, draft: &mut Draft) -> Arc<[LayerId]> {
        let names = properties.text("Group").unwrap_or("");
        let mut groups: Vec<LayerId> = Vec::new();
        for name in names.split(',').map(str::trim) {
            if name.is_empty() || name.eq_ignore_ascii_case("none") {
                continue;
            }
            let id = *self
                .by_name
                .entry(name.to_lowercase())
                .or_insert_with(|| draft.insert_layer(Layer::new(LayerKind::Visgroup, name)));
            if !groups.contains(&id) {
                groups.push(id);
            }
        }
        groups.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::formats::unr::properties::Property;
    use crate::formats::unr::properties::Value;

    #[test]
    fn groups_are_parted_by_commas_and_made_once() {
        let mut draft = Document::default().edit();
        let mut visgroups = Visgroups::default();
        let mut of = |names: &str| {
            let property = Property {
                name: "Group".into(),
                index: 0,
                value: Value::Name(names.into()),
            };
            visgroups.of(&Properties(vec![property]), &mut draft)
        };
        let both = of("Castle, towers,CASTLE,");
        assert_eq!(both.len(), 2);
        assert_eq!(of("Towers")[..], both[1..]);
        assert!(of("None").is_empty());
        let names: Vec<String> = draft
            .layers()
            .map(|(_, layer)| layer.name.clone())
            .collect();
        assert_eq!(names, ["Castle", "towers"]);
    }
}
