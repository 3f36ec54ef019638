//! Measuring distances and angles (MEAS-1).

use glam::DVec2;
use glam::DVec3;

use crate::editor::overlay::Handle;
use crate::editor::overlay::Label;
use crate::editor::overlay::Line;
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
use crate::editor::tools::hint;
use crate::editor::tools::meet_drag_plane;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::tools::shortest;
use crate::editor::tools::signed;
use crate::geometry::projection_axis;

/// Where nothing is under the pointer, points lie this far ahead.
const AHEAD: f64 = 256.0;

/// From one point to another.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    from: DVec3,
    to: DVec3,
    /// It goes on from the one before.
    chained: bool,
}

/// See the module's text. Its lines stay until they are cleared, also while other tools are in hand.
#[derive(Default)]
pub(crate) struct MeasureTool {
    done: Vec<Segment>,
    running: Option<Segment>,
}

const IDLE: &[Hint] = &[
    hint("Drag", "measure"),
    hint("Shift+drag", "go on from the last point"),
    hint("Del", "the last line"),
    hint("Esc", "leave the tool"),
];
const DRAGGING: &[Hint] = &[
    hint("V E F", "onto geometry"),
    hint("G", "no grid"),
    hint("Esc", "cancel"),
];

impl Segment {
    fn delta(&self) -> DVec3 {
        self.to - self.from
    }

    /// Between this line and the one it goes on from, where both leave their common point: 180 is straight on.
    fn angle_deg(&self, before: &Self) -> Option<f64> {
        let (back, on) = (-before.delta(), self.delta());
        let lengths = back.length() * on.length();
        (lengths > 0.0).then(|| back.angle_between(on).to_degrees())
    }
}

/// A point under the pointer: what the snap keys find, the surface there on its grid, the grid of a 2D view.
fn point_at(cx: &ToolCx<'_>, at: DVec2, near: Option<DVec3>) -> DVec3 {
    if let Some(point) = snapping::snapped_point(cx, at) {
        return point;
    }
    if cx.view.is_2d() {
        let axis = projection_axis(cx.view.forward());
        let mut flat = cx.ray(at).origin;
        flat[axis] = 0.0;
        let mut point = cx.grid.snap(flat);
        point[axis] = near.map_or(0.0, |near| near[axis]);
        return point;
    }
    if let Some(hit) = (cx.pick)(at)
        && let Some(normal) = hit.normal.try_normalize()
    {
        return snapping::on_face(&cx.grid, hit.point, normal);
    }
    let ahead = near
        .and_then(|near| meet_drag_plane(cx.view, cx.ray(at), near, DVec3::Y))
        .unwrap_or_else(|| cx.ray(at).at(AHEAD));
    cx.grid.snap(ahead)
}

impl MeasureTool {
    fn text(&self, segment: &Segment) -> String {
        let delta = segment.delta();
        let mut text = format!(
            "{}  ({}, {}, {})",
            shortest(delta.length()),
            signed(delta.x),
            signed(delta.y),
            signed(delta.z)
        );
        let before = self.before(segment);
        if let Some(angle_deg) = before.and_then(|before| segment.angle_deg(&before)) {
            text.push_str(&format!("  {} deg", shortest(angle_deg)));
        }
        text
    }

    /// The line that a chained one goes on from.
    fn before(&self, segment: &Segment) -> Option<Segment> {
        let index = self.done.iter().position(|known| known == segment);
        let before = match index {
            Some(index) => index.checked_sub(1).map(|index| self.done[index]),
            None => self.done.last().copied(),
        };
        before.filter(|_| segment.chained)
    }

    fn step(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        let Some(from) = self.running.as_ref().map(|segment| segment.from) else {
            return Outcome::Ignored;
        };
        let to = point_at(cx, at, Some(from));
        if let Some(segment) = &mut self.running {
            segment.to = to;
        }
        Outcome::Handled
    }

    /// The lines that are there, for drawing them whatever tool is in hand.
    pub fn draw(&self, out: &mut Overlay) {
        for segment in self.done.iter().chain(&self.running) {
            let (from, to) = (segment.from, segment.to);
            let line = |from: DVec3, to: DVec3, role: Role, width: f32| Line {
                from,
                to,
                role,
                width,
                through: true,
                arrow: false,
                dashed: role != Role::Guide,
            };
            out.lines.push(line(from, to, Role::Guide, 2.0));
            // The way along the axes, where it is another one.
            let delta = segment.delta();
            let corner = DVec3::new(to.x, from.y, from.z);
            let second = DVec3::new(to.x, from.y, to.z);
            if [delta.x, delta.y, delta.z]
                .iter()
                .filter(|d| **d != 0.0)
                .count()
                > 1
            {
                for (a, b, role) in [
                    (from, corner, Role::AxisX),
                    (corner, second, Role::AxisZ),
                    (second, to, Role::AxisY),
                ] {
                    if a != b {
                        out.lines.push(line(a, b, role, 1.0));
                    }
                }
            }
            out.labels.push(Label {
                at: from.midpoint(to),
                text: self.text(segment),
                role: Role::Guide,
            });
        }
    }

    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    pub fn clear(&mut self) {
        self.done.clear();
    }

