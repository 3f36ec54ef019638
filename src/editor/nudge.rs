//! Moving by keys (MOV-5) and duplicating by them (DUP-1): which way an arrow means depends on the view.

use glam::DVec3;

use crate::document::Edit;
use crate::document::EditError;
use crate::document::UvLock;
use crate::document::ops;
use crate::editor::Editor;
use crate::editor::edits;
use crate::editor::tools::ToolAction;
use crate::editor::view::View;

/// The key pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
    PageUp,
    PageDown,
}

/// The world direction of a key: the axes of a 2D view; in 3D the horizontal axes nearest the camera's, and Y for the page keys.
#[must_use]
pub fn in_map(view: &View, direction: Direction) -> DVec3 {
    let (right, up, deep) = if view.is_2d() {
        (view.right(), view.up(), view.forward())
    } else {
        let right = nearest_axis(view.right());
        // The other horizontal axis, so that the two never fall together.
        (right, DVec3::Y.cross(right), DVec3::Y)
    };
    match direction {
        Direction::Left => -right,
        Direction::Right => right,
        Direction::Up => up,
        Direction::Down => -up,
        Direction::PageUp => deep,
        Direction::PageDown => -deep,
    }
}

fn nearest_axis(direction: DVec3) -> DVec3 {
    if direction.x.abs() >= direction.z.abs() {
        DVec3::new(direction.x.signum(), 0.0, 0.0)
    } else {
        DVec3::new(0.0, 0.0, direction.z.signum())
    }
}

impl Editor {
    /// Moves the selection by grid steps; presses that follow within a second are one undo step.
    pub(crate) fn nudge(&mut self, direction: Direction, steps: f64) -> Result<(), EditError> {
        if self.offer_action(ToolAction::Nudge { direction, steps }) {
            return Ok(());
        }
        let delta = in_map(self.active_view(), direction) * (self.grid.size * steps);
        let ids = edits::roots(self.doc(), self.selection());
        let edit: Edit = ops::transform::move_by(ids, delta, self.uv_lock());
        self.commit_folding(&edit)
    }

    pub(crate) fn duplicate_towards(&mut self, direction: Direction) -> Result<(), EditError> {
        let delta = in_map(self.active_view(), direction) * self.grid.size;
        self.duplicate_by(delta)
    }

    /// LOCK-1.
    pub(crate) fn uv_lock(&self) -> UvLock {
        if self.settings.alignment_lock {
            UvLock::Carried
        } else {
            UvLock::World
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::view::ViewKind;

    #[test]
    fn keys_follow_the_view() {
        let check = |kind, yaw_deg, direction, expected| {
            let view = View {
                kind,
                yaw_deg,
                pitch_deg: -20.0,
                ..View::default()
            };
            assert_eq!(
                in_map(&view, direction),
                expected,
                "{kind:?} {yaw_deg} {direction:?}"
            );
        };
        check(ViewKind::Top, 0.0, Direction::Up, DVec3::NEG_Z);
        check(ViewKind::Side, 0.0, Direction::Right, DVec3::NEG_Z);
        check(ViewKind::Front, 0.0, Direction::PageUp, DVec3::NEG_Z);
        check(ViewKind::Perspective, 0.0, Direction::Up, DVec3::NEG_Z);
        check(ViewKind::Perspective, 0.0, Direction::Right, DVec3::X);
        check(ViewKind::Perspective, 90.0, Direction::Up, DVec3::NEG_X);
        check(ViewKind::Perspective, 80.0, Direction::Right, DVec3::NEG_Z);
        check(ViewKind::Perspective, 80.0, Direction::PageUp, DVec3::Y);
    }
}
