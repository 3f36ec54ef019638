//! Many copies at once: each moved, turned and scaled once more than the one before, or along a drawn path (DUP-2).

use glam::DAffine3;
use glam::DMat3;
use glam::DVec3;

use crate::document::Edit;
use crate::document::ops;
use crate::editor::commands::SelectionClass;
use crate::editor::edits;
use crate::editor::overlay::Handle;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::selecting;
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
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::tools::options::vector_set;
use crate::editor::tools::targets;
use crate::geometry::projection_axis;
use crate::geometry::transform::about;

const MOST_COPIES: f64 = 256.0;

const NOTHING: &str = "Select the objects to copy first";
const CLICKS: &str =
    "Type numbers into the tool bar, or click the points of a path; Enter makes the copies";

/// See the module's text.
pub(super) struct ArrayTool {
    count: usize,
    /// `None`: as wide as the selection, along X.
    offset: Option<DVec3>,
    rotation_deg: f64,
    axis: usize,
    scale: f64,
    /// Points of the path after its start, the pivot.
    path: Vec<DVec3>,
    turns_along: bool,
    /// Dropped or applied: nothing is shown until something is set again.
    rests: bool,
}

impl Default for ArrayTool {
    fn default() -> Self {
        Self {
            count: 3,
            offset: None,
            rotation_deg: 0.0,
            axis: 1,
            scale: 1.0,
            path: Vec::new(),
            turns_along: false,
            rests: false,
        }
    }
}

const HINTS: &[Hint] = &[
    hint("Click", "a point of a path"),
    hint("Enter", "make the copies"),
    hint("Del", "the last point"),
    hint("Esc", "drop them"),
];

impl ArrayTool {
    fn offset(&self, cx: &ToolCx<'_>) -> DVec3 {
        self.offset.unwrap_or_else(|| {
            let bounds = selecting::bounds(cx.base, cx.definitions);
            let width = if bounds.is_empty() {
                0.0
            } else {
                bounds.size().x
            };
            DVec3::X
                * (cx.grid.up(DVec3::splat(width) + cx.grid.origin) - cx.grid.origin)
                    .x
                    .max(cx.grid.least_extent())
        })
    }

    /// The map of each copy.
    fn maps(&self, cx: &ToolCx<'_>) -> Vec<DAffine3> {
        let offset = self.offset(cx);
        (1..=self.count)
            .map(|index| {
                let times = index as f64;
                let mut turn = DMat3::from_axis_angle(
                    DVec3::AXES[self.axis],
                    (self.rotation_deg * times).to_radians(),
                );
                // Quarter turns are exact.
                let quarters = self.rotation_deg * times / 90.0;
                if quarters.fract() == 0.0 {
                    turn = crate::geometry::quarter_turns(self.axis, quarters as i32);
                }
                let mut delta = offset * times;
                if !self.path.is_empty() {
                    let (point, yaw) = self.along(cx.pivot, times / self.count as f64);
                    delta = point - cx.pivot;
                    if self.turns_along {
                        turn = DMat3::from_rotation_y(yaw) * turn;
                    }
                }
                let grown = turn * DMat3::from_diagonal(DVec3::splat(self.scale.powf(times)));
                DAffine3::from_translation(delta) * about(cx.pivot, grown)
            })
            .collect()
    }

    /// The point at a part of the path's length, and how far its direction has turned about Y since the start.
    fn along(&self, start: DVec3, part: f64) -> (DVec3, f64) {
        let mut points = vec![start];
        points.extend(&self.path);
        let total: f64 = points
            .windows(2)
            .map(|pair| pair[0].distance(pair[1]))
            .sum();
        let heading = |way: DVec3| f64::atan2(-way.z, way.x);
        let first = heading(points[1] - points[0]);
        let mut left = total * part;
        for pair in points.windows(2) {
            let way = pair[1] - pair[0];
            let length = way.length();
            if left <= length + 1e-9 && length > 0.0 {
                return (pair[0] + way * (left / length), heading(way) - first);
            }
            left -= length;
        }
        (points[points.len() - 1], 0.0)
    }

    fn edit(&self, cx: &ToolCx<'_>) -> Option<Edit> {
        if cx.selection_class() != SelectionClass::Objects {
            return None;
        }
        let ids = edits::roots(cx.doc(), &cx.base.selection);
        let links = cx.definitions.link_keys();
        let orientation = targets::orientation(cx.base, cx.definitions, cx.turn_entities);
        Some(ops::objects::array(
            ids,
            self.maps(cx),
            cx.lock,
            orientation,
            links,
        ))
    }

    fn shown(&self, cx: &ToolCx<'_>) -> Outcome {
        if self.rests {
            return Outcome::Unchanged;
        }
        self.edit(cx).map_or(Outcome::Unchanged, Outcome::Preview)
    }
}

