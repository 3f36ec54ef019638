//! Moving what is selected: horizontally, vertically, along one axis, as a copy, to typed numbers (MOV-1 to MOV-4, 0.8, 0.9).

use glam::DVec2;
use glam::DVec3;

use crate::document::Edit;
use crate::document::ObjectId;
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
use crate::editor::tools::carrying::Carry;
use crate::editor::tools::carrying::only;
use crate::editor::tools::signed;
use crate::geometry::Aabb;

/// A move under way.
#[derive(Clone, Debug)]
pub(super) struct Move {
    carry: Carry,
    copy: bool,
    /// `C`: the corner of the bounds nearest the grab lands on the grid.
    absolute: bool,
    one_axis: bool,
    /// Typed differences by axis (0.8); they are not snapped.
    typed: [Option<f64>; 3],
    /// What a held snap key brings onto other geometry (0.9): the vertex or edge middle of the selection that was grabbed, else
    /// the point grabbed.
    handle: DVec3,
    /// What the last step of the drag came to.
    delta: DVec3,
    bounds: Aabb,
    ids: Vec<ObjectId>,
}

impl Move {
    pub fn new(cx: &ToolCx<'_>, at: DVec2, grab: DVec3, copy: bool) -> Self {
        Self {
            carry: Carry::new(cx, at, grab),
            copy,
            absolute: false,
            one_axis: false,
            typed: [None; 3],
            handle: grabbed_handle(cx, at).unwrap_or(grab),
            delta: DVec3::ZERO,
            bounds: selecting::bounds(cx.base, cx.definitions),
            ids: edits::roots(cx.doc(), &cx.base.selection),
        }
    }

    /// Moving a handle of a component tool: only the difference counts, the edit is the tool's.
    pub fn of_handle(cx: &ToolCx<'_>, at: DVec2, grab: DVec3) -> Self {
        Self {
            handle: grab,
            bounds: Aabb::new(grab, grab),
            ids: Vec::new(),
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
        self.advance(cx, at, cx.modifiers.shift);
        self.outcome(cx)
    }

    /// Follows the pointer to a new difference, along one axis only or freely.
    pub fn advance(&mut self, cx: &ToolCx<'_>, at: DVec2, one_axis: bool) {
        self.carry.follow(cx, at);
        self.one_axis = one_axis;
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
        let is_free = |axis: usize| {
            if self.one_axis {
                axis == self.carry.largest()
            } else {
                self.carry.is_free(axis)
            }
        };
        let mut axes = [0, 1, 2];
        axes.sort_by_key(|&axis| !is_free(axis));
        axes
    }

    pub fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        self.set_typed(values);
        self.drag(cx, self.last_at())
    }

    /// Typed differences, by the order of [`Move::quantities`].
    pub fn set_typed(&mut self, values: &[Option<f64>]) {
        self.typed = [None; 3];
        for (axis, value) in self.axes().into_iter().zip(values) {
            self.typed[axis] = *value;
        }
    }

    /// True while a typed difference stands in for the pointer's.
    pub fn is_typed(&self) -> bool {
        self.typed.iter().any(Option::is_some)
    }

    /// Where the pointer was last.
    pub fn last_at(&self) -> DVec2 {
        self.carry.last_at
    }

    fn snapped(&self, cx: &ToolCx<'_>, at: DVec2) -> DVec3 {
        let target = snapping::snapped_point(cx, at).map(|point| {
            let mut to = point - self.handle;
            // A 2D view knows no depth: that of the target is none of its business.
            if let Some(across) = self.carry.across {
                to[across] = 0.0;
            }
            to
        });
        let mut free = target.unwrap_or(self.carry.free);
        if self.one_axis {
            free = only(free, self.carry.largest());
        }
        if target.is_some() {
            return free;
        }
        let grid = cx.grid;
        if !self.absolute || self.bounds.is_empty() {
            return grid.snap_delta(free);
        }
        let nearest = self.bounds.corners().into_iter().min_by(|a, b| {
            a.distance(self.carry.grab)
                .total_cmp(&b.distance(self.carry.grab))
        });
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
        let ids = self.ids.clone();
        if self.copy {
            ops::objects::duplicate_linked(ids, self.delta, cx.lock, cx.definitions.link_keys())
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
        out.lines.push(line(
            self.carry.grab,
            self.carry.grab + self.delta,
            axis,
            width,
            false,
        ));
        if !self.bounds.is_empty() {
            super::draw::box_lines(self.bounds, |from, to| {
                out.lines.push(line(from, to, Role::Ghost, 1.0, true));
            });
        }
    }

    pub fn readout(&self) -> Readout {
        let DVec3 { x, y, z } = self.delta;
        let copies = if self.copy {
            format!("copy of {}: ", self.ids.len())
        } else {
            String::new()
        };
        Readout {
            text: format!("{copies}{}, {}, {}", signed(x), signed(y), signed(z)),
            refused: false,
        }
    }
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
