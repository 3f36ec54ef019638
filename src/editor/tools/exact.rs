//! Moving, turning and scaling by typed numbers, with a live preview (MOV-6).

use glam::DAffine3;
use glam::DMat3;
use glam::DVec3;

use crate::document::Kind;
use crate::document::Selection;
use crate::editor::overlay::Handle;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolAction;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::hint;
use crate::editor::tools::options;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::tools::shortest;
use crate::editor::tools::signed;
use crate::editor::tools::targets;
use crate::editor::tools::targets::Stage;
use crate::editor::tools::targets::Targets;
use crate::geometry::transform::about;
use crate::geometry::transform::rotation_about_axis_deg;

const WAYS: &[&str] = &["By offset", "To position"];

/// What the fields say.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fields {
    /// The move is a place to go to, not a difference.
    absolute: bool,
    offset: DVec3,
    /// Degrees about X, Y and Z, in this order.
    turn_deg: DVec3,
    scale: DVec3,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            absolute: false,
            offset: DVec3::ZERO,
            turn_deg: DVec3::ZERO,
            scale: DVec3::ONE,
        }
    }
}

impl Fields {
    fn is_nothing(&self) -> bool {
        let Self {
            offset,
            turn_deg,
            scale,
            ..
        } = *self;
        offset == DVec3::ZERO && turn_deg == DVec3::ZERO && scale == DVec3::ONE
    }

    /// Scaled, then turned about the point, then moved.
    fn map(&self, point: DVec3) -> DAffine3 {
        let turn = (0..3).fold(DMat3::IDENTITY, |turn, axis| {
            rotation_about_axis_deg(axis, self.turn_deg[axis]) * turn
        });
        let linear = turn * DMat3::from_diagonal(self.scale);
        if linear == DMat3::IDENTITY {
            DAffine3::from_translation(self.offset)
        } else {
            DAffine3::from_translation(self.offset) * about(point, linear)
        }
    }
}

/// See the module's text.
#[derive(Default)]
pub(super) struct ExactTool {
    fields: Fields,
    /// What the fields are about: another selection starts anew.
    selection: Selection,
}

const IDLE: &[Hint] = &[
    hint("Enter", "apply"),
    hint("0-9", "type the move"),
    hint("Esc", "drop"),
];

/// The point that is moved to a position and stays under turns: the origin of a single point entity, else the pivot.
fn reference(cx: &ToolCx<'_>) -> DVec3 {
    if let Some(pivot) = cx.user_pivot {
        return pivot;
    }
    let mut picks = cx.base.selection.iter();
    if let (Some(pick), None) = (picks.next(), picks.next())
        && let Some(Kind::Entity(entity)) =
            cx.doc().object(pick.object()).map(|object| &object.kind)
        && cx.doc().children(Some(pick.object())).next().is_none()
    {
        return entity.origin;
    }
    cx.pivot
}

impl ExactTool {
    fn made(&self, cx: &ToolCx<'_>, stage: Stage) -> Outcome {
        let Some(targets) = Targets::of(cx) else {
            return Outcome::refused(targets::NOTHING);
        };
        if self.fields.scale.min_element() <= 0.0 {
            return Outcome::refused("Factors are above zero; Flip mirrors");
        }
        if self.fields.is_nothing() {
            return Outcome::Unchanged;
        }
        let map = self.fields.map(reference(cx));
        if let Some(stop) = targets.stop(cx.doc(), &map) {
            return Outcome::refused(stop.to_string());
        }
        Outcome::Preview(targets.turned("Move exactly", map, stage))
    }

    fn apply(&mut self, cx: &ToolCx<'_>) -> Outcome {
        let outcome = self.made(cx, Stage::Commit);
        match outcome {
            Outcome::Preview(edit) => {
                self.fields = Fields {
                    absolute: self.fields.absolute,
                    ..Fields::default()
                };
                Outcome::Commit(edit)
            }
            Outcome::Unchanged => Outcome::refused("Nothing to apply: all fields are as they were"),
            other => other,
        }
    }
}

