//! Scaling the selection by handles on its bounds (SCL-1).

use glam::DVec2;
use glam::DVec3;

use crate::editor::input::Modifiers;
use crate::editor::overlay::Handle;
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
use crate::editor::tools::carrying;
use crate::editor::tools::hint;
use crate::editor::tools::options;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::tools::stretching;
use crate::editor::tools::stretching::Grip;
use crate::editor::tools::stretching::Stretch;
use crate::editor::tools::targets;
use crate::editor::tools::targets::Stage;
use crate::editor::tools::targets::Targets;
use crate::editor::tools::turning::HANDLE_REACH;
use crate::editor::tools::turning::line;
use crate::geometry::Aabb;
use crate::geometry::transform::fitted;

/// See the module's text.
#[derive(Default)]
pub(super) struct ScaleTool {
    drag: Option<Box<Stretch>>,
    /// Begun where there is no handle: why nothing happens.
    missed: Option<&'static str>,
    hovered: Option<Grip>,
}

const IDLE: &[Hint] = &[
    hint("Drag a handle", "scale"),
    hint("Click", "select"),
    hint("Esc", "leave the tool"),
];
const SCALING: &[Hint] = &[
    hint("Alt", "about the middle"),
    hint("Shift", "in proportion"),
    hint("V E F", "onto geometry"),
    hint("G", "no grid"),
    hint("0-9", "type factors"),
    hint("Esc", "cancel"),
];
const CANNOT_DRAG: &str = "Drag one of the handles on the bounds of the selection";

/// The handle under the pointer: the nearest on screen, of those that lie over each other the one nearer to the viewer.
pub(super) fn grip_at(cx: &ToolCx<'_>, bounds: Aabb, at: DVec2) -> Option<Grip> {
    stretching::grips(bounds, carrying::across(cx))
        .into_iter()
        .filter_map(|grip| {
            let (place, depth) = cx.view.project(stretching::place(bounds, grip))?;
            let distance = place.distance(at);
            (distance <= HANDLE_REACH).then_some((distance, depth, grip))
        })
        .min_by(|a, b| {
            let apart = (a.0 - b.0).abs() > 2.0;
            if apart {
                a.0.total_cmp(&b.0)
            } else {
                a.1.total_cmp(&b.1)
            }
        })
        .map(|(_, _, grip)| grip)
}

impl ScaleTool {
    fn grip(cx: &ToolCx<'_>, at: DVec2) -> Option<Grip> {
        if targets::missing(cx).is_some() {
            return None;
        }
        grip_at(cx, cx.target_bounds, at)
    }

    /// Scales to typed numbers: about the user's pivot, else from the low corner.
    fn to_size(cx: &ToolCx<'_>, size: impl Fn(DVec3) -> Option<DVec3>) -> Outcome {
        let Some(targets) = Targets::of(cx) else {
            return Outcome::refused(targets::NOTHING);
        };
        let from = targets.bounds;
        let Some(size) = size(from.size()) else {
            return Outcome::refused("This is no size");
        };
        let mut factor = size / from.size();
        for axis in 0..3 {
            if from.size()[axis] <= 0.0 {
                factor[axis] = 1.0;
            }
        }
        if !(factor.is_finite() && factor.min_element() > 0.0) {
            return Outcome::refused("Sizes and factors are above zero");
        }
        let anchor = cx.user_pivot.unwrap_or(from.min);
        let to = stretching::scaled(from, anchor, factor);
        if to == from {
            return Outcome::Handled;
        }
        Outcome::Commit(targets.mapped("Scale", fitted(from, to), Stage::Commit))
    }
}

impl Tool for ScaleTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Scale
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Hover { at } => {
                self.hovered = Self::grip(cx, at);
                Outcome::Handled
            }
            Gesture::Click {
                at,
                count,
                modifiers,
            } => {
                if modifiers == Modifiers::NONE && Self::grip(cx, at).is_some() {
                    return Outcome::Handled;
                }
                super::select::click(cx, at, count, modifiers)
            }
            Gesture::Begin { at, .. } => {
                self.drag =
                    Self::grip(cx, at).and_then(|grip| Stretch::new(cx, at, grip).map(Box::new));
                let reason = targets::missing(cx).unwrap_or(CANNOT_DRAG);
                self.missed = self.drag.is_none().then_some(reason);
                match &mut self.drag {
                    Some(drag) => drag.drag(cx, at),
                    None => Outcome::refused(reason),
                }
            }
            Gesture::Drag { at } => match &mut self.drag {
                Some(drag) => drag.drag(cx, at),
                None => Outcome::Handled,
            },
            Gesture::End => {
                self.missed = None;
                self.drag.take().map_or(Outcome::Handled, |drag| drag.end())
            }
            Gesture::Cancel => {
                self.reset();
                Outcome::Cancel
            }
            Gesture::Key(_) => Outcome::Ignored,
        }
    }

    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        if let Some(drag) = &self.drag {
            return drag.overlay(out);
        }
        if targets::missing(cx).is_some() {
            return;
        }
        let bounds = cx.target_bounds;
        super::draw::box_lines(bounds, |from, to| {
            out.lines.push(line(from, to, Role::Guide, 1.0, false));
        });
        for grip in stretching::grips(bounds, carrying::across(cx)) {
            out.handles.push(Handle {
                at: stretching::place(bounds, grip),
                role: Role::Handle,
                hovered: self.hovered == Some(grip),
            });
        }
    }

    fn readout(&self) -> Option<Readout> {
        match &self.drag {
            Some(drag) => Some(drag.readout()),
            None => self.missed.map(|reason| Readout {
                text: reason.to_owned(),
                refused: true,
            }),
        }
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        if self.drag.is_some() { SCALING } else { IDLE }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        if self.drag.is_some() || self.hovered.is_some() {
            CursorShape::Move
        } else {
            CursorShape::Default
        }
    }

    fn reset(&mut self) {
        self.drag = None;
        self.missed = None;
        self.hovered = None;
    }

    fn options(&self, cx: &ToolCx<'_>) -> Vec<ToolOption> {
        let nothing = targets::missing(cx);
        let size = if nothing.is_some() {
            DVec3::ZERO
        } else {
            cx.target_bounds.size()
        };
        vec![
            ToolOption::vector(
                "factor",
                "Factors",
                "Scales the selection at once: from its low corner, or about the pivot you set.",
                // Each change is a step: nothing is sent while a number is dragged.
                OptionValue::Mixed([Some(1.0); 3]),
            )
            .unless(nothing),
            ToolOption::vector(
                "size",
                "Size",
                "The size the selection shall have.",
                OptionValue::Mixed(size.to_array().map(Some)),
            )
            .unless(nothing),
        ]
    }

    fn set_option(&mut self, cx: &ToolCx<'_>, id: &'static str, value: OptionValue) -> Outcome {
        match id {
            "factor" => Self::to_size(cx, |size| {
                Some(options::vector_set(DVec3::ONE, &value)? * size)
            }),
            "size" => Self::to_size(cx, |size| options::vector_set(size, &value)),
            _ => Outcome::Ignored,
        }
    }

    fn quantities(&self, cx: &ToolCx<'_>) -> &'static [&'static str] {
        self.drag.as_ref().map_or(&[], |drag| drag.quantities(cx))
    }

    fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        self.drag
            .as_mut()
            .map_or(Outcome::Ignored, |drag| drag.enter(cx, values))
    }
}
