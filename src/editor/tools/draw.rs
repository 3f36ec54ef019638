//! Drawing boxes in 3D and 2D (BRU-1, BRU-2).

use glam::DVec2;
use glam::DVec3;

use crate::editor::input::Modifiers;
use crate::editor::overlay::Label;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::shaping::Drawn;
use crate::editor::snapping;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::hint;
use crate::editor::tools::meet_drag_plane;
use crate::editor::tools::shortest;
use crate::geometry::Aabb;
use crate::geometry::Grid;

/// With nothing under the pointer the floor y = 0 counts this far away.
const FLOOR_WITHIN: f64 = 8192.0;

/// And with no floor either, drawing starts this far ahead.
const AHEAD: f64 = 256.0;

/// Surfaces whose normal is at least this upright are floors.
const FLOOR_NORMAL_Y: f64 = 0.7;

/// Depth of a box drawn in 2D before anything was selected.
const DEFAULT_DEPTH: (f64, f64) = (0.0, 64.0);

/// Typed extents below this make no box.
const LEAST_EXTENT: f64 = 1.0 / 64.0;

/// What can be typed while a box is drawn (0.8).
pub(super) const EXTENTS: &[&str] = &["X", "Y", "Z"];

/// A box being drawn.
#[derive(Clone, Debug)]
pub(super) struct Draw {
    start: DVec3,
    /// 0, 1, 2: the axis across the working plane.
    across: usize,
    /// +1 or -1: the side of the working plane the box grows to.
    outward: f64,
    /// The corner opposite to the start, on the working plane.
    end: DVec3,
    /// Coordinate across the plane set with `Alt`; `None` = one cell.
    height: Option<f64>,
    /// Where the vertical motion began: coordinate at that moment and the point of its plane under the pointer.
    lift: Option<(f64, Option<DVec3>)>,
    /// 2D: the depth interval.
    depth: Option<(f64, f64)>,
    square: bool,
    cube: bool,
    last_at: DVec2,
    /// Typed extents by axis (0.8).
    typed: [Option<f64>; 3],
    shape: Aabb,
    /// The chosen shape in it, as it stands; what it cannot be.
    drawn: Option<Drawn>,
    refusal: Option<&'static str>,
}

impl Draw {
    pub fn new(cx: &ToolCx<'_>, at: DVec2) -> Self {
        let (start, across, outward, depth) = if cx.view.is_2d() {
            start_2d(cx, at)
        } else {
            start_3d(cx, at)
        };
        let mut draw = Self {
            start,
            across,
            outward,
            end: start,
            height: None,
            lift: None,
            depth,
            square: false,
            cube: false,
            last_at: at,
            typed: [None; 3],
            shape: Aabb::EMPTY,
            drawn: None,
            refusal: None,
        };
        draw.shape = draw.bounds(&cx.grid);
        draw
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        let Modifiers { shift, alt, .. } = cx.modifiers;
        let lifting = alt && !shift && !cx.view.is_2d();
        if lifting {
            self.lift_to(cx, at);
        } else {
            self.lift = None;
            if let Some(point) = snapping::snapped_point(cx, at) {
                self.reach(point);
            } else if let Some(point) =
                meet_drag_plane(cx.view, cx.ray(at), self.start, axis(self.across))
            {
                self.end = point;
            }
        }
        self.square = shift;
        self.cube = shift && alt;
        self.last_at = at;
        self.shape = self.with_typed(self.bounds(&cx.grid));
        let drawn = Drawn {
            bounds: self.shape,
            across: self.across,
            toward: self.end - self.start,
            step: cx.grid.step(),
        };
        self.drawn = Some(drawn);
        self.refusal = cx.shape.refusal(&drawn);
        if self.refusal.is_some() {
            return Outcome::Unchanged;
        }
        Outcome::Preview(cx.shape.edit(&drawn, cx.material.cloned(), cx.home()))
    }

    /// A held snap key found this point (0.9): the corner goes there, across the working plane too where it is off it.
    fn reach(&mut self, point: DVec3) {
        self.end = point;
        self.end[self.across] = self.start[self.across];
        if self.depth.is_none() && (point[self.across] - self.start[self.across]).abs() > 1e-6 {
            self.height = Some(point[self.across]);
        }
    }

