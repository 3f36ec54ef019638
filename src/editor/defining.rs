//! Entity definitions in use: which classes there are, what they look like, what is known of their keys (ENT-1 to ENT-3).

use std::sync::Arc;

use crate::assets::Definitions;
use crate::document::Entity;
use crate::editor::Editor;
use crate::editor::StatusKind;
use crate::editor::properties;
use crate::editor::properties::PropertyTable;
use crate::editor::spatial::Spatial;
use crate::formats::fgd::Class;
use crate::geometry::Aabb;

impl Editor {
    /// The built-in classes and those of the files in the settings.
    #[must_use]
    pub fn definitions(&self) -> &Arc<Definitions> {
        &self.definitions
    }

    /// Takes other definitions into use: boxes, class lists, notes about unknown classes.
    pub fn set_definitions(&mut self, definitions: Arc<Definitions>) {
        self.spatial = Spatial::new(Arc::clone(&definitions));
        self.problems.set_definitions(Arc::clone(&definitions));
        self.definitions = definitions;
        self.links.clear();
        self.follow();
    }

    /// The classes of the game that the map came from are in use, where that is not the case yet.
    pub(crate) fn take_game_definitions(&mut self) {
        if self.extras.origin.is_some() {
            let definitions = self.loaded_definitions();
            self.set_definitions(Arc::new(definitions));
        }
    }

    /// The built-in classes, those of the map's game, those of the files in the settings.
    fn loaded_definitions(&self) -> Definitions {
        let format = self
            .extras
            .origin
            .as_ref()
            .map(|origin| origin.format.as_str());
        Definitions::for_map(format, &self.settings.definitions)
    }

    /// Reads the files in the settings again.
    pub(crate) fn reload_definitions(&mut self) {
        let definitions = self.loaded_definitions();
        let text = match (definitions.files().len(), definitions.problems().len()) {
            (0, 0) => "Only the built-in entity classes are known".to_owned(),
            (_, 0) => format!("{} entity classes", definitions.classes().count()),
            (_, problems) => format!(
                "{} entity classes; {problems} faults in the definitions are in the log",
                definitions.classes().count()
            ),
        };
        self.set_definitions(Arc::new(definitions));
        self.say(StatusKind::Info, text);
    }

    /// The box of a point entity in the map.
    #[must_use]
    pub fn entity_box(&self, entity: &Entity) -> Aabb {
        self.definitions.entity_box(entity)
    }

    /// How a point entity is shown: its box around its origin, and the colour of its class (sRGB) where the definition has one.
    #[must_use]
    pub fn entity_look_of(&self, entity: &Entity) -> (Aabb, Option<[u8; 3]>) {
        (
            self.definitions.own_box(entity),
            self.definitions.color(&entity.class),
        )
    }

    /// Classes that brushes can be tied to, by name: those defined, and those that own brushes in this map.
    #[must_use]
    pub fn brush_classes(&self) -> Vec<String> {
        self.class_names(self.definitions.solid_classes(), |editor, id| {
            editor.doc().children(Some(id)).next().is_some()
        })
    }

    /// Classes to place in a view, by name: those defined, and those of point entities of this map.
    #[must_use]
    pub fn point_classes(&self) -> Vec<String> {
        self.class_names(self.definitions.point_classes(), |editor, id| {
            editor.doc().children(Some(id)).next().is_none()
        })
    }

    fn class_names<'a>(
        &self,
        defined: impl Iterator<Item = &'a Class>,
        is_one: impl Fn(&Self, crate::document::ObjectId) -> bool,
    ) -> Vec<String> {
        let mut names: Vec<String> = defined.map(|class| class.name.clone()).collect();
        let used = self.doc().objects().filter_map(|(id, object)| {
            let entity = object.entity()?;
            // A class that is defined as the other kind stands in the other list.
            let is_new = entity.class != "worldspawn"
                && !entity.class.is_empty()
                && self.definitions.find(&entity.class).is_none();
            (is_new && is_one(self, id)).then(|| entity.class.clone())
        });
        names.extend(used);
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The table of the selection with what the definitions say; `None` when it means no entity.
    #[must_use]
    pub fn property_table(&self) -> Option<PropertyTable> {
        properties::defined_table(self.state(), &self.definitions)
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::document::Document;
    use crate::document::ViewState;
    use crate::editor::Settings;
    use crate::formats::Origin;

    #[test]
    fn a_map_of_another_game_has_the_classes_of_that_game() {
        let mut editor = Editor::with_document(
            Document::default(),
            ViewState::default(),
            Settings::default(),
            Arc::new(|_| ()),
        );
        editor.take_game_definitions();
        assert!(editor.definitions().find("jumppad").is_none());
        editor.extras.origin = Some(Origin {
            format: "ogz".to_owned(),
            ..Origin::default()
        });
        editor.take_game_definitions();
        assert!(editor.definitions().find("jumppad").is_some());
        editor.reload_definitions();
        let start = Entity::new("playerstart", DVec3::new(10.0, 20.0, 30.0));
        let bounds = editor.entity_box(&start);
        assert_eq!((bounds.min.y, bounds.max.y), (12.5, 27.5));
    }
}
