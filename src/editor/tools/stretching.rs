//! Scaling by a handle of the bounds: the drag of the scale tool (SCL-1).

use glam::DVec2;
use glam::DVec3;

use crate::document::ops::components::Stop;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::snapping;
use crate::editor::tools::Outcome;
use crate::editor::tools::ToolCx;
use crate::editor::tools::carrying;
use crate::editor::tools::shortest;
use crate::editor::tools::targets::Stage;
use crate::editor::tools::targets::Targets;
use crate::editor::tools::turning::line;
use crate::editor::tools::turning::readout;
use crate::geometry::Aabb;
use crate::geometry::transform::fitted;

/// A handle of a box: for each axis -1 (low side), 0 (middle), 1 (high side).
pub(super) type Grip = [i8; 3];

/// All handles of a box that has an extent along the axes they pull: sides, edges and corners; in 2D those around the outline.
pub(super) fn grips(bounds: Aabb, across: Option<usize>) -> Vec<Grip> {
    let size = bounds.size();
    let mut found = Vec::new();
    for code in 0..27 {
        let grip: Grip = [code % 3, code / 3 % 3, code / 9].map(|side: i32| side as i8 - 1);
        let pulls = grip.iter().any(|&side| side != 0);
        let flat = (0..3).any(|axis| grip[axis] != 0 && size[axis] <= 0.0);
        if pulls && !flat && across.is_none_or(|axis| grip[axis] == 0) {
            found.push(grip);
        }
    }
    found
}

pub(super) fn place(bounds: Aabb, grip: Grip) -> DVec3 {
    let center = bounds.center();
    DVec3::from_array(std::array::from_fn(|axis| match grip[axis] {
        -1 => bounds.min[axis],
        1 => bounds.max[axis],
        _ => center[axis],
    }))
}

/// A scaling under way.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    targets: Targets,
    grip: Grip,
    across: Option<usize>,
    /// From the point under the pointer at the press to the handle, so that nothing jumps.
    offset: DVec3,
    typed: [Option<f64>; 3],
    last_at: DVec2,
    to: Aabb,
    stopped: bool,
    /// Why it does not go on.
    stop: Option<Stop>,
}

impl Stretch {
    pub fn new(cx: &ToolCx<'_>, at: DVec2, grip: Grip) -> Option<Self> {
        let targets = Targets::of(cx)?;
        let bounds = targets.bounds;
        let mut stretch = Self {
            targets,
            grip,
            across: carrying::across(cx),
            offset: DVec3::ZERO,
            typed: [None; 3],
            last_at: at,
            to: bounds,
            stopped: false,
            stop: None,
        };
        let along = stretch.direction(cx);
        if let Some(first) = stretch.under(cx, at, along) {
            stretch.offset = place(bounds, grip) - first;
        }
        Some(stretch)
    }

    fn axes(&self) -> impl Iterator<Item = usize> + use<> {
        let grip = self.grip;
        (0..3).filter(move |&axis| grip[axis] != 0)
    }

    /// True when all pulled axes get one factor: edges and corners in 3D, everything with Shift.
    fn is_proportional(&self, cx: &ToolCx<'_>) -> bool {
        cx.modifiers.shift || (self.axes().count() > 1 && self.across.is_none())
    }

    /// Axes that the drag scales.
    fn scaled(&self, cx: &ToolCx<'_>) -> [bool; 3] {
        let size = self.targets.bounds.size();
        let pulled = self.grip.map(|side| side != 0);
        if !(cx.modifiers.shift && self.axes().count() == 1) {
            return pulled;
        }
        std::array::from_fn(|axis| pulled[axis] || (Some(axis) != self.across && size[axis] > 0.0))
    }

    /// The point that stays: opposite to the handle, or with Alt the user's pivot, else the middle.
    fn anchor(&self, cx: &ToolCx<'_>) -> DVec3 {
        let bounds = self.targets.bounds;
        let middle = bounds.center();
        if cx.modifiers.alt {
            return cx.user_pivot.unwrap_or(middle);
        }
        place(bounds, self.grip.map(|side| -side))
    }