    pub fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        self.typed = std::array::from_fn(|axis| values.get(axis).copied().flatten());
        self.drag(cx, self.last_at)
    }

    /// Typed extents, from the side where the drag began. A negative one goes the other way.
    fn with_typed(&self, mut shape: Aabb) -> Aabb {
        for (axis, typed) in self.typed.into_iter().enumerate() {
            let Some(extent) = typed.filter(|extent| extent.abs() >= LEAST_EXTENT) else {
                continue;
            };
            let (low, high) = (shape.min[axis], shape.max[axis]);
            let grows_down = if axis == self.across && self.depth.is_none() {
                self.height
                    .map_or(self.outward < 0.0, |height| height < self.start[axis])
            } else {
                self.end[axis] < self.start[axis]
            };
            if grows_down == (extent > 0.0) {
                shape.min[axis] = high - extent.abs();
            } else {
                shape.max[axis] = low + extent.abs();
            }
        }
        shape
    }

    /// `Alt`: the base is frozen, the pointer sets the coordinate across it, on a plane that faces the viewer.
    fn lift_to(&mut self, cx: &ToolCx<'_>, at: DVec2) {
        let (from, anchor) = self.lift.unwrap_or_else(|| {
            let now = self.height.unwrap_or(self.start[self.across]);
            (now, self.on_lift_plane(cx, self.last_at))
        });
        let point = self.on_lift_plane(cx, at);
        let anchor = anchor.or(point);
        self.lift = Some((from, anchor));
        if let (Some(point), Some(anchor)) = (point, anchor) {
            self.height = Some(from + point[self.across] - anchor[self.across]);
        }
    }

    fn on_lift_plane(&self, cx: &ToolCx<'_>, at: DVec2) -> Option<DVec3> {
        let mut normal = cx.view.forward();
        normal[self.across] = 0.0;
        let normal = normal
            .try_normalize()
            .unwrap_or(axis((self.across + 1) % 3));
        meet_drag_plane(cx.view, cx.ray(at), self.end, normal)
    }

    /// The box on the grid.
    fn bounds(&self, grid: &Grid) -> Aabb {
        let least = grid.least_extent();
        let mut min = grid.down(self.start.min(self.end));
        let mut max = grid.up(self.start.max(self.end));
        let flat = [(self.across + 1) % 3, (self.across + 2) % 3];
        for i in flat {
            if max[i] - min[i] < least * 0.5 {
                max[i] = min[i] + least;
            }
        }
        let extent = flat.iter().map(|&i| max[i] - min[i]).fold(least, f64::max);
        if self.square {
            for i in flat {
                if self.end[i] < self.start[i] {
                    min[i] = max[i] - extent;
                } else {
                    max[i] = min[i] + extent;
                }
            }
        }
        let a = self.across;
        (min[a], max[a]) = self.interval(grid, if self.cube { Some(extent) } else { None });
        Aabb::new(min, max)
    }

    /// Lowest and highest coordinate across the working plane.
    fn interval(&self, grid: &Grid, cube: Option<f64>) -> (f64, f64) {
        let least = grid.least_extent();
        let coordinate = |point: DVec3| point[self.across];
        if let Some((low, high)) = self.depth {
            let (low, high) = (
                coordinate(grid.down(DVec3::splat(low))),
                coordinate(grid.up(DVec3::splat(high))),
            );
            return (
                low,
                cube.map_or(high.max(low + least), |extent| low + extent),
            );
        }
        let surface = self.start[self.across];
        let base = coordinate(if self.outward > 0.0 {
            grid.down(DVec3::splat(surface))
        } else {
            grid.up(DVec3::splat(surface))
        });
        if let Some(extent) = cube {
            return if self.outward > 0.0 {
                (base, base + extent)
            } else {
                (base - extent, base)
            };
        }
        match self.height {
            Some(height) if (height - base).abs() > grid.step() / 1024.0 => {
                if height > base {
                    (
                        base,
                        coordinate(grid.up(DVec3::splat(height))).max(base + least),
                    )
                } else {
                    (
                        coordinate(grid.down(DVec3::splat(height))).min(base - least),
                        base,
                    )
                }
            }
            // One cell, also while nothing snaps to it.
            _ if self.outward > 0.0 => (base, base + grid.size),
            _ => (base - grid.size, base),
        }
    }

    pub fn end(&self) -> Outcome {
        match (self.refusal, self.drawn) {
            (Some(reason), _) => Outcome::refused(reason),
            (None, Some(drawn)) => Outcome::Drawn(drawn),
            (None, None) => Outcome::Cancel,
        }
    }

    pub fn overlay(&self, out: &mut Overlay) {
        measure_box(self.shape, out);
    }

    pub fn readout(&self) -> Readout {
        if let Some(reason) = self.refusal {
            return Readout {
                text: reason.to_owned(),
                refused: true,
            };
        }
        let size = self.shape.size();
        Readout {
            text: format!(
                "{} x {} x {}",
                shortest(size.x),
                shortest(size.y),
                shortest(size.z)
            ),
            refused: false,
        }
    }
}

fn axis(index: usize) -> DVec3 {
    [DVec3::X, DVec3::Y, DVec3::Z][index]
}

