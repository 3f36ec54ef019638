//! Transforms by key: quarter turns, flips, dropping, and the switches of the gizmo (ROT-1, FLP-1, MOV-7, MOV-8).

use glam::DMat3;

use crate::document::EditError;
use crate::editor::Editor;
use crate::editor::ToolKind;
use crate::editor::falling::Way;
use crate::editor::tools;
use crate::editor::tools::targets;
use crate::editor::tools::targets::Stage;
use crate::editor::tools::targets::Targets;
use crate::editor::tools::turning_axis;
use crate::editor::view::View;
use crate::geometry::transform::nearest_axis;

/// About which axis a quarter turn goes (ROT-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
    Yaw,
    Roll,
    Pitch,
}

/// The signed world axis of a turn in a view.
#[must_use]
pub fn axis_in_map(view: &View, turning: Turning) -> (usize, f64) {
    match turning {
        Turning::Yaw if !view.is_2d() => (1, 1.0),
        Turning::Yaw => nearest_axis(view.up()),
        // Towards the viewer, so that clockwise is what is seen.
        Turning::Roll => nearest_axis(-view.forward()),
        Turning::Pitch => nearest_axis(view.right()),
    }
}

impl Editor {
    fn targets(&self) -> Result<Targets, EditError> {
        Targets::new(
            self.history.committed(),
            &self.definitions,
            self.uv_lock(),
            self.settings.turn_entities,
            self.settings.uv_lock,
        )
        .ok_or_else(|| EditError::refused(targets::NOTHING))
    }

    /// ROT-1: a quarter turn about the pivot, or by the angle of the rotate tool while that is in hand. Clockwise is seen
    /// against the axis.
    pub(crate) fn turn(&mut self, turning: Turning, clockwise: bool) -> Result<(), EditError> {
        let targets = self.targets()?;
        let (axis, sign) = axis_in_map(self.active_view(), turning);
        let angle_deg = if self.tool() == ToolKind::Rotate {
            self.tools.rotate.angle_deg
        } else {
            90.0
        };
        let against = if clockwise { -sign } else { sign };
        let map = turning_axis(axis, self.pivot(), against * angle_deg);
        self.commit(&targets.turned("Rotate", map, Stage::Commit))
    }

    /// FLP-1: mirrors left-right or up-down as seen in the view, in the plane through the pivot.
    pub(crate) fn flip(&mut self, upside_down: bool) -> Result<(), EditError> {
        let targets = self.targets()?;
        let view = self.active_view();
        let (right, _) = nearest_axis(view.right());
        let axis = if upside_down {
            // The other axis, should both be nearest to one.
            let mut up = view.up();
            up[right] = 0.0;
            nearest_axis(up).0
        } else {
            right
        };
        let position = self.pivot()[axis];
        let lettering = self.settings.keep_lettering;
        self.commit(&targets.flipped(axis, position, lettering))
    }

    /// MOV-8: the axes of the gizmo while it is shown.
    #[must_use]
    pub fn gizmo_axes(&self) -> Option<DMat3> {
        self.gizmo.then(|| {
            if self.gizmo_is_local {
                tools::local_axes(self.history.committed())
            } else {
                DMat3::IDENTITY
            }
        })
    }

    /// MOV-7: each selected object falls, or rises, until its bounds touch something solid; `align` turns its up axis to the
    /// surface under its middle.
    pub(crate) fn drop_selection(&mut self, upward: bool, align: bool) -> Result<(), EditError> {
        let targets = self.targets()?;
        let way = Way { upward, align };
        let maps = self.ground().maps(&targets.ids, way);
        if maps.is_empty() {
            return Err(EditError::refused(if upward {
                "There is nothing solid above"
            } else {
                "There is nothing solid below"
            }));
        }
        let (lock, orientation) = (targets.lock, targets.orientation.clone());
        let again = self.falls_again(way, lock, orientation);
        self.commit(&targets.each("Drop", maps).repeatable(again))
    }
}