impl Tool for ArrayTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Array
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        let (at, modifiers, count) = match gesture {
            Gesture::Click {
                at,
                modifiers,
                count,
            } => (at, modifiers, count),
            Gesture::Begin { .. } => return Outcome::refused(CLICKS),
            _ => return Outcome::Ignored,
        };
        if !modifiers.is_none() || cx.selection_class() != SelectionClass::Objects {
            return super::select::click(cx, at, count, modifiers);
        }
        let last = self.path.last().copied().unwrap_or(cx.pivot);
        let point = if cx.view.is_2d() {
            let axis = projection_axis(cx.view.forward());
            let mut point = cx.grid.snap(cx.ray(at).origin);
            point[axis] = last[axis];
            point
        } else {
            let Some(hit) = (cx.pick)(at) else {
                return Outcome::refused("There is no surface here to put a point of the path on");
            };
            snapping::on_face(&cx.grid, hit.point, hit.normal.normalize_or(DVec3::Y))
        };
        if point != last {
            self.path.push(point);
        }
        self.rests = false;
        self.shown(cx)
    }

    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        let mut from = cx.pivot;
        for &to in &self.path {
            out.lines.push(Line {
                from,
                to,
                role: Role::Guide,
                width: 2.0,
                through: true,
                arrow: true,
                dashed: false,
            });
            out.handles.push(Handle {
                at: to,
                role: Role::Handle,
                hovered: false,
            });
            from = to;
        }
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
        // The numbers stay for the next time.
        self.path.clear();
        self.offset = None;
        self.rests = false;
    }

    fn action(&mut self, cx: &ToolCx<'_>, action: ToolAction) -> Outcome {
        match action {
            ToolAction::Apply => match self.edit(cx) {
                Some(edit) => {
                    self.rests = true;
                    self.path.clear();
                    Outcome::Commit(edit)
                }
                None => Outcome::refused(NOTHING),
            },
            ToolAction::Delete if !self.path.is_empty() => {
                self.path.pop();
                self.shown(cx)
            }
            _ => Outcome::Ignored,
        }
    }

    fn options(&self, cx: &ToolCx<'_>) -> Vec<ToolOption> {
        let nothing = (cx.selection_class() != SelectionClass::Objects).then_some(NOTHING);
        let on_path = (!self.path.is_empty()).then_some("The path says where they go");
        vec![
            ToolOption::number(
                "count",
                "Copies",
                "How many copies are made.",
                self.count as f64,
                (1.0, MOST_COPIES, 1.0),
                "",
            ),
            ToolOption::vector(
                "offset",
                "Offset",
                "How far each copy is from the one before.",
                OptionValue::Vector(self.offset(cx)),
            )
            .unless(on_path),
            ToolOption::number(
                "rotation",
                "Turn",
                "How far each copy is turned about the pivot from the one before.",
                self.rotation_deg,
                (-360.0, 360.0, 15.0),
                "deg",
            ),
            ToolOption::choice(
                "axis",
                "Axis",
                "What they turn about.",
                &["X", "Y", "Z"],
                self.axis,
            ),
            ToolOption::number(
                "scale",
                "Scale",
                "How much larger each copy is than the one before.",
                self.scale,
                (0.01, 100.0, 0.05),
                "",
            ),
            ToolOption::toggle(
                "follow",
                "Along the path",
                "Copies turn with the path; click in a view to draw one.",
                self.turns_along,
            ),
            ToolOption::button("apply", "Apply", "Makes the copies one step (Enter).")
                .unless(nothing),
        ]
    }

    fn set_option(&mut self, cx: &ToolCx<'_>, id: &'static str, value: OptionValue) -> Outcome {
        match (id, value) {
            ("count", OptionValue::Number(count)) => {
                self.count = count.clamp(1.0, MOST_COPIES) as usize;
            }
            ("offset", change) => match vector_set(self.offset(cx), &change) {
                Some(offset) => self.offset = Some(offset),
                None => return Outcome::refused("That is no number"),
            },
            ("rotation", OptionValue::Number(degrees)) => self.rotation_deg = degrees,
            ("axis", OptionValue::Index(axis)) => self.axis = axis.min(2),
            ("scale", OptionValue::Number(scale)) => self.scale = scale.clamp(0.01, 100.0),
            ("follow", OptionValue::Flag(on)) => self.turns_along = on,
            ("apply", _) => return self.action(cx, ToolAction::Apply),
            _ => return Outcome::Ignored,
        }
        self.rests = false;
        self.shown(cx)
    }

    fn step_back(&mut self, _cx: &ToolCx<'_>) -> Option<Outcome> {
        if self.rests {
            return None;
        }
        self.path.clear();
        self.rests = true;
        Some(Outcome::Unchanged)
    }

    fn follow(&mut self, cx: &ToolCx<'_>) -> Outcome {
        self.shown(cx)
    }
}
