//! What selected objects belong to: groups, entities and layers.

use crate::document::EditError;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::ops;
use crate::editor::Editor;
use crate::editor::edits;

impl Editor {
    /// Opens a group for editing, or closes the open one (back to the one around it).
    pub fn open_group(&mut self, group: Option<ObjectId>) {
        match group {
            Some(_) => {
                self.open_group = group;
                self.select(Selection::new());
            }
            None => {
                let Some(left) = self.open_group else { return };
                let doc = &self.history.committed().doc;
                self.open_group = doc.ancestors(left).find(|&id| {
                    doc.object(id)
                        .is_some_and(|object| object.group().is_some())
                });
                self.select(Selection::from([Pick::Object(left)]));
            }
        }
        self.hover = None;
    }

    pub(crate) fn group_selection(&mut self) -> Result<(), EditError> {
        let ids = edits::roots(self.doc(), self.selection());
        self.commit(&ops::groups::group(ids, "Group"))?;
        if let Some(&Pick::Object(group)) = self.selection().iter().next() {
            self.request(crate::editor::Request::NameGroup {
                group,
                now: "Group".to_owned(),
            });
        }
        Ok(())
    }

    /// The name asked for after grouping, or by renaming.
    ///
    /// # Errors
    /// What the edit refuses.
    pub fn rename_group(&mut self, group: ObjectId, name: &str) -> Result<(), EditError> {
        self.commit(&ops::groups::rename(group, name))
    }

    /// The group a rename command means.
    pub(crate) fn selected_group(&self) -> Option<(ObjectId, String)> {
        let doc = self.doc();
        self.selection()
            .objects()
            .into_iter()
            .find_map(|id| Some((id, doc.object(id)?.group()?.name.clone())))
    }

    /// ENT-2: a new entity of this class owns the selected brushes.
    ///
    /// # Errors
    /// When no brush is selected.
    pub fn tie_to_entity(&mut self, class: &str) -> Result<(), EditError> {
        self.commit(&ops::entities::tie(self.selection().objects(), class))
    }

    /// ENT-2: an entity that is there takes the selected brushes.
    ///
    /// # Errors
    /// When no brush is selected.
    pub fn join_entity(&mut self, entity: ObjectId) -> Result<(), EditError> {
        self.commit(&ops::entities::move_to_entity(
            self.selection().objects(),
            entity,
        ))
    }

    /// LAY-1: moves the selection to a layer (`None` = the default one).
    ///
    /// # Errors
    /// What the edit refuses.
    pub fn move_to_layer(
        &mut self,
        layer: Option<crate::document::LayerId>,
    ) -> Result<(), EditError> {
        self.commit(&ops::layers::move_to_layer(
            self.selection().objects(),
            layer,
        ))
    }
}
