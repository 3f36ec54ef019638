//! A point carried by the pointer: horizontally, vertically with `Alt`, in the plane of a 2D view (MOV-1, MOV-2).

use glam::DVec2;
use glam::DVec3;

use crate::editor::tools::ToolCx;
use crate::editor::tools::meet_drag_plane;

/// The way the pointer's motion is turned into a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// In the horizontal plane, or the plane of a 2D view.
    Plane,
    /// Along Y, on a plane that faces the viewer.
    Vertical,
}

/// The motion of a point that is dragged.
#[derive(Clone, Debug)]
pub(super) struct Carry {
    /// Where it was grabbed.
    pub grab: DVec3,
    way: Way,
    /// The free (unsnapped) difference when the present way began, and the point of the drag plane under the pointer then.
    kept: DVec3,
    anchor: Option<DVec3>,
    /// The difference so far, unsnapped.
    pub free: DVec3,
    /// Where the pointer was last, so that a change of way starts there.
    pub last_at: DVec2,
    /// In a 2D view: the axis along the view, which the pointer cannot move.
    pub across: Option<usize>,
}

impl Carry {
    pub fn new(cx: &ToolCx<'_>, at: DVec2, grab: DVec3) -> Self {
        Self {
            grab,
            way: Way::Plane,
            kept: DVec3::ZERO,
            anchor: None,
            free: DVec3::ZERO,
            last_at: at,
            across: across(cx),
        }
    }

    /// Follows the pointer; where the drag plane is seen edge-on, or met too far away, the last good position stays.
    pub fn follow(&mut self, cx: &ToolCx<'_>, at: DVec2) {
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
        let Some(point) = self.on_plane(cx, at) else {
            return;
        };
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

    /// True when the pointer moves this axis now.
    pub fn is_free(&self, axis: usize) -> bool {
        match (self.way, self.across) {
            (Way::Vertical, _) => axis == 1,
            (Way::Plane, Some(across)) => axis != across,
            (Way::Plane, None) => axis != 1,
        }
    }

    /// The axis of the largest motion since the press.
    pub fn largest(&self) -> usize {
        (0..3)
            .max_by(|&a, &b| self.free[a].abs().total_cmp(&self.free[b].abs()))
            .unwrap_or(0)
    }
}

/// The axis along a 2D view.
pub(super) fn across(cx: &ToolCx<'_>) -> Option<usize> {
    let forward = cx.view.forward().abs();
    cx.view
        .is_2d()
        .then(|| (0..3).find(|&axis| forward[axis] > 0.5).unwrap_or(1))
}

/// `delta` without all but one axis.
pub(super) fn only(delta: DVec3, axis: usize) -> DVec3 {
    DVec3::AXES[axis] * delta[axis]
}