    /// The line that the handle moves on in 3D.
    fn direction(&self, _cx: &ToolCx<'_>) -> DVec3 {
        let bounds = self.targets.bounds;
        place(bounds, self.grip) - place(bounds, self.grip.map(|side| -side))
    }

    /// The point under the pointer: of the view's plane in 2D, of the handle's line in 3D.
    fn under(&self, cx: &ToolCx<'_>, at: DVec2, along: DVec3) -> Option<DVec3> {
        let handle = place(self.targets.bounds, self.grip);
        let ray = cx.ray(at);
        if cx.view.is_2d() {
            return Some(ray.at((handle - ray.origin).dot(ray.dir)));
        }
        let along = along.try_normalize()?;
        // A line that runs into the screen would jump.
        let steepest = 1.0 - 1e-3;
        if ray.dir.dot(along).abs() > steepest {
            return None;
        }
        ray.nearest_on_line(handle, along)
            .map(|(_, distance)| handle + along * distance)
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        self.last_at = at;
        let along = self.direction(cx);
        let target = snapping::snapped_point(cx, at);
        let pointed = target.or_else(|| Some(self.under(cx, at, along)? + self.offset));
        let before = self.to;
        if let Some(point) = pointed {
            self.to = self.boxed(cx, point, target.is_none());
        }
        if self.typed.iter().any(Option::is_some) {
            self.to = self.typed_box(cx);
        }
        self.stop = self
            .targets
            .stop(cx.doc(), &fitted(self.targets.bounds, self.to));
        if self.stop.is_some() {
            self.to = before;
        }
        self.outcome(Stage::Preview)
    }

    /// The box that the handle at `point` makes, on the grid if it `snaps`.
    fn boxed(&mut self, cx: &ToolCx<'_>, point: DVec3, snaps: bool) -> Aabb {
        let from = self.targets.bounds;
        let (anchor, handle) = (self.anchor(cx), place(from, self.grip));
        let snapped = if snaps { cx.grid.snap(point) } else { point };
        self.stopped = false;
        if !self.is_proportional(cx) {
            let mut factor = DVec3::ONE;
            for axis in self.axes() {
                factor[axis] = self.factor(cx, axis, snapped[axis], anchor, handle);
            }
            return scaled(from, anchor, factor);
        }
        // One factor: the longest pulled side lands on the grid.
        let size = from.size();
        let main = self
            .axes()
            .max_by(|&a, &b| size[a].total_cmp(&size[b]))
            .unwrap_or(0);
        let reach = handle - anchor;
        let pulled = self.grip.map(|side| f64::from(side.unsigned_abs()));
        let reach = reach * DVec3::from_array(pulled);
        let share = (point - anchor).dot(reach) / reach.length_squared().max(f64::MIN_POSITIVE);
        let free = anchor[main] + reach[main] * share;
        let wanted = if snaps {
            cx.grid.snap(DVec3::splat(free))[main]
        } else {
            free
        };
        let one = self.factor(cx, main, wanted, anchor, handle);
        let takes = self.scaled(cx);
        let factor = DVec3::from_array(std::array::from_fn(
            |axis| if takes[axis] { one } else { 1.0 },
        ));
        scaled(from, self.anchor_for(anchor, cx), factor)
    }

    /// Axes that are scaled along only because of Shift stay about their middle.
    fn anchor_for(&self, anchor: DVec3, cx: &ToolCx<'_>) -> DVec3 {
        let center = self.targets.bounds.center();
        DVec3::from_array(std::array::from_fn(|axis| {
            if self.grip[axis] == 0 && !cx.modifiers.alt {
                center[axis]
            } else {
                anchor[axis]
            }
        }))
    }

