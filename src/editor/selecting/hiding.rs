//! Hiding and locking (VIEW-3), and showing again what steps concern (0.5).

use std::collections::BTreeSet;

use crate::document::Document;
use crate::document::ObjectId;
use crate::editor::Editor;

impl Editor {
    /// Hides the selected objects; they are no longer selected.
    pub(crate) fn hide_selection(&mut self) {
        let ids = self.selected_or_face_objects();
        self.look.hidden.extend(ids);
        self.hover = None;
        self.select_none();
    }

    /// Hides everything but the selected objects.
    pub(crate) fn isolate_selection(&mut self) {
        let doc = &self.history.committed().doc;
        let keep: BTreeSet<ObjectId> = self
            .selected_or_face_objects()
            .into_iter()
            .flat_map(|id| doc.subtree(id))
            .collect();
        let with_parents: BTreeSet<ObjectId> = keep
            .iter()
            .flat_map(|&id| doc.ancestors(id))
            .chain(keep.iter().copied())
            .collect();
        let hidden: Vec<ObjectId> = doc
            .objects()
            .map(|(id, _)| id)
            .filter(|id| !with_parents.contains(id))
            .collect();
        self.look.hidden.extend(hidden);
        self.hover = None;
    }

    pub(crate) fn show_all(&mut self) {
        self.look.hidden.clear();
    }

    pub(crate) fn lock_selection(&mut self) {
        let ids = self.selected_or_face_objects();
        self.look.locked.extend(ids);
        self.select_none();
    }

    pub(crate) fn unlock_all(&mut self) {
        self.look.locked.clear();
    }

    fn selected_or_face_objects(&self) -> Vec<ObjectId> {
        let ids: BTreeSet<ObjectId> = self.selection().iter().map(|pick| pick.object()).collect();
        ids.into_iter().collect()
    }

    /// Shows one object whatever hides it.
    pub(crate) fn reveal(&mut self, id: ObjectId) {
        let doc = &self.history.committed().doc;
        for id in std::iter::once(id).chain(doc.ancestors(id)) {
            self.look.hidden.remove(&id);
            let Some(object) = doc.object(id) else {
                continue;
            };
            for &layer in object.layer.iter().chain(object.visgroups.iter()) {
                let mut above = Some(layer);
                // No more steps than there are layers, whatever the file said.
                for _ in 0..=doc.layers().count() {
                    let Some(layer) = above else { break };
                    self.look.hidden_layers.remove(&layer);
                    above = doc.layer(layer).and_then(|layer| layer.parent);
                }
            }
        }
    }

    /// After undo and redo: what they changed is shown even if it was hidden.
    pub(crate) fn reveal_changes(&mut self, before: &Document) {
        if self.look.hidden.is_empty() && self.look.hidden_layers.is_empty() {
            return;
        }
        let changed = self.history.committed().doc.changes_since(before);
        let ids: Vec<ObjectId> = changed.map(|change| change.id()).collect();
        for id in ids {
            self.reveal(id);
        }
    }
}
