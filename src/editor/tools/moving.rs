//! Moving what is selected: horizontally, vertically, along one axis, as a copy, to typed numbers (MOV-1 to MOV-4, 0.8, 0.9).

use glam::DVec2;
use glam::DVec3;

use crate::document::Edit;
use crate::document::ops;
use crate::editor::edits;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::selecting;
use crate::editor::snapping;
use crate::editor::tools::Outcome;
use crate::editor::tools::ToolCx;
use crate::editor::tools::meet_drag_plane;
use crate::editor::tools::signed;
use crate::geometry::Aabb;

/// The way the pointer's motion is turned into a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// In the horizontal plane, or the plane of a 2D view.
    Plane,
    /// Along Y, on a plane that faces the viewer.
    Vertical,
}

/// A move under way.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// Where it was grabbed.
    grab: DVec3,
    copy: bool,
    way: Way,
    /// The free (unsnapped) difference when the present way began, and the point of the drag plane under the pointer then.
    kept: DVec3,
    anchor: Option<DVec3>,
    free: DVec3,
    /// Where the pointer was last, so that a change of way starts there.
    last_at: DVec2,
    /// `C`: the corner of the bounds nearest the grab lands on the grid.
    absolute: bool,
    one_axis: bool,
    /// In a 2D view: the axis along the view, which the pointer cannot move.
    across: Option<usize>,
    /// Typed differences by axis (0.8); they are not snapped.
    typed: [Option<f64>; 3],
    /// What a held snap key brings onto other geometry (0.9): the vertex or edge middle of the selection that was grabbed, else
    /// the point grabbed.
    handle: DVec3,
    /// What the last step of the drag came to.
    delta: DVec3,
    bounds: Aabb,
    count: usize,
}

impl Move {
    pub fn new(cx: &ToolCx<'_>, at: DVec2, grab: DVec3, copy: bool) -> Self {
        Self {
            grab,
            copy,
            way: Way::Plane,
            kept: DVec3::ZERO,
            anchor: None,
            free: DVec3::ZERO,
            last_at: at,
            absolute: false,
            one_axis: false,
            across: across(cx),
            typed: [None; 3],
            handle: grabbed_handle(cx, at).unwrap_or(grab),
            delta: DVec3::ZERO,
            bounds: selecting::bounds(cx.base, cx.definitions),
            count: cx.base.selection.len(),
        }
    }

    /// Moving a handle of a component tool: only the difference counts, the edit is the tool's.
    pub fn of_handle(cx: &ToolCx<'_>, at: DVec2, grab: DVec3) -> Self {
        Self {
            handle: grab,
            bounds: Aabb::new(grab, grab),
            count: 1,
            ..Self::new(cx, at, grab, false)
        }
    }

    pub fn set_absolute(&mut self, absolute: bool) {
        self.absolute = absolute;
    }

    /// What the drag came to so far.
    pub fn delta(&self) -> DVec3 {
        self.delta
    }

    pub fn toggle_absolute(&mut self) {
        self.absolute = !self.absolute;
    }

    pub fn is_copy(&self) -> bool {
        self.copy
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        self.advance(cx, at);
        self.outcome(cx)
    }

    /// Follows the pointer to a new difference.
    pub fn advance(&mut self, cx: &ToolCx<'_>, at: DVec2) {
        let way = if cx.modifiers.alt && !cx.view.is_2d() {
            Way::Vertical
        } else {
            Way::Plane
        };
        if way != self.way {
            self.way = way;
            self.kept = self.free;
            self.anchor = self.on_plane(cx, self.last_at);
        }
        self.last_at = at;
        if let Some(point) = self.on_plane(cx, at) {
            let anchor = *self.anchor.get_or_insert(if self.kept == DVec3::ZERO {
                self.grab
            } else {
                point
            });
            let moved = point - anchor;
            self.free = self.kept
                + if self.way == Way::Vertical {
                    DVec3::new(0.0, moved.y, 0.0)
                } else {
                    moved
                };
        }
        self.one_axis = cx.modifiers.shift;
        self.delta = self.snapped(cx, at);
        for (axis, typed) in self.typed.into_iter().enumerate() {
            if let Some(typed) = typed {
                self.delta[axis] = typed;
            }
        }
    }

