//! Steps of the history: showing, making and amending edits, selecting, going back and forth (0.5).

use crate::document::Edit;
use crate::document::EditError;
use crate::document::History;
use crate::document::Selection;
use crate::document::State;
use crate::editor::Editor;
use crate::editor::StatusKind;
use crate::editor::ToolKind;
use crate::editor::commands;

/// The last nudge: the next one within a second on the same selection folds into its step.
pub(super) struct Fold {
    label: &'static str,
    at_s: f64,
    selection: Selection,
}

/// Nudges closer than this fold into one step.
const FOLD_S: f64 = 1.0;

impl Editor {
    /// Shows an edit over the committed state: sliders and fields while they are dragged.
    ///
    /// # Errors
    /// What the edit refuses; the last good preview stays.
    pub fn preview(&mut self, edit: &Edit) -> Result<(), EditError> {
        if self.is_walking() {
            return Err(EditError::refused("Stop walking first (Esc)"));
        }
        self.history.preview(edit)
    }

    /// Makes an edit one undo step. A refusal also goes to the status line.
    ///
    /// # Errors
    /// What the edit refuses; nothing has changed then.
    pub fn commit(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.make(edit, false)
    }

    /// Makes an edit the last step instead of what that did; both start from the same state.
    ///
    /// # Errors
    /// What the edit refuses; nothing has changed then.
    pub(crate) fn amend(&mut self, edit: &Edit) -> Result<(), EditError> {
        let result = self.history.amend(edit);
        self.fold = None;
        if let Err(error) = &result {
            self.say(StatusKind::Refused, error.to_string());
        } else {
            self.saying.moved_on();
        }
        self.follow();
        result
    }

    /// As [`Editor::commit`]; the same label on the same selection within a second is one step.
    pub(crate) fn commit_folding(&mut self, edit: &Edit) -> Result<(), EditError> {
        let fold = self.fold.as_ref().is_some_and(|fold| {
            fold.label == edit.label
                && self.now_s - fold.at_s <= FOLD_S
                && fold.selection == self.history.committed().selection
        });
        self.make(edit, fold)?;
        self.fold = Some(Fold {
            label: edit.label,
            at_s: self.now_s,
            selection: self.history.committed().selection.clone(),
        });
        Ok(())
    }

    fn make(&mut self, edit: &Edit, fold: bool) -> Result<(), EditError> {
        if self.is_walking() {
            let error = EditError::refused("Stop walking first (Esc)");
            self.say(StatusKind::Refused, error.to_string());
            return Err(error);
        }
        let before = self.history.committed().selection.clone();
        let doc_before = self.history.committed().doc.clone();
        let turns = matches!(edit.label, "Rotate" | "Flip").then(|| self.pivot());
        let result = if fold {
            self.history.commit_folding(edit)
        } else {
            self.history.commit(edit)
        };
        self.fold = None;
        if result.is_ok() && !self.history.committed().doc.same(&doc_before) {
            self.saying.moved_on();
            let after = &self.history.committed().selection;
            let steps = self.history.done_count();
            self.repeats.committed(edit, &before, after, steps);
        }
        if let (Some(pivot), Ok(())) = (turns, &result) {
            self.kept_pivot = Some((self.history.committed().doc.clone(), pivot));
        }
        if let Err(error) = &result {
            self.say(StatusKind::Refused, error.to_string());
        } else if self.history.committed().selection != before {
            self.saying.moved_on();
            self.selections.push(before);
        }
        self.follow();
        result
    }

    /// Drops the preview.
    pub fn cancel(&mut self) {
        self.history.cancel();
    }

    /// Changes what is picked; remembered by Back and Forward, no undo step.
    pub fn select(&mut self, selection: Selection) {
        let before = self.history.committed().selection.clone();
        self.history.select(selection);
        if self.history.committed().selection != before {
            self.saying.moved_on();
            self.selections.push(before);
            self.fold = None;
            self.kept_pivot = None;
        }
        self.follow();
    }

    /// One step back; refused while a drag runs. Hidden objects that it concerns are shown.
    pub fn undo(&mut self) -> bool {
        self.travel(History::undo, false, "Undid", "Nothing to undo")
    }

    /// One step forth.
    pub fn redo(&mut self) -> bool {
        self.travel(History::redo, true, "Redid", "Nothing to redo")
    }

    /// Goes back or forth in one go until so many steps are done (HIST-1); refused while a drag runs.
    pub fn go_to_step(&mut self, done: usize) -> bool {
        self.drop_prepared();
        if !self.is_dragging() {
            self.history.cancel();
        }
        if !self.may_travel() {
            return false;
        }
        let before = self.history.committed().clone();
        let from = self.history.done_count();
        if !self.history.go_to(done) {
            self.say(StatusKind::Refused, "That step is no longer there");
            return false;
        }
        self.travelled(&before);
        let words = match (from.abs_diff(done), done < from) {
            (0, _) => return true,
            (1, true) => "Went 1 step back".to_owned(),
            (1, false) => "Went 1 step forth".to_owned(),
            (steps, true) => format!("Went {steps} steps back"),
            (steps, false) => format!("Went {steps} steps forth"),
        };
        self.say(StatusKind::Info, words);
        true
    }

    /// What Undo would take back and Redo would do again: "Move", "3 brushes"; `None` for nothing.
    #[must_use]
    pub fn next_step(&self, is_redo: bool) -> Option<(&'static str, String)> {
        let done = self.history.done_count();
        let index = if is_redo { done } else { done.checked_sub(1)? };
        let label = self.history.step(index)?.label;
        Some((label, self.step_subject(index)))
    }

    /// One step by Undo or Redo. What a tool has prepared goes first.
    fn travel(
        &mut self,
        go: fn(&mut History) -> Option<&'static str>,
        is_redo: bool,
        did: &str,
        nothing: &str,
    ) -> bool {
        if self.drop_prepared() {
            return true;
        }
        if !self.may_travel() {
            return false;
        }
        let before = self.history.committed().clone();
        let step = self.next_step(is_redo);
        let Some(label) = go(&mut self.history) else {
            self.say(StatusKind::Info, nothing.to_owned());
            return false;
        };
        self.travelled(&before);
        let words = match step {
            Some((_, subject)) if !subject.is_empty() => format!("{did} \"{label}\" ({subject})"),
            _ => format!("{did} \"{label}\""),
        };
        self.say(StatusKind::Info, words);
        true
    }

    /// Drops what the tool in hand has prepared; picked handles are no such thing, they have their own history.
    fn drop_prepared(&mut self) -> bool {
        self.preview_material(None);
        let prepares = self.tool() == ToolKind::Exact || !self.tool().knows_components();
        prepares && !self.is_dragging() && self.step_back()
    }

    /// Says why, if the history cannot go anywhere now.
    fn may_travel(&mut self) -> bool {
        let between = self.is_dragging() || self.history.is_previewing();
        if between {
            self.say(StatusKind::Refused, commands::FINISH_DRAG);
        }
        !between
    }

    /// The history went somewhere else; everything follows.
    fn travelled(&mut self, before: &State) {
        self.fold = None;
        self.saying.moved_on();
        if self.history.committed().selection != before.selection {
            self.selections.push(before.selection.clone());
        }
        let steps = self.history.done_count();
        self.repeats
            .undone(&self.history.committed().selection, steps);
        self.reveal_changes(&before.doc);
        self.follow();
    }
}
