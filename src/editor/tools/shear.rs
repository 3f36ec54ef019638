//! Shearing the selection by the sides of its bounds (SHR-1).

use glam::DAffine3;
use glam::DVec2;
use glam::DVec3;

use crate::document::ops::components::Stop;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Area;
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
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::carrying;
use crate::editor::tools::hint;
use crate::editor::tools::meet_drag_plane;
use crate::editor::tools::signed;
use crate::editor::tools::stretching;
use crate::editor::tools::stretching::Grip;
use crate::editor::tools::targets;
use crate::editor::tools::targets::Stage;
use crate::editor::tools::targets::Targets;
use crate::editor::tools::turning::HANDLE_REACH;
use crate::editor::tools::turning::line;
use crate::editor::tools::turning::readout;
use crate::editor::tools::turning::segment_distance;
use crate::geometry::Aabb;
use crate::geometry::transform::sheared;

/// A shear under way.
#[derive(Clone, Debug)]
struct Shear {
    targets: Targets,
    /// The axis that the side looks along, and whether it is the high side.
    axis: usize,
    high: bool,
    across: Option<usize>,
    /// The point of the side that was grabbed.
    grab: DVec3,
    /// The axes that the pointer moves now, and the place under it when that began.
    free: [bool; 3],
    anchor: Option<DVec3>,
    last_at: DVec2,
    typed: [Option<f64>; 2],
    shift: DVec3,
    /// Why it does not go on.
    stop: Option<Stop>,
}

impl Shear {
    fn new(cx: &ToolCx<'_>, at: DVec2, grip: Grip) -> Option<Self> {
        let targets = Targets::of(cx)?;
        let axis = grip.iter().position(|&side| side != 0)?;
        let grab = stretching::place(targets.bounds, grip);
        Some(Self {
            targets,
            axis,
            high: grip[axis] > 0,
            across: carrying::across(cx),
            grab,
            free: [false; 3],
            anchor: None,
            last_at: at,
            typed: [None; 2],
            shift: DVec3::ZERO,
            stop: None,
        })
    }

    /// Axes along which the side may go: horizontally, with Alt vertically; top and bottom always horizontally.
    fn ways(&self, cx: &ToolCx<'_>) -> [bool; 3] {
        if let Some(across) = self.across {
            return std::array::from_fn(|axis| axis != self.axis && axis != across);
        }
        let vertical = cx.modifiers.alt && self.axis != 1;
        std::array::from_fn(|axis| axis != self.axis && (axis == 1) == vertical)
    }

    /// The point under the pointer on the line or plane that the side slides along.
    fn under(&self, cx: &ToolCx<'_>, at: DVec2, ways: [bool; 3]) -> Option<DVec3> {
        let ray = cx.ray(at);
        if cx.view.is_2d() {
            return Some(ray.at((self.grab - ray.origin).dot(ray.dir)));
        }
        let mut along = (0..3).filter(|&axis| ways[axis]);
        match (along.next(), along.next()) {
            (Some(_), Some(_)) => meet_drag_plane(cx.view, ray, self.grab, DVec3::AXES[self.axis]),
            (Some(axis), None) => {
                let direction = DVec3::AXES[axis];
                if ray.dir.dot(direction).abs() > 1.0 - 1e-3 {
                    return None;
                }
                ray.nearest_on_line(self.grab, direction)
                    .map(|(_, distance)| self.grab + direction * distance)
            }
            _ => None,
        }
    }

    fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        let ways = self.ways(cx);
        if ways != self.free {
            self.free = ways;
            self.anchor = self.under(cx, self.last_at, ways);
        }
        self.last_at = at;
        let before = self.shift;
        if let Some(point) = self.under(cx, at, ways) {
            let anchor = *self.anchor.get_or_insert(point);
            let target = snapping::snapped_point(cx, at).map(|target| target - self.grab);
            let mut shift = target.unwrap_or(point - anchor);
            for axis in 0..3 {
                if !ways[axis] {
                    shift[axis] = 0.0;
                }
            }
            if cx.modifiers.shift && ways.iter().filter(|way| **way).count() > 1 {
                let largest = (0..3)
                    .max_by(|&a, &b| shift[a].abs().total_cmp(&shift[b].abs()))
                    .unwrap_or(0);
                shift = carrying::only(shift, largest);
            }
            self.shift = if target.is_some() {
                shift
            } else {
                cx.grid.snap_delta(shift)
            };
        }
        for (axis, typed) in (0..3).filter(|&axis| ways[axis]).zip(self.typed) {
            if let Some(typed) = typed {
                self.shift[axis] = typed;
            }
        }
        self.stop = self.targets.stop(cx.doc(), &self.map());
        if self.stop.is_some() {
            self.shift = before;
        }
        self.outcome(Stage::Preview)
    }

    fn map(&self) -> DAffine3 {
        let bounds = self.targets.bounds;
        let (low, high) = (bounds.min[self.axis], bounds.max[self.axis]);
        let (fixed, moved) = if self.high { (low, high) } else { (high, low) };
        sheared(self.axis, fixed, moved, self.shift)
    }

    fn outcome(&self, stage: Stage) -> Outcome {
        if self.shift == DVec3::ZERO {
            Outcome::Unchanged
        } else {
            Outcome::Preview(self.targets.mapped("Shear", self.map(), stage))
        }
    }

    fn quantities(&self) -> &'static [&'static str] {
        match self.free {
            [true, false, false] => &["X"],
            [false, true, false] => &["Y"],
            [false, false, true] => &["Z"],
            [true, false, true] => &["X", "Z"],
            [true, true, false] => &["X", "Y"],
            [false, true, true] => &["Y", "Z"],
            _ => &[],
        }
    }

    fn overlay(&self, out: &mut Overlay) {
        let bounds = self.targets.bounds;
        super::draw::box_lines(bounds, |from, to| {
            out.lines.push(line(from, to, Role::Ghost, 1.0, true));
        });
        let corners = side_corners(bounds, self.axis, self.high);
        for index in 0..4 {
            let (from, to) = (corners[index], corners[(index + 1) % 4]);
            out.lines.push(line(
                from + self.shift,
                to + self.shift,
                Role::HandleSelected,
                2.0,
                false,
            ));
        }
        out.lines.push(line(
            self.grab,
            self.grab + self.shift,
            Role::Guide,
            1.5,
            false,
        ));
    }
}

/// Corners of one side of a box, in order around it.
fn side_corners(bounds: Aabb, axis: usize, high: bool) -> [DVec3; 4] {
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
    [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(i, j)| {
        let mut corner = bounds.min;
        if high {
            corner[axis] = bounds.max[axis];
        }
        if i == 1 {
            corner[a] = bounds.max[a];
        }
        if j == 1 {
            corner[b] = bounds.max[b];
        }
        corner
    })
}

/// See the module's text.
#[derive(Default)]
pub(super) struct ShearTool {
    drag: Option<Box<Shear>>,
    /// Begun where there is no side: why nothing happens.
    missed: Option<&'static str>,
    hovered: Option<Grip>,
}

const IDLE: &[Hint] = &[
    hint("Drag a side", "shear"),
    hint("Click", "select"),
    hint("Esc", "leave the tool"),
];
const SHEARING: &[Hint] = &[
    hint("Alt", "up and down"),
    hint("V E F", "onto geometry"),
    hint("G", "no grid"),
    hint("0-9", "type it"),
    hint("Esc", "cancel"),
];
const CANNOT_DRAG: &str = "Drag one of the sides of the bounds of the selection";

