//! Doing transforms and copies once more (DUP-3).
//!
//! Nobody reports anything here: every committed [`Edit`] that is [`Edit::repeatable`] is recorded. The edits of
//! `document/ops/transform.rs`, `flip.rs` and `objects::duplicate` are; a tool that makes its own [`Edit::new`] around one of
//! them calls [`Edit::repeatable`] itself. What is recorded counts until the selection changes by anything but a copy.

use std::sync::Arc;

use crate::document::Again;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Pick;
use crate::document::Selection;
use crate::editor::Editor;
use crate::editor::edits;
use crate::editor::request::StatusKind;

struct Done {
    label: &'static str,
    again: Arc<Again>,
    /// Steps in the history after it: undoing it forgets it.
    steps: usize,
}

/// What was done to the selection since it last changed.
#[derive(Default)]
pub(crate) struct RepeatLog {
    done: Vec<Done>,
    selection: Selection,
}

impl RepeatLog {
    /// An edit was committed that changed the map. `before`: what was selected then.
    pub fn committed(&mut self, edit: &Edit, before: &Selection, after: &Selection, steps: usize) {
        let goes_on = *before == self.selection && (edit.again().is_some() || before == after);
        if !goes_on {
            self.done.clear();
        }
        if let Some(again) = edit.again() {
            self.done.push(Done {
                label: edit.label,
                again: Arc::clone(again),
                steps,
            });
        }
        self.selection.clone_from(after);
    }

    /// Undo went back to so many steps, where this is selected.
    pub fn undone(&mut self, selection: &Selection, steps: usize) {
        let before = self.done.len();
        self.done.retain(|done| done.steps <= steps);
        if self.done.len() < before {
            self.selection.clone_from(selection);
        }
    }

    fn pending(&self, selection: &Selection) -> &[Done] {
        if *selection == self.selection {
            &self.done
        } else {
            &[]
        }
    }
}

impl Editor {
    /// What Repeat would do, in words for the status bar: `Duplicate, Move x2`. Empty when there is nothing.
    #[must_use]
    pub fn pending_repeat(&self) -> String {
        let mut runs: Vec<(&str, usize)> = Vec::new();
        for done in self.repeats.pending(self.selection()) {
            match runs.last_mut() {
                Some((label, count)) if *label == done.label => *count += 1,
                _ => runs.push((done.label, 1)),
            }
        }
        let words: Vec<String> = runs
            .into_iter()
            .map(|(label, count)| {
                if count == 1 {
                    label.to_owned()
                } else {
                    format!("{label} x{count}")
                }
            })
            .collect();
        words.join(", ")
    }

    /// Does it all again to what is selected, as one step.
    pub(crate) fn repeat(&mut self) -> Result<(), EditError> {
        let doings: Vec<Arc<Again>> = self
            .repeats
            .pending(&self.history.committed().selection)
            .iter()
            .map(|done| Arc::clone(&done.again))
            .collect();
        if doings.is_empty() {
            return Err(EditError::refused(
                "There is nothing to repeat; move, turn or copy something first",
            ));
        }
        let ids = edits::roots(self.doc(), self.selection());
        let edit = Edit::new("Repeat", move |draft, selection| {
            let mut now = ids.clone();
            for again in &doings {
                now = again(draft, &now)?;
            }
            if now != ids {
                *selection = now.into_iter().map(Pick::Object).collect();
            }
            Ok(())
        });
        let words = self.pending_repeat();
        let kept = std::mem::take(&mut self.repeats.done);
        let result = self.commit(&edit);
        let selection = self.history.committed().selection.clone();
        self.repeats = RepeatLog {
            done: kept,
            selection,
        };
        if result.is_ok() {
            self.say(StatusKind::Info, format!("Repeated {words}"));
        }
        result
    }

    /// What was done so far is not repeated any more.
    pub(crate) fn clear_repeat(&mut self) {
        self.repeats.done.clear();
        self.say(
            StatusKind::Info,
            "Repeat starts anew with what you do from now on",
        );
    }
}
