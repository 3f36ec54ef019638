//! The selection's own history (0.5), and what of a selection a tool can use.

use crate::document::EditError;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::ops::components;
use crate::document::ops::components::ComponentKind;
use crate::editor::Editor;
use crate::editor::ToolKind;
use crate::editor::selecting;

/// Entries each way.
const LOG: usize = 100;

/// Earlier and later selections.
#[derive(Default)]
pub(crate) struct SelectionLog {
    back: Vec<Selection>,
    forward: Vec<Selection>,
    /// What was gone to, as it was shown and as it is remembered: what is hidden or deleted now may be there again later.
    at: Option<(Selection, Selection)>,
}

impl SelectionLog {
    /// A selection was left for a new one.
    pub fn push(&mut self, left: Selection) {
        let left = self.remembered(left);
        self.at = None;
        self.forward.clear();
        if self.back.last() != Some(&left) {
            self.back.push(left);
        }
        if self.back.len() > LOG {
            self.back.remove(0);
        }
    }

    fn remembered(&self, shown: Selection) -> Selection {
        match &self.at {
            Some((last, remembered)) if *last == shown => remembered.clone(),
            _ => shown,
        }
    }

    /// Goes from `now` to the nearest entry one way that shows something else. Returns what it shows.
    fn go(
        &mut self,
        now: &Selection,
        forth: bool,
        shown: impl Fn(&Selection) -> Selection,
    ) -> Option<Selection> {
        let here = self.remembered(now.clone());
        let (from, to) = if forth {
            (&mut self.forward, &mut self.back)
        } else {
            (&mut self.back, &mut self.forward)
        };
        let (at, found) = (0..from.len()).rev().find_map(|at| {
            let found = shown(&from[at]);
            (found != *now).then_some((at, found))
        })?;
        to.push(here);
        to.extend(from.drain(at + 1..).rev());
        let remembered = from.pop()?;
        self.at = Some((found.clone(), remembered));
        Some(found)
    }
}

impl Editor {
    /// Ctrl+[ : the selection before.
    pub(crate) fn selection_back(&mut self) -> Result<(), EditError> {
        self.go_to_selection(false, "There is no earlier selection")
    }

    /// Ctrl+] : the selection after.
    pub(crate) fn selection_forward(&mut self) -> Result<(), EditError> {
        self.go_to_selection(true, "There is no later selection")
    }

    fn go_to_selection(&mut self, forth: bool, nothing: &'static str) -> Result<(), EditError> {
        if self.history.is_previewing() {
            return Err(EditError::refused(
                "Finish the drag first, or cancel it with Esc",
            ));
        }
        let mut log = std::mem::take(&mut self.selections);
        let now = &self.history.committed().selection;
        let found = log.go(now, forth, |entry| self.still_selectable(entry));
        self.selections = log;
        let Some(found) = found else {
            return Err(EditError::refused(nothing));
        };
        self.history.select(found);
        self.saying.moved_on();
        self.fold = None;
        self.kept_pivot = None;
        self.follow();
        Ok(())
    }

    /// What of a remembered selection can be selected now: nothing deleted, hidden, locked or outside of the open group, and no
    /// handles that the tool in hand does not know.
    fn still_selectable(&self, selection: &Selection) -> Selection {
        let doc = &self.history.committed().doc;
        let mut found = selection.clone();
        found.prune(doc);
        found
            .retain(|pick| selecting::is_in_reach(doc, &self.look, self.open_group, pick.object()));
        self.settled(&found).unwrap_or(found)
    }

    /// A tool was taken: what is picked of objects becomes what it has handles for, or goes.
    pub(crate) fn convert_components(&mut self) {
        let state = self.history.committed();
        let converted = match self.tool() {
            ToolKind::Vertex => ComponentKind::Vertex,
            ToolKind::Edge => ComponentKind::Edge,
            ToolKind::Face => ComponentKind::Face,
            _ => return self.settle_components(),
        };
        let selection = components::converted(&state.doc, &state.selection, converted);
        if selection != state.selection {
            self.select(selection);
        }
    }

    /// What the tool in hand does not know of is no longer picked.
    pub(crate) fn settle_components(&mut self) {
        if let Some(kept) = self.settled(&self.history.committed().selection) {
            let left = self.history.committed().selection.clone();
            self.history.select(kept);
            self.selections.push(left);
        }
    }

    /// Vertices, edges and faces beside objects are for tools that know them: what is left with another tool in hand. `None`:
    /// all of it.
    fn settled(&self, selection: &Selection) -> Option<Selection> {
        if self.tool().knows_components() || !components::has_components(selection) {
            return None;
        }
        let faces: Selection = selection
            .iter()
            .copied()
            .filter(|pick| matches!(pick, Pick::Face(..)))
            .collect();
        Some(if self.tool() == ToolKind::Sweep && !faces.is_empty() {
            faces
        } else {
            components::objects_only(selection)
        })
    }
}
