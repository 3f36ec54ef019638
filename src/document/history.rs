//! The list of committed states, the preview beside it, and a budget in bytes.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::document::Change;
use crate::document::Document;
use crate::document::Draft;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::Object;
use crate::document::Selection;
use crate::document::SelectionExt as _;

/// Default budget of the undo list in bytes.
pub const DEFAULT_BUDGET: usize = 512 << 20;

type Run = dyn Fn(&mut Draft, &mut Selection) -> Result<(), EditError> + Send + Sync;

/// A labelled, pure function over a draft: it may run many times and gives the same result for the same state.
#[derive(Clone)]
pub struct Edit {
    /// Names the undo step: "Move".
    pub label: &'static str,
    run: Arc<Run>,
}

impl Edit {
    pub fn new(label: &'static str, run: impl Fn(&mut Draft, &mut Selection) -> Result<(), EditError> + Send + Sync + 'static) -> Self {
        Self { label, run: Arc::new(run) }
    }

    /// Runs the edit over a draft of the caller's.
    ///
    /// # Errors
    /// Whatever the edit refuses; the draft must be dropped then.
    pub fn apply(&self, draft: &mut Draft, selection: &mut Selection) -> Result<(), EditError> {
        (self.run)(draft, selection)
    }
}

impl std::fmt::Debug for Edit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Edit").field("label", &self.label).finish_non_exhaustive()
    }
}

/// What is shown: a document and what is picked in it.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub doc: Document,
    pub selection: Selection,
}

/// One undo step: the state it left, and the label of what left it.
struct Step {
    label: &'static str,
    state: State,
    /// Bytes that only this step keeps alive.
    cost: usize,
}

/// The committed state, the preview over it, and the way back and forth.
pub struct History {
    now: State,
    preview: Option<State>,
    undo: VecDeque<Step>,
    redo: Vec<Step>,
    budget: usize,
    used: usize,
}

impl History {
    #[must_use]
    pub fn new(doc: Document) -> Self {
        Self::with_budget(doc, DEFAULT_BUDGET)
    }

    #[must_use]
    pub fn with_budget(doc: Document, budget: usize) -> Self {
        Self { now: State { doc, selection: Selection::new() }, preview: None, undo: VecDeque::new(), redo: Vec::new(), budget, used: 0 }
    }

    /// What tools start from.
    #[must_use]
    pub fn committed(&self) -> &State {
        &self.now
    }

    /// What everybody shows: the preview if there is one.
    #[must_use]
    pub fn state(&self) -> &State {
        self.preview.as_ref().unwrap_or(&self.now)
    }

    #[must_use]
    pub fn is_previewing(&self) -> bool {
        self.preview.is_some()
    }

    /// Shows the edit over the committed state. A failing edit leaves the last good preview.
    ///
    /// # Errors
    /// What the edit refuses.
    pub fn preview(&mut self, edit: &Edit) -> Result<(), EditError> {
        let mut draft = self.now.doc.edit();
        let mut selection = self.now.selection.clone();
        edit.apply(&mut draft, &mut selection)?;
        self.preview = Some(State { doc: draft.peek(), selection });
        Ok(())
    }

    /// Makes the edit the next state. An edit that changes nothing makes no step. The preview is dropped either way.
    ///
    /// # Errors
    /// What the edit refuses or the checks of [`Draft::finish`] find; nothing has changed then.
    pub fn commit(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.make(edit, false)
    }

    /// As [`History::commit`], but folds into the last step when that has the same label and selection:
    /// the editor says so for nudges that follow each other within a second.
    ///
    /// # Errors
    /// As [`History::commit`].
    pub fn commit_folding(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.make(edit, true)
    }

