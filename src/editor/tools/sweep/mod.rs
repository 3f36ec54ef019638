//! Carrying faces through space: sweeps, insets, bridges (EXT-5). What is prepared is shown at once; `Enter` makes it a step.

mod handles;
mod settings;

use glam::DQuat;
use glam::DVec2;
use glam::DVec3;

use self::handles::Grip;
use crate::document::Edit;
use crate::document::ObjectId;
use crate::document::SelectionExt as _;
use crate::document::ops;
use crate::document::ops::sweep::Sweep;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::selecting;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolAction;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::hint;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::tools::shortest;
use crate::editor::tools::signed;
use crate::geometry::polygon;
use crate::geometry::sweep::Curve;
use crate::geometry::sweep::Motion;

/// A sweep that is not told its steps bends by at most this much in each.
const STEP_DEG: f64 = 15.0;
/// A bridge that is not told its path is straight up to this bend.
const STRAIGHT_DEG: f64 = 45.0;
/// Steps of an S-curve that is not told.
const S_STEPS: usize = 8;
const MOST_STEPS: f64 = 256.0;
const MOST_REPEATS: f64 = 64.0;
const LEAST_SCALE: f64 = 0.05;

/// What the tool prepares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Sweep,
    Inset,
    Bridge,
}

/// The faces it is about.
#[derive(Clone, Debug, Default)]
struct Source {
    faces: Vec<(ObjectId, u32)>,
    rings: Vec<Vec<DVec3>>,
    center: DVec3,
    normal: DVec3,
}

#[derive(Clone, Debug)]
struct Dragged {
    grip: Grip,
    before: Shape,
    from: DVec2,
    at: DVec2,
    typed: Option<f64>,
}

/// Everything that can be set.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shape {
    shift: DVec3,
    axis: usize,
    angle_deg: f64,
    scale: f64,
    width: f64,
    /// 0 = by itself.
    steps: usize,
    repeats: usize,
    /// `None` = by itself.
    curve: Option<Curve>,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            shift: DVec3::ZERO,
            axis: 1,
            angle_deg: 0.0,
            scale: 1.0,
            width: 0.0,
            steps: 0,
            repeats: 1,
            curve: None,
        }
    }
}

impl Shape {
    fn turn(&self) -> DQuat {
        DQuat::from_axis_angle(DVec3::AXES[self.axis], self.angle_deg.to_radians())
    }
}

/// See the module's text.
#[derive(Default)]
pub(super) struct SweepTool {
    mode: Mode,
    source: Source,
    shape: Shape,
    /// The ghost has been placed for these faces.
    placed: bool,
    dragged: Option<Dragged>,
    refused: Option<String>,
    /// Applied or dropped: nothing is shown until the user changes something.
    waiting: bool,
}

const IDLE: &[Hint] = &[
    hint("Shift+click", "pick a face"),
    hint("Esc", "leave the tool"),
];
const SWEEPING: &[Hint] = &[
    hint("Enter", "apply, again to go on"),
    hint("Drag a handle", "move, turn, scale"),
    hint("0-9", "type the distance"),
    hint("Esc", "leave the tool"),
];
const INSETTING: &[Hint] = &[
    hint("Enter", "apply"),
    hint("Drag", "wider or narrower"),
    hint("0-9", "type the width"),
    hint("Esc", "leave the tool"),
];
const BRIDGING: &[Hint] = &[
    hint("Enter", "apply"),
    hint("0-9", "type the steps"),
    hint("Esc", "leave the tool"),
];
const NO_FACES: &str = "Select faces of brushes first (Shift+click)";
const NOT_TWO: &str = "Select exactly two faces of brushes to bridge (Ctrl+Shift+click adds one)";

impl SweepTool {
    fn curve(&self, cx: &ToolCx<'_>) -> Curve {
        match (self.mode, self.shape.curve) {
            (Mode::Bridge, Some(Curve::Arc)) => Curve::Round,
            (_, Some(curve)) => curve,
            (Mode::Bridge, None) => match self.source.faces[..] {
                [a, b]
                    if self.bridge_angle_deg(cx) <= STRAIGHT_DEG
                        && ops::sweep::face_each_other(cx.doc(), a, b) =>
                {
                    Curve::Straight
                }
                _ => Curve::Round,
            },
            _ if self.shape.angle_deg != 0.0 => Curve::Arc,
            _ => Curve::Straight,
        }
    }

    fn steps(&self, cx: &ToolCx<'_>) -> usize {
        if self.shape.steps > 0 {
            return self.shape.steps;
        }
        let angle = match self.mode {
            Mode::Bridge => self.bridge_angle_deg(cx),
            _ => self.shape.angle_deg.abs(),
        };
        match self.curve(cx) {
            Curve::Straight => 1,
            Curve::S => S_STEPS,
            Curve::Arc | Curve::Round => ((angle / STEP_DEG).ceil() as usize).max(2),
        }
    }

