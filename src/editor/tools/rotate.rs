//! Turning the selection by rings about the pivot (ROT-2, ROT-3).

use glam::DVec2;
use glam::DVec3;

use crate::editor::input::Modifiers;
use crate::editor::overlay::Handle;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::snapping;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolAction;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::carrying;
use crate::editor::tools::carrying::Carry;
use crate::editor::tools::hint;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::tools::shortest;
use crate::editor::tools::targets;
use crate::editor::tools::targets::Stage;
use crate::editor::tools::targets::Targets;
use crate::editor::tools::turning;
use crate::editor::tools::turning::Axis;
use crate::editor::tools::turning::HANDLE_REACH;
use crate::editor::tools::turning::Turn;

const AXIS_NAMES: &[&str] = &["X", "Y", "Z"];

/// What can be grabbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grip {
    Pivot,
    Ring(usize),
}

/// The pivot on its way.
#[derive(Clone, Debug)]
struct PivotDrag {
    carry: Carry,
    /// The pivot that the user had set before.
    before: Option<DVec3>,
    now: DVec3,
}

#[derive(Default)]
enum Drag {
    #[default]
    Idle,
    Turn(Box<Turn>),
    Pivot(Box<PivotDrag>),
    /// Begun where nothing can be dragged, for this reason.
    Nothing(&'static str),
}

/// See the module's text.
pub(crate) struct RotateTool {
    /// What dragged angles snap to.
    step_deg: f64,
    /// The angle of Apply and of the quarter-turn keys.
    pub angle_deg: f64,
    axis: usize,
    drag: Drag,
    hovered: Option<Grip>,
}

impl Default for RotateTool {
    fn default() -> Self {
        Self {
            step_deg: 15.0,
            angle_deg: 15.0,
            axis: 1,
            drag: Drag::Idle,
            hovered: None,
        }
    }
}

const IDLE: &[Hint] = &[
    hint("Drag a ring", "turn"),
    hint("Drag the middle", "move the pivot"),
    hint("Alt+arrows", "turn by the angle"),
    hint("Enter", "apply the angle"),
    hint("Esc", "leave the tool"),
];
const TURNING: &[Hint] = &[
    hint("Shift", "90 degrees"),
    hint("Ctrl", "1 degree"),
    hint("G", "any angle"),
    hint("0-9", "type it"),
    hint("Esc", "cancel"),
];
const PIVOTING: &[Hint] = &[
    hint("Alt", "up and down"),
    hint("Shift", "one axis"),
    hint("V E F", "onto geometry"),
    hint("Esc", "cancel"),
];
const CANNOT_DRAG: &str = "Drag one of the rings, or the pivot in their middle";

/// Indices of the rings of a view: one in 2D.
fn rings(cx: &ToolCx<'_>) -> Vec<usize> {
    match carrying::across(cx) {
        Some(axis) => vec![axis],
        None => vec![0, 1, 2],
    }
}

impl RotateTool {
    fn grip(cx: &ToolCx<'_>, at: DVec2) -> Option<Grip> {
        if targets::missing(cx).is_some() {
            return None;
        }
        if cx
            .view
            .project(cx.pivot)
            .is_some_and(|(place, _)| place.distance(at) <= HANDLE_REACH)
        {
            return Some(Grip::Pivot);
        }
        rings(cx)
            .into_iter()
            .filter_map(|axis| {
                let distance = turning::ring_distance(cx.view, cx.pivot, DVec3::AXES[axis], at)?;
                (distance <= HANDLE_REACH).then_some((distance, axis))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, axis)| Grip::Ring(axis))
    }

    fn begin(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        let reason = targets::missing(cx).unwrap_or(CANNOT_DRAG);
        self.drag = Drag::Nothing(reason);
        match Self::grip(cx, at) {
            Some(Grip::Ring(axis)) => match Turn::new(cx, at, Axis::world(axis)) {
                Some(turn) => {
                    self.axis = axis;
                    self.drag = Drag::Turn(Box::new(turn));
                    Outcome::Handled
                }
                None => Outcome::refused(targets::NOTHING),
            },
            Some(Grip::Pivot) => {
                self.drag = Drag::Pivot(Box::new(PivotDrag {
                    carry: Carry::new(cx, at, cx.pivot),
                    before: cx.user_pivot,
                    now: cx.pivot,
                }));
                Outcome::Handled
            }
            None => Outcome::refused(reason),
        }
    }

    fn step(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        match &mut self.drag {
            Drag::Idle => Outcome::Ignored,
            Drag::Nothing(_) => Outcome::Handled,
            Drag::Turn(turn) => turn.drag(cx, at, self.step_deg),
            Drag::Pivot(drag) => {
                drag.carry.follow(cx, at);
                let free = if cx.modifiers.shift {
                    carrying::only(drag.carry.free, drag.carry.largest())
                } else {
                    drag.carry.free
                };
                let target = snapping::snapped_point(cx, at).map(|mut point| {
                    if let Some(across) = drag.carry.across {
                        point[across] = drag.carry.grab[across];
                    }
                    point
                });
                drag.now = target.unwrap_or_else(|| drag.carry.grab + cx.grid.snap_delta(free));
                Outcome::Pivot(Some(drag.now))
            }
        }
    }

