//! Rows of the outliner that are carried into groups and layers (SEL-11).

use crate::document::Edit;
use crate::document::EditError;
use crate::document::LayerId;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::ops;
use crate::editor::Editor;
use crate::editor::edits;
use crate::editor::request::StatusKind;

/// A row that others are let go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowTarget {
    /// `None`: the default layer.
    Layer(Option<LayerId>),
    /// A group takes them; any other object stands for the group, or else the layer, that it is in.
    Object(ObjectId),
}

impl Editor {
    /// What goes along when the row of an object is carried: all that is selected if it is one of them, else it alone. What
    /// lies in something that goes along is not named.
    #[must_use]
    pub fn carried_rows(&self, grabbed: ObjectId) -> Vec<ObjectId> {
        if self.selection().contains(&Pick::Object(grabbed)) {
            edits::roots(self.doc(), self.selection())
        } else {
            vec![grabbed]
        }
    }

    /// Puts carried rows into a group or a layer, as one step. A refusal goes to the status line.
    ///
    /// # Errors
    /// See [`Editor::row_edit`].
    pub fn move_rows(&mut self, ids: &[ObjectId], to: RowTarget) -> Result<(), EditError> {
        let edit = self.row_edit(ids, to).inspect_err(|error| {
            self.say(StatusKind::Refused, error.to_string());
        })?;
        self.commit(&edit)
    }

    /// The edit behind [`Editor::move_rows`]; without it one may see beforehand whether it is refused. Moved objects leave what
    /// held them and take the layer of where they go: a row stands below its group and its layer, so it belongs to both.
    ///
    /// # Errors
    /// When a group would lie in itself, or when something of it is locked.
    pub fn row_edit(&self, ids: &[ObjectId], to: RowTarget) -> Result<Edit, EditError> {
        let doc = self.doc();
        let (parent, layer) = self.place_of(to);
        let locked = |name: &str| {
            Err(EditError::refused(format!(
                "{name} is locked; unlock it first"
            )))
        };
        if let Some(parent) = parent {
            let holds = |id: &ObjectId| *id == parent || doc.ancestors(parent).any(|a| a == *id);
            if ids.iter().any(holds) {
                return Err(EditError::refused("A group cannot be put into itself"));
            }
            if self.look.is_locked(doc, parent) {
                return locked(&self.object_name(parent));
            }
        }
        if self.is_layer_locked(layer) {
            let layer = layer.and_then(|layer| doc.layer(layer));
            return locked(layer.map_or("The layer", |layer| &layer.name));
        }
        if let Some(&id) = ids.iter().find(|&&id| self.look.is_locked(doc, id)) {
            return locked(&self.object_name(id));
        }
        let label = if parent.is_some() {
            "Move to group"
        } else {
            "Move to layer"
        };
        let into_group = ops::groups::move_to(ids.to_vec(), parent);
        let into_layer = ops::layers::move_to_layer(ids.to_vec(), layer);
        Ok(Edit::new(label, move |draft, selection| {
            into_layer.apply(draft, selection)?;
            into_group.apply(draft, selection)
        }))
    }

    /// Group and layer that a row stands for.
    fn place_of(&self, to: RowTarget) -> (Option<ObjectId>, Option<LayerId>) {
        let doc = self.doc();
        let id = match to {
            RowTarget::Layer(layer) => return (None, layer),
            RowTarget::Object(id) => id,
        };
        let layer_of = |id: ObjectId| {
            let layer = doc.object(id)?.layer?;
            doc.layer(layer).map(|_| layer)
        };
        let is_group = |id: &ObjectId| {
            doc.object(*id)
                .is_some_and(|object| object.group().is_some())
        };
        let group = std::iter::once(id).chain(doc.ancestors(id)).find(is_group);
        let root = doc.ancestors(id).last().unwrap_or(id);
        (group, layer_of(group.unwrap_or(root)))
    }

    fn is_layer_locked(&self, layer: Option<LayerId>) -> bool {
        // Parents of layers cannot lie in a circle, but a bound costs nothing.
        let mut next = layer;
        for _ in 0..1024 {
            let Some(id) = next else { return false };
            if self.look.locked_layers.contains(&id) {
                return true;
            }
            next = self.doc().layer(id).and_then(|layer| layer.parent);
        }
        false
    }
}