    fn bridge_angle_deg(&self, cx: &ToolCx<'_>) -> f64 {
        let normal = |face: (ObjectId, u32)| {
            polygon::normal(&selecting::face_corners(cx.doc(), face.0, face.1))
        };
        match self.source.faces[..] {
            [a, b] => match (normal(a), normal(b)) {
                (Some(a), Some(b)) => a.dot(-b).clamp(-1.0, 1.0).acos().to_degrees(),
                _ => 0.0,
            },
            _ => 0.0,
        }
    }

    fn motion(&self) -> Motion {
        Motion {
            pivot: self.source.center,
            shift: self.shape.shift,
            turn: self.shape.turn(),
            scale: self.shape.scale,
            normal: self.source.normal,
        }
    }

    fn edit(&self, cx: &ToolCx<'_>) -> Result<Edit, &'static str> {
        let faces = self.source.faces.clone();
        if faces.is_empty() {
            return Err(NO_FACES);
        }
        Ok(match self.mode {
            Mode::Sweep => ops::sweep::sweep_faces(
                faces,
                Sweep {
                    motion: self.motion(),
                    curve: self.curve(cx),
                    steps: self.steps(cx),
                    repeats: self.shape.repeats,
                },
            ),
            Mode::Inset => ops::sweep::inset(faces, self.shape.width),
            Mode::Bridge => match faces[..] {
                [a, b] => ops::sweep::bridge(a, b, self.curve(cx), self.steps(cx)),
                _ => return Err(NOT_TWO),
            },
        })
    }

    /// Shows what is prepared, or why it cannot be.
    fn show(&mut self, cx: &ToolCx<'_>) -> Outcome {
        self.refused = None;
        self.waiting = false;
        match self.tried(cx) {
            Ok(edit) => Outcome::Preview(edit),
            Err(reason) if self.dragged.is_none() => Outcome::refused(reason),
            Err(reason) => {
                self.refused = Some(reason);
                Outcome::Unchanged
            }
        }
    }

    /// The edit, if it works on the committed state.
    fn tried(&self, cx: &ToolCx<'_>) -> Result<Edit, String> {
        let edit = self.edit(cx)?;
        let (mut draft, mut selection) = (cx.doc().edit(), cx.base.selection.clone());
        edit.apply(&mut draft, &mut selection)
            .map_err(|error| error.to_string())?;
        Ok(edit)
    }

    fn apply(&mut self, cx: &ToolCx<'_>) -> Outcome {
        match self.tried(cx) {
            Err(reason) => Outcome::refused(reason),
            Ok(edit) => {
                if self.mode == Mode::Sweep {
                    // The next pass goes on from the far end in the same way.
                    for _ in 0..self.shape.repeats {
                        self.shape.shift = self.shape.turn() * self.shape.shift * self.shape.scale;
                    }
                }
                if self.mode == Mode::Bridge {
                    // The two faces are joined; what is picked next is something new.
                    self.mode = Mode::Sweep;
                }
                self.dragged = None;
                self.waiting = true;
                Outcome::Commit(edit)
            }
        }
    }

    /// Takes over the picked faces. The ghost of a sweep starts a little in front of them.
    fn take_faces(&mut self, cx: &ToolCx<'_>) {
        let faces = cx.base.selection.faces();
        let rings: Vec<Vec<DVec3>> = faces
            .iter()
            .map(|&(id, face)| selecting::face_corners(cx.doc(), id, face))
            .collect();
        let centers: Vec<DVec3> = rings.iter().map(|ring| polygon::centroid(ring)).collect();
        let normals: DVec3 = rings.iter().filter_map(|ring| polygon::normal(ring)).sum();
        self.source = Source {
            center: polygon::mean(&centers).unwrap_or(DVec3::ZERO),
            normal: normals.normalize_or(DVec3::Y),
            faces,
            rings,
        };
        if self.source.faces.is_empty() {
            self.placed = false;
        } else if !self.placed {
            self.placed = true;
            self.shape.shift = self.source.normal * (4.0 * cx.grid.size);
            self.shape.width = cx.grid.size;
        }
    }

    fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        let Some(mut dragged) = self.dragged.take() else {
            return Outcome::Handled;
        };
        dragged.at = at;
        self.shape = dragged.before;
        handles::drag(self, cx, &dragged);
        let is_still = self.shape == dragged.before;
        self.dragged = Some(dragged);
        let outcome = self.show(cx);
        if is_still && self.refused.is_some() {
            return Outcome::Handled;
        }
        outcome
    }
}