    /// All lines as points, a chained one beginning where the last ended: for the settings of the map.
    pub fn lines(&self) -> Vec<[f64; 7]> {
        let number = |chained: bool| if chained { 1.0 } else { 0.0 };
        self.done
            .iter()
            .map(|segment| {
                let (a, b) = (segment.from, segment.to);
                [a.x, a.y, a.z, b.x, b.y, b.z, number(segment.chained)]
            })
            .collect()
    }

    /// Lines kept by [`MeasureTool::lines`].
    pub fn set_lines(&mut self, lines: &[[f64; 7]]) {
        self.done = lines
            .iter()
            .filter(|line| line.iter().all(|value| value.is_finite()))
            .map(|line| Segment {
                from: DVec3::new(line[0], line[1], line[2]),
                to: DVec3::new(line[3], line[4], line[5]),
                chained: line[6] != 0.0,
            })
            .collect();
    }
}

impl Tool for MeasureTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Measure
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Click {
                at,
                count,
                modifiers,
            } => super::select::click(cx, at, count, modifiers),
            Gesture::Begin { at, modifiers } => {
                let last = self.done.last().map(|segment| segment.to);
                let chained = modifiers.shift && last.is_some();
                let from = last
                    .filter(|_| chained)
                    .unwrap_or_else(|| point_at(cx, at, last));
                self.running = Some(Segment {
                    from,
                    to: from,
                    chained,
                });
                self.step(cx, at)
            }
            Gesture::Drag { at } => self.step(cx, at),
            Gesture::End => {
                let made = self.running.take();
                self.done
                    .extend(made.filter(|segment| segment.from != segment.to));
                Outcome::Handled
            }
            Gesture::Cancel => {
                self.running = None;
                Outcome::Cancel
            }
            Gesture::Hover { .. } | Gesture::Key(_) => Outcome::Ignored,
        }
    }

    fn overlay(&self, _cx: &ToolCx<'_>, out: &mut Overlay) {
        self.draw(out);
        let all = self.done.iter().chain(&self.running);
        out.handles.extend(
            all.flat_map(|segment| [segment.from, segment.to])
                .map(|at| Handle {
                    at,
                    role: Role::Handle,
                    hovered: false,
                }),
        );
    }

    fn readout(&self) -> Option<Readout> {
        self.running.as_ref().map(|segment| Readout {
            text: self.text(segment),
            refused: false,
        })
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        if self.running.is_some() {
            DRAGGING
        } else {
            IDLE
        }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Crosshair
    }

    fn reset(&mut self) {
        // What was measured stays until it is cleared.
        self.running = None;
    }

    fn action(&mut self, _cx: &ToolCx<'_>, action: ToolAction) -> Outcome {
        if action == ToolAction::Delete && self.done.pop().is_some() {
            Outcome::Handled
        } else {
            Outcome::Ignored
        }
    }

    fn options(&self, _cx: &ToolCx<'_>) -> Vec<ToolOption> {
        let empty = self
            .done
            .is_empty()
            .then_some("Nothing has been measured yet");
        let total: f64 = self
            .done
            .iter()
            .map(|segment| segment.delta().length())
            .sum();
        let mut out = vec![
            ToolOption::button("clear", "Clear", "Takes all measured lines away.").unless(empty),
        ];
        if self.done.len() > 1 {
            out.push(
                ToolOption::number(
                    "total",
                    "Total",
                    "Length of all lines together.",
                    total,
                    (0.0, f64::MAX, 0.001),
                    "",
                )
                .unless(Some("It is the sum of the lines")),
            );
        }
        out
    }

    fn set_option(&mut self, _cx: &ToolCx<'_>, id: &'static str, _value: OptionValue) -> Outcome {
        if id == "clear" {
            self.clear();
            Outcome::Handled
        } else {
            Outcome::Ignored
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meas_1_lines_come_back_from_the_settings() {
        let mut tool = MeasureTool::default();
        let lines = [
            [0.0, 0.0, 0.0, 3.0, 4.0, 0.0, 0.0],
            [3.0, 4.0, 0.0, 3.0, 4.0, 12.0, 1.0],
        ];
        tool.set_lines(&lines);
        assert_eq!(tool.lines(), lines);
        assert_eq!(tool.text(&tool.done[0]), "5  (+3, +4, 0)");
        assert_eq!(tool.text(&tool.done[1]), "12  (0, 0, +12)  90 deg");
        tool.set_lines(&[[f64::NAN; 7]]);
        assert!(tool.lines().is_empty());
    }
}
