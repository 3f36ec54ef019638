//! Shearing the selection (SHR-1).

use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::hint;

#[derive(Default)]
pub(super) struct ShearTool {}

const IDLE: &[Hint] = &[hint("Click", "select"), hint("Esc", "leave the tool")];

impl Tool for ShearTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Shear
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Click {
                at,
                count,
                modifiers,
            } => super::select::click(cx, at, count, modifiers),
            _ => Outcome::Ignored,
        }
    }

    fn overlay(&self, _cx: &ToolCx<'_>, _out: &mut Overlay) {}

    fn readout(&self) -> Option<Readout> {
        None
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        IDLE
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Crosshair
    }

    fn reset(&mut self) {}
}
