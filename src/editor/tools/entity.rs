//! Placing point entities of one class (ENT-1). Dragging a class from a browser goes through `Editor::place_entity`.

use crate::editor::edits;
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

/// A click places one entity of `class`.
pub(crate) struct EntityTool {
    pub class: String,
    at: Option<glam::DVec2>,
}

impl Default for EntityTool {
    fn default() -> Self {
        Self {
            class: "light".to_owned(),
            at: None,
        }
    }
}

const HINTS: &[Hint] = &[
    hint("Click", "place"),
    hint("Ctrl+click", "select"),
    hint("Esc", "leave the tool"),
];

impl Tool for EntityTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Entity
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Click { at, modifiers, .. } if modifiers.is_none() => {
                let place = edits::resting_place(
                    cx.view,
                    &cx.grid,
                    at,
                    (cx.pick)(at).as_ref(),
                    cx.definitions.class_box(&self.class),
                );
                Outcome::Commit(edits::create_entity(&self.class, place, cx.home()))
            }
            Gesture::Click {
                at,
                count,
                modifiers,
            } => super::select::click(cx, at, count, modifiers),
            Gesture::Hover { at } => {
                self.at = Some(at);
                Outcome::Handled
            }
            Gesture::Begin { .. } | Gesture::Drag { .. } | Gesture::End | Gesture::Key(_) => {
                Outcome::Ignored
            }
            Gesture::Cancel => Outcome::Cancel,
        }
    }

    /// The outline of what a click would place.
    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        let Some(at) = self.at else { return };
        let shape = cx.definitions.class_box(&self.class);
        let place = edits::resting_place(cx.view, &cx.grid, at, (cx.pick)(at).as_ref(), shape);
        let bounds = crate::geometry::Aabb::new(place + shape.min, place + shape.max);
        super::draw::box_lines(bounds, |from, to| {
            out.lines.push(crate::editor::overlay::Line {
                from,
                to,
                role: crate::editor::overlay::Role::Ghost,
                width: 1.5,
                through: false,
                arrow: false,
                dashed: false,
            });
        });
    }

    fn readout(&self) -> Option<Readout> {
        None
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        HINTS
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Crosshair
    }

    fn reset(&mut self) {
        self.at = None;
    }
}
