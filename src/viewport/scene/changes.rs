//! What a new state asks the store to do.

use std::collections::BTreeSet;

use crate::document::Change;
use crate::document::Document;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::ViewState;
use crate::editor::shown::Surface;
use crate::editor::shown::update_surfaces;

/// What was hidden and locked when it was last asked.
#[derive(Default, PartialEq)]
pub(super) struct SeenLook {
    pub(super) hidden: BTreeSet<ObjectId>,
    pub(super) locked: BTreeSet<ObjectId>,
    pub(super) hidden_layers: BTreeSet<LayerId>,
    pub(super) locked_layers: BTreeSet<LayerId>,
}

impl SeenLook {
    pub(super) fn is(&self, look: &ViewState) -> bool {
        self.hidden == look.hidden
            && self.locked == look.locked
            && self.hidden_layers == look.hidden_layers
            && self.locked_layers == look.locked_layers
    }

    /// Rows depend on layers.
    pub(super) fn has_layers(&self) -> bool {
        !self.hidden_layers.is_empty() || !self.locked_layers.is_empty()
    }

    pub(super) fn of(look: &ViewState) -> Self {
        Self {
            hidden: look.hidden.clone(),
            locked: look.locked.clone(),
            hidden_layers: look.hidden_layers.clone(),
            locked_layers: look.locked_layers.clone(),
        }
    }
}

/// What changes of one sync ask for.
#[derive(Default)]
pub(super) struct Todo {
    /// Objects to be made anew, by id, each once; they exist.
    pub(super) make: Vec<ObjectId>,
    pub(super) removed: Vec<ObjectId>,
    /// Objects that were put elsewhere: hidden and locked may be answered differently.
    pub(super) elsewhere: Vec<ObjectId>,
    /// Parents, layers or owners changed: every row may differ.
    pub(super) all_rows: bool,
    /// Objects came, went or got another parent.
    pub(super) tree: bool,
}

/// What changed from `old_doc` to `doc`. `layers_matter`: some are hidden or locked. `surfaces` are brought up to date.
pub(super) fn differences(
    old_doc: &Document,
    doc: &Document,
    layers_matter: bool,
    surfaces: &mut Vec<Surface>,
) -> Todo {
    let mut todo = Todo::default();
    let resurfaced = update_surfaces(old_doc, doc, surfaces);
    todo.all_rows |= layers_matter && doc.layer_changes_since(old_doc).next().is_some();
    let mut parents: BTreeSet<ObjectId> = BTreeSet::new();
    for change in doc.changes_since(old_doc) {
        match change {
            Change::Added(id, new) => {
                todo.make.push(id);
                parents.extend(new.parent);
                todo.tree = true;
            }
            Change::Removed(id, old) => {
                todo.removed.push(id);
                parents.extend(old.parent);
                todo.tree = true;
            }
            Change::Changed(id, new, old) => {
                todo.make.push(id);
                if new.parent != old.parent {
                    parents.extend(new.parent);
                    parents.extend(old.parent);
                    todo.tree = true;
                }
                let holds =
                    |object: &Object| matches!(object.kind, Kind::Entity(_) | Kind::Group(_));
                let elsewhere = new.parent != old.parent
                    || new.layer != old.layer
                    || new.visgroups != old.visgroups;
                let replaced =
                    std::mem::discriminant(&new.kind) != std::mem::discriminant(&old.kind);
                if elsewhere || replaced {
                    todo.elsewhere.push(id);
                }
                todo.all_rows |= (holds(new) || holds(old)) && (elsewhere || replaced);
            }
        }
    }
    // An entity gains or loses its box with its first or last child.
    todo.make
        .extend(parents.into_iter().filter(|&id| doc.entity(id).is_some()));
    if !resurfaced.is_empty() {
        let uses = |object: &Object| match &object.kind {
            Kind::Brush(brush) => brush
                .faces()
                .iter()
                .any(|face| face.material.is_some_and(|id| resurfaced.contains(&id))),
            Kind::Mesh(mesh) => mesh
                .polygons
                .iter()
                .any(|polygon| polygon.material.is_some_and(|id| resurfaced.contains(&id))),
            Kind::Entity(_) | Kind::Group(_) => false,
        };
        todo.make.extend(
            doc.objects()
                .filter(|(_, object)| uses(object))
                .map(|(id, _)| id),
        );
    }
    todo.make.sort_unstable();
    todo.make.dedup();
    todo
}
