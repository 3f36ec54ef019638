//! The ghost of a sweep and what can be grabbed of it.

use glam::DVec2;
use glam::DVec3;

use super::Dragged;
use super::Mode;
use super::SweepTool;
use crate::editor::overlay::Handle;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Role;
use crate::editor::snapping;
use crate::editor::tools::ToolCx;
use crate::editor::tools::grips;
use crate::editor::tools::meet_drag_plane;
use crate::editor::view::View;
use crate::geometry::snap;

/// How far the handles are from the middle of the ghost, in points.
const ARROW: f64 = 56.0;
const RING: f64 = 84.0;
const TURN_DEG: f64 = 15.0;
const SCALE_STEP: f64 = 0.05;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grip {
    /// Freely in 2D, along the normal of the faces in 3D.
    Middle,
    Move(usize),
    Turn(usize),
    Scale,
    /// Of an inset.
    Width,
}

const AXIS_ROLES: [Role; 3] = [Role::AxisX, Role::AxisY, Role::AxisZ];

fn middle(tool: &SweepTool) -> DVec3 {
    tool.source.center + tool.shape.shift
}

/// The handles of a view.
fn places(tool: &SweepTool, view: &View) -> Vec<(Grip, DVec3, Role)> {
    if tool.mode != Mode::Sweep || tool.source.faces.is_empty() {
        return Vec::new();
    }
    let center = middle(tool);
    let unit = view.units_per_point(center);
    let mut list = vec![(Grip::Middle, center, Role::Handle)];
    for (axis, role) in AXIS_ROLES.into_iter().enumerate() {
        let direction = DVec3::AXES[axis];
        if view.is_2d() && direction.dot(view.forward()).abs() > 0.5 {
            continue;
        }
        let place = center + direction * (ARROW * unit);
        list.push((Grip::Move(axis), place, role));
    }
    for (axis, role) in AXIS_ROLES.into_iter().enumerate() {
        if view.is_2d() && DVec3::AXES[axis].dot(view.forward()).abs() < 0.5 {
            continue;
        }
        list.push((Grip::Turn(axis), center + spoke(axis) * (RING * unit), role));
    }
    if let Some(corner) = tool.source.rings.first().and_then(|ring| ring.first()) {
        let at = tool.motion().map().transform_point3(*corner);
        list.push((Grip::Scale, at, Role::HandleSelected));
    }
    list
}

/// Where on its ring the handle of an axis is: between the two others, so that rings and arrows are apart.
fn spoke(axis: usize) -> DVec3 {
    (DVec3::AXES[(axis + 1) % 3] + DVec3::AXES[(axis + 2) % 3]).normalize()
}

pub(super) fn at(tool: &SweepTool, view: &View, at: DVec2) -> Option<Grip> {
    let places = places(tool, view);
    let index = grips::under(view, places.iter().map(|(_, place, _)| *place), at)?;
    Some(places[index].0)
}

/// Brings the shape to where the drag is; it starts from the state before the drag.
pub(super) fn drag(tool: &mut SweepTool, cx: &ToolCx<'_>, dragged: &Dragged) {
    let center = middle(tool);
    let view = cx.view;
    let along = |axis: DVec3| -> Option<f64> {
        if let Some(typed) = dragged.typed {
            return Some(typed);
        }
        if let Some(target) = snapping::snapped_point(cx, dragged.at) {
            return Some((target - center).dot(axis));
        }
        let reach = |at: DVec2| view.ray(at).nearest_on_line(center, axis).map(|(_, s)| s);
        let moved = reach(dragged.at)? - reach(dragged.from)?;
        Some(cx.grid.snap_length(moved))
    };
    match dragged.grip {
        Grip::Middle if view.is_2d() && dragged.typed.is_none() => {
            let normal = view.forward();
            let meet = |at: DVec2| meet_drag_plane(view, cx.ray(at), center, normal);
            if let (Some(from), Some(to)) = (meet(dragged.from), meet(dragged.at)) {
                tool.shape.shift += cx.grid.snap_delta(to - from);
            }
        }
        Grip::Middle => {
            let normal = tool.source.normal;
            if let Some(distance) = along(normal) {
                tool.shape.shift += normal * distance;
            }
        }
        Grip::Move(axis) => {
            let axis = DVec3::AXES[axis];
            if let Some(distance) = along(axis) {
                tool.shape.shift += axis * distance;
            }
        }
        Grip::Turn(axis) => turn(tool, cx, dragged, axis),
        Grip::Scale => {
            let Some((middle, _)) = view.project(center) else {
                return;
            };
            let start = dragged.from.distance(middle).max(1.0);
            let factor = dragged.typed.unwrap_or_else(|| {
                let wanted = tool.shape.scale * dragged.at.distance(middle) / start;
                if cx.grid.enabled {
                    snap::snap(wanted, SCALE_STEP)
                } else {
                    wanted
                }
            });
            tool.shape.scale = factor.max(super::LEAST_SCALE);
        }
        Grip::Width => {
            let unit = view.units_per_point(tool.source.center);
            let moved = (dragged.at - dragged.from) * unit;
            // To the right and up is wider.
            let wanted = tool.shape.width + moved.x - moved.y;
            tool.shape.width = dragged
                .typed
                .unwrap_or_else(|| cx.grid.snap_length(wanted).max(cx.grid.least_extent()));
        }
    }
}

