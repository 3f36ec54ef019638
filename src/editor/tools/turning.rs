//! Turning by a ring about the pivot: the drag that the rotate tool and the gizmo share (ROT-2).

use glam::DAffine3;
use glam::DMat3;
use glam::DVec2;
use glam::DVec3;

use crate::document::Edit;
use crate::document::ops::components::Stop;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::tools::Outcome;
use crate::editor::tools::ToolCx;
use crate::editor::tools::shortest;
use crate::editor::tools::targets::Stage;
use crate::editor::tools::targets::Targets;
use crate::editor::view::View;
use crate::geometry::snap::snap_angle_deg;
use crate::geometry::transform::about;
use crate::geometry::transform::rotation_about_axis_deg;

/// Radius of the rings, in points.
pub(super) const RING: f64 = 84.0;

/// Handles and rings are hit this near, in points (PICK-1).
pub(super) const HANDLE_REACH: f64 = 8.0;

/// Sides of a ring as it is drawn and hit.
const SIDES: usize = 64;

/// A ring seen flatter than this is turned along its tangent.
const FLAT_DEG: f64 = 8.0;

pub(super) const AXIS_ROLES: [Role; 3] = [Role::AxisX, Role::AxisY, Role::AxisZ];

/// The axis that turns things: a world axis, for which quarter turns are exact, or any other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub direction: DVec3,
    /// 0, 1, 2 when it is that world axis.
    pub world: Option<usize>,
}

impl Axis {
    pub fn world(axis: usize) -> Self {
        Self {
            direction: DVec3::AXES[axis],
            world: Some(axis),
        }
    }

    /// A column of the gizmo's axes.
    pub fn of(axes: DMat3, index: usize) -> Self {
        let direction = axes.col(index);
        let world = (direction == DVec3::AXES[index]).then_some(index);
        Self { direction, world }
    }

    fn rotation(self, angle_deg: f64) -> DMat3 {
        match self.world {
            Some(axis) => rotation_about_axis_deg(axis, angle_deg),
            None => DMat3::from_axis_angle(self.direction, angle_deg.to_radians()),
        }
    }

    /// The map that turns by an angle about a point.
    pub fn turn(self, pivot: DVec3, angle_deg: f64) -> DAffine3 {
        about(pivot, self.rotation(angle_deg))
    }
}

/// The map that turns by an angle about a world axis through a point; exact for quarter turns.
pub(crate) fn turning_axis(axis: usize, pivot: DVec3, angle_deg: f64) -> DAffine3 {
    Axis::world(axis).turn(pivot, angle_deg)
}

/// A turn under way.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    targets: Targets,
    pivot: DVec3,
    axis: Axis,
    /// Two directions across the axis; the first points at the place of the press.
    across: [DVec3; 2],
    /// Whole turns so far, and the angle within the present one.
    turns: f64,
    within_deg: f64,
    /// Seen edge-on: where the ring was grabbed, its tangent on screen, degrees per point.
    tangent: Option<(DVec2, DVec2, f64)>,
    typed_deg: Option<f64>,
    last_at: DVec2,
    angle_deg: f64,
    /// Why it does not go on.
    stop: Option<Stop>,
}

impl Turn {
    pub fn new(cx: &ToolCx<'_>, at: DVec2, axis: Axis) -> Option<Self> {
        let targets = Targets::of(cx)?;
        let pivot = cx.pivot;
        let (a, b) = axis.direction.any_orthonormal_pair();
        let mut turn = Self {
            targets,
            pivot,
            axis,
            across: [a, b],
            turns: 0.0,
            within_deg: 0.0,
            tangent: None,
            typed_deg: None,
            last_at: at,
            angle_deg: 0.0,
            stop: None,
        };
        match turn.direction_at(cx, at) {
            Some(first) => turn.across = [first, axis.direction.cross(first)],
            None => turn.tangent = tangent(cx.view, pivot, axis.direction, at),
        }
        Some(turn)
    }

    /// From the pivot towards the pointer, in the plane of the ring; `None` where that is seen edge-on.
    fn direction_at(&self, cx: &ToolCx<'_>, at: DVec2) -> Option<DVec3> {
        let ray = cx.ray(at);
        let slope = ray.dir.dot(self.axis.direction);
        if slope.abs() < FLAT_DEG.to_radians().sin() {
            return None;
        }
        let distance = (self.pivot - ray.origin).dot(self.axis.direction) / slope;
        if distance < 0.0 && !cx.view.is_2d() {
            return None;
        }
        let from = ray.at(distance) - self.pivot;
        (from - self.axis.direction * from.dot(self.axis.direction)).try_normalize()
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2, step_deg: f64) -> Outcome {
        self.last_at = at;
        if let Some((grab, tangent, deg_per_point)) = self.tangent {
            (self.turns, self.within_deg) = (0.0, (at - grab).dot(tangent) * deg_per_point);
        } else if let Some(direction) = self.direction_at(cx, at) {
            let now = direction
                .dot(self.across[1])
                .atan2(direction.dot(self.across[0]))
                .to_degrees();
            // The shorter way from the last place; beyond half a turn that is the next one.
            self.turns += ((self.within_deg - now) / 360.0).round();
            self.within_deg = now;
        }
        let free = self.turns * 360.0 + self.within_deg;
        let wanted = self.typed_deg.unwrap_or_else(|| {
            let step = match (cx.modifiers.shift, cx.modifiers.ctrl) {
                (true, _) => 90.0,
                (_, true) => 1.0,
                _ => step_deg,
            };
            if cx.held.free {
                free
            } else {
                snap_angle_deg(free, step)
            }
        });
        self.stop = self
            .targets
            .stop(cx.doc(), &self.axis.turn(self.pivot, wanted));
        if self.stop.is_none() {
            self.angle_deg = wanted;
        }
        if self.angle_deg == 0.0 {
            Outcome::Unchanged
        } else {
            Outcome::Preview(self.edit(Stage::Preview))
        }
    }

