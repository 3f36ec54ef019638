//! Selecting by drawing over things: objects with `Ctrl` (SEL-3), faces with `Shift+Ctrl` (SEL-6).

use glam::DVec2;

use crate::document::Edit;
use crate::document::Pick;
use crate::document::Selection;
use crate::editor::overlay::Readout;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::ToolCx;
use crate::editor::tools::hint;

/// The pointer's way is looked at this often, in points.
const STEP: f64 = 4.0;

pub(super) const HINTS: &[Hint] = &[hint("Drag", "adds what it crosses"), hint("Esc", "cancel")];

/// A stroke that adds what it crosses.
#[derive(Clone, Debug)]
pub(super) struct Brushing {
    faces: bool,
    selection: Selection,
    last: DVec2,
}

impl Brushing {
    /// `None` when there is nothing to begin with.
    pub fn new(cx: &ToolCx<'_>, at: DVec2, faces: bool) -> Option<Self> {
        (cx.pick)(at)?;
        let selection = cx
            .base
            .selection
            .iter()
            .copied()
            .filter(|pick| matches!(pick, Pick::Face(..)) == faces)
            .collect();
        let mut brushing = Self {
            faces,
            selection,
            last: at,
        };
        brushing.touch(cx, at);
        Some(brushing)
    }

    fn touch(&mut self, cx: &ToolCx<'_>, at: DVec2) {
        let Some(hit) = (cx.pick)(at) else { return };
        match (self.faces, hit.face) {
            (true, Some(face)) => {
                self.selection.insert(Pick::Face(hit.object, face));
            }
            (true, None) => {}
            (false, _) => {
                let id = cx.taken(hit.object);
                self.selection.insert(Pick::Object(id));
            }
        }
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        let way = at - self.last;
        let steps = (way.length() / STEP).ceil().max(1.0);
        for step in 1..=steps as u32 {
            self.touch(cx, self.last + way * (f64::from(step) / steps));
        }
        self.last = at;
        // Shown only: the selection's history gets one entry, at the end.
        let selection = self.selection.clone();
        Outcome::Preview(Edit::new("Select", move |_, now| {
            now.clone_from(&selection);
            Ok(())
        }))
    }

    pub fn end(self) -> Outcome {
        Outcome::Select(self.selection)
    }

    pub fn readout(&self) -> Readout {
        let what = if self.faces { "faces" } else { "objects" };
        Readout {
            text: format!("{} {what}", self.selection.len()),
            refused: false,
        }
    }
}