impl Tool for SweepTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Sweep
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Hover { .. } | Gesture::Key(_) => Outcome::Ignored,
            Gesture::Click {
                at,
                count,
                modifiers,
            } => {
                if modifiers.is_none() && handles::at(self, cx.view, at).is_some() {
                    return Outcome::Handled;
                }
                super::select::click(cx, at, count, modifiers)
            }
            Gesture::Begin { at, .. } => {
                let grip = match self.mode {
                    _ if self.source.faces.is_empty() => return Outcome::refused(NO_FACES),
                    Mode::Inset => Some(Grip::Width),
                    Mode::Sweep => handles::at(self, cx.view, at),
                    Mode::Bridge => None,
                };
                let Some(grip) = grip else {
                    return Outcome::refused("Drag one of the handles of the ghost");
                };
                self.dragged = Some(Dragged {
                    grip,
                    before: self.shape,
                    from: at,
                    at,
                    typed: None,
                });
                Outcome::Handled
            }
            Gesture::Drag { at } => self.drag(cx, at),
            Gesture::End => {
                self.dragged = None;
                Outcome::Handled
            }
            Gesture::Cancel => {
                if let Some(dragged) = self.dragged.take() {
                    self.shape = dragged.before;
                }
                Outcome::Cancel
            }
        }
    }

    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        handles::overlay(self, cx, out);
    }

    fn readout(&self) -> Option<Readout> {
        if let Some(reason) = &self.refused {
            return Some(Readout {
                text: reason.clone(),
                refused: true,
            });
        }
        let shape = &self.shape;
        let text = match (self.mode, self.dragged.as_ref()?.grip) {
            (Mode::Inset, _) => format!("inset {}", shortest(shape.width)),
            (_, Grip::Turn(_)) => format!("{} deg", signed(shape.angle_deg)),
            (_, Grip::Scale) => format!("x {}", shortest(shape.scale)),
            _ => {
                let DVec3 { x, y, z } = shape.shift;
                format!("{}, {}, {}", signed(x), signed(y), signed(z))
            }
        };
        Some(Readout {
            text,
            refused: false,
        })
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        match self.mode {
            _ if self.source.faces.is_empty() => IDLE,
            Mode::Sweep => SWEEPING,
            Mode::Inset => INSETTING,
            Mode::Bridge => BRIDGING,
        }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Extrude
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn action(&mut self, cx: &ToolCx<'_>, action: ToolAction) -> Outcome {
        match action {
            ToolAction::Apply => self.apply(cx),
            ToolAction::Inset => {
                if self.mode == Mode::Inset {
                    self.shape.width += cx.grid.size;
                }
                self.mode = Mode::Inset;
                self.take_faces(cx);
                self.show(cx)
            }
            ToolAction::Bridge => {
                self.mode = Mode::Bridge;
                self.take_faces(cx);
                if self.source.faces.len() != 2 {
                    return Outcome::refused(NOT_TWO);
                }
                self.show(cx)
            }
            _ => Outcome::Ignored,
        }
    }

    fn options(&self, cx: &ToolCx<'_>) -> Vec<ToolOption> {
        self.list_options(cx)
    }

    fn set_option(&mut self, cx: &ToolCx<'_>, id: &'static str, value: OptionValue) -> Outcome {
        if id == "apply" {
            return self.apply(cx);
        }
        if self.set(id, value) {
            self.show(cx)
        } else {
            Outcome::Ignored
        }
    }

    fn quantities(&self, _cx: &ToolCx<'_>) -> &'static [&'static str] {
        match (self.mode, self.dragged.as_ref().map(|dragged| dragged.grip)) {
            _ if self.source.faces.is_empty() => &[],
            (Mode::Inset, _) => &["Width"],
            (Mode::Bridge, _) => &["Steps"],
            (Mode::Sweep, Some(Grip::Turn(_))) => &["Angle"],
            (Mode::Sweep, Some(Grip::Scale)) => &["Factor"],
            (Mode::Sweep, _) => &["Distance"],
        }
    }

    fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        let typed = values.first().copied().flatten();
        if let Some(dragged) = &mut self.dragged {
            dragged.typed = typed;
            let at = dragged.at;
            return self.drag(cx, at);
        }
        if let Some(typed) = typed {
            match self.mode {
                Mode::Inset => self.shape.width = typed,
                Mode::Bridge => self.shape.steps = typed.clamp(1.0, MOST_STEPS) as usize,
                Mode::Sweep => self.shape.shift = self.source.normal * typed,
            }
        }
        self.show(cx)
    }

    fn follow(&mut self, cx: &ToolCx<'_>) -> Outcome {
        self.take_faces(cx);
        self.refused = None;
        if self.source.faces.is_empty() || self.waiting {
            return Outcome::Ignored;
        }
        self.show(cx)
    }

    fn step_back(&mut self, _cx: &ToolCx<'_>) -> Option<Outcome> {
        if self.source.faces.is_empty() || self.waiting {
            return None;
        }
        self.waiting = true;
        self.refused = None;
        Some(Outcome::Unchanged)
    }
}