    pub fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>], step_deg: f64) -> Outcome {
        self.typed_deg = values.first().copied().flatten();
        self.drag(cx, self.last_at, step_deg)
    }

    fn edit(&self, stage: Stage) -> Edit {
        let map = self.axis.turn(self.pivot, self.angle_deg);
        self.targets.turned("Rotate", map, stage)
    }

    pub fn end(&self) -> Outcome {
        if self.angle_deg == 0.0 {
            Outcome::Unchanged
        } else {
            Outcome::Commit(self.edit(Stage::Commit))
        }
    }

    pub fn readout(&self) -> Readout {
        readout(format!("{} deg", shortest(self.angle_deg)), self.stop)
    }

    /// The ring, and the angle as two spokes.
    pub fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        let role = self.axis.world.map_or(Role::Guide, |axis| AXIS_ROLES[axis]);
        ring_lines(cx.view, self.pivot, self.axis.direction, role, 2.0, out);
        let radius = cx.view.units_per_point(self.pivot) * RING;
        let turned = self.axis.rotation(self.angle_deg) * self.across[0];
        for (direction, dashed) in [(self.across[0], true), (turned, false)] {
            out.lines.push(line(
                self.pivot,
                self.pivot + direction * radius,
                role,
                1.5,
                dashed,
            ));
        }
        let bounds = self.targets.bounds;
        super::draw::box_lines(bounds, |from, to| {
            out.lines.push(line(from, to, Role::Ghost, 1.0, true));
        });
    }
}

/// Live numbers, with what stops the drag.
pub(super) fn readout(text: String, stop: Option<Stop>) -> Readout {
    match stop {
        Some(stop) => Readout {
            text: format!("{text}: {stop}"),
            refused: true,
        },
        None => Readout {
            text,
            refused: false,
        },
    }
}

pub(super) fn line(from: DVec3, to: DVec3, role: Role, width: f32, dashed: bool) -> Line {
    Line {
        from,
        to,
        role,
        width,
        through: true,
        arrow: false,
        dashed,
    }
}

fn ring_points(view: &View, pivot: DVec3, axis: DVec3) -> Vec<DVec3> {
    let radius = view.units_per_point(pivot) * RING;
    let (a, b) = axis.any_orthonormal_pair();
    (0..SIDES)
        .map(|index| {
            let (sin, cos) = (index as f64 / SIDES as f64 * std::f64::consts::TAU).sin_cos();
            pivot + (a * cos + b * sin) * radius
        })
        .collect()
}

pub(super) fn ring_lines(
    view: &View,
    pivot: DVec3,
    axis: DVec3,
    role: Role,
    width: f32,
    out: &mut Overlay,
) {
    let points = ring_points(view, pivot, axis);
    for (index, &from) in points.iter().enumerate() {
        let to = points[(index + 1) % points.len()];
        out.lines.push(line(from, to, role, width, false));
    }
}

/// Distance on screen from a point to a ring; `None` when the ring cannot be seen.
pub(super) fn ring_distance(view: &View, pivot: DVec3, axis: DVec3, at: DVec2) -> Option<f64> {
    let places: Option<Vec<DVec2>> = ring_points(view, pivot, axis)
        .into_iter()
        .map(|point| view.project(point).map(|(place, _)| place))
        .collect();
    let places = places?;
    (0..places.len())
        .map(|index| segment_distance(places[index], places[(index + 1) % places.len()], at))
        .min_by(f64::total_cmp)
}

pub(super) fn segment_distance(a: DVec2, b: DVec2, at: DVec2) -> f64 {
    let t = ((at - a).dot(b - a) / (b - a).length_squared().max(1e-12)).clamp(0.0, 1.0);
    (a + (b - a) * t).distance(at)
}

/// Where a ring that is seen edge-on was grabbed: the place, its tangent on screen, and degrees per point along it.
fn tangent(view: &View, pivot: DVec3, axis: DVec3, at: DVec2) -> Option<(DVec2, DVec2, f64)> {
    let points = ring_points(view, pivot, axis);
    let near = |point: &DVec3| {
        view.project(*point)
            .map_or(f64::INFINITY, |(place, _)| place.distance(at))
    };
    // Of the two sides of the ring that lie over each other the one nearer to the viewer is meant.
    let nearest = points
        .iter()
        .copied()
        .filter(|point| (*point - pivot).dot(view.forward()) <= 1e-9)
        .min_by(|a, b| near(a).total_cmp(&near(b)))?;
    let along = axis.cross(nearest - pivot).try_normalize()?;
    let step = view.units_per_point(pivot);
    let (from, to) = (
        view.project(nearest)?.0,
        view.project(nearest + along * step)?.0,
    );
    let tangent = (to - from).try_normalize()?;
    Some((at, tangent, (1.0 / RING).to_degrees()))
}
