//! What can be set about a sweep, an inset, a bridge in the tool bar.

use glam::DVec3;

use super::LEAST_SCALE;
use super::MOST_REPEATS;
use super::MOST_STEPS;
use super::Mode;
use super::STEP_DEG;
use super::SweepTool;
use crate::editor::tools::ToolCx;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::geometry::sweep::Curve;

const CURVES: &[&str] = &["Auto", "Straight", "Arc", "S-curve"];
const AXES: &[&str] = &["X", "Y", "Z"];

impl SweepTool {
    pub(super) fn list_options(&self, cx: &ToolCx<'_>) -> Vec<ToolOption> {
        let shape = &self.shape;
        let steps = ToolOption::number(
            "steps",
            "Steps",
            "Pieces of one pass; 0 = as many as the curve needs.",
            shape.steps as f64,
            (0.0, MOST_STEPS, 1.0),
            "",
        );
        let curve = match shape.curve {
            None => 0,
            Some(Curve::Straight) => 1,
            Some(Curve::Arc | Curve::Round) => 2,
            Some(Curve::S) => 3,
        };
        let curve = ToolOption::choice("curve", "Path", "How it gets there.", CURVES, curve);
        let apply = ToolOption::button("apply", "Apply", "Makes what is shown (Enter).")
            .unless(self.edit(cx).err());
        match self.mode {
            Mode::Inset => {
                let size = cx.grid.size;
                vec![
                    ToolOption::number(
                        "width",
                        "Width",
                        "Between the edge of the face and the inner face.",
                        shape.width,
                        (0.125, 4096.0, size),
                        "",
                    ),
                    apply,
                ]
            }
            Mode::Bridge => vec![steps, curve, apply],
            Mode::Sweep => self.sweep_options([steps, curve, apply]),
        }
    }

    fn sweep_options(&self, [steps, curve, apply]: [ToolOption; 3]) -> Vec<ToolOption> {
        let shape = &self.shape;
        vec![
            ToolOption::vector(
                "move",
                "Move",
                "Where the far end is, from the faces.",
                OptionValue::Vector(shape.shift),
            ),
            ToolOption::number(
                "angle",
                "Turn",
                "How far the far end is turned.",
                shape.angle_deg,
                (-360.0, 360.0, STEP_DEG),
                "deg",
            ),
            ToolOption::choice(
                "axis",
                "About",
                "The axis it turns about.",
                AXES,
                shape.axis,
            ),
            ToolOption::number(
                "scale",
                "Scale",
                "Size of the far end.",
                shape.scale,
                (LEAST_SCALE, 20.0, 0.25),
                "",
            ),
            steps,
            curve,
            ToolOption::number(
                "repeats",
                "Repeats",
                "Passes, each from where the one before ended.",
                shape.repeats as f64,
                (1.0, MOST_REPEATS, 1.0),
                "",
            ),
            ToolOption::button(
                "bend",
                "Bend",
                "Puts the far end where the arc leaves the face straight on.",
            )
            .unless((shape.angle_deg == 0.0).then_some("Turn the far end first")),
            apply,
        ]
    }

    pub(super) fn set(&mut self, id: &str, value: OptionValue) -> bool {
        let shape = &mut self.shape;
        match (id, value) {
            ("move", OptionValue::Vector(shift)) => shape.shift = shift,
            ("move", OptionValue::Mixed(values)) => {
                for (axis, value) in values.into_iter().enumerate() {
                    shape.shift[axis] = value.unwrap_or(shape.shift[axis]);
                }
            }
            ("angle", OptionValue::Number(angle)) => shape.angle_deg = angle,
            ("axis", OptionValue::Index(axis)) if axis < 3 => shape.axis = axis,
            ("scale", OptionValue::Number(scale)) => shape.scale = scale.max(LEAST_SCALE),
            ("steps", OptionValue::Number(steps)) => {
                shape.steps = steps.clamp(0.0, MOST_STEPS) as usize;
            }
            ("repeats", OptionValue::Number(repeats)) => {
                shape.repeats = repeats.clamp(1.0, MOST_REPEATS) as usize;
            }
            ("width", OptionValue::Number(width)) => shape.width = width,
            ("curve", OptionValue::Index(index)) => {
                shape.curve = match index {
                    1 => Some(Curve::Straight),
                    2 => Some(Curve::Arc),
                    3 => Some(Curve::S),
                    _ => None,
                };
            }
            ("bend", OptionValue::Press) => self.bend(),
            _ => return false,
        }
        true
    }

    /// Puts the ghost where an arc of the same length leaves the face along its normal.
    fn bend(&mut self) {
        let axis = DVec3::AXES[self.shape.axis];
        let (turn, angle) = (self.shape.turn(), self.shape.angle_deg.to_radians());
        let side = axis.cross(self.source.normal) * angle.signum();
        let half = (angle.abs() * 0.5).sin();
        if side.length() < 1e-6 || half < 1e-6 {
            return;
        }
        let radius = self.shape.shift.length() / (2.0 * half);
        let center = side.normalize() * radius;
        self.shape.shift = center - turn * center;
    }
}