/// The side under the pointer: its handle, in 2D anywhere on its line, in 3D anywhere on its face.
fn side_at(cx: &ToolCx<'_>, at: DVec2) -> Option<Grip> {
    if targets::missing(cx).is_some() {
        return None;
    }
    let bounds = cx.target_bounds;
    let across = carrying::across(cx);
    let sides: Vec<Grip> = stretching::grips(bounds, across)
        .into_iter()
        .filter(|grip| grip.iter().filter(|side| **side != 0).count() == 1)
        .collect();
    let mut best: Option<(f64, f64, Grip)> = None;
    for &grip in &sides {
        let axis = grip.iter().position(|&side| side != 0)?;
        let Some((place, depth)) = cx.view.project(stretching::place(bounds, grip)) else {
            continue;
        };
        let mut distance = place.distance(at);
        if across.is_some() {
            let [a, b, c, _] = side_corners(bounds, axis, grip[axis] > 0)
                .map(|corner| cx.view.project(corner).map_or(place, |(place, _)| place));
            // Seen from the side it is a line: two of the corners lie apart.
            let end = if a.distance(b) > a.distance(c) { b } else { c };
            distance = distance.min(segment_distance(a, end, at));
        }
        let better = best.is_none_or(|(least, near, _)| {
            if (distance - least).abs() <= 2.0 {
                depth < near
            } else {
                distance < least
            }
        });
        if distance <= HANDLE_REACH && better {
            best = Some((distance, depth, grip));
        }
    }
    if let Some((_, _, grip)) = best {
        return Some(grip);
    }
    if across.is_some() {
        return None;
    }
    let planes = sides.iter().map(|grip| {
        let normal = DVec3::from_array(grip.map(f64::from));
        crate::geometry::Plane::new(normal, normal.dot(stretching::place(bounds, *grip)))
    });
    let hit = cx.ray(at).convex(planes)?;
    sides.get(hit.face).copied()
}

impl Tool for ShearTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Shear
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Hover { at } => {
                self.hovered = side_at(cx, at);
                Outcome::Handled
            }
            Gesture::Click {
                at,
                count,
                modifiers,
            } => {
                // On a handle a click means nothing; on the faces between them it selects.
                let bounds = cx.target_bounds;
                let on_handle = side_at(cx, at).is_some_and(|grip| {
                    cx.view
                        .project(stretching::place(bounds, grip))
                        .is_some_and(|(place, _)| place.distance(at) <= HANDLE_REACH)
                });
                if modifiers == Modifiers::NONE && on_handle {
                    return Outcome::Handled;
                }
                super::select::click(cx, at, count, modifiers)
            }
            Gesture::Begin { at, .. } => {
                self.drag = side_at(cx, at).and_then(|grip| Shear::new(cx, at, grip).map(Box::new));
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
                match self.drag.take().map(|drag| drag.outcome(Stage::Commit)) {
                    Some(Outcome::Preview(edit)) => Outcome::Commit(edit),
                    Some(other) => other,
                    None => Outcome::Handled,
                }
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
            if grip.iter().filter(|side| **side != 0).count() == 1 {
                out.handles.push(Handle {
                    at: stretching::place(bounds, grip),
                    role: Role::Handle,
                    hovered: self.hovered == Some(grip),
                });
            }
        }
        if let Some(grip) = self.hovered
            && let Some(axis) = grip.iter().position(|&side| side != 0)
        {
            out.areas.push(Area {
                corners: side_corners(bounds, axis, grip[axis] > 0).to_vec(),
                role: Role::Hover,
                alpha: 0.2,
            });
        }
    }

    fn readout(&self) -> Option<Readout> {
        match &self.drag {
            Some(drag) => {
                let [x, y, z] = drag.shift.to_array().map(signed);
                Some(readout(format!("{x}, {y}, {z}"), drag.stop))
            }
            None => self.missed.map(|reason| Readout {
                text: reason.to_owned(),
                refused: true,
            }),
        }
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        if self.drag.is_some() { SHEARING } else { IDLE }
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

    fn quantities(&self, _cx: &ToolCx<'_>) -> &'static [&'static str] {
        self.drag.as_ref().map_or(&[], |drag| drag.quantities())
    }

    fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        let Some(drag) = &mut self.drag else {
            return Outcome::Ignored;
        };
        drag.typed = std::array::from_fn(|index| values.get(index).copied().flatten());
        let at = drag.last_at;
        drag.drag(cx, at)
    }
}