impl Tool for ExactTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Exact
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Click {
                at,
                count,
                modifiers,
            } => super::select::click(cx, at, count, modifiers),
            Gesture::Begin { .. } => {
                Outcome::refused("Type the numbers into the tool bar; Enter applies, Esc drops")
            }
            // The preview of the fields stays.
            _ => Outcome::Handled,
        }
    }

    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        if targets::missing(cx).is_none() {
            out.handles.push(Handle {
                at: reference(cx),
                role: Role::Handle,
                hovered: false,
            });
        }
    }

    fn readout(&self) -> Option<Readout> {
        let Fields {
            offset,
            turn_deg,
            scale,
            ..
        } = self.fields;
        let [x, y, z] = offset.to_array().map(signed);
        let mut text = format!("{x}, {y}, {z}");
        if turn_deg != DVec3::ZERO {
            let [a, b, c] = turn_deg.to_array().map(shortest);
            text.push_str(&format!("; {a}, {b}, {c} deg"));
        }
        if scale != DVec3::ONE {
            let [a, b, c] = scale.to_array().map(shortest);
            text.push_str(&format!("; x {a}, {b}, {c}"));
        }
        Some(Readout {
            text,
            refused: false,
        })
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        IDLE
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Default
    }

    fn reset(&mut self) {
        self.fields = Fields::default();
    }

    fn action(&mut self, cx: &ToolCx<'_>, action: ToolAction) -> Outcome {
        match action {
            ToolAction::Apply => self.apply(cx),
            _ => Outcome::Ignored,
        }
    }

    fn options(&self, cx: &ToolCx<'_>) -> Vec<ToolOption> {
        let nothing = targets::missing(cx);
        let shown = if self.fields.absolute {
            reference(cx) + self.fields.offset
        } else {
            self.fields.offset
        };
        let vector = |id, label, help, value| {
            ToolOption::vector(id, label, help, OptionValue::Vector(value)).unless(nothing)
        };
        vec![
            ToolOption::choice(
                "way",
                "Move",
                "Whether the move is a difference, or the place that the pivot goes to.",
                WAYS,
                usize::from(self.fields.absolute),
            ),
            vector("move", "", "Units along X, Y and Z.", shown),
            vector(
                "turn",
                "Turn",
                "Degrees about X, Y and Z, in this order, about the pivot.",
                self.fields.turn_deg,
            ),
            vector(
                "scale",
                "Scale",
                "Factors along X, Y and Z, about the pivot.",
                self.fields.scale,
            ),
            ToolOption::button("apply", "Apply", "Makes it a step (Enter).").unless(nothing),
            ToolOption::button("reset", "Reset", "All fields as they were.").unless(nothing),
        ]
    }

    fn set_option(&mut self, cx: &ToolCx<'_>, id: &'static str, value: OptionValue) -> Outcome {
        let fields = &mut self.fields;
        let point = reference(cx);
        match (id, &value) {
            ("way", OptionValue::Index(way)) => {
                fields.absolute = *way == 1;
                return Outcome::Handled;
            }
            ("apply", OptionValue::Press) => return self.apply(cx),
            ("reset", OptionValue::Press) => {
                let absolute = fields.absolute;
                *fields = Fields {
                    absolute,
                    ..Fields::default()
                };
            }
            ("move", value) => {
                let from = if fields.absolute { point } else { DVec3::ZERO };
                match options::vector_set(from + fields.offset, value) {
                    Some(set) => fields.offset = set - from,
                    None => return Outcome::refused("This is no number"),
                }
            }
            ("turn", value) => match options::vector_set(fields.turn_deg, value) {
                Some(set) => fields.turn_deg = set,
                None => return Outcome::refused("This is no number"),
            },
            ("scale", value) => match options::vector_set(fields.scale, value) {
                Some(set) if set.min_element() > 0.0 => fields.scale = set,
                Some(_) => return Outcome::refused("Factors are above zero; Flip mirrors"),
                None => return Outcome::refused("This is no number"),
            },
            _ => return Outcome::Ignored,
        }
        self.made(cx, Stage::Preview)
    }

    fn quantities(&self, cx: &ToolCx<'_>) -> &'static [&'static str] {
        if targets::missing(cx).is_some() {
            &[]
        } else {
            &["X", "Y", "Z"]
        }
    }

    fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        let from = if self.fields.absolute {
            reference(cx)
        } else {
            DVec3::ZERO
        };
        for axis in 0..3 {
            self.fields.offset[axis] = values
                .get(axis)
                .copied()
                .flatten()
                .map_or(0.0, |value| value - from[axis]);
        }
        self.made(cx, Stage::Preview)
    }

    fn step_back(&mut self, _cx: &ToolCx<'_>) -> Option<Outcome> {
        if self.fields.is_nothing() {
            return None;
        }
        self.reset();
        Some(Outcome::Cancel)
    }

    fn follow(&mut self, cx: &ToolCx<'_>) -> Outcome {
        if self.selection == cx.base.selection {
            return Outcome::Ignored;
        }
        self.selection.clone_from(&cx.base.selection);
        self.reset();
        Outcome::Unchanged
    }
}