    /// Turns by the field's angle about the field's axis.
    fn apply(&self, cx: &ToolCx<'_>) -> Outcome {
        let Some(targets) = Targets::of(cx) else {
            return Outcome::refused(targets::NOTHING);
        };
        if self.angle_deg == 0.0 {
            return Outcome::refused("The angle is zero");
        }
        let map = Axis::world(self.axis).turn(cx.pivot, self.angle_deg);
        Outcome::Commit(targets.turned("Rotate", map, Stage::Commit))
    }
}

impl Tool for RotateTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Rotate
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
            Gesture::Begin { at, .. } => match self.begin(cx, at) {
                Outcome::Handled => self.step(cx, at),
                other => other,
            },
            Gesture::Drag { at } => self.step(cx, at),
            Gesture::End => match std::mem::take(&mut self.drag) {
                Drag::Turn(turn) => turn.end(),
                _ => Outcome::Handled,
            },
            Gesture::Cancel => match std::mem::take(&mut self.drag) {
                Drag::Pivot(drag) => Outcome::Pivot(drag.before),
                _ => Outcome::Cancel,
            },
            Gesture::Key(_) => Outcome::Ignored,
        }
    }

    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        if let Drag::Turn(turn) = &self.drag {
            return turn.overlay(cx, out);
        }
        if targets::missing(cx).is_some() {
            return;
        }
        for axis in rings(cx) {
            let width = if self.hovered == Some(Grip::Ring(axis)) {
                3.0
            } else {
                1.5
            };
            let role = turning::AXIS_ROLES[axis];
            turning::ring_lines(cx.view, cx.pivot, DVec3::AXES[axis], role, width, out);
        }
        out.handles.push(Handle {
            at: cx.pivot,
            role: Role::Handle,
            hovered: self.hovered == Some(Grip::Pivot),
        });
    }

    fn readout(&self) -> Option<Readout> {
        match &self.drag {
            Drag::Idle => None,
            Drag::Turn(turn) => Some(turn.readout()),
            Drag::Pivot(drag) => {
                let [x, y, z] = drag.now.to_array().map(shortest);
                Some(Readout {
                    text: format!("pivot {x}, {y}, {z}"),
                    refused: false,
                })
            }
            Drag::Nothing(reason) => Some(Readout {
                text: (*reason).to_owned(),
                refused: true,
            }),
        }
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        match &self.drag {
            Drag::Turn(_) => TURNING,
            Drag::Pivot(_) => PIVOTING,
            Drag::Idle | Drag::Nothing(_) => IDLE,
        }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        match (&self.drag, self.hovered) {
            (Drag::Turn(_) | Drag::Pivot(_), _) | (Drag::Idle, Some(_)) => CursorShape::Move,
            _ => CursorShape::Default,
        }
    }

    fn reset(&mut self) {
        self.drag = Drag::Idle;
        self.hovered = None;
    }

    fn action(&mut self, cx: &ToolCx<'_>, action: ToolAction) -> Outcome {
        match action {
            ToolAction::Apply => self.apply(cx),
            _ => Outcome::Ignored,
        }
    }

    fn options(&self, cx: &ToolCx<'_>) -> Vec<ToolOption> {
        let nothing = targets::missing(cx);
        vec![
            ToolOption::number(
                "step",
                "Snap",
                "Dragged angles are multiples of this; Shift 90, Ctrl 1 degree.",
                self.step_deg,
                (0.001, 180.0, 0.5),
                "deg",
            ),
            ToolOption::number(
                "angle",
                "Angle",
                "The angle of Apply and of the quarter-turn keys while this tool is in hand.",
                self.angle_deg,
                (-360.0, 360.0, 0.5),
                "deg",
            ),
            ToolOption::choice("axis", "Axis", "The axis of Apply.", AXIS_NAMES, self.axis),
            ToolOption::button("apply", "Apply", "Turns the selection about the pivot.")
                .unless(nothing),
            ToolOption::toggle(
                "entities",
                "Turn entities",
                "Turned entities also change the way they face.",
                cx.turn_entities,
            ),
            ToolOption::button(
                "pivot",
                "Reset pivot",
                "Puts the pivot back into the middle of the selection.",
            )
            .unless(
                cx.user_pivot
                    .is_none()
                    .then_some("The pivot is in the middle of the selection"),
            ),
        ]
    }

    fn set_option(&mut self, cx: &ToolCx<'_>, id: &'static str, value: OptionValue) -> Outcome {
        match (id, value) {
            ("step", OptionValue::Number(step)) if step > 0.0 => self.step_deg = step.min(180.0),
            ("angle", OptionValue::Number(angle)) if angle.is_finite() => {
                self.angle_deg = angle.clamp(-360.0, 360.0);
            }
            ("axis", OptionValue::Index(axis)) if axis < 3 => self.axis = axis,
            ("apply", OptionValue::Press) => return self.apply(cx),
            ("entities", OptionValue::Flag(_)) => return Outcome::Run("transform.turn_entities"),
            ("pivot", OptionValue::Press) => return Outcome::Pivot(None),
            _ => return Outcome::Ignored,
        }
        Outcome::Handled
    }

    fn quantities(&self, _cx: &ToolCx<'_>) -> &'static [&'static str] {
        if matches!(self.drag, Drag::Turn(_)) {
            &["Angle"]
        } else {
            &[]
        }
    }

    fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        match &mut self.drag {
            Drag::Turn(turn) => turn.enter(cx, values, self.step_deg),
            _ => Outcome::Ignored,
        }
    }
}