    /// The factor that brings the handle to a coordinate. It never goes through zero: one grid cell stays.
    fn factor(
        &mut self,
        cx: &ToolCx<'_>,
        axis: usize,
        wanted: f64,
        anchor: DVec3,
        handle: DVec3,
    ) -> f64 {
        let reach = handle[axis] - anchor[axis];
        if reach.abs() < 1e-9 {
            return 1.0;
        }
        let extent = self.targets.bounds.size()[axis];
        let least = (cx.grid.least_extent() / extent).min(1.0);
        let factor = (wanted - anchor[axis]) / reach;
        if factor < least {
            self.stopped = true;
            return least;
        }
        factor
    }

    fn typed_box(&self, cx: &ToolCx<'_>) -> Aabb {
        let from = self.targets.bounds;
        let mut factor = self.to.size() / from.size();
        let good = |value: Option<f64>| value.filter(|value| *value > 1e-6);
        if self.is_proportional(cx) {
            if let Some(one) = good(self.typed[0]) {
                let takes = self.scaled(cx);
                for axis in (0..3).filter(|&axis| takes[axis]) {
                    factor[axis] = one;
                }
            }
        } else {
            for (axis, typed) in self.axes().zip(self.typed) {
                if let Some(typed) = good(typed) {
                    factor[axis] = typed;
                }
            }
        }
        for axis in 0..3 {
            if !factor[axis].is_finite() {
                factor[axis] = 1.0;
            }
        }
        scaled(from, self.anchor_for(self.anchor(cx), cx), factor)
    }

    pub fn quantities(&self, cx: &ToolCx<'_>) -> &'static [&'static str] {
        if self.is_proportional(cx) {
            return &["Factor"];
        }
        match self.grip.map(|side| side != 0) {
            [true, false, false] => &["X"],
            [false, true, false] => &["Y"],
            [false, false, true] => &["Z"],
            [true, true, false] => &["X", "Y"],
            [true, false, true] => &["X", "Z"],
            [false, true, true] => &["Y", "Z"],
            _ => &["X", "Y", "Z"],
        }
    }

    pub fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        self.typed = std::array::from_fn(|index| values.get(index).copied().flatten());
        self.drag(cx, self.last_at)
    }

    fn outcome(&self, stage: Stage) -> Outcome {
        if self.to == self.targets.bounds {
            Outcome::Unchanged
        } else {
            let map = fitted(self.targets.bounds, self.to);
            Outcome::Preview(self.targets.mapped("Scale", map, stage))
        }
    }

    pub fn end(&self) -> Outcome {
        match self.outcome(Stage::Commit) {
            Outcome::Preview(edit) => Outcome::Commit(edit),
            other => other,
        }
    }

    pub fn readout(&self) -> Readout {
        let (old, new) = (self.targets.bounds.size(), self.to.size());
        let factor = |axis: usize| {
            if old[axis] > 0.0 {
                new[axis] / old[axis]
            } else {
                1.0
            }
        };
        let stopped = if self.stopped {
            ": one grid cell is the least"
        } else {
            ""
        };
        let text = format!(
            "{:.2}, {:.2}, {:.2}  ({} x {} x {}){stopped}",
            factor(0),
            factor(1),
            factor(2),
            shortest(new.x),
            shortest(new.y),
            shortest(new.z)
        );
        let refused = self.stopped;
        match self.stop {
            None => Readout { text, refused },
            stop => readout(text, stop),
        }
    }

    pub fn overlay(&self, out: &mut Overlay) {
        for (bounds, role, dashed) in [
            (self.targets.bounds, Role::Ghost, true),
            (self.to, Role::Guide, false),
        ] {
            super::draw::box_lines(bounds, |from, to| {
                out.lines.push(line(from, to, role, 1.0, dashed));
            });
        }
    }
}

/// A box scaled about a point. Sides at the point keep every bit.
pub(super) fn scaled(from: Aabb, anchor: DVec3, factor: DVec3) -> Aabb {
    let corner = |corner: DVec3| {
        DVec3::from_array(std::array::from_fn(|axis| {
            if factor[axis] == 1.0 {
                corner[axis]
            } else {
                anchor[axis] + (corner[axis] - anchor[axis]) * factor[axis]
            }
        }))
    };
    Aabb::new(corner(from.min), corner(from.max))
}
