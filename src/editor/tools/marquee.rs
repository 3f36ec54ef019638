//! Selecting by a rectangle (SEL-5): to the right what lies inside, to the left what it touches. `Alt`+drag of the selection
//! tool is the same rectangle.

use glam::DVec2;

use crate::document::Pick;
use crate::document::Selection;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::hint;
use crate::editor::tools::visible::keep_visible;
use crate::editor::view::View;
use crate::editor::volume;

pub(super) const WAITING: &[Hint] = &[
    hint("Enter", "select what it holds"),
    hint("Drag", "another rectangle"),
    hint("Esc", "drop it"),
];
pub(super) const HINTS: &[Hint] = &[
    hint("To the right", "what lies inside"),
    hint("To the left", "what is touched"),
    hint("Ctrl", "add"),
    hint("Ctrl+Shift", "remove"),
    hint("Esc", "cancel"),
];
const IDLE: &[Hint] = &[
    hint("Drag", "to the right: inside; to the left: touched"),
    hint("Ctrl+drag", "add"),
    hint("Ctrl+Shift+drag", "remove"),
    hint("Click", "select"),
    hint("Esc", "leave the tool"),
];

/// A rectangle being dragged over a view, in points of it.
#[derive(Clone, Debug)]
pub(super) struct Rectangle {
    from: DVec2,
    to: DVec2,
    view: View,
}

impl Rectangle {
    pub fn new(cx: &ToolCx<'_>, at: DVec2) -> Self {
        Self {
            from: at,
            to: at,
            view: cx.view.clone(),
        }
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        self.to = at;
        // Flying goes on during a drag.
        self.view.clone_from(cx.view);
        Outcome::Handled
    }

    /// Left to right takes what lies inside.
    fn is_inside(&self) -> bool {
        self.to.x >= self.from.x
    }

    pub fn end(&self, cx: &ToolCx<'_>) -> Outcome {
        let planes = volume::frustum(&self.view, self.from, self.to);
        let mut found = (cx.within)(&planes, self.is_inside());
        if cx.visible_only && !self.view.is_2d() {
            keep_visible(cx, self.from, self.to, &mut found);
        }
        let found: Selection = found
            .into_iter()
            .map(|id| Pick::Object(cx.taken(id)))
            .collect();
        let now = || {
            let picks = cx.base.selection.iter().copied();
            picks.filter(|pick| matches!(pick, Pick::Object(_)))
        };
        Outcome::Select(match cx.modifiers {
            Modifiers {
                ctrl: true,
                shift: true,
                ..
            } => now().filter(|pick| !found.contains(pick)).collect(),
            Modifiers { ctrl: true, .. } => now().chain(found.iter().copied()).collect(),
            _ => found,
        })
    }

    /// Nothing over other views than its own.
    pub fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        if self.view == *cx.view {
            let role = Role::Selected;
            outline(&self.view, self.from, self.to, role, !self.is_inside(), out);
        }
    }

    /// Rectangles of 2D views can wait for `Enter`: they stay where they are in the map.
    pub fn can_wait(&self) -> bool {
        self.view.is_2d()
    }

    /// While it waits: over every view that looks the same way.
    pub fn overlay_waiting(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        if cx.view.is_2d() && cx.view.forward() == self.view.forward() {
            let role = Role::Selected;
            outline(&self.view, self.from, self.to, role, !self.is_inside(), out);
        }
    }

    pub fn readout(&self) -> Readout {
        Readout {
            text: if self.is_inside() {
                "inside".to_owned()
            } else {
                "touched".to_owned()
            },
            refused: false,
        }
    }
}

/// How far before the eye marks on the glass of a 3D view are drawn, in units.
const GLASS: f64 = 16.0;

/// The sides of a rectangle of a view.
pub(super) fn outline(
    view: &View,
    from: DVec2,
    to: DVec2,
    role: Role,
    dashed: bool,
    out: &mut Overlay,
) {
    let on_glass = |at: DVec2| {
        let ray = view.ray(at);
        if view.is_2d() {
            ray.at((view.eye - ray.origin).dot(ray.dir))
        } else {
            ray.at(GLASS)
        }
    };
    let corners = [from, DVec2::new(to.x, from.y), to, DVec2::new(from.x, to.y)].map(on_glass);
    for (index, &from) in corners.iter().enumerate() {
        out.lines.push(Line {
            from,
            to: corners[(index + 1) % 4],
            role,
            width: 1.5,
            through: true,
            arrow: false,
            dashed,
        });
    }
}

/// See the module's text.
#[derive(Default)]
pub(super) struct MarqueeTool {
    rectangle: Option<Rectangle>,
}

impl Tool for MarqueeTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Marquee
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Click {
                at,
                count,
                modifiers,
            } => super::select::click(cx, at, count, modifiers),
            Gesture::Begin { at, .. } => {
                self.rectangle = Some(Rectangle::new(cx, at));
                Outcome::Handled
            }
            Gesture::Drag { at } => self
                .rectangle
                .as_mut()
                .map_or(Outcome::Ignored, |rectangle| rectangle.drag(cx, at)),
            Gesture::End => self
                .rectangle
                .take()
                .map_or(Outcome::Ignored, |rectangle| rectangle.end(cx)),
            Gesture::Cancel => {
                self.rectangle = None;
                Outcome::Cancel
            }
            Gesture::Hover { .. } | Gesture::Key(_) => Outcome::Ignored,
        }
    }

    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        if let Some(rectangle) = &self.rectangle {
            rectangle.overlay(cx, out);
        }
    }

    fn readout(&self) -> Option<Readout> {
        self.rectangle.as_ref().map(Rectangle::readout)
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        if self.rectangle.is_some() {
            HINTS
        } else {
            IDLE
        }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Crosshair
    }

    fn reset(&mut self) {
        self.rectangle = None;
    }
}