fn start_3d(cx: &ToolCx<'_>, at: DVec2) -> (DVec3, usize, f64, Option<(f64, f64)>) {
    let ray = cx.ray(at);
    let Some(hit) = (cx.pick)(at) else {
        let distance = -ray.origin.y / ray.dir.y;
        let on_floor = distance.is_finite() && (0.0..=FLOOR_WITHIN).contains(&distance);
        let start = if on_floor {
            ray.at(distance)
        } else {
            ray.at(AHEAD)
        };
        let start = if on_floor {
            DVec3::new(start.x, 0.0, start.z)
        } else {
            start
        };
        return (start, 1, 1.0, None);
    };
    let normal = hit.normal;
    if normal.y.abs() >= FLOOR_NORMAL_Y {
        return (hit.point, 1, normal.y.signum(), None);
    }
    let across = if normal.x.abs() >= normal.z.abs() {
        0
    } else {
        2
    };
    (hit.point, across, normal[across].signum(), None)
}

fn start_2d(cx: &ToolCx<'_>, at: DVec2) -> (DVec3, usize, f64, Option<(f64, f64)>) {
    let forward = cx.view.forward();
    let across = (0..3).find(|&i| forward[i].abs() > 0.5).unwrap_or(1);
    let depth = if cx.last_bounds.is_empty() {
        DEFAULT_DEPTH
    } else {
        (cx.last_bounds.min[across], cx.last_bounds.max[across])
    };
    let mut start = cx.ray(at).origin;
    start[across] = depth.0;
    (start, across, 1.0, Some(depth))
}

/// Calls `line` with the twelve edges of a box.
pub(super) fn box_lines(bounds: Aabb, mut line: impl FnMut(DVec3, DVec3)) {
    let corners = bounds.corners();
    for (index, &corner) in corners.iter().enumerate() {
        for bit in [1, 2, 4] {
            if index & bit == 0 {
                line(corner, corners[index | bit]);
            }
        }
    }
}

/// Three labels with the size along each axis.
pub(crate) fn measure_box(bounds: Aabb, out: &mut Overlay) {
    let (size, center, max) = (bounds.size(), bounds.center(), bounds.max);
    let roles = [Role::AxisX, Role::AxisY, Role::AxisZ];
    let places = [
        DVec3::new(center.x, max.y, max.z),
        DVec3::new(max.x, center.y, max.z),
        DVec3::new(max.x, max.y, center.z),
    ];
    for i in 0..3 {
        out.labels.push(Label {
            at: places[i],
            text: shortest(size[i]),
            role: roles[i],
        });
    }
}

/// Draws boxes whatever is selected.
#[derive(Default)]
pub(super) struct BoxTool {
    draw: Option<Draw>,
}

const DRAWING: &[Hint] = &[
    hint("Shift", "square"),
    hint("Alt", "height"),
    hint("Shift+Alt", "cube"),
    hint("Esc", "cancel"),
];
const IDLE: &[Hint] = &[
    hint("Drag", "draw a shape"),
    hint("Click", "select"),
    hint("Esc", "leave the tool"),
];

pub(super) const DRAW_HINTS: &[Hint] = DRAWING;

impl Tool for BoxTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Box
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Click {
                at,
                modifiers,
                count,
            } => super::select::click(cx, at, count, modifiers),
            Gesture::Begin { at, .. } => {
                let mut draw = Draw::new(cx, at);
                let outcome = draw.drag(cx, at);
                self.draw = Some(draw);
                outcome
            }
            Gesture::Drag { at } => self
                .draw
                .as_mut()
                .map_or(Outcome::Ignored, |draw| draw.drag(cx, at)),
            Gesture::End => self.draw.take().map_or(Outcome::Ignored, |draw| draw.end()),
            Gesture::Cancel => {
                self.draw = None;
                Outcome::Cancel
            }
            Gesture::Hover { .. } | Gesture::Key(_) => Outcome::Ignored,
        }
    }

    fn overlay(&self, _cx: &ToolCx<'_>, out: &mut Overlay) {
        if let Some(draw) = &self.draw {
            draw.overlay(out);
        }
    }

    fn readout(&self) -> Option<Readout> {
        self.draw.as_ref().map(Draw::readout)
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        if self.draw.is_some() { DRAWING } else { IDLE }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Crosshair
    }

    fn reset(&mut self) {
        self.draw = None;
    }

    fn quantities(&self, _cx: &ToolCx<'_>) -> &'static [&'static str] {
        if self.draw.is_some() { EXTENTS } else { &[] }
    }

    fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        self.draw
            .as_mut()
            .map_or(Outcome::Ignored, |draw| draw.enter(cx, values))
    }
}
