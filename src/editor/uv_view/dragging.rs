//! What a drag in the UV view comes to: shifts, scales, shears and turns, with what they snap to.

use glam::DVec2;
use glam::DVec3;

use super::Drag;
use super::LINE_NEAR;
use super::SNAP_NEAR;
use super::UvReply;
use super::UvView;
use crate::document::Edit;
use crate::document::ops::faces;
use crate::document::ops::surfaces::Surface;
use crate::document::ops::texture::follow;
use crate::editor::tools::shortest;
use crate::editor::tools::signed;
use crate::geometry::snap::snap;

const TURN_DEG: f64 = 15.0;

impl UvView {
    /// Points of the view between two coordinates along an axis.
    pub(super) fn points_between(&self, surface: &Surface, axis: usize, repeats: f64) -> f64 {
        let length = [surface.frame.u, surface.frame.v][axis]
            .reject_from(surface.plane.normal)
            .length();
        repeats.abs() / length.max(1e-12) * self.zoom
    }

    /// The corner whose coordinate is nearest to `value`, if it is near in the view.
    fn corner_near(&self, surface: &Surface, axis: usize, value: f64) -> Option<DVec3> {
        surface
            .corners
            .iter()
            .map(|&corner| {
                let off = surface.frame.at(corner)[axis] - value;
                (self.points_between(surface, axis, off), corner)
            })
            .filter(|(points, _)| *points <= SNAP_NEAR)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, corner)| corner)
    }

    pub(super) fn shift(&self, drag: &mut Drag, to: DVec3, is_free: bool) -> UvReply {
        let surface = &drag.surface;
        let raw = surface.frame.at(to) - surface.frame.at(drag.from);
        let tile = surface.tile_size.as_dvec2();
        let mut repeats = raw;
        if !is_free {
            for axis in 0..2 {
                // Sides of repeats jump onto vertices, else whole texels.
                let jump = surface
                    .corners
                    .iter()
                    .map(|&corner| {
                        let here = surface.frame.at(corner)[axis] - raw[axis];
                        here - here.round()
                    })
                    .filter(|off| self.points_between(surface, axis, *off) <= SNAP_NEAR)
                    .min_by(|a, b| a.abs().total_cmp(&b.abs()));
                repeats[axis] = jump.map_or_else(
                    || snap(raw[axis] * tile[axis], 1.0) / tile[axis],
                    |off| raw[axis] + off,
                );
            }
        }
        drag.now = surface.frame.shifted(-repeats);
        let texels = repeats * tile;
        drag.readout = format!("{}, {} texels", signed(texels.x), signed(texels.y));
        shown(drag)
    }

    pub(super) fn scale(
        &self,
        drag: &mut Drag,
        axis: usize,
        line: f64,
        to: DVec3,
        is_free: bool,
    ) -> UvReply {
        let surface = &drag.surface;
        let held = surface.frame.at(self.origin)[axis];
        let raw = surface.frame.at(to)[axis];
        let corner = self.corner_near(surface, axis, raw).filter(|_| !is_free);
        let target = match corner {
            Some(corner) => surface.frame.at(corner)[axis],
            None if is_free => raw,
            None => {
                // The length of a repeat in whole units.
                let length = 1.0 / [surface.frame.u, surface.frame.v][axis].length();
                let wanted = length * (raw - held) / (line - held);
                held + (line - held) * snap(wanted, 1.0).max(1.0) / length
            }
        };
        let factor = (target - held) / (line - held);
        if !(factor.is_finite() && factor > 1e-3) {
            return UvReply::Nothing;
        }
        let mut factors = DVec2::ONE;
        factors[axis] = factor;
        drag.now = surface.frame.scaled(self.origin, factors);
        let name = if axis == 0 { "U" } else { "V" };
        drag.readout = format!("{name} x {}", shortest(factor));
        shown(drag)
    }

    pub(super) fn shear(
        &self,
        drag: &mut Drag,
        axis: usize,
        line: f64,
        to: DVec3,
        is_free: bool,
    ) -> UvReply {
        let surface = &drag.surface;
        let held = surface.frame.at(self.origin);
        let at = |point: DVec3| surface.frame.at(point);
        let near = surface.corners.iter().copied().find(|&corner| {
            self.to_view(surface, corner)
                .distance(self.to_view(surface, to))
                <= SNAP_NEAR
        });
        let target = at(near.filter(|_| !is_free).unwrap_or(to));
        let other = 1 - axis;
        let rise = target[other] - held[other];
        // Near the origin's own line any shear would do.
        if self.points_between(surface, other, rise) < LINE_NEAR {
            return UvReply::Nothing;
        }
        let slope = (line - target[axis]) / rise;
        let frame = &surface.frame;
        let mut new = *frame;
        if axis == 0 {
            new.u = frame.u + frame.v * slope;
            new.u_offset = frame.u_offset + (frame.v_offset - held.y) * slope;
        } else {
            new.v = frame.v + frame.u * slope;
            new.v_offset = frame.v_offset + (frame.u_offset - held.x) * slope;
        }
        drag.now = new;
        drag.readout = format!("shear {}", signed(slope));
        shown(drag)
    }

    pub(super) fn turn(&self, drag: &mut Drag, to: DVec3, is_free: bool) -> UvReply {
        let surface = &drag.surface;
        let normal = surface.plane.normal;
        let (from, arm) = (drag.from - self.origin, to - self.origin);
        let raw_deg = from
            .cross(arm)
            .dot(normal)
            .atan2(from.dot(arm))
            .to_degrees();
        if !raw_deg.is_finite() {
            return UvReply::Nothing;
        }
        let angle_deg = if is_free {
            raw_deg
        } else {
            self.onto_edge(surface, raw_deg)
                .unwrap_or_else(|| snap(raw_deg, TURN_DEG))
        };
        drag.now = surface.frame.rotated(normal, self.origin, angle_deg);
        drag.readout = format!("{} deg", signed(angle_deg));
        shown(drag)
    }

    /// The angle near `raw_deg` that lays an axis of the texture along an edge of the face.
    fn onto_edge(&self, surface: &Surface, raw_deg: f64) -> Option<f64> {
        const NEAR_DEG: f64 = 3.0;
        let (along, _) = surface.frame.tangents(surface.plane.normal)?;
        let next = surface.corners.iter().cycle().skip(1);
        surface
            .corners
            .iter()
            .zip(next)
            .filter_map(|(a, b)| {
                let edge = *b - *a;
                let angle = along
                    .cross(edge)
                    .dot(surface.plane.normal)
                    .atan2(along.dot(edge))
                    .to_degrees();
                // Any of the four ways that an axis can lie along it.
                let off = angle - raw_deg - snap(angle - raw_deg, 90.0);
                (off.abs() <= NEAR_DEG).then_some(raw_deg + off)
            })
            .min_by(|a, b| (a - raw_deg).abs().total_cmp(&(b - raw_deg).abs()))
    }

    pub(super) fn snapped_origin(&self, surface: &Surface, to: DVec3, is_free: bool) -> DVec3 {
        if is_free {
            return to;
        }
        let here = self.to_view(surface, to);
        let next = surface.corners.iter().cycle().skip(1);
        let middles = surface
            .corners
            .iter()
            .zip(next)
            .map(|(a, b)| (*a + *b) / 2.0);
        let candidates = surface
            .corners
            .iter()
            .copied()
            .chain(middles)
            .chain([surface.center()]);
        let near = candidates
            .map(|point| (self.to_view(surface, point).distance(here), point))
            .filter(|(points, _)| *points <= SNAP_NEAR)
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, point)) = near {
            return point;
        }
        // Whole texels else.
        let tile = surface.tile_size.as_dvec2();
        let texels = (surface.frame.at(to) * tile).map(|value| snap(value, 1.0));
        surface
            .frame
            .point_at(surface.plane, texels / tile)
            .unwrap_or(to)
    }
}

fn shown(drag: &Drag) -> UvReply {
    match edit_of(drag) {
        Some(edit) => UvReply::Preview(edit),
        None => UvReply::Unchanged,
    }
}

/// Every picked face follows the change of the one that is shown.
pub(super) fn edit_of(drag: &Drag) -> Option<Edit> {
    let (old, new, plane) = (drag.surface.frame, drag.now, drag.surface.plane);
    if new == old || !new.is_finite() {
        return None;
    }
    let change = move |surface: &Surface| {
        if surface.frame == old && surface.plane == plane {
            new
        } else {
            follow(&old, &new, &surface.frame, plane, surface.plane)
        }
    };
    Some(faces::change_surfaces(
        drag.label,
        drag.picks.clone(),
        change,
    ))
}