    /// Names of what can be typed: what the pointer moves now comes first.
    pub fn quantities(&self) -> &'static [&'static str] {
        const ORDERS: [[[&str; 3]; 2]; 3] = [
            [["X", "Y", "Z"], ["X", "Z", "Y"]],
            [["Y", "X", "Z"], ["Y", "Z", "X"]],
            [["Z", "X", "Y"], ["Z", "Y", "X"]],
        ];
        let [first, second, _] = self.axes();
        let [early, late] = &ORDERS[first];
        let names = ["X", "Y", "Z"];
        if early[1] == names[second] {
            early
        } else {
            late
        }
    }

    /// The axes with those that the pointer moves now in front.
    fn axes(&self) -> [usize; 3] {
        let is_free = |axis: usize| match (self.one_axis, self.way, self.across) {
            (true, ..) => axis == self.largest(),
            (_, Way::Vertical, _) => axis == 1,
            (_, _, Some(across)) => axis != across,
            (_, Way::Plane, None) => axis != 1,
        };
        let mut axes = [0, 1, 2];
        axes.sort_by_key(|&axis| !is_free(axis));
        axes
    }

    pub fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        self.set_typed(values);
        self.drag(cx, self.last_at)
    }

    /// Typed differences, by the order of [`Move::quantities`].
    pub fn set_typed(&mut self, values: &[Option<f64>]) {
        self.typed = [None; 3];
        for (axis, value) in self.axes().into_iter().zip(values) {
            self.typed[axis] = *value;
        }
    }

    /// Where the pointer was last.
    pub fn last_at(&self) -> DVec2 {
        self.last_at
    }

    /// The axis of the largest motion since the press.
    fn largest(&self) -> usize {
        (0..3)
            .max_by(|&a, &b| self.free[a].abs().total_cmp(&self.free[b].abs()))
            .unwrap_or(0)
    }

    /// The point of the present drag plane under the pointer.
    fn on_plane(&self, cx: &ToolCx<'_>, at: DVec2) -> Option<DVec3> {
        let through = self.grab + self.kept;
        let normal = match self.way {
            Way::Vertical => {
                let forward = cx.view.forward();
                DVec3::new(forward.x, 0.0, forward.z)
                    .try_normalize()
                    .unwrap_or(DVec3::Z)
            }
            Way::Plane if cx.view.is_2d() => cx.view.forward(),
            Way::Plane => DVec3::Y,
        };
        meet_drag_plane(cx.view, cx.ray(at), through, normal)
    }

    fn snapped(&self, cx: &ToolCx<'_>, at: DVec2) -> DVec3 {
        let target = snapping::snapped_point(cx, at).map(|point| {
            let mut to = point - self.handle;
            // A 2D view knows no depth: that of the target is none of its business.
            if let Some(across) = self.across {
                to[across] = 0.0;
            }
            to
        });
        let mut free = target.unwrap_or(self.free);
        if self.one_axis {
            let largest = self.largest();
            free = DVec3::from_array(std::array::from_fn(|axis| {
                if axis == largest { free[axis] } else { 0.0 }
            }));
        }
        if target.is_some() {
            return free;
        }
        let grid = cx.grid;
        if !self.absolute || self.bounds.is_empty() {
            return grid.snap_delta(free);
        }
        let nearest = self
            .bounds
            .corners()
            .into_iter()
            .min_by(|a, b| a.distance(self.grab).total_cmp(&b.distance(self.grab)));
        let corner = nearest.unwrap_or(self.bounds.min);
        // Axes that the drag does not move stay where they are, off grid or not.
        let moved = grid.snap(corner + free) - corner;
        DVec3::from_array(std::array::from_fn(|axis| {
            if free[axis] == 0.0 { 0.0 } else { moved[axis] }
        }))
    }

    fn outcome(&self, cx: &ToolCx<'_>) -> Outcome {
        if self.delta == DVec3::ZERO && !self.copy {
            Outcome::Unchanged
        } else {
            Outcome::Preview(self.edit(cx))
        }
    }

    fn edit(&self, cx: &ToolCx<'_>) -> Edit {
        let ids = edits::roots(cx.doc(), &cx.base.selection);
        if self.copy {
            ops::objects::duplicate(ids, self.delta, cx.lock)
        } else {
            ops::transform::move_by(ids, self.delta, cx.lock)
        }
    }

    pub fn end(&self, cx: &ToolCx<'_>) -> Outcome {
        match self.outcome(cx) {
            Outcome::Preview(edit) => Outcome::Commit(edit),
            other => other,
        }
    }

    pub fn overlay(&self, _cx: &ToolCx<'_>, out: &mut Overlay) {
        if self.delta == DVec3::ZERO {
            return;
        }
        let axis = match (
            self.delta.x != 0.0,
            self.delta.y != 0.0,
            self.delta.z != 0.0,
        ) {
            (true, false, false) => Role::AxisX,
            (false, true, false) => Role::AxisY,
            (false, false, true) => Role::AxisZ,
            _ => Role::Guide,
        };
        let line = |from, to, role, width, dashed| Line {
            from,
            to,
            role,
            width,
            through: true,
            arrow: false,
            dashed,
        };
        let width = if self.one_axis { 3.0 } else { 1.5 };
        out.lines
            .push(line(self.grab, self.grab + self.delta, axis, width, false));
        if !self.bounds.is_empty() {
            super::draw::box_lines(self.bounds, |from, to| {
                out.lines.push(line(from, to, Role::Ghost, 1.0, true));
            });
        }
    }

    pub fn readout(&self) -> Readout {
        let DVec3 { x, y, z } = self.delta;
        let copies = if self.copy {
            format!("copy of {}: ", self.count)
        } else {
            String::new()
        };
        Readout {
            text: format!("{copies}{}, {}, {}", signed(x), signed(y), signed(z)),
            refused: false,
        }
    }
}

/// The axis along a 2D view.
fn across(cx: &ToolCx<'_>) -> Option<usize> {
    let forward = cx.view.forward().abs();
    cx.view
        .is_2d()
        .then(|| (0..3).find(|&axis| forward[axis] > 0.5).unwrap_or(1))
}

/// The vertex or edge middle of the selection that lies nearest to the pointer, within reach.
fn grabbed_handle(cx: &ToolCx<'_>, at: DVec2) -> Option<DVec3> {
    use crate::document::SelectionExt as _;
    let mut best: Option<(f64, DVec3)> = None;
    let mut offer = |point: DVec3| {
        if let Some((place, _)) = cx.view.project(point) {
            let distance = place.distance(at);
            if distance <= snapping::REACH && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, point));
            }
        }
    };
    let beam = snapping::beam(cx.view, at, snapping::REACH);
    for id in cx.base.selection.with_children(cx.doc()) {
        let Some(object) = cx.doc().object(id) else {
            continue;
        };
        if !snapping::meets(&beam, object.bounds()) {
            continue;
        }
        snapping::vertices_of(object, &mut offer);
        snapping::edges_of(object, |a, b| offer((a + b) * 0.5));
    }
    best.map(|(_, point)| point)
}