    fn make(&mut self, edit: &Edit, fold: bool) -> Result<(), EditError> {
        self.preview = None;
        let mut draft = self.now.doc.edit();
        let mut selection = self.now.selection.clone();
        edit.apply(&mut draft, &mut selection)?;
        let doc = draft.finish()?;
        selection.prune(&doc);
        if doc.same(&self.now.doc) || is_unchanged(&doc, &self.now.doc) {
            self.now.selection = selection;
            return Ok(());
        }
        let before = std::mem::replace(&mut self.now, State { doc, selection });
        self.redo.clear();
        if fold && self.undo.back().is_some_and(|step| step.label == edit.label && step.state.selection == before.selection) {
            // The step before keeps the state to go back to; only its price changes.
            if let Some(step) = self.undo.back_mut() {
                self.used -= step.cost;
                step.cost = cost(&step.state.doc, &self.now.doc);
                self.used += step.cost;
            }
            return Ok(());
        }
        let cost = cost(&before.doc, &self.now.doc);
        self.used += cost;
        self.undo.push_back(Step { label: edit.label, state: before, cost });
        while self.used > self.budget && self.undo.len() > 1 {
            if let Some(step) = self.undo.pop_front() {
                self.used -= step.cost;
            }
        }
        Ok(())
    }

    /// Drops the preview.
    pub fn cancel(&mut self) {
        self.preview = None;
    }

    /// Changes what is picked; no undo step.
    pub fn select(&mut self, mut selection: Selection) {
        selection.prune(&self.now.doc);
        self.now.selection = selection;
    }

    /// Goes one step back; the label of what was undone. `None` at the start, or while a preview is shown.
    pub fn undo(&mut self) -> Option<&'static str> {
        if self.preview.is_some() {
            return None;
        }
        let step = self.undo.pop_back()?;
        self.used -= step.cost;
        let after = std::mem::replace(&mut self.now, step.state);
        self.redo.push(Step { label: step.label, state: after, cost: step.cost });
        Some(step.label)
    }

    /// Goes one step forth; the label of what was redone.
    pub fn redo(&mut self) -> Option<&'static str> {
        if self.preview.is_some() {
            return None;
        }
        let step = self.redo.pop()?;
        self.used += step.cost;
        let before = std::mem::replace(&mut self.now, step.state);
        self.undo.push_back(Step { label: step.label, state: before, cost: step.cost });
        Some(step.label)
    }

    /// Label of what [`History::undo`] would undo.
    #[must_use]
    pub fn undo_label(&self) -> Option<&'static str> {
        self.undo.back().map(|step| step.label)
    }

    #[must_use]
    pub fn redo_label(&self) -> Option<&'static str> {
        self.redo.last().map(|step| step.label)
    }

    /// Labels from the oldest step to the newest.
    pub fn undo_labels(&self) -> impl Iterator<Item = &'static str> {
        self.undo.iter().map(|step| step.label)
    }

    /// Bytes that the undo list keeps alive.
    #[must_use]
    pub fn used_bytes(&self) -> usize {
        self.used
    }
}

/// True when every difference is one of address only, so an edit that writes what was there makes no step.
fn is_unchanged(new: &Document, old: &Document) -> bool {
    new.next_id() == old.next_id()
        && new.settings() == old.settings()
        && new.extra() == old.extra()
        && new.changes_since(old).all(|change| matches!(change, Change::Changed(_, new, old) if new == old))
        && new.materials().eq(old.materials())
        && new.layers().eq(old.layers())
        && new.paths().eq(old.paths())
}

/// What keeping `old` beside `new` costs: versions of objects that changed, and unshared parts of the tables.
fn cost(old: &Document, new: &Document) -> usize {
    let objects: usize = new
        .changes_since(old)
        .map(|change| match change {
            Change::Added(..) => 0,
            Change::Changed(_, _, old) | Change::Removed(_, old) => size_of_object(old),
        })
        .sum();
    objects
        + old.objects.copy_cost(&new.objects)
        + old.children.copy_cost(&new.children)
        + old.materials.copy_cost(&new.materials)
        + old.layers.copy_cost(&new.layers)
        + old.paths.copy_cost(&new.paths)
        + size_of::<Step>()
}

fn size_of_object(object: &Object) -> usize {
    let inner = match &object.kind {
        Kind::Brush(brush) => brush.heap_bytes(),
        Kind::Mesh(mesh) => {
            let polygons: usize =
                mesh.polygons.iter().map(|p| size_of_val(p) + p.corners.capacity() * 4 + p.uvs.capacity() * 8).sum();
            mesh.points.capacity() * 24 + polygons
        }
        Kind::Entity(entity) => entity.keys.iter().map(|(k, v)| 48 + k.capacity() + v.capacity()).sum(),
        Kind::Group(group) => group.name.capacity(),
    };
    size_of::<Object>() + 16 + inner
}
