//! Which entity classes the lists show: those of the definitions, and those that only this map has.

use std::sync::Arc;

use crate::assets::Definitions;
use crate::document::Change;
use crate::document::Document;
use crate::document::Object;
use crate::editor::Editor;

/// Class names by what they are for, kept as long as the map brings no new one.
#[derive(Default)]
pub struct Classes {
    /// To place in a view, by name.
    pub point: Vec<String>,
    /// To tie brushes to, by name.
    pub brush: Vec<String>,
    seen: Option<(Document, Arc<Definitions>)>,
}

impl Classes {
    /// Looks again where the map or the definitions have changed.
    pub(super) fn follow(&mut self, editor: &Editor) {
        let doc = &editor.history().committed().doc;
        let definitions = editor.definitions();
        if let Some((old, known)) = &self.seen
            && Arc::ptr_eq(known, definitions)
            && (old.same(doc) || !brings_classes(doc, old))
        {
            if !old.same(doc) {
                self.seen = Some((doc.clone(), Arc::clone(definitions)));
            }
            return;
        }
        self.point = editor.point_classes();
        self.brush = editor.brush_classes();
        self.seen = Some((doc.clone(), Arc::clone(definitions)));
    }
}

/// True when the step from `old` to `doc` has made, changed or removed an entity's class.
fn brings_classes(doc: &Document, old: &Document) -> bool {
    let class = |object: &Object| object.entity().map(|entity| entity.class.clone());
    doc.changes_since(old).any(|change| match change {
        Change::Added(_, object) | Change::Removed(_, object) => object.entity().is_some(),
        Change::Changed(_, new, before) => class(new) != class(before),
    })
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::document::Entity;
    use crate::document::Kind;
    use crate::document::ViewState;
    use crate::editor::Settings;

    #[test]
    fn the_lists_have_what_is_defined_and_what_the_map_has() {
        let mut draft = Document::default().edit();
        for class in ["light", "their_own_thing"] {
            draft.insert(Object::new(Kind::Entity(Entity::new(class, DVec3::ZERO))));
        }
        let doc = draft.finish().expect("sound");
        let events: crate::editor::EventSink = Arc::new(|_| {});
        let editor = Editor::with_document(doc, ViewState::default(), Settings::default(), events);
        let mut classes = Classes::default();
        classes.follow(&editor);
        let has = |list: &[String], name: &str| list.iter().filter(|one| *one == name).count();
        assert_eq!(has(&classes.point, "light"), 1);
        assert_eq!(has(&classes.point, "light_spot"), 1);
        assert_eq!(has(&classes.point, "their_own_thing"), 1);
        assert_eq!(has(&classes.point, "func_door"), 0);
        assert_eq!(has(&classes.brush, "func_door"), 1);
        assert_eq!(has(&classes.brush, "worldspawn"), 0);
    }
}