fn turn(tool: &mut SweepTool, cx: &ToolCx<'_>, dragged: &Dragged, index: usize) {
    let center = middle(tool);
    let axis = DVec3::AXES[index];
    let (u, v) = (DVec3::AXES[(index + 1) % 3], DVec3::AXES[(index + 2) % 3]);
    let angle_at = |at: DVec2| -> Option<f64> {
        let way = meet_drag_plane(cx.view, cx.ray(at), center, axis)? - center;
        Some(way.dot(v).atan2(way.dot(u)).to_degrees())
    };
    let before = if tool.shape.axis == index {
        tool.shape.angle_deg
    } else {
        0.0
    };
    let angle = match (dragged.typed, angle_at(dragged.from), angle_at(dragged.at)) {
        (Some(typed), ..) => typed,
        (None, Some(from), Some(to)) => {
            let moved = (to - from + 540.0).rem_euclid(360.0) - 180.0;
            let step = match (cx.modifiers.shift, cx.modifiers.ctrl) {
                (true, _) => 90.0,
                (_, true) => 1.0,
                _ => TURN_DEG,
            };
            snap::snap_angle_deg(before + moved, step)
        }
        _ => return,
    };
    tool.shape.axis = index;
    tool.shape.angle_deg = angle;
}

pub(super) fn overlay(tool: &SweepTool, cx: &ToolCx<'_>, out: &mut Overlay) {
    for ring in &tool.source.rings {
        outline(ring, Role::HandleSelected, out);
    }
    if tool.mode != Mode::Sweep {
        return;
    }
    let map = tool.motion().map();
    let role = if tool.refused.is_some() {
        Role::Refused
    } else {
        Role::Ghost
    };
    for ring in &tool.source.rings {
        let ghost: Vec<DVec3> = ring
            .iter()
            .map(|&corner| map.transform_point3(corner))
            .collect();
        outline(&ghost, role, out);
    }
    path(tool, cx, out);
    let grabbed = tool.dragged.as_ref().map(|dragged| dragged.grip);
    let center = middle(tool);
    for (grip, place, role) in places(tool, cx.view) {
        match grip {
            Grip::Move(_) => {
                let mut arrow = line(center, place, role, 2.0);
                arrow.arrow = true;
                out.lines.push(arrow);
            }
            Grip::Turn(axis) => arc(center, axis, center.distance(place), role, out),
            _ => {}
        }
        out.handles.push(Handle {
            at: place,
            role,
            hovered: grabbed == Some(grip),
        });
    }
}

/// The way of the middle.
fn path(tool: &SweepTool, cx: &ToolCx<'_>, out: &mut Overlay) {
    if tool.source.faces.is_empty() {
        return;
    }
    let (motion, curve) = (tool.motion(), tool.curve(cx));
    let steps = tool.steps(cx).max(1);
    let at = |step: usize| {
        motion
            .at(step as f64 / steps as f64, curve)
            .transform_point3(motion.pivot)
    };
    for step in 1..=steps {
        let mut way = line(at(step - 1), at(step), Role::Guide, 1.5);
        way.dashed = true;
        out.lines.push(way);
    }
}

/// A quarter of a ring about an axis, round the handle.
fn arc(center: DVec3, axis: usize, radius: f64, role: Role, out: &mut Overlay) {
    let (u, v) = (DVec3::AXES[(axis + 1) % 3], DVec3::AXES[(axis + 2) % 3]);
    let at = |step: u32| {
        let angle = (f64::from(step) * 9.0).to_radians();
        center + (u * angle.cos() + v * angle.sin()) * radius
    };
    for step in 1..=10 {
        out.lines.push(line(at(step - 1), at(step), role, 1.5));
    }
}

fn outline(ring: &[DVec3], role: Role, out: &mut Overlay) {
    for (i, &from) in ring.iter().enumerate() {
        let to = ring[(i + 1) % ring.len()];
        out.lines.push(line(from, to, role, 2.0));
    }
}

fn line(from: DVec3, to: DVec3, role: Role, width: f32) -> Line {
    Line {
        from,
        to,
        role,
        width,
        through: true,
        arrow: false,
        dashed: false,
    }
}
